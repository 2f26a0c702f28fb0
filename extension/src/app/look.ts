/** How adapters look into the page's objects: own data properties alone, so that nothing of the page runs. */

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { hasOwn } = Object;
const { isArray } = Array;
const contains = Node.prototype.contains;
const { apply } = Reflect;

export type Bag = Readonly<Record<PropertyKey, unknown>>;

/** An object or a function. */
export function isBag(value: unknown): value is Bag {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** The value of an own data property; of an accessor, of a proxy that throws and of no object it is undefined. */
export function own(of: unknown, key: PropertyKey): unknown {
  if (!isBag(of)) return undefined;
  try {
    return getOwnPropertyDescriptor(of, key)?.value as unknown;
  } catch {
    return undefined;
  }
}

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

/** Names of own enumerable-or-not properties, at most `most`; none of what cannot be asked. */
export function keysOf(of: unknown, most = 2000): string[] {
  if (!isBag(of)) return [];
  const keys = attempt(() => ownKeys(of)) ?? [];
  return keys.filter((key): key is string => typeof key === 'string').slice(0, most);
}

export function isPlain(value: unknown): value is Bag {
  if (!isBag(value) || isArray(value)) return false;
  const proto = attempt(() => getPrototypeOf(value));
  return proto === null || (isBag(proto) && hasOwn(proto, 'isPrototypeOf'));
}

/** Node.contains over shadow roots of the inner one. */
export function holds(outer: unknown, inner: Node): boolean {
  if (!(outer instanceof Node)) return false;
  for (let at: Node | null = inner; at !== null;) {
    if (apply(contains, outer, [at]) as boolean) return true;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return false;
}

/** The element or shadow root around a node. */
export function around(node: Node): Node | null {
  return node instanceof ShadowRoot ? node.host : node.parentNode;
}

/** The first element from one sibling to another, both included. */
export function firstElement(from: unknown, to: unknown): Element | null {
  if (!(from instanceof Node)) return null;
  let at: Node | null = from;
  for (let i = 0; at !== null && i < maxSiblings; i++, at = at.nextSibling) {
    if (at instanceof Element) return at;
    if (at === to) return null;
  }
  return null;
}

const maxSiblings = 1000;
const maxPlaces = 50_000;
let places: readonly (Element | ShadowRoot)[] | undefined;
const afterwards = queueMicrotask.bind(window);

/** The document's elements and open shadow roots, in order and bounded. One walk serves all who ask in the same turn. */
export function everywhere(): readonly (Element | ShadowRoot)[] {
  if (places !== undefined) return places;
  const found: (Element | ShadowRoot)[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let at = walker.nextNode(); at instanceof Element; at = walker.nextNode()) {
      if (found.length >= maxPlaces) break;
      found.push(at);
      if (at.shadowRoot !== null) {
        found.push(at.shadowRoot);
        roots.push(at.shadowRoot);
      }
    }
  }
  places = found;
  afterwards(() => {
    places = undefined;
  });
  return found;
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
