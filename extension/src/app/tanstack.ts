/** TanStack Query's cache, and routers with a state of their own: TanStack Router and React Router. */
import type { Scope } from './adapter.ts';
import { get, hasMethods, isFunction, isObject, once, replaced } from './peek.ts';

const maxQueries = 500;

interface Client {
  getQueryCache(): { getAll(): object[]; subscribe(changed: () => void): () => void };
  setQueryData(key: unknown, value: unknown): unknown;
}

export function isQueryClient(value: unknown): value is Client & object {
  return hasMethods(value, 'getQueryCache', 'getMutationCache', 'setQueryData');
}

const keyOf = (query: object): string => {
  const hash = get(query, 'queryHash');
  return typeof hash === 'string' ? hash.slice(0, 500) : '';
};

export const queryScope = once((client: Client & object): Scope => ({
  name: 'query',
  source: 'query',
  key: client,
  read() {
    const out: Record<string, unknown> = {};
    for (const query of client.getQueryCache().getAll().slice(0, maxQueries)) {
      const state = get(query, 'state');
      out[keyOf(query)] = {
        status: get(state, 'status'), fetch: get(state, 'fetchStatus'), data: get(state, 'data'),
        error: get(state, 'error') ?? undefined, updatedAt: get(state, 'dataUpdatedAt'),
      };
    }
    return out;
  },
  subscribe: (changed) => client.getQueryCache().subscribe(() => changed()),
  set(path, value) {
    const [key, field, ...rest] = path;
    const query = client.getQueryCache().getAll().find((each) => keyOf(each) === key);
    if (query === undefined || field !== 'data') throw new TypeError('give a query of the cache and data');
    client.setQueryData(get(query, 'queryKey'), replaced(get(get(query, 'state'), 'data'), rest, value));
  },
}));

/** A router that keeps its state itself: React Router's data routers, TanStack Router. */
export function isRouter(value: unknown): value is object {
  const state = get(value, 'state');
  return hasMethods(value, 'navigate', 'subscribe') && isObject(get(state, 'location')) && Array.isArray(get(state, 'matches'));
}

export const routerScope = once((router: object): Scope => ({
  name: 'router',
  source: 'router',
  key: router,
  read() {
    const state = get(router, 'state');
    const matches = get(state, 'matches') as unknown[];
    return {
      location: locationOf(get(state, 'location')),
      params: get(matches.at(-1), 'params'),
      matches: matches.slice(0, 50).map((match) => get(get(match, 'route'), 'path') ?? get(match, 'routeId') ?? get(match, 'pathname')),
      status: get(get(state, 'navigation'), 'state') ?? get(state, 'status'),
    };
  },
  subscribe(changed) {
    const subscribe = get(router, 'subscribe');
    if (!isFunction(subscribe)) return () => undefined;
    // TanStack's wants an event first, React's the function alone.
    const undo = hasMethods(router, 'buildLocation') ? subscribe.call(router, 'onResolved', () => changed()) : subscribe.call(router, () => changed());
    return () => {
      if (isFunction(undo)) undo();
    };
  },
}));

/** Where the app is by React Router's context alone: <BrowserRouter>. */
export function routeScope(key: object, value: () => unknown): Scope {
  return { name: 'router', source: 'router', key, read: () => ({ location: locationOf(get(value(), 'location')), navigation: get(value(), 'navigationType') }) };
}

function locationOf(location: unknown): Record<string, unknown> {
  return { path: get(location, 'pathname'), search: get(location, 'search'), hash: get(location, 'hash'), state: get(location, 'state') ?? undefined };
}
