// States: disabled, checked, expanded, selected.
import {
  attr,
  firstElementChild,
  hasAttr,
  inputChecked,
  inputIndeterminate,
  inputType,
  localName,
  matches,
  nextElementSibling,
  parentElement,
} from '../dom/primordials.ts';

// aria-disabled of an ancestor holds for what is inside (Core-AAM).
const disablingRoles = new Set('toolbar group listbox menu menubar radiogroup tablist tree treegrid grid combobox application row'.split(' '));

function disableable(name: string): boolean {
  return controls.has(name) || name.includes('-');
}

const controls = new Set('button input select textarea fieldset optgroup option'.split(' '));

/** aria-disabled on this element reaches its descendants. */
export function disablesInside(element: Element): boolean {
  if (attr(element, 'aria-disabled') !== 'true') return false;
  const role = attr(element, 'role')?.trim().toLowerCase() ?? (localName(element) === 'fieldset' ? 'group' : '');
  return disablingRoles.has(role);
}

export function isDisabled(element: Element, inherited: boolean): boolean {
  // :disabled knows fieldsets (and their first legend), optgroups and form-associated custom elements.
  if (disableable(localName(element)) && matches(element, ':disabled')) return true;
  const own = attr(element, 'aria-disabled');
  if (own === 'true') return true;
  if (own === 'false') return false;
  return inherited;
}

export function checkedState(element: Element, role: string): boolean | 'mixed' | undefined {
  if (localName(element) === 'input') {
    const input = element as HTMLInputElement;
    const type = inputType(input);
    if (type === 'checkbox') return inputIndeterminate(input) ? 'mixed' : inputChecked(input);
    if (type === 'radio') return inputChecked(input);
  }
  if (checkable.has(role)) return triState(attr(element, 'aria-checked')) ?? false;
  if (role === 'button' && hasAttr(element, 'aria-pressed')) return triState(attr(element, 'aria-pressed'));
  return undefined;
}

const checkable = new Set('checkbox radio switch menuitemcheckbox menuitemradio'.split(' '));

function triState(value: string | null): boolean | 'mixed' | undefined {
  return value === 'true' ? true : value === 'false' ? false : value === 'mixed' ? 'mixed' : undefined;
}

export function expandedState(element: Element): boolean | undefined {
  const given = attr(element, 'aria-expanded');
  if (given === 'true') return true;
  if (given === 'false') return false;
  if (localName(element) !== 'summary') return undefined;
  const details = parentElement(element);
  if (details === null || localName(details) !== 'details' || firstSummary(details) !== element) return undefined;
  return hasAttr(details, 'open');
}

function firstSummary(details: Element): Element | null {
  for (let child = firstElementChild(details); child !== null; child = nextElementSibling(child)) {
    if (localName(child) === 'summary') return child;
  }
  return null;
}

export function selectedState(element: Element): boolean | undefined {
  if (localName(element) === 'option') return (element as HTMLOptionElement).selected;
  return booleanAttribute(element, 'aria-selected');
}

function booleanAttribute(element: Element, name: string): boolean | undefined {
  const given = attr(element, name);
  return given === 'true' ? true : given === 'false' ? false : undefined;
}
