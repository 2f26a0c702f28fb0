// Which elements belong into the UI tree.
import { explicitRole, isDesignMode, isEditingHost, isSummary } from '../aria/role.ts';
import { childrenPresentational, widgetRoles, widgetWhenFocusable } from '../aria/tables.ts';
import {
  attr,
  hasAttr,
  hasAttrs,
  HTML_NAMESPACE,
  htmlOnclick,
  inputType,
  localName,
  namespaceURI,
  queryFirst,
} from '../dom/primordials.ts';
import type { Pass } from './pass.ts';
import { TEST_ID } from './selector.ts';

/** Nothing in these is shown as elements of its own. */
/** Elements that hold a browsing context of their own. */
export const frameTags: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed']);

export const opaque: ReadonlySet<string> = new Set(
  'head script style template noscript select textarea iframe frame frameset object embed audio video canvas math datalist title meta link'.split(' '),
);

const native = new Set(['button', 'select', 'textarea']);

// A quick net for "holds something to operate": then a test id marks a mere container.
export const operable =
  'a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex],[onclick],[contenteditable],[data-testid],' +
  '[role=button],[role=link],[role=checkbox],[role=radio],[role=tab],[role=option],[role=menuitem],[role=switch],[role=textbox]';


/**
 * @param inside the element is part of a button, link or the like; only what is
 * operable by itself is listed then.
 */
export function isInteractive(element: Element, inside: boolean, pass: Pass): boolean {
  const name = localName(element);
  const html = namespaceURI(element) === HTML_NAMESPACE;
  if (html) {
    if (native.has(name)) return true;
    switch (name) {
      case 'input':
        return inputType(element as HTMLInputElement) !== 'hidden';
      case 'a':
      case 'area':
        if (hasAttr(element, 'href')) return true;
        break;
      case 'summary':
        if (isSummary(element)) return true;
        break;
      case 'audio':
      case 'video':
        return hasAttr(element, 'controls');
      case 'option':
      case 'optgroup':
        return false;
      default:
        if (opaque.has(name)) return false;
    }
  } else if (name === 'a' && hasAttr(element, 'href')) return true;
  const page = element === pass.root || element === pass.body;
  const attributed = hasAttrs(element);
  if (attributed) {
    if (hasAttr(element, 'contenteditable') && isEditingHost(element)) return true;
    if (!page) {
      if (hasAttr(element, 'role') && hasWidgetRole(element)) return true;
      const tab = attr(element, 'tabindex');
      if (tab !== null && Number.parseInt(tab, 10) >= 0) return true;
      if (!inside && hasAttr(element, 'onclick')) return true;
    }
  }
  if (page) return isDesignMode(element);
  if (inside) return false;
  if (html && typeof htmlOnclick(element as HTMLElement) === 'function') return true;
  if (attributed && hasAttr(element, TEST_ID) && attr(element, TEST_ID) !== '' && !isContainer(element, pass)) return true;
  return isPointed(element, name, pass);
}

function hasWidgetRole(element: Element): boolean {
  const role = explicitRole(element);
  if (role === null || !widgetRoles.has(role)) return false;
  return !widgetWhenFocusable.has(role) || hasAttr(element, 'tabindex');
}

function isContainer(element: Element, pass: Pass): boolean {
  if (pass.flat.shadowRoot(element) !== null) return true;
  return queryFirst(element, operable) !== null;
}

// cursor:pointer set on the element itself (not come down from its parent) on
// something with a name: what scripts make clickable without saying so.
function isPointed(element: Element, name: string, pass: Pass): boolean {
  if (name === 'label' && (element as HTMLLabelElement).control !== null) return false;
  if (!pass.styles.facts(element).pointer) return false;
  const up = pass.flat.parent(element);
  if (up !== null && pass.styles.facts(up).pointer) return false;
  return pass.names.describe(element).name !== '';
}

/** What is inside of this item is part of it. */
export function swallows(element: Element, pass: Pass): boolean {
  const role = pass.roles.role(element);
  return role === 'link' || childrenPresentational.has(role);
}
