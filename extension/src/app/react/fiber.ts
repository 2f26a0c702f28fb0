/**
 * React's fibers, from 16 to 19: found from the elements they rendered, read as they are
 * current. A fiber has an alternate, and only one of the two is what is on the screen.
 */
import { around } from '../look.ts';
import { get, isFunction, isObject, nameOf, own } from '../peek.ts';

export interface Fiber {
  tag: number;
  key: string | null;
  type: unknown;
  elementType: unknown;
  stateNode: unknown;
  return: Fiber | null;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
  memoizedProps: unknown;
  memoizedState: unknown;
  dependencies?: unknown;
  _debugOwner?: unknown;
  _debugSource?: unknown;
  _debugStack?: unknown;
  _debugHookTypes?: readonly string[] | null;
}

export interface FiberRoot {
  current: Fiber;
}

const maxDepth = 20_000; // fibers from one to its root
const maxChildren = 20_000; // looked through for one among its siblings
const maxElements = 200_000; // of a document, looked at for roots
/** Fibers that one walk visits. */
export const maxFibers = 200_000;

const { keys } = Object;
const { startsWith } = String.prototype;
const starts = (text: string, with_: string): boolean => startsWith.call(text, with_);

// --- from the document -----------------------------------------------------------

/** The roots that elements of the document and its open shadow trees are containers of. */
export function rootsOf(document: Document): Set<FiberRoot> {
  const found = new Set<FiberRoot>();
  const trees: Node[] = [document];
  let seen = 0;
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    const walker = document.createTreeWalker(tree, NodeFilter.SHOW_ELEMENT);
    for (let node: Node | null = tree; node !== null && seen < maxElements; node = walker.nextNode()) {
      seen++;
      const root = rootAt(node);
      if (root !== undefined) found.add(root);
      if (node instanceof Element && node.shadowRoot !== null) trees.push(node.shadowRoot);
    }
  }
  return found;
}

function rootAt(node: Node): FiberRoot | undefined {
  for (const key of keys(node)) {
    if (starts(key, '__reactContainer$')) return rootFrom(get(own(node, key), 'stateNode'));
    if (key === '_reactRootContainer') {
      const legacy = own(node, key); // 16 and 17
      return rootFrom(get(legacy, '_internalRoot') ?? legacy);
    }
  }
  return undefined;
}

export function rootFrom(value: unknown): FiberRoot | undefined {
  const current = get(value, 'current');
  return isObject(current) && 'memoizedState' in current && 'child' in current ? (value as FiberRoot) : undefined;
}

/** The fiber of the element, or of the nearest one around it that React rendered. */
export function fiberOf(element: Element): Fiber | undefined {
  for (let at: Node | null = element; at !== null; at = around(at)) {
    for (const key of keys(at)) {
      if (!starts(key, '__reactFiber$') && !starts(key, '__reactInternalInstance$')) continue;
      const fiber = own(at, key);
      if (isObject(fiber) && 'return' in fiber) return current(fiber as Fiber);
    }
  }
  return undefined;
}

/** The one of a fiber and its alternate that is on the screen; the fiber itself when it is mounted no more. */
export function current(fiber: Fiber): Fiber {
  const path: Fiber[] = [];
  let at: Fiber | null = fiber;
  for (let i = 0; at !== null && i < maxDepth; i++) {
    path.push(at);
    if (at.return === null) break;
    at = at.return;
  }
  let here = rootFrom(path.pop()?.stateNode)?.current;
  if (here === undefined) return fiber;
  for (let wanted = path.pop(); wanted !== undefined; wanted = path.pop()) {
    let child: Fiber | null = here.child;
    for (let i = 0; child !== null && child !== wanted && child !== wanted.alternate && i < maxChildren; i++) child = child.sibling;
    if (child === null) return fiber;
    here = child;
  }
  return here;
}

/** Every fiber of a root, parents before children; each is the current one. */
export function* fibers(top: Fiber, limit = maxFibers): Iterable<Fiber> {
  const stack: Fiber[] = [top];
  for (let i = 0; i < limit; i++) {
    const fiber = stack.pop();
    if (fiber === undefined) return;
    yield fiber;
    if (fiber.sibling !== null && fiber !== top) stack.push(fiber.sibling);
    if (fiber.child !== null) stack.push(fiber.child);
  }
}

// --- what a fiber is ----------------------------------------------------------------

const kindOf = (type: unknown): string => {
  const kind = own(type, '$$typeof');
  return typeof kind === 'symbol' ? kind.description ?? '' : '';
};

/** A function, a class, or what forwardRef made. memo's own fiber stands for nothing by itself. */
export function isComponent(fiber: Fiber): boolean {
  const { type } = fiber;
  return isFunction(type) || kindOf(type) === 'react.forward_ref';
}

/** The value that a context's provider gives, with the context's name. */
export function provided(fiber: Fiber): { context: unknown; value: unknown } | undefined {
  const { type } = fiber;
  const kind = kindOf(type);
  if (kind === 'react.provider') return { context: own(type, '_context'), value: get(fiber.memoizedProps, 'value') };
  // Of 19 the context itself is its provider; before, it was its consumer.
  if (kind === 'react.context' && isObject(fiber.memoizedProps) && 'value' in fiber.memoizedProps) return { context: type, value: get(fiber.memoizedProps, 'value') };
  return undefined;
}

export function componentName(fiber: Fiber): string {
  const outer = fiber.return;
  const wrapped = outer !== null && kindOf(outer.type) === 'react.memo' && outer.child === fiber ? ownName(outer.type) : '';
  return ownName(fiber.elementType) || wrapped || typeName(fiber.type);
}

const ownName = (type: unknown): string => {
  const name = isFunction(type) ? '' : own(type, 'displayName');
  return typeof name === 'string' ? name.slice(0, 200) : '';
};

/** What a type is called in JSX. */
export function typeName(type: unknown): string {
  let at = type;
  for (let i = 0; i < 5; i++) {
    if (typeof at === 'string') return at;
    if (isFunction(at)) return nameOf(at) || 'Anonymous';
    const name = ownName(at);
    if (name !== '') return name;
    switch (kindOf(at)) {
      case 'react.memo': at = own(at, 'type'); break;
      case 'react.forward_ref': at = own(at, 'render'); break;
      case 'react.provider': return `${contextName(own(at, '_context'))}.Provider`;
      case 'react.context': return `${contextName(at)}.Provider`;
      default: return typeof at === 'symbol' ? at.description?.replace('react.', '') ?? '' : 'Anonymous';
    }
  }
  return 'Anonymous';
}

export function contextName(context: unknown): string {
  return ownName(context) || 'Context';
}

/** The first element that the fiber's component rendered itself, or what is in it did. */
export function firstElement(fiber: Fiber): Element | null {
  const portal = 4;
  const stack: Fiber[] = fiber.child === null ? [] : [fiber.child];
  for (let i = 0; i < maxDepth; i++) {
    const at = stack.pop();
    if (at === undefined) return null;
    if (typeof at.type === 'string' && at.stateNode instanceof Element) return at.stateNode;
    if (at.sibling !== null) stack.push(at.sibling);
    if (at.child !== null && at.tag !== portal) stack.push(at.child);
  }
  return null;
}

/** Whether React is a development build: only that one's fibers know their owners. */
export function isDevelopment(fiber: Fiber): boolean {
  return '_debugOwner' in fiber;
}
