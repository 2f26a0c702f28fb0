/**
 * The console of a tab comes from one of two places: the hook in the page's own world,
 * or the debugger while it is attached. This is the hand-over between them, exactly
 * once for each line.
 *
 * The content script switches the hook, and says so through a binding that exists in
 * its isolated world alone. The debugger tells of that call in the same stream as of
 * the page's console calls, so the mark stands at the very place in the page's time
 * where the hook went off or on. (The answer to a command does not: Chrome delivers
 * answers and events on two ways.) So each frame has a gate:
 *
 * - waiting: the hook may be on. Lines are kept until the mark, and then dropped if
 *   the hook was on until there, for they came through it. Only what the page wrote
 *   after the person connected the tab and before the hook came goes on: the mark says
 *   when that was.
 * - open: lines go to the daemon.
 * - shut: the hook is on; lines are dropped.
 *
 * Runtime.enable first replays old lines; they wait at the gate like all others. So do
 * the lines of a page that comes back from the back/forward cache: Chrome tells them
 * all again, and the mark says which document it is.
 */
import { CONSOLE_MARK, CONSOLE_SWITCH } from '../content/messages.ts';
import { withDeadline } from './fault.ts';

export type Send = (sessionId: string | undefined, method: string, params: Record<string, unknown>) => Promise<unknown>;

interface Gated {
  sessionId: string | undefined;
  method: string;
  params: Record<string, unknown>;
}

interface Context {
  id: number;
  frameId: string;
  isOurs: boolean;
  /** The event itself, given again to an agent that enables Runtime. */
  event: Record<string, unknown>;
}

interface Session {
  contexts: Map<number, Context>;
  taken: boolean;
}

type Gate =
  | { state: 'open'; nonce?: string }
  | { state: 'shut' }
  | { state: 'waiting'; kept: Gated[]; timer: ReturnType<typeof setTimeout>; isNew: boolean };

interface Deps {
  send: Send;
  /** Lets a gated event through to the daemon. */
  forward(event: Gated): void;
  /** The hook of a document was never on, because the debugger was there first. */
  bornByCdp(nonce: string): boolean;
  /** When the person connected the tab, ms since the epoch. */
  grantedAt(): number;
  /** Makes sure that the hook is in the page of each bridge, switched off. */
  installHooks(): Promise<void>;
}

const GATED = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown']);
/** A frame without a bridge never marks; its lines wait no longer than this. */
const MARK_MS = 3_000;
const SWITCH_MS = 1_000;
/** Documents whose last line is remembered; more than the back/forward cache holds. */
const MAX_HEARD = 200;
/** Lines kept at one gate; older ones go first. */
const MAX_KEPT = 2_000;

export class ConsoleLane {
  readonly #deps: Deps;
  readonly #sessions = new Map<string, Session>();
  readonly #gates = new Map<string, Gate>();
  readonly #marked = new Set<() => void>();
  /** By document (its bridge's nonce): the time of its last line that went to the daemon. */
  readonly #heard = new Map<string, number>();
  #active = false;
  /** An earlier life of the worker had the console, and this one has not enabled Runtime yet. */
  #adopting: boolean;
  #adopted: boolean;
  /** Lines up to this time are known to the daemon (ms since the epoch, as the browser counts). */
  #known: number;

  /** knownUntil: when an earlier attachment of the tab let go; adopted: it is still the one of an earlier life of the worker. */
  constructor(deps: Deps, knownUntil: number, adopted: boolean) {
    this.#deps = deps;
    this.#known = knownUntil;
    this.#adopting = this.#adopted = adopted;
  }

  /** Whether documents that begin now leave their hook off. */
  get active(): boolean {
    return this.#active;
  }

  /** Sees every event of the tab first; true when it was kept back. */
  onEvent(sessionId: string | undefined, method: string, params: Record<string, unknown>): boolean {
    const session = this.#session(sessionId);
    switch (method) {
      case 'Runtime.executionContextCreated':
        this.#contextCreated(sessionId, session, params);
        return false;
      case 'Runtime.executionContextDestroyed': {
        const id = params.executionContextId;
        if (typeof id === 'number') session.contexts.delete(id);
        return false;
      }
      case 'Runtime.executionContextsCleared':
        session.contexts.clear();
        return false;
      case 'Runtime.bindingCalled':
        return params.name === CONSOLE_MARK && this.#mark(session, params);
    }
    if (!GATED.has(method)) return false;
    if (this.#adopting) {
      // Live lines between the death of the worker and our own enable; the replay has them again.
      this.#known = Math.max(this.#known, timeOf(params));
      return false;
    }
    const frameId = frameOf(session, params);
    if (frameId === undefined) return !this.#active;
    const gate = this.#gates.get(frameId);
    if (!gate) return !this.#active;
    if (gate.state === 'open' && gate.nonce !== undefined) this.#hear(gate.nonce, timeOf(params));
    if (gate.state !== 'waiting') return gate.state === 'shut';
    gate.kept.push({ sessionId, method, params });
    if (gate.kept.length > MAX_KEPT) gate.kept.shift();
    return true;
  }

  /** The debugger takes the console over from the hooks, in one session of the tab. */
  async take(sessionId: string | undefined): Promise<void> {
    this.#active = true;
    const session = this.#session(sessionId);
    if (this.#adopting && sessionId === undefined) {
      // Enabling twice tells no contexts; off and on again does.
      this.#known = Math.max(this.#known, Date.now());
      await this.#deps.send(sessionId, 'Runtime.disable', {});
      session.contexts.clear();
      this.#adopting = false;
    }
    await Promise.all([
      this.#deps.send(sessionId, 'Runtime.addBinding', { name: CONSOLE_MARK, executionContextName: WORLD_NAME }),
      this.#deps.send(sessionId, 'Runtime.enable', {}),
    ]);
    session.taken = true;
  }

  /** The hooks take the console back; after this the debugger may go. */
  async giveBack(): Promise<void> {
    if (!this.#active) return;
    await this.#deps.installHooks();
    this.#active = false;
    const ours = [...this.#sessions].flatMap(([key, session]) =>
      [...session.contexts.values()].filter((context) => context.isOurs).map((context) => ({ sessionId: key === '' ? undefined : key, context })),
    );
    await Promise.all(ours.map(({ sessionId, context }) => this.#switch(sessionId, context.id, false)));
    // The marks may come after the answers.
    const marked = (): boolean => ours.every(({ context }) => this.#gates.get(context.frameId)?.state === 'shut');
    if (!marked()) await this.#until(marked);
    this.dispose();
  }

  dispose(): void {
    for (const gate of this.#gates.values()) if (gate.state === 'waiting') clearTimeout(gate.timer);
    this.#gates.clear();
    this.#active = false;
  }

  /** Contexts of a session again, for an agent that enables Runtime, which is on already. */
  contexts(sessionId: string | undefined): Record<string, unknown>[] | null {
    const session = this.#sessions.get(sessionId ?? '');
    return session?.taken ? [...session.contexts.values()].map((context) => context.event) : null;
  }

  sessionGone(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #contextCreated(sessionId: string | undefined, session: Session, params: Record<string, unknown>): void {
    const context = asRecord(params.context);
    const aux = asRecord(context.auxData);
    if (typeof context.id !== 'number' || typeof aux.frameId !== 'string') return;
    const isOurs = aux.isDefault !== true && context.origin === location.origin;
    const { id } = context;
    const { frameId } = aux;
    session.contexts.set(id, { id, frameId, isOurs, event: params });
    if (!this.#active) return;
    // Chrome tells of a frame's contexts in any order; the main one means a document.
    if (aux.isDefault === true) this.#wait(frameId, session.taken);
    // An existing bridge is told to switch; a new one marks when it starts.
    if (isOurs) void this.#switch(sessionId, id, true);
  }

  /** A document begins, or was there before us: its gate waits for the mark of its bridge. */
  #wait(frameId: string, isNew: boolean): void {
    const before = this.#gates.get(frameId);
    if (before?.state === 'waiting') {
      clearTimeout(before.timer);
      if (isNew) this.#flush(before.kept);
    }
    const timer = setTimeout(() => {
      const gate = this.#gates.get(frameId);
      if (gate?.state !== 'waiting' || gate.timer !== timer) return;
      this.#gates.set(frameId, { state: 'open' });
      if (isNew) this.#flush(gate.kept);
    }, MARK_MS);
    this.#gates.set(frameId, { state: 'waiting', kept: [], timer, isNew });
  }

  /** A bridge switched its hook, here in the stream. */
  #mark(session: Session, params: Record<string, unknown>): boolean {
    const context = typeof params.executionContextId === 'number' ? session.contexts.get(params.executionContextId) : undefined;
    const mark = readMark(params.payload);
    if (!context?.isOurs || !mark) return true;
    const gate = this.#gates.get(context.frameId);
    if (!mark.byCdp) {
      this.#gates.set(context.frameId, { state: 'shut' });
    } else {
      if (gate?.state === 'waiting') clearTimeout(gate.timer);
      this.#gates.set(context.frameId, { state: 'open', nonce: mark.nonce });
      if (gate?.state === 'waiting' && !mark.wasOn && (gate.isNew || this.#adopted || this.#deps.bornByCdp(mark.nonce))) this.#flush(gate.kept, mark.nonce);
      if (gate?.state === 'waiting' && mark.wasOn && mark.since !== null) {
        const from = this.#deps.grantedAt();
        const { since } = mark;
        this.#flush(gate.kept.filter((event) => timeOf(event.params) >= from && timeOf(event.params) < since), mark.nonce);
      }
    }
    for (const done of [...this.#marked]) done();
    return true;
  }

  #flush(kept: Gated[], nonce?: string): void {
    const known = Math.max(this.#known, nonce === undefined ? 0 : (this.#heard.get(nonce) ?? 0));
    for (const event of kept) {
      const time = timeOf(event.params);
      if (time <= known) continue;
      if (nonce !== undefined) this.#hear(nonce, time);
      this.#deps.forward(event);
    }
  }

  #hear(nonce: string, time: number): void {
    const before = this.#heard.get(nonce) ?? 0;
    this.#heard.delete(nonce); // the one heard last goes to the end
    this.#heard.set(nonce, Math.max(before, time));
    if (this.#heard.size > MAX_HEARD) for (const oldest of this.#heard.keys()) {
      this.#heard.delete(oldest);
      break;
    }
  }

  async #switch(sessionId: string | undefined, contextId: number, byCdp: boolean): Promise<void> {
    const expression = `void globalThis[${JSON.stringify(CONSOLE_SWITCH)}]?.(${String(byCdp)})`;
    await withDeadline(this.#deps.send(sessionId, 'Runtime.evaluate', { expression, contextId, silent: true }), SWITCH_MS, () => new Error('no answer')).catch(
      () => undefined, // the context went away, and its console with it; or its page is stuck and writes nothing
    );
  }

  #until(done: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!done()) return;
        end();
      };
      const end = (): void => {
        clearTimeout(timer);
        this.#marked.delete(look);
        resolve();
      };
      const timer = setTimeout(end, SWITCH_MS);
      this.#marked.add(look);
    });
  }

  #session(sessionId: string | undefined): Session {
    const key = sessionId ?? '';
    let session = this.#sessions.get(key);
    if (!session) this.#sessions.set(key, (session = { contexts: new Map<number, Context>(), taken: false }));
    return session;
  }
}

/** Chrome names the isolated world of an extension's content scripts after the extension. */
const WORLD_NAME = chrome.runtime.getManifest().name;

function frameOf(session: Session, params: Record<string, unknown>): string | undefined {
  const id = params.executionContextId ?? asRecord(params.exceptionDetails).executionContextId;
  return typeof id === 'number' ? session.contexts.get(id)?.frameId : undefined;
}

function readMark(payload: unknown): { nonce: string; wasOn: boolean; byCdp: boolean; since: number | null } | null {
  if (typeof payload !== 'string') return null;
  try {
    const mark = asRecord(JSON.parse(payload));
    return typeof mark.nonce === 'string' ? { nonce: mark.nonce, wasOn: mark.wasOn === true, byCdp: mark.byCdp === true, since: typeof mark.since === 'number' ? mark.since : null } : null;
  } catch {
    return null;
  }
}

function timeOf(params: Record<string, unknown>): number {
  return typeof params.timestamp === 'number' ? params.timestamp : 0;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
