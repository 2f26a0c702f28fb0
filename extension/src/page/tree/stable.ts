// Stable ids: data-testid, else id, else made from role and name, so that a
// re-rendered element gets the one that it had.
import { attr } from '../dom/primordials.ts';
import { cut } from '../dom/text.ts';
import { TEST_ID } from './selector.ts';

export class StableIds {
  readonly #made = new WeakMap<Element, string>();
  readonly #holders = new Map<string, WeakRef<Element>>();
  // Lowest ordinal that may be free, so that thousands of nameless fields need no search each.
  readonly #free = new Map<string, number>();

  of(element: Element, role: string, name: string): string {
    const own = ownId(element);
    if (own !== null) return own;
    const known = this.#made.get(element);
    if (known !== undefined && this.#holds(known, element)) return known;
    const base = `${role}:${slug(name)}`;
    for (let n = this.#free.get(base) ?? 1; ; n += 1) {
      const id = n === 1 ? base : `${base}~${n}`;
      const holder = this.#holders.get(id)?.deref();
      if (holder !== undefined && holder !== element) continue;
      this.#holders.set(id, new WeakRef(element));
      this.#made.set(element, id);
      this.#free.set(base, n + 1);
      return id;
    }
  }

  #holds(id: string, element: Element): boolean {
    const holder = this.#holders.get(id)?.deref();
    if (holder === element) return true;
    if (holder !== undefined) return false;
    this.#holders.set(id, new WeakRef(element));
    return true;
  }

  /** The element left the tree: its replacement may take its id. */
  release(element: Element): void {
    const id = this.#made.get(element);
    if (id === undefined || this.#holders.get(id)?.deref() !== element) return;
    this.#holders.delete(id);
    const [base, ordinal] = split(id);
    const free = this.#free.get(base);
    if (free === undefined || ordinal < free) this.#free.set(base, ordinal);
  }

  /** The element that a made-up id belongs to now. */
  find(id: string): Element | null {
    return this.#holders.get(id)?.deref() ?? null;
  }
}

export function ownId(element: Element): string | null {
  const test = attr(element, TEST_ID);
  if (test !== null && test !== '') return cut(test);
  const id = attr(element, 'id');
  return id !== null && id !== '' ? cut(id) : null;
}

function split(id: string): [string, number] {
  const at = id.lastIndexOf('~');
  const ordinal = at < 0 ? Number.NaN : Number(id.slice(at + 1));
  return Number.isInteger(ordinal) && ordinal > 1 ? [id.slice(0, at), ordinal] : [id, 1];
}

function slug(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
    .toWellFormed();
}
