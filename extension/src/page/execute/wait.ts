/** Waiting without fixed sleeps, also where requestAnimationFrame does not run. */
import { BridgeFault } from '../fault.ts';
import { cancelFrame, nextFrame, startTimer, stopTimer } from '../dom/primordials.ts';

const frameLimit = 50; // ms until a frame counts as passed: occluded windows make none

/** One turn of the event loop; not throttled in background tabs, as timers are. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/** One rendering frame, or two turns in a tab that renders none. */
export async function frame(): Promise<void> {
  if (document.hidden) {
    await turn();
    await turn();
    return;
  }
  await new Promise<void>((resolve) => {
    const done = (): void => {
      cancelFrame(id);
      stopTimer(timer);
      resolve();
    };
    const id = nextFrame(done);
    const timer = startTimer(done, frameLimit);
  });
  await turn(); // past the rendering of that frame
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
