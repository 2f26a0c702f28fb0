// One item of the UI tree.
import type { UITreeItem } from '../../protocol/generated.ts';
import type { NameSources } from '../aria/name.ts';
import { isEditingHost } from '../aria/role.ts';
import { checkedState, expandedState, isDisabled, selectedState } from '../aria/state.ts';
import {
  attr,
  attrNames,
  hasAttr,
  inputType,
  inputValue,
  localName,
  selectedOptions,
  selectValue,
  textareaValue,
} from '../dom/primordials.ts';
import { masksText, secretKind } from '../dom/secret.ts';
import { cut, foldCut } from '../dom/text.ts';
import type { Measured } from '../dom/visibility.ts';
import type { Pass } from './pass.ts';

const metaNames = new Map([
  ['type', 'type'],
  ['href', 'href'],
  ['xlink:href', 'href'],
  ['name', 'name'],
  ['placeholder', 'placeholder'],
  ['required', 'required'],
  ['readonly', 'readonly'],
  ['multiple', 'multiple'],
  ['autocomplete', 'autocomplete'],
  ['accept', 'accept'],
  ['min', 'min'],
  ['max', 'max'],
  ['step', 'step'],
  ['maxlength', 'maxlength'],
  ['target', 'target'],
  ['download', 'download'],
  ['contenteditable', 'contenteditable'],
  ['aria-haspopup', 'haspopup'],
  ['aria-current', 'current'],
  ['aria-invalid', 'invalid'],
  ['aria-roledescription', 'roledescription'],
]);

/** The item without what the tree adds: ref, stableId, selector. */
export type ItemCore = Omit<UITreeItem, 'ref' | 'stableId' | 'selector'>;

export function buildItem(element: Element, pass: Pass, measured: Measured, sources?: NameSources): ItemCore {
  const tag = localName(element);
  const role = pass.roles.role(element) || 'generic';
  const { name, text } = pass.names.describe(element, sources);
  const item: ItemCore = {
    role,
    name,
    disabled: isDisabled(element, measured.disabledAround),
    visible: measured.hidden === null,
    bounds: roundBox(measured),
    frameId: 'main',
  };
  const shownText = tag === 'select' ? optionText(element as HTMLSelectElement) : text;
  if (shownText !== '') item.text = shownText;
  const attributes = attrNames(element);
  if (attributes.includes('aria-label') || attributes.includes('title')) {
    const label = foldCut(attr(element, 'aria-label') ?? attr(element, 'title') ?? '');
    if (label !== '') item.label = label;
  }
  const redacted = redaction(element, tag, pass);
  if (redacted === null) {
    const value = valueOf(element, tag, role, pass);
    if (value !== undefined) item.value = cut(value);
  } else if (tag === 'select') delete item.text;
  if (measured.hidden !== null) item.hidden = measured.hidden;
  const checked = checkedState(element, role);
  if (checked !== undefined) item.checked = checked;
  if (tag === 'summary' || attributes.includes('aria-expanded')) {
    const expanded = expandedState(element);
    if (expanded !== undefined) item.expanded = expanded;
  }
  if (tag === 'option' || attributes.includes('aria-selected')) {
    const selected = selectedState(element);
    if (selected !== undefined) item.selected = selected;
  }
  if (pass.focused === element) item.focused = true;
  item.meta = metaOf(element, tag, attributes, redacted, measured.inert);
  return item;
}

export function roundBox(measured: Measured): { x: number; y: number; width: number; height: number } {
  const { x, y, width, height } = measured.bounds;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Why the value is withheld, null when it is not. */
export function redaction(element: Element, tag: string, pass: Pass): string | null {
  const kind = secretKind(element);
  if (kind !== null) return kind;
  // Text that a style shows as dots is a secret to the person looking, whatever its type says.
  return (tag === 'input' || tag === 'textarea') && (hasAttr(element, 'style') || !pass.styles.unstyled(element)) && masksText(element) ? 'masked' : null;
}

const valueless = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image']);

/** The value of a control that is no secret. */
export function valueOf(element: Element, tag: string, role: string, pass: Pass): string | undefined {
  switch (tag) {
    case 'input':
      return valueless.has(inputType(element as HTMLInputElement)) ? undefined : inputValue(element as HTMLInputElement);
    case 'textarea':
      return textareaValue(element as HTMLTextAreaElement);
    case 'select': {
      const select = element as HTMLSelectElement;
      if (!hasAttr(select, 'multiple')) return selectValue(select);
      return [...selectedOptions(select)].map((option) => option.value).join(', ');
    }
    default:
  }
  if (hasAttr(element, 'contenteditable') && isEditingHost(element)) return pass.names.visibleText(element);
  if (role === 'slider' || role === 'spinbutton' || role === 'scrollbar' || role === 'separator') {
    return attr(element, 'aria-valuetext') ?? attr(element, 'aria-valuenow') ?? undefined;
  }
  return undefined;
}

function optionText(select: HTMLSelectElement): string {
  const labels: string[] = [];
  for (const option of selectedOptions(select)) labels.push(option.label);
  return foldCut(labels.join(', '));
}

function metaOf(element: Element, tag: string, attributes: readonly string[], redacted: string | null, inert: boolean): Record<string, string> {
  const meta: Record<string, string> = { tagName: tag };
  for (const name of attributes) {
    const key = metaNames.get(name);
    if (key !== undefined) meta[key] = cut(attr(element, name) ?? '');
  }
  if (tag === 'input') meta['type'] = inputType(element as HTMLInputElement);
  if (redacted !== null) meta['redacted'] = redacted;
  if (inert) meta['inert'] = 'true';
  return meta;
}
