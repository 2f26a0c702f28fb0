/** MobX: an observable is an object with an administration under MobX's own symbol. */
import type { Scope } from './adapter.ts';
import { get, isObject, once, own, symbolOf } from './peek.ts';

const maxKeys = 500; // of one observable

function administrationOf(value: object): object | undefined {
  const symbol = symbolOf(value, 'mobx administration');
  const administration = symbol === undefined ? undefined : own(value, symbol);
  return isObject(administration) ? administration : undefined;
}

export function isMobx(value: object): boolean {
  return !Array.isArray(value) && administrationOf(value) !== undefined;
}

/** A class's name, or what the administration calls it, without the number of the instance. */
function nameOfStore(store: object): string {
  const name = get(get(store, 'constructor'), 'name');
  const own = typeof name === 'string' && name !== '' && name !== 'Object' ? name : get(administrationOf(store), 'name_');
  return typeof own === 'string' && own !== '' ? `mobx:${own.replace(/@\d+$/, '').slice(0, 100)}` : 'mobx';
}

/** It is looked at, not followed: MobX tells only who has its functions. */
export const mobxScope = once((store: object): Scope => ({
  name: nameOfStore(store),
  source: 'mobx',
  key: store,
  getters: true,
  read() {
    const out: Record<string, unknown> = {};
    for (const key of Object.keys(store).slice(0, maxKeys)) out[key] = get(store, key);
    return out;
  },
  set(path, value) {
    const last = path.at(-1);
    let at: unknown = store;
    for (const key of path.slice(0, -1)) at = get(at, key);
    if (last === undefined || !isObject(at)) throw new TypeError('the observable has no such place');
    unguarded(() => Reflect.set(at as object, last, value));
  },
}));

/** Without the warning for changes outside of an action. */
function unguarded(change: () => void): void {
  const globals = get(window, '__mobxGlobals');
  const before = get(globals, 'enforceActions');
  if (!isObject(globals) || before === undefined) {
    change();
    return;
  }
  Reflect.set(globals, 'enforceActions', false);
  try {
    change();
  } finally {
    Reflect.set(globals, 'enforceActions', before);
  }
}
