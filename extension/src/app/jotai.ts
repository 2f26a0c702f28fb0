/** Jotai: the atoms that components use, by label, as one scope a store. */
import type { Scope } from './adapter.ts';
import { get, hasMethods, isFunction, isObject, once, replaced } from './peek.ts';

interface Store {
  get(atom: object): unknown;
  set(atom: object, value: unknown): unknown;
  sub(atom: object, changed: () => void): () => void;
}

const maxAtoms = 1000; // of one store

/** What useAtomValue keeps: [value, store, atom]. */
export function tupleOf(state: unknown): { store: Store & object; atom: object } | undefined {
  if (!Array.isArray(state) || state.length !== 3) return undefined;
  const [, store, atom] = state as unknown[];
  if (!hasMethods(store, 'get', 'set', 'sub') || !isObject(atom) || !isFunction(get(atom, 'read'))) return undefined;
  return { store: store as Store & object, atom };
}

interface Known {
  atoms: Set<object>;
  following: Set<(atom: object) => void>;
}

const known = once((_store: object): Known => ({ atoms: new Set(), following: new Set() }));

/** Says that a component uses an atom of a store. */
export function noteAtom(store: object, atom: object): void {
  const { atoms, following } = known(store);
  if (atoms.has(atom) || atoms.size >= maxAtoms) return;
  atoms.add(atom);
  for (const follow of following) follow(atom);
}

function labels(store: object): Map<string, object> {
  const out = new Map<string, object>();
  let count = 0;
  for (const atom of known(store).atoms) {
    count++;
    const own = get(atom, 'debugLabel');
    const label = typeof own === 'string' && own !== '' ? own.slice(0, 200) : `atom${count}`;
    out.set(out.has(label) ? `${label}#${count}` : label, atom);
  }
  return out;
}

export const jotaiScope = once((store: Store & object): Scope => ({
  name: 'jotai',
  source: 'jotai',
  key: store,
  read() {
    const out: Record<string, unknown> = {};
    for (const [label, atom] of labels(store)) out[label] = store.get(atom);
    return out;
  },
  subscribe(changed) {
    const { atoms, following } = known(store);
    const undo: (() => void)[] = [];
    const follow = (atom: object): void => {
      undo.push(store.sub(atom, () => changed()));
    };
    for (const atom of atoms) follow(atom);
    const more = (atom: object): void => {
      follow(atom);
      changed();
    };
    following.add(more);
    return () => {
      following.delete(more);
      for (const one of undo) one();
    };
  },
  set(path, value) {
    const [label, ...rest] = path;
    const atom = labels(store).get(label ?? '');
    if (atom === undefined || !isFunction(get(atom, 'write'))) throw new TypeError('no atom of that label can be written');
    store.set(atom, replaced(store.get(atom), rest, value));
  },
}));
