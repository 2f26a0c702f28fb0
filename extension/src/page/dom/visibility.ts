// Where an element is and whether a person can see it, by scrolling if need be.
import { disablesInside } from '../aria/state.ts';
import type { FlatTree } from './flat.ts';
import {
  bodyOf,
  checkVisibility,
  clientHeight,
  clientLeft,
  clientTop,
  clientWidth,
  documentElement,
  hasAttr,
  hasAttrs,
  rectOf,
  scrollLeft,
  scrollTop,
} from './primordials.ts';
import { isRightToLeft, plain, type StyleCache, type StyleFacts } from './style.ts';

export type HiddenReason = 'display' | 'visibility' | 'opacity' | 'size' | 'clip' | 'offscreen';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Measured {
  readonly bounds: Box;
  /** Offset that scrolling has put on the box: bounds + scrolled do not change when something scrolls. */
  readonly scrolledX: number;
  readonly scrolledY: number;
  readonly hidden: HiddenReason | null;
  /** aria-disabled that an ancestor hands down. */
  readonly disabledAround: boolean;
  /** It or an ancestor is inert. */
  readonly inert: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the descendants of one element live in. */
interface Chain {
  readonly element: Element;
  readonly up: Chain | null;
  readonly facts: StyleFacts;
  /** Nearest box, itself included, that cuts what flows inside it. */
  readonly flow: Chain | null;
  /** Stays where it is when the page scrolls. */
  readonly pinned: boolean;
  readonly clippedAway: boolean;
  readonly disables: boolean;
  readonly inert: boolean;
  clip: { left: number; top: number; right: number; bottom: number } | undefined;
}

const noBox: Box = { x: 0, y: 0, width: 0, height: 0 };
const all: CheckVisibilityOptions = { opacityProperty: true, visibilityProperty: true };
const opacityOnly: CheckVisibilityOptions = { opacityProperty: true };
const visibilityOnly: CheckVisibilityOptions = { visibilityProperty: true };

/** Layout facts of one pass: read without writing, so that the page is laid out once at most. */
export class Layout {
  readonly width = innerWidth;
  readonly height = innerHeight;
  readonly scrollX = scrollX;
  readonly scrollY = scrollY;
  readonly #flat: FlatTree;
  readonly #styles: StyleCache;
  readonly #chains = new Map<Element, Chain>();
  readonly #viewportBoxes = new Set<Element>();
  readonly #lockX: boolean;
  readonly #lockY: boolean;
  readonly #rtl: boolean;

  constructor(flat: FlatTree, styles: StyleCache) {
    this.#flat = flat;
    this.#styles = styles;
    const root = documentElement(document);
    const body = bodyOf(document);
    let lockX = false;
    let lockY = false;
    // The overflow of the root (or else of the body) is the viewport's.
    if (root !== null) {
      this.#viewportBoxes.add(root);
      const rootFacts = styles.facts(root);
      const own = rootFacts.clipX !== 'no' || rootFacts.clipY !== 'no';
      const facts = own || body === null ? rootFacts : styles.facts(body);
      if (!own && body !== null) this.#viewportBoxes.add(body);
      lockX = facts.clipX === 'clip';
      lockY = facts.clipY === 'clip';
    }
    this.#lockX = lockX;
    this.#lockY = lockY;
    this.#rtl = root !== null && isRightToLeft(root);
  }

  /** aria-disabled that an ancestor hands down. */
  disabledAround(element: Element): boolean {
    return this.#chainAbove(element)?.disables ?? false;
  }

  /** Nothing in it can be operated. */
  isInert(element: Element): boolean {
    return this.#chain(element)?.inert ?? false;
  }

  measure(element: Element): Measured {
    const above = this.#chainAbove(element);
    const measured: Mutable<Measured> = {
      bounds: noBox,
      scrolledX: 0,
      scrolledY: 0,
      hidden: 'display',
      disabledAround: above?.disables === true,
      inert: above?.inert === true || hasAttr(element, 'inert'),
    };
    this.#place(element, above, measured);
    return measured;
  }

  #place(element: Element, above: Chain | null, measured: Mutable<Measured>): void {
    if (!checkVisibility(element, all)) {
      this.#unrendered(element, above, measured);
      return;
    }
    const rect = rectOf(element);
    let bounds: Box = { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
    let hidden: HiddenReason | null = null;
    if (bounds.width <= 0 || bounds.height <= 0) {
      const spread = this.#contentBox(element);
      if (spread === null) hidden = 'size';
      else bounds = spread;
    }
    this.#result(element, above, bounds, hidden, measured);
  }

  #unrendered(element: Element, above: Chain | null, measured: Mutable<Measured>): void {
    if (this.#styles.facts(element).contents && checkVisibility(element, visibilityOnly) === false) {
      // display:contents has no box of its own; what it holds may well be seen.
      const spread = this.#contentBox(element);
      if (spread !== null) {
        this.#result(element, above, spread, null, measured);
        return;
      }
    }
    // Not rendered: whatever box Chromium still knows of it means nothing to a person.
    if (!checkVisibility(element)) return;
    const rect = rectOf(element);
    const bounds: Box = { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
    this.#result(element, above, bounds, checkVisibility(element, opacityOnly) ? 'visibility' : 'opacity', measured);
  }

  /** The box of what an element without a box of its own shows. */
  #contentBox(element: Element): Box | null {
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    let seen = 0;
    const add = (rect: Box): void => {
      if (rect.width <= 0 || rect.height <= 0) return;
      left = Math.min(left, rect.x);
      top = Math.min(top, rect.y);
      right = Math.max(right, rect.x + rect.width);
      bottom = Math.max(bottom, rect.y + rect.height);
    };
    if (this.#styles.facts(element).contents) {
      const range = document.createRange();
      range.selectNodeContents(element);
      add(range.getBoundingClientRect());
    }
    this.#flat.walk<true>(element, true, (inner) => {
      seen += 1;
      if (seen > 50) return null;
      if (inner !== element && checkVisibility(inner, all)) {
        const facts = this.#styles.facts(element);
        // A box that cuts what it holds shows nothing outside itself.
        if (facts.clipX !== 'no' && facts.clipY !== 'no') return null;
        add(rectOf(inner));
      }
      return true;
    });
    return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
  }

  #result(element: Element, above: Chain | null, bounds: Box, known: HiddenReason | null, measured: Mutable<Measured>): void {
    const facts = this.#styles.facts(element);
    let hidden = known;
    if (hidden === null && (facts.clippedAway || above?.clippedAway === true)) hidden = 'clip';
    if (hidden === null && facts.clipX === 'clip' && facts.clipY === 'clip' && bounds.width <= 1 && bounds.height <= 1) hidden = 'size';
    let left = bounds.x;
    let top = bounds.y;
    let right = left + bounds.width;
    let bottom = top + bounds.height;
    let scrolledX = 0;
    let scrolledY = 0;
    const container = outside(facts.position, above);
    for (let box = container?.flow ?? null; box !== null; box = outside(box.facts.position, box.up)?.flow ?? null) {
      const sx = scrollLeft(box.element);
      const sy = scrollTop(box.element);
      scrolledX += sx;
      scrolledY += sy;
      if (hidden !== null) continue;
      const clip = this.#clipOf(box);
      if (box.facts.clipX !== 'no') {
        const from = Math.max(left, clip.left);
        const to = Math.min(right, clip.right);
        if (to > from) {
          left = from;
          right = to;
        } else if (box.facts.clipX === 'scroll' && (right - clip.left + sx > 0 || sx < 0 || isRightToLeft(box.element))) {
          left = clip.left;
          right = Math.max(clip.right, clip.left + 1);
        } else hidden = 'clip';
      }
      if (box.facts.clipY !== 'no' && hidden === null) {
        const from = Math.max(top, clip.top);
        const to = Math.min(bottom, clip.bottom);
        if (to > from) {
          top = from;
          bottom = to;
        } else if (box.facts.clipY === 'scroll' && bottom - clip.top + sy > 0) {
          top = clip.top;
          bottom = Math.max(clip.bottom, clip.top + 1);
        } else hidden = 'clip';
      }
    }
    const pinned = isPinned(facts.position, container);
    if (!pinned) {
      scrolledX += this.scrollX;
      scrolledY += this.scrollY;
    }
    if (hidden === null && !this.#reachable(left, top, right, bottom, pinned)) hidden = 'offscreen';
    measured.bounds = bounds;
    measured.scrolledX = scrolledX;
    measured.scrolledY = scrolledY;
    measured.hidden = hidden;
  }

  #reachable(left: number, top: number, right: number, bottom: number, pinned: boolean): boolean {
    if (pinned || this.#lockX) {
      if (right <= 0 || left >= this.width) return false;
    } else if (right + this.scrollX <= 0 && !this.#rtl) return false;
    if (pinned || this.#lockY) return bottom > 0 && top < this.height;
    return bottom + this.scrollY > 0;
  }

  #clipOf(box: Chain): { left: number; top: number; right: number; bottom: number } {
    if (box.clip !== undefined) return box.clip;
    const rect = rectOf(box.element);
    const left = rect.x + clientLeft(box.element);
    const top = rect.y + clientTop(box.element);
    box.clip = { left, top, right: left + clientWidth(box.element), bottom: top + clientHeight(box.element) };
    return box.clip;
  }

  #chainAbove(element: Element): Chain | null {
    const up = this.#flat.parent(element);
    return up === null ? null : this.#chain(up);
  }

  #chain(element: Element): Chain | null {
    const known = this.#chains.get(element);
    if (known !== undefined) return known;
    const parent = this.#flat.parent(element);
    const above = parent === null ? null : this.#chains.get(parent);
    if (above !== undefined) {
      const made = this.#link(element, above);
      this.#chains.set(element, made);
      return made;
    }
    const missing: Element[] = [];
    let chain: Chain | null = null;
    for (let at: Element | null = element; at !== null; at = this.#flat.parent(at)) {
      const found = this.#chains.get(at);
      if (found !== undefined) {
        chain = found;
        break;
      }
      missing.push(at);
    }
    for (let i = missing.length - 1; i >= 0; i -= 1) {
      const at = missing[i];
      if (at === undefined) continue;
      chain = this.#link(at, chain);
      this.#chains.set(at, chain);
    }
    return chain;
  }

  #link(element: Element, up: Chain | null): Chain {
    const facts = this.#styles.facts(element);
    // Most elements add nothing to what they are in.
    if (up !== null && facts === plain && !hasAttrs(element)) return up;
    const clips = (facts.clipX !== 'no' || facts.clipY !== 'no') && !this.#viewportBoxes.has(element);
    const around = outside(facts.position, up);
    const chain: Mutable<Chain> = {
      element,
      up,
      facts,
      flow: around?.flow ?? null,
      pinned: isPinned(facts.position, around),
      clippedAway: facts.clippedAway || up?.clippedAway === true,
      disables: up?.disables === true || disablesInside(element),
      inert: up?.inert === true || hasAttr(element, 'inert'),
      clip: undefined,
    };
    if (clips) chain.flow = chain;
    return chain;
  }
}

/** The box that an element of this position flows in. */
function outside(position: string, above: Chain | null): Chain | null {
  let box = above;
  if (position === 'fixed') while (box !== null && box.facts.contains !== 'fixed') box = box.up;
  else if (position === 'absolute') while (box !== null && box.facts.contains === 'none') box = box.up;
  return box;
}

/** Stays in place when the page scrolls: fixed to the viewport, or inside of what is. */
function isPinned(position: string, around: Chain | null): boolean {
  return around === null ? position === 'fixed' : around.pinned;
}
