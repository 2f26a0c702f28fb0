/** Tabs in whose page an agent asks the person something now: their badge says so, also while they are behind. */

/** An agent that asks no more without a word has died. */
const ORPHAN_MS = 20_000;

export class Questions {
  readonly #tabs = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #changed: (tabId: number) => void;

  constructor(changed: (tabId: number) => void) {
    this.#changed = changed;
  }

  has(tabId: number): boolean {
    return this.#tabs.has(tabId);
  }

  /** Takes one round of a question and what came of it. */
  async round(tabId: number, command: Record<string, unknown>, answer: Promise<unknown>): Promise<unknown> {
    if (command.off !== true) this.#set(tabId, true);
    const done = await answer;
    const { result } = (done ?? {}) as { result?: { answer?: unknown } };
    if (command.off === true || result?.answer !== undefined) this.#set(tabId, false);
    return done;
  }

  #set(tabId: number, on: boolean): void {
    const was = this.#tabs.has(tabId);
    clearTimeout(this.#tabs.get(tabId));
    if (on) this.#tabs.set(tabId, setTimeout(() => this.#set(tabId, false), ORPHAN_MS));
    else this.#tabs.delete(tabId);
    if (was !== on) this.#changed(tabId);
  }
}
