/** Makes window.burst(n, perSecond): n store updates, all at once or at a rate. Gives a promise of the end. */
export function offerBurst(update) {
  window.burst = (n, perSecond) =>
    new Promise((done) => {
      if (!perSecond) {
        for (let i = 0; i < n; i++) update(i);
        done(n);
        return;
      }
      const started = performance.now();
      let made = 0;
      const timer = setInterval(() => {
        const due = Math.min(n, Math.floor(((performance.now() - started) * perSecond) / 1000));
        while (made < due) update(made++);
        if (made === n) {
          clearInterval(timer);
          done(n);
        }
      }, 4);
    });
}
