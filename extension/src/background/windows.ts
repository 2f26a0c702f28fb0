/**
 * Tabs and windows as an agent may handle them: opening, closing, showing, resizing.
 * Nothing here widens a grant: a tab that is opened, by an agent or by a page, gets at
 * most the grant of the tab it comes from, and only on an address where that one holds.
 */
import { Fault, messageOf } from './fault.ts';
import type { Grant, Grants } from './grants.ts';
import type { Agent } from './group-state.ts';
import type { Groups } from './groups.ts';
import { allows } from './levels.ts';
import type { Level } from './levels.ts';
import type { Navigation } from './navigate.ts';
import type { Tabs } from './tabs.ts';

/**
 * tabs.open {url, background?, sessionId?, level?, openerTabId?, agent? {key, label}} → {tabId}
 * Answered when the tab is connected. With agent it stands in that agent's tab group.
 */
export interface OpenCall {
  url: string;
  background: boolean;
  sessionId?: string;
  level?: Level;
  openerTabId?: number;
  agent?: Agent;
  timeoutMs: number;
}

export class Windows {
  readonly #grants: Grants;
  readonly #tabs: Tabs;
  readonly #navigation: Navigation;
  readonly #groups: Groups;

  constructor(grants: Grants, tabs: Tabs, navigation: Navigation, groups: Groups) {
    this.#grants = grants;
    this.#tabs = tabs;
    this.#navigation = navigation;
    this.#groups = groups;
  }

  async open(call: OpenCall): Promise<{ tabId: number }> {
    const opener = this.#opener(call);
    const url = this.#navigation.resolve(opener.tabId, call.url); // the opener's own rules
    const level = call.level !== undefined && allows(opener.level, call.level) ? call.level : opener.level;
    const { windowId } = await chrome.tabs.get(opener.tabId);
    let tab: chrome.tabs.Tab;
    try {
      tab = await chrome.tabs.create({ url, active: !call.background, openerTabId: opener.tabId, windowId });
    } catch (error) {
      throw new Fault('NAVIGATION_INTERRUPTED', 'Chrome opened no tab.', { details: { reason: 'refused', chrome: messageOf(error) } });
    }
    if (tab.id === undefined) throw new Fault('NAVIGATION_INTERRUPTED', 'Chrome opened no tab.', { details: { reason: 'refused' } });
    const [inherited] = await Promise.allSettled([
      url === 'about:blank'
        ? this.#tabs.connect(tab.id, { level, sessionId: opener.sessionId, anySite: opener.anySite }, opener.origin, opener)
        : this.#tabs.inherit(tab.id, opener.tabId, level, call.timeoutMs),
      call.agent && this.#groups.adopt(tab.id, call.agent, opener),
    ]);
    if (inherited.status === 'rejected') {
      this.#groups.ended(tab.id);
      throw inherited.reason;
    }
    return { tabId: tab.id };
  }

  /** The tab whose grant the new one takes: the one named, or one that holds on the address. */
  #opener(call: OpenCall): Grant {
    if (call.openerTabId !== undefined) {
      const opener = this.#grants.require(call.openerTabId, 'act');
      if (call.sessionId !== undefined && call.sessionId !== opener.sessionId) {
        throw new Fault('POLICY_DENIED', 'A new tab joins the session of the tab it comes from.', { details: { sessionId: opener.sessionId } });
      }
      return opener;
    }
    const live = this.#grants.all().filter((grant) => grant.paused === null && allows(grant.level, 'act') && (call.sessionId ?? grant.sessionId) === grant.sessionId);
    const fitting = live.find((grant) => {
      try {
        this.#navigation.resolve(grant.tabId, call.url);
        return true;
      } catch {
        return false;
      }
    });
    const opener = fitting ?? live[0];
    if (opener) return opener; // one that does not fit says why
    throw new Fault('NOT_CONNECTED', 'No tab is connected that a new one could take its grant from.', {
      suggestions: ['Ask the person to open the Debug Bridge popup in a tab and click Connect, at level act or control.'],
    });
  }

  /** tabs.close {tabId} → {} */
  async close(tabId: number): Promise<void> {
    const grant = this.#grants.get(tabId);
    const asleep = grant?.paused === 'crashed' || grant?.paused === 'discarded';
    if (!grant || !asleep || !allows(grant.level, 'act')) this.#grants.require(tabId, 'act');
    await chrome.tabs.remove(tabId);
  }

  /** tabs.activate {tabId} → {} */
  async activate(tabId: number): Promise<void> {
    this.#grants.require(tabId, 'act');
    const tab = await chrome.tabs.update(tabId, { active: true });
    if (tab !== undefined) await chrome.windows.update(tab.windowId, { focused: true });
  }

  /** window.resize {tabId, width, height} → {width, height, via}: what the viewport became. */
  async resize(tabId: number, width: number, height: number): Promise<{ width: number; height: number; via: 'window' }> {
    this.#grants.require(tabId, 'act');
    const tab = await chrome.tabs.get(tabId);
    const frame = await chrome.windows.get(tab.windowId);
    const extra = (whole: number | undefined, inner: number | undefined): number => (whole ?? 0) - (inner ?? 0);
    try {
      await chrome.windows.update(tab.windowId, {
        state: 'normal',
        width: width + extra(frame.width, tab.width),
        height: height + extra(frame.height, tab.height),
      });
    } catch (error) {
      throw new Fault('VALIDATION_ERROR', 'A window of that size does not fit on the screen.', {
        details: { chrome: messageOf(error) },
        suggestions: [`dbridge emulation set --viewport ${width}x${height}`],
      });
    }
    const now = await chrome.tabs.get(tabId);
    return { width: now.width ?? width, height: now.height ?? height, via: 'window' };
  }
}
