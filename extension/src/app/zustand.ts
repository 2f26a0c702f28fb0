/** Zustand 4 and 5: a store is what has getState, setState and subscribe, and no dispatch of Redux. */
import type { Scope } from './adapter.ts';
import { get, hasMethods, isFunction, once, replaced, type Call } from './peek.ts';

interface Store {
  getState(): unknown;
  setState(state: unknown, replace?: boolean): void;
  subscribe(changed: () => void): () => void;
}

export function isZustand(value: unknown): value is Store & object {
  return hasMethods(value, 'getState', 'setState', 'subscribe') && (isFunction(get(value, 'getInitialState')) || !isFunction(get(value, 'replaceReducer')));
}

/** Of the middleware persist, where the store has it. */
function nameOfStore(store: object): string {
  const options = get(get(store, 'persist'), 'getOptions');
  try {
    const name = isFunction(options) ? get(options(), 'name') : undefined;
    return typeof name === 'string' && name !== '' ? `zustand:${name.slice(0, 100)}` : 'zustand';
  } catch {
    return 'zustand';
  }
}

export const zustandScope = once((store: Store & object): Scope => ({
  name: nameOfStore(store),
  source: 'zustand',
  key: store,
  read: () => store.getState(),
  subscribe: (changed) => store.subscribe(() => changed()),
  set: (path, value) => store.setState(replaced(store.getState(), path, value), path.length === 0),
}));

const snapshots = new WeakMap<object, Scope>();

/** A store of which components keep only how it is read and followed: that of Zustand 4. */
export function snapshotScope(getState: Call, subscribe: unknown): Scope {
  let scope = snapshots.get(getState);
  if (scope === undefined) {
    scope = {
      name: 'zustand',
      source: 'zustand',
      key: getState,
      read: () => getState(),
      ...(isFunction(subscribe) ? { subscribe: (changed) => undoOf(subscribe(() => changed())) } : {}),
    };
    snapshots.set(getState, scope);
  }
  return scope;
}

function undoOf(undo: unknown): () => void {
  return () => {
    if (isFunction(undo)) undo();
  };
}
