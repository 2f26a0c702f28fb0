/** Waiting without fixed sleeps, also where requestAnimationFrame does not run. */
import { BridgeFault } from '../fault.ts';
import { startTimer, stopTimer } from '../dom/primordials.ts';
import { settleFrame, turn } from '../dom/timing.ts';

/** One rendering frame with what it rendered, or two turns in a tab that renders none. */
export async function frame(): Promise<void> {
  await settleFrame();
  await turn();
}

/** Throws when the command's time is over or it was cancelled. */
export function check(signal: AbortSignal, last?: BridgeFault): void {
  if (!signal.aborted) return;
  const reason: unknown = signal.reason;
  if (reason instanceof BridgeFault) throw reason;
  throw last ?? new BridgeFault('TIMEOUT', 'The time limit passed before the command was done.');
}

/** Repeats until it does not throw one of the passing faults, for at most limit ms. */
export async function retry<T>(attempt: () => T | Promise<T>, passing: ReadonlySet<string>, limit: number, signal: AbortSignal): Promise<T> {
  const until = performance.now() + limit;
  let last: BridgeFault | undefined;
  for (;;) {
    check(signal, last);
    const start = performance.now();
    try {
      return await attempt();
    } catch (error) {
      check(signal, error instanceof BridgeFault ? error : last);
      if (!(error instanceof BridgeFault) || !passing.has(error.code) || performance.now() >= until) throw error;
      last = error;
    }
    // Each frame; where looking costs more, a quarter of the page's time at most.
    const cost = performance.now() - start;
    await settleFrame();
    const rest = Math.min(Math.max(cost * 3, document.hidden ? 40 : 0), 400, until - performance.now());
    if (rest > 1) await pause(rest, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stopTimer(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = startTimer(done, ms);
    signal.addEventListener('abort', done);
  });
}
