/**
 * Synthetic pointer input: the events, order and focus of real use. What only trusted
 * input does (CSS :hover, pickers, clipboard) needs level control.
 */
import type { FlatTree } from '../dom/flat.ts';
import { elementAt, hasAttr, htmlTabIndex, isConnected } from '../dom/primordials.ts';
import { turn } from '../dom/timing.ts';
import { deepActive } from './effect.ts';

export interface Point { x: number; y: number }
export type Button = 'left' | 'middle' | 'right';
export interface Modifiers { altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }

export const noModifiers: Modifiers = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

const buttonNumber: Record<Button, number> = { left: 0, middle: 1, right: 2 };
const buttonMask: Record<Button, number> = { left: 1, middle: 4, right: 2 };

/** The innermost element at a point, through shadow roots. */
export function hit(flat: FlatTree, point: Point): Element | null {
  let at = elementAt(document, point.x, point.y);
  for (;;) {
    const root = at === null ? null : flat.shadowRoot(at);
    const inner = root === null ? null : elementAt(root, point.x, point.y);
    if (inner === null || inner === at) return at;
    at = inner;
  }
}

export class Pointer {
  #hovered: WeakRef<Element> | undefined;

  constructor(private readonly flat: FlatTree) {}

  /** Where a real pointer at the point would act: inside the target, else the target itself. */
  receiver(target: Element, point: Point): Element {
    const at = hit(this.flat, point);
    return at !== null && this.flat.composedContains(target, at) ? at : target;
  }

  move(element: Element, point: Point, modifiers: Modifiers): void {
    const before = this.#hovered?.deref();
    const from = before !== undefined && isConnected(before) ? before : null;
    const init = this.#init(point, modifiers, -1, 0, 0);
    if (from !== element) {
      const left = from === null ? [] : this.#chain(from);
      const entered = this.#chain(element);
      const common = new Set(left.filter((at) => entered.includes(at)));
      if (from !== null) {
        for (const prefix of ['pointer', 'mouse'] as const) {
          fire(from, `${prefix}out`, { ...init, relatedTarget: element }, prefix);
          for (const at of left) if (!common.has(at)) fire(at, `${prefix}leave`, { ...init, relatedTarget: element, bubbles: false }, prefix);
        }
      }
      for (const prefix of ['pointer', 'mouse'] as const) {
        fire(element, `${prefix}over`, { ...init, relatedTarget: from }, prefix);
        for (const at of entered.toReversed()) {
          if (!common.has(at)) fire(at, `${prefix}enter`, { ...init, relatedTarget: from, bubbles: false }, prefix);
        }
      }
      this.#hovered = new WeakRef(element);
    }
    fire(element, 'pointermove', init, 'pointer');
    fire(element, 'mousemove', { ...init, button: 0 }, 'mouse');
  }

  /** Presses and releases count times; the click itself happens once each time. */
  click(element: Element, point: Point, button: Button, count: number, modifiers: Modifiers): void {
    this.move(element, point, modifiers);
    for (let n = 1; n <= count; n++) this.#press(element, point, button, n, modifiers);
  }

  /** Presses, moves over and releases; as HTML drag and drop where the element is draggable. */
  async drag(from: Element, start: Point, over: Element, goal: Point): Promise<void> {
    const down = this.#init(start, noModifiers, 0, 1, 1);
    const held = (point: Point): PointerEventInit => this.#init(point, noModifiers, -1, 1, 0);
    const up = this.#init(goal, noModifiers, 0, 0, 1);
    this.move(from, start, noModifiers);
    if (fire(from, 'pointerdown', { ...down, detail: 0, pressure: 0.5 }, 'pointer') && fire(from, 'mousedown', down, 'mouse')) focusFrom(this.#chain(from));
    const draggable = this.#chain(from).find((at) => at instanceof HTMLElement && at.draggable);
    if (draggable !== undefined) {
      const data = new DataTransfer();
      const tell = (at: Element, type: string, point: Point): boolean =>
        dispatchEvent.call(at, new DragEvent(type, { ...this.#init(point, noModifiers, 0, 1, 0), dataTransfer: data, cancelable: type !== 'dragend' && type !== 'dragleave' }));
      if (tell(draggable, 'dragstart', start)) {
        await turn();
        tell(draggable, 'drag', goal);
        tell(over, 'dragenter', goal);
        const taken = !tell(over, 'dragover', goal);
        if (taken) tell(over, 'drop', goal);
        else tell(over, 'dragleave', goal);
        tell(draggable, 'dragend', goal);
        return;
      }
    }
    for (const part of [0.1, 0.5, 1]) {
      const point = { x: start.x + (goal.x - start.x) * part, y: start.y + (goal.y - start.y) * part };
      const at = part === 1 ? over : hit(this.flat, point) ?? over;
      this.move(at, point, noModifiers);
      fire(at, 'pointermove', held(point), 'pointer');
      fire(at, 'mousemove', { ...held(point), button: 0 }, 'mouse');
      await turn();
    }
    fire(over, 'pointerup', { ...up, detail: 0 }, 'pointer');
    fire(over, 'mouseup', up, 'mouse');
  }

  #press(element: Element, point: Point, button: Button, detail: number, modifiers: Modifiers): void {
    const which = buttonNumber[button];
    const down = this.#init(point, modifiers, which, buttonMask[button], detail);
    const up = this.#init(point, modifiers, which, 0, detail);
    // A handler may take the pressed element away: the click then belongs to the ancestor that is left.
    const line = this.#chain(element);
    const mouse = fire(element, 'pointerdown', { ...down, detail: 0, pressure: 0.5 }, 'pointer');
    if (mouse) {
      const focus = fire(element, 'mousedown', down, 'mouse');
      if (focus) focusFrom(line);
      if (button === 'right') fire(element, 'contextmenu', down, 'pointer');
    }
    const released = isConnected(element) ? element : hit(this.flat, point) ?? document.documentElement;
    fire(released, 'pointerup', { ...up, detail: 0 }, 'pointer');
    if (mouse) fire(released, 'mouseup', up, 'mouse');
    const clicked = line.find((at) => isConnected(at) && this.flat.composedContains(at, released)) ?? released;
    if (!isConnected(clicked)) return;
    if (button !== 'left') {
      fire(clicked, 'auxclick', up, 'pointer');
      return;
    }
    // Dispatching a click does what clicking does, once: links, buttons, boxes, labels, details.
    fire(clicked, 'click', up, 'pointer');
    if (detail === 2 && isConnected(clicked)) fire(clicked, 'dblclick', up, 'mouse');
  }

  #chain(element: Element): Element[] {
    const line: Element[] = [];
    for (let at: Element | null = element; at !== null; at = this.flat.composedParent(at)) line.push(at);
    return line;
  }

  #init(point: Point, modifiers: Modifiers, button: number, buttons: number, detail: number): PointerEventInit {
    return {
      ...modifiers, button, buttons, detail,
      bubbles: true, cancelable: true, composed: true, view: window,
      clientX: point.x, clientY: point.y,
      screenX: screenX + point.x, screenY: screenY + (outerHeight - innerHeight) + point.y,
      pointerId: 1, pointerType: 'mouse', isPrimary: true, width: 1, height: 1,
    };
  }
}

const { dispatchEvent } = EventTarget.prototype;

/** Dispatches; false when a handler cancelled it. */
function fire(element: Element, type: string, init: PointerEventInit, family: 'pointer' | 'mouse'): boolean {
  const closed = init.bubbles === false ? { ...init, cancelable: false, composed: false } : init;
  const event = family === 'pointer' ? new PointerEvent(type, closed) : new MouseEvent(type, closed);
  return dispatchEvent.call(element, event);
}

/** Focuses the nearest focusable of a line of ancestors, as pressing does; else nothing stays focused. */
function focusFrom(line: Element[]): void {
  for (const at of line) {
    if (!isConnected(at) || !(at instanceof HTMLElement || at instanceof SVGElement)) continue;
    if (htmlFocusable(at) && focus(at)) return;
  }
  const active = deepActive();
  if (active instanceof HTMLElement && active !== document.body) blur(active);
}

function htmlFocusable(element: HTMLElement | SVGElement): boolean {
  if (hasAttr(element, 'tabindex')) return true;
  if (element instanceof HTMLLabelElement) return false;
  if (element instanceof HTMLElement) return htmlTabIndex(element) >= 0 || element.shadowRoot?.delegatesFocus === true || element.isContentEditable;
  return element instanceof SVGAElement;
}

const focusMethod = HTMLElement.prototype.focus;
const blurMethod = HTMLElement.prototype.blur;

/**
 * Focuses, and sees to it that the page hears of it: in a window without focus (the
 * person looks at another one) Chrome moves the focus but fires no event.
 */
export function focus(element: HTMLElement | SVGElement): boolean {
  const before = deepActive();
  const holds = (): boolean => {
    const now = deepActive();
    return now === element || (now !== null && element.shadowRoot?.contains(now) === true)
      || (element.getRootNode() instanceof ShadowRoot && (element.getRootNode() as ShadowRoot).activeElement === element);
  };
  if (holds()) return true;
  let heard = false;
  const listen = (): void => {
    heard = true;
  };
  addEventListener('focusin', listen, true);
  focusMethod.call(element, { preventScroll: true });
  removeEventListener('focusin', listen, true);
  if (!holds()) return false;
  if (!heard && !document.hasFocus()) {
    const lost = before !== null && before !== document.body ? before : null;
    if (lost !== null) announce(lost, 'blur', 'focusout', element);
    announce(element, 'focus', 'focusin', lost);
  }
  return true;
}

function blur(element: HTMLElement): void {
  let heard = false;
  const listen = (): void => {
    heard = true;
  };
  addEventListener('focusout', listen, true);
  blurMethod.call(element);
  removeEventListener('focusout', listen, true);
  if (!heard && !document.hasFocus()) announce(element, 'blur', 'focusout', null);
}

function announce(element: Element, plain: string, bubbling: string, other: Element | null): void {
  const init = { composed: true, relatedTarget: other, view: window };
  dispatchEvent.call(element, new FocusEvent(plain, init));
  dispatchEvent.call(element, new FocusEvent(bubbling, { ...init, bubbles: true }));
}
