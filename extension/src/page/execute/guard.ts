/**
 * Keeps trusted input from reaching anything but what it was aimed at. Between finding
 * an element and pressing on it the page goes on: it may move, or something may cover
 * it. The press is looked at as it arrives; one that would land elsewhere is stopped
 * before the page hears of it, with all that belongs to it.
 */
import { elementAt } from '../dom/primordials.ts';
import { turn } from '../dom/timing.ts';
import { takes } from '../locate/actionability.ts';
import type { UITree } from '../tree/uitree.ts';
import type { Found } from './target.ts';
import { check } from './wait.ts';

const parts = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'] as const;
/** Positions are rounded on their way. */
const near = 1.5; // px

/** Listens from the document's start on, ahead of the page, and does nothing while nobody is guarded. */
export class Gate {
  #guard: Guard | undefined;

  constructor() {
    for (const type of parts) addEventListener(type, this.#onEvent, true);
  }

  guard(found: Found, tree: UITree): Guard {
    const guard = new Guard(found, tree, () => {
      if (this.#guard === guard) this.#guard = undefined;
    });
    this.#guard = guard;
    return guard;
  }

  dispose(): void {
    for (const type of parts) removeEventListener(type, this.#onEvent, true);
  }

  readonly #onEvent = (event: MouseEvent): void => {
    if (this.#guard?.stops(event) !== true) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}

export class Guard {
  /** What took the press in place of the target. */
  missed: Element | undefined;
  #landed = false;
  #over = false;
  #releases = 0;
  #presses = Infinity; // waited for
  #delivered = false;
  #wake: (() => void) | undefined;

  constructor(private readonly found: Found, private readonly tree: UITree, private readonly end: () => void) {}

  stop(): void {
    if (!this.#over) this.end();
    this.#over = true;
    this.#wake?.();
  }

  /** Waits until so many presses have come and gone, or until told that no more come. */
  async landed(presses: number, signal: AbortSignal): Promise<void> {
    check(signal);
    if (this.#over || this.#delivered || this.#releases >= presses) return;
    await new Promise<void>((done) => {
      this.#wake = done;
      this.#presses = presses;
      signal.addEventListener('abort', () => done(), { once: true });
    });
    await turn(); // the release came; the click that it makes is heard after it
    check(signal);
  }

  /** The browser has delivered all there is. */
  delivered(): void {
    this.#delivered = true;
    this.#wake?.();
  }

  stops(event: MouseEvent): boolean {
    if (!event.isTrusted) return false;
    const { point } = this.found;
    const ours = Math.abs(event.clientX - point.x) <= near && Math.abs(event.clientY - point.y) <= near;
    // A touch makes its click some time after.
    if (ours && event.type === 'pointerup' && (event as PointerEvent).pointerType === 'mouse' && ++this.#releases >= this.#presses) this.#wake?.();
    if (this.#landed) return false;
    if (this.missed !== undefined) return true;
    if (!ours) return false; // the person's own
    const hit = this.#innermost(event);
    if (hit === null || takes(hit, this.found.stand, this.found.element, this.tree)) {
      this.#landed = true;
      return false;
    }
    this.missed = hit;
    return true;
  }

  #innermost(event: MouseEvent): Element | null {
    let at = event.composedPath()[0];
    while (at instanceof Element) {
      const root = this.tree.flat.shadowRoot(at);
      const inner = root === null ? null : elementAt(root, event.clientX, event.clientY);
      if (inner === null || inner === at) return at;
      at = inner;
    }
    return null;
  }
}
