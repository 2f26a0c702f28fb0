// Where the pointer is tried on an element, and where to look for what else bears on it.
import { clientRects, rectOf, styleOf } from '../dom/primordials.ts';
import type { Point } from '../locate/actionability.ts';

const maxLines = 3; // boxes of an inline element that are tried

/** The part of a box that is in the viewport. */
export function seen(rect: DOMRectReadOnly): DOMRect | null {
  const x = Math.max(0, rect.x);
  const y = Math.max(0, rect.y);
  const width = Math.min(innerWidth, rect.right) - x;
  const height = Math.min(innerHeight, rect.bottom) - y;
  return width <= 0 || height <= 0 ? null : new DOMRect(x, y, width, height);
}

/** Nine points of what is in the viewport, the middle first; of several line boxes three each. */
export function hitPoints(element: Element): Point[] {
  const boxes = [...clientRects(element)].flatMap((rect) => seen(rect) ?? []);
  if (boxes.length < 2) {
    const part = boxes[0] ?? seen(rectOf(element));
    return part === null ? [] : grid(part, corner(element, part), true);
  }
  return boxes
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, maxLines)
    .flatMap((part) => grid(part, 2, false));
}

function grid({ x, y, right, bottom, width, height }: DOMRect, corner: number, rows: boolean): Point[] {
  const [dx, dy] = [Math.min(corner, width / 4), Math.min(corner, height / 4)];
  const xs = [x + width / 2, x + dx, right - dx];
  const ys = rows ? [y + height / 2, y + dy, bottom - dy] : [y + height / 2];
  return ys.flatMap((py) => xs.map((px) => ({ x: px, y: py })));
}

/** How far in from its corners a rounded box begins: 1 - 1/√2 of the radius. */
function corner(element: Element, { width, height }: DOMRect): number {
  const style = styleOf(element);
  let radius = 0;
  for (const value of [style.borderTopLeftRadius, style.borderTopRightRadius, style.borderBottomRightRadius, style.borderBottomLeftRadius]) {
    const number = Number.parseFloat(value);
    if (Number.isFinite(number)) radius = Math.max(radius, value.includes('%') ? (number / 100) * Math.max(width, height) : number);
  }
  return 2 + 0.3 * Math.min(radius, Math.max(width, height) / 2);
}

const least = 24; // px: WCAG's smallest target

/** Points around the middle of a small target, where another one would be too near. */
export function pointsAround(element: Element): Point[] {
  const rect = rectOf(element);
  if (rect.width >= least && rect.height >= least) return [];
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  const list: Point[] = [];
  for (const radius of [11.5, 17, 23]) {
    for (let k = 0; k < 8; k += 1) list.push({ x: x + radius * Math.cos((k * Math.PI) / 4), y: y + radius * Math.sin((k * Math.PI) / 4) });
  }
  return list;
}

const elementsAt = document.elementsFromPoint.bind(document);

/** What lies over and under the middle of an element. */
export function pileAt(element: Element): Element[] {
  const part = seen(rectOf(element));
  return part === null ? [] : elementsAt(part.x + part.width / 2, part.y + part.height / 2).slice(0, 30);
}
