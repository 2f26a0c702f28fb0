/** Stores that React's components use: found in contexts, props, hooks and instances. */
import type { Scope } from '../adapter.ts';
import { jotaiScope, noteAtom, tupleOf } from '../jotai.ts';
import { get, isFunction, isObject, type Call } from '../peek.ts';
import { isMobx, mobxScope } from '../mobx.ts';
import { isRedux, reduxScope } from '../redux.ts';
import { isQueryClient, isRouter, queryScope, routerScope, routeScope } from '../tanstack.ts';
import { isZustand, snapshotScope, zustandScope } from '../zustand.ts';
import { contextName, fibers, isComponent, provided, type Fiber } from './fiber.ts';
import { isShim, keptOf } from './hooks.ts';

const maxVisited = 50_000; // fibers
const maxProps = 30; // of one component or instance
const maxObservables = 20; // of MobX: those nearest to the root, and not each row of a list

export class StoreFinder {
  /** The stores that are used under a fiber, each once. */
  in(top: Fiber): Iterable<Scope> {
    const found = new Map<object, Scope>();
    const snapshots = new Map<Call, unknown>(); // getState of stores of which nothing else is known, with subscribe
    const add = (scope: Scope | undefined): void => {
      if (scope !== undefined && !found.has(scope.key)) found.set(scope.key, scope);
    };
    let route: Scope | undefined; // of a router that keeps no state itself
    let observables = 0;
    const consider = (value: unknown): void => {
      const scope = isObject(value) ? scopeOf(value) : undefined;
      if (scope === undefined || found.has(scope.key) || (scope.source === 'mobx' && ++observables > maxObservables)) return;
      add(scope);
    };
    for (const fiber of fibers(top, maxVisited)) {
      const context = provided(fiber);
      if (context !== undefined) {
        const { value } = context;
        consider(value);
        for (const key of ['store', 'router', 'client', 'queryClient']) consider(get(value, key));
        if (contextName(context.context) === 'Location' && isObject(get(value, 'location'))) route ??= routeScope(fiber, () => valueOf(fiber));
      } else if (isComponent(fiber)) {
        each(fiber.memoizedProps, consider);
        if (isObject(fiber.stateNode)) each(fiber.stateNode, consider);
        const kept = keptOf(fiber);
        for (const [i, { memoizedState: state, queue }] of kept.entries()) {
          const tuple = tupleOf(state);
          if (tuple !== undefined) {
            noteAtom(tuple.store, tuple.atom);
            add(jotaiScope(tuple.store));
            continue;
          }
          if (isFunction(get(queue, 'getSnapshot')) || isShim(state)) {
            const getState = selectedFrom(kept[i - 1]?.memoizedState);
            if (getState !== undefined) snapshots.set(getState, get(get(kept[i + 1]?.memoizedState, 'deps'), '0'));
          }
          consider(state);
          consider(get(state, 'current')); // a ref
          if (Array.isArray(state)) {
            consider(state[0]); // a memo
            if (Array.isArray(state[1])) for (const dependency of (state[1] as unknown[]).slice(0, maxProps)) consider(dependency);
          }
        }
      }
    }
    const known = new Set([...found.keys()].map((store) => get(store, 'getState')));
    for (const [getState, subscribe] of snapshots) if (!known.has(getState)) add(snapshotScope(getState, subscribe));
    if (![...found.values()].some(({ source }) => source === 'router')) add(route);
    return found.values();
  }
}

// Most values are no stores, and are looked at again and again.
const others = new WeakSet<object>();

function scopeOf(value: object): Scope | undefined {
  if (others.has(value)) return undefined;
  if (isZustand(value)) return zustandScope(value);
  if (isRedux(value)) return reduxScope(value);
  if (isQueryClient(value)) return queryScope(value);
  if (isRouter(value)) return routerScope(value);
  if (isMobx(value)) return mobxScope(value);
  others.add(value);
  return undefined;
}

function valueOf(provider: Fiber): unknown {
  return provided(provider)?.value;
}

/** What useSyncExternalStoreWithSelector selects from; it keeps [getSnapshot, getServerSnapshot, selector, isEqual]. */
function selectedFrom(memo: unknown): Call | undefined {
  const dependencies = get(memo, '1');
  if (!Array.isArray(dependencies) || dependencies.length !== 4) return undefined;
  const [getState, , selector] = dependencies as unknown[];
  return isFunction(getState) && isFunction(selector) ? getState : undefined;
}

function each(object: unknown, look: (value: unknown) => void): void {
  if (!isObject(object)) return;
  try {
    for (const key of Object.keys(object).slice(0, maxProps)) {
      const value = get(object, key);
      if (isObject(value)) look(value);
    }
  } catch {
    // a Proxy that does not want to be looked at
  }
}
