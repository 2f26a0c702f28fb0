// Where this frame is among its parent's, and where its own child frames are.
// Positions in `window` are the same seen from inside and outside, across
// origins too, and looking at them leaves no trace in the page.
import { attr, clientHeight, clientLeft, clientTop, clientWidth, localName, rectOf, styleOf } from './primordials.ts';
import { candidate } from '../locate/candidates.ts';
import type { Pass } from '../tree/pass.ts';
import type { FrameElement } from '../tree/shapes.ts';
import type { UITree } from '../tree/uitree.ts';
import { frameTags, opaque } from '../tree/interactive.ts';

export interface ChildFrame {
  /** Position in `window`; -1 for a frame inside a shadow root, which has none. */
  index: number;
  /** Box of the child's viewport in this frame's viewport, CSS px. */
  bounds: { x: number; y: number; width: number; height: number };
  /** CSS px of this frame per CSS px of the child, other than 1 under a transform. */
  scale: number;
  visible: boolean;
  ref: string;
  /** Number of items of this frame's UI tree that come before the child's. */
  order: number;
  /** What the element says it shows; a hint for frames without a position. */
  src: string;
  name: string;
}

export interface FrameInfo {
  /** Own position in `parent`; -1 in the top frame and inside a shadow root. */
  index: number;
  childFrames: ChildFrame[];
  viewport: { width: number; height: number };
  scroll: { x: number; y: number };
  devicePixelRatio: number;
}

/** known: the frames' elements, where a full tree was read just now; else they are looked for. */
export function frameInfo(tree: UITree, known?: readonly FrameElement[]): FrameInfo {
  return {
    index: ownIndex(),
    childFrames: childFrames(tree, known),
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { x: scrollX, y: scrollY },
    devicePixelRatio,
  };
}

/** Own position in `parent`; -1 in the top frame and inside a shadow root. */
export function ownIndex(): number {
  if (parent === window) return -1;
  for (let i = 0; i < parent.length; i += 1) if (parent[i] === window) return i;
  return -1;
}

function childFrames(tree: UITree, known: readonly FrameElement[] | undefined): ChildFrame[] {
  if (window.length === 0 && !tree.flat.sawRoots) return [];
  const found: ChildFrame[] = [];
  const pass = tree.pass();
  for (const { element, order } of known ?? frameElements(tree, pass)) {
    const frame = childFrame(element, order, tree, pass);
    if (frame !== null) found.push({ ...frame, visible: pass.layout.measure(element).hidden === null });
  }
  return found;
}

function frameElements(tree: UITree, pass: Pass): FrameElement[] {
  const found: FrameElement[] = [];
  const top = document.documentElement;
  if (top === null) return found;
  let order = 0;
  pass.flat.walk<true>(top, true, (element) => {
    if (tree.itemOf(element) !== undefined) order += 1;
    const tag = localName(element);
    if (frameTags.has(tag)) found.push({ element, order });
    return opaque.has(tag) && tag !== 'frameset' ? null : true;
  });
  return found;
}

function childFrame(element: Element, order: number, tree: UITree, pass: Pass): Omit<ChildFrame, 'visible'> | null {
  const child = (element as HTMLIFrameElement).contentWindow ?? null;
  if (child === null) return null;
  let index = -1;
  for (let i = 0; i < window.length; i += 1) {
    if (window[i] === child) {
      index = i;
      break;
    }
  }
  const rect = rectOf(element);
  const style = styleOf(element);
  const width = (element as HTMLElement).offsetWidth;
  const scale = width > 0 && rect.width > 0 ? rect.width / width : 1;
  const padLeft = Number.parseFloat(style.paddingLeft) || 0;
  const padTop = Number.parseFloat(style.paddingTop) || 0;
  const padRight = Number.parseFloat(style.paddingRight) || 0;
  const padBottom = Number.parseFloat(style.paddingBottom) || 0;
  return {
    index,
    bounds: {
      x: rect.x + (clientLeft(element) + padLeft) * scale,
      y: rect.y + (clientTop(element) + padTop) * scale,
      width: Math.max(0, clientWidth(element) - padLeft - padRight) * scale,
      height: Math.max(0, clientHeight(element) - padTop - padBottom) * scale,
    },
    scale: Math.round(scale * 10_000) / 10_000,
    ref: candidate(element, tree, pass).ref,
    order,
    src: (attr(element, 'src') ?? attr(element, 'data') ?? '').slice(0, 200).toWellFormed(),
    name: (attr(element, 'name') ?? '').slice(0, 200).toWellFormed(),
  };
}
