/** Redux and Redux Toolkit: a store is what has getState, dispatch, subscribe and replaceReducer. */
import type { Adapter, Scope } from './adapter.ts';
import { get, has, hasMethods, isFunction, isObject, once, type Call } from './peek.ts';

const { apply, defineProperty, deleteProperty } = Reflect;
const { getOwnPropertyDescriptor } = Object;

interface Store {
  getState(): unknown;
  dispatch(action: unknown): unknown;
  subscribe(changed: () => void): () => void;
}

export function isRedux(value: unknown): value is Store & object {
  return hasMethods(value, 'getState', 'dispatch', 'subscribe', 'replaceReducer');
}

const names = new WeakMap<object, string>();

export const reduxScope = once((store: Store & object): Scope => ({
  name: names.get(store) ?? 'redux',
  source: 'redux',
  key: store,
  read: () => store.getState(),
  subscribe(changed) {
    const undo: unknown = store.subscribe(() => changed());
    return () => {
      if (isFunction(undo)) undo();
    };
  },
  dispatch: (action) => store.dispatch(action),
}));

/** Stores from the start: what createStore gives to the enhancer that Redux's own tools would have put there. */
export function reduxAdapter(): Adapter {
  const stores = new Set<WeakRef<Store & object>>();
  return {
    framework: 'redux',
    early(found) {
      let over = false;
      const note = (store: unknown, name: unknown): unknown => {
        if (over || !isRedux(store)) return store;
        if (typeof name === 'string' && name !== '') names.set(store, `redux:${name.slice(0, 100)}`);
        stores.add(new WeakRef(store));
        found();
        return store;
      };
      const undos = [put('__REDUX_DEVTOOLS_EXTENSION_COMPOSE__', (before) => composer(note, before)), put('__REDUX_DEVTOOLS_EXTENSION__', (before) => extension(note, before))];
      return () => {
        over = true;
        stores.clear();
        for (const undo of undos) undo();
      };
    },
    *scopes() {
      for (const known of stores) {
        const store = known.deref();
        if (store === undefined) stores.delete(known);
        else yield reduxScope(store);
      }
    },
  };
}

type Note = (store: unknown, name: unknown) => unknown;

/** An enhancer that notes the store and changes nothing of it. */
const enhancer = (note: Note, name: unknown) => (createStore: Call): Call => (...args) => note(createStore(...args), name);

const compose = (functions: readonly unknown[]) => (first: unknown): unknown =>
  functions.reduceRight((value, each) => (isFunction(each) ? each(value) : value), first);

/** composeWithDevTools: of enhancers, or of options and then of enhancers. */
function composer(note: Note, before: Call | undefined): Call {
  const with_ = (functions: readonly unknown[], name: unknown, inner: unknown): Call =>
    compose([enhancer(note, name), isFunction(inner) ? inner : compose(functions)]) as Call;
  return (...args) => {
    const [options] = args;
    if (args.length === 1 && isObject(options) && !isFunction(options)) {
      const configured = before?.(options);
      return (...functions: unknown[]) => with_(functions, get(options, 'name'), isFunction(configured) ? configured(...functions) : undefined);
    }
    return with_(args, undefined, before?.(...args));
  };
}

/** The enhancer by itself, and connect() for libraries that tell their states to Redux's tools. */
function extension(note: Note, before: Call | undefined): Call {
  const make: Call = (options) => {
    const inner = before?.(options);
    return compose([enhancer(note, get(options, 'name')), ...(isFunction(inner) ? [inner] : [])]);
  };
  if (before !== undefined) return Object.assign(make, before);
  const nothing = (): void => undefined;
  return Object.assign(make, {
    connect: () => ({ init: nothing, send: nothing, error: nothing, unsubscribe: nothing, subscribe: () => nothing }),
    disconnect: nothing, send: nothing, listen: nothing, open: nothing, updateStore: nothing, notifyErrors: nothing,
  });
}

/**
 * Puts it where pages look for Redux's tools. On Window.prototype, where the tools
 * themselves are not there yet: they install theirs over it as if it were not there.
 */
function put(name: string, make: (before: Call | undefined) => Call): () => void {
  const own = has(window, name);
  const before = own ? get(window, name) : undefined;
  if (own && !isFunction(before)) return () => undefined;
  const at = own ? window : Window.prototype;
  const value = make(isFunction(before) ? (...args) => apply(before, window, args) : undefined);
  const kept = own ? getOwnPropertyDescriptor(window, name) : undefined;
  if (!defineProperty(at, name, { value, configurable: true, writable: true, enumerable: own })) return () => undefined;
  return () => {
    if (getOwnPropertyDescriptor(at, name)?.value !== value) return;
    if (kept !== undefined) defineProperty(at, name, kept);
    else deleteProperty(at, name);
  };
}
