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
  let delay = 40;
  let last: BridgeFault | undefined;
  for (;;) {
    check(signal, last);
    try {
      return await attempt();
    } catch (error) {
      check(signal, error instanceof BridgeFault ? error : last);
      if (!(error instanceof BridgeFault) || !passing.has(error.code) || performance.now() >= until) throw error;
      last = error;
    }
    await pause(Math.min(delay, Math.max(0, until - performance.now())), signal);
    delay = Math.min(400, delay * 1.6); // looking again costs the page time
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
