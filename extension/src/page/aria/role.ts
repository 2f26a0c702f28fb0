// The computed role of an element (HTML-AAM and Core-AAM).
import type { FlatTree } from '../dom/flat.ts';
import {
  attr,
  attrNames,
  bodyOf,
  firstElementChild,
  hasAttr,
  hasAttrs,
  HTML_NAMESPACE,
  htmlTabIndex,
  inputType,
  isContentEditable,
  localName,
  namespaceURI,
  nextElementSibling,
  parentElement,
  SVG_NAMESPACE,
} from '../dom/primordials.ts';
import { globalAria, inputRoles, listTypes, requiredOwner, roles, simpleRoles } from './tables.ts';

const sectioning = new Set('article aside main nav section'.split(' '));
const sectioningRoles = new Set('article complementary main navigation region'.split(' '));
const presentational = new Set(['none', 'presentation']);

export class RoleCache {
  readonly #roles = new Map<Element, string>();
  readonly #flat: FlatTree;

  constructor(flat: FlatTree) {
    this.#flat = flat;
  }

  /** The role in force; '' when there is none, 'none' for presentational elements. */
  role(element: Element): string {
    const known = this.#roles.get(element);
    if (known !== undefined) return known;
    const made = this.#compute(element);
    this.#roles.set(element, made);
    return made;
  }

  #compute(element: Element): string {
    if (!hasAttrs(element)) return this.#inherited(element, this.#implicit(element));
    const explicit = explicitRole(element);
    if (explicit === null) return this.#inherited(element, this.#implicit(element));
    if (presentational.has(explicit)) {
      return keepsRole(element) ? this.#implicit(element) : 'none';
    }
    // A landmark without a name is not one (role=form and role=region need a name).
    if ((explicit === 'region' || explicit === 'form') && !hasNameAttribute(element)) return this.#implicit(element);
    return explicit === 'image' ? 'img' : explicit;
  }

  // Children that a presentational owner requires lose their role with it.
  #inherited(element: Element, role: string): string {
    const owners = requiredOwner.get(role);
    if (owners === undefined) return role;
    if (keepsRole(element)) return role;
    for (let up = this.#flat.parent(element); up !== null; up = this.#flat.parent(up)) {
      const explicit = hasAttr(up, 'role') ? explicitRole(up) : null;
      if (explicit !== null && presentational.has(explicit) && !keepsRole(up)) {
        return owners.includes(this.#implicit(up)) ? 'none' : role;
      }
      const upRole = this.role(up);
      if (upRole === 'none') return role === 'listitem' ? role : 'none';
      if (upRole !== 'generic' && upRole !== '') return role;
    }
    return role;
  }

  #implicit(element: Element): string {
    const name = localName(element);
    const space = namespaceURI(element);
    if (space === SVG_NAMESPACE) return svgRole(element, name);
    if (space !== HTML_NAMESPACE) return name === 'math' ? 'math' : '';
    switch (name) {
      case 'a':
      case 'area':
        return hasAttr(element, 'href') ? 'link' : 'generic';
      case 'input':
        return inputRole(element as HTMLInputElement);
      case 'select':
        return hasAttr(element, 'multiple') || Number(attr(element, 'size') ?? 0) > 1 ? 'listbox' : 'combobox';
      case 'img':
        return imageRole(element);
      case 'aside':
        return this.#insideSection(element, false) && !hasNameAttribute(element) ? 'generic' : 'complementary';
      case 'header':
        return this.#insideSection(element, true) ? 'generic' : 'banner';
      case 'footer':
        return this.#insideSection(element, true) ? 'generic' : 'contentinfo';
      case 'section':
        return hasNameAttribute(element) ? 'region' : 'generic';
      case 'form':
        return hasNameAttribute(element) ? 'form' : 'generic';
      case 'li':
        return this.#inList(element) ? 'listitem' : 'generic';
      case 'td':
        return this.#tableKind(element, 'cell', 'gridcell');
      case 'th':
        return this.#headerRole(element);
      case 'summary':
        return isSummary(element) ? 'button' : 'generic';
      default:
        return simpleRoles.get(name) ?? (name.includes('-') ? 'generic' : '');
    }
  }

  #insideSection(element: Element, main: boolean): boolean {
    for (let up = this.#flat.parent(element); up !== null; up = this.#flat.parent(up)) {
      const name = localName(up);
      if (sectioning.has(name) && (main || name !== 'main')) {
        const explicit = explicitRole(up);
        if (explicit === null || sectioningRoles.has(explicit)) return true;
        continue;
      }
      const explicit = hasAttr(up, 'role') ? explicitRole(up) : null;
      if (explicit !== null && sectioningRoles.has(explicit) && (main || explicit !== 'main')) return true;
    }
    return false;
  }

  #inList(element: Element): boolean {
    const up = this.#flat.parent(element);
    if (up === null) return false;
    const name = localName(up);
    if (name === 'slot') return true;
    return name === 'ul' || name === 'ol' || name === 'menu' || explicitRole(up) === 'list';
  }

  #tableKind(element: Element, cell: string, gridcell: string): string {
    for (let up = parentElement(element); up !== null; up = parentElement(up)) {
      if (localName(up) !== 'table') continue;
      const explicit = explicitRole(up);
      if (explicit === 'grid' || explicit === 'treegrid') return gridcell;
      return explicit === null || explicit === 'table' || presentational.has(explicit) ? cell : 'generic';
    }
    return 'generic';
  }

  #headerRole(element: Element): string {
    const scope = attr(element, 'scope')?.toLowerCase();
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
    if (scope === 'col' || scope === 'colgroup') return 'columnheader';
    const row = parentElement(element);
    if (row === null || this.#tableKind(element, 'cell', 'cell') === 'generic') return 'generic';
    let data = false;
    for (let cell = firstElementChild(row); cell !== null; cell = nextElementSibling(cell)) {
      if (localName(cell) === 'td') data = true;
    }
    return data ? 'rowheader' : 'columnheader';
  }
}

/** First valid token of the role attribute, null when there is none. */
export function explicitRole(element: Element): string | null {
  const given = attr(element, 'role');
  if (given === null || given === '') return null;
  for (const token of given.toLowerCase().split(/\s+/)) {
    if (token === '') continue;
    if (!roles.has(token)) continue;
    return token === 'presentation' ? 'none' : token;
  }
  return null;
}

// Presentational roles conflict resolution: focusable elements and those with
// a global ARIA attribute keep their role.
function keepsRole(element: Element): boolean {
  if (!hasAttrs(element)) return false;
  for (const name of attrNames(element)) {
    if (name.startsWith('aria-') && globalAria.includes(name)) return true;
  }
  return isFocusable(element);
}

/** Whether focus() could reach it (whatever its style). */
export function isFocusable(element: Element): boolean {
  if (hasAttr(element, 'tabindex')) return Number.isInteger(Number.parseInt(attr(element, 'tabindex') ?? '', 10));
  if (!(element instanceof HTMLElement)) return namespaceURI(element) === SVG_NAMESPACE && localName(element) === 'a' && hasAttr(element, 'href');
  if (isContentEditable(element) && isEditingHost(element)) return true;
  switch (localName(element)) {
    case 'input':
      return inputType(element as HTMLInputElement) !== 'hidden' && !hasAttr(element, 'disabled');
    case 'button':
    case 'select':
    case 'textarea':
      return !hasAttr(element, 'disabled');
    default:
      return htmlTabIndex(element) >= 0;
  }
}

export function isEditingHost(element: Element): boolean {
  const given = attr(element, 'contenteditable')?.toLowerCase();
  return given === '' || given === 'true' || given === 'plaintext-only';
}

/** The summary that opens its details: the first one among the children. */
export function isSummary(element: Element): boolean {
  const up = parentElement(element);
  if (up === null || localName(up) !== 'details') return false;
  for (let child = firstElementChild(up); child !== null; child = nextElementSibling(child)) {
    if (localName(child) === 'summary') return child === element;
  }
  return false;
}

function hasNameAttribute(element: Element): boolean {
  return (
    (attr(element, 'aria-label') ?? '').trim() !== '' || hasAttr(element, 'aria-labelledby') || (attr(element, 'title') ?? '').trim() !== ''
  );
}

function inputRole(element: HTMLInputElement): string {
  const type = inputType(element);
  if (listTypes.has(type) && hasAttr(element, 'list')) return 'combobox';
  if (type === 'checkbox' && hasAttr(element, 'switch')) return 'switch';
  return inputRoles.get(type) ?? '';
}

function imageRole(element: Element): string {
  const alt = attr(element, 'alt');
  // An empty alternative says "decoration", unless something else names it.
  if (alt === '' && !hasNameAttribute(element) && !keepsRole(element)) return 'none';
  return 'img';
}

function svgRole(element: Element, name: string): string {
  if (name === 'svg') return hasNameAttribute(element) || hasTitleChild(element) ? 'img' : 'graphics-document';
  if (name === 'a') return hasAttr(element, 'href') ? 'link' : 'generic';
  if (name === 'image') return 'img';
  return 'generic';
}

export function hasTitleChild(element: Element): boolean {
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
    if (localName(child) === 'title') return true;
  }
  return false;
}

/** A body or document that designMode made editable. */
export function isDesignMode(element: Element): boolean {
  return document.designMode === 'on' && element === bodyOf(document);
}
