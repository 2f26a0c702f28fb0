/** ui_tree and ui_tree_diff: when to look at the page, and how often at most. */
import type { UITreeItem } from '../../protocol/generated.ts';
import type { TelemetryMessage } from '../api.ts';
import type { UITree } from '../tree/uitree.ts';

const firstLook = 60; // ms after a change
const between = 500; // ms: at most 2 diffs a second
const share = 60; // a diff that took n ms is followed by n times this of rest: 1.7 % of the time
const checkAfter = 4000; // records beyond which all is looked at again

export class TreeCollector {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unlisten: (() => void) | undefined;
  #next = 0; // when the next diff may be made
  #told = false;
  #seen = 0;

  constructor(
    private readonly tree: UITree,
    private readonly custom: (() => UITreeItem[]) | undefined,
    private readonly send: (message: TelemetryMessage) => void,
    private readonly congested: () => boolean,
    private readonly take: () => void,
  ) {}

  start(): void {
    this.#unlisten ??= this.tree.listen(() => this.#schedule());
  }

  stop(): void {
    this.#unlisten?.();
    this.#unlisten = undefined;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = false;
  }

  relisten(): void {
    if (this.#unlisten === undefined) return;
    this.#unlisten();
    this.#unlisten = this.tree.listen(() => this.#schedule());
  }

  observe(records: MutationRecord[]): void {
    if (!this.#told) return; // the first full tree reads everything
    this.#seen += records.length;
    if (this.#seen <= checkAfter) this.tree.observe(records);
    else if (this.#seen - records.length <= checkAfter) this.tree.observe('all');
    this.#schedule();
  }

  /** Nobody saw what changed for a while. */
  missed(): void {
    if (!this.#told) return;
    if (this.#seen <= checkAfter) this.tree.observe('all');
    this.#seen = checkAfter + 1;
    this.#schedule();
  }

  /** The whole tree as a message. */
  tell(): void {
    this.send({ type: 'ui_tree', timestamp: Date.now(), ...this.full(), full: true });
  }

  /** The whole tree as it is now; diffs go on from it, and who follows them gets the one up to here. */
  full(): { items: UITreeItem[]; version: number; truncated?: number } {
    this.take();
    const start = performance.now();
    const { items, version, truncated, diff } = this.tree.full();
    this.#rest(start);
    if (diff !== null && this.#told && this.#unlisten !== undefined && this.custom === undefined) this.#tellDiff(diff);
    this.#told = true;
    this.#seen = 0;
    if (this.custom !== undefined) {
      try {
        return { items: this.custom().map(copy), version };
      } catch {
        // The app's own list failed: ours is better than none.
      }
    }
    return { items: items.map(copy), version, ...(truncated > 0 ? { truncated } : {}) };
  }

  #rest(start: number): void {
    const now = performance.now();
    this.#next = now + Math.max(between, (now - start) * share);
  }

  #schedule(): void {
    if (this.#timer !== undefined || !this.#told) return;
    this.#timer = setTimeout(() => this.#look(), Math.max(firstLook, this.#next - performance.now()));
  }

  #look(): void {
    this.#timer = undefined;
    if (this.congested()) {
      // What happens meanwhile goes into one diff.
      this.#timer = setTimeout(() => this.#look(), between);
      return;
    }
    this.take();
    const start = performance.now();
    this.#seen = 0;
    const diff = this.tree.diff();
    this.#rest(start);
    if (diff === null) return;
    if (this.custom !== undefined) this.tell(); // a list of the app's own has no diff
    else this.#tellDiff(diff);
  }

  #tellDiff(diff: NonNullable<ReturnType<UITree['diff']>>): void {
    this.send({ type: 'ui_tree_diff', timestamp: Date.now(), ...diff, added: diff.added.map(copy) });
  }
}

/** The tree goes on changing its items; what was told stays as it was. */
function copy(item: UITreeItem): UITreeItem {
  return item.meta === undefined ? { ...item } : { ...item, meta: { ...item.meta } };
}
