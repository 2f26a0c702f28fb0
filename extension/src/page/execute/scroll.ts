/** Scrolling the page or an element. */
import { BridgeFault } from '../fault.ts';
import type { FlatTree } from '../dom/flat.ts';
import { elementAt, scrollIntoView, scrollLeft, scrollTop, styleOf } from '../dom/primordials.ts';

export interface ScrollRequest {
  x?: number;
  y?: number;
  to?: 'top' | 'bottom' | 'intoView';
}

const scrollBy: (this: Element, options: ScrollToOptions) => void = Element.prototype.scrollBy;
const scrollTo: (this: Element, options: ScrollToOptions) => void = Element.prototype.scrollTo;

export function readScroll(params: Record<string, unknown>): ScrollRequest {
  const out: ScrollRequest = {};
  for (const axis of ['x', 'y'] as const) {
    const value = params[axis];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new BridgeFault('VALIDATION_ERROR', `${axis} must be a number.`);
    out[axis] = value;
  }
  const { to } = params;
  if (to !== undefined && to !== '') {
    if (to !== 'top' && to !== 'bottom' && to !== 'intoView') throw new BridgeFault('VALIDATION_ERROR', 'to must be top, bottom or intoView.');
    out.to = to;
  }
  if (out.x === undefined && out.y === undefined && out.to === undefined) {
    if (params.target === undefined) throw new BridgeFault('VALIDATION_ERROR', 'Say x, y or to.');
    out.to = 'intoView';
  }
  return out;
}

function scrollable(element: Element, horizontal: boolean): boolean {
  const extent = horizontal ? element.scrollWidth > element.clientWidth : element.scrollHeight > element.clientHeight;
  if (!extent) return false;
  if (element === document.scrollingElement) return true;
  const style = styleOf(element);
  const overflow = horizontal ? style.overflowX : style.overflowY;
  return overflow === 'auto' || overflow === 'scroll' || overflow === 'hidden';
}

/** The element that would move: itself, else the nearest ancestor that can scroll. */
function scroller(start: Element | null, horizontal: boolean, flat: FlatTree): Element | null {
  for (let at = start; at !== null; at = flat.parent(at)) if (scrollable(at, horizontal)) return at;
  return document.scrollingElement;
}

/** What a wheel in the middle of the window would move, when the page itself cannot. */
function pageScroller(horizontal: boolean, flat: FlatTree): Element | null {
  const page = document.scrollingElement;
  if (page !== null && scrollable(page, horizontal)) return page;
  return scroller(elementAt(document, innerWidth / 2, innerHeight / 2), horizontal, flat);
}

export function scroll(target: Element | null, request: ScrollRequest, flat: FlatTree, acted: () => void): Record<string, unknown> {
  const behavior = 'instant';
  if (request.to === 'intoView') {
    if (target === null) throw new BridgeFault('VALIDATION_ERROR', 'intoView needs a target.');
    scrollIntoView(target, { block: 'center', inline: 'nearest', behavior });
    acted();
    return { x: scrollX, y: scrollY };
  }
  const horizontal = request.to === undefined && (request.y ?? 0) === 0;
  const box = target === null ? pageScroller(horizontal, flat) : scroller(target, horizontal, flat);
  if (box === null) throw new BridgeFault('TARGET_NOT_INTERACTABLE', 'The document has nothing to scroll.', { check: 'scrollable' });
  if (request.to === 'top') scrollTo.call(box, { top: 0, behavior });
  else if (request.to === 'bottom') scrollTo.call(box, { top: box.scrollHeight, behavior });
  else scrollBy.call(box, { left: request.x ?? 0, top: request.y ?? 0, behavior });
  acted();
  return {
    x: scrollLeft(box), y: scrollTop(box),
    maxX: Math.max(0, box.scrollWidth - box.clientWidth), maxY: Math.max(0, box.scrollHeight - box.clientHeight),
  };
}
