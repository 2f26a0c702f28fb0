/** Commands about the app's state, by the inspector in the page's own world. */
import { settleFrame } from '../dom/timing.ts';
import { diff } from '../collect/patch.ts';
import type { StateCollector, StateItem, StateRow } from '../collect/state.ts';
import { BridgeFault } from '../fault.ts';
import type { InsideCommand, Surroundings } from './run.ts';

const changeLimit = 500; // ms that a store gets to show what came of an action
const look = 20; // ms between two looks

/** request_state: a page without an inspector has what its own SDK gives. */
export async function readStates(state: StateCollector, scope: string | undefined, signal: AbortSignal): Promise<StateItem[]> {
  try {
    return await state.all(scope, signal);
  } catch (error) {
    if (error instanceof BridgeFault && (error.code === 'CAPABILITY_MISSING' || error.code === 'ELEMENT_NOT_FOUND')) return [];
    throw error;
  }
}

export const stateCommands: Readonly<Record<string, InsideCommand>> = {
  async state_list(_command, around, signal) {
    const rows = await around.state.rows({}, signal);
    return { result: { scopes: rows.map(({ value: _value, ...row }) => row) }, effect: 'noop' };
  },

  async state_get({ scope, path }, around, signal) {
    const which = { ...typeof scope === 'string' && scope !== '' ? { scope } : {}, ...Array.isArray(path) ? { path: pathOf(path) } : {} };
    return { result: { scopes: await around.state.rows(which, signal) }, effect: 'noop' };
  },

  /** Tells everything whole: the reader lost what the next change builds on. */
  async state_again(_command, around) {
    around.state.repeat();
    return await Promise.resolve({ result: {}, effect: 'noop' });
  },

  async state_set({ scope, path, value }, around, signal, acted) {
    return await changed(around, scope, signal, async (name) => {
      await around.app?.ask('state.set', { scope: name, path: pathOf(path), value: value ?? null }, [], signal);
      acted();
    });
  },

  async state_dispatch({ scope, action }, around, signal, acted) {
    return await changed(around, scope, signal, async (name) => {
      await around.app?.ask('state.dispatch', { scope: name, action: action ?? null }, [], signal);
      acted();
    });
  },
};

/** Changes a scope and says what became of it. */
async function changed(around: Surroundings, scope: unknown, signal: AbortSignal, change: (scope: string) => Promise<void>): Promise<ReturnType<InsideCommand> extends Promise<infer R> ? R : never> {
  if (around.level() !== 'control') {
    throw new BridgeFault('CAPABILITY_MISSING', 'The page is not connected at level control; this command changes the state of the app.', { level: 'control' });
  }
  if (typeof scope !== 'string' || scope === '') throw new BridgeFault('VALIDATION_ERROR', 'scope must be a string.');
  if (around.app === undefined) throw new BridgeFault('CAPABILITY_MISSING', 'The state that an app hands out by itself cannot be set.');
  const before = await one(around, scope, signal);
  await change(scope);
  const until = performance.now() + changeLimit;
  for (;;) {
    await settleFrame();
    const after = await one(around, scope, signal);
    const patch = diff(before?.value, after?.value);
    const nothing = patch?.length === 0;
    if (!nothing || performance.now() > until || signal.aborted) {
      const told = patch === null ? { value: after?.value } : { patch };
      return { result: { scope, source: after?.source, version: after?.version, ...told }, effect: nothing ? 'noop' : 'changed' };
    }
    await new Promise((done) => {
      setTimeout(done, look);
    });
  }
}

/** The scope now; of the window, undefined while nothing stands there. */
async function one({ state }: Surroundings, scope: string, signal: AbortSignal): Promise<StateRow | undefined> {
  try {
    const rows = await state.rows({ scope }, signal);
    return rows.at(-1);
  } catch (error) {
    if (scope.startsWith('window:') && error instanceof BridgeFault && error.code === 'ELEMENT_NOT_FOUND') return undefined;
    throw error;
  }
}

function pathOf(path: unknown): string[] {
  return Array.isArray(path) ? path.filter((key): key is string => typeof key === 'string') : [];
}
