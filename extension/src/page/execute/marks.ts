/** What locate leaves behind until settle asks what came of it. */
import type { Guard } from './guard.ts';
import type { Watch } from './effect.ts';

export interface Mark {
  watch: Watch;
  guard?: Guard | undefined;
  /** Throws when the field does not hold what was to go in. */
  verify?: (() => Record<string, unknown>) | undefined;
}

const life = 30_000; // ms that a mark waits for its settle
const afterlife = 3000; // ms, when settle may be asked again
const most = 16;

export class Marks {
  readonly #marks = new Map<number, { mark: Mark; timer: ReturnType<typeof setTimeout>; over?: true }>();
  #next = 1;

  add(mark: Mark): number {
    for (const [old, { over }] of this.#marks) if (over === true) this.end(old);
    const id = this.#next++;
    this.#marks.set(id, { mark, timer: setTimeout(() => this.end(id), life) });
    if (this.#marks.size > most) for (const oldest of this.#marks.keys()) {
      this.end(oldest);
      break;
    }
    return id;
  }

  get(id: unknown): Mark | undefined {
    return typeof id === 'number' ? this.#marks.get(id)?.mark : undefined;
  }

  /** Lets it go on for a moment. */
  keep(id: unknown): void {
    const kept = typeof id === 'number' ? this.#marks.get(id) : undefined;
    if (kept === undefined) return;
    clearTimeout(kept.timer);
    kept.over = true;
    kept.timer = setTimeout(() => this.end(id), afterlife);
  }

  end(id: unknown): void {
    const ended = typeof id === 'number' ? this.#marks.get(id) : undefined;
    if (ended === undefined) return;
    clearTimeout(ended.timer);
    ended.mark.watch.stop();
    ended.mark.guard?.stop();
    this.#marks.delete(id as number);
  }

  dispose(): void {
    for (const id of [...this.#marks.keys()]) this.end(id);
  }
}
