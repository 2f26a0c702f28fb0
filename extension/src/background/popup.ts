/**
 * The person's side: popup windows, told at every change, and heeded only when they
 * are pages of this very extension.
 */
import { POPUP_PORT } from '../popup/messages.ts';
import type { PopupRequest, PopupState } from '../popup/messages.ts';
import { wants } from './confirm.ts';
import type { Confirms } from './confirm.ts';
import { messageOf } from './fault.ts';
import type { DebuggerLane } from './debugger.ts';
import type { Grants } from './grants.ts';
import type { Groups } from './groups.ts';
import type { Health } from './health.ts';
import { isLevel, isSessionName } from './levels.ts';
import type { Picks } from './pick.ts';
import type { Recordings } from './recordings.ts';
import type { SettingsStore } from './settings.ts';
import { siteOf } from './site.ts';
import type { Tabs } from './tabs.ts';

interface Viewer {
  port: chrome.runtime.Port;
  tabId: number | null;
  error: string | null;
}

/** Changes come in bursts; the popup is drawn once for each. */
const PUSH_MS = 30;

export class Popups {
  readonly #viewers = new Set<Viewer>();
  readonly #picks: Picks;
  readonly #confirms: Confirms;
  readonly #recordings: Recordings;
  readonly #tabs: Tabs;
  readonly #grants: Grants;
  readonly #groups: Groups;
  readonly #settings: SettingsStore;
  readonly #debugger: DebuggerLane;
  readonly #health: Health;
  readonly #retry: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(picks: Picks, confirms: Confirms, recordings: Recordings, tabs: Tabs, grants: Grants, groups: Groups, settings: SettingsStore, lane: DebuggerLane, health: Health, retry: () => void) {
    this.#picks = picks;
    this.#confirms = confirms;
    this.#recordings = recordings;
    this.#tabs = tabs;
    this.#grants = grants;
    this.#groups = groups;
    this.#settings = settings;
    this.#debugger = lane;
    this.#health = health;
    this.#retry = retry;
  }

  get open(): boolean {
    return this.#viewers.size > 0;
  }

  accept(port: chrome.runtime.Port, ready: Promise<void>): void {
    const viewer: Viewer = { port, tabId: null, error: null };
    this.#viewers.add(viewer);
    port.onDisconnect.addListener(() => this.#viewers.delete(viewer));
    port.onMessage.addListener((raw: unknown) => {
      void ready.then(async () => {
        const request = decodeRequest(raw);
        if (!request) return;
        viewer.error = null;
        try {
          await this.#run(viewer, request);
        } catch (error) {
          viewer.error = messageOf(error);
        }
        await this.#push(viewer);
      });
    });
  }

  /** Something that popups show has changed. */
  changed(): void {
    if (!this.open) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const viewer of this.#viewers) void this.#push(viewer);
    }, PUSH_MS);
  }

  async #run(viewer: Viewer, request: PopupRequest): Promise<void> {
    switch (request.kind) {
      case 'watch':
        viewer.tabId = request.tabId;
        void this.#health.measure().then(() => this.changed());
        // Of a worker that was restarted meanwhile, or a tab that is not connected, there is nothing to tell.
        if (this.#grants.get(request.tabId)) void this.#recordings.ask('status', request.tabId).catch(() => undefined);
        return;
      case 'record':
        await this.#recordings.ask(request.deed, request.tabId, request.deed === 'mark' ? { text: request.note } : { note: request.note });
        return;
      case 'connect':
        await this.#settings.save({ halted: false, levelDefault: request.level, ...this.#released(request.tabId) });
        await this.#tabs.connect(request.tabId, { level: request.level, sessionId: request.sessionId, anySite: request.anySite }, 'click');
        this.changed();
        return;
      case 'disconnect':
        await this.#tabs.disconnect(request.tabId, 'detached_by_user', true);
        this.changed();
        return;
      case 'pick':
        await this.#show(request.tabId);
        void this.#picks.start(request.tabId).catch((error: unknown) => console.error(messageOf(error)));
        return;
      case 'confirm':
        this.#confirms.answer(request.id, request.allow);
        return;
      case 'show':
        await this.#show(request.tabId);
        return;
      case 'tools':
        await this.#grants.allowTools(request.tabId, request.site, request.allow);
        this.changed();
        return;
      case 'stopEverything':
        await this.stopEverything();
        return;
      case 'retry':
        this.#retry();
        return;
    }
  }

  async #show(tabId: number): Promise<void> {
    const tab = await chrome.tabs.update(tabId, { active: true });
    if (tab?.windowId !== undefined) await chrome.windows.update(tab.windowId, { focused: true });
  }

  async stopEverything(): Promise<void> {
    await this.#settings.save({ halted: true });
    await this.#tabs.disconnectAll();
    this.changed();
  }

  /** A click on Connect lifts what a press on Cancel held back for the site. */
  #released(tabId: number): Partial<{ alwaysSites: SettingsStore['current']['alwaysSites'] }> {
    const grant = this.#grants.get(tabId);
    const { alwaysSites } = this.#settings.current;
    if (!alwaysSites.some((entry) => entry.suspended) || grant) return {};
    return { alwaysSites: alwaysSites.map((entry) => ({ ...entry, suspended: false })) };
  }

  async #push(viewer: Viewer): Promise<void> {
    if (viewer.tabId === null) return;
    const state = await this.#state(viewer.tabId, viewer.error);
    try {
      viewer.port.postMessage(state);
    } catch {
      this.#viewers.delete(viewer);
    }
  }

  async #state(tabId: number, error: string | null): Promise<PopupState> {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    const settings = this.#settings.current;
    const grant = this.#grants.get(tabId);
    return {
      tab: tab
        ? {
            tabId,
            title: tab.title ?? '',
            url: tab.url ?? '',
            site: siteOf(tab.url),
            obstacle: this.#tabs.obstacle(tab.url),
            grant: grant
              ? {
                  level: grant.level,
                  sessionId: grant.sessionId,
                  anySite: grant.anySite,
                  site: grant.site,
                  paused: grant.paused,
                  debugging: this.#debugger.attached(tabId),
                  origin: grant.origin,
                  group: this.#groups.labelOf(tabId),
                  tools: grant.toolsAsked === undefined ? null : { site: grant.toolsAsked, allowed: grant.tools?.includes(grant.toolsAsked) === true },
                }
              : null,
          }
        : null,
      recording: this.#recordings.get(tabId),
      questions: this.#confirms.list(tabId).map((question) => ({ ...question, wants: wants(question), here: question.tabId === tabId })),
      defaults: { level: settings.levelDefault, sessionId: settings.sessionDefault },
      debuggerMode: settings.debuggerMode,
      halted: settings.halted,
      connected: this.#grants.all().map(({ tabId: id, title, site, level, sessionId, paused }) => ({ tabId: id, title, site, level, sessionId, paused })),
      agents: this.#health.agents,
      hops: this.#health.hops(),
      error: error ?? this.#groups.refusal(tabId),
    };
  }
}

/** Whether a sender is a page of this extension, and not a content script that says so. */
export function isOwnPage(sender: chrome.runtime.MessageSender | undefined): boolean {
  if (sender?.id !== chrome.runtime.id || sender.url === undefined) return false;
  return sender.url.startsWith(chrome.runtime.getURL('popup.html')) || sender.url.startsWith(chrome.runtime.getURL('options.html'));
}

export function isPopupPort(port: chrome.runtime.Port): boolean {
  return port.name === POPUP_PORT && isOwnPage(port.sender);
}

function decodeRequest(raw: unknown): PopupRequest | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const { kind, tabId, deed, note, level, sessionId, anySite, site, allow, id } = raw as Record<string, unknown>;
  if (kind === 'stopEverything' || kind === 'retry') return { kind };
  if (kind === 'confirm' && typeof id === 'string' && typeof allow === 'boolean') return { kind, id, allow };
  if (typeof tabId !== 'number' || !Number.isInteger(tabId)) return null;
  if (kind === 'watch' || kind === 'disconnect' || kind === 'show' || kind === 'pick') return { kind, tabId };
  if (kind === 'record' && (deed === 'start' || deed === 'mark' || deed === 'stop' || deed === 'save') && typeof note === 'string') {
    return { kind, tabId, deed, note: note.slice(0, 500) };
  }
  if (kind === 'tools' && typeof site === 'string' && typeof allow === 'boolean') return { kind, tabId, site, allow };
  if (kind === 'connect' && isLevel(level) && isSessionName(sessionId) && typeof anySite === 'boolean') return { kind, tabId, level, sessionId, anySite };
  return null;
}
