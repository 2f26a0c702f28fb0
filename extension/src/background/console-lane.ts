/**
 * The console of a tab comes from one of two places: the hook in the page's own world,
 * or the debugger while it is attached. This is the hand-over between them, exactly
 * once for each line.
 *
 * The page's hook is switched by an evaluate in the content script's isolated world.
 * That evaluate has one position in the page's time, and the debugger's events and its
 * answer arrive in that order: what the page wrote before the switch went through the
 * hook (and its debugger event comes before the answer), what it wrote after went
 * through the debugger (and its event comes after). So events are let through frame by
 * frame, from the answer on. Runtime.enable first replays old lines; they are dropped,
 * except those of a document whose hook was never on.
 *
 * On the way back the same happens in reverse, before the debugger is let go.
 */
import { CONSOLE_SWITCH } from '../content/messages.ts';
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
  isDefault: boolean;
  isOurs: boolean;
  /** The event itself, given again to an agent that enables Runtime. */
  event: Record<string, unknown>;
}

interface SessionState {
  contexts: Map<number, Context>;
  /** Runtime.enable is on its way: what comes now is the replay. */
  replay: Gated[] | null;
  enabled: boolean;
}

interface Deps {
  send: Send;
  /** Lets a gated event through to the daemon. */
  forward(event: Gated): void;
  /** The hook of a document was never on, because the debugger was there first. */
  bornByCdp(nonce: string): boolean;
  /** Makes sure that the hook is in the page of each bridge, switched off. */
  installHooks(): Promise<void>;
}

const GATED = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown']);
const SWITCH_MS = 1_000;
const MAX_REPLAY = 2_000;

export class ConsoleLane {
  readonly #deps: Deps;
  readonly #sessions = new Map<string, SessionState>();
  /** CDP frame ids whose console still comes through the hook. */
  readonly #hooked = new Set<string>();
  #active = false;
  /** An earlier life of the worker had the console, and this one has not enabled Runtime yet. */
  #adopting = false;
  /** Lines up to this time are known to the daemon (ms since the epoch, as the browser counts). */
  #mark = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether documents that begin now leave their hook off. */
  get active(): boolean {
    return this.#active;
  }

  /** The attachment was made by an earlier life of the worker: what comes now is live and ours. */
  adopt(): void {
    this.#adopting = true;
  }

  /** Sees every event of the tab first; true when it was kept back. */
  onEvent(sessionId: string | undefined, method: string, params: Record<string, unknown>): boolean {
    const session = this.#session(sessionId);
    switch (method) {
      case 'Runtime.executionContextCreated':
        this.#contextCreated(session, params);
        return false;
      case 'Runtime.executionContextDestroyed': {
        const id = params.executionContextId;
        if (typeof id === 'number') session.contexts.delete(id);
        return false;
      }
      case 'Runtime.executionContextsCleared':
        session.contexts.clear();
        return false;
    }
    if (!GATED.has(method)) return false;
    if (this.#adopting && session.replay === null) {
      this.#mark = Math.max(this.#mark, timeOf(params));
      return false;
    }
    if (session.replay) {
      if (session.replay.length < MAX_REPLAY) session.replay.push({ sessionId, method, params });
      return true;
    }
    if (!this.#active && this.#hooked.size === 0) return true;
    const frameId = this.#frameOf(session, params);
    return frameId !== undefined && this.#hooked.has(frameId);
  }

  /** The debugger takes the console over from the hooks, in one session of the tab. */
  async take(sessionId: string | undefined): Promise<void> {
    this.#active = true;
    const session = this.#session(sessionId);
    const adopted = this.#adopting && sessionId === undefined;
    if (adopted) {
      // Enabling twice tells no contexts; off and on again does. Every event from
      // before the answer is live; the replay repeats those up to the mark.
      this.#mark = Math.max(this.#mark, Date.now());
      await this.#deps.send(sessionId, 'Runtime.disable', {});
      session.contexts.clear();
    }
    session.replay = [];
    if (adopted) this.#adopting = false;
    await this.#deps.send(sessionId, 'Runtime.enable', {});
    for (const context of session.contexts.values()) if (context.isOurs) this.#hooked.add(context.frameId);
    const replay = session.replay;
    session.replay = null;
    session.enabled = true;
    await Promise.all(
      [...session.contexts.values()]
        .filter((context) => context.isOurs)
        .map(async (context) => {
          const was = await this.#switch(sessionId, context.id, true);
          this.#hooked.delete(context.frameId);
          if (!was || was.wasOn) return;
          for (const event of replay) {
            if (this.#frameOf(session, event.params) !== context.frameId) continue;
            if (timeOf(event.params) > this.#mark && (adopted || this.#deps.bornByCdp(was.nonce))) this.#deps.forward(event);
          }
        }),
    );
  }

  /** The hooks take the console back; after this the debugger may go. */
  async giveBack(): Promise<void> {
    if (!this.#active) return;
    await this.#deps.installHooks();
    this.#active = false;
    const switches: Promise<unknown>[] = [];
    for (const [key, session] of this.#sessions) {
      for (const context of session.contexts.values()) {
        if (!context.isOurs) continue;
        switches.push(
          this.#switch(key === '' ? undefined : key, context.id, false).then(() => this.#hooked.add(context.frameId)),
        );
      }
    }
    await Promise.all(switches);
  }

  /** Contexts of a session again, for an agent that enables Runtime, which is on already. */
  contexts(sessionId: string | undefined): Record<string, unknown>[] | null {
    const session = this.#sessions.get(sessionId ?? '');
    return session?.enabled ? [...session.contexts.values()].map((context) => context.event) : null;
  }

  sessionGone(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #contextCreated(session: SessionState, params: Record<string, unknown>): void {
    const context = asRecord(params.context);
    const aux = asRecord(context.auxData);
    if (typeof context.id !== 'number' || typeof aux.frameId !== 'string') return;
    session.contexts.set(context.id, {
      id: context.id,
      frameId: aux.frameId,
      isDefault: aux.isDefault === true,
      isOurs: aux.isDefault !== true && context.origin === location.origin,
      event: params,
    });
    // A new document in this frame: born while the debugger has the console, or not.
    if (aux.isDefault === true && session.replay === null) {
      if (this.#active) this.#hooked.delete(aux.frameId);
      else this.#hooked.add(aux.frameId);
    }
  }

  #frameOf(session: SessionState, params: Record<string, unknown>): string | undefined {
    const details = asRecord(params.exceptionDetails);
    const id = params.executionContextId ?? details.executionContextId;
    return typeof id === 'number' ? session.contexts.get(id)?.frameId : undefined;
  }

  async #switch(sessionId: string | undefined, contextId: number, byCdp: boolean): Promise<{ nonce: string; wasOn: boolean } | null> {
    const expression = `globalThis[${JSON.stringify(CONSOLE_SWITCH)}]?.(${String(byCdp)})`;
    try {
      const answer = await withDeadline(
        this.#deps.send(sessionId, 'Runtime.evaluate', { expression, contextId, returnByValue: true, silent: true }),
        SWITCH_MS,
        () => new Error('no answer'),
      );
      const value = asRecord(asRecord(asRecord(answer).result).value);
      return typeof value.nonce === 'string' ? { nonce: value.nonce, wasOn: value.wasOn === true } : null;
    } catch {
      return null; // the context went away, and its console with it
    }
  }

  #session(sessionId: string | undefined): SessionState {
    const key = sessionId ?? '';
    let session = this.#sessions.get(key);
    if (!session) this.#sessions.set(key, (session = { contexts: new Map<number, Context>(), replay: null, enabled: false }));
    return session;
  }
}

function timeOf(params: Record<string, unknown>): number {
  return typeof params.timestamp === 'number' ? params.timestamp : 0;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
