/**
 * Preact 10 and 11, any build: both keep the same short names of their private fields.
 * A production build has minified the names of the app's functions, unless they have a
 * displayName.
 */
import type { Adapter, Component, Details, Scope } from './adapter.ts';
import { around, attempt, deep, everywhere, holds, isBag, keysOf, listOf, namesAround, stepper, text, type Bag } from './look.ts';
import { Refusal } from './part.ts';
import { own } from './peek.ts';

// The names that Preact's fields have in what it publishes.
const children = '__k';
const parent = '__';
const instanceOf = '__c'; // of a vnode
const domOf = '__e';
const vnodeOf = '__v'; // of an instance
const hooksOf = '__H';
const contextOf = '__n';
const updaterOf = '__$u'; // of @preact/signals

const maxDepth = 10_000;
const step = stepper();
const maxSignals = 500;
const { isArray } = Array;
const { apply } = Reflect;
const sourceText = Function.prototype.toString;

function isVnode(value: unknown): value is Bag {
  return isBag(value) && own(value, vnodeOf) !== undefined && own(value, 'props') !== undefined && isBag(value) && children in value;
}

/** The root vnodes, by the containers that they were rendered into. A root is always a Fragment: so that function is known. */
function roots(): { container: Node; vnode: Bag }[] {
  const found: { container: Node; vnode: Bag }[] = [];
  for (const container of everywhere()) {
    const vnode = own(container, children);
    if (isVnode(vnode)) found.push({ container, vnode });
  }
  return found;
}

/** The type of a component of the app's: not what only passes on, a fragment, a context or a signal's text. */
function isShown(type: unknown, fragment: unknown): boolean {
  return typeof type === 'function' && type !== fragment && !isProvider(type) && !isSignalText(type);
}

function isProvider(type: unknown): boolean {
  return [type, own(type, '__')].some((context) => typeof own(context, '__c') === 'string' && own(context, 'Provider') !== undefined);
}

function isSignalText(type: unknown): boolean {
  const name = own(type, 'displayName');
  return name === 'ReactiveTextNode' || name === '_st';
}

function childrenOf(vnode: Bag): readonly unknown[] {
  return listOf(own(vnode, children));
}

/** The nearest components below a vnode. */
function* componentsBelow(vnode: Bag, fragment: unknown): Generator<PreactComponent> {
  const stack: unknown[] = [...childrenOf(vnode)].reverse();
  while (stack.length > 0 && step()) {
    const at = stack.pop();
    if (!isBag(at)) continue;
    const instance = own(at, instanceOf);
    if (isShown(own(at, 'type'), fragment) && isBag(instance)) {
      yield new PreactComponent(instance, fragment);
      continue;
    }
    const next = childrenOf(at);
    for (let n = next.length - 1; n >= 0; n--) stack.push(next[n]);
  }
}

/** The component whose vnodes have an element. What is in a portal is not within the elements around its vnode. */
function ownerOf(element: Element, root: Bag, portal: boolean): Component | null {
  const fragment = own(root, 'type');
  let best: Bag | undefined;
  const stack: { vnode: unknown; owner: Bag | undefined }[] = [{ vnode: root, owner: undefined }];
  while (step()) {
    const place = stack.pop();
    if (place === undefined) break;
    const { vnode } = place;
    if (!isBag(vnode)) continue;
    let { owner } = place;
    const type = own(vnode, 'type');
    if (typeof type === 'function') {
      const instance = own(vnode, instanceOf);
      if (isShown(type, fragment) && isBag(instance)) owner = instance;
    } else if (typeof type === 'string') {
      const at = own(vnode, domOf);
      if (holds(at, element)) {
        best = owner;
        if (at === element) break;
        stack.length = 0; // in here, or nowhere
      } else if (!portal) continue;
    }
    const next = childrenOf(vnode);
    for (let n = next.length - 1; n >= 0; n--) stack.push({ vnode: next[n], owner });
  }
  return best === undefined ? null : new PreactComponent(best, fragment);
}

// --- values -------------------------------------------------------------------------

const signalBrand = Symbol.for('preact-signals');

function isSignal(value: unknown): value is Bag {
  return typeof value === 'object' && isBag(value) && attempt(() => value['brand']) === signalBrand;
}

/** The value now; a computed one is worked out by its library. */
function signalValue(signal: Bag): unknown {
  return attempt(() => (signal as unknown as { peek(): unknown }).peek());
}

function plain(value: unknown): unknown {
  if (isSignal(value)) return { $signal: signalValue(value) };
  if (isVnode(value)) return { $element: typeName(own(value, 'type')) };
  return value;
}

function plainOf(bag: unknown): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const key of keysOf(bag)) {
    const value = own(bag, key);
    if (key === 'children' && typeof value !== 'string' && typeof value !== 'number') continue; // they are in the tree
    out[key] = plain(value);
  }
  return out;
}

function typeName(type: unknown): string {
  if (typeof type === 'string') return type;
  return text(own(type, 'displayName')) ?? text(own(type, 'name')) ?? 'Anonymous';
}

// --- hooks --------------------------------------------------------------------------

const memoFields: ReadonlySet<string> = new Set(['__', '__H', '__h']);

/** A hook with its kind, told by the fields that each kind leaves. */
function hook(of: Bag, instance: Bag): { name: string; value: unknown } {
  const held = own(of, '__');
  const context = own(of, 'c');
  if (typeof own(context, '__c') === 'string') {
    const provider = deep(instance, contextOf, own(context, '__c') as string) ?? deep(instance, 'context', own(context, '__c') as string);
    const value = isBag(provider) ? deep(provider, 'props', 'value') : own(context, '__');
    return { name: 'useContext', value: plain(value) };
  }
  if (isArray(held) && held.length === 2 && isBag(own(of, '__c'))) {
    return { name: isReducer(own(of, 't')) ? 'useReducer' : 'useState', value: plain((held as unknown[])[0]) };
  }
  // An effect keeps its function like a callback, and fields of its own: of when it is due, and for what it undoes.
  if (typeof held === 'function' && keysOf(of).some((key) => !memoFields.has(key))) {
    return { name: own(of, '__P') === false ? 'useLayoutEffect' : 'useEffect', value: own(of, '__H') };
  }
  if (isArray(own(of, '__H'))) {
    if (typeof held === 'function') return { name: 'useCallback', value: held };
    const keys = keysOf(held, 2);
    if ((own(of, '__H') as unknown[]).length === 0 && keys.length === 1 && keys[0] === 'current') {
      return { name: 'useRef', value: plain(own(held, 'current')) };
    }
    return { name: 'useMemo', value: plain(held) };
  }
  return { name: 'hook', value: plain(held) };
}

/** useState is a reducer of the library's own, which asks whether it was given a function. */
function isReducer(reduce: unknown): boolean {
  const source = attempt(() => apply(sourceText, reduce as () => void, []));
  return source !== undefined && !(source.length < 120 && source.includes('typeof'));
}

class PreactComponent implements Component {
  readonly framework = 'preact';
  readonly #fragment: unknown;

  constructor(readonly key: Bag, fragment: unknown) {
    this.#fragment = fragment;
  }

  get vnode(): Bag {
    const vnode = own(this.key, vnodeOf);
    return isBag(vnode) ? vnode : {};
  }

  get name(): string {
    return typeName(own(this.vnode, 'type'));
  }

  get listKey(): string | undefined {
    const key = own(this.vnode, 'key');
    return typeof key === 'string' || typeof key === 'number' ? `${key}` : undefined;
  }

  children(): Iterable<PreactComponent> {
    return componentsBelow(this.vnode, this.#fragment);
  }

  parent(): Component | null {
    let at = own(this.vnode, parent);
    for (let i = 0; isBag(at) && i < maxDepth; i++, at = own(at, parent)) {
      const instance = own(at, instanceOf);
      if (isShown(own(at, 'type'), this.#fragment) && isBag(instance)) return new PreactComponent(instance, this.#fragment);
    }
    return null;
  }

  element(): Element | null {
    const stack: unknown[] = [this.vnode];
    while (stack.length > 0 && step()) {
      const at = stack.pop();
      if (!isBag(at)) continue;
      const dom = own(at, domOf);
      if (typeof own(at, 'type') === 'string' && dom instanceof Element) return dom;
      const next = childrenOf(at);
      for (let n = next.length - 1; n >= 0; n--) stack.push(next[n]);
    }
    return null;
  }

  details(): Details {
    const { key, listKey, vnode } = this;
    const details: Details = { props: plainOf(own(key, 'props')) };
    details.owners = namesAround(this);
    const state = own(key, 'state');
    if (keysOf(state, 1).length > 0) details.state = plainOf(state);
    const hooks = deep(key, hooksOf, '__');
    if (isArray(hooks)) details.hooks = hooks.filter(isBag).map((one: Bag) => hook(one, key));
    if (listKey !== undefined) details.key = listKey;
    const file = text(deep(vnode, '__source', 'fileName'));
    if (file !== undefined) { // only the JSX of a development build says it; the library is the same in both
      details.source = { file, ...numbers(own(vnode, '__source')) };
      details.build = 'development';
    }
    return details;
  }
}

function numbers(source: unknown): { line?: number; column?: number } {
  const line = own(source, 'lineNumber');
  const column = own(source, 'columnNumber');
  return { ...(typeof line === 'number' && { line }), ...(typeof column === 'number' && { column }) };
}

// --- signals ------------------------------------------------------------------------

/**
 * The signals that the page shows, by their names or in the order that they are found:
 * those that a component's updater depends on, and those behind computed ones. A computed
 * signal without a name may be one that the library made for itself.
 */
function signalsBelow(root: Bag): Map<Bag, string> {
  const found = new Map<Bag, string>();
  const seen = new Set<Bag>();
  const taken = new Set<string>();
  const note = (signal: Bag, direct: boolean): void => {
    const given = text(own(signal, 'name'));
    if (given === 'ReactiveDom' || (given === undefined && !direct && own(signal, 'x') !== undefined)) return;
    let name = given ?? `signal${found.size + 1}`;
    while (taken.has(name)) name += "'";
    taken.add(name);
    found.set(signal, name);
  };
  const follow = (first: unknown, direct: boolean, depth: number): void => {
    let node = first;
    for (let i = 0; isBag(node) && i < maxSignals && seen.size < maxSignals; i++, node = own(node, 'n')) {
      const signal = own(node, 'S');
      if (!isSignal(signal) || seen.has(signal)) continue;
      seen.add(signal);
      note(signal, direct);
      if (depth < 20) follow(own(signal, 's'), false, depth + 1);
    }
  };
  const stack: unknown[] = [root];
  while (stack.length > 0 && step()) {
    const vnode = stack.pop();
    if (!isBag(vnode)) continue;
    const instance = own(vnode, instanceOf);
    if (isBag(instance)) follow(deep(instance, updaterOf, 's'), !isSignalText(own(vnode, 'type')), 0);
    const next = childrenOf(vnode);
    for (let n = next.length - 1; n >= 0; n--) stack.push(next[n]);
  }
  return found;
}

function signalScope(container: Node): Scope {
  const find = (): Map<Bag, string> => {
    const root = own(container, children);
    return isVnode(root) ? signalsBelow(root) : new Map();
  };
  return {
    name: 'signals',
    source: 'preact',
    key: container,
    read() {
      const value: Record<string, unknown> = {};
      for (const [signal, name] of find()) value[name] = signalValue(signal);
      return value;
    },
    set(path, value) {
      for (const [signal, name] of find()) {
        if (path.length !== 1 || name !== path[0]) continue;
        (signal as unknown as { value: unknown }).value = value;
        return;
      }
      throw new Refusal('VALIDATION_ERROR', 'the path has to be the name of a signal');
    },
  };
}

export function preactAdapter(): Adapter {
  return {
    framework: 'preact',
    *roots() {
      for (const { vnode } of roots()) yield* componentsBelow(vnode, own(vnode, 'type'));
    },
    of(element) {
      const all = roots();
      let home: (typeof all)[number] | undefined;
      for (let at: Node | null = element; at !== null && home === undefined; at = around(at)) home = all.find(({ container }) => container === at);
      for (const { vnode } of home === undefined ? all : [home]) {
        const owner = ownerOf(element, vnode, home === undefined);
        if (owner !== null) return owner;
      }
      return null;
    },
    *scopes() {
      for (const { container, vnode } of roots()) if (signalsBelow(vnode).size > 0) yield signalScope(container);
    },
  };
}
