/** Choosing: options of a select, custom listboxes, checkboxes and radios. */
import { BridgeFault } from '../fault.ts';
import { attr, isConnected } from '../dom/primordials.ts';
import { fold } from '../dom/text.ts';
import { focus } from './pointer.ts';

const { dispatchEvent } = EventTarget.prototype;
const maxListed = 20;

/** What can be chosen, for the error of a choice that is not there. */
function listed(names: string[]): Record<string, unknown> {
  return { options: names.slice(0, maxListed), total: names.length };
}

/** Finds by value first, then by label, then by label without regard to case. */
function find<T>(items: T[], wanted: string, value: (item: T) => string | null, label: (item: T) => string): T | 'ambiguous' | undefined {
  const tests: ((item: T) => boolean)[] = [
    (item) => value(item) === wanted,
    (item) => label(item) === fold(wanted),
    (item) => label(item).toLowerCase() === fold(wanted).toLowerCase(),
  ];
  for (const test of tests) {
    const found = items.filter(test);
    if (found.length > 1) return 'ambiguous';
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

function missing(names: string[]): BridgeFault {
  return new BridgeFault('ELEMENT_NOT_FOUND', 'The list has no such option.', listed(names), ['Use one of `details.options`.']);
}

function ambiguous(names: string[]): BridgeFault {
  return new BridgeFault('TARGET_AMBIGUOUS', 'More than one option has that label.', listed(names), ['Use the value of the option.']);
}

function optionLabel(option: HTMLOptionElement): string {
  return fold(option.label !== '' ? option.label : option.text);
}

/** Sets the options of a select; several only where it takes several. */
export function chooseOptions(select: HTMLSelectElement, wanted: string[], acted: () => void): Record<string, unknown> {
  const options = Array.from(select.options);
  const names = options.map(optionLabel);
  if (wanted.length !== 1 && !select.multiple) {
    throw new BridgeFault('VALIDATION_ERROR', 'The select takes exactly one option.', { check: 'multiple' });
  }
  const chosen = wanted.map((name) => {
    const option = find(options, name, (item) => item.value, optionLabel);
    if (option === 'ambiguous') throw ambiguous(names);
    if (option === undefined) throw missing(names);
    const group = option.parentElement;
    if (option.disabled || (group instanceof HTMLOptGroupElement && group.disabled)) {
      throw new BridgeFault('TARGET_NOT_INTERACTABLE', 'The option is disabled.', { check: 'enabled', option: optionLabel(option) });
    }
    return option;
  });
  focus(select);
  const before = options.map((option) => option.selected).join();
  for (const option of options) {
    const on = chosen.includes(option);
    if (option.selected !== on && (on || select.multiple)) option.selected = on;
  }
  if (options.map((option) => option.selected).join() !== before) {
    dispatchEvent.call(select, new Event('input', { bubbles: true, composed: true }));
    dispatchEvent.call(select, new Event('change', { bubbles: true }));
  }
  acted();
  return { values: chosen.map((option) => option.value), labels: chosen.map(optionLabel) };
}

/** Throws when a select does not hold what was chosen (a page may set it back). */
export function verifyOptions(select: HTMLSelectElement, result: Record<string, unknown>): void {
  if (!isConnected(select)) return;
  const held = Array.from(select.selectedOptions).map((option) => option.value);
  const wanted = result.values as string[];
  if (held.length !== wanted.length || wanted.some((value) => !held.includes(value))) {
    throw new BridgeFault('ACTION_NO_EFFECT', 'The select did not keep the choice.', { check: 'value' });
  }
}

/** The wanted state of a checkbox, radio or switch. */
export function wantedState(value: string): boolean {
  switch (value.trim().toLowerCase()) {
    case 'true': case 'on': case 'yes': case '1': case 'checked': case '': return true;
    case 'false': case 'off': case 'no': case '0': case 'unchecked': return false;
    default: throw new BridgeFault('VALIDATION_ERROR', 'A checkbox or radio takes true or false.', { check: 'value' });
  }
}

/** Whether a checkbox, radio or an ARIA control of that kind is on; undefined when it is none. */
export function isChecked(element: Element): boolean | undefined {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    return element.checked && !element.indeterminate;
  }
  const role = attr(element, 'role');
  if (role === 'checkbox' || role === 'switch' || role === 'radio' || role === 'menuitemcheckbox' || role === 'menuitemradio') {
    return attr(element, 'aria-checked') === 'true';
  }
  return undefined;
}

export function isRadio(element: Element): boolean {
  return (element instanceof HTMLInputElement && element.type === 'radio') || attr(element, 'role') === 'radio';
}

/** The options of a custom list: inside it, or in what it controls or owns. */
export function customOptions(list: Element): Element[] {
  const found = new Set<Element>(list.querySelectorAll('[role="option"], [role="menuitemradio"], [role="treeitem"]'));
  for (const name of ['aria-controls', 'aria-owns']) {
    for (const id of (attr(list, name) ?? '').split(/\s+/)) {
      const other = id === '' ? null : (list.getRootNode() as Document | ShadowRoot).getElementById(id);
      if (other === null) continue;
      if (attr(other, 'role') === 'option') found.add(other);
      for (const option of other.querySelectorAll('[role="option"]')) found.add(option);
    }
  }
  return Array.from(found);
}

/** The option of a custom list with that value or name. */
export function customOption(options: Element[], wanted: string, nameOf: (element: Element) => string): Element {
  const option = find(options, wanted, (item) => attr(item, 'data-value') ?? attr(item, 'value'), (item) => fold(nameOf(item)));
  const names = options.map((item) => fold(nameOf(item)));
  if (option === 'ambiguous') throw ambiguous(names);
  if (option === undefined) throw missing(names);
  return option;
}
