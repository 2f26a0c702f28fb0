/**
 * Svelte: what a development build writes on its elements, which file and line each is
 * from and (since 5) which components it is in. State lives in closures that no build
 * gives away, and a production build leaves nothing at all: neither is guessed.
 */
import type { Adapter, Component, Details } from './adapter.ts';
import { around, deep, everywhere, isBag, namesAround, text, type Bag } from './look.ts';
import { own } from './peek.ts';

const mark = '__svelte_meta';
const maxDepth = 1000;

/** A use of a component. Svelte 5 makes one object for it; the top of a tree, and Svelte 4, have none. */
interface Use {
  readonly key: object;
  readonly name: string;
  readonly up: Use | null;
  /** Where it is used, if that is known. */
  readonly at: Bag | undefined;
}

// Keys of what Svelte has no object for: by the element, or by the file of a tree's top.
const tops = new Map<string, WeakMap<object, object>>();

function topKey(of: object, file: string): object {
  let known = tops.get(file);
  if (known === undefined) tops.set(file, (known = new WeakMap()));
  let key = known.get(of);
  if (key === undefined) known.set(of, (key = {}));
  return key;
}

function base(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.svelte$/, '');
}

function fileOf(node: Node | null): string | undefined {
  return text(deep(node, mark, 'loc', 'file'));
}

/** The use that an element is of. */
function useOf(element: Element): Use | null {
  const meta = own(element, mark);
  const file = fileOf(element);
  if (!isBag(meta) || file === undefined) return null;
  if (own(meta, 'parent') === undefined) return fourth(element, file);
  return chain(own(meta, 'parent'), element, 0);
}

const uses = new WeakMap<object, Use>();

/** Svelte 5: the components around, from a stack of blocks and components. */
function chain(entry: unknown, element: Element, depth: number): Use {
  let at = entry;
  for (let i = 0; isBag(at) && i < maxDepth; i++, at = own(at, 'parent')) {
    if (own(at, 'type') !== 'component') continue;
    const known = uses.get(at);
    if (known !== undefined) return known;
    const up = depth < maxDepth ? chain(own(at, 'parent'), element, depth + 1) : null;
    const use: Use = { key: at, name: text(own(at, 'componentTag')) ?? 'Anonymous', up, at };
    uses.set(at, use);
    return use;
  }
  // The top: the outermost element that Svelte made, and the file that it is from.
  let outer = element;
  for (let up = around(element); up !== null; up = around(up)) if (up instanceof Element && fileOf(up) !== undefined) outer = up;
  const file = topFile(outer, entry);
  return { key: topKey(around(outer) ?? outer, file), name: base(file), up: null, at: undefined };
}

/** The file of the tree's top: where its outermost component is used, or the element itself is from. */
function topFile(element: Element, entry: unknown): string {
  let file = text(own(entry, 'file'));
  for (let at: unknown = deep(element, mark, 'parent'), i = 0; isBag(at) && i < maxDepth; i++, at = own(at, 'parent')) file = text(own(at, 'file')) ?? file;
  return file ?? fileOf(element) ?? '';
}

/** Svelte 4 says the file alone: a component's elements are those of one file within each other. */
function fourth(element: Element, file: string): Use {
  let outer = element;
  let up = around(element);
  for (; up !== null; up = around(up)) {
    if (fileOf(up) === undefined) continue;
    if (fileOf(up) !== file) break;
    outer = up as Element;
  }
  return { key: topKey(outer, file), name: base(file), up: up instanceof Element ? useOf(up) : null, at: undefined };
}

interface Place {
  readonly use: Use;
  readonly element: Element;
  readonly children: Place[];
}

/** All uses that have elements, in the order of the document. */
function survey(): { all: Map<object, Place>; roots: Place[] } {
  const all = new Map<object, Place>();
  const roots: Place[] = [];
  const place = (use: Use, element: Element): Place => {
    let known = all.get(use.key);
    if (known === undefined) {
      known = { use, element, children: [] };
      all.set(use.key, known);
      (use.up === null ? roots : place(use.up, element).children).push(known);
    }
    return known;
  };
  for (const element of everywhere()) {
    if (!(element instanceof Element)) continue;
    const use = useOf(element);
    if (use !== null) place(use, element);
  }
  return { all, roots };
}

class SvelteComponent implements Component {
  readonly framework = 'svelte';
  readonly #use: Use;
  #place: Place | undefined;

  constructor(use: Use, place?: Place) {
    this.#use = use;
    this.#place = place;
  }

  get key(): object {
    return this.#use.key;
  }

  get name(): string {
    return this.#use.name;
  }

  get #found(): Place | undefined {
    this.#place ??= survey().all.get(this.key);
    return this.#place;
  }

  children(): Iterable<Component> {
    return (this.#found?.children ?? []).map((place) => new SvelteComponent(place.use, place));
  }

  parent(): Component | null {
    return this.#use.up === null ? null : new SvelteComponent(this.#use.up);
  }

  element(): Element | null {
    return this.#found?.element ?? null;
  }

  details(): Details {
    const details: Details = { owners: namesAround(this), build: 'development' };
    const file = fileOf(this.element());
    const { at, name } = this.#use;
    // Its own file is known by an element of its own.
    if (file !== undefined && base(file) === name) details.written = { file };
    const used = text(own(at, 'file'));
    const [line, column] = [own(at, 'line'), own(at, 'column')];
    if (used !== undefined) details.source = { file: used, ...(typeof line === 'number' && { line }), ...(typeof column === 'number' && { column: column + 1 }) };
    return details;
  }
}

export function svelteAdapter(): Adapter {
  return {
    framework: 'svelte',
    *roots() {
      for (const place of survey().roots) yield new SvelteComponent(place.use, place);
    },
    of(element) {
      for (let at: Node | null = element; at !== null; at = around(at)) {
        const use = at instanceof Element ? useOf(at) : null;
        if (use !== null) return new SvelteComponent(use);
      }
      return null;
    },
  };
}
