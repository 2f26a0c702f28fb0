/** What kind of control an element is, for typing and choosing. */
import { BridgeFault } from '../fault.ts';
import type { FlatTree } from '../dom/flat.ts';
import { attr, closest, hasAttr, isContentEditable, matches } from '../dom/primordials.ts';

/** Inputs that take text one character after another. */
const textTypes = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);
/** Inputs whose value is set whole. */
const wholeTypes = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

export type Control =
  | { kind: 'text'; element: HTMLInputElement | HTMLTextAreaElement }
  | { kind: 'whole'; element: HTMLInputElement }
  | { kind: 'editable'; element: HTMLElement }
  | { kind: 'select'; element: HTMLSelectElement }
  | { kind: 'toggle'; element: HTMLInputElement }
  | { kind: 'other'; element: Element };

/** The control that a label, or a component around exactly one field, stands for. */
export function controlOf(element: Element, flat: FlatTree): Element {
  if (element instanceof HTMLLabelElement) return element.control ?? element;
  const own = classify(element);
  if (own.kind !== 'other') return element;
  const root = flat.shadowRoot(element);
  const inside = root?.querySelectorAll('input:not([type="hidden"]), textarea, select') ?? [];
  if (inside.length === 1 && inside[0] !== undefined) return inside[0];
  const label = closest(element, 'label');
  return label instanceof HTMLLabelElement && label.control !== null ? label.control : element;
}

export function classify(element: Element): Control {
  if (element instanceof HTMLInputElement) {
    if (textTypes.has(element.type)) return { kind: 'text', element };
    if (wholeTypes.has(element.type)) return { kind: 'whole', element };
    if (element.type === 'checkbox' || element.type === 'radio') return { kind: 'toggle', element };
    return { kind: 'other', element };
  }
  if (element instanceof HTMLTextAreaElement) return { kind: 'text', element };
  if (element instanceof HTMLSelectElement) return { kind: 'select', element };
  if (element instanceof HTMLElement && isContentEditable(element)) return { kind: 'editable', element: editingHost(element) };
  return { kind: 'other', element };
}

/** Typing goes to the host: it has the focus and the handlers. */
function editingHost(element: HTMLElement): HTMLElement {
  let host = element;
  while (host.parentElement !== null && host.parentElement.isContentEditable) host = host.parentElement;
  return host;
}

/** Refuses what a person could not edit either. */
export function assertEditable(control: Control): void {
  const { element } = control;
  if (matches(element, ':disabled') || attr(element, 'aria-disabled') === 'true') {
    throw new BridgeFault('TARGET_NOT_INTERACTABLE', 'The field is disabled.', { check: 'enabled' });
  }
  const readOnly = (control.kind === 'text' || control.kind === 'whole') && hasAttr(element, 'readonly') && element.matches(':read-only');
  if (readOnly || (control.kind !== 'editable' && attr(element, 'aria-readonly') === 'true')) {
    throw new BridgeFault('TARGET_NOT_INTERACTABLE', 'The field is read-only.', { check: 'editable' });
  }
}
