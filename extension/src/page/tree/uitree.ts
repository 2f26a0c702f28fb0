// The UI tree of one document: full lists, and diffs that look again only at
// what mutations and events have touched.
import type { UITreeItem } from '../../protocol/generated.ts';
import type { NameSources } from '../aria/name.ts';
import { treeRoot, FlatTree } from '../dom/flat.ts';
import {
  attr,
  documentElement,
  inputType,
  isConnected,
  localName,
  openShadowRoot,
  parentNode,
  queryAll,
  escapeIdent,
  type TreeRoot,
} from '../dom/primordials.ts';
import type { Measured } from '../dom/visibility.ts';
import { compare, type Changed } from './compare.ts';
import { Dirt } from './dirt.ts';
import { hasMoved, type Changes, type Entry } from './entry.ts';
import { frameTags, isInteractive, opaque, swallows } from './interactive.ts';
import { buildItem, round, roundBox, valueOf } from './item.ts';
import { checkedState } from '../aria/state.ts';
import { listenTo } from './listen.ts';
import { deepFocus, Pass } from './pass.ts';
import { RefTable } from './refs.ts';
import { isPositional, quote, SelectorCache, TEST_ID } from './selector.ts';
import type { FrameElement, FullTree, TreeDiff, UITreeOptions } from './shapes.ts';
import { StableIds } from './stable.ts';

/** Most items of a tree; the rest is counted. */
export const MAX_ITEMS = 20_000;

// Trees up to this size are measured whole at every diff. Larger ones by block:
// when both ends of a block stand where they stood, so does what is between,
// and a slice that moves on with every diff makes up for what that misses.
const measureAll = 1500;
const blockSize = 64;
const blocksInTurn = 4;

export class UITree {
  readonly flat: FlatTree;
  readonly refs: RefTable;
  readonly stable = new StableIds();
  readonly #limit: number;
  readonly #dirt = new Dirt();
  readonly #onRoot: ((root: ShadowRoot) => void) | undefined;
  #entries = new Map<Element, Entry>();
  #order: Entry[] = [];
  #turn = 0;
  #version = 0;
  #truncated = 0;
  #focused: Element | null = null;
  /** Elements whose content names others, and ids by which others are named. */
  #sources = new Map<Element, Set<Element>>();
  #ids = new Map<string, Set<Element>>();
  /** Custom elements that have no shadow root yet: attaching one is no mutation. */
  #hosts = new Set<Element>();
  #frames: FrameElement[] = [];
  #undo: (() => void)[] = [];
  #onChange: (() => void) | undefined;

  constructor(options: UITreeOptions = {}) {
    this.flat = new FlatTree(options.openClosedRoot);
    this.flat.onRoot = (root) => this.#foundRoot(root);
    this.refs = new RefTable(options.firstRef);
    this.#limit = options.limit ?? MAX_ITEMS;
    this.#onRoot = options.onRoot;
  }

  /** Version of the last list given out; 0 before the first. */
  get version(): number {
    return this.#version;
  }

  #foundRoot(root: ShadowRoot): void {
    this.#onRoot?.(root);
    if (this.#onChange !== undefined) this.#undo.push(listenTo(root, this.#listener));
  }

  readonly #listener = {
    state: (element: Element): void => {
      this.mark(element);
      this.#onChange?.();
    },
    subtree: (element: Element): void => {
      this.#dirt.roots.add(element);
      this.#dirt.chain.add(element);
      this.#onChange?.();
    },
    all: (): void => {
      this.#dirt.all = true;
      this.#onChange?.();
    },
  };

  /** Listen to events that change states without mutations. Returns the undo. */
  listen(onChange: () => void): () => void {
    this.#onChange = onChange;
    this.#undo.push(listenTo(document, this.#listener));
    return () => {
      this.#onChange = undefined;
      for (const undo of this.#undo) undo();
      this.#undo = [];
    };
  }

  observe(records: readonly MutationRecord[] | 'all'): void {
    if (records === 'all') this.#dirt.all = true;
    else this.#dirt.observe(records);
  }

  /** The element's state (value, checked, focus, …) may have changed. */
  mark(element: Element): void {
    this.#dirt.chain.add(element);
    if (localName(element) === 'input' && inputType(element as HTMLInputElement) === 'radio') {
      // One of a group unchecks the others.
      const root = treeRoot(element);
      const name = attr(element, 'name');
      if (root !== null && name !== null) {
        for (const other of queryAll(root, `input[type=radio][name=${quote(name)}]`)) this.#dirt.chain.add(other);
      }
    }
  }

  /** A reading of the page for lookups outside of a tree. */
  pass(bulk: boolean = false): Pass {
    return new Pass(this.flat, bulk);
  }

  /** All items of the page as it is now. */
  full(): FullTree {
    const changes = this.#readAll();
    const baseVersion = this.#version;
    let diff: TreeDiff | null = null;
    if (baseVersion === 0) this.#version = 1;
    else if (changes !== null) {
      this.#version += 1;
      const { added, removed, changed } = changes;
      diff = { baseVersion, version: this.#version, added, removed, changed };
    }
    for (const entry of this.#order) this.#remember(entry);
    return { items: this.#order.map((entry) => entry.item), version: this.#version, truncated: this.#truncated, diff };
  }

  /** Elements that hold frames, as the last full reading met them. */
  get frames(): readonly FrameElement[] {
    return this.#frames;
  }

  /** What changed since the last list or diff, null when nothing did. */
  diff(): TreeDiff | null {
    if (this.#version === 0) throw new Error('no base: take a full tree first');
    this.#watchHosts();
    const whole = this.#dirt.all || this.#truncated > 0 || this.#entries.size >= this.#limit;
    const changes = whole ? this.#readAll() : this.#readDirty();
    if (changes === null) return null;
    const baseVersion = this.#version;
    this.#version += 1;
    const { touched, ...lists } = changes;
    for (const entry of touched) this.#remember(entry);
    return { baseVersion, version: this.#version, ...lists };
  }

  #remember(entry: Entry): void {
    this.refs.give(entry.item.ref, entry.element, localName(entry.element), entry.item, this.#version);
  }

  /** The element whose name is being worked out. */
  #named: Element = document.documentElement;
  readonly #collector: NameSources = {
    element: (source) => add(this.#sources, source, this.#named),
    id: (id) => add(this.#ids, id, this.#named),
  };

  // ---- reading everything

  #readAll(): Changes | null {
    const pass = new Pass(this.flat, true);
    const root = documentElement(document);
    const found: Element[] = [];
    this.#sources = new Map();
    this.#ids = new Map();
    this.#hosts = new Set();
    this.#frames = [];
    // Roots are met before what is inside them is asked for its parents.
    this.flat.surveyed = true;
    if (root !== null) this.#collect(root, false, pass, found);
    this.#truncated = Math.max(0, found.length - this.#limit);
    if (this.#truncated > 0) found.length = this.#limit;
    const old = this.#entries;
    const kept = new Set(found);
    const removed: string[] = [];
    for (const [element, entry] of old) {
      if (kept.has(element)) continue;
      removed.push(entry.item.ref);
      this.stable.release(element);
    }
    this.#entries = new Map();
    this.#order = [];
    const added: UITreeItem[] = [];
    const changed: Changed[] = [];
    const touched: Entry[] = [];
    for (const element of found) {
      const before = old.get(element);
      const entry = this.#build(element, pass);
      this.#entries.set(element, entry);
      entry.at = this.#order.push(entry) - 1;
      if (before === undefined) {
        added.push(entry.item);
        touched.push(entry);
        continue;
      }
      const change = compare(before.item, entry.item, hasMoved(before, entry));
      if (change === undefined) continue;
      changed.push(change);
      touched.push(entry);
    }
    this.#focused = pass.focused;
    this.#dirt.reset();
    return added.length + removed.length + changed.length === 0 ? null : { added, removed, changed, touched };
  }

  #collect(start: Element, inside: boolean, pass: Pass, found: Element[], visited?: Set<Element>): void {
    this.flat.walk<boolean>(start, inside, (element, within) => {
      visited?.add(element);
      const name = localName(element);
      if (name.includes('-') && openShadowRoot(element) === null && this.#hosts.size < 1000) this.#hosts.add(element);
      const item = isInteractive(element, within, pass);
      if (item) found.push(element);
      if (visited === undefined && frameTags.has(name)) this.#frames.push({ element, order: found.length });
      if (opaque.has(name)) return null;
      return within || (item && swallows(element, pass));
    });
  }

  #build(element: Element, pass: Pass, measured: Measured = pass.layout.measure(element)): Entry {
    this.#named = element;
    const core = buildItem(element, pass, measured, this.#collector);
    const selector = pass.selectors.selector(element);
    const item: UITreeItem = {
      ref: this.refs.refOf(element),
      stableId: this.stable.of(element, core.role, core.name),
      selector,
      ...core,
    };
    return {
      element,
      item,
      x: measured.bounds.x + measured.scrolledX,
      y: measured.bounds.y + measured.scrolledY,
      positional: isPositional(selector),
      gone: false,
      at: 0,
    };
  }

  // ---- reading what is dirty

  #readDirty(): Changes | null {
    const dirt = this.#dirt;
    const pass = new Pass(this.flat, false);
    const again = new Set<Element>();
    const fresh = new Set<Element>();
    const lost = new Set<Element>();
    this.#readRemoved(again);
    for (const root of this.#outermost(dirt.roots)) this.#readSubtree(root, pass, again, fresh, lost);
    this.#readChain(pass, again, fresh, lost);
    this.#readReferences(again);
    if (pass.focused !== this.#focused) {
      for (const element of [pass.focused, this.#focused]) if (element !== null) again.add(element);
      this.#focused = pass.focused;
    }

    const removed: string[] = [];
    // Nothing leaves the page without a record of its removal.
    if (dirt.removed.size > 0 || lost.size > 0) {
      for (const entry of this.#order) {
        if (!isConnected(entry.element) || lost.has(entry.element)) this.#drop(entry, removed);
      }
    }
    this.#sweep(pass, again, removed);

    const changed = new Map<string, Changed>();
    for (const element of again) {
      const entry = this.#entries.get(element);
      if (entry === undefined) continue;
      const now = this.#build(element, pass);
      const change = compare(entry.item, now.item, hasMoved(entry, now));
      if (change !== undefined) changed.set(change.ref, change);
      entry.item = now.item;
      entry.x = now.x;
      entry.y = now.y;
      entry.positional = now.positional;
    }
    const appended = new Set<Entry>();
    for (const element of fresh) {
      if (this.#entries.has(element)) continue;
      const entry = this.#build(element, pass);
      this.#entries.set(element, entry);
      entry.at = this.#order.push(entry) - 1;
      appended.add(entry);
    }
    if (dirt.structure) this.#reselect(changed, appended);
    if (removed.length > 0) {
      this.#order = this.#order.filter((entry) => !entry.gone);
      for (const [at, entry] of this.#order.entries()) entry.at = at;
    }
    dirt.reset();
    if (this.#entries.size > this.#limit) return this.#overflow([...appended].map((entry) => entry.item), removed, changed);
    if (appended.size + removed.length + changed.size === 0) return null;
    const touched = [...appended];
    for (const element of again) {
      const entry = this.#entries.get(element);
      if (entry !== undefined && changed.has(entry.item.ref)) touched.push(entry);
    }
    if (touched.length < changed.size + appended.size) {
      // Others got a new selector alone.
      for (const entry of this.#order) if (changed.has(entry.item.ref) && !again.has(entry.element)) touched.push(entry);
    }
    return { added: [...appended].map((entry) => entry.item), removed, changed: [...changed.values()], touched };
  }

  // More than the limit: the whole list says what of this diff stays.
  #overflow(added: UITreeItem[], removed: string[], changed: Map<string, Changed>): Changes {
    const fresh = new Set(added.map((item) => item.ref));
    const cutOff = this.#readAll();
    const gone = new Set(cutOff?.removed ?? []);
    return {
      added: [...added.filter((item) => !gone.has(item.ref)), ...(cutOff?.added ?? [])],
      removed: [...removed, ...[...gone].filter((ref) => !fresh.has(ref))],
      changed: [...[...changed.values()].filter((change) => !gone.has(change.ref)), ...(cutOff?.changed ?? [])],
      touched: this.#order,
    };
  }

  #drop(entry: Entry, removed: string[]): void {
    if (entry.gone) return;
    entry.gone = true;
    this.#entries.delete(entry.element);
    this.stable.release(entry.element);
    removed.push(entry.item.ref);
  }

  #readRemoved(again: Set<Element>): void {
    if (this.#sources.size === 0) return;
    for (const node of this.#dirt.removed) {
      for (const element of [node, ...queryAll(node, '*')]) this.#dependents(element, again);
    }
  }

  #dependents(element: Element, again: Set<Element>): void {
    for (const named of this.#sources.get(element) ?? []) again.add(named);
  }

  /** The marked roots that are in the page and not inside another one. */
  #outermost(marked: ReadonlySet<Element>): Set<Element> {
    const roots = new Set<Element>();
    for (const root of marked) {
      if (!isConnected(root)) continue;
      // What is put into a host shows up (or not) by way of its slots.
      const up = this.flat.composedParent(root);
      roots.add(up !== null && this.flat.shadowRoot(up) !== null && parentNode(root) === up ? up : root);
    }
    for (const root of roots) {
      for (let up = this.flat.composedParent(root); up !== null; up = this.flat.composedParent(up)) {
        if (!roots.has(up)) continue;
        roots.delete(root);
        break;
      }
    }
    return roots;
  }

  #readSubtree(root: Element, pass: Pass, again: Set<Element>, fresh: Set<Element>, lost: Set<Element>): void {
    const visited = new Set<Element>();
    const found: Element[] = [];
    if (this.flat.inFlatTree(root) && !this.#inOpaque(root)) this.#collect(root, this.#inside(root, pass), pass, found, visited);
    for (const element of found) {
      if (this.#entries.has(element)) again.add(element);
      else fresh.add(element);
    }
    const listed = new Set(found);
    for (const element of visited) {
      this.#dependents(element, again);
      if (!listed.has(element) && this.#entries.has(element)) lost.add(element);
    }
    // What was listed but is not part of the flat tree any more.
    for (const element of [root, ...queryAll(root, '*')]) {
      if (!visited.has(element) && this.#entries.has(element)) lost.add(element);
    }
  }

  #inOpaque(element: Element): boolean {
    for (let up = this.flat.parent(element); up !== null; up = this.flat.parent(up)) if (opaque.has(localName(up))) return true;
    return false;
  }

  #inside(element: Element, pass: Pass): boolean {
    for (let up = this.flat.parent(element); up !== null; up = this.flat.parent(up)) {
      if (swallows(up, pass) && isInteractive(up, false, pass)) return true;
    }
    return false;
  }

  /** The marked elements and all they are in: names and texts come from inside. */
  #readChain(pass: Pass, again: Set<Element>, fresh: Set<Element>, lost: Set<Element>): void {
    const seen = new Set<Element>();
    for (const marked of this.#dirt.chain) {
      for (let at: Element | null = marked; at !== null && !seen.has(at); at = this.flat.composedParent(at)) {
        seen.add(at);
        // A label without "for" is that of the first control in it, which may be another one now.
        if (localName(at) === 'label') this.#relabelled(at, again);
        else this.#dependents(at, again);
        if (!isConnected(at)) continue;
        const listed = this.#entries.has(at);
        if (listed) again.add(at);
        else if (fresh.has(at) || lost.has(at)) continue;
        if (this.#inOpaque(at) || !this.flat.inFlatTree(at)) continue;
        const item = isInteractive(at, this.#inside(at, pass), pass);
        if (item && !listed) fresh.add(at);
        else if (!item && listed) lost.add(at);
      }
    }
  }

  #readReferences(again: Set<Element>): void {
    const dirt = this.#dirt;
    for (const id of dirt.touchedIds) {
      for (const named of this.#ids.get(id) ?? []) again.add(named);
      this.#sharing(`#${escapeIdent(id)}`, again);
    }
    for (const id of dirt.touchedTests) this.#sharing(`[${TEST_ID}=${quote(id)}]`, again);
    for (const label of dirt.labels) this.#relabelled(label, again);
    if (!dirt.ids) return;
    // An id changed hands: whoever is named by way of an id may be named by another.
    for (const named of [...this.#ids.values(), ...this.#sources.values()]) for (const element of named) again.add(element);
    for (const root of this.#rootsOfEntries()) for (const label of queryAll(root, 'label[for]')) this.#relabelled(label, again);
  }

  #relabelled(label: Element, again: Set<Element>): void {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    if (control !== null) again.add(control);
    this.#dependents(label, again);
  }

  #rootsOfEntries(): Set<TreeRoot> {
    const roots = new Set<TreeRoot>([document]);
    if (!this.flat.sawRoots) return roots;
    for (const entry of this.#order) {
      const root = treeRoot(entry.element);
      if (root !== null) roots.add(root);
    }
    return roots;
  }

  // A selector by id is good as long as nobody else has the id.
  #sharing(selector: string, again: Set<Element>): void {
    const found = queryAll(document, selector);
    for (const element of found) if (this.#entries.has(element)) again.add(element);
    if (!this.flat.sawRoots) return;
    for (const entry of this.#order) if (entry.item.selector.endsWith(selector)) again.add(entry.element);
  }

  /** Selectors by position, after siblings came or went. */
  #reselect(changed: Map<string, Changed>, appended: ReadonlySet<Entry>): void {
    let selectors: SelectorCache | undefined;
    for (const entry of this.#order) {
      if (entry.gone || !(entry.positional || this.#dirt.ids)) continue;
      selectors ??= new SelectorCache(true);
      const selector = selectors.selector(entry.element);
      if (selector === entry.item.selector) continue;
      entry.item = { ...entry.item, selector };
      entry.positional = isPositional(selector);
      if (appended.has(entry)) continue;
      const change = changed.get(entry.item.ref) ?? { ref: entry.item.ref };
      change.selector = selector;
      changed.set(entry.item.ref, change);
    }
  }

  // ---- what moved or changed without a trace

  #sweep(pass: Pass, again: Set<Element>, removed: string[]): void {
    if (this.#order.length <= measureAll) {
      for (const entry of this.#order) this.#glance(entry, pass, again, removed);
      return;
    }
    const blocks = Math.ceil(this.#order.length / blockSize);
    const dirtyBlocks = new Set<number>();
    for (const element of again) {
      const entry = this.#entries.get(element);
      if (entry !== undefined) dirtyBlocks.add(Math.floor(entry.at / blockSize));
    }
    for (let turn = 0; turn < blocksInTurn; turn += 1) dirtyBlocks.add((this.#turn + turn) % blocks);
    this.#turn = (this.#turn + blocksInTurn) % blocks;
    for (let block = 0; block < blocks; block += 1) {
      const from = block * blockSize;
      const to = Math.min(this.#order.length, from + blockSize);
      let whole = dirtyBlocks.has(block) && again.size < this.#order.length / 4;
      if (!whole) {
        const first = this.#order[from];
        const last = this.#order[to - 1];
        const moved = first !== undefined && this.#glance(first, pass, again, removed);
        whole = (last !== undefined && this.#glance(last, pass, again, removed)) || moved;
      }
      if (!whole) continue;
      for (let i = from; i < to; i += 1) {
        const entry = this.#order[i];
        if (entry !== undefined) this.#glance(entry, pass, again, removed);
      }
    }
  }

  /** Compare place, visibility and live state alone; true when something differs. */
  #glance(entry: Entry, pass: Pass, again: Set<Element>, removed: string[]): boolean {
    if (entry.gone || again.has(entry.element)) return false;
    const measured = pass.layout.measure(entry.element);
    const { item } = entry;
    if (measured.hidden === 'display' && this.flat.sawRoots && !this.flat.inFlatTree(entry.element)) {
      this.#drop(entry, removed);
      return true;
    }
    const moved =
      (measured.hidden ?? undefined) !== item.hidden ||
      Math.abs(measured.bounds.x + measured.scrolledX - entry.x) > 0.01 ||
      Math.abs(measured.bounds.y + measured.scrolledY - entry.y) > 0.01 ||
      round(measured.bounds.width) !== item.bounds.width ||
      round(measured.bounds.height) !== item.bounds.height;
    if (moved || this.#livesDiffer(entry, pass)) {
      again.add(entry.element);
      return true;
    }
    // Only scrolled: the box in the viewport is kept current without a word.
    const bounds = roundBox(measured);
    if (bounds.x !== item.bounds.x || bounds.y !== item.bounds.y) entry.item = { ...item, bounds };
    return false;
  }

  #livesDiffer(entry: Entry, pass: Pass): boolean {
    const tag = localName(entry.element);
    if (tag !== 'input' && tag !== 'select' && tag !== 'textarea') return false;
    const { item } = entry;
    if (checkedState(entry.element, item.role) !== item.checked) return true;
    if (item.value === undefined || item.value.length >= 200) return false;
    return valueOf(entry.element, tag, item.role, pass) !== item.value;
  }

  #watchHosts(): void {
    for (const host of this.#hosts) {
      if (openShadowRoot(host) === null && isConnected(host)) continue;
      this.#hosts.delete(host);
      if (isConnected(host)) this.#dirt.roots.add(host);
    }
  }

  /** The entry's item for an element in the tree. */
  itemOf(element: Element): UITreeItem | undefined {
    return this.#entries.get(element)?.item;
  }

  /** Elements of the last list, in order. */
  *elements(): Iterable<Element> {
    for (const entry of this.#order) if (!entry.gone) yield entry.element;
  }

  get focused(): Element | null {
    return deepFocus(this.flat);
  }
}

function add<K>(map: Map<K, Set<Element>>, key: K, value: Element): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}
