/**
 * Main-thread time that collectors may take: a small share of the wall clock, saved up
 * to a limit so that a first burst is served whole.
 */
const share = 0.013;
const saved = 40; // ms

export class Budget {
  #left = saved;
  #at = performance.now();

  /** Milliseconds that may be spent now. */
  get left(): number {
    const now = performance.now();
    this.#left = Math.min(saved, this.#left + (now - this.#at) * share);
    this.#at = now;
    return this.#left;
  }

  spend(ms: number): void {
    this.#left -= ms;
  }
}
