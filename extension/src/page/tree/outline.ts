// The outline: what a person or a language model reads of the page, in reading order, as
// one string that costs little to make and to carry. A line is one node, its fields separated
// by tabs, empty ones at the end left out:
//
//   depth  role  ref  name  states  value  href  more
//
// depth begins with '+' where the node goes on in the line of text of the node before it; text
// has no role and its words in name; ref is the bare number; more is what a control offers.
// What the lines come to as a tree for reading is decided by the host (host/internal/capture).
import { isEditingHost } from '../aria/role.ts';
import { checkedState, expandedState, isDisabled, selectedState } from '../aria/state.ts';
import {
  attr,
  checkVisibility,
  documentElement,
  hasAttr,
  hasAttrs,
  inputType,
  isElement,
  localName,
  matches,
  namespaceURI,
  nodeType,
  parentNode,
  queryAll,
  queryFirst,
  rectOf,
  styleOf,
  SVG_NAMESPACE,
  textContent,
} from '../dom/primordials.ts';
import { cut, fold } from '../dom/text.ts';
import { Concealed } from './conceal.ts';
import { frameTags, isInteractive, operable, swallows } from './interactive.ts';
import { redaction, valueOf } from './item.ts';
import type { Pass } from './pass.ts';
import type { FrameElement } from './shapes.ts';
import { ownId } from './stable.ts';
import type { UITree } from './uitree.ts';

export interface OutlineOptions {
  /** Start here instead of at the document. */
  root?: Element | undefined;
  /** Only what is in the viewport now. */
  inView?: boolean;
  /** Texts are cut at this many characters. */
  text?: number;
  /** With what is hidden from assistive technology. */
  all?: boolean;
  /** Text or names that this matches get a ref too, whatever they are. */
  match?: ((text: string) => boolean) | undefined;
}

export interface Outline {
  text: string;
  /** Nodes left out at the limit. */
  truncated: number;
  frames: FrameElement[];
}

const maxNodes = 60_000;
const moreRefs = 10_000; // beyond them, of nodes with a ref: what can be operated, or was asked for
const maxLength = 6_000_000;
const maxNode = 20_000; // characters read of one text node
const maxValue = 200;
const maxOptions = 12;

const skipped = new Set('head script style template noscript datalist title meta link base source track param'.split(' '));
const leaves = new Set('select textarea input audio video canvas img math meter progress br wbr hr'.split(' '));
// Elements that are one thing by their role, whatever is in them.
const pictures = new Set('img meter progressbar'.split(' '));
const inlineTags = new Set('a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q ruby s samp small span strong sub sup time tt u var br wbr img input button select svg'.split(' '));
const blockTags = new Set(
  ('address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul').split(' '),
);

// Roles that are a line of their own, with what is in them below.
const structure = new Set(
  ('banner navigation main complementary contentinfo search form region dialog alertdialog alert status log list listitem table grid treegrid ' +
    'row cell gridcell columnheader rowheader heading article tablist tabpanel menu menubar tree treeitem listbox feed').split(' '),
);
// These are worth one only with a name.
const structureWhenNamed = new Set('group radiogroup figure toolbar region form directory blockquote'.split(' '));
const structuralTags = new Set(
  'header nav main aside footer search form section dialog output ul ol menu li table tr td th h1 h2 h3 h4 h5 h6 article fieldset figure'.split(' '),
);
const nameable = new Set('fieldset table figure'.split(' '));
const shownTypes = new Set('password date time datetime-local month week file color'.split(' '));
const visibilityOnly: CheckVisibilityOptions = { visibilityProperty: true };
const seen: CheckVisibilityOptions = { visibilityProperty: true, opacityProperty: true };

/** What an element hands to what is in it. */
interface Around {
  readonly depth: number;
  /** Part of a control: its words are the control's name. */
  readonly within: boolean;
  /** Words that were said already: the control's name inside of its label. */
  readonly said: string;
  readonly disabled: boolean;
  readonly hidden: boolean;
  /** In the page, and nobody sees it: its text is marked. */
  readonly unseen: boolean;
}

export function outline(tree: UITree, pass: Pass, options: OutlineOptions): Outline {
  const made = new Outliner(tree, pass, options);
  const root = options.root ?? documentElement(document);
  if (root !== null) made.read(root);
  return made.done();
}

class Outliner {
  readonly #lines: string[] = [];
  readonly #frames: FrameElement[] = [];
  readonly #textLimit: number;
  #length = 0;
  #truncated = 0;
  /** Text that is being collected, where it stands, and whether it goes on in a line begun before. */
  #run = '';
  #runDepth = 0;
  #runNode: Node | null = null;
  /** Nobody sees that text. */
  #runUnseen = false;
  /** Characters of it that were not read. */
  #unread = 0;
  #open = false;
  readonly #concealed = new Concealed();

  constructor(
    private readonly tree: UITree,
    private readonly pass: Pass,
    private readonly options: OutlineOptions,
  ) {
    this.#textLimit = options.text ?? 300;
    this.#concealed.add(document);
  }

  done(): Outline {
    this.#flush();
    return { text: this.#lines.join('\n'), truncated: this.#truncated, frames: this.#frames };
  }

  read(root: Element): void {
    const { flat } = this.pass;
    flat.surveyed = this.options.root === undefined || flat.surveyed;
    const nodes: (Node | null)[] = [root];
    const arounds: Around[] = [{ depth: 0, within: false, said: '', disabled: false, hidden: false, unseen: false }];
    const ends: Element[] = [];
    for (;;) {
      const node = nodes.pop();
      if (node === undefined) break;
      if (node === null) {
        // The end of an element.
        const element = ends.pop();
        if (element !== undefined && (this.#run !== '' || this.#open)) this.#edge(element);
        continue;
      }
      const around = arounds.pop() as Around;
      if (!isElement(node)) {
        if (nodeType(node) === Node.TEXT_NODE) this.#text(node, around);
        continue;
      }
      const inside = this.#element(node, around);
      if (inside === null) continue;
      nodes.push(null);
      ends.push(node);
      const children = flat.childNodes(node);
      const root = flat.sawRoots ? flat.shadowRoot(node) : null;
      if (root !== null) this.#concealed.add(root);
      for (let i = children.length - 1; i >= 0; i -= 1) {
        const child = children[i];
        if (child === undefined) continue;
        const type = nodeType(child);
        if (type !== Node.ELEMENT_NODE && (type !== Node.TEXT_NODE || inside.within || inside.hidden)) continue;
        nodes.push(child);
        arounds.push(inside);
      }
    }
  }

  /** Reads an element; null when there is nothing to read in it. */
  #element(element: Element, around: Around): Around | null {
    const tag = localName(element);
    if (skipped.has(tag)) return null;
    const attributed = hasAttrs(element);
    let { hidden } = around;
    let unseen = false;
    if (!checkVisibility(element, seen)) {
      if (!checkVisibility(element, visibilityOnly)) {
        if (!this.pass.styles.facts(element).contents) {
          if (!checkVisibility(element)) return null;
          hidden = true;
        }
      } else {
        hidden = false;
        unseen = true;
      }
    } else hidden = false;
    unseen ||= around.unseen || this.#concealed.has(element, attributed);
    if (unseen !== around.unseen) around = { ...around, unseen };
    if (attributed && (hasAttr(element, 'inert') || (this.options.all !== true && attr(element, 'aria-hidden') === 'true'))) return null;
    if (this.#run !== '' || this.#open) this.#edge(element);
    if (frameTags.has(tag)) {
      if (!hidden && (this.options.inView !== true || inView(rectOf(element)))) this.#frame(element, around);
      return null;
    }
    if (!hidden && isInteractive(element, around.within, this.pass)) return this.#control(element, tag, around);
    if (leaves.has(tag)) {
      if (!hidden) this.#leaf(element, tag, around);
      return null;
    }
    if (!hidden && (tag === 'svg' || (attributed && hasAttr(element, 'role'))) && pictures.has(this.pass.roles.role(element))) {
      this.#leaf(element, tag, around);
      return null;
    }
    if (tag === 'label' && !around.within) return this.#label(element, around, hidden);
    if (tag === 'legend' || tag === 'caption' || tag === 'figcaption') return { ...around, hidden, said: this.#nameAround(element) };
    if (!around.within && !hidden && (structuralTags.has(tag) || (attributed && hasAttr(element, 'role')))) return this.#structure(element, tag, around);
    return hidden === around.hidden ? around : { ...around, hidden };
  }

  #control(element: Element, tag: string, around: Around): Around | null {
    const { pass } = this;
    const role = pass.roles.role(element) || 'generic';
    const { name } = pass.names.describe(element);
    const structural = structure.has(role);
    const disabled = isDisabled(element, around.disabled);
    const inner = leaves.has(tag) ? null : { ...around, depth: around.depth + 1, hidden: false, disabled: disabled && !leaves.has(tag) };
    let shown = structural && !hasAttr(element, 'aria-label') ? '' : name;
    let inside: Around | null = null;
    if (inner !== null) {
      if (hasAttr(element, 'contenteditable')) inside = null;
      else if (structural) inside = inner;
      else if (swallows(element, pass)) inside = queryFirst(element, operable) === null && !pass.flat.sawRoots ? null : { ...inner, within: true };
      else if (pass.flat.sawRoots || queryFirst(element, operable) !== null) {
        // A clickable box of other controls: what is in it says more than all its words in one.
        if (role === 'generic') shown = '';
        inside = { ...inner, said: shown };
      } else if (name === '' || name.endsWith('…')) {
        if (role === 'generic') shown = '';
        inside = inner;
      } else inside = role === 'generic' ? null : { ...inner, said: name };
    }
    if (this.options.inView === true && !inView(rectOf(element))) return inside === null ? null : { ...inside, depth: around.depth };
    const redacted = redaction(element, tag, pass);
    let value = '';
    let more = '';
    if (redacted === null) {
      if (tag === 'select') {
        value = chosen(element as HTMLSelectElement);
        more = choices(element as HTMLSelectElement);
      } else value = cut(fold(valueOf(element, tag, role, pass) ?? ''), maxValue);
    }
    if (value === name) value = '';
    this.#put(element, around, role, this.#ref(element, tag, role, name), shown, this.#states(element, tag, role, disabled, redacted), value, hrefOf(element, tag, role), more);
    return inside;
  }

  #states(element: Element, tag: string, role: string, disabled: boolean, redacted: string | null): string {
    let states = '';
    const add = (word: string): void => {
      states += states === '' ? word : ` ${word}`;
    };
    if (tag === 'input') {
      const type = inputType(element as HTMLInputElement);
      if (shownTypes.has(type)) add(type);
    }
    if (redacted !== null && states === '') add('secret');
    if (disabled) add('disabled');
    const checked = checkedState(element, role);
    if (checked === true) add(role === 'button' ? 'pressed' : 'checked');
    else if (checked === 'mixed') add('mixed');
    const attributed = hasAttrs(element);
    if (tag === 'summary' || (attributed && hasAttr(element, 'aria-expanded'))) {
      const expanded = expandedState(element);
      if (expanded !== undefined) add(expanded ? 'expanded' : 'collapsed');
    }
    if (attributed) {
      if (hasAttr(element, 'contenteditable') && isEditingHost(element)) add('editable');
      if (hasAttr(element, 'aria-selected') && selectedState(element) === true) add('selected');
      if (hasAttr(element, 'required') || attr(element, 'aria-required') === 'true') add('required');
      if (hasAttr(element, 'readonly') || attr(element, 'aria-readonly') === 'true') add('readonly');
      const invalid = attr(element, 'aria-invalid');
      if (invalid !== null && invalid !== 'false' && invalid !== '') add('invalid');
      const current = attr(element, 'aria-current');
      if (current !== null && current !== 'false' && current !== '') add('current');
    }
    if (this.pass.focused === element) add('focused');
    return states;
  }

  #structure(element: Element, tag: string, around: Around): Around {
    const role = this.pass.roles.role(element);
    const named = structureWhenNamed.has(role);
    if (!named && !structure.has(role)) return around.hidden ? { ...around, hidden: false } : around;
    const name = nameable.has(tag) || hasAttr(element, 'aria-label') || hasAttr(element, 'aria-labelledby') || hasAttr(element, 'title')
      ? role === 'cell' || role === 'listitem' ? '' : this.pass.names.describe(element).name
      : '';
    if (named && name === '') return around.hidden ? { ...around, hidden: false } : around;
    this.#flush();
    let states = '';
    if (role === 'heading') states = attr(element, 'aria-level') ?? (tag.length === 2 && tag.startsWith('h') ? tag.slice(1) : '2');
    else if (tag === 'dialog' && matches(element, ':modal')) states = 'modal';
    else if (attr(element, 'aria-modal') === 'true') states = 'modal';
    this.#line(around.depth, role, '', name, states);
    return { ...around, depth: around.depth + 1, hidden: false, said: '', disabled: around.disabled || attr(element, 'aria-disabled') === 'true' };
  }

  #label(element: Element, around: Around, hidden: boolean): Around {
    const control = element instanceof HTMLLabelElement ? element.control : null;
    const said = control === null ? around.said : this.pass.names.describe(control).name;
    return said === around.said && hidden === around.hidden ? around : { ...around, said, hidden };
  }

  /** The name of what a legend or caption names. */
  #nameAround(element: Element): string {
    const owner = this.pass.flat.parent(element);
    return owner === null ? '' : this.pass.names.describe(owner).name;
  }

  #leaf(element: Element, tag: string, around: Around): void {
    if (tag === 'br') {
      this.#run += ' ';
      return;
    }
    if (around.within || tag === 'hr' || tag === 'wbr') return;
    if (tag === 'math') {
      this.#say(textContent(element) ?? '', element, around);
      return;
    }
    const role = tag === 'video' || tag === 'audio' || tag === 'canvas' ? tag : this.pass.roles.role(element);
    if (role === 'none' || role === '') return;
    const { name } = this.pass.names.describe(element);
    const value = role === 'progressbar' || role === 'meter' ? attr(element, 'aria-valuetext') ?? attr(element, 'aria-valuenow') ?? attr(element, 'value') ?? '' : '';
    if (name === '' && value === '') return;
    if (this.options.inView === true && !inView(rectOf(element))) return;
    const ref = this.options.match?.(name) === true ? this.#ref(element, tag, role, name) : '';
    this.#put(element, around, role, ref, name, '', value);
  }

  #frame(element: Element, around: Around): void {
    this.#flush();
    this.#frames.push({ element, order: this.#lines.length });
    this.#line(around.depth, 'iframe', '', cut(fold(attr(element, 'title') ?? attr(element, 'name') ?? '')));
    this.#open = false;
  }

  // ---- text

  #text(node: Node, around: Around): void {
    const data = textContent(node) ?? '';
    if (this.#run === '' && data.trim() === '') return;
    if (around.said !== '') {
      const folded = fold(data);
      if (folded !== '' && around.said.includes(folded)) return;
    }
    if (this.options.inView === true && !textInView(node)) return;
    if (data.length > maxNode) {
      this.#say(data.slice(0, maxNode), node, around);
      this.#unread += data.length - maxNode;
    } else this.#say(data, node, around);
  }

  #say(text: string, node: Node, around: Around): void {
    if (this.#run !== '' && (around.depth !== this.#runDepth || around.unseen !== this.#runUnseen)) this.#flush();
    if (this.#run === '') {
      this.#runDepth = around.depth;
      this.#runUnseen = around.unseen;
      this.#runNode = node;
    }
    this.#run += text;
  }

  #flush(): void {
    if (this.#run === '') return;
    const text = fold(this.#run);
    const node = this.#runNode;
    const unread = this.#unread;
    this.#run = '';
    this.#runNode = null;
    this.#unread = 0;
    if (text === '') return;
    let ref = '';
    if (this.options.match?.(text) === true && node !== null) {
      const element = isElement(node) ? node : parentNode(node);
      if (isElement(element)) {
        const role = this.pass.roles.role(element) || 'generic';
        ref = this.#ref(element, localName(element), role, this.pass.names.describe(element).name);
      }
    }
    const more = text.length > this.#textLimit || unread > 0 ? String(text.length + unread) : '';
    this.#line(this.#runDepth, '', ref, cut(text, this.#textLimit), this.#runUnseen ? 'hidden' : '', '', '', more);
    this.#open = true;
  }

  /** Where a block begins or ends, so does a line of text. */
  #edge(element: Element): void {
    const tag = localName(element);
    if (inlineTags.has(tag) && this.pass.styles.unstyled(element) && !hasAttr(element, 'style')) return;
    if (blockTags.has(tag) && this.pass.styles.unstyled(element) && !hasAttr(element, 'style')) {
      this.#flush();
      this.#open = false;
      return;
    }
    if (namespaceURI(element) === SVG_NAMESPACE) {
      // The words of a drawing: its axes, say, in one line.
      if (this.#run !== '') this.#run += ' ';
      return;
    }
    const { display } = styleOf(element);
    if (display === 'inline' || display === 'contents') return;
    if (display.startsWith('inline') || display === 'ruby') {
      if (this.#run !== '') this.#run += ' ';
      return;
    }
    this.#flush();
    this.#open = false;
  }

  // ---- lines

  #ref(element: Element, tag: string, role: string, name: string): string {
    const { refs, version } = this.tree;
    const ref = refs.refOf(element);
    // A made-up id says the role alone: what was rendered anew is known by role and name.
    const look = { role, name, stableId: ownId(element) ?? `${role}:`, selector: '' };
    refs.give(ref, element, tag, look, version, this.tree.itemOf(element) === undefined ? version + 1 : version);
    return ref.slice(1);
  }

  /** A line of an element that may stand in a line of text. */
  #put(element: Element, around: Around, role: string, ref: string, name: string, states = '', value = '', href = '', more = ''): void {
    this.#flush();
    this.#line(around.depth, role, ref, name, states, value, href, more);
    this.#open = inlineTags.has(localName(element)) || this.#open;
  }

  #line(depth: number, role: string, ref: string, name: string, states = '', value = '', href = '', more = ''): void {
    if (this.#lines.length >= (ref === '' ? maxNodes : maxNodes + moreRefs) || this.#length >= maxLength) {
      this.#truncated += 1;
      return;
    }
    let line = `${this.#open ? '+' : ''}${depth}\t${role}`;
    if (more !== '') line += `\t${ref}\t${name}\t${states}\t${value}\t${href}\t${more}`;
    else if (href !== '') line += `\t${ref}\t${name}\t${states}\t${value}\t${href}`;
    else if (value !== '') line += `\t${ref}\t${name}\t${states}\t${value}`;
    else if (states !== '') line += `\t${ref}\t${name}\t${states}`;
    else if (name !== '') line += `\t${ref}\t${name}`;
    else if (ref !== '') line += `\t${ref}`;
    this.#length += line.length;
    this.#lines.push(line);
  }
}

function hrefOf(element: Element, tag: string, role: string): string {
  if (role !== 'link' || (tag !== 'a' && tag !== 'area')) return '';
  const href = (attr(element, 'href') ?? '').trim();
  if (href === '' || href === '#' || /^javascript:/i.test(href)) return '';
  return cut(fold(href), maxValue);
}

function chosen(select: HTMLSelectElement): string {
  const labels: string[] = [];
  for (const option of select.selectedOptions) labels.push(fold(option.label));
  return cut(labels.join(', '), maxValue);
}

/** What can be chosen: all labels where there are few, else how many. */
function choices(select: HTMLSelectElement): string {
  const options = queryAll(select, 'option') as NodeListOf<HTMLOptionElement>;
  if (options.length > maxOptions) return `${options.length} options`;
  const labels: string[] = [];
  for (const option of options) labels.push(fold(option.label));
  const all = labels.join(' | ');
  return all.length > 160 ? `${options.length} options` : all;
}

function inView(rect: DOMRect): boolean {
  return rect.width > 0 && rect.height > 0 && rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;
}

function textInView(node: Node): boolean {
  const range = document.createRange();
  range.selectNodeContents(node);
  return inView(range.getBoundingClientRect());
}

/** Reads the host's `match`: words in any case, or a regular expression. */
export function matcher(given: unknown): ((text: string) => boolean) | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { text, regex } = given as { text?: unknown; regex?: unknown };
  if (typeof regex === 'string') {
    let pattern: RegExp;
    try {
      pattern = new RegExp(regex, 'iu');
    } catch {
      return undefined; // the host has its own syntax; without refs for plain text the search goes on
    }
    return (words) => pattern.test(words);
  }
  if (typeof text !== 'string' || text === '') return undefined;
  const wanted = fold(text).toLowerCase();
  return (words) => words.toLowerCase().includes(wanted);
}
