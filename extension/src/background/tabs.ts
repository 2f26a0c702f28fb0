/**
 * The granted tabs: connecting, disconnecting, and what happens to a tab meanwhile
 * (navigation, leaving the site, sleep, crash, a new id, the end).
 *
 * A tab that leaves what was granted is paused before anything of the new page is
 * read: the decision is made in the navigation event itself.
 */
import { Fault, messageOf, withDeadline } from './fault.ts';
import type { DebuggerLane, DetachReason } from './debugger.ts';
import type { FrameInfo, Frames } from './frames.ts';
import { holdsOn } from './grants.ts';
import type { Grant, Grants, PauseReason } from './grants.ts';
import { allows } from './levels.ts';
import type { Level } from './levels.ts';
import type { Outbound } from './outbound.ts';
import type { Settings, SettingsStore } from './settings.ts';
import { restriction, siteOf } from './site.ts';

export interface ConnectOptions {
  level: Level;
  sessionId: string;
  anySite: boolean;
}

/** What the daemon knows of a tab. */
export interface TabInfo {
  tabId: number;
  url: string;
  title: string;
  level: Level;
  sessionId: string;
  anySite: boolean;
  userAgent: string;
  debuggerMode: 'auto' | 'always' | 'never';
  eval: boolean;
  telemetry: string[];
  frames: FrameInfo[];
  epochOfGrant: string;
  /** What the daemon checks for itself. */
  site: string;
  expiresAt: number;
  openerTabId: number;
}

/** A tab that may take over the grant of the one it came from, once it shows where that holds. */
interface Heir {
  openerTabId: number;
  level: Level | null;
  settled(fault: Fault | null): void;
}

/** Who is told how tabs come to agents and go: the tab groups. */
export interface Kin {
  /** A popup of a page took its opener's grant over. */
  inherited(tabId: number, openerTabId: number): void;
  /** A connection ended, or a tab that was to inherit one does not. */
  ended(tabId: number): void;
}

/** A renderer that is alive answers an empty script within this, however busy the machine. */
const PROBE_MS = 1_500;
/** A port that closed because of a navigation is followed by the navigation within this. */
const SETTLE_MS = 150;
const REATTACH_MS = 3_100;

type Committed = chrome.webNavigation.WebNavigationTransitionCallbackDetails;

export class Tabs {
  readonly #grants: Grants;
  readonly #settings: SettingsStore;
  readonly #frames: () => Frames;
  readonly #debugger: () => DebuggerLane;
  readonly #out: Outbound;
  readonly #shown: (tabId: number) => void;
  readonly #kin: Kin;
  readonly #connecting = new Map<number, Promise<unknown>>();
  readonly #heirs = new Map<number, Heir>();

  constructor(grants: Grants, settings: SettingsStore, frames: () => Frames, lane: () => DebuggerLane, out: Outbound, shown: (tabId: number) => void, kin: Kin) {
    this.#grants = grants;
    this.#settings = settings;
    this.#frames = frames;
    this.#debugger = lane;
    this.#out = out;
    this.#shown = shown;
    this.#kin = kin;
  }

  /** Why a page cannot be connected, in the person's words; null when it can. */
  obstacle(url: string | undefined): string | null {
    return restriction(url) ?? this.#settings.forbidden(url);
  }

  /**
   * The person said yes (or their always-connect list did). With `from` the tab takes over
   * what that one is granted, and nothing where that one's grant does not reach: by now
   * either may have changed.
   */
  async connect(tabId: number, options: ConnectOptions, origin: Grant['origin'], from?: Grant): Promise<void> {
    const tab = await chrome.tabs.get(tabId);
    const url = tab.url ?? '';
    const empty = from !== undefined && isEmpty(url); // opened for an agent: it counts to the site of the tab it comes from
    const obstacle = empty ? null : this.obstacle(url);
    const site = empty ? from.site : siteOf(url);
    if (obstacle !== null || site === null) throw new Fault('POLICY_DENIED', obstacle ?? 'This page belongs to no site.');
    if (from && !empty && !holdsOn(from, url)) throw beyond(tabId, url);
    const before = this.#grants.get(tabId);
    const main = await chrome.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
    if (from) {
      const opener = this.#grants.get(from.tabId);
      if (!opener || opener.paused !== null || !allows(opener.level, options.level)) throw beyond(tabId, url);
    }
    const minutes = this.#settings.current.grantMinutes;
    const grant: Grant = {
      tabId,
      site,
      ...options,
      expiresAt: from ? from.expiresAt : minutes > 0 && origin === 'click' ? Date.now() + minutes * 60_000 : null,
      since: before?.since ?? Date.now(),
      epoch: crypto.randomUUID(),
      origin,
      paused: null,
      url,
      title: tab.title ?? '',
      documentId: main?.documentId ?? '',
      ...(from ? { openerTabId: from.tabId } : {}),
      // A change of the level or the session takes no answer of the person's back.
      ...(before?.tools !== undefined && before.site === site ? { tools: before.tools, toolsAsked: site } : {}),
    };
    this.#grants.allow(tabId);
    await this.#grants.set(grant);
    if (before && before.level === 'control' && !allows(options.level, 'control')) await this.#debugger().detach(tabId, 'own', true);
    this.#out.emit('tab.connected', this.info(grant));
    if (before?.paused) this.#out.emit('tab.resumed', { tabId, reason: before.paused, url });
    this.#shown(tabId);
    this.#frames().reconfigure(tabId);
    await this.#frames().inject({ tabId, allFrames: true });
    this.#attachIfAlways(tabId);
    // A page that is just loading got its title while nobody listened.
    const late = await chrome.tabs.get(tabId).catch(() => null);
    if (late?.title !== undefined && late.url === url) await this.updated(tabId, { title: late.title });
  }

  /** Ends a connection. declined: the person (or the daemon) said no, and the always-connect list heeds it. */
  async disconnect(tabId: number, reason: string, declined: boolean): Promise<void> {
    const had = this.#grants.all().some((grant) => grant.tabId === tabId) || this.#grants.expired().some((grant) => grant.tabId === tabId);
    await this.#grants.remove(tabId, declined);
    if (!had) return;
    this.#frames().stop(tabId);
    await this.#debugger().detach(tabId, 'own');
    this.#out.emit('tab.disconnected', { tabId, reason });
    this.#kin.ended(tabId);
    this.#shown(tabId);
  }

  async disconnectAll(): Promise<void> {
    await Promise.all(this.#grants.all().map((grant) => this.disconnect(grant.tabId, 'detached_by_user', true)));
    await this.#debugger().detachAll();
  }

  info(grant: Grant): TabInfo {
    const { debuggerMode } = this.#settings.current;
    return {
      tabId: grant.tabId,
      url: grant.url,
      title: grant.title,
      level: grant.level,
      sessionId: grant.sessionId,
      anySite: grant.anySite,
      site: grant.site,
      expiresAt: grant.expiresAt ?? 0,
      userAgent: navigator.userAgent,
      debuggerMode,
      eval: grant.level === 'control' && debuggerMode !== 'never',
      telemetry: this.#settings.enabledTelemetry(),
      frames: this.#frames().of(grant.tabId).map((frame) => frame.info),
      epochOfGrant: grant.epoch,
      openerTabId: grant.openerTabId ?? 0,
    };
  }

  /** Everything, after the link came (back): the state, and which of it is paused. */
  announce(): void {
    const grants = this.#grants.all();
    this.#out.emit('state', { tabs: grants.map((grant) => this.info(grant)) });
    for (const grant of grants) {
      if (grant.paused !== null) this.#out.emit('tab.paused', { tabId: grant.tabId, reason: grant.paused, url: grant.url });
    }
  }

  /** Grants outlive the worker, but not what happened to their tabs meanwhile. */
  async reconcile(): Promise<void> {
    await Promise.all(
      this.#grants.all().map(async (grant) => {
        const tab = await chrome.tabs.get(grant.tabId).catch(() => null);
        if (!tab) return this.#grants.forget(grant.tabId);
        const main = await chrome.webNavigation.getFrame({ tabId: grant.tabId, frameId: 0 }).catch(() => null);
        if (main && main.documentId !== grant.documentId) await this.#mainDocument(grant.tabId, main.documentId, main.url);
        await this.#frames().inject({ tabId: grant.tabId, allFrames: true });
        this.#shown(grant.tabId);
        return undefined;
      }),
    );
  }

  // --- what happens to a tab ---------------------------------------------------

  async committed(details: Committed): Promise<void> {
    const { tabId, frameId, documentId, url } = details;
    if (details.documentLifecycle !== 'active') return; // prerendered, or on its way out
    if (frameId === 0) {
      await this.#mainDocument(tabId, documentId, url);
      this.#shown(tabId);
    }
    if (this.#grants.get(tabId)?.paused !== null) return;
    if (this.#settings.forbidden(url) !== null) return;
    await this.#frames().inject({ tabId, documentIds: [documentId] });
  }

  /** A main document, told by a navigation event, a bridge that was faster, or the debugger. Once each. */
  async #mainDocument(tabId: number, documentId: string, url: string): Promise<void> {
    let grant = this.#grants.get(tabId);
    if (!grant) {
      grant = (await this.#inherited(tabId, url)) ?? (await this.#alwaysConnect(tabId, url));
      if (!grant) return;
    }
    if (grant.documentId === documentId) return;
    // Everything that decides, and everything the daemon is told, comes before the first await.
    const paused = this.#judge(grant, url);
    void this.#grants.update(tabId, { documentId, url, title: '', paused });
    this.#frames().navigated(tabId, documentId);
    this.#debugger().warmUp(tabId);
    const turned = this.#turn(tabId, grant.paused, paused, url);
    if (paused === null) {
      this.#levelMayHaveChanged(grant);
      this.#out.emit('tab.navigated', { tabId, url, sameDocument: false, documentId, title: '' });
    }
    await turned;
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    const title = tab?.title ?? '';
    const now = this.#grants.get(tabId);
    if (now?.documentId !== documentId || now.title !== '' || title === '' || now.paused !== null) return;
    void this.#grants.update(tabId, { title });
    this.#out.emit('tab.updated', { tabId, title });
  }

  readonly mainDocument = (tabId: number, documentId: string, url: string): Promise<void> => this.#mainDocument(tabId, documentId, url);

  /** The debugger saw the main frame commit, ahead of the navigation event: nothing of a foreign page may get out. */
  committedByCdp(tabId: number, url: string): void {
    const grant = this.#grants.get(tabId);
    if (!grant || grant.paused !== null) return;
    const paused = this.#judge(grant, url);
    if (paused === null) return;
    void this.#grants.update(tabId, { paused, url });
    void this.#turn(tabId, null, paused, url);
  }

  #judge(grant: Grant, url: string): PauseReason | null {
    if (grant.paused === null && isEmpty(grant.url) && isEmpty(url)) return null; // as it was opened
    if (this.obstacle(url) !== null) return 'navigated_to_restricted';
    if (holdsOn(grant, url)) return null;
    const always = this.#settings.always(url);
    if (!always) return 'left_site';
    // The tab came to a site that the person lets connect by itself: that grant replaces this one.
    void this.#grants.update(grant.tabId, { site: siteOf(url) ?? grant.site, level: always.level, origin: 'always', anySite: false });
    return null;
  }

  #levelMayHaveChanged(before: Grant): void {
    const now = this.#grants.get(before.tabId);
    if (!now || (now.level === before.level && now.site === before.site)) return;
    if (before.level === 'control' && !allows(now.level, 'control')) void this.#debugger().detach(before.tabId, 'own', true);
    this.#out.emit('tab.connected', this.info(now));
  }

  async #turn(tabId: number, before: PauseReason | null, now: PauseReason | null, url: string): Promise<void> {
    if (now !== null) {
      this.#frames().stop(tabId);
      if (before !== now) this.#out.emit('tab.paused', { tabId, reason: now, url });
      this.#shown(tabId);
      await this.#debugger().detach(tabId, 'own');
      return;
    }
    if (before === null) return;
    this.#out.emit('tab.resumed', { tabId, reason: before, url });
    this.#shown(tabId);
    this.#attachIfAlways(tabId);
  }

  /** Gives a tab that an agent opened its opener's grant; settles when it has it. */
  async inherit(tabId: number, openerTabId: number, level: Level, timeoutMs: number): Promise<void> {
    const connected = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#heirs.delete(tabId);
        reject(new Fault('TIMEOUT', 'The new tab did not begin to load in time.', { details: { tabId, dispatched: true } }));
      }, timeoutMs);
      this.#heirs.set(tabId, {
        openerTabId,
        level,
        settled: (fault) => {
          clearTimeout(timer);
          if (fault) reject(fault);
          else resolve();
        },
      });
    });
    const main = await chrome.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
    if (main && main.url !== '' && main.url !== 'about:blank') await this.#mainDocument(tabId, main.documentId, main.url); // it was quicker
    await connected;
  }

  /** Whether a tab may still take over the grant of the one it came from. */
  expects(tabId: number): boolean {
    return this.#heirs.has(tabId);
  }

  /** A page opened a tab: it may take the grant over, on the same site. */
  popup(tabId: number, openerTabId: number, url: string): void {
    const opener = this.#grants.get(openerTabId);
    if (!opener || opener.paused !== null || this.#heirs.has(tabId)) return;
    if (url !== '' && url !== 'about:blank' && siteOf(url) !== opener.site) {
      this.#out.emit('tab.popup', { openerTabId, url });
      return;
    }
    this.#heirs.set(tabId, { openerTabId, level: null, settled: () => undefined });
  }

  /** The grant of a tab that came from a connected one, decided by what it shows now. */
  async #inherited(tabId: number, url: string): Promise<Grant | undefined> {
    const heir = this.#heirs.get(tabId);
    if (!heir || url === '' || url === 'about:blank') return undefined;
    this.#heirs.delete(tabId);
    const opener = this.#grants.get(heir.openerTabId);
    // "Any site in this tab" was said of that tab: a page's own popup stays on its site.
    const reaches = opener !== undefined && opener.paused === null && (heir.level === null ? siteOf(url) === opener.site : holdsOn(opener, url));
    if (!opener || !reaches || this.obstacle(url) !== null || this.#grants.declined(tabId)) {
      if (heir.level === null && opener) this.#out.emit('tab.popup', { openerTabId: heir.openerTabId, url });
      this.#kin.ended(tabId);
      heir.settled(beyond(tabId, url));
      return undefined;
    }
    const options: ConnectOptions = { level: heir.level ?? opener.level, sessionId: opener.sessionId, anySite: false };
    const connecting = this.connect(tabId, options, opener.origin, heir.level === null ? { ...opener, anySite: false } : opener);
    this.#connecting.set(tabId, connecting);
    try {
      await connecting;
      this.#kin.inherited(tabId, heir.openerTabId);
      heir.settled(null);
    } catch (error) {
      this.#kin.ended(tabId);
      heir.settled(error instanceof Fault ? error : new Fault('INTERNAL_ERROR', messageOf(error)));
    } finally {
      this.#connecting.delete(tabId);
    }
    return this.#grants.get(tabId);
  }

  async #alwaysConnect(tabId: number, url: string): Promise<Grant | undefined> {
    const always = this.#settings.always(url);
    if (!always || this.#grants.declined(tabId) || this.obstacle(url) !== null) return undefined;
    let connecting = this.#connecting.get(tabId);
    if (!connecting) {
      const options: ConnectOptions = { level: always.level, sessionId: this.#settings.current.sessionDefault, anySite: false };
      connecting = this.#grantAlways(tabId, options)
        .catch((error: unknown) => console.debug('not connected by itself', url, messageOf(error)))
        .finally(() => this.#connecting.delete(tabId));
      this.#connecting.set(tabId, connecting);
    }
    await connecting;
    return this.#grants.get(tabId);
  }

  async #grantAlways(tabId: number, options: ConnectOptions): Promise<void> {
    const tab = await chrome.tabs.get(tabId);
    // By now the tab may show something else; connect() looks at what it shows, so this must too.
    if (this.#settings.always(tab.url) === null) return;
    await this.connect(tabId, options, 'always');
  }

  /** Settles when an always-connect grant of the tab that is being made is made. */
  connecting(tabId: number): Promise<unknown> {
    return this.#connecting.get(tabId) ?? Promise.resolve();
  }

  sameDocument(details: { tabId: number; frameId: number; url: string; documentId: string; documentLifecycle: string }): void {
    const { tabId, frameId, url, documentId } = details;
    if (details.documentLifecycle !== 'active') return;
    const grant = this.#grants.get(tabId);
    if (!grant || grant.paused !== null) return;
    this.#frames().moved(tabId, frameId, url);
    if (frameId !== 0) return;
    void this.#grants.update(tabId, { url });
    this.#out.emit('tab.navigated', { tabId, url, sameDocument: true, documentId, title: grant.title });
  }

  async updated(tabId: number, change: { title?: string; discarded?: boolean; status?: string }): Promise<void> {
    const grant = this.#grants.get(tabId);
    if (!grant) return;
    if (change.status !== undefined) this.#shown(tabId); // Chrome clears the badge of a tab that navigates
    if (change.discarded === true) await this.#pause(tabId, 'discarded');
    if (change.title !== undefined && change.title !== grant.title && grant.paused === null) {
      void this.#grants.update(tabId, { title: change.title });
      this.#out.emit('tab.updated', { tabId, title: change.title });
    }
  }

  /** The tab has a new id: the connection follows it. */
  async replaced(newTabId: number, tabId: number): Promise<void> {
    this.#debugger().forget(tabId);
    this.#frames().forget(tabId);
    const had = this.#grants.get(tabId);
    await this.#grants.move(tabId, newTabId);
    if (!had) return;
    this.#out.emit('tab.updated', { tabId, newTabId });
    this.#shown(newTabId);
    const tab = await chrome.tabs.get(newTabId).catch(() => null);
    if (tab?.discarded) return this.#pause(newTabId, 'discarded');
    await this.#frames().inject({ tabId: newTabId, allFrames: true });
  }

  async removed(tabId: number): Promise<void> {
    const had = this.#grants.get(tabId);
    this.#debugger().forget(tabId);
    this.#frames().forget(tabId);
    this.#heirs.get(tabId)?.settled(new Fault('NOT_CONNECTED', 'The tab is gone.', { details: { reason: 'closed' } }));
    this.#heirs.delete(tabId);
    await this.#grants.forget(tabId);
    if (had) this.#out.emit('tab.disconnected', { tabId, reason: 'closed' });
  }

  /** Told by the debugger, or found out by mainLost. */
  async crashed(tabId: number): Promise<void> {
    await this.#pause(tabId, 'crashed');
  }

  /** The main frame's bridge fell silent. Chrome tells no extension of a crash, so the page is asked for a sign of life. */
  async mainLost(tabId: number, documentId: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const grant = this.#grants.get(tabId);
    if (!grant || grant.paused !== null || grant.documentId !== documentId || this.#frames().get(tabId, 0)) return;
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (!tab) return;
    if (tab.discarded) return this.#pause(tabId, 'discarded');
    const alive = await withDeadline(
      chrome.scripting.executeScript({ target: { tabId }, func: () => true, injectImmediately: true }).then(() => true),
      PROBE_MS,
      () => new Error('no sign of life'),
    ).catch(() => false);
    const now = this.#grants.get(tabId);
    if (alive || !now || now.paused !== null || now.documentId !== documentId || this.#frames().get(tabId, 0)) return;
    await this.#pause(tabId, 'crashed');
  }

  async #pause(tabId: number, reason: PauseReason): Promise<void> {
    const grant = this.#grants.get(tabId);
    if (!grant || grant.paused === reason) return;
    // The next document is a new one, whatever its id, so that coming back is noticed.
    await this.#grants.update(tabId, { paused: reason, documentId: '' });
    await this.#turn(tabId, grant.paused, reason, grant.url);
  }

  /** Chrome took the debugger off a tab. */
  async detached(tabId: number, reason: DetachReason): Promise<void> {
    const grant = this.#grants.get(tabId);
    if (!grant) return;
    if (reason === 'canceled_by_user') {
      // The person beats the machine: nothing attaches here again without a new click.
      const always = this.#settings.current.alwaysSites;
      const held = always.map((entry) => (siteOf('https://' + entry.site) === grant.site || entry.site === grant.site ? { ...entry, suspended: true } : entry));
      await Promise.all([this.#settings.save({ alwaysSites: held }), this.disconnect(tabId, 'detached_by_user', true)]);
      return;
    }
    if (reason === 'replaced_with_devtools') {
      this.#frames().reconfigure(tabId);
      return;
    }
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (!tab) return; // tabs.onRemoved or onReplaced tells
    if (tab.discarded) return this.#pause(tabId, 'discarded');
    const url = tab.pendingUrl ?? tab.url ?? '';
    // The page that Chrome closed us out of may not be the tab's official one yet.
    if (restriction(tab.url) !== null || restriction(url) !== null) {
      if (grant.paused === null) {
        await this.#grants.update(tabId, { paused: 'navigated_to_restricted', documentId: '', url });
        await this.#turn(tabId, null, 'navigated_to_restricted', url);
      }
      return;
    }
    // The tab lives and the page may be entered: the bridges go on and take the console back.
    this.#debugger().coolDown(tabId);
    this.#frames().reconfigure(tabId);
    setTimeout(() => this.#attachIfAlways(tabId), REATTACH_MS);
  }

  #attachIfAlways(tabId: number): void {
    const grant = this.#grants.get(tabId);
    if (this.#settings.current.debuggerMode !== 'always' || grant?.level !== 'control' || grant.paused !== null) return;
    this.#debugger()
      .acquire(tabId)
      .catch((error: unknown) => console.debug('debugger not attached', tabId, messageOf(error)));
  }

  /** Settings changed: lists may now forbid a tab; what the daemon knows of tabs may be old. */
  async settingsChanged(now: Settings, before: Settings): Promise<void> {
    const told = ({ debuggerMode, telemetry }: Settings): string => JSON.stringify([debuggerMode, telemetry]);
    const tell = told(now) !== told(before);
    for (const grant of this.#grants.all()) {
      if (this.#settings.forbidden(grant.url) !== null && grant.paused === null) {
        await this.disconnect(grant.tabId, 'detached_by_user', true);
        continue;
      }
      if (!tell) continue;
      this.#out.emit('tab.connected', this.info(grant));
      this.#attachIfAlways(grant.tabId);
    }
    this.#frames().enforceLists();
  }

  /** Connections whose time is over. */
  async expire(): Promise<void> {
    for (const grant of this.#grants.expired()) await this.disconnect(grant.tabId, 'detached_by_user', true);
  }
}

function beyond(tabId: number, url: string): Fault {
  return new Fault('POLICY_DENIED', 'The new tab went to where its opener’s grant does not reach.', {
    details: { tabId, url },
    suggestions: ['Ask the person to click Connect in the Debug Bridge popup of that tab.'],
  });
}

/** A tab that shows nothing, and nothing of anybody's. */
function isEmpty(url: string): boolean {
  return url === '' || url === 'about:blank';
}
