/** The hooks of a function component, told from what React keeps of each. */
import { get, has, isFunction, isObject } from '../peek.ts';
import { contextName, type Fiber } from './fiber.ts';

/** One link of the list that a fiber keeps in memoizedState. */
interface Kept {
  memoizedState: unknown;
  queue: unknown;
  next: unknown;
}

export interface Hook {
  name: string;
  value: unknown;
  /** Sets a useState's value. */
  set?: (value: unknown) => void;
}

const maxHooks = 500;

/** What each hook keeps beside its first link; those that keep none are 0. */
const links: Readonly<Record<string, number>> = {
  useContext: 0, useDebugValue: 0, useHostTransitionStatus: 0, use: 0, useMemoCache: 0,
  useTransition: 2, useSyncExternalStore: 2, useActionState: 3, useFormState: 3,
};
const effects: ReadonlySet<string> = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect', 'useImperativeHandle']);

/** The links, without a word on what they are. */
export function keptOf(fiber: Fiber): Kept[] {
  const out: Kept[] = [];
  if (get(get(fiber.type, 'prototype'), 'isReactComponent') !== undefined) return out;
  let at: unknown = fiber.memoizedState;
  while (isObject(at) && has(at, 'next') && has(at, 'queue') && out.length < maxHooks) {
    out.push(at as Kept);
    at = (at as Kept).next;
  }
  return out;
}

/** The state of useSyncExternalStore as the package of that name has it, for React before 18. */
export function isShim(state: unknown): boolean {
  return isFunction(get(get(state, 'inst'), 'getSnapshot'));
}

/** In order; a production build does not tell contexts among them, so they come last. */
export function hooksOf(fiber: Fiber): Hook[] {
  const kept = keptOf(fiber);
  const contexts = contextsOf(fiber);
  const types = fiber._debugHookTypes;
  const named = Array.isArray(types) ? fromNames(types as unknown[], kept, contexts) : undefined;
  return named ?? [...fromShapes(kept, has(fiber, 'nextEffect')), ...unlike(contexts, [])];
}

function fromNames(types: readonly unknown[], kept: readonly Kept[], contexts: readonly Context[]): Hook[] | undefined {
  const out: Hook[] = [];
  let at = 0;
  let context = 0;
  for (const type of types.slice(0, maxHooks)) {
    if (typeof type !== 'string') return undefined;
    const first = kept[at];
    at += links[type] ?? 1;
    if (type === 'useDebugValue' || type === 'useMemoCache') continue;
    if (type === 'useContext') out.push(contexts[context++] ?? { name: type, value: undefined });
    else if (first !== undefined) out.push(hook(type, first));
  }
  if (at !== kept.length) return undefined; // a hook of a React that is not known here
  return [...out, ...unlike(contexts.slice(context), contexts.slice(0, context))];
}

function fromShapes(kept: readonly Kept[], before18: boolean): Hook[] {
  const out: Hook[] = [];
  for (let i = 0; i < kept.length; i++) {
    const link = kept[i] as Kept;
    const type = shape(link, before18);
    out.push(hook(type, link));
    i += (links[type] ?? 1) - 1;
  }
  return out;
}

function hook(type: string, link: Kept): Hook {
  const { memoizedState: state, queue } = link;
  if (effects.has(type)) return { name: type, value: { deps: get(state, 'deps') ?? null } };
  if (type === 'useMemo' || type === 'useCallback') return { name: type, value: get(state, '0') };
  if (type === 'useRef') return { name: type, value: get(state, 'current') };
  const dispatch = get(queue, 'dispatch');
  if (type === 'useState' && isFunction(dispatch)) return { name: type, value: state, set: (value) => void dispatch(() => value) };
  return { name: type, value: state };
}

// basicStateReducer, which every useState has, as minifiers leave it.
const basic = /^(?:function\s*\w*\s*\((\w+),\s*(\w+)\)\s*\{\s*return\s*|\((\w+),\s*(\w+)\)\s*=>\s*)(?:"function"\s*={2,3}\s*typeof\s+\w+|typeof\s+\w+\s*={2,3}\s*"function")\s*\?\s*\w+\(\w+\)\s*:\s*\w+;?\s*\}?$/;
const source = Function.prototype.toString;

function shape(link: Kept, before18: boolean): string {
  const { memoizedState: state, queue } = link;
  if (isObject(queue)) {
    if (isFunction(get(queue, 'getSnapshot'))) return 'useSyncExternalStore';
    if (isFunction(get(queue, 'dispatch'))) return isBasic(get(queue, 'lastRenderedReducer')) ? 'useState' : 'useReducer';
  }
  if (typeof state === 'string' && /^(?::|«|_)[rR]/.test(state)) return 'useId';
  if (Array.isArray(state) && state.length === 2 && (Array.isArray(state[1]) || state[1] === null)) return isFunction(state[0]) ? 'useCallback' : 'useMemo';
  if (isObject(state) && has(state, 'create') && has(state, 'deps') && has(state, 'tag')) {
    const tag = Number(get(state, 'tag')) << (before18 ? 1 : 0); // 18 put insertion before layout and passive
    return (tag & 8) !== 0 ? 'useEffect' : (tag & 4) !== 0 ? 'useLayoutEffect' : 'useInsertionEffect';
  }
  if (isObject(state) && has(state, 'current') && Object.keys(state).length === 1) return 'useRef';
  return 'hook';
}

function isBasic(reducer: unknown): boolean {
  if (!isFunction(reducer)) return false;
  try {
    const text = source.call(reducer);
    return text.length < 200 && (reducer.name === 'basicStateReducer' || basic.test(text));
  } catch {
    return false;
  }
}

/** A component that strict mode renders twice reads each of its contexts twice. */
function unlike(contexts: readonly Context[], before: readonly Context[]): Context[] {
  const seen = new Set(before.map(({ context }) => context));
  return contexts.filter(({ context }) => !seen.has(context) && seen.add(context) !== undefined);
}

interface Context extends Hook {
  context: unknown;
}

function contextsOf(fiber: Fiber): Context[] {
  const out: Context[] = [];
  let at: unknown = get(fiber.dependencies, 'firstContext');
  while (isObject(at) && out.length < maxHooks) {
    const context = get(at, 'context');
    out.push({ name: `useContext(${contextName(context)})`, value: get(at, 'memoizedValue'), context });
    at = get(at, 'next');
  }
  return out;
}
