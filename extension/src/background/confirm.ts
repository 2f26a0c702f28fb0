/**
 * What an agent may do only when the person says yes, each time: the question stands on
 * top of the popup and in a notification, and the badge says so.
 *
 * Only these two are heard, never a page or its content script. Whatever else comes of a
 * question is no yes: time, a page that goes, a worker that dies (the daemon asks again).
 */
import { messageOf } from './fault.ts';
import type { Grants } from './grants.ts';
import { siteOf } from './site.ts';

/** A question as the person is shown it. */
export interface Question {
  id: string;
  tabId: number;
  /** upload, download, submit, …: what is asked for. */
  act: string;
  /** The agent's name, as the daemon knows it. */
  agent: string;
  /** What exactly; may be page text. */
  what: string;
  /** By the extension's own knowledge. */
  site: string;
}

export interface Asked {
  id: string;
  tabId: number;
  act: string;
  agent: string;
  what: string;
  timeoutMs: number;
}

export type Answer = 'allow' | 'deny' | 'timeout' | 'gone';

interface Open {
  question: Question;
  /** The main document that it is about. */
  documentId: string;
  since: number;
  waiting: ((answer: Answer) => void)[];
  timer: ReturnType<typeof setTimeout>;
}

const PREFIX = 'confirm:';
/** A press on what has only just come up was meant for what was there before. */
const SEEN_MS = 500;
/** So many answers are kept for a daemon that asks again because the answer was lost. */
const KEPT = 32;
const MAX_TEXT = 200;

/** An agent wants to … */
const ACTS: Record<string, string> = {
  upload: 'give files to',
  download: 'download from',
  submit: 'submit a form on',
};

export class Confirms {
  readonly #open = new Map<string, Open>();
  readonly #answered = new Map<string, Answer>();
  readonly #grants: Grants;
  readonly #changed: (tabId: number) => void;

  /** changed: a tab has a question more or less. */
  constructor(grants: Grants, changed: (tabId: number) => void) {
    this.#grants = grants;
    this.#changed = changed;
  }

  has(tabId: number): boolean {
    return [...this.#open.values()].some(({ question }) => question.tabId === tabId);
  }

  /** All that is open, of this tab first. */
  list(tabId: number): Question[] {
    const all = [...this.#open.values()].map(({ question }) => question);
    return [...all.filter((one) => one.tabId === tabId), ...all.filter((one) => one.tabId !== tabId)];
  }

  /** Shows a question and waits. Asked again by the same id, it is the same question. */
  ask(asked: Asked): Promise<{ answer: Answer }> {
    const { id, tabId, timeoutMs } = asked;
    const grant = this.#grants.require(tabId, 'observe');
    const answered = this.#answered.get(id);
    if (answered !== undefined) return Promise.resolve({ answer: answered });
    return new Promise((resolve) => {
      const waiting = (answer: Answer): void => resolve({ answer });
      const open = this.#open.get(id);
      if (open !== undefined) {
        open.waiting.push(waiting);
        return;
      }
      const question: Question = {
        id, tabId, act: asked.act, agent: plain(asked.agent) || 'An agent', what: plain(asked.what), site: siteOf(grant.url) ?? grant.site,
      };
      const timer = setTimeout(() => this.#end(id, 'timeout'), timeoutMs);
      this.#open.set(id, { question, documentId: grant.documentId, since: performance.now(), waiting: [waiting], timer });
      void notify(question);
      this.#changed(tabId);
    });
  }

  /** The person's word, from the popup or a notification. */
  answer(id: string, allow: boolean): void {
    const open = this.#open.get(id);
    if (open === undefined || performance.now() - open.since < SEEN_MS) return;
    this.#end(id, allow ? 'allow' : 'deny');
  }

  /** The daemon does not wait any more. */
  withdraw(id: string): void {
    this.#end(id, 'gone');
  }

  /** The page that was asked about is gone, or not connected any more; now it shows that document. */
  gone(tabId: number, now?: string): void {
    for (const [id, { question, documentId }] of this.#open) if (question.tabId === tabId && documentId !== now) this.#end(id, 'gone');
  }

  /** A press on a notification: its buttons answer, its body shows the page with the popup. */
  async pressed(notification: string, button: number | null): Promise<void> {
    if (!notification.startsWith(PREFIX)) return;
    const id = notification.slice(PREFIX.length);
    const open = this.#open.get(id);
    if (open === undefined) return clear(notification); // of a worker before this one
    if (button !== null) return this.answer(id, button === 0);
    const tab = await chrome.tabs.update(open.question.tabId, { active: true });
    if (tab?.windowId !== undefined) await chrome.windows.update(tab.windowId, { focused: true });
    await chrome.action.openPopup();
  }

  /** Takes away what a worker before this one asked. */
  async start(): Promise<void> {
    const shown = Object.keys((await chrome.notifications.getAll()) as object);
    for (const id of shown) if (id.startsWith(PREFIX) && !this.#open.has(id.slice(PREFIX.length))) clear(id);
  }

  #end(id: string, answer: Answer): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    clearTimeout(open.timer);
    this.#open.delete(id);
    this.#answered.set(id, answer);
    for (const oldest of this.#answered.keys()) {
      if (this.#answered.size <= KEPT) break;
      this.#answered.delete(oldest);
    }
    clear(PREFIX + id);
    for (const tell of open.waiting) tell(answer);
    this.#changed(open.question.tabId);
  }
}

/** The question in one line, without the agent's name. */
export function wants({ act, site }: Pick<Question, 'act' | 'site'>): string {
  return `wants to ${ACTS[act] ?? 'act on'} ${site}`;
}

async function notify(question: Question): Promise<void> {
  try {
    await chrome.notifications.create(PREFIX + question.id, {
      type: 'basic',
      iconUrl: chrome.runtime.getURL('icons/128.png'),
      title: `${question.agent} ${wants(question)}`,
      message: question.what,
      buttons: [{ title: 'Allow once' }, { title: 'Deny' }],
      requireInteraction: true,
    });
  } catch (error) {
    console.debug('no notification', messageOf(error)); // switched off by the person: the popup asks
  }
}

function clear(notification: string): void {
  void chrome.notifications.clear(notification).catch(() => undefined);
}

/** One line without signs that hide or turn what is around them. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, '').replace(/\s+/gu, ' ').trim().slice(0, MAX_TEXT).toWellFormed();
}
