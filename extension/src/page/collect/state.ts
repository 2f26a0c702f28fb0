/** state_update: what the app's own getter gives, and what it sends by itself. */
import type { TelemetryMessage } from '../api.ts';
import { toPlain } from '../plain.ts';

const pollInterval = 500; // ms: at most 2 updates a second

export interface StateItem {
  scope: string;
  state: unknown;
  source: string;
}

export class StateCollector {
  readonly #sent = new Map<string, string>(); // scope → JSON last told
  readonly #pushed = new Map<string, unknown>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly getter: (() => Record<string, unknown>) | undefined,
    private readonly send: (message: TelemetryMessage) => void,
    private readonly ready: () => boolean,
  ) {}

  start(): void {
    if (this.getter === undefined || this.#timer !== undefined) return;
    this.poll();
    this.#timer = setInterval(() => this.poll(), pollInterval);
  }

  stop(): void {
    if (this.#timer !== undefined) clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Tells the scopes that changed since they were last told. */
  poll(): void {
    if (this.#timer !== undefined && !this.ready()) return; // merged while the reader is behind
    for (const item of this.#read()) this.#tell(item.scope, item.state);
  }

  /** The app says it itself. */
  push(scope: string, state: unknown, tell: boolean): void {
    const { value } = toPlain(state);
    this.#pushed.set(scope, value);
    if (tell) this.#tell(scope, value);
  }

  /** Tells every scope again. */
  repeat(): void {
    this.#sent.clear();
    for (const { scope, state } of this.all()) this.#tell(scope, state);
  }

  all(scope?: string): StateItem[] {
    const items = new Map<string, unknown>(this.#pushed);
    for (const item of this.#read()) items.set(item.scope, item.state);
    const out: StateItem[] = [];
    for (const [name, state] of items) if (scope === undefined || scope === name) out.push({ scope: name, state, source: 'custom' });
    return out;
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
