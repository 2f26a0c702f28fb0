/** Commands about tools that the page declares, by the inspector in the page's own world. */
import { BridgeFault } from '../fault.ts';
import { Watch } from './effect.ts';
import type { InsideCommand } from './run.ts';

let calls = 0; // numbers calls, so that one can be ended

export const toolCommands: Readonly<Record<string, InsideCommand>> = {
  async tools_list(_command, around, signal) {
    return { result: await around.tools('tools_list', {}, signal), effect: 'noop' };
  },

  async tools_call(command, around, signal, acted) {
    const { name, input } = command;
    if (around.level() === 'observe') throw new BridgeFault('CAPABILITY_MISSING', 'The page is connected at level observe; this command acts.', { level: 'act' });
    if (typeof name !== 'string') throw new BridgeFault('VALIDATION_ERROR', 'name must be a string.');
    const call = ++calls;
    const watch = new Watch(null, around);
    const cancel = (): void => {
      around.tools('tools_cancel', { call }, AbortSignal.timeout(1000)).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const asked = around.tools('tools_call', { name, input, call }, signal);
      acted();
      const result = told(await asked);
      const effect = await watch.settle(signal);
      return { result, effect, after: { mutations: watch.mutations, ...(watch.moved === undefined ? {} : { url: watch.moved }) } };
    } catch (error) {
      watch.stop();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  },
};

/** The answer as text: a page's value may have fields that look like ours. */
function told(answer: unknown): Record<string, unknown> {
  const { value, cut, error } = typeof answer === 'object' && answer !== null ? answer as Record<string, unknown> : {};
  if (typeof error === 'string') return { error };
  return { json: JSON.stringify(value ?? null), cut: cut === true };
}
