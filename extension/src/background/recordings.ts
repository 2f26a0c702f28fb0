/**
 * Recordings of tabs, as the daemon tells of them: for the badge and the popup. It makes
 * them; here is only what the person asks for, and at which sites the last minute is kept.
 */
import type { RecordingView } from '../popup/messages.ts';
import { Fault } from './fault.ts';
import type { Grants } from './grants.ts';
import type { SettingsStore } from './settings.ts';

export type RecordingDeed = 'start' | 'mark' | 'stop' | 'save' | 'status';

const pictureQuality = 70;

export class Recordings {
  readonly #views = new Map<number, RecordingView>();
  readonly #grants: Grants;
  readonly #settings: SettingsStore;
  readonly #request: (op: string, payload: unknown) => Promise<unknown>;
  readonly #emit: (op: string, payload: unknown) => void;
  readonly #shown: (tabId: number) => void;

  constructor(
    grants: Grants, settings: SettingsStore, request: (op: string, payload: unknown) => Promise<unknown>,
    emit: (op: string, payload: unknown) => void, shown: (tabId: number) => void,
  ) {
    this.#grants = grants;
    this.#settings = settings;
    this.#request = request;
    this.#emit = emit;
    this.#shown = shown;
  }

  get(tabId: number): RecordingView | null {
    return this.#grants.get(tabId) === undefined ? null : this.#views.get(tabId) ?? null;
  }

  /** Asks the daemon, in the person's name. */
  async ask(deed: RecordingDeed, tabId: number, fields: Record<string, string> = {}): Promise<void> {
    this.heed(await this.#request(`record.${deed}`, { tabId, ...fields }));
  }

  /** The daemon tells of a tab. */
  heed(payload: unknown): void {
    if (typeof payload !== 'object' || payload === null) return;
    const { tabId, on, person, since, ring, path, warning } = payload as Record<string, unknown>;
    if (typeof tabId !== 'number') return;
    this.#views.set(tabId, {
      on: on === true, person: person === true, ring: ring === true,
      since: typeof since === 'number' ? since : 0,
      path: typeof path === 'string' ? path : '',
      warning: typeof warning === 'string' ? warning : '',
    });
    this.#shown(tabId);
  }

  forget(tabId: number): void {
    this.#views.delete(tabId);
  }

  /** The daemon was told of a connection, and is to know whether its last minute is kept. */
  announce(tabId: number): void {
    const grant = this.#grants.get(tabId);
    if (grant?.origin === 'always' && grant.paused === null && this.#settings.current.ring) this.#emit('record.ring', { tabId, on: true });
  }

  /** The switch was turned. */
  settingsChanged(): void {
    for (const { tabId, origin } of this.#grants.all()) {
      if (origin === 'always') this.#emit('record.ring', { tabId, on: this.#settings.current.ring });
    }
  }

  /** A picture of a tab without the debugger: of the one that is in front of its window. */
  async picture(tabId: number): Promise<{ data: string }> {
    const tab = await chrome.tabs.get(tabId);
    if (this.#grants.get(tabId)?.paused !== null || !tab.active) throw new Fault('CAPABILITY_MISSING', 'The tab is not in front.', { details: { tabId } });
    const url = await chrome.tabs.captureVisibleTab(tab.windowId, { format: 'jpeg', quality: pictureQuality });
    const after = await chrome.tabs.get(tabId);
    if (!after.active || after.windowId !== tab.windowId) throw new Fault('CAPABILITY_MISSING', 'The tab is not in front.', { details: { tabId } });
    return { data: url.slice(url.indexOf(',') + 1) };
  }
}
