/** Pinia: a scope a store, found by the Vue apps that use it. In any build. */
import type { Scope } from './adapter.ts';
import { assignIn, attempt, deep, isBag, keysOf, type Bag } from './look.ts';
import { Refusal } from './part.ts';
import { own } from './peek.ts';
import { globalProperties, isComputed, refValue, toRaw, unwrap } from './vue.ts';

const maxStores = 100;
const { apply } = Reflect;
const eachOf = Map.prototype.forEach;

/** Where app.use(pinia) puts it. */
function piniaOf(app: Bag): Bag | undefined {
  const told = own(globalProperties(app), '$pinia');
  if (isBag(told)) return told;
  const provides = deep(app, '_context', 'provides');
  if (!isBag(provides)) return undefined;
  for (const key of attempt(() => Object.getOwnPropertySymbols(provides)) ?? []) {
    const value = own(provides, key);
    if (isBag(value) && isBag(own(value, '_s'))) return value;
  }
  return undefined;
}

export function piniaScopes(app: Bag): Scope[] {
  const pinia = piniaOf(app);
  const stores = own(pinia, '_s');
  if (pinia === undefined || !(stores instanceof Map)) return [];
  const scopes: Scope[] = [];
  apply(eachOf, stores, [(store: unknown, id: unknown): void => {
    if (isBag(store) && typeof id === 'string' && scopes.length < maxStores) scopes.push(storeScope(pinia, store, id));
  }]);
  return scopes;
}

function storeScope(pinia: Bag, store: Bag, id: string): Scope {
  const method = (name: string): ((...args: unknown[]) => unknown) | undefined => {
    const found = own(toRaw(store), name);
    return typeof found === 'function' ? (...args) => apply(found as () => unknown, store, args) : undefined;
  };
  // A watcher goes through the whole store at each flush. So it hears one change, and again only when that was read.
  let arm: (() => void) | undefined;
  return {
    name: `pinia:${id}`,
    source: 'pinia',
    key: store,
    read() {
      arm?.();
      const state = unwrap(deep(toRaw(own(toRaw(own(pinia, 'state')), '_value')), id));
      const getters = gettersOf(store);
      return getters === undefined || !isBag(state) ? state : { ...state, $getters: getters };
    },
    subscribe(changed) {
      let stop: (() => void) | undefined;
      const rest = (): void => {
        const ended = stop;
        stop = undefined;
        attempt(() => ended?.());
      };
      arm = () => {
        if (stop !== undefined) return;
        const ended = method('$subscribe')?.(() => {
          rest();
          changed();
        }, { detached: true });
        if (typeof ended === 'function') stop = ended as () => void;
      };
      arm();
      return () => {
        arm = undefined;
        rest();
      };
    },
    set(path, value) {
      const patch = method('$patch');
      if (path.length === 0) patch?.(value);
      else patch?.((state: unknown) => {
        if (!assignIn(state, path, value)) throw new Refusal('VALIDATION_ERROR', `${id} has no place ${path.join('.')}`);
      });
    },
  };
}

/** Those that somebody asked for: asking for a getter first would run it. */
function gettersOf(store: Bag): Record<string, unknown> | undefined {
  const under = toRaw(store);
  const found: Record<string, unknown> = {};
  for (const key of keysOf(under)) {
    const value = own(under, key);
    if (!isBag(value) || !isComputed(value) || key[0] === '$' || key[0] === '_') continue;
    const now = unwrap(refValue(value));
    if (now !== undefined) found[key] = now;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}
