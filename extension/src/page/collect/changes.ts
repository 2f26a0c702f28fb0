/**
 * What changed in the page, told as a person would: a dialog opened, a row was added, a
 * button is disabled. Mutation records are only sorted while they come; the page is read
 * once, when the changes are told. Rendering anew what was there is no change.
 */
import type { ElementChange } from '../../protocol/generated.ts';
import { checkedState } from '../aria/state.ts';
import { attr, checkVisibility, closest, contains, isConnected, isElement, localName, matches, nodeType, parentElement, queryAll, textContent } from '../dom/primordials.ts';
import { isOwnRecord } from '../dom/own.ts';
import { foldCut } from '../dom/text.ts';
import { give } from '../locate/candidates.ts';
import { redaction, valueOf } from '../tree/item.ts';
import type { Pass } from '../tree/pass.ts';
import type { UITree } from '../tree/uitree.ts';

const maxRecords = 3000; // sorted of one window; the rest is only counted
const maxNodes = 1500; // added and removed nodes
const maxTouched = 200; // elements whose attributes or text changed
const maxItems = 400; // rows, headings, controls, … met inside of what was added or removed
const maxLive = 60; // dialogs, alerts, … whose state of before is kept
const maxText = 80;
const maxTitle = 120;

/** Changes told of one window. */
export const toldChanges = 16;

/** What the observer of a window has to tell. */
export const changeRecords: MutationObserverInit = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true };

// What opens, closes or speaks: seen before and after, however it is done.
const layers = 'dialog,[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=tooltip],[popover]';
const speakers = '[role=alert],[role=status],[aria-live=polite],[aria-live=assertive],output';
// Each element of a page is held against each part of a selector, so these are few; tags cost nothing.
const live = ['dialog', 'output', '[role],[aria-live]'] as const;
const liveRoles: ReadonlySet<string> = new Set('dialog alertdialog menu listbox tooltip alert status tabpanel'.split(' '));

const rows = 'tr,li,option,article,[role=row],[role=listitem],[role=option],[role=menuitem],[role=treeitem],[role=article],[role=tab],[role=gridcell]';
const headings = 'h1,h2,h3,h4,h5,h6,[role=heading]';
const controls = 'button,a[href],input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=switch],[role=textbox],[role=combobox]';
const telling = `${layers},${speakers},${rows},${headings},${controls},[role=progressbar],progress`;
const holders = 'table,ul,ol,menu,dl,select,[role=table],[role=grid],[role=list],[role=listbox],[role=tree],[role=feed],[role=menu],[role=tablist],[role=log],' +
  'dialog,[role=dialog],form,nav,main,section,article,aside,[role=region],[role=main]';
// What a changed text belongs to.
const speaking = `${headings},${speakers},button,a,td,th,li,summary,label,legend,caption,option,[role]`;

/** Attributes that say a state: what it is called when it is set and when not. */
const states: Readonly<Record<string, readonly [on: string, off: string, rank: number]>> = {
  disabled: ['disabled', 'enabled', 70],
  'aria-disabled': ['disabled', 'enabled', 70],
  'aria-invalid': ['invalid', 'valid', 68],
  'aria-checked': ['checked', 'unchecked', 56],
  'aria-pressed': ['checked', 'unchecked', 56],
  'aria-expanded': ['expanded', 'collapsed', 55],
  open: ['expanded', 'collapsed', 55],
  'aria-selected': ['selected', 'unselected', 52],
  'aria-current': ['current', '', 50],
  'aria-busy': ['busy', 'ready', 35],
};

const ranks: Readonly<Record<string, number>> = {
  opened: 100, closed: 98, appeared: 95, gone: 45, added: 60, removed: 60, shown: 50, hidden: 50, text: 40, value: 54, checked: 56, unchecked: 56, title: 42,
};

interface Before {
  visible: boolean;
  text: string;
  role: string;
  name: string;
}

interface Put {
  parent: Element;
  at: number;
}

/** A row, heading, control, … inside of what was added or removed. */
interface Item {
  element: Element;
  key: string;
  text: string;
  kind: 'layer' | 'speaker' | 'row' | 'heading' | 'control';
  parent: Element;
  at: number;
}

interface Found {
  rank: number;
  change: string;
  at: number;
  element: Element | null;
  under: Element | null;
  rest: Partial<ElementChange>;
}

/** What is told of a window. */
export interface Told {
  changes: ElementChange[];
  /** Changes that are not among them. */
  more: number;
}

/** The changes of one window. */
export class Changes {
  readonly #tree: UITree;
  readonly #roots: () => Iterable<ShadowRoot>;
  readonly #before = new Map<Element, Before>();
  readonly #added = new Map<Node, Put>();
  readonly #removed = new Map<Node, Put>();
  readonly #passed: { node: Node; put: Put; gone: number }[] = []; // came and went
  readonly #states = new Map<Element, Map<string, { old: string | null; at: number }>>();
  /** Their style or hidden attribute of before, where it was that which changed. */
  readonly #looks = new Map<Element, { style?: string | null; hidden?: boolean; at: number }>();
  readonly #texts = new Map<Element, number>();
  readonly #inputs = new Map<Element, number>();
  #seen = 0;
  #uncounted = 0;

  constructor(tree: UITree, roots: () => Iterable<ShadowRoot>) {
    this.#tree = tree;
    this.#roots = roots;
  }

  get empty(): boolean {
    return this.#seen === 0 && this.#inputs.size === 0;
  }

  /** Forgets what changed; what was open and said before stays. */
  clear(): void {
    for (const map of [this.#added, this.#removed, this.#states, this.#looks, this.#texts, this.#inputs]) map.clear();
    this.#passed.length = this.#seen = this.#uncounted = 0;
  }

  /** Notes what is open and said now: a new window. */
  begin(): void {
    this.clear();
    this.#before.clear();
    let pass: Pass | undefined;
    for (const root of [document, ...this.#roots()]) {
      for (const element of live.flatMap((selector) => [...queryAll(root, selector)])) {
        if (this.#before.size >= maxLive) return;
        if (this.#before.has(element) || !isLive(element)) continue;
        const visible = seen(element);
        let [role, name, text] = ['', '', ''];
        if (visible && matches(element, speakers)) text = plainText(element);
        if (visible && matches(element, layers)) {
          pass ??= this.#tree.pass();
          role = pass.roles.role(element) || 'generic';
          name = foldCut(pass.names.nameOf(element), maxText);
        }
        this.#before.set(element, { visible, text, role, name });
      }
    }
  }

  add(records: readonly MutationRecord[]): void {
    const at = Date.now();
    for (const record of records) {
      if (isOwnRecord(record)) continue;
      this.#seen++;
      if (this.#seen > maxRecords) {
        this.#uncounted++;
        continue;
      }
      const target = record.target;
      if (record.type === 'childList') this.#children(record, at);
      else if (record.type === 'characterData') this.#text(parentElement(target), at);
      else if (isElement(target)) this.#attribute(target, record.attributeName ?? '', record.oldValue, at);
    }
  }

  /** Its value or state may have changed without a record. */
  touched(element: Element): void {
    if (this.#inputs.size < maxTouched && !this.#inputs.has(element)) this.#inputs.set(element, Date.now());
  }

  #children(record: MutationRecord, at: number): void {
    const { target } = record;
    const parent = isElement(target) ? target : target instanceof ShadowRoot ? target.host : null;
    if (parent === null || localName(parent) === 'head') return;
    if (localName(parent) === 'style' || localName(parent) === 'script') return;
    let text = false;
    for (const node of record.removedNodes) {
      if (nodeType(node) === Node.TEXT_NODE) text = true;
      if (!isElement(node)) continue;
      const put = this.#added.get(node);
      if (put !== undefined) {
        this.#added.delete(node);
        if (this.#passed.length < 20) this.#passed.push({ node, put, gone: at });
      } else if (this.#removed.size < maxNodes) this.#removed.set(node, { parent, at });
      else this.#uncounted++;
    }
    for (const node of record.addedNodes) {
      if (nodeType(node) === Node.TEXT_NODE) text = true;
      if (!isElement(node)) continue;
      if (this.#removed.delete(node)) continue; // moved
      const before = this.#passed.findIndex((one) => one.node === node);
      if (before >= 0) this.#passed.splice(before, 1);
      if (this.#added.size < maxNodes) this.#added.set(node, { parent, at });
      else this.#uncounted++;
    }
    if (text) this.#text(parent, at);
  }

  #text(element: Element | null, at: number): void {
    if (element !== null && this.#texts.size < maxTouched && !this.#texts.has(element)) this.#texts.set(element, at);
  }

  #attribute(target: Element, name: string, old: string | null, at: number): void {
    if (name === 'class' || name === 'style' || name === 'hidden') {
      let look = this.#looks.get(target);
      if (look === undefined) {
        if (this.#looks.size >= maxTouched) return;
        this.#looks.set(target, (look = { at }));
      }
      if (name === 'style' && look.style === undefined) look.style = old;
      if (name === 'hidden') look.hidden ??= old !== null;
      return;
    }
    if (!Object.hasOwn(states, name)) return;
    let known = this.#states.get(target);
    if (known === undefined) {
      if (this.#states.size >= maxTouched) return;
      this.#states.set(target, (known = new Map()));
    }
    if (!known.has(name)) known.set(name, { old, at });
  }

  /** The changes up to now; begin() makes a new window. `target` is what the agent acts on and knows of. */
  tell(limit: number, target: Element | null = null): Told {
    if (this.empty) return { changes: [], more: 0 };
    const pass = this.#tree.pass();
    const found: Found[] = [];
    this.#tellItems(found);
    this.#tellLive(found);
    this.#tellStates(found);
    this.#tellLooks(found);
    this.#tellInputs(found, target, pass);
    this.#tellTexts(found, target);
    found.sort((a, b) => b.rank - a.rank || a.at - b.at);
    const told = found.slice(0, limit);
    return { changes: told.map((one) => this.#named(one, pass)), more: found.length - told.length + this.#uncounted };
  }

  /** The element as commands take it. */
  #refer(element: Element, pass: Pass): { ref: string; role: string; name: string } {
    const role = pass.roles.role(element) || 'generic';
    const name = pass.names.nameOf(element);
    const look = { role, name, stableId: this.#tree.stable.of(element, role, name), selector: pass.selectors.selector(element) };
    return { ref: give(element, this.#tree, look), role, name: foldCut(name, maxText) };
  }

  #named({ change, at, element, under, rest }: Found, pass: Pass): ElementChange {
    const out: ElementChange = { change, at };
    if (element !== null && isConnected(element)) {
      Object.assign(out, this.#refer(element, pass));
    }
    if (under !== null && isConnected(under)) {
      out.under = this.#refer(under, pass);
    }
    // What goes without a name goes by its text.
    const { name, text, ...others } = rest;
    Object.assign(out, others);
    if (name !== undefined && name !== '' && (out.name ?? '') === '') out.name = name;
    if (text !== undefined && text !== '' && text !== out.name) out.text = text;
    if (out.name === '') delete out.name;
    return out;
  }

  // --- what came and went ---------------------------------------------------------

  #tellItems(found: Found[]): void {
    const came: Item[] = [];
    let went: Item[] = [];
    for (const [node, put] of this.#added) {
      if (!isConnected(node) || this.#within(parentElement(node))) continue;
      this.#collect(node as Element, put, came, true);
    }
    for (const [node, put] of this.#removed) {
      if (isConnected(node)) continue; // somewhere else
      this.#collect(node as Element, put, went, false);
    }
    const passed = this.#passed.map(({ node, put, gone: at }) => {
      const items: Item[] = [];
      this.#collect(node as Element, put, items, false);
      return { items, at };
    });
    cancel(came, went);
    const gone = new Set(went.map(({ key }) => key));
    const spoken = came.some(({ kind }) => kind === 'speaker');
    if (spoken) went = went.filter(({ kind }) => kind !== 'speaker'); // one word takes the place of another
    this.#tellSet(found, came, 'added');
    this.#tellSet(found, went, 'removed');
    for (const { items, at } of passed) {
      const brief = items.filter(({ key }) => !gone.has(key)); // rendered anew before it went is not told twice
      this.#tellSet(found, brief, 'added');
      this.#tellSet(found, brief.map((item) => ({ ...item, at })), 'removed');
    }
  }

  /** The items of a subtree, outermost first; of one without any its text is what changed. */
  #collect(root: Element, put: Put, into: Item[], present: boolean): void {
    const name = localName(root);
    if (name === 'script' || name === 'style' || name === 'link' || name === 'template') return;
    let last: Element | null = null;
    let any = false;
    for (const element of matches(root, telling) ? [root, ...queryAll(root, telling)] : queryAll(root, telling)) {
      any = true;
      if (last !== null && contains(last, element)) continue;
      if (into.length >= maxItems) break;
      if (present && into.length < 100 && !seen(element)) continue;
      const kind = kindOf(element);
      if (!present && kind === 'layer' && this.#before.get(element)?.visible !== true) continue;
      if (kind !== 'control') last = element;
      const text = secretive(element) ? '' : plainText(element) || foldCut(attr(element, 'aria-label') ?? '', maxText);
      into.push({ element, key: `${kind} ${roleOf(element)} ${text}`, text, kind, parent: put.parent, at: put.at });
    }
    if (!any) this.#text(put.parent, put.at);
  }

  #tellSet(found: Found[], items: readonly Item[], change: 'added' | 'removed'): void {
    const groups = new Map<string, Item[]>();
    const holderIds = new Map<Element, number>();
    for (const item of items) {
      const before = this.#before.get(item.element);
      if (item.kind === 'layer') {
        found.push(one(change === 'added' ? 'opened' : 'closed', item.at, item.element, null, { role: before?.role || roleOf(item.element), name: before?.name || item.text }));
      } else if (item.kind === 'speaker') {
        if (item.text === '') continue;
        found.push(one(change === 'added' ? 'appeared' : 'gone', item.at, item.element, null, { role: roleOf(item.element), name: item.text }));
      } else if (item.kind === 'heading') {
        const told = one(change, item.at, item.element, null, { role: 'heading', name: item.text });
        told.rank = change === 'added' ? 66 : 30;
        found.push(told);
      } else {
        const holder = holderOf(item.element, item.parent);
        if (!holderIds.has(holder)) holderIds.set(holder, holderIds.size);
        const key = `${item.kind === 'row' ? roleOf(item.element) : 'control'} ${holderIds.get(holder)}`;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [item]);
        else group.push(item);
      }
    }
    for (const group of groups.values()) {
      const first = group[0] as Item;
      const holder = holderOf(first.element, first.parent);
      const rest: Partial<ElementChange> = group.length === 1 ? { role: roleOf(first.element), name: first.text } : { role: first.kind === 'row' ? roleOf(first.element) : 'control', count: group.length };
      const told = one(change, first.at, group.length === 1 ? first.element : null, holder, rest);
      if (first.kind === 'control') told.rank = 38;
      found.push(told);
    }
  }

  /** It is part of something that was added. */
  #within(element: Element | null): boolean {
    for (let up = element; up !== null; up = parentElement(up)) if (this.#added.has(up)) return true;
    return false;
  }

  // --- what was there before and after ----------------------------------------------

  #tellLive(found: Found[]): void {
    for (const [element, before] of this.#before) {
      if (!isConnected(element)) continue; // told with what was removed
      const now = seen(element);
      const at = this.#latest(element);
      if (matches(element, layers)) {
        if (now !== before.visible) found.push(one(now ? 'opened' : 'closed', at, element, null, { name: now ? plainText(element) : before.name }));
      } else if (matches(element, speakers)) {
        const text = now ? plainText(element) : '';
        if (text === before.text) continue;
        found.push(text === '' ? one('gone', at, element, null, { name: before.text }) : one('appeared', at, element, null, { name: text }));
      } else if (now !== before.visible) {
        if (!now || plainText(element) !== '') found.push(one(now ? 'shown' : 'hidden', at, element, null, { text: plainText(element) }));
      }
    }
  }

  /** When something about it, inside or around it changed. */
  #latest(element: Element): number {
    for (const map of [this.#looks, this.#states]) {
      const own = map.get(element);
      if (own !== undefined) return own instanceof Map ? ([...own.values()][0]?.at ?? 0) : own.at;
    }
    for (const [changed, at] of this.#texts) if (contains(element, changed)) return at;
    for (const [node, put] of this.#added) if (contains(element, node)) return put.at;
    for (const [changed, look] of this.#looks) if (contains(changed, element)) return look.at;
    return Date.now();
  }

  #tellStates(found: Found[]): void {
    for (const [element, changed] of this.#states) {
      if (!isConnected(element) || this.#within(element)) continue;
      const layer = matches(element, layers);
      for (const [name, { old, at }] of changed) {
        if (name === 'open' && layer) continue; // it is seen to open
        const now = isOn(name, attr(element, name));
        if (now === isOn(name, old)) continue;
        const [on, off, rank] = states[name] as readonly [string, string, number];
        const change = now ? on : off;
        if (change !== '') found.push({ ...one(change, at, element, null, {}), rank });
      }
    }
  }

  #tellLooks(found: Found[]): void {
    for (const [element, { style, hidden, at }] of this.#looks) {
      if (this.#before.has(element) || !isConnected(element) || this.#within(element)) continue;
      let before: boolean | undefined;
      if (hidden !== undefined) before = !hidden;
      else if (style !== undefined) before = !/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style ?? '');
      const now = seen(element);
      if (before === undefined || before === now) {
        // What is listed in it tells how it was.
        let listed: boolean | undefined;
        for (const inner of [element, ...queryAll(element, controls)].slice(0, 4)) listed ??= this.#tree.itemOf(inner)?.visible;
        if (listed === undefined || before !== undefined) continue;
        before = listed;
      }
      if (now === before || (parentElement(element) !== null && !seen(parentElement(element) as Element))) continue;
      const text = plainText(element);
      if (text !== '' || matches(element, controls)) found.push(one(now ? 'shown' : 'hidden', at, element, null, { text }));
    }
  }

  #tellInputs(found: Found[], target: Element | null, pass: Pass): void {
    for (const [element, at] of this.#inputs) {
      if (!isConnected(element)) continue;
      if (matches(element, '[popover]')) {
        const now = seen(element);
        if (!this.#before.has(element)) found.push(one(now ? 'opened' : 'closed', at, element, null, { name: now ? plainText(element) : '' }));
        continue;
      }
      const checked = checkedState(element, pass.roles.role(element));
      if (checked !== undefined) {
        found.push(one(checked === true ? 'checked' : 'unchecked', at, element, null, {}));
        continue;
      }
      if (element === target) continue; // the answer says what it holds
      const tag = localName(element);
      const value = redaction(element, tag, pass) === null ? valueOf(element, tag, pass.roles.role(element), pass) : undefined;
      if (value !== undefined) found.push(one('value', at, element, null, { text: foldCut(value, maxText) }));
    }
  }

  #tellTexts(found: Found[], target: Element | null): void {
    const told = new Set<Element>();
    for (const [element, at] of this.#texts) {
      if (!isConnected(element) || this.#within(element) || secretive(element)) continue;
      if (localName(element) === 'title') {
        if (contains(document.head, element)) found.push(one('title', at, null, null, { text: foldCut(document.title, maxTitle) }));
        continue;
      }
      if (target !== null && contains(target, element) && matches(target, 'input,textarea,select,[contenteditable]')) continue;
      const speaker = closest(element, speaking) ?? element;
      const whole = speaker === element || depthBelow(speaker, element) <= 3 ? speaker : element;
      if (told.has(whole) || this.#before.has(whole) || closest(whole, speakers) !== null || !seen(whole)) continue;
      told.add(whole);
      const text = plainText(whole);
      if (text === '') continue;
      const change = one('text', at, whole, null, { text });
      if (matches(whole, headings)) change.rank = 66;
      found.push(change);
    }
  }
}

function one(change: string, at: number, element: Element | null, under: Element | null, rest: Partial<ElementChange>): Found {
  return { rank: ranks[change] ?? 30, change, at, element, under, rest };
}

/** Rows that left and came again with the same text were only rendered anew. */
function cancel(came: Item[], went: Item[]): void {
  const gone = new Map<string, number>();
  for (const { key } of went) gone.set(key, (gone.get(key) ?? 0) + 1);
  const back = new Map<string, number>();
  for (let i = 0; i < came.length; i++) {
    const { key } = came[i] as Item;
    const left = gone.get(key) ?? 0;
    if (left === 0) continue;
    gone.set(key, left - 1);
    back.set(key, (back.get(key) ?? 0) + 1);
    came.splice(i--, 1);
  }
  for (let i = 0; i < went.length; i++) {
    const { key } = went[i] as Item;
    const left = back.get(key) ?? 0;
    if (left === 0) continue;
    back.set(key, left - 1);
    went.splice(i--, 1);
  }
}

function isLive(element: Element): boolean {
  const role = attr(element, 'role');
  return role === null || liveRoles.has(role) || attr(element, 'aria-live') !== null;
}

function kindOf(element: Element): Item['kind'] {
  if (matches(element, layers)) return 'layer';
  if (matches(element, speakers)) return 'speaker';
  if (matches(element, rows)) return 'row';
  return matches(element, headings) ? 'heading' : 'control';
}

const tagRoles: Readonly<Record<string, string>> = {
  tr: 'row', li: 'listitem', option: 'option', article: 'article', button: 'button', a: 'link', select: 'combobox', textarea: 'textbox', input: 'textbox',
  summary: 'button', progress: 'progressbar', dialog: 'dialog', output: 'status',
};

/** The role of something that may be out of the page already. */
function roleOf(element: Element): string {
  const given = attr(element, 'role')?.trim().split(/\s+/)[0];
  if (given !== undefined && given !== '') return given.slice(0, 30);
  const tag = localName(element);
  if (/^h[1-6]$/.test(tag)) return 'heading';
  return Object.hasOwn(tagRoles, tag) ? (tagRoles[tag] as string) : 'generic';
}

/** What it was added to or removed from: the list, table, form or section. */
function holderOf(element: Element, parent: Element): Element {
  const up = parentElement(element);
  if (isConnected(element) && up !== null) return closest(up, holders) ?? up;
  return isConnected(parent) ? closest(parent, holders) ?? parent : parent;
}

function isOn(name: string, value: string | null): boolean {
  if (value === null) return false;
  return name.startsWith('aria-') ? value !== 'false' && value !== '' && value !== 'undefined' : true;
}

const visibility: CheckVisibilityOptions = { visibilityProperty: true };

function seen(element: Element): boolean {
  return checkVisibility(element, visibility); // whatever its opacity: it may be fading in
}

/** What is typed into it is nobody's business. */
function secretive(element: Element): boolean {
  const tag = localName(element);
  return tag === 'input' || tag === 'textarea' || tag === 'script' || tag === 'style' || tag === 'noscript';
}

function plainText(element: Element): string {
  return secretive(element) ? '' : foldCut(textContent(element) ?? '', maxText);
}

function depthBelow(above: Element, element: Element): number {
  let depth = 0;
  for (let up: Element | null = element; up !== null && up !== above; up = parentElement(up)) depth++;
  return depth;
}
