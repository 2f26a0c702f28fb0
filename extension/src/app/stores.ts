/**
 * State: finds scopes by the adapters, reads them, follows them, and sets them where the
 * library can. Nothing is read in a store's own callback, nor more often than a fiftieth
 * of the main thread's time allows.
 */
import type { Scope } from './adapter.ts';
import { instances } from './adapters.ts';
import { Refusal, type Part, type Tell } from './part.ts';
import { asked, encodeValue, followed, Raw, type Limits } from './values.ts';
import { assign, at, windowAdapter } from './window.ts';

const between = 100; // ms between two updates of a scope: 10 a second
const hurried = 3; // ms that reads may take at the end of an action
const share = 50; // of the time that a read takes, until the next read
const lookAfter = 250; // ms between two looks for scopes
const maxScopes = 100;
const windowPrefix = 'window:';

const { isArray } = Array;
const later = setTimeout.bind(window);
const never = clearTimeout.bind(window);
const now = performance.now.bind(performance);

interface Followed {
  readonly scope: Scope;
  readonly name: string;
  /** The text last told. */
  text: string | undefined;
  dirty: boolean;
  /** Not to be read before. */
  next: number;
  /** When it was read last, and the ms that it took. */
  at: number;
  cost: number;
  stop: (() => void) | undefined;
}

/** Follows what the adapters find. */
class Stores {
  readonly #known = new Map<object, Followed>();
  readonly #names = new Set<string>();
  readonly #adapters = [...instances(), windowAdapter()];
  readonly #undo: (() => void)[] = [];
  #tell: Tell | undefined;
  #following = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Infinity;
  #looking = false; // a look is due
  #lookAt = 0; // not before
  #readAt = 0; // not before: the share of time

  constructor() {
    for (const adapter of this.#adapters) {
      try {
        const undo = adapter.early?.(() => this.#found());
        if (undo !== undefined) this.#undo.push(undo);
      } catch {
        // An adapter's trouble with the page is its own.
      }
    }
  }

  begin(tell: Tell): void {
    this.#tell = tell;
  }

  /** Switches following on or off. On again, every scope is told anew. */
  follow(on: boolean): void {
    this.#following = on;
    if (!on) {
      this.#rest();
      for (const one of this.#known.values()) this.#leave(one);
      return;
    }
    for (const one of this.#known.values()) one.text = undefined;
    this.#looking = true;
    for (const one of this.#known.values()) this.#attend(one);
    this.#schedule();
  }

  /** The page did something: scopes may have come, and those that say nothing may have changed. */
  poke(): void {
    if (!this.#following) return;
    this.#looking = true;
    for (const one of this.#known.values()) if (one.stop === undefined) one.dirty = true;
    this.#schedule();
  }

  #found(): void {
    this.#looking = true;
    if (this.#following) this.#schedule();
  }

  /** Looks for scopes now. */
  look(): void {
    this.#looking = false;
    const began = now();
    const seen = new Set<object>();
    for (const adapter of this.#adapters) {
      try {
        for (const scope of adapter.scopes?.() ?? []) {
          if (seen.size >= maxScopes) break;
          seen.add(scope.key);
          if (!this.#known.has(scope.key)) this.#add(scope);
        }
      } catch {
        // The others are looked at all the same.
      }
    }
    for (const [key, one] of [...this.#known]) if (!seen.has(key)) this.#drop(key, one);
    const ended = now();
    this.#lookAt = ended + Math.max(lookAfter, share * (ended - began));
  }

  #add(scope: Scope): void {
    let name = scope.name;
    for (let i = 2; this.#names.has(name); i++) name = `${scope.name}-${i}`;
    this.#names.add(name);
    const one: Followed = { scope, name, text: undefined, dirty: true, next: 0, at: -Infinity, cost: 0, stop: undefined };
    this.#known.set(scope.key, one);
    if (this.#following) this.#attend(one);
  }

  /** Hears of changes, where the library tells them. */
  #attend(one: Followed): void {
    one.dirty = true;
    if (one.stop !== undefined) return;
    try {
      one.stop = one.scope.subscribe?.(() => {
        if (one.dirty) return;
        one.dirty = true;
        this.#schedule();
      });
    } catch {
      one.stop = undefined; // then it is looked at
    }
  }

  #leave(one: Followed): void {
    try {
      one.stop?.();
    } catch {
      // The store went ahead of us.
    }
    one.stop = undefined;
  }

  #drop(key: object, one: Followed): void {
    this.#leave(one);
    this.#known.delete(key);
    this.#names.delete(one.name);
    if (this.#following) this.#tell?.('state', { scope: one.name, source: one.scope.source, gone: true });
  }

  #rest(): void {
    if (this.#timer !== undefined) never(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Infinity;
  }

  /** Sets the timer to the next thing that is due. */
  #schedule(): void {
    let due = this.#looking ? this.#lookAt : Infinity;
    for (const one of this.#known.values()) if (one.dirty) due = Math.min(due, Math.max(one.next, this.#readAt));
    if (due === Infinity || due >= this.#timerAt) return;
    this.#rest();
    this.#timerAt = due;
    this.#timer = later(this.#run, Math.max(0, due - now()));
  }

  readonly #run = (): void => {
    this.#timer = undefined;
    this.#timerAt = Infinity;
    if (!this.#following) return;
    if (this.#looking && now() >= this.#lookAt) this.look();
    let cost = 0;
    for (const one of this.#known.values()) {
      const began = now();
      if (!one.dirty || began < one.next || began < this.#readAt) continue;
      this.#update(one);
      cost += one.cost;
      if (cost > followed.time) break; // the rest at another time
    }
    if (cost > 0) this.#readAt = now() + share * cost;
    this.#schedule();
  };

  /** An action begins, or is over: what changed by it is told with its answer, where reading costs little. */
  hurry(): void {
    if (!this.#following) return;
    let cost = 0;
    for (const one of this.#known.values()) {
      if (!one.dirty || cost + one.cost > hurried || now() < one.at + between) continue;
      this.#update(one);
      cost += one.cost;
    }
  }

  #update(one: Followed): void {
    one.dirty = false;
    one.at = now();
    const { json } = read(one.scope, [], followed);
    one.cost = now() - one.at;
    one.next = one.at + Math.max(between, share * one.cost);
    if (json === one.text) return;
    one.text = json;
    this.#tell?.('state', { scope: one.name, source: one.scope.source, size: json.length, value: new Raw(json) });
  }

  // --- what is asked for -----------------------------------------------------------

  #named(name: unknown): Followed | undefined {
    for (const one of this.#known.values()) if (one.name === name) return one;
    return undefined;
  }

  #find(name: unknown): Followed {
    const known = this.#named(name);
    if (known !== undefined) return known;
    this.look();
    const found = this.#named(name);
    if (found !== undefined) return found;
    throw new Refusal('ELEMENT_NOT_FOUND', 'there is no such scope');
  }

  /** Values now: of one scope, or of all. */
  read(args: Record<string, unknown>): unknown {
    const { scope, path } = args;
    const limits = args.brief === true ? followed : asked;
    if (typeof scope !== 'string') {
      this.look();
      const all: unknown[] = [];
      for (const one of this.#known.values()) all[all.length] = describe(one, [], limits);
      return all;
    }
    const place = windowPath(scope);
    if (place !== undefined) {
      const value = at(window, [...place, ...keysOf(path)], false);
      const { json, cuts } = encodeValue(value, limits);
      return [{ scope, source: 'window', can: ['set'], size: json.length, cuts, value: new Raw(json) }];
    }
    return [describe(this.#find(scope), keysOf(path), limits)];
  }

  set(args: Record<string, unknown>): unknown {
    const path = keysOf(args.path);
    const place = windowPath(args.scope);
    if (place !== undefined) {
      assign([...place, ...path], args.value);
      return null;
    }
    const one = this.#find(args.scope);
    if (one.scope.set === undefined) throw new Refusal('CAPABILITY_MISSING', `a scope of ${one.scope.source} cannot be set`);
    one.scope.set(path, args.value);
    return this.#touched(one);
  }

  dispatch(args: Record<string, unknown>): unknown {
    const one = this.#find(args.scope);
    if (one.scope.dispatch === undefined) throw new Refusal('CAPABILITY_MISSING', `a scope of ${one.scope.source} takes no actions`);
    one.scope.dispatch(args.action);
    return this.#touched(one);
  }

  #touched(one: Followed): null {
    one.dirty = true;
    if (this.#following) this.#schedule();
    return null;
  }

  dispose(): void {
    this.follow(false);
    this.#tell = undefined;
    this.#known.clear();
    for (const undo of this.#undo) {
      try {
        undo();
      } catch {
        // The others are undone all the same.
      }
    }
  }
}

function read(scope: Scope, path: readonly string[], limits: Limits): { json: string; cuts: number } {
  const { getters } = scope;
  try {
    const value = scope.read();
    return encodeValue(path.length === 0 ? value : at(value, path, getters === true), { ...limits, getters });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { json: '{"$unreadable":true}', cuts: 1 };
  }
}

function describe(one: Followed, path: readonly string[], limits: Limits): unknown {
  const { scope, name } = one;
  const can: string[] = [];
  if (scope.subscribe !== undefined) can[can.length] = 'follow';
  if (scope.dispatch !== undefined) can[can.length] = 'dispatch';
  if (scope.set !== undefined) can[can.length] = 'set';
  const { json, cuts } = read(scope, path, limits);
  return { scope: name, source: scope.source, can, size: json.length, cuts, value: new Raw(json) };
}

// What follows is syntax alone: the page may have replaced what texts and lists can do.

function keysOf(path: unknown): string[] {
  const keys: string[] = [];
  if (!isArray(path)) return keys;
  for (const key of path as unknown[]) if (typeof key === 'string' && key !== '') keys[keys.length] = key;
  return keys;
}

/** The path of window:a.b, or undefined for another scope. */
function windowPath(scope: unknown): string[] | undefined {
  if (typeof scope !== 'string') return undefined;
  for (let i = 0; i < windowPrefix.length; i++) if (scope[i] !== windowPrefix[i]) return undefined;
  const keys: string[] = [];
  let key = '';
  for (let i = windowPrefix.length; i <= scope.length; i++) {
    if (i < scope.length && scope[i] !== '.') key += scope[i] as string;
    else {
      if (key !== '') keys[keys.length] = key;
      key = '';
    }
  }
  return keys;
}

export function storePart(): Part {
  const stores = new Stores();
  return {
    operations: {
      'state.follow': (args) => stores.follow(args.on === true),
      'state.poke': () => stores.poke(),
      'state.hurry': () => stores.hurry(),
      'state.read': (args) => stores.read(args),
      'state.set': (args) => stores.set(args),
      'state.dispatch': (args) => stores.dispatch(args),
    },
    begin: (tell) => stores.begin(tell),
    dispose: () => stores.dispose(),
  };
}
