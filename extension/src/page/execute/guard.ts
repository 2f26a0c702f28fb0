/**
 * Keeps trusted input from reaching anything but what it was aimed at. Between finding
 * an element and pressing on it the page goes on: it may move, or something may cover
 * it. The press is looked at as it arrives; one that would land elsewhere is stopped
 * before the page hears of it, with all that belongs to it.
 */
import { elementAt } from '../dom/primordials.ts';
import { takes } from '../locate/actionability.ts';
import type { UITree } from '../tree/uitree.ts';
import type { Found } from './target.ts';

const parts = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'] as const;
/** Positions are rounded on their way. */
const near = 1.5; // px

export class Guard {
  /** What took the press in place of the target. */
  missed: Element | undefined;
  #landed = false;

  constructor(private readonly found: Found, private readonly tree: UITree) {
    for (const type of parts) addEventListener(type, this.#onEvent, true);
  }

  stop(): void {
    for (const type of parts) removeEventListener(type, this.#onEvent, true);
  }

  readonly #onEvent = (event: MouseEvent): void => {
    if (!event.isTrusted || this.#landed) return;
    if (this.missed === undefined) {
      const { point } = this.found;
      if (Math.abs(event.clientX - point.x) > near || Math.abs(event.clientY - point.y) > near) return; // the person's own
      const hit = this.#innermost(event);
      if (hit === null || takes(hit, this.found.stand, this.found.element, this.tree)) {
        this.#landed = true;
        return;
      }
      this.missed = hit;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };

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
