/**
 * Vue 3, any build: the app on its container, and the tree of vnodes below it. A
 * production build without the devtools flag compiles a script-setup component's state
 * into a closure; then there are its props and its name, and no state.
 */
import type { Adapter, Component, Details, Scope } from './adapter.ts';
import { around, attempt, deep, everywhere, firstElement, holds, isBag, isPlain, keysOf, listOf, namesAround, stepper, text, type Bag } from './look.ts';
import { own } from './peek.ts';
import { piniaScopes } from './pinia.ts';

const maxCopied = 50_000; // objects and items
const maxItems = 20_001; // of one list or object: who makes text of it stops before, and says so
const maxApps = 50;
const step = stepper();
const { isArray } = Array;

/** An app with the node that it is mounted in. */
export interface VueApp {
  readonly app: Bag;
  readonly container: Node;
}

export function vueApps(): VueApp[] {
  const found: VueApp[] = [];
  for (const container of everywhere()) {
    const app = own(container, '__vue_app__');
    if (isBag(app) && found.length < maxApps) found.push({ app, container });
  }
  return found;
}

export function globalProperties(app: Bag): unknown {
  return deep(app, '_context', 'config', 'globalProperties');
}

// --- values -------------------------------------------------------------------------

/** What a reactive proxy stands for. */
export function toRaw(value: unknown): unknown {
  let at = value;
  for (let i = 0; i < 4 && isBag(at); i++) {
    const under = attempt(() => (at as Bag)['__v_raw']);
    if (!isBag(under)) break;
    at = under;
  }
  return at;
}

export function isRef(value: unknown): value is Bag {
  return isBag(value) && attempt(() => value['__v_isRef']) === true;
}

export function isComputed(value: unknown): boolean {
  return isRef(value) && (typeof own(value, 'fn') === 'function' || typeof own(value, '_getter') === 'function' || isBag(own(value, 'effect')));
}

/** What a ref holds. A computed value that nobody asked for yet stays so. */
export function refValue(ref: Bag): unknown {
  if (isComputed(ref)) return own(ref, '_value') === undefined ? undefined : attempt(() => ref['value']);
  const raw = own(ref, '_rawValue') ?? own(ref, '_value');
  return raw === undefined ? attempt(() => ref['value']) : raw;
}

/** A copy without proxies and refs: what a store or a component holds, as its author thinks of it. */
export function unwrap(value: unknown): unknown {
  let left = maxCopied;
  const done = new Map<object, unknown>();
  const copy = (of: unknown, depth: number): unknown => {
    let at = toRaw(of);
    if (isRef(at)) at = toRaw(refValue(at));
    if (!isBag(at) || typeof at === 'function' || depth > 16 || left <= 0) return at;
    left--;
    const known = done.get(at);
    if (known !== undefined) return known;
    const store = own(at, '$id');
    if (typeof store === 'string' && isBag(own(at, '_p'))) return { $store: `pinia:${store}` };
    if (isArray(at)) {
      if (at.length > maxItems) return at;
      left -= at.length;
      const list: unknown[] = [];
      done.set(at, list);
      for (let i = 0; i < at.length; i++) list.push(copy(own(at, i), depth + 1));
      return list;
    }
    if (!isPlain(at)) return at;
    const plain: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    done.set(at, plain);
    for (const key of keysOf(at, maxItems)) {
      const descriptor = attempt(() => Reflect.getOwnPropertyDescriptor(at as Bag, key));
      if (descriptor?.enumerable !== true) continue;
      plain[key] = 'value' in descriptor ? copy(descriptor.value, depth + 1) : undefined;
    }
    return plain;
  };
  return copy(value, 0);
}

// --- components ---------------------------------------------------------------------

/** The next vnodes below one, in order; of a component that is its own tree. */
function below(vnode: Bag): readonly unknown[] {
  const component = own(vnode, 'component');
  if (isBag(component)) return [own(component, 'subTree')];
  const suspense = own(vnode, 'suspense');
  if (isBag(suspense)) return [own(suspense, 'activeBranch')];
  return listOf(own(vnode, 'children'));
}

/** The nearest components below a vnode. */
function* componentsBelow(top: unknown): Generator<Component> {
  const stack: unknown[] = [top];
  while (stack.length > 0 && step()) {
    const vnode = stack.pop();
    if (!isBag(vnode)) continue;
    const instance = own(vnode, 'component');
    if (isBag(instance)) {
      yield new VueComponent(instance);
      continue;
    }
    const next = below(vnode);
    for (let n = next.length - 1; n >= 0; n--) stack.push(next[n]);
  }
}

/**
 * The component whose vnodes have an element, where elements do not say it themselves.
 * What is teleported is not within the elements around its vnode.
 */
function ownerOf(element: Element, top: Bag, teleported: boolean): Component | null {
  let best: Bag | undefined;
  const stack: { vnode: unknown; owner: Bag }[] = [{ vnode: own(top, 'subTree'), owner: top }];
  while (step()) {
    const place = stack.pop();
    if (place === undefined) break;
    const { vnode } = place;
    if (!isBag(vnode)) continue;
    const instance = own(vnode, 'component');
    const owner = isBag(instance) ? instance : place.owner;
    if (typeof own(vnode, 'type') === 'string') {
      const at = own(vnode, 'el');
      if (holds(at, element)) {
        best = owner;
        if (at === element) break;
        stack.length = 0; // in here, or nowhere
      } else if (!teleported) continue;
    }
    const next = below(vnode);
    for (let n = next.length - 1; n >= 0; n--) stack.push({ vnode: next[n], owner });
  }
  return best === undefined ? null : new VueComponent(best);
}

function nameOf(instance: Bag): string {
  const type = own(instance, 'type');
  const told = text(own(type, 'displayName')) ?? text(own(type, 'name')) ?? text(own(type, '__name'));
  if (told !== undefined) return told;
  const file = text(own(type, '__file'));
  if (file !== undefined) return file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  // Under the name that it was registered with.
  for (const known of [deep(instance, 'parent', 'type', 'components'), deep(instance, 'appContext', 'components')]) {
    for (const name of keysOf(known, 500)) if (own(known, name) === type) return name;
  }
  return isBag(own(instance, 'parent')) ? 'Anonymous' : 'Root';
}

/** An object that script setup returns because the template names it: an imported component, a router. */
function isMachinery(value: unknown): boolean {
  return typeof value === 'function' || (isBag(value) && !isRef(value) &&
    (typeof own(value, 'render') === 'function' || typeof own(value, 'setup') === 'function' || typeof own(value, '__name') === 'string'));
}

function stateOf(instance: Bag): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  const setup = own(instance, 'devtoolsRawSetupState') ?? toRaw(own(instance, 'setupState'));
  for (const key of keysOf(setup)) {
    const value = own(setup, key);
    if (value !== undefined && !key.startsWith('__') && !isMachinery(value)) state[key] = unwrap(value);
  }
  const data = toRaw(own(instance, 'data'));
  for (const key of keysOf(data)) state[key] = unwrap(own(data, key));
  // Computed options are accessors of the instance's context.
  const context = own(instance, 'ctx');
  for (const key of keysOf(deep(instance, 'type', 'computed'))) {
    state[key] = attempt(() => unwrap((context as Bag)[key]));
  }
  return state;
}

class VueComponent implements Component {
  readonly framework = 'vue';

  constructor(readonly key: Bag) {}

  get name(): string {
    return nameOf(this.key);
  }

  get listKey(): string | undefined {
    const name = deep(this.key, 'vnode', 'key');
    return typeof name === 'string' || typeof name === 'number' ? `${name}` : undefined;
  }

  children(): Iterable<Component> {
    return componentsBelow(own(this.key, 'subTree'));
  }

  parent(): Component | null {
    const parent = own(this.key, 'parent');
    return isBag(parent) ? new VueComponent(parent) : null;
  }

  element(): Element | null {
    const tree = own(this.key, 'subTree');
    return firstElement(own(tree, 'el'), own(tree, 'anchor') ?? own(tree, 'el'));
  }

  details(): Details {
    const { key, listKey } = this;
    const details: Details = { props: unwrap(own(key, 'props')) };
    details.owners = namesAround(this);
    const state = stateOf(key);
    if (Object.keys(state).length > 0) details.state = state;
    if (listKey !== undefined) details.key = listKey;
    const file = text(deep(key, 'type', '__file'));
    if (file !== undefined) details.written = { file };
    // A development build leaves the root instance on its app.
    details.build = isBag(deep(key, 'appContext', 'app', '_instance')) ? 'development' : 'production';
    return details;
  }
}

function rootOf({ app, container }: VueApp): Bag | undefined {
  const root = own(app, '_instance') ?? deep(container, '_vnode', 'component');
  return isBag(root) ? root : undefined;
}

// --- scopes -------------------------------------------------------------------------

function routerScope(app: Bag): Scope | undefined {
  const router = own(globalProperties(app), '$router');
  const current = own(router, 'currentRoute');
  if (!isBag(router) || !isRef(current)) return undefined;
  const hear = own(router, 'afterEach');
  return {
    name: 'router',
    source: 'router',
    key: router,
    read() {
      const route = toRaw(refValue(current));
      const matched = own(route, 'matched');
      const told: Record<string, unknown> = {};
      for (const key of ['path', 'fullPath', 'name', 'params', 'query', 'hash', 'meta']) told[key] = unwrap(own(route, key));
      told['matched'] = isArray(matched) ? matched.map((record: unknown) => ({ path: own(record, 'path'), name: own(record, 'name') })) : [];
      return told;
    },
    ...(typeof hear === 'function' && {
      subscribe: (changed: () => void) => Reflect.apply(hear as () => () => void, router, [() => changed()]),
    }),
  };
}

export function vueAdapter(): Adapter {
  return {
    framework: 'vue',
    *roots() {
      for (const found of vueApps()) {
        const root = rootOf(found);
        if (root !== undefined) yield new VueComponent(root);
      }
    },
    of(element) {
      const apps = vueApps();
      let home: VueApp | undefined;
      for (let at: Node | null = element; at !== null && home === undefined; at = around(at)) {
        const told = own(at, '__vueParentComponent'); // development
        if (isBag(told)) return new VueComponent(told);
        home = apps.find(({ container }) => container === at);
      }
      for (const found of home === undefined ? apps : [home]) {
        const root = rootOf(found);
        const owner = root === undefined ? null : ownerOf(element, root, home === undefined);
        if (owner !== null) return owner;
      }
      return null;
    },
    *scopes() {
      for (const { app } of vueApps()) {
        yield* piniaScopes(app);
        const router = routerScope(app);
        if (router !== undefined) yield router;
      }
    },
  };
}
