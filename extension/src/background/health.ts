/** How well each hop from this browser to the agents is, in words for the popup. */
import type { AgentView, Hop } from '../popup/messages.ts';
import { messageOf, withDeadline } from './fault.ts';

/** The state of the link, as it tells it. */
export interface LinkState {
  phase: 'connecting' | 'connected' | 'waiting' | 'failed';
  error?: { code: string; message: string; command?: string } | undefined;
  hostVersion?: string | undefined;
  retryAt?: number | undefined;
}

const MEASURE_MS = 2_000;

export class Health {
  #link: LinkState = { phase: 'connecting' };
  #agents: AgentView[] = [];
  #daemonURL: string | undefined;
  #roundTripMs: number | null = null;
  #silent = false;
  readonly #ping: () => Promise<unknown>;

  constructor(ping: () => Promise<unknown>) {
    this.#ping = ping;
  }

  get agents(): AgentView[] {
    return this.#agents;
  }

  get daemonURL(): string | undefined {
    return this.#daemonURL;
  }

  linkChanged(state: LinkState): void {
    this.#link = state;
    if (state.phase === 'connected') return;
    this.#agents = [];
    this.#roundTripMs = null;
    this.#silent = false;
  }

  /** The daemon told who is attached. */
  agentsChanged(payload: unknown): void {
    const { sessions, url } = record(payload);
    this.#daemonURL = typeof url === 'string' ? url : undefined;
    this.#agents = list(sessions).flatMap((session) => {
      const { id: sessionId, agents } = record(session);
      return list(agents).flatMap((agent) => {
        const { id, name } = record(agent);
        return typeof id === 'string' && typeof sessionId === 'string' ? [{ id, name: typeof name === 'string' && name !== '' ? name : id, sessionId }] : [];
      });
    });
  }

  /** A round trip to the daemon: green means answered, not merely open. */
  async measure(): Promise<void> {
    if (this.#link.phase !== 'connected') return;
    const began = performance.now();
    try {
      await withDeadline(this.#ping(), MEASURE_MS, () => new Error('silent'));
      this.#silent = false;
    } catch (error) {
      // An answer that says "unknown" is an answer.
      this.#silent = messageOf(error) === 'silent';
    }
    this.#roundTripMs = this.#silent ? null : performance.now() - began;
  }

  hops(): Hop[] {
    const version = chrome.runtime.getManifest().version;
    return [{ name: 'extension', state: 'ok', text: `Version ${version}` }, this.#host(), this.#daemon(), this.#agentsHop()];
  }

  #host(): Hop {
    const { phase, error } = this.#link;
    if (error?.code === 'NATIVE_HOST_NOT_INSTALLED') {
      return { name: 'host', state: 'fail', text: 'Not installed for this browser. Run this, then restart the browser:', command: error.command ?? 'dbridge install' };
    }
    if (error?.code === 'VERSION_MISMATCH') return { name: 'host', state: 'fail', text: error.message, command: error.command ?? 'dbridge install' };
    if (phase === 'connected' || error?.code === 'DAEMON_UNAVAILABLE') return { name: 'host', state: 'ok', text: 'Started by Chrome' };
    if (error) return { name: 'host', state: 'fail', text: error.message, command: error.command ?? 'dbridge doctor' };
    return { name: 'host', state: 'wait', text: 'Connecting …' };
  }

  #daemon(): Hop {
    const { phase, error, hostVersion } = this.#link;
    if (error?.code === 'DAEMON_UNAVAILABLE') return { name: 'daemon', state: 'fail', text: 'Does not answer. This says why:', command: error.command ?? 'dbridge doctor' };
    if (phase !== 'connected') return { name: 'daemon', state: 'unknown', text: 'Waits for the host' };
    if (this.#silent) return { name: 'daemon', state: 'warn', text: 'Connected, but silent. This says why:', command: 'dbridge doctor' };
    const parts = [hostVersion === undefined ? 'Running' : `Version ${hostVersion}`];
    if (this.#roundTripMs !== null) parts.push(`answers in ${this.#roundTripMs < 1 ? 'under 1' : String(Math.round(this.#roundTripMs))} ms`);
    return { name: 'daemon', state: 'ok', text: parts.join(', ') };
  }

  #agentsHop(): Hop {
    if (this.#link.phase !== 'connected') return { name: 'agents', state: 'unknown', text: 'Wait for the daemon' };
    const count = this.#agents.length;
    if (count === 0) return { name: 'agents', state: 'warn', text: 'None attached. To try one:', command: 'dbridge attach' };
    return { name: 'agents', state: 'ok', text: count === 1 ? '1 attached' : `${String(count)} attached` };
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
