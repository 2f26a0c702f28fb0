/** ui_change: what changed in the document, told as it comes (changes.ts). */
import type { TelemetryMessage } from '../api.ts';
import type { UITree } from '../tree/uitree.ts';
import type { Budget } from './budget.ts';
import { Changes, type Told } from './changes.ts';

const between = 200; // ms: at most 5 messages a second
const share = 60; // a look that took n ms is followed by n times this of rest
const streamed = 8;

export class ChangeStream {
  readonly #changes: Changes;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #begin: ReturnType<typeof setTimeout> | undefined;
  #on = false;
  #next = 0;
  #batch = 0;
  #told = 0; // when the last message was made

  constructor(
    tree: UITree,
    roots: () => Iterable<ShadowRoot>,
    private readonly send: (message: TelemetryMessage) => void,
    private readonly congested: () => boolean,
    private readonly take: () => void,
    private readonly budget: Budget,
  ) {
    this.#changes = new Changes(tree, roots);
  }

  start(): void {
    if (this.#on) return;
    this.#on = true;
    this.#changes.begin();
  }

  stop(): void {
    this.#on = false;
    this.#wait();
  }

  add(records: readonly MutationRecord[]): void {
    if (!this.#on) return;
    this.#changes.add(records);
    if (this.#timer === undefined && !this.#changes.empty) this.#schedule();
  }

  /**
   * What an action brought about is told by its answer, and here by the same words.
   * Gives the number of the last message, so that what comes after it is known to be later.
   */
  cut(told: Told): number {
    if (!this.#on) return this.#batch;
    this.take();
    this.#wait();
    const fresh = told.changes.filter(({ at }) => at >= this.#told);
    this.#changes.clear();
    this.#begin ??= setTimeout(() => { // the answer does not wait for it
      this.#begin = undefined;
      if (this.#on && this.#changes.empty) this.#changes.begin();
    });
    this.#tell({ changes: fresh, more: told.more });
    return this.#batch;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#look(), Math.max(between, this.#next - performance.now()));
  }

  #wait(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    if (this.congested() || this.budget.left <= 0) {
      this.#next = performance.now() + 2 * between;
      this.#schedule();
      return;
    }
    this.take();
    this.#wait();
    const start = performance.now();
    const told = this.#changes.tell(streamed);
    this.#changes.begin();
    const took = performance.now() - start;
    this.budget.spend(took);
    this.#next = performance.now() + took * share;
    this.#tell(told);
  }

  #tell({ changes, more }: Told): void {
    this.#told = Date.now();
    if (changes.length === 0) return;
    this.send({ type: 'ui_change', timestamp: this.#told, changes, batch: ++this.#batch, ...(more > 0 ? { more } : {}) });
  }
}
