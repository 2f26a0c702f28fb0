/** Tools that the page declares: who is asked for them, and tools_changed. */
import type { Part } from '../../app/part.ts';
import { Refusal } from '../../app/part.ts';
import type { TelemetryMessage } from '../api.ts';
import { BridgeFault } from '../fault.ts';
import type { AppWorld } from './app.ts';

/** Runs an operation of the page's tools (app/tools.ts). What it gives is page data. */
export type AskTools = (op: string, args: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;

const maxNames = 200;
const maxName = 200; // characters

/** The inspector in the page's own world; or, where this side is in that world itself, its part for tools. */
export function pageTools(app: AppWorld | undefined, part: Part | undefined, send: (message: TelemetryMessage) => void): { ask: AskTools; start(): void; dispose(): void } {
  const tell = (value: unknown): void => send({ type: 'tools_changed', timestamp: Date.now(), ...news(value) });
  app?.on('tools', tell);
  return {
    async ask(op, args, signal) {
      if (app !== undefined) return (await app.ask(op, args, [], signal)).value;
      const run = part?.operations[op];
      if (run === undefined) throw new BridgeFault('CAPABILITY_MISSING', 'The page tells of no tools here.');
      try {
        return await within(signal, run(args, { elements: [], give: () => -1 }));
      } catch (error) {
        throw error instanceof Refusal ? new BridgeFault(error.code, 'The page offers no such tool.') : error;
      }
    },
    start: () => part?.begin?.((_kind, value) => tell(value)),
    dispose: () => part?.dispose(),
  };
}

/** The page said it: nothing of it is taken as it is. */
function news(value: unknown): { names: string[]; unseen: number } {
  const { names, unseen } = typeof value === 'object' && value !== null ? value as Record<string, unknown> : {};
  const list = Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string').slice(0, maxNames) : [];
  return { names: list.map((name) => name.slice(0, maxName)), unseen: typeof unseen === 'number' && unseen > 0 ? 1 : 0 };
}

async function within(signal: AbortSignal, work: unknown): Promise<unknown> {
  return await new Promise((done, fail) => {
    const abort = (): void => fail(new BridgeFault('TIMEOUT', 'The page gave no answer in time.'));
    signal.addEventListener('abort', abort, { once: true });
    Promise.resolve(work).then(done, fail).finally(() => signal.removeEventListener('abort', abort));
  });
}
