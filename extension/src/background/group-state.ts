/** Which tab groups are ours and which tabs stand in them: storage.session, so that it outlives the worker. */
import { isLevel, isSessionName } from './levels.ts';
import type { Level } from './levels.ts';

/** Who opens a tab: the key of the agent's context, and its name for people. */
export interface Agent {
  key: string;
  label: string;
}

/** No group, as Chrome writes it. */
export const NONE = -1;

/** A group that we made. Chrome keeps its id when it moves to another window, and loses it when the browser restarts. */
export interface Group extends Agent {
  groupId: number;
  sessionId: string;
  level: Level;
  colour: Colour;
}

/** A tab that came to an agent by its group. */
export interface Member extends Agent {
  tabId: number;
  sessionId: string;
  level: Level;
  /** The group it stands in; NONE where there is none, as in a popup's window. */
  groupId: number;
  /** Who brought it: the agent (its pages' popups too), or the person's hand. */
  by: 'agent' | 'person';
  /** Its grant came with the group; else the person had given it before. */
  granted: boolean;
}

const KEY = 'groups';
const MAX_LABEL = 40;
const COLOURS = ['blue', 'green', 'purple', 'cyan', 'orange', 'pink', 'yellow', 'red'] as const;
export type Colour = (typeof COLOURS)[number];

export class GroupState {
  readonly groups = new Map<number, Group>();
  readonly members = new Map<number, Member>();
  #write: Promise<void> = Promise.resolve();

  async load(): Promise<void> {
    const stored = (await chrome.storage.session.get(KEY))[KEY] as { groups?: unknown; members?: unknown } | undefined;
    for (const value of list(stored?.groups)) {
      if (isAgents(value) && typeof value.groupId === 'number') this.groups.set(value.groupId, value as unknown as Group);
    }
    for (const value of list(stored?.members)) {
      if (isAgents(value) && typeof value.tabId === 'number') this.members.set(value.tabId, value as unknown as Member);
    }
  }

  /** Keeps what is; a group without a member of ours is ours no longer. */
  save(): Promise<void> {
    const used = new Set([...this.members.values()].map((member) => member.groupId));
    for (const groupId of this.groups.keys()) if (!used.has(groupId)) this.groups.delete(groupId);
    const value = { [KEY]: { groups: [...this.groups.values()], members: [...this.members.values()] } };
    this.#write = this.#write.then(() => chrome.storage.session.set(value));
    return this.#write;
  }

  /** The groups of an agent in a session, one for each window. */
  of({ key, sessionId }: { key: string; sessionId: string }): Group[] {
    return [...this.groups.values()].filter((group) => group.key === key && group.sessionId === sessionId);
  }

  /** An agent's colour: always the same, unless another agent has it now. */
  colour(key: string): Colour {
    const all = [...this.groups.values()];
    const own = all.find((group) => group.key === key);
    if (own) return own.colour;
    const taken = new Set(all.map((group) => group.colour));
    const first = [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % COLOURS.length;
    const inTurn = [...COLOURS.slice(first), ...COLOURS.slice(0, first)];
    return inTurn.find((colour) => !taken.has(colour)) ?? inTurn[0] ?? 'blue';
  }
}

/** What the daemon says of an agent, made fit for a title; null when it says nothing of use. */
export function readAgent(value: unknown): Agent | null {
  if (typeof value !== 'object' || value === null) return null;
  const { key, label } = value as Record<string, unknown>;
  if (typeof key !== 'string' || !/^[A-Za-z0-9._-]{1,128}$/.test(key)) return null;
  const words = typeof label === 'string' ? label.replace(/[\p{C}\s]+/gu, ' ').trim() : '';
  return { key, label: [...(words === '' ? 'Agent' : words)].slice(0, MAX_LABEL).join('') };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isAgents(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const { key, label, level, sessionId } = value as Record<string, unknown>;
  return typeof key === 'string' && typeof label === 'string' && isLevel(level) && isSessionName(sessionId);
}
