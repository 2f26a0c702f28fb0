// Short selectors that are unique in their root: an id or a test id as the
// anchor, then child steps; `>>>` enters a shadow root.
import { treeRoot } from '../dom/flat.ts';
import {
  attr,
  bodyOf,
  documentElement,
  escapeIdent,
  firstElementChild,
  hasAttrs,
  isElement,
  localName,
  nextElementSibling,
  parentNode,
  previousElementSibling,
  queryAll,
  type TreeRoot,
} from '../dom/primordials.ts';

const plainName = /^[a-z][a-z0-9-]*$/;
const plainIdent = /^[A-Za-z_][\w-]*$/;

export const TEST_ID = 'data-testid';

// Paths with more steps than this are cut from the front where that leaves them unique.
const deep = 24;

interface Numbers {
  readonly index: Map<Element, number>;
  readonly totals: Map<string, number>;
}

export class SelectorCache {
  readonly #bulk: boolean;
  readonly #paths = new Map<Element, string>();
  readonly #numbers = new Map<Node, Numbers>();
  readonly #ids = new Map<TreeRoot, Map<string, number>>();
  readonly #tests = new Map<TreeRoot, Map<string, number>>();

  constructor(bulk: boolean) {
    this.#bulk = bulk;
  }

  selector(element: Element): string {
    const root = treeRoot(element);
    if (root === null) return '';
    const local = this.#local(element, root);
    return root instanceof ShadowRoot ? `${this.selector(root.host)} >>> ${local}` : local;
  }

  #local(element: Element, root: TreeRoot): string {
    const steps: Element[] = [];
    let path: string | undefined;
    for (let at: Node | null = element; at !== null && isElement(at); at = parentNode(at)) {
      path = this.#paths.get(at) ?? this.#anchor(at, root);
      if (path !== undefined) {
        this.#paths.set(at, path);
        break;
      }
      steps.push(at);
    }
    if (steps.length > deep) {
      const short = this.#tail(steps, root);
      if (short !== null) {
        this.#paths.set(element, short);
        return short;
      }
    }
    for (let i = steps.length - 1; i >= 0; i -= 1) {
      const at = steps[i];
      if (at === undefined) continue;
      const step = this.#step(at);
      // The first step inside a shadow root must be a child of the root itself.
      path = path === undefined ? `:host > ${step}` : `${path} > ${step}`;
      this.#paths.set(at, path);
    }
    return path ?? '';
  }

  // Deep down, the last steps alone are often unique.
  #tail(steps: readonly Element[], root: TreeRoot): string | null {
    let path = '';
    for (const [i, element] of steps.entries()) {
      if (i >= deep) return null;
      path = path === '' ? this.#step(element) : `${this.#step(element)} > ${path}`;
      if (i % 4 === 3 && queryAll(root, path).length === 1) return path;
    }
    return null;
  }

  #anchor(element: Element, root: TreeRoot): string | undefined {
    if (hasAttrs(element)) {
      const id = attr(element, 'id');
      if (id !== null && id !== '' && this.#unique(root, 'id', id)) return plainIdent.test(id) ? `#${id}` : `#${escapeIdent(id)}`;
      const test = attr(element, TEST_ID);
      if (test !== null && test !== '' && this.#unique(root, TEST_ID, test)) return `[${TEST_ID}=${quote(test)}]`;
    }
    if (root !== document) return undefined;
    if (element === documentElement(document)) return 'html';
    return element === bodyOf(document) ? 'body' : undefined;
  }

  #unique(root: TreeRoot, name: string, value: string): boolean {
    if (!this.#bulk) return queryAll(root, name === 'id' ? `#${escapeIdent(value)}` : `[${name}=${quote(value)}]`).length === 1;
    const byRoot = name === 'id' ? this.#ids : this.#tests;
    let counts = byRoot.get(root);
    if (counts === undefined) {
      counts = new Map();
      for (const element of queryAll(root, `[${name}]`)) {
        const found = key(name, attr(element, name) ?? '');
        counts.set(found, (counts.get(found) ?? 0) + 1);
      }
      byRoot.set(root, counts);
    }
    return counts.get(key(name, value)) === 1;
  }

  #step(element: Element): string {
    const name = localName(element);
    const tag = plainName.test(name) ? name : escapeIdent(name);
    const up = parentNode(element);
    if (up === null) return tag;
    const [index, total] = this.#bulk ? this.#numbered(element, name, up) : countSiblings(element, name);
    return total > 1 ? `${tag}:nth-of-type(${index})` : tag;
  }

  #numbered(element: Element, name: string, up: Node): [number, number] {
    let numbers = this.#numbers.get(up);
    if (numbers === undefined) {
      numbers = { index: new Map(), totals: new Map() };
      const first = isElement(up) ? firstElementChild(up) : (up as ShadowRoot).firstElementChild;
      for (let child = first; child !== null; child = nextElementSibling(child)) {
        const of = localName(child);
        const next = (numbers.totals.get(of) ?? 0) + 1;
        numbers.totals.set(of, next);
        numbers.index.set(child, next);
      }
      this.#numbers.set(up, numbers);
    }
    return [numbers.index.get(element) ?? 1, numbers.totals.get(name) ?? 1];
  }
}

// Ids match without regard to case in quirks mode.
const quirks = document.compatMode === 'BackCompat';

function key(name: string, value: string): string {
  return quirks && name === 'id' ? value.toLowerCase() : value;
}

function countSiblings(element: Element, name: string): [number, number] {
  let index = 1;
  for (let at = previousElementSibling(element); at !== null; at = previousElementSibling(at)) {
    if (localName(at) === name) index += 1;
  }
  let total = index;
  for (let at = nextElementSibling(element); at !== null && total < 2; at = nextElementSibling(at)) {
    if (localName(at) === name) total += 1;
  }
  return [index, total];
}

export function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&').replace(/[\n\r\f\0]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `)}"`;
}

/** A selector that rests on positions of siblings: it changes when they do. */
export function isPositional(selector: string): boolean {
  return selector.includes(' > ');
}
