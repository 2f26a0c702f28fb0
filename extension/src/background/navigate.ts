/** tab.navigate: only where the grant reaches, answered when the browser committed the page. */
import { Fault, messageOf } from './fault.ts';
import { holdsOn } from './grants.ts';
import type { Grant, Grants } from './grants.ts';
import { allows } from './levels.ts';
import type { SettingsStore } from './settings.ts';
import { isWeb, parseURL, portOf, restriction, siteOf } from './site.ts';

export interface NavigateCall {
  tabId: number;
  url?: string;
  back?: boolean;
  forward?: boolean;
  reload?: boolean;
  /** With reload: past the cache. */
  ignoreCache?: boolean;
  /** Runs ahead of the new document's own scripts, in this load alone. Needs level control. */
  initScript?: string;
  /** What a page that asks whether to leave it is told. Needs level control. */
  beforeunload?: 'accept' | 'dismiss';
  timeoutMs?: number;
}

/** The debugger's part, at level control. */
interface Control {
  send(method: string, params: Record<string, unknown>): Promise<unknown>;
}

interface Waiting {
  /** Its own load has begun: what fails from now on is not the one before it. */
  begun: boolean;
  resolve(url: string): void;
  reject(fault: Fault): void;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** A step in history begins at once, or there is nothing there. */
const STEP_MS = 1_500;
/** The cloud machines' own address for credentials; no page has business there. */
const METADATA_HOSTS = new Set(['169.254.169.254', '[fd00:ec2::254]', 'metadata.google.internal']);
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|\[::\]|.*\.localhost)$/;

export class Navigation {
  readonly #grants: Grants;
  readonly #settings: SettingsStore;
  /** Address of the daemon, as it told us. */
  readonly #daemonURL: () => string | undefined;
  readonly #waiting = new Map<number, Set<Waiting>>();
  readonly #beginning = new Map<number, () => void>();
  readonly #leaving = new Map<number, boolean>();
  readonly #control: (tabId: number) => Control;

  constructor(grants: Grants, settings: SettingsStore, daemonURL: () => string | undefined, control: (tabId: number) => Control) {
    this.#control = control;
    this.#grants = grants;
    this.#settings = settings;
    this.#daemonURL = daemonURL;
  }

  async run(call: NavigateCall): Promise<{ url: string }> {
    const grant = this.#grants.get(call.tabId);
    const steps = [call.url !== undefined, call.back, call.forward, call.reload].filter((step) => step === true).length;
    if (steps !== 1) throw new Fault('VALIDATION_ERROR', 'Give exactly one of url, back, forward and reload.');
    if (!grant || !leavable(grant) || call.back === true || call.forward === true || !allows(grant.level, 'act')) this.#grants.require(call.tabId, 'act');
    const target = call.url === undefined ? undefined : this.resolve(call.tabId, call.url);
    const undo = await this.#prepare(call);
    try {
      return await this.#go(call, target);
    } finally {
      undo();
    }
  }

  /** What needs the debugger: it is there before the page is left. */
  async #prepare(call: NavigateCall): Promise<() => void> {
    if (call.initScript === undefined && call.beforeunload === undefined) return () => undefined;
    this.#grants.require(call.tabId, 'control');
    const control = this.#control(call.tabId);
    if (call.beforeunload !== undefined) {
      await control.send('Page.getFrameTree', {}); // attaches
      this.#leaving.set(call.tabId, call.beforeunload === 'accept');
    }
    const script = call.initScript === undefined ? undefined : await control.send('Page.addScriptToEvaluateOnNewDocument', { source: call.initScript });
    return () => {
      this.#leaving.delete(call.tabId);
      if (script === undefined) return;
      control.send('Page.removeScriptToEvaluateOnNewDocument', script as Record<string, unknown>).catch((error: unknown) => console.debug('script not removed', messageOf(error)));
    };
  }

  leaving(tabId: number): boolean | undefined {
    return this.#leaving.get(tabId);
  }

  async #go(call: NavigateCall, target: string | undefined): Promise<{ url: string }> {
    const committed = this.#committed(call.tabId, call.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    try {
      if (target !== undefined) await chrome.tabs.update(call.tabId, { url: target });
      else if (call.reload !== true) await this.#step(call.tabId, call.back === true ? -1 : 1);
      else await chrome.tabs.reload(call.tabId, { bypassCache: call.ignoreCache === true });
    } catch (error) {
      committed.cancel();
      throw new Fault('NAVIGATION_INTERRUPTED', 'Chrome did not navigate.', { details: { reason: 'refused', chrome: messageOf(error) } });
    }
    return { url: await committed.url };
  }

  /**
   * One step in history as the page itself would go. chrome.tabs.goBack is the
   * toolbar's button: it skips pages that the person never touched, which are most of
   * those an agent came by.
   */
  async #step(tabId: number, delta: number): Promise<void> {
    const moves = this.#begins(tabId);
    await chrome.scripting.executeScript({ target: { tabId }, injectImmediately: true, func: (by: number) => history.go(by), args: [delta] });
    if (!(await moves)) throw new Error('There is no page in that direction.');
  }

  /** Whether the tab begins to navigate within a moment; there is no other sign of the end of history. */
  #begins(tabId: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), STEP_MS);
      const done = (moves: boolean): void => {
        clearTimeout(timer);
        this.#beginning.delete(tabId);
        resolve(moves);
      };
      this.#beginning.set(tabId, () => done(true));
    });
  }

  /** The main frame is about to load something. */
  begins(tabId: number): void {
    this.#beginning.get(tabId)?.();
    for (const waiting of this.#waiting.get(tabId) ?? []) waiting.begun = true;
  }

  /** The address an agent asked for, or POLICY_DENIED. */
  resolve(tabId: number, address: string): string {
    const grant = this.#grants.get(tabId);
    const url = URL.parse(address, grant?.url || undefined);
    if (!url) throw new Fault('VALIDATION_ERROR', 'That is no address.', { details: { url: address } });
    if (url.href === 'about:blank') return url.href;
    if (!isWeb(url)) throw denied(url.href, 'Agents load http and https addresses only.');
    const why = restriction(url.href) ?? this.#settings.forbidden(url.href);
    if (why !== null) throw denied(url.href, why);
    if (METADATA_HOSTS.has(url.hostname)) throw denied(url.href, 'This address gives out credentials.');
    if (this.#isDaemon(url)) throw denied(url.href, 'This is Debug Bridge’s own address.');
    if (grant && !holdsOn(grant, url.href) && !this.#settings.always(url.href)) {
      throw new Fault('POLICY_DENIED', 'That address is outside the site the person connected.', {
        details: { url: url.href, site: grant.site, target: siteOf(url.href) },
        suggestions: ['Ask the person to switch on "Any site in this tab" in the Debug Bridge popup.'],
      });
    }
    return url.href;
  }

  #isDaemon(url: URL): boolean {
    if (!LOOPBACK.test(url.hostname)) return false;
    const told = parseURL(this.#daemonURL()?.replace(/^ws/, 'http'));
    return portOf(url) === (told ? portOf(told) : '9224');
  }

  #committed(tabId: number, timeoutMs: number): { url: Promise<string>; cancel: () => void } {
    let waiting: Waiting | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const done = (): void => {
      clearTimeout(timer);
      if (waiting) this.#waiting.get(tabId)?.delete(waiting);
    };
    const url = new Promise<string>((resolve, reject) => {
      waiting = { begun: false, resolve, reject };
      timer = setTimeout(
        () => reject(new Fault('TIMEOUT', 'The page did not begin to load in time; a dialog that asks whether to leave may be open.', { details: { dispatched: true } })),
        timeoutMs,
      );
      let set = this.#waiting.get(tabId);
      if (!set) this.#waiting.set(tabId, (set = new Set<Waiting>()));
      set.add(waiting);
    }).finally(done);
    url.catch(() => undefined); // cancelled before anyone waits
    return { url, cancel: () => waiting?.reject(new Fault('CANCELLED', 'Not navigated.')) };
  }

  /** The main frame shows a new address. */
  committed(tabId: number, url: string): void {
    this.begins(tabId);
    for (const waiting of this.#take(tabId)) waiting.resolve(url);
  }

  /** The main frame's load failed before it showed anything. */
  failed(tabId: number, url: string, error: string): void {
    for (const waiting of [...(this.#waiting.get(tabId) ?? [])]) {
      if (error === 'net::ERR_ABORTED' && !waiting.begun) continue; // a load before it, which it ended
      waiting.reject(new Fault('NAVIGATION_INTERRUPTED', 'The page did not load.', { details: { reason: error, url } }));
    }
  }

  gone(tabId: number): void {
    for (const waiting of this.#take(tabId)) waiting.reject(new Fault('NOT_CONNECTED', 'The tab is gone.', { details: { reason: 'closed' } }));
  }

  #take(tabId: number): Waiting[] {
    const set = this.#waiting.get(tabId);
    this.#waiting.delete(tabId);
    return set ? [...set] : [];
  }
}

/** A page that crashed, sleeps or is blank may be left; a site that the person went to may not. */
function leavable(grant: Grant): boolean {
  return grant.paused === 'crashed' || grant.paused === 'discarded' || (grant.paused === 'navigated_to_restricted' && grant.url === 'about:blank');
}

function denied(url: string, why: string): Fault {
  return new Fault('POLICY_DENIED', why, { details: { url } });
}
