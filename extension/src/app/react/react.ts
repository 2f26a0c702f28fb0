/** React, from 16 to 19: components by its fibers, and the stores that are reached through them. */
import type { Adapter, Component, Details, Scope } from '../adapter.ts';
import { get, has, isObject, once } from '../peek.ts';
import { Commits } from './commits.ts';
import {
  componentName, current, fiberOf, firstElement, isComponent, isDevelopment, rootFrom, rootsOf, type Fiber, type FiberRoot,
} from './fiber.ts';
import { hooksOf } from './hooks.ts';
import { usedAt, writtenAt } from './source.ts';
import { stateScope } from './state.ts';
import { StoreFinder } from './stores.ts';

const maxOwners = 50;
const maxBetween = 100_000; // fibers from a component to those in it

export function reactAdapter(): Adapter {
  const commits = new Commits();
  const stores = new StoreFinder();

  const roots = (): Set<FiberRoot> => {
    const found = rootsOf(document);
    for (const root of commits.roots) if (rootFrom(root) !== undefined) found.add(root);
    return found;
  };
  const stateOf = once((root: FiberRoot): Scope => stateScope(root, commits));

  return {
    framework: 'react',
    early: (found) => commits.install(found),
    *scopes() {
      for (const root of roots()) {
        yield* stores.in(root.current);
        yield stateOf(root);
      }
    },
    *roots() {
      for (const root of roots()) yield* below(root.current);
    },
    of(element) {
      let fiber: Fiber | null = fiberOf(element) ?? null;
      for (let i = 0; fiber !== null && i < maxBetween; i++) {
        if (isComponent(fiber)) return component(current(fiber));
        fiber = fiber.return;
      }
      return null;
    },
  };
}

/** The nearest components under a fiber, in order. */
function* below(top: Fiber): Iterable<Component> {
  const stack: Fiber[] = top.child === null ? [] : [top.child];
  for (let i = 0; i < maxBetween; i++) {
    const fiber = stack.pop();
    if (fiber === undefined) return;
    if (fiber.sibling !== null) stack.push(fiber.sibling);
    if (isComponent(fiber)) yield component(fiber);
    else if (fiber.child !== null) stack.push(fiber.child);
  }
}

/** One object for a fiber and its alternate. */
const keys = new WeakMap<Fiber, object>();

function keyOf(fiber: Fiber): object {
  const { alternate } = fiber;
  const known = keys.get(fiber) ?? (alternate === null ? undefined : keys.get(alternate)) ?? fiber;
  keys.set(fiber, known);
  if (alternate !== null) keys.set(alternate, known);
  return known;
}

function component(fiber: Fiber): Component {
  return {
    key: keyOf(fiber),
    name: componentName(fiber),
    framework: 'react',
    ...(typeof fiber.key === 'string' ? { listKey: fiber.key } : {}),
    children: () => below(fiber),
    parent() {
      let at = fiber.return;
      for (let i = 0; at !== null && i < maxBetween; i++) {
        if (isComponent(at)) return component(at);
        at = at.return;
      }
      return null;
    },
    element: () => firstElement(fiber),
    details: () => detailsOf(current(fiber)),
  };
}

function detailsOf(fiber: Fiber): Details {
  const details: Details = { props: fiber.memoizedProps, owners: ownersOf(fiber), build: isDevelopment(fiber) ? 'development' : 'production' };
  if (typeof fiber.key === 'string') details.key = fiber.key;
  const instance = fiber.stateNode;
  if (isObject(instance) && has(instance, 'state')) details.state = get(instance, 'state');
  else {
    const hooks = hooksOf(fiber);
    if (hooks.length > 0) details.hooks = hooks.map(({ name, value }) => ({ name, value }));
  }
  const source = usedAt(fiber);
  if (source !== undefined) details.source = source;
  const written = writtenAt(fiber);
  if (written !== undefined) details.written = written;
  return details;
}

/** Who wrote it into their JSX, where the build knows; else who is around it. */
function ownersOf(fiber: Fiber): string[] {
  const names: string[] = [];
  const development = isDevelopment(fiber);
  let at: unknown = development ? fiber._debugOwner : fiber.return;
  for (let i = 0; isObject(at) && names.length < maxOwners && i < maxBetween; i++) {
    const owner = at as Fiber;
    if (isObject(owner) && 'elementType' in owner) {
      if (isComponent(owner)) names.push(componentName(owner));
    } else if (typeof get(owner, 'name') === 'string') names.push(String(get(owner, 'name')).slice(0, 200)); // of a server component
    at = development ? get(owner, '_debugOwner') ?? get(owner, 'owner') : owner.return;
  }
  return names;
}
