/**
 * state_update: what the app's own getter gives, what it sends by itself, and what the
 * inspector in the page's own world reads of its stores. The first two are told whole;
 * a store is told whole first and then as what changed since, with versions.
 */
import type { TelemetryMessage } from '../api.ts';
import { toPlain } from '../plain.ts';
import type { AppWorld } from './app.ts';
import { diff } from './patch.ts';

const pollInterval = 500; // ms: at most 2 updates a second
const pokeInterval = 200; // ms between two words to the inspector that the page did something
const between = 99; // ms between two updates of a scope: the inspector's 100, as timers round
const retryInterval = 250; // ms until a reader that was behind is looked at again
const answerLimit = 10_000; // ms
const maxScopes = 200;
const maxKeys = 20; // of a scope are named
const patchShare = 0.8; // of the whole: a larger patch is not worth it

export interface StateItem {
  scope: string;
  state: unknown;
  source: string;
  version?: number | undefined;
}

/** A scope as the commands see it. */
export interface StateRow {
  scope: string;
  source: string;
  version?: number | undefined;
  /** follow: it tells changes by itself; dispatch, set. */
  can: string[];
  /** Characters of its JSON. */
  size: number;
  keys: string[];
  /** What was left out of the value. */
  cuts: number;
  value: unknown;
}

/** A store, as far as it was told. */
interface Store {
  source: string;
  version: number;
  /** What was told last; undefined: the next is told whole. */
  told: { value: unknown } | undefined;
  /** What was read since and is not told yet. */
  next: { value: unknown; size: number } | undefined;
  /** When it was told last. */
  at: number;
}

export class StateCollector {
  readonly #sent = new Map<string, string>(); // scope → JSON last told
  readonly #pushed = new Map<string, unknown>();
  readonly #stores = new Map<string, Store>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #poke: ReturnType<typeof setTimeout> | undefined;
  #following = false;

  constructor(
    private readonly getter: (() => Record<string, unknown>) | undefined,
    private readonly send: (message: TelemetryMessage) => void,
    private readonly ready: () => boolean,
    private readonly app: AppWorld | undefined,
  ) {
    app?.on('ready', () => {
      if (this.#following) this.#follow(true);
    });
    app?.on('state', (value) => this.#take(value));
  }

  start(): void {
    this.#following = true;
    if (this.app?.ready === true) this.#follow(true);
    if (this.getter === undefined || this.#timer !== undefined) return;
    this.poll();
    this.#timer = setInterval(() => this.poll(), pollInterval);
  }

  stop(): void {
    this.#following = false;
    this.#follow(false);
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    clearTimeout(this.#poke);
    this.#timer = this.#retry = this.#poke = undefined;
    for (const store of this.#stores.values()) store.told = store.next = undefined;
  }

  #follow(on: boolean): void {
    this.app?.poke('state.follow', { on });
  }

  /** The page did something: what does not tell its changes is looked at soon. */
  stir(): void {
    if (!this.#following || this.app?.ready !== true) return;
    this.#poke ??= setTimeout(() => {
      this.#poke = undefined;
      this.app?.poke('state.poke');
    }, pokeInterval);
  }

  /** An action begins, or is over: what its handlers changed in stores is told before its answer. */
  hurry(): void {
    if (this.#following) this.app?.poke('state.hurry');
  }

  /** Tells the scopes that changed since they were last told. */
  poll(): void {
    this.stir();
    if (this.#timer !== undefined && !this.ready()) return; // merged while the reader is behind
    for (const item of this.#read()) this.#tell(item.scope, item.state);
  }

  /** The app says it itself. */
  push(scope: string, state: unknown, tell: boolean): void {
    const { value } = toPlain(state);
    this.#pushed.set(scope, value);
    if (tell) this.#tell(scope, value);
  }

  /** Tells every scope again, whole: the other side lost what it knew. */
  repeat(): void {
    this.#sent.clear();
    for (const { scope, state } of this.#custom()) this.#tell(scope, state);
    for (const [scope, store] of this.#stores) {
      if (store.told === undefined) continue;
      store.next ??= { value: store.told.value, size: JSON.stringify(store.told.value).length };
      store.told = undefined;
      this.#say(scope, store);
    }
  }

  /** Everything now. What the stores hold is told first, so that a version stands for the same value in both. */
  async all(scope?: string, signal?: AbortSignal): Promise<StateItem[]> {
    const rows = await this.rows(scope === undefined ? {} : { scope }, signal);
    return rows.map(({ scope: name, value, source, version }) => ({ scope: name, state: value, source, version }));
  }

  /** What a bridge in the page's own world has, which is there at once. */
  #custom(scope?: string): StateItem[] {
    const items = new Map<string, unknown>(this.#pushed);
    for (const item of this.#read()) items.set(item.scope, item.state);
    const out: StateItem[] = [];
    for (const [name, state] of items) if (scope === undefined || scope === name) out.push({ scope: name, state: state ?? null, source: 'custom' });
    return out;
  }

  /** The scopes now, or one of them; with a path, what stands there in it. */
  async rows(which: { scope?: string; path?: string[] }, signal?: AbortSignal): Promise<StateRow[]> {
    const custom = this.#custom(which.scope).map(({ scope, state, source }): StateRow => ({
      scope, source, can: [], size: JSON.stringify(state).length, keys: keysOf(state), cuts: 0, value: state,
    }));
    if (this.app === undefined) return custom;
    const whole = which.path === undefined || which.path.length === 0;
    // A page that was first may have made the inspector mute.
    const limit = AbortSignal.any([AbortSignal.timeout(answerLimit), ...signal === undefined ? [] : [signal]]);
    const { value } = await this.app.ask('state.read', { ...which, brief: whole && which.scope?.startsWith('window:') !== true }, [], limit);
    const rows = Array.isArray(value) ? value.slice(0, maxScopes).map(rowOf).filter((row) => row !== undefined) : [];
    for (const row of rows) {
      if (whole && this.#following && row.source !== 'window') this.#hold(row.scope, row.source, row.value, row.size, true);
      row.version = this.#stores.get(row.scope)?.version;
    }
    return [...custom, ...rows];
  }

  /** News of the inspector. */
  #take(news: unknown): void {
    if (!this.#following || typeof news !== 'object' || news === null) return;
    const { scope, source, size, value, gone } = news as Record<string, unknown>;
    if (typeof scope !== 'string' || typeof source !== 'string') return;
    if (gone === true) {
      this.#gone(scope);
      return;
    }
    this.#hold(scope, source, value, typeof size === 'number' ? size : Infinity, false);
  }

  #gone(scope: string): void {
    const store = this.#stores.get(scope);
    if (store === undefined) return;
    if (store.version > 0) this.send({ type: 'state_update', timestamp: Date.now(), scope, source: store.source, version: ++store.version, state: null, gone: true });
    store.told = store.next = undefined;
  }

  #hold(scope: string, source: string, value: unknown, size: number, now: boolean): void {
    let store = this.#stores.get(scope);
    if (store === undefined) {
      if (this.#stores.size >= maxScopes) return;
      store = { source: source.slice(0, 50), version: 0, told: undefined, next: undefined, at: -Infinity };
      this.#stores.set(scope.slice(0, 200), store);
    }
    store.next = { value: value ?? null, size };
    if (now || this.ready() && performance.now() - store.at >= between) this.#say(scope, store);
    else this.#retry ??= setTimeout(() => this.#again(), retryInterval);
  }

  /** A reader that was behind gets what came meanwhile as one change. */
  #again(): void {
    this.#retry = undefined;
    if (!this.ready()) {
      this.#retry = setTimeout(() => this.#again(), retryInterval);
      return;
    }
    for (const [scope, store] of this.#stores) this.#say(scope, store);
  }

  #say(scope: string, store: Store): void {
    const { told, next } = store;
    if (next === undefined) return;
    store.next = undefined;
    const patch = told === undefined ? null : diff(told.value, next.value);
    if (patch !== null && patch.length === 0) return;
    store.told = { value: next.value };
    store.at = performance.now();
    const baseVersion = store.version++;
    const head = { type: 'state_update', timestamp: Date.now(), scope, source: store.source, version: store.version };
    if (patch !== null && JSON.stringify(patch).length < next.size * patchShare) this.send({ ...head, baseVersion, patch });
    else this.send({ ...head, state: next.value });
  }

  #tell(scope: string, state: unknown): void {
    const json = JSON.stringify(state) ?? 'null';
    if (this.#sent.get(scope) === json) return;
    this.#sent.set(scope, json);
    this.send({ type: 'state_update', timestamp: Date.now(), scope, state: state ?? null, source: 'custom' });
  }

  /** Each top-level key of what the getter gives is a scope. */
  #read(): { scope: string; state: unknown }[] {
    if (this.getter === undefined) return [];
    let given: unknown;
    try {
      given = this.getter();
    } catch (error) {
      return [{ scope: 'error', state: toPlain(error).value ?? null }];
    }
    const { value } = toPlain(given);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value === undefined ? [] : [{ scope: 'custom', state: value }];
    return Object.entries(value).map(([scope, state]) => ({ scope, state: state as unknown }));
  }
}

function rowOf(value: unknown): StateRow | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const row = value as Record<string, unknown>;
  const { scope, source, size, cuts } = row;
  if (typeof scope !== 'string' || typeof source !== 'string') return undefined;
  return {
    scope: scope.slice(0, 1000), source: source.slice(0, 50), size: typeof size === 'number' ? size : 0, cuts: typeof cuts === 'number' ? cuts : 0,
    can: Array.isArray(row.can) ? row.can.filter((can): can is string => can === 'follow' || can === 'dispatch' || can === 'set') : [],
    keys: keysOf(row.value), value: row.value ?? null,
  };
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).slice(0, maxKeys).map((key) => key.slice(0, 100)) : [];
}
