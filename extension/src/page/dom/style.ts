// Computed style, read at most once per element and pass, and not at all where
// no style sheet or attribute could have set anything.
import { attr, hasAttr, hasAttrs, hasSheets, localName, matches, parentElement, rootOf, styleOf } from './primordials.ts';
import type { FlatTree } from './flat.ts';

export interface StyleFacts {
  readonly position: string;
  readonly clipX: 'no' | 'clip' | 'scroll';
  readonly clipY: 'no' | 'clip' | 'scroll';
  /** Its clip-path or clip leaves nothing (or next to nothing) to see. */
  readonly clippedAway: boolean;
  readonly pointer: boolean;
  readonly contents: boolean;
  /** Contains absolutely positioned descendants although static (transform and friends). */
  readonly contains: 'none' | 'absolute' | 'fixed';
}

/** The facts of an element to which no style of interest applies. */
export const plain: StyleFacts = {
  position: 'static',
  clipX: 'no',
  clipY: 'no',
  clippedAway: false,
  pointer: false,
  contents: false,
  contains: 'none',
};
const plainPointer: StyleFacts = { ...plain, pointer: true };

// Each property is read when it is asked for: a read costs more than all else here.
class ReadFacts implements StyleFacts {
  readonly #style: CSSStyleDeclaration;
  #position: string | undefined;
  #display: string | undefined;
  #clipX: StyleFacts['clipX'] | undefined;
  #clipY: StyleFacts['clipX'] | undefined;
  #clippedAway: boolean | undefined;
  #pointer: boolean | undefined;
  #contains: StyleFacts['contains'] | undefined;

  constructor(element: Element) {
    this.#style = styleOf(element);
  }

  get position(): string {
    return (this.#position ??= this.#style.position);
  }

  get clipX(): StyleFacts['clipX'] {
    return (this.#clipX ??= this.#clip(clipOf(this.#style.overflowX)));
  }

  get clipY(): StyleFacts['clipX'] {
    return (this.#clipY ??= this.#clip(clipOf(this.#style.overflowY)));
  }

  // Boxes of inline elements do not clip.
  #clip(found: StyleFacts['clipX']): StyleFacts['clipX'] {
    if (found === 'no') return found;
    this.#display ??= this.#style.display;
    return this.#display === 'inline' || this.#display === 'contents' ? 'no' : found;
  }

  get clippedAway(): boolean {
    return (this.#clippedAway ??= clippedAway(this.#style, this.position));
  }

  get pointer(): boolean {
    return (this.#pointer ??= this.#style.cursor === 'pointer');
  }

  get contents(): boolean {
    this.#display ??= this.#style.display;
    return this.#display === 'contents';
  }

  get contains(): StyleFacts['contains'] {
    return (this.#contains ??= containsWhat(this.#style));
  }
}

export class StyleCache {
  readonly #facts = new Map<Element, StyleFacts>();
  readonly #pseudo = new Map<Element, readonly [string, string]>();
  readonly #sheetless: boolean;
  readonly #flat: FlatTree;

  constructor(flat: FlatTree) {
    this.#flat = flat;
    this.#sheetless = !hasSheets(document);
  }

  /** True when only the browser's own style sheet can apply to the element. */
  unstyled(element: Element): boolean {
    if (!this.#sheetless) return false;
    if (!this.#flat.sawRoots) return true;
    if (rootOf(element) !== document) return false;
    // Hosts and their children can be styled from inside the shadow root.
    const up = parentElement(element);
    return this.#flat.shadowRoot(element) === null && (up === null || this.#flat.shadowRoot(up) === null);
  }

  facts(element: Element): StyleFacts {
    if (this.#sheetless && !this.#flat.sawRoots && !hasAttrs(element) && !ownBox.has(localName(element))) return plain;
    const known = this.#facts.get(element);
    if (known !== undefined) return known;
    const made = this.#make(element);
    this.#facts.set(element, made);
    return made;
  }

  #make(element: Element): StyleFacts {
    if (this.#sheetless && !hasAttr(element, 'style') && this.unstyled(element)) {
      const name = localName(element);
      if (name === 'a' || name === 'area') return hasAttr(element, 'href') ? plainPointer : plain;
      if (!ownBox.has(name) && !hasAttr(element, 'popover')) return plain;
    }
    return new ReadFacts(element);
  }

  /** Text that ::before and ::after put around the element's content. */
  pseudoText(element: Element): readonly [string, string] {
    if (this.unstyled(element)) return noText;
    const known = this.#pseudo.get(element);
    if (known !== undefined) return known;
    const made: readonly [string, string] = [generated(element, '::before'), generated(element, '::after')];
    this.#pseudo.set(element, made);
    return made;
  }
}

const noText = ['', ''] as const;

// Elements to which the browser's own style sheet gives position, overflow or display of interest.
const ownBox = new Set('dialog svg marquee slot details'.split(' '));

function clipOf(overflow: string): 'no' | 'clip' | 'scroll' {
  switch (overflow) {
    case 'visible':
      return 'no';
    case 'auto':
    case 'scroll':
      return 'scroll';
    default:
      return 'clip';
  }
}

function containsWhat(style: CSSStyleDeclaration): 'none' | 'absolute' | 'fixed' {
  if (
    style.transform !== 'none' ||
    style.filter !== 'none' ||
    style.perspective !== 'none' ||
    style.translate !== 'none' ||
    style.rotate !== 'none' ||
    style.scale !== 'none'
  ) {
    return 'fixed';
  }
  const contain = style.contain;
  if (contain !== 'none' && /paint|layout|strict|content/.test(contain)) return 'fixed';
  if (/transform|filter|perspective/.test(style.willChange)) return 'fixed';
  return style.position === 'static' ? 'none' : 'absolute';
}

function clippedAway(style: CSSStyleDeclaration, position: string): boolean {
  if (position === 'absolute' || position === 'fixed') {
    const rect = /^rect\((.*)\)$/.exec(style.clip)?.[1]?.split(/[\s,]+/).map(Number.parseFloat);
    if (rect !== undefined && rect.length === 4) {
      const [top = 0, right = 0, bottom = 0, left = 0] = rect;
      // "auto" sides are NaN: a comparison with them is false, which is right.
      if (right - left <= 1 || bottom - top <= 1) return true;
    }
  }
  const path = style.clipPath;
  if (path === 'none') return false;
  if (/^(?:circle|ellipse)\(0(?:px|%)?[\s)]/.test(path)) return true;
  const inset = /^inset\(([^)]*)\)$/.exec(path)?.[1];
  if (inset !== undefined) {
    const sides = (inset.split(' round ')[0] ?? '').trim().split(/\s+/);
    const percent = (i: number): number => {
      const side = sides[i] ?? sides[i - 2] ?? sides[0] ?? '';
      return side.endsWith('%') ? Number.parseFloat(side) : 0;
    };
    return percent(0) + percent(2) >= 100 || percent(1) + percent(3) >= 100;
  }
  const polygon = /^polygon\((?:(?:evenodd|nonzero),\s*)?([^)]*)\)$/.exec(path)?.[1];
  if (polygon !== undefined) return new Set(polygon.split(',').map((point) => point.trim())).size < 3;
  return false;
}

function generated(element: Element, which: '::before' | '::after'): string {
  const style = styleOf(element, which);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '') return '';
  if (style.display === 'none' || style.visibility === 'hidden') return '';
  const text = contentText(content, element);
  return style.display.startsWith('inline') && style.position !== 'absolute' ? text : ` ${text} `;
}

/** The text of a `content` value: its strings and attr(), or the alternative text after a slash. */
export function contentText(content: string, element: Element): string {
  const token = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|(\/)|url\("(?:[^"\\]|\\.)*"\)|[\w-]+\([^)]*\)/g;
  let text = '';
  for (const [, quoted, attribute, slash] of content.matchAll(token)) {
    if (slash !== undefined) text = '';
    else if (quoted !== undefined) text += quoted.replace(/\\(.)/g, '$1');
    else if (attribute !== undefined) text += attr(element, attribute) ?? '';
  }
  return text;
}

/** Whether the page as a whole is right to left: then negative positions can be scrolled to. */
export function isRightToLeft(root: Element): boolean {
  return matches(root, ':dir(rtl)');
}
