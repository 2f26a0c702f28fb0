/**
 * What the person granted: tab × site × level × expiry, held here and enforced
 * here, whatever the daemon believes.
 *
 * storage.session is the truth: it survives the death of the worker and ends with
 * the browser or a reload of the extension, and content scripts cannot read it.
 */
import { Fault } from './fault.ts';
import { allows, isLevel, isSessionName } from './levels.ts';
import type { Level } from './levels.ts';
import { siteOf } from './site.ts';

export type PauseReason = 'left_site' | 'navigated_to_restricted' | 'crashed' | 'discarded';

export interface Grant {
  tabId: number;
  site: string;
  level: Level;
  sessionId: string;
  /** Any site in this tab, not the granted one alone. */
  anySite: boolean;
  /** ms since the epoch; null: until the tab or the browser closes. */
  expiresAt: number | null;
  /** When the person connected the tab, ms since the epoch. */
  since: number;
  /** Random, new at each click. */
  epoch: string;
  /** By a click, or by the always-connect list. */
  origin: 'click' | 'always';
  paused: PauseReason | null;
  url: string;
  title: string;
  /** Chrome's id of the main document that was last told to the daemon. */
  documentId: string;
  /** The tab it came from, where its grant comes from there too. */
  openerTabId?: number;
  /** Sites whose page tools the person lets agents call. */
  tools?: string[];
  /** A site whose tools an agent wanted to call, until the person has answered. */
  toolsAsked?: string;
  /** The daemon, by its epoch, for which the debugger is not let go when idle. */
  held?: string;
}

const GRANTS_KEY = 'grants';
const DECLINED_KEY = 'declined';

export class Grants {
  readonly #grants = new Map<number, Grant>();
  /** Tabs the person disconnected: the always-connect list leaves them alone until a new click. */
  readonly #declined = new Set<number>();
  #write: Promise<void> = Promise.resolve();

  async load(): Promise<void> {
    const stored = await chrome.storage.session.get([GRANTS_KEY, DECLINED_KEY]);
    for (const value of asArray(stored[GRANTS_KEY])) {
      if (isGrant(value)) this.#grants.set(value.tabId, value);
    }
    for (const value of asArray(stored[DECLINED_KEY])) {
      if (typeof value === 'number') this.#declined.add(value);
    }
  }

  /** The grant of a tab, unless it is over. */
  get(tabId: number): Grant | undefined {
    const grant = this.#grants.get(tabId);
    return grant && !isOver(grant) ? grant : undefined;
  }

  all(): Grant[] {
    return [...this.#grants.values()].filter((grant) => !isOver(grant));
  }

  /** Grants whose time has passed, still held so that the daemon can be told. */
  expired(): Grant[] {
    return [...this.#grants.values()].filter(isOver);
  }

  set(grant: Grant): Promise<void> {
    this.#grants.set(grant.tabId, grant);
    return this.#save();
  }

  update(tabId: number, part: Partial<Grant>): Promise<void> {
    const grant = this.#grants.get(tabId);
    if (!grant) return this.#write;
    this.#grants.set(tabId, { ...grant, ...part });
    return this.#save();
  }

  /** Ends a grant. declined keeps the always-connect list from making a new one. */
  remove(tabId: number, declined: boolean): Promise<void> {
    this.#grants.delete(tabId);
    if (declined) this.#declined.add(tabId);
    return this.#save();
  }

  /** The tab got a new id (discard, prerender activation): the grant follows it. */
  move(from: number, to: number): Promise<void> {
    const grant = this.#grants.get(from);
    this.#grants.delete(from);
    if (grant) this.#grants.set(to, { ...grant, tabId: to });
    if (this.#declined.delete(from)) this.#declined.add(to);
    return this.#save();
  }

  /** The tab is gone for good. */
  forget(tabId: number): Promise<void> {
    this.#grants.delete(tabId);
    this.#declined.delete(tabId);
    return this.#save();
  }

  declined(tabId: number): boolean {
    return this.#declined.has(tabId);
  }

  allow(tabId: number): void {
    this.#declined.delete(tabId);
  }

  /** The live grant of a tab at a level, or the Fault that says why not. */
  require(tabId: number, needed: Level): Grant {
    const grant = this.get(tabId);
    if (!grant) {
      throw new Fault('NOT_CONNECTED', 'This tab is not connected.', {
        details: { tabId },
        suggestions: ['Ask the person to open the Debug Bridge popup in that tab and click Connect.'],
      });
    }
    if (grant.paused !== null) {
      throw new Fault('NOT_CONNECTED', `The connection of this tab is paused: ${PAUSE_WORDS[grant.paused]}`, {
        details: { tabId, reason: grant.paused, site: grant.site },
        suggestions: ['Wait for the page to come back, or ask the person to click Connect in the popup.'],
      });
    }
    if (!allows(grant.level, needed)) {
      throw new Fault('CAPABILITY_MISSING', `This tab is connected at level ${grant.level}; level ${needed} is needed.`, {
        details: { level: grant.level, needed },
        suggestions: [`Ask the person to choose "${needed}" in the Debug Bridge popup.`],
      });
    }
    return grant;
  }

  /** The person's yes to the tools that a frame's site declares, or the Fault that asks for it. */
  requireTools(tabId: number, frameUrl: string): void {
    const grant = this.require(tabId, 'act');
    const site = siteOf(frameUrl) ?? siteOf(grant.url) ?? grant.site;
    if (grant.tools?.includes(site) === true) return;
    if (grant.toolsAsked !== site) void this.update(tabId, { toolsAsked: site });
    throw new Fault('POLICY_DENIED', 'The person has not allowed the tools of this site yet; the popup asks for it now.', {
      details: { reason: 'consent', site, tabId },
      suggestions: ['Ask the person to open the Debug Bridge popup in that tab and switch on Page tools, then call again.'],
    });
  }

  /** The person's answer. */
  allowTools(tabId: number, site: string, allow: boolean): Promise<void> {
    const others = (this.#grants.get(tabId)?.tools ?? []).filter((one) => one !== site);
    // The question stays in the popup, so that a yes can be taken back there.
    return this.update(tabId, { tools: allow ? [...others, site] : others, toolsAsked: site });
  }

  #save(): Promise<void> {
    const value = { [GRANTS_KEY]: [...this.#grants.values()], [DECLINED_KEY]: [...this.#declined] };
    // One write after another: the last state wins, whatever the storage's own order.
    this.#write = this.#write.then(() => chrome.storage.session.set(value));
    return this.#write;
  }
}

/** Whether a grant holds on an address. */
export function holdsOn(grant: Grant, url: string): boolean {
  return grant.anySite ? siteOf(url) !== null : siteOf(url) === grant.site;
}

export const PAUSE_WORDS: Record<PauseReason, string> = {
  left_site: 'the tab left the site that was granted.',
  navigated_to_restricted: 'the tab shows a page that no extension may enter.',
  crashed: 'the page crashed.',
  discarded: 'Chrome put the tab to sleep.',
};

function isOver(grant: Grant): boolean {
  return grant.expiresAt !== null && grant.expiresAt <= Date.now();
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isGrant(value: unknown): value is Grant {
  if (typeof value !== 'object' || value === null) return false;
  const grant: Partial<Record<keyof Grant, unknown>> = value;
  return typeof grant.tabId === 'number' && typeof grant.site === 'string' && isLevel(grant.level) && isSessionName(grant.sessionId);
}
