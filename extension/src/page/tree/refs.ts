// Refs: short handles of elements, held weakly, and what the element was when
// its ref was last given out. A ref never names a different-looking element.

/** What an agent was told about the element. */
export interface Look {
  readonly role: string;
  readonly name: string;
  readonly stableId: string;
  readonly selector: string;
}

/** What a ref stood for when an agent last saw it. */
export interface RefRecord {
  readonly ref: string;
  element: WeakRef<Element>;
  tag: string;
  look: Look;
  /** Tree version in which the element first appeared and in which it was last given. */
  first: number;
  last: number;
}

// Records of elements long gone are dropped beyond this, oldest first.
const maxRecords = 60_000;

export class RefTable {
  readonly #byElement = new WeakMap<Element, string>();
  readonly #records = new Map<string, RefRecord>();
  #next: number;

  /** `first` lets a host go on counting where the document before left off. */
  constructor(first: number = 1) {
    this.#next = first;
  }

  /** Number that the next new element gets. */
  get next(): number {
    return this.#next;
  }

  /** The element's ref, made at the first call. */
  refOf(element: Element): string {
    const known = this.#byElement.get(element);
    if (known !== undefined) return known;
    const ref = `e${this.#next}`;
    this.#next += 1;
    this.#byElement.set(element, ref);
    return ref;
  }

  known(element: Element): string | undefined {
    return this.#byElement.get(element);
  }

  record(ref: string): RefRecord | undefined {
    return this.#records.get(ref);
  }

  /** Remember the look under which the ref is given to an agent now. */
  give(ref: string, element: Element, tag: string, look: Look, version: number, first: number = version): void {
    const old = this.#records.get(ref);
    if (old !== undefined) {
      if (old.element.deref() !== element) old.element = new WeakRef(element);
      old.tag = tag;
      old.look = look;
      old.last = version;
      return;
    }
    this.#records.set(ref, { ref, element: new WeakRef(element), tag, look, first, last: version });
    if (this.#records.size > maxRecords) this.#prune();
  }

  /** The element was rendered anew: its ref goes on with the replacement. */
  rebind(record: RefRecord, element: Element): void {
    record.element = new WeakRef(element);
    // A replacement that already has a ref of its own answers to both.
    if (!this.#byElement.has(element)) this.#byElement.set(element, record.ref);
  }

  #prune(): void {
    for (const [ref, record] of this.#records) {
      if (this.#records.size <= maxRecords / 2) return;
      if (record.element.deref()?.isConnected !== true) this.#records.delete(ref);
    }
  }
}
