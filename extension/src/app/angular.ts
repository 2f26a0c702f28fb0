/**
 * Angular: by the debug helpers that a development build puts on window.ng. A production
 * build has none, and its views are in a closure: there are the host elements then, by
 * their tags, and no state.
 */
import type { Adapter, Component, Details, Scope } from './adapter.ts';
import { around, attempt, deep, everywhere, inside, isBag, isNamed, isPlain, keysOf, namesAround, stepper, tagOf, text, type Bag } from './look.ts';
import { Refusal } from './part.ts';
import { own, symbolOf } from './peek.ts';

const context = '__ngContext__';
const maxServices = 100;
const step = stepper();
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
const eachOf = Map.prototype.forEach;

function helper(name: string): ((...args: unknown[]) => unknown) | undefined {
  const found = own(own(window, 'ng'), name);
  return typeof found === 'function' ? (...args) => attempt(() => apply(found as () => unknown, undefined, args)) : undefined;
}

/** Asks a helper about an element. They leave a note of their own on it: it is put back. */
function ask(name: string, element: Element): unknown {
  const before = attempt(() => getOwnPropertyDescriptor(element, context));
  const answer = helper(name)?.(element);
  attempt(() => before === undefined ? deleteProperty(element, context) : defineProperty(element, context, before));
  return answer;
}

/** The component that an element is the host of: its instance, or in a production build the element. */
function hostOf(node: Node): NgComponent | null {
  if (!(node instanceof Element) || own(node, context) === undefined) return null;
  if (helper('getComponent') === undefined) {
    return tagOf(node).includes('-') || isNamed(node, 'ng-version') ? new NgComponent(node, undefined) : null;
  }
  const instance = ask('getComponent', node);
  return isBag(instance) ? new NgComponent(node, instance) : null;
}

function* rootHosts(): Generator<NgComponent> {
  for (const node of everywhere()) {
    const host = node instanceof Element && isNamed(node, 'ng-version') ? hostOf(node) : null;
    if (host !== null) yield host;
  }
}

// --- values -------------------------------------------------------------------------

/** The node behind a signal, of whatever kind. */
function signalNode(value: unknown): Bag | undefined {
  if (typeof value !== 'function') return undefined;
  const key = symbolOf(value, 'SIGNAL');
  const node = key === undefined ? undefined : own(value, key);
  return isBag(node) ? node : undefined;
}

/** What a signal holds. A computed one that nobody asked for yet stays so. */
function signalValue(signal: unknown, node: Bag): unknown {
  if (own(node, 'computation') === undefined) return own(node, 'value');
  if (typeof own(node, 'value') === 'symbol') return undefined; // not worked out yet, or it threw
  return attempt(() => (signal as () => unknown)());
}

/** Angular's own things, and what is injected, are named: they lead to the whole app. */
function named(value: unknown): string | undefined {
  if (!isBag(value) || Array.isArray(value) || isPlain(value)) return undefined;
  const type = attempt(() => value['constructor']);
  const injected = ['ɵprov', 'ɵfac', 'ɵcmp', 'ɵdir'].some((key) => own(type, key) !== undefined);
  return injected || own(value, '_lView') !== undefined || own(value, '_tNode') !== undefined ? className(type) : undefined;
}

/** Bundlers give a class that names itself a second name, _Cart or _Cart2. */
function className(type: unknown): string {
  return text(deep(type, 'ɵcmp', 'debugInfo', 'className')) ?? text(own(type, 'name'))?.replace(/^_([A-Z]\w*?)\d*$/, '$1') ?? 'Anonymous';
}

/** An RxJS BehaviorSubject. */
function isSubject(value: unknown): value is Bag {
  return isBag(value) && getOwnPropertyDescriptor(value, '_value') !== undefined && typeof attempt(() => value['getValue']) === 'function';
}

function fieldsOf(instance: Bag, leave: ReadonlySet<string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const key of keysOf(instance, 500)) {
    if (key === context || leave.has(key)) continue;
    const value = own(instance, key);
    const node = signalNode(value);
    if (node !== undefined) fields[key] = signalValue(value, node);
    else if (isSubject(value)) fields[key] = own(value, '_value');
    else if (typeof value !== 'function' && value !== undefined) {
      const name = named(value);
      fields[key] = name === undefined ? value : { $injected: name };
    }
  }
  return fields;
}

/** Names of a component's fields that are inputs. */
function inputsOf(instance: Bag): string[] {
  const inputs = deep(attempt(() => instance['constructor']), 'ɵcmp', 'inputs');
  return keysOf(inputs, 200).map((key) => {
    const told = own(inputs, key);
    return text(told) ?? text(own(told, '0')) ?? key;
  }).filter((key) => getOwnPropertyDescriptor(instance, key) !== undefined);
}

// --- components ---------------------------------------------------------------------

class NgComponent implements Component {
  readonly framework = 'angular';
  readonly #host: Element;
  readonly #instance: Bag | undefined;

  constructor(host: Element, instance: Bag | undefined) {
    this.#host = host;
    this.#instance = instance;
  }

  get key(): object {
    return this.#instance ?? this.#host;
  }

  get name(): string {
    return this.#instance === undefined ? tagOf(this.#host) : className(attempt(() => this.#instance?.['constructor']));
  }

  *children(): Generator<NgComponent> {
    const stack: Node[] = [this.#host];
    while (step()) {
      const at = stack.pop();
      if (at === undefined) return;
      const host = at === this.#host ? null : hostOf(at);
      if (host !== null) {
        yield host;
        continue;
      }
      const next = inside(at);
      for (let n = next.length - 1; n >= 0; n--) stack.push(next[n] as Node);
    }
  }

  parent(): NgComponent | null {
    for (let at = around(this.#host); at !== null; at = around(at)) {
      const host = hostOf(at);
      if (host !== null) return host;
    }
    return null;
  }

  element(): Element {
    return this.#host;
  }

  details(): Details {
    const instance = this.#instance;
    if (instance === undefined) return { owners: namesAround(this), build: 'production' };
    const inputs = new Set(inputsOf(instance));
    const all = fieldsOf(instance, new Set());
    const props: Record<string, unknown> = {};
    for (const key of inputs) props[key] = all[key];
    const details: Details = { props, owners: namesAround(this), build: 'development' };
    const state = fieldsOf(instance, inputs);
    if (keysOf(state, 1).length > 0) details.state = state;
    const debug = deep(attempt(() => instance['constructor']), 'ɵcmp', 'debugInfo');
    const file = text(own(debug, 'filePath'));
    const line = own(debug, 'lineNumber');
    if (file !== undefined) details.written = { file, ...(typeof line === 'number' && { line }) };
    return details;
  }

  /** The app's own services that are made: those with a signal or a subject among their fields. */
  services(): Map<string, Bag> {
    const found = new Map<string, Bag>();
    const injector = ask('getInjector', this.#host);
    const path = helper('ɵgetInjectorResolutionPath')?.(injector);
    for (const one of Array.isArray(path) ? (path as unknown[]) : []) {
      const records = own(one, 'records');
      if (!(records instanceof Map)) continue;
      apply(eachOf, records, [(record: unknown, token: unknown): void => {
        const value = own(record, 'value');
        // Most of Angular's own have no factory that its compiler wrote.
        if (own(token, 'ɵfac') === undefined || found.size >= maxServices || !isBag(value) || !holdsState(value)) return;
        const name = className(token);
        if (!found.has(name)) found.set(name, value);
      }]);
    }
    return found;
  }

  get instance(): Bag | undefined {
    return this.#instance;
  }
}

function holdsState(service: Bag): boolean {
  return keysOf(service, 200).some((key) => {
    const value = own(service, key);
    return signalNode(value) !== undefined || isSubject(value);
  });
}

/** Signals and fields of root components and of services, by the names of their classes. */
function owners(): Map<string, Bag> {
  const found = new Map<string, Bag>();
  for (const root of rootHosts()) {
    if (root.instance === undefined) continue;
    if (!found.has(root.name)) found.set(root.name, root.instance);
    for (const [name, service] of root.services()) if (!found.has(name)) found.set(name, service);
  }
  return found;
}

function scopeOf(ng: object): Scope {
  return {
    name: 'angular',
    source: 'angular',
    key: ng,
    read() {
      const value: Record<string, unknown> = {};
      for (const [name, owner] of owners()) value[name] = fieldsOf(owner, new Set());
      return value;
    },
    set([name = '', field = '', ...rest], value) {
      const signal = own(owners().get(name), field);
      const put = signalNode(signal) === undefined ? undefined : (signal as { set?: (value: unknown) => void }).set;
      if (rest.length > 0 || put === undefined) throw new Refusal('VALIDATION_ERROR', 'the path has to be the class and the field of a writable signal');
      put(value);
    },
  };
}

export function angularAdapter(): Adapter {
  return {
    framework: 'angular',
    *roots() {
      yield* rootHosts();
    },
    of(element) {
      for (let at: Node | null = element; at !== null; at = around(at)) {
        const host = hostOf(at);
        if (host !== null) return host;
      }
      return null;
    },
    *scopes() {
      const ng = own(window, 'ng');
      if (isBag(ng) && owners().size > 0) yield scopeOf(ng);
    },
  };
}
