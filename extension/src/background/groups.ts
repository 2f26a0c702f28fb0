/**
 * Tab groups: the tabs of an agent stand in one, named and coloured, and the person's
 * hand moves tabs in and out of its reach.
 *
 * A tab dragged in is connected, one dragged out is not any more. What we did and what
 * the person did is told apart by state, not by events: each of our changes is noted
 * before it is made, all work is done one after another, and what Chrome shows then
 * and we did not note was somebody else's doing. Leaving always counts. Coming in
 * counts only where Chrome told of a tab that had been outside: popups, duplicates and
 * reopened tabs are born in the group of the tab they come from, and grant nothing.
 *
 * Chrome tells of a drag while it goes on, in and out of every group on the way, and
 * takes a group that goes to another window apart and makes it anew with the same id.
 * So nothing is decided before the tab strip rests.
 */
import { messageOf } from './fault.ts';
import { GroupState, NONE } from './group-state.ts';
import type { Agent, Group, Member } from './group-state.ts';
import type { Grant, Grants } from './grants.ts';
import { LEVELS } from './levels.ts';
import type { Level } from './levels.ts';
import type { SettingsStore } from './settings.ts';
import type { Tabs } from './tabs.ts';

/** Chrome's events of one move come within this. */
const SETTLE_MS = 150;
/** While a tab is dragged, the strip takes no change; it is tried again after this. */
const BUSY_MS = 250;

export class Groups {
  readonly #state = new GroupState();
  readonly #grants: Grants;
  readonly #settings: SettingsStore;
  readonly #tabs: () => Tabs;
  readonly #shown: (tabId: number) => void;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  /** Tabs that never finished loading: Chrome restores a tab first and puts it into its group then. */
  readonly #young = new Set<number>();
  /** Tabs of which Chrome said that they came into a group or left it. */
  readonly #heard = new Set<number>();
  readonly #refusals = new Map<number, string>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(grants: Grants, settings: SettingsStore, tabs: () => Tabs, shown: (tabId: number) => void) {
    this.#grants = grants;
    this.#settings = settings;
    this.#tabs = tabs;
    this.#shown = shown;
  }

  load(): Promise<void> {
    return this.#state.load();
  }

  /** The name of the agent in whose group a tab stands. */
  labelOf(tabId: number): string | null {
    const member = this.#state.members.get(tabId);
    return member && member.groupId !== NONE ? member.label : null;
  }

  /** Why a tab that was dragged into a group was taken out again. */
  refusal(tabId: number): string | null {
    if (this.#grants.get(tabId)) this.#refusals.delete(tabId);
    return this.#refusals.get(tabId) ?? null;
  }

  // --- what agents do ------------------------------------------------------------

  /** Puts a tab that an agent opened into that agent's group. */
  adopt(tabId: number, { key, label }: Agent, opener: Grant): Promise<void> {
    const { sessionId, level } = opener;
    return this.#inTurn(() => this.#enter({ tabId, key, label, sessionId, level, groupId: NONE, by: 'agent', granted: true }));
  }

  /** A page's popup took over the grant of the tab that it came from, and goes where that one stands. */
  inherited(tabId: number, openerTabId: number): void {
    void this.#inTurn(async () => {
      const opener = this.#state.members.get(openerTabId);
      if (opener && !this.#state.members.has(tabId)) await this.#enter({ ...opener, tabId, groupId: NONE, granted: true });
    });
  }

  /** A connection ended, or did not come about: the tab leaves the group. */
  ended(tabId: number): void {
    void this.#inTurn(async () => {
      this.#state.members.delete(tabId);
      await this.#expel(tabId);
    });
  }

  /**
   * agent.left {key}: the agent is done. The tabs that it opened are closed where the
   * person wants that; all others stay, out of the group and out of its reach.
   */
  left(key: string): Promise<void> {
    return this.#inTurn(async () => {
      const all = [...this.#state.members.values()].filter((member) => member.key === key);
      const closing = this.#settings.current.agentTabs === 'close' ? await sparing(all.filter((member) => member.by === 'agent')) : new Set<number>();
      for (const { tabId, granted } of all) {
        this.#state.members.delete(tabId);
        if (!closing.has(tabId)) await this.#expel(tabId);
        if (granted) void this.#tabs().disconnect(tabId, 'detached_by_user', false).catch(report);
        if (closing.has(tabId)) void chrome.tabs.remove(tabId).catch(report);
      }
      await this.#state.save();
    });
  }

  // --- what the person does ------------------------------------------------------

  /** tabs.onCreated: the only word of a tab that is born in a group. */
  created(tab: chrome.tabs.Tab): void {
    if (tab.id === undefined) return;
    const tabId = tab.id;
    this.#young.add(tabId);
    if (this.#state.groups.has(tab.groupId)) this.#soon(tabId);
  }

  /** tabs.onUpdated. */
  updated(tabId: number, change: { groupId?: number; url?: string; status?: string }): void {
    if (change.status === 'complete') this.#young.delete(tabId);
    if (change.url !== undefined) this.#refusals.delete(tabId);
    if (change.groupId === undefined) return;
    if (!this.#young.has(tabId)) this.#heard.add(tabId);
    this.#soon(tabId);
  }

  replaced(added: number, removed: number): void {
    void this.#inTurn(async () => {
      const member = this.#state.members.get(removed);
      if (!member) return;
      this.#state.members.delete(removed);
      this.#state.members.set(added, { ...member, tabId: added });
      await this.#state.save();
    });
  }

  removed(tabId: number): void {
    this.#refusals.delete(tabId);
    this.#young.delete(tabId);
    this.#heard.delete(tabId);
    void this.#inTurn(async () => {
      if (this.#state.members.delete(tabId)) await this.#state.save();
    });
  }

  /** What happened while no worker lived: who left is let go, who came in without a word of Chrome's is put out. */
  reconcile(): Promise<void> {
    return this.#inTurn(async () => {
      const live = await chrome.tabs.query({});
      const there = new Set(live.map((tab) => tab.id));
      for (const tabId of [...this.#state.members.keys()]) {
        if (!there.has(tabId)) this.#state.members.delete(tabId);
        else if (!this.#grants.get(tabId)) this.ended(tabId);
      }
      for (const { id, groupId } of live) {
        if (id !== undefined && (this.#state.members.has(id) || this.#state.groups.has(groupId))) this.#soon(id);
      }
    });
  }

  #soon(tabId: number, ms = SETTLE_MS): void {
    clearTimeout(this.#timers.get(tabId));
    this.#timers.set(tabId, setTimeout(() => {
      this.#timers.delete(tabId);
      void this.#inTurn(() => this.#settle(tabId));
    }, ms));
  }

  /** Compares where a tab stands with where we know it to stand. */
  async #settle(tabId: number): Promise<void> {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (!tab) return; // removed() tells
    const member = this.#state.members.get(tabId);
    const group = this.#state.groups.get(tab.groupId);
    if ((member?.groupId ?? NONE) === (group?.groupId ?? NONE)) {
      this.#heard.delete(tabId);
      return;
    }
    if (await busy(tab)) return this.#soon(tabId, BUSY_MS);
    const heard = this.#heard.delete(tabId);
    if (member && group && member.key === group.key && member.sessionId === group.sessionId) {
      this.#state.members.set(tabId, { ...member, groupId: group.groupId }); // its agent's group of another window
      return this.#state.save();
    }
    if (member) await this.#out(member);
    if (!group || this.#tabs().expects(tabId)) return; // its first document decides
    if (heard) await this.#in(tabId, group);
    else await this.#expel(tabId);
  }

  /** Dragged in: as a click on Connect, in the agent's session and at no more than the group has. */
  async #in(tabId: number, group: Group): Promise<void> {
    const { key, label, sessionId, groupId } = group;
    const grant = this.#grants.get(tabId);
    const connected = grant?.paused === null;
    const others = [...this.#state.members.values()].flatMap((member) => (member.groupId === groupId ? (this.#grants.get(member.tabId)?.level ?? []) : []));
    const level = least(this.#settings.current.levelDefault, others.length > 0 ? most(others) : group.level);
    this.#state.members.set(tabId, { tabId, key, label, sessionId, level, groupId, by: 'person', granted: !connected });
    await this.#state.save();
    this.#shown(tabId);
    if (connected) return;
    // Not waited for: a page that hangs must not hold up the others.
    void this.#tabs().connect(tabId, { level, sessionId, anySite: false }, 'click').catch((error: unknown) => this.#refuse(tabId, label, messageOf(error)));
  }

  async #refuse(tabId: number, label: string, why: string): Promise<void> {
    await this.#inTurn(async () => {
      this.#state.members.delete(tabId);
      await this.#expel(tabId);
      this.#refusals.set(tabId, `Taken out of the group “${label}”: ${why}`);
    });
    this.#shown(tabId);
  }

  async #out(member: Member): Promise<void> {
    this.#state.members.delete(member.tabId);
    await this.#state.save();
    void this.#tabs().disconnect(member.tabId, 'detached_by_user', true).catch(report);
  }

  // --- our own hand ----------------------------------------------------------------

  async #enter(member: Member): Promise<void> {
    this.#state.members.set(member.tabId, member);
    await this.#state.save();
    await this.#place(member.tabId);
  }

  /** Puts a tab into its agent's group of its window. Without a group it is the agent's all the same. */
  async #place(tabId: number): Promise<void> {
    const member = this.#state.members.get(tabId);
    if (!member || !hasGroups()) return;
    try {
      const tab = await chrome.tabs.get(tabId);
      const { type } = await chrome.windows.get(tab.windowId);
      if (type !== 'normal') return; // Chrome would move the tab out of its popup window
      const { key, label, sessionId, level } = member;
      const known = await this.#groupIn(tab.windowId, member);
      const groupId = known === tab.groupId ? known : await chrome.tabs.group({ tabIds: tabId, ...(known === undefined ? { createProperties: { windowId: tab.windowId } } : { groupId: known }) });
      const colour = this.#state.colour(key);
      this.#state.members.set(tabId, { ...member, groupId });
      if (known === undefined) this.#state.groups.set(groupId, { groupId, key, label, sessionId, level, colour });
      await this.#state.save();
      if (known === undefined) await chrome.tabGroups.update(groupId, { title: label, color: colour });
      this.#shown(tabId);
    } catch (error) {
      if (isBusy(error)) setTimeout(() => void this.#inTurn(() => this.#place(tabId)), BUSY_MS);
      else console.debug('not grouped', tabId, messageOf(error));
    }
  }

  async #groupIn(windowId: number, member: Member): Promise<number | undefined> {
    for (const { groupId } of this.#state.of(member)) {
      const live = await chrome.tabGroups.get(groupId).catch(() => null);
      if (live?.windowId === windowId) return groupId;
    }
    return undefined;
  }

  /** Takes a tab out of a group of ours where it has no place (any more). */
  async #expel(tabId: number, from = NONE): Promise<void> {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (tab && tab.groupId !== NONE && (this.#state.groups.has(tab.groupId) || tab.groupId === from) && !this.#state.members.has(tabId)) {
      try {
        await chrome.tabs.ungroup(tabId);
      } catch (error) {
        if (isBusy(error)) setTimeout(() => void this.#inTurn(() => this.#expel(tabId, tab.groupId)), BUSY_MS);
        else console.debug('not taken out of its group', tabId, messageOf(error));
        return;
      }
    }
    await this.#state.save();
  }

  #inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(task).catch(report);
    this.#queue = done;
    return done;
  }
}

/** Old and foreign browsers have no tab groups; agents then work without. */
function hasGroups(): boolean {
  return (chrome as { tabGroups?: unknown }).tabGroups !== undefined;
}

/** Whether a tab is being dragged: the strip then refuses every change, one that changes nothing too. */
async function busy(tab: chrome.tabs.Tab): Promise<boolean> {
  if (tab.id === undefined) return false;
  return chrome.tabs.move(tab.id, { index: tab.index }).then(() => false, isBusy);
}

function isBusy(error: unknown): boolean {
  return /cannot be edited/i.test(messageOf(error));
}

/** The tabs that may be closed without closing a window with them. */
async function sparing(members: Member[]): Promise<Set<number>> {
  const closing = new Set(members.map((member) => member.tabId));
  for (const { tabs = [] } of await chrome.windows.getAll({ populate: true })) {
    const last = tabs.at(-1)?.id;
    if (last !== undefined && tabs.every((tab) => tab.id !== undefined && closing.has(tab.id))) closing.delete(last);
  }
  return closing;
}

function most(levels: Level[]): Level {
  return LEVELS.findLast((level) => levels.includes(level)) ?? 'observe';
}

function least(one: Level, other: Level): Level {
  return LEVELS.indexOf(one) < LEVELS.indexOf(other) ? one : other;
}

function report(error: unknown): void {
  console.error(messageOf(error), error);
}
