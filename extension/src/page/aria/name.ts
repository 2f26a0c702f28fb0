// The accessible name (accname 1.2) and the text that a person reads.
import { treeRoot, type FlatTree } from '../dom/flat.ts';
import {
  attr,
  byId,
  checkVisibility,
  firstChild,
  firstElementChild,
  hasAttr,
  HTML_NAMESPACE,
  inputType,
  inputValue,
  isElement,
  localName,
  namespaceURI,
  nextElementSibling,
  nextSibling,
  nodeType,
  queryAll,
  selectedOptions,
  styleOf,
  SVG_NAMESPACE,
  textareaValue,
  textContent,
  type TreeRoot,
} from '../dom/primordials.ts';
import { secretKind } from '../dom/secret.ts';
import type { StyleCache } from '../dom/style.ts';
import { cut, fold } from '../dom/text.ts';
import { explicitRole, isEditingHost, type RoleCache } from './role.ts';
import { nameFromContent } from './tables.ts';

/** Elements outside the named one whose content the name came from, and ids that it asked for. */
export interface NameSources {
  element(source: Element): void;
  id(id: string): void;
}

interface Walk {
  /** Elements that count once; made when the first child is met. */
  visited: Set<Element> | undefined;
  readonly start: Element;
  /** Where this element was come to from. */
  readonly via: 'root' | 'labelledby' | 'label' | 'content';
  /** aria-labelledby is followed once only. */
  readonly followed: boolean;
  /** The walk began at something hidden: then only an element's own hiding counts. */
  readonly hidden: boolean;
  readonly depth: number;
  readonly sources: NameSources | undefined;
  readonly tally: { left: number; pure: boolean };
}

// Names are cut at 200 characters in the end; no page makes us read megabytes for one.
const budget = 4000;
const maxDepth = 60;

const blocks = new Set(
  ('address article aside blockquote br dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup hr li main menu nav ol option p pre search section summary table tbody td tfoot th thead tr ul button ' +
    'input select textarea').split(' '),
);

export interface Described {
  readonly name: string;
  readonly text: string;
}

export class NameCache {
  readonly #described = new Map<Element, Described & { readonly sourced: boolean }>();
  readonly #controls = new Map<TreeRoot, Map<Element, Element[]>>();
  readonly #bulk: boolean;
  readonly #flat: FlatTree;
  readonly #styles: StyleCache;
  readonly #roles: RoleCache;

  constructor(flat: FlatTree, styles: StyleCache, roles: RoleCache, bulk: boolean) {
    this.#bulk = bulk;
    this.#flat = flat;
    this.#styles = styles;
    this.#roles = roles;
  }

  /** Name and visible text, both folded and cut. */
  describe(element: Element, sources?: NameSources): Described {
    const known = this.#described.get(element);
    if (known !== undefined && (known.sourced || sources === undefined)) return known;
    const tally = { left: budget, pure: true };
    const name = cut(fold(this.#name(element, this.#start(element, sources, tally))));
    const text = tally.pure && readsContent(this.#roles.role(element)) ? name : this.visibleText(element);
    const made = { name, text, sourced: sources !== undefined };
    this.#described.set(element, made);
    return made;
  }

  /** The name alone: the text of a large table or section is not read for it. */
  nameOf(element: Element): string {
    return this.#described.get(element)?.name ?? cut(fold(this.#name(element, this.#start(element, undefined, { left: budget, pure: true }))));
  }

  #start(element: Element, sources: NameSources | undefined, tally: Walk['tally']): Walk {
    return {
      visited: undefined,
      start: element,
      via: 'root',
      followed: false,
      hidden: !shown(element),
      depth: 0,
      sources,
      tally,
    };
  }

  /** What a person reads inside the element. */
  visibleText(element: Element): string {
    const name = localName(element);
    if (name === 'input' || name === 'select' || name === 'textarea' || name === 'img') return '';
    const walk = this.#start(element, undefined, { left: budget, pure: true });
    return cut(fold(this.#plain(element, walk)));
  }

  #plain(element: Element, walk: Walk): string {
    const only = soleText(element, this.#flat);
    if (only !== null) return take(only, walk.tally);
    let out = '';
    for (const node of this.#flat.childNodes(element)) {
      if (walk.tally.left <= 0 || walk.depth >= maxDepth) break;
      if (nodeType(node) === Node.TEXT_NODE) {
        out += take(textContent(node) ?? '', walk.tally);
      } else if (isElement(node) && !this.#hiddenIn(node, walk) && !isControl(node)) {
        const inner = this.#plain(node, { ...walk, depth: walk.depth + 1 });
        out += this.#spaced(node, inner);
      }
    }
    return out;
  }

  #name(element: Element, walk: Walk): string {
    if (!walk.followed) {
      const labelled = this.#labelledBy(element, walk);
      if (labelled !== '') return labelled;
    }
    const nested = walk.via !== 'root';
    if (nested) {
      const embedded = this.#embedded(element);
      if (embedded !== null) {
        walk.tally.pure = false;
        return embedded;
      }
    }
    const label = attr(element, 'aria-label');
    if (label !== null && label.trim() !== '') {
      walk.tally.pure = false;
      return label;
    }
    const native = this.#native(element, walk);
    if (native !== null && native.trim() !== '') {
      walk.tally.pure = false;
      return native;
    }
    const role = this.#roles.role(element);
    if (nested || readsContent(role)) {
      const content = this.#content(element, walk);
      if (content.trim() !== '') return content;
    }
    if (native === '' && role === 'none') return '';
    walk.tally.pure = false;
    return this.#tooltip(element, walk);
  }

  #labelledBy(element: Element, walk: Walk): string {
    if (!hasAttr(element, 'aria-labelledby')) return '';
    const found = this.referenced(element, 'aria-labelledby', walk.sources);
    const parts: string[] = [];
    for (const target of found) {
      if (target !== element) walk.sources?.element(target);
      parts.push(
        this.#name(target, { ...walk, visited: new Set([target]), via: 'labelledby', followed: true, hidden: !shown(target), depth: walk.depth + 1 }),
      );
    }
    const text = parts.join(' ');
    if (text.trim() === '') return '';
    walk.tally.pure = false;
    return text;
  }

  /** Elements that an id list (or the reflected property) names. */
  referenced(element: Element, attribute: 'aria-labelledby' | 'aria-owns', sources?: NameSources): Element[] {
    const given = attr(element, attribute) ?? '';
    if (given === '') {
      const set = attribute === 'aria-labelledby' ? element.ariaLabelledByElements : element.ariaOwnsElements;
      return [...(set ?? [])];
    }
    const root = treeRoot(element);
    if (root === null) return [];
    const found: Element[] = [];
    for (const id of given.split(/\s+/)) {
      if (id === '') continue;
      sources?.id(id);
      const target = byId(root, id);
      if (target !== null) found.push(target);
    }
    return found;
  }

  /** The value of a control inside a label or other content; null when it is no such control. */
  #embedded(element: Element): string | null {
    const name = localName(element);
    if (name === 'input') {
      const input = element as HTMLInputElement;
      const role = this.#roles.role(element);
      if (role === 'button' || role === 'checkbox' || role === 'radio' || role === 'switch') return null;
      if (inputType(input) === 'hidden' || secretKind(element) !== null) return '';
      return inputValue(input);
    }
    if (name === 'textarea') return secretKind(element) === null ? textareaValue(element as HTMLTextAreaElement) : '';
    if (name === 'select') {
      if (secretKind(element) !== null) return '';
      return [...selectedOptions(element as HTMLSelectElement)].map((option) => option.label).join(' ');
    }
    switch (hasAttr(element, 'role') ? explicitRole(element) : null) {
      case 'textbox':
      case 'searchbox':
        return textContent(element) ?? '';
      case 'combobox':
      case 'listbox':
        return [...queryAll(element, '[role=option][aria-selected=true]')].map((option) => textContent(option) ?? '').join(' ');
      case 'slider':
      case 'spinbutton':
      case 'scrollbar':
      case 'progressbar':
      case 'meter':
        return attr(element, 'aria-valuetext') ?? attr(element, 'aria-valuenow') ?? '';
      default:
        return null;
    }
  }

  /** The host language's own label; null when it has no say. */
  #native(element: Element, walk: Walk): string | null {
    const name = localName(element);
    if (namespaceURI(element) === SVG_NAMESPACE) return this.#svgTitle(element);
    switch (name) {
      case 'input': {
        const input = element as HTMLInputElement;
        const type = inputType(input);
        const labels = this.#labels(element, walk);
        if (labels !== null) return labels;
        if (type === 'submit' || type === 'reset' || type === 'button') {
          const value = inputValue(input);
          if (value !== '') return value;
          return type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : null;
        }
        if (type === 'image') return nonEmpty(attr(element, 'alt')) ?? nonEmpty(attr(element, 'title')) ?? 'Submit';
        return null;
      }
      case 'button':
      case 'select':
      case 'textarea':
      case 'meter':
      case 'output':
      case 'progress':
        return this.#labels(element, walk);
      case 'img':
      case 'area':
        return attr(element, 'alt');
      case 'fieldset':
        return this.#firstChild(element, 'legend', walk);
      case 'table':
        return this.#firstChild(element, 'caption', walk);
      case 'figure':
        return this.#firstChild(element, 'figcaption', walk);
      case 'option':
      case 'optgroup':
        return nonEmpty(attr(element, 'label'));
      default:
        // Form-associated custom elements take labels too; their internals are closed to us.
        return name.includes('-') ? this.#labels(element, walk) : null;
    }
  }

  #svgTitle(element: Element): string | null {
    for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
      if (localName(child) === 'title') return textContent(child);
    }
    return null;
  }

  #labels(element: Element, walk: Walk): string | null {
    // A control met inside its own label must not ask the label again.
    if (walk.via === 'label' || walk.via === 'content') return null;
    const labels = this.#labelsOf(element);
    if (labels.length === 0) return null;
    const parts: string[] = [];
    for (const label of labels) {
      walk.sources?.element(label);
      parts.push(
        this.#name(label, {
          ...walk,
          visited: new Set([element, label]),
          via: 'label',
          hidden: !shown(label),
          depth: walk.depth + 1,
        }),
      );
    }
    return parts.join(' ');
  }

  // The `labels` of a control searches the whole page at every call: many are
  // found faster by asking each label once for its control.
  #labelsOf(element: Element): readonly Element[] {
    const root = this.#flat.sawRoots ? treeRoot(element) : document;
    if (root === null) return [];
    if (!this.#bulk && labelable.has(localName(element))) return [...((element as HTMLInputElement).labels ?? [])];
    let byControl = this.#controls.get(root);
    if (byControl === undefined) {
      byControl = new Map();
      for (const label of queryAll(root, 'label')) {
        const control = label instanceof HTMLLabelElement ? label.control : null;
        if (control === null) continue;
        const known = byControl.get(control);
        if (known === undefined) byControl.set(control, [label]);
        else known.push(label);
      }
      this.#controls.set(root, byControl);
    }
    return byControl.get(element) ?? [];
  }

  #firstChild(element: Element, wanted: string, walk: Walk): string | null {
    for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) {
      if (localName(child) !== wanted || this.#hiddenIn(child, walk)) continue;
      return this.#name(child, { ...walk, via: 'label', depth: walk.depth + 1 });
    }
    return null;
  }

  #content(element: Element, walk: Walk): string {
    const [before, after] = this.#styles.pseudoText(element);
    if (before !== '' || after !== '') walk.tally.pure = false;
    const only = before === '' && after === '' && !hasAttr(element, 'aria-owns') ? soleText(element, this.#flat) : null;
    if (only !== null) return take(only, walk.tally);
    let out = before;
    for (const node of this.#flat.childNodes(element)) {
      if (walk.tally.left <= 0 || walk.depth >= maxDepth) break;
      if (nodeType(node) === Node.TEXT_NODE) out += take(textContent(node) ?? '', walk.tally);
      else if (isElement(node)) out += this.#child(node, walk);
    }
    if (hasAttr(element, 'aria-owns')) {
      for (const owned of this.referenced(element, 'aria-owns', walk.sources)) {
        walk.sources?.element(owned);
        walk.tally.pure = false;
        out += ` ${this.#child(owned, walk)}`;
      }
    }
    return out + after;
  }

  #child(element: Element, walk: Walk): string {
    if ((element === walk.start && walk.via !== 'labelledby') || walk.visited?.has(element) === true || this.#hiddenIn(element, walk)) return '';
    if (attr(element, 'aria-hidden') === 'true') {
      walk.tally.pure = false;
      return '';
    }
    walk.visited ??= new Set();
    walk.visited.add(element);
    const inner = this.#name(element, { ...walk, via: walk.via === 'root' ? 'content' : walk.via, depth: walk.depth + 1 });
    return this.#spaced(element, inner);
  }

  // Words of different boxes do not run into each other.
  #spaced(element: Element, text: string): string {
    const name = localName(element);
    if (name === 'br') return ' ';
    if (this.#styles.unstyled(element) && !hasAttr(element, 'style')) return blocks.has(name) ? ` ${text} ` : text;
    const display = styleOf(element).display;
    return display === 'inline' || display === 'contents' ? text : ` ${text} `;
  }

  #hiddenIn(element: Element, walk: Walk): boolean {
    if (!walk.hidden) return !shown(element) && !this.#styles.facts(element).contents;
    if (hasAttr(element, 'hidden')) return true;
    return styleOf(element).display === 'none';
  }

  #tooltip(element: Element, walk: Walk): string {
    const title = attr(element, 'title');
    if (title !== null && title.trim() !== '') return title;
    if (walk.via !== 'root') return '';
    const name = localName(element);
    if (name === 'input' || name === 'textarea' || hasAttr(element, 'aria-placeholder')) {
      return nonEmpty(attr(element, 'placeholder')) ?? attr(element, 'aria-placeholder') ?? '';
    }
    return '';
  }
}

const labelable = new Set('input button select textarea meter output progress'.split(' '));

// An element without a role of its own that a person can click is called by what it shows.
function readsContent(role: string): boolean {
  return role === '' || role === 'generic' || role === 'none' || nameFromContent.has(role);
}

function shown(element: Element): boolean {
  return checkVisibility(element, visibilityOnly);
}

const visibilityOnly: CheckVisibilityOptions = { visibilityProperty: true };

function isControl(element: Element): boolean {
  const name = localName(element);
  return name === 'select' || name === 'textarea' || name === 'input' || isEditingHost(element);
}

/** The element's text when it holds text alone: the usual case, without a walk. */
function soleText(element: Element, flat: FlatTree): string | null {
  if (firstElementChild(element) !== null || localName(element) === 'slot' || flat.shadowRoot(element) !== null) return null;
  const child = firstChild(element);
  if (child === null) return '';
  if (nextSibling(child) === null && nodeType(child) === Node.TEXT_NODE) return textContent(child);
  return namespaceURI(element) === HTML_NAMESPACE ? textContent(element) : null;
}

function take(text: string, tally: Walk['tally']): string {
  const taken = text.length > tally.left ? text.slice(0, tally.left) : text;
  tally.left -= taken.length;
  return taken;
}

function nonEmpty(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
