/** How far the document is loaded, waited for where it is asked. */
import { startTimer, stopTimer } from '../dom/primordials.ts';
import { BridgeFault } from '../fault.ts';
import { check } from './wait.ts';

type Stage = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

const stages: ReadonlySet<unknown> = new Set<Stage>(['commit', 'domcontentloaded', 'load', 'networkidle']);
const quiet = 500; // ms without a resource that arrived

export async function ready(params: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>> {
  const until = params.until ?? 'load';
  if (!stages.has(until)) throw new BridgeFault('VALIDATION_ERROR', 'until must be commit, domcontentloaded, load or networkidle.');
  if (until !== 'commit' && document.readyState === 'loading') await once(document, 'DOMContentLoaded', signal);
  if (until === 'load' || until === 'networkidle') {
    if (document.readyState !== 'complete') await once(window, 'load', signal);
  }
  if (until === 'networkidle') await stillness(signal);
  const [navigation] = performance.getEntriesByType('navigation');
  return {
    url: location.href,
    title: document.title,
    readyState: document.readyState,
    status: navigation instanceof PerformanceNavigationTiming ? navigation.responseStatus : 0,
  };
}

function once(target: EventTarget, type: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      target.removeEventListener(type, done);
      signal.removeEventListener('abort', ended);
      resolve();
    };
    const ended = (): void => {
      target.removeEventListener(type, done);
      try {
        check(signal);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    target.addEventListener(type, done, { once: true });
    signal.addEventListener('abort', ended, { once: true });
    if (signal.aborted) ended();
  });
}

/** Resolves when no resource has arrived for a while. */
function stillness(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const observer = new PerformanceObserver(() => {
      stopTimer(timer);
      timer = startTimer(done, quiet);
    });
    const end = (): void => {
      stopTimer(timer);
      observer.disconnect();
      signal.removeEventListener('abort', ended);
    };
    const done = (): void => {
      end();
      resolve();
    };
    const ended = (): void => {
      end();
      try {
        check(signal);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    let timer = startTimer(done, quiet);
    observer.observe({ type: 'resource' });
    signal.addEventListener('abort', ended, { once: true });
    if (signal.aborted) ended();
  });
}
