/**
 * How adapters look into the page: own data properties alone, so that nothing of the page
 * runs, and the document by functions taken at load: a form hides its own members behind
 * the names of its fields.
 */
import type { Component } from './adapter.ts';
import { isObject, own } from './peek.ts';

const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { hasOwn } = Object;
const { isArray } = Array;

export type Bag = Readonly<Record<PropertyKey, unknown>>;

/** An object or a function. */
export const isBag = isObject as (value: unknown) => value is Bag;

/** own() along a path. */
export function deep(of: unknown, ...keys: PropertyKey[]): unknown {
  let at = of;
  for (const key of keys) at = own(at, key);
  return at;
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Runs what the page's library has to be asked for. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Names of own properties, at most so many; none of what cannot be asked. */
export function keysOf(of: unknown, most = 2000): string[] {
  if (!isBag(of)) return [];
  const keys = attempt(() => ownKeys(of)) ?? [];
  return keys.filter((key): key is string => typeof key === 'string').slice(0, most);
}

export function isPlain(value: unknown): value is Bag {
  if (!isBag(value) || isArray(value)) return false;
  const proto = attempt(() => getPrototypeOf(value));
  return proto === null || (isBag(proto) && attempt(() => hasOwn(proto, 'isPrototypeOf')) === true);
}

/** Sets a value below a holder, along own properties only. False where the way ends before. */
export function assignIn(holder: unknown, path: readonly string[], value: unknown): boolean {
  const last = path.at(-1);
  if (last === undefined) return false;
  let at = holder;
  for (const key of path.slice(0, -1)) {
    if (!isBag(at) || !hasOwn(at, key)) return false;
    at = at[key];
  }
  return isBag(at) && last !== '__proto__' && Reflect.set(at, last, value);
}

const maxAround = 30;

/** Names of the components around one, nearest first; undefined for one at the top. */
export function namesAround(component: Component): string[] | undefined {
  const names: string[] = [];
  for (let at = component.parent(); at !== null && names.length < maxAround; at = at.parent()) names.push(at.name);
  return names.length === 0 ? undefined : names;
}

const maxListed = 100_000;

/** A list of the library's own; one that cannot be is empty. */
export function listOf(value: unknown): readonly unknown[] {
  return isArray(value) && value.length <= maxListed ? (value as unknown[]) : [];
}

// --- the document -------------------------------------------------------------------

/** A method or an accessor of the DOM as it was at load. */
function taken<T>(prototype: object, name: string): (of: object, ...args: unknown[]) => T | undefined {
  const found = getOwnPropertyDescriptor(prototype, name);
  const run: unknown = found?.get ?? found?.value;
  return (of, ...args) => (typeof run === 'function' ? attempt(() => apply(run as () => T, of, args)) : undefined);
}

const parentNode = taken<Node | null>(Node.prototype, 'parentNode');
const nextSibling = taken<Node | null>(Node.prototype, 'nextSibling');
const rootNode = taken<Node>(Node.prototype, 'getRootNode');
const contains = taken<boolean>(Node.prototype, 'contains');
const shadowRoot = taken<ShadowRoot | null>(Element.prototype, 'shadowRoot');
const shadowHost = taken<Element>(ShadowRoot.prototype, 'host');
const hasAttribute = taken<boolean>(Element.prototype, 'hasAttribute');
const localName = taken<string>(Element.prototype, 'localName');
const firstChild = taken<Element | null>(Element.prototype, 'firstElementChild');
const nextElement = taken<Element | null>(Element.prototype, 'nextElementSibling');
const makeWalker = taken<TreeWalker>(Document.prototype, 'createTreeWalker');
const nextNode = taken<Node | null>(TreeWalker.prototype, 'nextNode');

/** The element or shadow root around a node. */
export function around(node: Node): Node | null {
  return (node instanceof ShadowRoot ? shadowHost(node) : parentNode(node)) ?? null;
}

export function isNamed(element: Element, attribute: string): boolean {
  return hasAttribute(element, attribute) === true;
}

export function tagOf(element: Element): string {
  return localName(element) ?? '';
}

/** Elements in a node, and its open shadow root. */
export function inside(node: Node): Node[] {
  const found: Node[] = [];
  const shadow = node instanceof Element ? shadowRoot(node) : null;
  if (shadow instanceof ShadowRoot) found.push(shadow);
  if (node instanceof ShadowRoot) for (const element of walk(node)) if (around(element) === node) found.push(element);
  if (!(node instanceof Element)) return found;
  for (let child = firstChild(node); child instanceof Element; child = nextElement(child)) found.push(child);
  return found;
}

/** Node.contains, also from within shadow roots. */
export function holds(outer: unknown, inner: Node): boolean {
  if (!(outer instanceof Node)) return false;
  for (let at: Node | undefined = inner; at !== undefined;) {
    if (contains(outer, at) === true) return true;
    const root: Node | undefined = rootNode(at);
    at = root instanceof ShadowRoot ? shadowHost(root) : undefined;
  }
  return false;
}

const maxSiblings = 1000;

/** The first element from one sibling to another, both included. */
export function firstElement(from: unknown, to: unknown): Element | null {
  let at: unknown = from;
  for (let i = 0; at instanceof Node && i < maxSiblings; i++, at = nextSibling(at)) {
    if (at instanceof Element) return at;
    if (at === to) return null;
  }
  return null;
}

function* walk(root: Node): Generator<Element> {
  const walker = makeWalker(document, root, NodeFilter.SHOW_ELEMENT);
  if (walker === undefined) return;
  for (let at = nextNode(walker); at instanceof Element; at = nextNode(walker)) yield at;
}

const maxPlaces = 50_000;
const maxSteps = 300_000; // far below a second
const soon = queueMicrotask.bind(window);
let places: readonly (Element | ShadowRoot)[] | undefined;

/** Counts the steps of an adapter's walks through objects of the page. False when there were too many in this turn: they lead in circles. */
export function stepper(): () => boolean {
  let steps = 0;
  return () => {
    if (steps === 0) soon(() => {
      steps = 0;
    });
    return ++steps <= maxSteps;
  };
}

/** The document's elements and open shadow roots, in order and bounded. One walk serves all who ask in the same turn. */
export function everywhere(): readonly (Element | ShadowRoot)[] {
  if (places !== undefined) return places;
  const found: (Element | ShadowRoot)[] = [];
  const roots: Node[] = [document];
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    for (const element of walk(root)) {
      if (found.length >= maxPlaces) break;
      found.push(element);
      const shadow = shadowRoot(element);
      if (!(shadow instanceof ShadowRoot)) continue;
      found.push(shadow);
      roots.push(shadow);
    }
  }
  places = found;
  soon(() => {
    places = undefined;
  });
  return found;
}
