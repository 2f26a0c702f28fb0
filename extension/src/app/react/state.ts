/** The state of React's components themselves as one scope: what useState, useReducer and this.state hold. */
import type { Scope } from '../adapter.ts';
import { tupleOf } from '../jotai.ts';
import { get, has, isFunction, isObject, replaced } from '../peek.ts';
import type { Commits } from './commits.ts';
import { componentName, isComponent, maxFibers, type Fiber, type FiberRoot } from './fiber.ts';
import { hooksOf, isShim, type Hook } from './hooks.ts';

const maxStateful = 500; // components with state that are told
const maxPath = 400; // characters of names around one; what is deeper is counted by its name alone
const maxVisited = 50_000; // fibers
const stateful: ReadonlySet<string> = new Set(['useState', 'useReducer']);

interface Holder {
  /** Names of the components from the root, with the number among namesakes: App/TodoList/TodoItem#2. */
  path: string;
  fiber: Fiber;
}

export function stateScope(root: FiberRoot, commits: Commits): Scope {
  return {
    name: 'react',
    source: 'react',
    key: root,
    read() {
      const out: Record<string, unknown> = {};
      for (const { path, fiber } of holders(root)) out[path] = stateOf(fiber);
      return out;
    },
    ...(commits.told ? { subscribe: (changed: () => void) => commits.follow(changed) } : {}),
    set(path, value) {
      const [component, ...rest] = path;
      for (const holder of holders(root)) if (holder.path === component) return setIn(holder.fiber, rest, value);
      throw new TypeError('no component with state has that path');
    },
  };
}

function* holders(root: FiberRoot): Iterable<Holder> {
  const seen = new Map<string, number>();
  let told = 0;
  const stack: { fiber: Fiber; around: string }[] = [{ fiber: root.current, around: '' }];
  for (let i = 0; i < Math.min(maxVisited, maxFibers) && told < maxStateful; i++) {
    const top = stack.pop();
    if (top === undefined) return;
    const { fiber, around } = top;
    let path = around;
    if (isComponent(fiber)) {
      const name = componentName(fiber);
      const bare = around === '' ? name : around.length > maxPath ? `…/${name}` : `${around}/${name}`;
      const count = (seen.get(bare) ?? 0) + 1;
      seen.set(bare, count);
      path = count === 1 ? bare : `${bare}#${count}`;
      if (hasState(fiber)) {
        told++;
        yield { path, fiber };
      }
    }
    if (fiber.sibling !== null) stack.push({ fiber: fiber.sibling, around });
    if (fiber.child !== null) stack.push({ fiber: fiber.child, around: path });
  }
}

function hasState(fiber: Fiber): boolean {
  return fiber.memoizedState !== null && (isClass(fiber) ? isObject(fiber.memoizedState) : stateHooks(fiber).length > 0);
}

/** A library's object that useState only holds: a client, an observer. */
function isInstance(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return typeof value === 'function';
  try {
    const proto = Object.getPrototypeOf(value) as object | null;
    return proto !== null && Object.getPrototypeOf(proto) !== null;
  } catch {
    return true;
  }
}

const isClass = (fiber: Fiber): boolean => isObject(fiber.stateNode) && has(fiber.stateNode, 'state');

function stateHooks(fiber: Fiber): Hook[] {
  return hooksOf(fiber).filter(({ name, value }) => stateful.has(name) && tupleOf(value) === undefined && !isShim(value) && !isInstance(value));
}

/** A class's state as it is; the hooks by name: useState, useState#2. */
function stateOf(fiber: Fiber): unknown {
  if (isClass(fiber)) return get(fiber.stateNode, 'state');
  return Object.fromEntries(named(fiber).map(([name, { value }]) => [name, value]));
}

function named(fiber: Fiber): [string, Hook][] {
  const seen = new Map<string, number>();
  return stateHooks(fiber).map((hook) => {
    const count = (seen.get(hook.name) ?? 0) + 1;
    seen.set(hook.name, count);
    return [count === 1 ? hook.name : `${hook.name}#${count}`, hook];
  });
}

function setIn(fiber: Fiber, path: readonly string[], value: unknown): void {
  if (isClass(fiber)) {
    const instance = fiber.stateNode;
    const setState = get(instance, 'setState');
    if (!isFunction(setState)) throw new TypeError('the component takes no state');
    setState.call(instance, replaced(get(instance, 'state'), path, value));
    return;
  }
  const [name, ...rest] = path;
  const hook = named(fiber).find(([own]) => own === name)?.[1];
  if (hook?.set === undefined) throw new TypeError('give the component and one of its useState hooks: App/Form, useState');
  hook.set(replaced(hook.value, rest, value));
}
