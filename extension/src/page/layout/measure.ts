// Measures a document for the diagnosis of layout faults: boxes, computed values, hit
// tests, animations, in one go and without a frame in between. What it comes to is
// decided by the host (host/internal/layout/snapshot.go says what each field means).
import { isDisabled } from '../aria/state.ts';
import { treeRoot } from '../dom/flat.ts';
import { frameInfo, type FrameInfo } from '../dom/frames.ts';
import {
  attr,
  checkVisibility,
  clientHeight,
  clientWidth,
  documentElement,
  hasAttr,
  hasAttrs,
  HTML_NAMESPACE,
  htmlTabIndex,
  isElement,
  localName,
  matches,
  namespaceURI,
  nodeType,
  queryAll,
  rectOf,
  scrollLeft,
  scrollTop,
  styleOf,
  textContent,
  type TreeRoot,
} from '../dom/primordials.ts';
import { BridgeFault } from '../fault.ts';
import { candidate } from '../locate/candidates.ts';
import { deepElementAt, takes } from '../locate/actionability.ts';
import { isInteractive } from '../tree/interactive.ts';
import type { Pass } from '../tree/pass.ts';
import type { UITree } from '../tree/uitree.ts';
import { apply, Measurement, type Order } from './apply.ts';
import { animationOf, animations, glyphFont, imageOf, missingFonts, ownText, round } from './own.ts';
import { hitPoints, pileAt, pointsAround, seen } from './points.ts';
import { Declared } from './declared.ts';
import { initial, readStyles, readTyped } from './styles.ts';
import { Sheets, type FocusMark } from './sheets.ts';

const maxElements = 30_000;
const maxLayers = 50; // elements of backgrounds that lie beside the target in the document
const maxNear = 400; // descendants of the target
const maxSiblings = 150; // the nearest
const maxAunts = 40; // of each ancestor, the nearest
const skipped = new Set('head script style template noscript datalist title meta link base source track param option optgroup'.split(' '));
const replacedTags = new Set('img video canvas iframe object embed svg'.split(' '));
const read = 'hidden inert disabled aria-hidden aria-busy open popover tabindex width height type role aria-modal aria-expanded aria-controls aria-label loading alt class dir style slot aria-roledescription'.split(' ');
const described = new Set('dialog alertdialog menu tabpanel tooltip listbox navigation banner main region form'.split(' '));

export function measure(order: Order, tree: UITree): { snapshot: Record<string, unknown>; measurement: Measurement; frame: FrameInfo } {
  const undo = apply(order);
  try {
    return new Measure(order, tree).run();
  } finally {
    undo();
  }
}

interface Entry {
  element: Element;
  parent: number;
}

class Measure {
  readonly #pass: Pass;
  readonly #sheets = new Sheets();
  readonly #index = new Map<Element, number>();
  readonly #entries: Entry[] = [];
  readonly #displays: string[] = [];
  readonly #rects: (DOMRect | null)[] = []; // of display: contents, what is around it
  readonly #missingFonts = missingFonts();
  readonly #close = new Set<Element>();
  readonly #slotsOf = new Map<Element, string[]>(); // of a host with a child that none of them shows
  #partial = false;
  #moves = new Map<Element, Animation[]>();
  readonly #moving = new Set<number>();
  readonly #closed: Set<string>;
  readonly #opened: Set<string>;
  #declared!: Declared;

  constructor(
    private readonly order: Order,
    private readonly tree: UITree,
  ) {
    this.#pass = tree.pass(order.target === undefined);
    this.#closed = controlledBy('[aria-controls][aria-expanded=false],[role=tab][aria-controls]:not([aria-selected=true])');
    this.#opened = controlledBy('[aria-controls][aria-expanded=true]');
  }

  run(): { snapshot: Record<string, unknown>; measurement: Measurement; frame: FrameInfo } {
    const root = documentElement(document);
    if (root === null) throw new BridgeFault('ELEMENT_NOT_FOUND', 'The document is empty.');
    const { target } = this.order;
    const hits = target === undefined ? undefined : this.#hitsOf(target);
    this.#collect(root, target === undefined ? undefined : this.#around(target, hits ?? []));
    const roots = rootsOf(this.tree, this.#entries);
    this.#moves = running(roots);
    this.#declared = new Declared(roots);
    const elements = this.#entries.map((entry, i) => this.#element(entry, i, entry.element === target ? hits : undefined));
    const scroller = document.scrollingElement ?? root;
    const rootStyle = styleOf(root);
    return {
      snapshot: {
        url: location.href,
        viewport: {
          width: clientWidth(scroller) || innerWidth,
          height: clientHeight(scroller) || innerHeight,
          scrollX: round(scrollX),
          scrollY: round(scrollY),
          contentWidth: scroller.scrollWidth,
          contentHeight: scroller.scrollHeight,
          scale: visualViewport?.scale ?? 1,
          pixelRatio: devicePixelRatio,
          ...(innerWidth > clientWidth(root) && clientWidth(root) > 0 ? { scrollBar: innerWidth - clientWidth(root) } : {}),
          ...(rootStyle.direction === 'rtl' ? { rtl: true } : {}),
          ...(rootStyle.writingMode === 'horizontal-tb' ? {} : { writingMode: rootStyle.writingMode }),
          ...(matchMedia('print').matches ? { print: true } : {}),
          ...(darkCanvas(rootStyle) ? { dark: true } : {}),
        },
        initial,
        elements,
        target: target === undefined ? -1 : (this.#index.get(target) ?? -1),
        partial: this.#partial,
        missingFonts: this.#missingFonts,
      },
      measurement: new Measurement(this.#entries.map(({ element }) => new WeakRef(element))),
      frame: frameInfo(this.tree),
    };
  }

  /** The target's surroundings, by which its faults come: null for everything. */
  #around(target: Element, hits: readonly RawHit[]): Set<Element> {
    const { flat } = this.#pass;
    const wanted = new Set<Element>();
    const chain = (from: Element, close: boolean): void => {
      for (let at: Element | null = from; at !== null; at = flat.parent(at) ?? flat.composedParent(at)) {
        if (close) this.#close.add(at);
        else if (wanted.has(at)) return;
        wanted.add(at);
      }
    };
    chain(target, true);
    const parent = flat.parent(target);
    let inner: Element | null = null; // of the chain, what is in at
    for (const at of [...wanted]) {
      const children = flat.childNodes(at).filter(isElement);
      const most = at === parent ? maxSiblings : maxAunts;
      const from = Math.max(0, Math.min(children.length - most, (inner === null ? 0 : children.indexOf(inner)) - most / 2));
      if (children.length > most) this.#partial = true;
      for (const child of children.slice(from, from + most)) {
        wanted.add(child);
        if (at === parent) this.#close.add(child);
      }
      inner = at;
    }
    for (const tall of this.#tall(target, wanted)) wanted.add(tall);
    let count = 0;
    flat.walk<true>(target, true, (element) => {
      count += 1;
      if (count > maxNear) {
        this.#partial = true;
        return null;
      }
      wanted.add(element);
      return true;
    });
    // What covers it, with all that says why it is there; what is behind its text; other targets beside it.
    for (const { hit } of hits) {
      for (let at = hit; at !== null && !flat.composedContains(at, target); at = flat.parent(at) ?? flat.composedParent(at)) this.#close.add(at);
      if (hit !== null) chain(hit, false);
    }
    for (const behind of pileAt(target)) chain(behind, false);
    for (const layer of this.#layersBehind(target, wanted)) chain(layer, false);
    if (isInteractive(target, false, this.#pass)) {
      for (const { x, y } of pointsAround(target)) {
        const { hit } = this.#hit(x, y);
        if (hit !== null) chain(hit, false);
      }
    }
    return wanted;
  }

  /** What is in elements beside it that are higher than the window, and may be why it lies below. */
  #tall(target: Element, beside: ReadonlySet<Element>): Element[] {
    const { flat } = this.#pass;
    const found: Element[] = [];
    if (rectOf(target).top < innerHeight) return found;
    for (const element of beside) {
      if (rectOf(element).height <= innerHeight || flat.composedContains(element, target)) continue;
      flat.walk<true>(element, true, (inner) => (found.length < maxLayers && found.push(inner) > 0 ? true : null));
    }
    return found;
  }

  /** What is in placed elements beside it that let the pointer through: no hit test finds it. */
  #layersBehind(target: Element, wanted: ReadonlySet<Element>): Element[] {
    const { flat } = this.#pass;
    if (ownText(target) === null) return [];
    const found: Element[] = [];
    const box = rectOf(target);
    for (const beside of wanted) {
      const { position, pointerEvents } = styleOf(beside);
      if ((position !== 'absolute' && position !== 'fixed') || pointerEvents !== 'none' || flat.composedContains(beside, target)) continue;
      const rect = rectOf(beside);
      if (rect.right < box.left || rect.left > box.right || rect.bottom < box.top || rect.top > box.bottom) continue;
      flat.walk<true>(beside, true, (element) => (found.length < maxLayers && found.push(element) > 0 ? true : null));
    }
    return found;
  }

  /** Gives each element its index, parents first. */
  #collect(root: Element, wanted: Set<Element> | undefined): void {
    const { flat } = this.#pass;
    flat.walk<number>(root, -1, (element, parent) => {
      if (skipped.has(localName(element)) && element !== this.order.target && wanted?.has(element) !== true) return null;
      if (wanted !== undefined && !wanted.has(element)) return null;
      if (this.#entries.length >= maxElements) {
        this.#partial = true;
        return null;
      }
      return this.#add(element, parent);
    });
    // A host's child that no slot shows is in no flat tree; it is asked about all the same.
    const { target } = this.order;
    if (target !== undefined && !this.#index.has(target)) {
      const missing: Element[] = [];
      let at: Element | null = target;
      for (; at !== null && !this.#index.has(at); at = flat.composedParent(at)) {
        missing.push(at);
        const host = flat.parent(at) === null ? flat.composedParent(at) : null;
        const root = host === null ? null : flat.shadowRoot(host);
        if (host !== null && root !== null) this.#slotsOf.set(host, [...root.querySelectorAll('slot')].slice(0, 20).map((slot) => slot.name.slice(0, 60)));
      }
      let parent = at === null ? 0 : (this.#index.get(at) ?? 0);
      for (const element of missing.reverse()) parent = this.#add(element, parent);
    }
  }

  #add(element: Element, parent: number): number {
    const i = this.#entries.length;
    this.#entries.push({ element, parent });
    this.#index.set(element, i);
    return i;
  }

  #element({ element, parent }: Entry, i: number, hits: readonly RawHit[] | undefined): Record<string, unknown> {
    const { order: { target } } = this;
    const tag = localName(element);
    const html = namespaceURI(element) === HTML_NAMESPACE;
    const style = styleOf(element);
    const { display } = style;
    this.#displays.push(display === 'contents' && parent >= 0 ? (this.#displays[parent] ?? '') : display);
    const out: Record<string, unknown> = { p: parent, t: tag, n: label(element, tag) };
    const attributed = hasAttrs(element);
    const rendered = display !== 'none' && display !== 'contents' && checkVisibility(element);
    const rect = rendered ? rectOf(element) : null;
    const around = parent < 0 ? null : (this.#rects[parent] ?? null);
    this.#rects.push(display === 'contents' ? around : rect);
    // What stands out of its parent sideways, and what its content runs out of, is asked for its reasons.
    const sticksOut = rect !== null && around !== null && (rect.right > around.right + 1 || rect.left < around.left - 1);
    const content = rect === null ? undefined : contentOf(element);
    const strayed = rect !== null && strays(rect, style.position);
    const close = this.#close.has(element) || i < 2 || sticksOut || strayed || (content !== undefined && (content[0] > content[2] + 1 || content[1] > content[3] + 8));
    let flags = '';
    const text = rect === null ? null : ownText(element);
    if (text !== null) out.x = text;
    else if (rect !== null && this.#missingFonts.length > 0) {
      const glyph = glyphFont(element);
      if (glyph !== undefined) out.g = glyph;
    }
    const parentDisplay = parent < 0 ? '' : (this.#displays[parent] ?? '');
    const styles = readStyles(style, { text: text !== null, replaced: replacedTags.has(tag), parentDisplay, close }, this.#declared.of(element, attributed));
    if (styles !== undefined) out.s = styles;
    if (attributed) {
      const attrs = attributesOf(element);
      if (attrs !== undefined) out.a = attrs;
    }
    if (rect !== null) {
      out.b = [round(rect.x), round(rect.y), round(rect.width), round(rect.height)];
      const { offsetWidth: w, offsetHeight: h } = element as HTMLElement;
      if (html && w !== undefined && (Math.abs(w - rect.width) > 1 || Math.abs(h - rect.height) > 1)) out.o = [w, h];
      if (content !== undefined) out.sc = content;
    }
    if (html && (close || rect !== null)) {
      const typed = readTyped(element, close, display.endsWith('grid'));
      if (typed !== undefined) out.c = typed;
    }
    const interactive = isInteractive(element, false, this.#pass);
    const role = interactive || (attributed && hasAttr(element, 'role')) || described.has(tag) || tag === 'nav' ? this.#pass.roles.role(element) : '';
    if (interactive) flags += 'i';
    if (role !== '' && (interactive || described.has(role) || element === target)) {
      out.r = role;
      out.an = this.#pass.names.describe(element).name.slice(0, 80);
    }
    const tabIndex = html ? htmlTabIndex(element as HTMLElement) : -1;
    if (tabIndex >= 0 && rect !== null && style.visibility === 'visible') {
      flags += 'f';
      out.ti = tabIndex;
      const root = treeRoot(element);
      const mark: FocusMark | undefined = root === null ? undefined : this.#sheets.focusMark(element, root);
      if (mark !== undefined) out.fm = mark;
    } else if (tabIndex >= 0 || (attributed && hasAttr(element, 'tabindex'))) flags += 'f';
    if (inTopLayer(element, tag)) flags += 't';
    if (treeRoot(element) !== document) flags += 's';
    if (parent >= 0 && this.#pass.flat.parent(element) === null) flags += 'n';
    const slots = this.#slotsOf.get(element);
    if (slots !== undefined) out.sl = slots;
    const id = attributed ? attr(element, 'id') : null;
    if (id !== null && this.#closed.has(id)) flags += 'c';
    if (id !== null && this.#opened.has(id)) flags += 'o';
    if (isDisabled(element, false)) flags += 'd';
    if (rect !== null && this.#sheets.decorated(element)) flags += 'b';
    const moves = this.#moves.get(element);
    if (moves !== undefined) {
      out.mv = moves.map((move) => animationOf(move, style, target !== undefined));
      this.#moving.add(i);
    } else if (parent >= 0 && this.#moving.has(parent)) this.#moving.add(i);
    if (this.#moving.has(i)) flags += 'a';
    if (display.startsWith('inline') && parent >= 0 && besideText(element)) flags += 'l';
    if (flags !== '') out.f = flags;
    if (tag === 'img') out.i = imageOf(element as HTMLImageElement);
    if (rect === null || style.visibility === 'hidden' || style.opacity === '0') {
      const root = treeRoot(element);
      const media = root === null ? undefined : this.#sheets.hidingMedia(element, root);
      if (media !== undefined) out.m = media;
    }
    if (this.#close.has(element)) {
      const root = treeRoot(element);
      const shown = root === null ? undefined : this.#sheets.shownBy(element, root);
      if (shown !== undefined) out.sb = shown;
    }
    const struck = hits ?? (target === undefined && rect !== null && (interactive || text !== null || tag === 'img') ? this.#centre(element, text === null ? rect : boxed(text.b)) : []);
    if (struck.length > 0) out.h = struck.map(({ x, y, hit }) => [round(x), round(y), hit === null ? -1 : (this.#index.get(hit) ?? this.#nearest(hit))]);
    return out;
  }

  /** The hit element, or the nearest around it that was measured. */
  #nearest(hit: Element): number {
    for (let at: Element | null = hit; at !== null; at = this.#pass.flat.parent(at)) {
      const known = this.#index.get(at);
      if (known !== undefined) return known;
    }
    return -1;
  }

  /** What takes the pointer for the element (its label, a part of it) counts as the element. */
  #hit(x: number, y: number, wanted?: Element): RawHit {
    const hit = deepElementAt({ x, y }, this.tree);
    return { x, y, hit: wanted !== undefined && hit !== null && hit !== wanted && takes(hit, wanted, wanted, this.tree) ? wanted : hit };
  }

  #centre(element: Element, rect: DOMRect): RawHit[] {
    const part = seen(rect);
    // Beyond its own box (text that runs over), it is not covered but cut.
    if (part === null || !checkVisibility(element, { visibilityProperty: true })) return [];
    return [this.#hit(part.x + part.width / 2, part.y + part.height / 2, element)];
  }

  /** Nine points of what is in the viewport. */
  #hitsOf(element: Element): RawHit[] {
    if (!checkVisibility(element)) return [];
    return hitPoints(element).map(({ x, y }) => this.#hit(x, y, element));
  }
}

interface RawHit {
  x: number;
  y: number;
  hit: Element | null;
}

function darkCanvas({ colorScheme }: CSSStyleDeclaration): boolean {
  return /\bdark\b/.test(colorScheme) && (!/\blight\b/.test(colorScheme) || matchMedia('(prefers-color-scheme: dark)').matches);
}

/** What stands against the viewport, or where no scrolling comes, is asked for its reasons. */
function strays(rect: DOMRect, position: string): boolean {
  return position === 'fixed' || rect.top + scrollY < -2 || (position === 'absolute' && (rect.left < -2 || rect.right > innerWidth + 2));
}

function boxed([x, y, width, height]: [number, number, number, number]): DOMRect {
  return new DOMRect(x, y, width, height);
}

function label(element: Element, tag: string): string {
  let text = tag;
  const id = attr(element, 'id');
  if (id !== null && id !== '') text += `#${id.slice(0, 60)}`;
  else {
    const first = /\S+/.exec(attr(element, 'class') ?? '')?.[0];
    if (first !== undefined) text += `.${first.slice(0, 60)}`;
  }
  return text.toWellFormed();
}

function attributesOf(element: Element): Record<string, string> | undefined {
  let values: Record<string, string> | undefined;
  for (const name of read) {
    const value = attr(element, name);
    if (value === null) continue;
    values ??= {};
    values[name] = value.slice(0, 100).toWellFormed();
  }
  return values;
}

/** The extent of what is in an element, where that is more than its box. */
function contentOf(element: Element): [number, number, number, number, number, number] | undefined {
  const { scrollWidth, scrollHeight } = element;
  const [cw, ch] = [clientWidth(element), clientHeight(element)];
  return cw > 0 && (scrollWidth > cw || scrollHeight > ch) ? [scrollWidth, scrollHeight, cw, ch, round(scrollLeft(element)), round(scrollTop(element))] : undefined;
}

function inTopLayer(element: Element, tag: string): boolean {
  if (tag === 'dialog' && matches(element, ':modal')) return true;
  if (hasAttr(element, 'popover') && matches(element, ':popover-open')) return true;
  return document.fullscreenElement !== null && matches(element, ':fullscreen');
}

/** Ids of what controls in a state say that they control. */
function controlledBy(controls: string): Set<string> {
  const ids = new Set<string>();
  for (const control of queryAll(document, controls)) {
    for (const id of (attr(control, 'aria-controls') ?? '').split(/\s+/)) if (id !== '') ids.add(id);
  }
  return ids;
}

function besideText(element: Element): boolean {
  for (const side of ['previousSibling', 'nextSibling'] as const) {
    const node = element[side];
    if (node !== null && nodeType(node) === Node.TEXT_NODE && (textContent(node) ?? '').trim() !== '') return true;
  }
  return false;
}

function running(roots: ReadonlySet<TreeRoot>): Map<Element, Animation[]> {
  const found = new Map<Element, Animation[]>();
  for (const animation of animations(roots)) {
    const target = (animation.effect as KeyframeEffect).target as Element;
    const list = found.get(target);
    if (list === undefined) found.set(target, [animation]);
    else list.push(animation);
  }
  return found;
}

/** The document, and the shadow roots that bear on what is measured. */
function rootsOf(tree: UITree, entries: readonly Entry[]): Set<TreeRoot> {
  const roots = new Set<TreeRoot>([document]);
  if (!tree.flat.sawRoots) return roots;
  for (const { element } of entries) {
    for (const root of [treeRoot(element), tree.flat.shadowRoot(element)]) if (root !== null) roots.add(root);
  }
  return roots;
}

/** Refs and selectors of what was measured. */
export function nameMeasured(indices: readonly unknown[], measurement: Measurement, tree: UITree): unknown[] {
  const pass = tree.pass();
  return indices.map((index) => {
    const element = typeof index === 'number' ? measurement.elements[index]?.deref() : undefined;
    if (element === undefined || !element.isConnected) return null;
    const { ref, role, name, selector } = candidate(element, tree, pass);
    return { ref, role: role === 'generic' ? '' : role, name: name.slice(0, 80), selector };
  });
}

