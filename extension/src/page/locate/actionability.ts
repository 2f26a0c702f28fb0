// Whether an action can reach the element the way a person's would, and where.
import { isDisabled } from '../aria/state.ts';
import {
  clientRects,
  closest,
  elementAt,
  isConnected,
  localName,
  inputType,
  rectOf,
  scrollIntoView,
  styleOf,
} from '../dom/primordials.ts';
import { settleFrame } from '../dom/timing.ts';
import type { Box, HiddenReason } from '../dom/visibility.ts';
import { BridgeFault } from '../fault.ts';
import type { Pass } from '../tree/pass.ts';
import type { UITree } from '../tree/uitree.ts';
import { candidate } from './candidates.ts';
import { hiderOf } from './hider.ts';
import { movers } from './moving.ts';

export type ActionKind = 'click' | 'hover' | 'type' | 'focus' | 'select' | 'scroll';

export interface Point {
  x: number;
  y: number;
}

export interface Actionable {
  /** Where to act, CSS px in the frame's viewport. */
  point: Point;
  bounds: Box;
  /** What stands for the element at the point: itself, or the label of a control drawn by style. */
  element: Element;
  checks: { attached: true; visible: boolean; enabled: boolean; stable: boolean; receivesEvents: boolean };
}

const needsEnabled: ReadonlySet<ActionKind> = new Set<ActionKind>(['click', 'type', 'focus', 'select']);
const needsPoint: ReadonlySet<ActionKind> = new Set<ActionKind>(['click', 'hover']);

// A moving element is given this many frames to come to rest.
const maxFrames = 30;
// Of an animated one, ms: frames held back come in a burst.
const minRest = 32;
// Of the viewport's height; what covers more leaves no room beside it.
const barAtMost = 0.8;
// A window that is occluded draws none: then it is at rest.
const maxUndrawn = 4;

/**
 * Look once (the caller repeats within its deadline): attached, visible,
 * enabled, at rest, in view and hit at the point. Scrolls when it must. What
 * style does not move counts as at rest; `steady` watches it for two frames all
 * the same. Throws TARGET_NOT_INTERACTABLE, TARGET_OBSCURED or TARGET_OUT_OF_VIEW.
 */
export async function actionability(
  element: Element, action: ActionKind, tree: UITree, signal?: AbortSignal, steady: boolean = false,
): Promise<Actionable> {
  if (!isConnected(element)) throw refuse('attached', 'The element is not in the page any more.');
  let pass = tree.pass();
  const shown = visibleStandIn(element, action, tree, pass);
  const enabled = checkEnabled(element, action, pass);
  if (action === 'scroll') return result(shown, boxOf(shown), { visible: true, enabled, stable: false, receivesEvents: false });
  const scrolled = !inView(shown);
  if (scrolled) scroll(shown);
  let stand = shown;
  if (scrolled || steady || movers(shown, tree.flat).length > 0) {
    await still(shown, tree, signal);
    if (!isConnected(element)) throw refuse('attached', 'The element left the page while it was looked at.');
    // What was true before the frames passed must be true now: nothing is awaited after this.
    pass = tree.pass();
    stand = visibleStandIn(element, action, tree, pass);
    checkEnabled(element, action, pass);
  }
  if (!needsPoint.has(action)) {
    return result(stand, visiblePart(stand) ?? boxOf(stand), { visible: true, enabled, stable: true, receivesEvents: false });
  }
  const checks = { visible: true, enabled, stable: true, receivesEvents: true };
  const first = hitPoint(stand, element, tree);
  if ('point' in first) return { point: first.point, bounds: plain(boxOf(stand)), element: stand, checks: { attached: true, ...checks } };
  // Out of view inside its scroller, or under a bar that stays: bring it to the middle, then below or above the bar.
  let cover: Element | null = null;
  for (const block of ['center', 'end', 'start'] as const) {
    scroll(stand, block);
    await still(stand, tree, signal);
    const next = hitPoint(visibleStandIn(element, action, tree, tree.pass()), element, tree);
    if ('point' in next) return { point: next.point, bounds: plain(boxOf(stand)), element: stand, checks: { attached: true, ...checks } };
    cover ??= next.hit;
    if (next.hit === null || boxOf(next.hit).height > innerHeight * barAtMost) break;
  }
  throw missed(stand, cover, tree);
}

function result(element: Element, box: Box, checks: Omit<Actionable['checks'], 'attached'>): Actionable {
  return {
    point: { x: box.x + box.width / 2, y: box.y + box.height / 2 },
    bounds: plain(boxOf(element)),
    element,
    checks: { attached: true, ...checks },
  };
}

function refuse(check: string, message: string, details: Record<string, unknown> = {}): BridgeFault {
  return new BridgeFault('TARGET_NOT_INTERACTABLE', message, { check, ...details });
}

/** The element when it can be seen, else the visible label of a control that style hides. */
function visibleStandIn(element: Element, action: ActionKind, tree: UITree, pass: Pass): Element {
  const { hidden } = pass.layout.measure(element);
  if (hidden === null) return element;
  if (drawnByStyle(element)) {
    for (const label of (element as HTMLInputElement).labels ?? []) {
      if (pass.layout.measure(label).hidden === null) return label;
    }
    // Focus, typing and choosing do not need a place to point at.
    if (!needsPoint.has(action) && (hidden === 'opacity' || hidden === 'clip' || hidden === 'size')) return element;
    // An invisible control laid over its drawing still takes the pointer.
    if (hidden === 'opacity') return element;
  }
  throw hiddenFault(element, hidden, tree);
}

function hiddenFault(element: Element, hidden: HiddenReason, tree: UITree): BridgeFault {
  if (hidden === 'offscreen') {
    return new BridgeFault('TARGET_OUT_OF_VIEW', 'The element lies where no scrolling reaches.', { check: 'visible', hidden });
  }
  const by = hiderOf(element, hidden, tree);
  if (by === null) return refuse('visible', 'A person could not see the element.', { hidden });
  const { property, value } = by;
  if (by.element === element) {
    return refuse('visible', `A person could not see the element: it has ${property}: ${value}.`, { hidden, property, value });
  }
  const selector = tree.pass().selectors.selector(by.element);
  return refuse('visible', `A person could not see the element: ${selector} around it has ${property}: ${value}.`, {
    hidden, hiddenBy: { selector, property, value },
  });
}

function drawnByStyle(element: Element): boolean {
  if (localName(element) === 'select') return true;
  if (localName(element) !== 'input') return false;
  const type = inputType(element as HTMLInputElement);
  return type === 'checkbox' || type === 'radio' || type === 'file' || type === 'range' || type === 'color' || type.startsWith('date');
}

function checkEnabled(element: Element, action: ActionKind, { layout }: Pass): boolean {
  const disabled = isDisabled(element, layout.disabledAround(element));
  const inert = layout.isInert(element);
  if ((disabled || inert) && needsEnabled.has(action)) {
    throw refuse('enabled', inert ? 'The element is in an inert part of the page.' : 'The element is disabled.', { inert });
  }
  return !disabled && !inert;
}

function boxOf(element: Element): Box {
  return rectOf(element);
}

function plain(box: Box): Box {
  return { x: box.x, y: box.y, width: box.width, height: box.height };
}

/** The part of the element's largest line box that is in the viewport. */
function visiblePart(element: Element): Box | null {
  let best: Box | null = null;
  for (const rect of clientRects(element)) {
    const cut = inViewport(rect);
    if (cut !== null && (best === null || cut.width * cut.height > best.width * best.height)) best = cut;
  }
  return best ?? inViewport(boxOf(element));
}

function inViewport(box: Box): Box | null {
  const left = Math.max(0, box.x);
  const top = Math.max(0, box.y);
  const right = Math.min(innerWidth, box.x + box.width);
  const bottom = Math.min(innerHeight, box.y + box.height);
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

function inView(element: Element): boolean {
  const part = visiblePart(element);
  const box = boxOf(element);
  return part !== null && part.width >= Math.min(box.width, 8) / 2 && part.height >= Math.min(box.height, 8) / 2;
}

function scroll(element: Element, block: ScrollLogicalPosition = 'center'): void {
  scrollIntoView(element, { block, inline: 'center', behavior: 'instant' });
}

async function still(element: Element, tree: UITree, signal: AbortSignal | undefined): Promise<void> {
  let last = boxOf(element);
  let since = clock();
  let same = 0;
  let undrawn = 0; // what a frame would move stands still where none comes
  for (let frame = 0; frame < maxFrames; frame += 1) {
    signal?.throwIfAborted();
    const drawn = await settleFrame();
    if (!drawn && !document.hidden && undrawn < maxUndrawn) {
      undrawn += 1;
      continue;
    }
    const now = boxOf(element);
    const equal = now.x === last.x && now.y === last.y && now.width === last.width && now.height === last.height;
    if (!equal) since = clock();
    same = equal ? same + 1 : 0;
    if (same >= 2 && !(drawn && startsOrTurns(element, tree, since))) return;
    last = now;
  }
  throw refuse('stable', 'The element keeps moving.');
}

/** What style moves is at its place, too, before it starts and while it turns back. */
function startsOrTurns(element: Element, tree: UITree, since: number): boolean {
  const moving = movers(element, tree.flat);
  return moving.some(({ pending }) => pending) || (moving.length > 0 && clock() - since < minRest);
}

function clock(): number {
  return Number(document.timeline.currentTime ?? 0);
}

type Hit = { point: Point } | { hit: Element | null };

/** A point of the element that pointer events reach: its middle first, then other places. */
function hitPoint(shown: Element, target: Element, tree: UITree): Hit {
  const part = visiblePart(shown);
  if (part === null) return { hit: null };
  let covering: Element | null = null;
  for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9]] as const) {
    const point = { x: part.x + part.width * fx, y: part.y + part.height * fy };
    const hit = deepElementAt(point, tree);
    if (hit !== null && takes(hit, shown, target, tree)) return { point };
    covering ??= hit;
  }
  return { hit: covering };
}

/** The point at an offset from the element's corner, when pointer events reach the element there. */
export function offsetPoint(shown: Element, target: Element, offset: { x?: unknown; y?: unknown }, tree: UITree): Point {
  const box = boxOf(shown);
  const point = {
    x: box.x + (typeof offset.x === 'number' ? offset.x : box.width / 2),
    y: box.y + (typeof offset.y === 'number' ? offset.y : box.height / 2),
  };
  const hit = deepElementAt(point, tree);
  if (hit === null || !takes(hit, shown, target, tree)) throw missed(shown, hit, tree);
  return point;
}

/** The element that pointer events at the point go to, through shadow roots. */
export function deepElementAt(point: Point, tree: UITree): Element | null {
  let found = elementAt(document, point.x, point.y);
  while (found !== null) {
    const root = tree.flat.shadowRoot(found);
    const inner = root === null ? null : elementAt(root, point.x, point.y);
    if (inner === null || inner === found) break;
    found = inner;
  }
  return found;
}

// What is hit counts when acting on it is acting on the target: something
// inside it, its label, or the link, button or label that it is a part of.
export function takes(hit: Element, shown: Element, target: Element, tree: UITree): boolean {
  const { flat } = tree;
  for (let at: Element | null = hit; at !== null; at = flat.parent(at)) {
    if (at === shown || at === target) return !strayControl(hit, at, target);
  }
  if (flat.composedContains(target, hit)) return true;
  const label = closest(hit, 'label');
  if (label instanceof HTMLLabelElement && label.control === target) return !strayControl(hit, label, target);
  const owner = closest(target, 'a[href],button,summary,[role=button],[role=link],label');
  if (owner === null || owner === target) return false;
  return hit === owner || (flat.composedContains(owner, hit) && !strayControl(hit, owner, target));
}

// A control of its own within a label or a row takes the click for itself.
function strayControl(hit: Element, owner: Element, target: Element): boolean {
  if (localName(owner) !== 'label') return false;
  const control = closest(hit, 'a[href],button,input,select,textarea');
  return control !== null && control !== target && owner.contains(control);
}

function missed(shown: Element, hit: Element | null, tree: UITree): BridgeFault {
  if (hit === null) {
    return visiblePart(shown) === null
      ? new BridgeFault('TARGET_OUT_OF_VIEW', 'Scrolling does not bring the element into view.', { bounds: plain(boxOf(shown)) })
      : refuse('receivesEvents', 'Nothing takes pointer events at the element.');
  }
  if (styleOf(shown).pointerEvents === 'none') {
    return refuse('receivesEvents', 'The element lets pointer events through.', { pointerEvents: 'none' });
  }
  const pass: Pass = tree.pass();
  const cover = candidate(hit, tree, pass);
  return new BridgeFault('TARGET_OBSCURED', 'Another element covers the target.', {
    coveredBy: { selector: cover.selector, role: cover.role, name: cover.name, ref: cover.ref },
  });
}

