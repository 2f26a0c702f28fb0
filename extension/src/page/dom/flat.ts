// The flat tree: what is rendered, through shadow roots and slots.
import { isOwn } from './own.ts';
import {
  assignedSlot,
  firstChild,
  HTML_NAMESPACE,
  isElement,
  isTreeRoot,
  lastElementChild,
  localName,
  namespaceURI,
  nextSibling,
  openShadowRoot,
  parentNode,
  previousElementSibling,
  rootOf,
  type TreeRoot,
} from './primordials.ts';

/** Opens a closed shadow root where the channel can (chrome.dom in the extension). */
export type OpenClosedRoot = (element: Element) => ShadowRoot | null;

// Only these (and custom elements) can carry an author's shadow root; asking
// the others could hand out the browser's own, say that of an <input>.
const hosts = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

export class FlatTree {
  readonly #openClosed: OpenClosedRoot | undefined;
  // assignedSlot is null inside closed roots: remembered when a walk passes the slot.
  readonly #closedSlots = new WeakMap<Element, WeakRef<HTMLSlotElement>>();
  readonly #seen = new WeakSet<ShadowRoot>();
  /** The whole document was walked: where no root was met, there are no slots to ask for. */
  surveyed = false;
  /** Whether any shadow root was met yet. */
  sawRoots = false;
  #onRoot: ((root: ShadowRoot) => void) | undefined;

  constructor(openClosed?: OpenClosedRoot) {
    this.#openClosed = openClosed;
  }

  /** Called once for every shadow root that a walk meets. */
  set onRoot(report: ((root: ShadowRoot) => void) | undefined) {
    this.#onRoot = report;
  }

  shadowRoot(element: Element): ShadowRoot | null {
    const open = openShadowRoot(element);
    const root = open ?? this.#closedRoot(element);
    if (root !== null && !this.#seen.has(root)) {
      this.#seen.add(root);
      this.sawRoots = true;
      this.#onRoot?.(root);
    }
    return root;
  }

  #closedRoot(element: Element): ShadowRoot | null {
    if (this.#openClosed === undefined || namespaceURI(element) !== HTML_NAMESPACE) return null;
    const name = localName(element);
    if (!hosts.has(name) && !name.includes('-')) return null;
    return this.#openClosed(element);
  }

  /** Parent in the flat tree; null at the top and for a host's child that no slot shows. */
  parent(element: Element): Element | null {
    const up = parentNode(element);
    if (up === null) return null;
    if (!isElement(up)) return up instanceof ShadowRoot ? up.host : null;
    if (this.surveyed && !this.sawRoots) return up;
    const root = this.shadowRoot(up);
    if (root === null) return up;
    const slot = assignedSlot(element) ?? this.#closedSlots.get(element)?.deref() ?? null;
    if (slot !== null && rootOf(slot) === root && slot.assignedElements().includes(element)) return slot;
    return this.#findSlot(root, element);
  }

  #findSlot(root: ShadowRoot, element: Element): HTMLSlotElement | null {
    for (const slot of root.querySelectorAll('slot')) {
      if (slot.assignedElements().includes(element)) {
        this.#closedSlots.set(element, new WeakRef(slot));
        return slot;
      }
    }
    return null;
  }

  /** Whether the element is part of what is rendered (whatever its style). */
  inFlatTree(element: Element): boolean {
    let top = element;
    for (let up = this.parent(top); up !== null; up = this.parent(up)) top = up;
    const root = parentNode(top);
    return root !== null && nodeIsDocument(root);
  }

  /** Composed ancestor test: is `inner` the same as or inside `outer`? */
  composedContains(outer: Element, inner: Element): boolean {
    for (let at: Element | null = inner; at !== null; at = this.composedParent(at)) {
      if (at === outer) return true;
    }
    return false;
  }

  /** Parent element in the composed tree (shadow root → host), slots ignored. */
  composedParent(element: Element): Element | null {
    const up = parentNode(element);
    if (up === null) return null;
    if (isElement(up)) return up;
    return up instanceof ShadowRoot ? up.host : null;
  }

  /**
   * Visit the elements of the flat tree below and with `start` in order. What
   * `visit` returns is handed to the visits of the children; null leaves them
   * out. No recursion: the page decides the depth.
   */
  walk<T>(start: Element, inherited: T, visit: (element: Element, inherited: T) => T | null): void {
    const stack: Element[] = [start];
    const state: T[] = [inherited];
    for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
      if (isOwn(element)) {
        state.pop();
        continue;
      }
      const root = this.shadowRoot(element);
      const passed = visit(element, state.pop() as T);
      if (passed === null) continue;
      const before = stack.length;
      this.#pushChildren(element, root, stack);
      for (let i = before; i < stack.length; i += 1) state.push(passed);
    }
  }

  #pushChildren(element: Element, root: ShadowRoot | null, stack: Element[]): void {
    if (root !== null) {
      for (let child = root.lastElementChild; child !== null; child = previousElementSibling(child)) stack.push(child);
      return;
    }
    if (localName(element) === 'slot' && element instanceof HTMLSlotElement && isShadow(rootOf(element))) {
      const assigned = element.assignedElements();
      // Text alone can be assigned too: then the fallback content is not shown.
      if (assigned.length > 0 || element.assignedNodes().length > 0) {
        for (let i = assigned.length - 1; i >= 0; i -= 1) {
          const child = assigned[i];
          if (child === undefined) continue;
          this.#closedSlots.set(child, new WeakRef(element));
          stack.push(child);
        }
        return;
      }
    }
    for (let child = lastElementChild(element); child !== null; child = previousElementSibling(child)) stack.push(child);
  }

  /** Child nodes (text too) in the flat tree. */
  childNodes(element: Element): Node[] {
    const root = this.shadowRoot(element);
    if (root !== null) return [...root.childNodes];
    if (element instanceof HTMLSlotElement && isShadow(rootOf(element))) {
      const assigned = element.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    return nodesOf(element);
  }
}

function nodesOf(element: Element): Node[] {
  const nodes: Node[] = [];
  for (let child = firstChild(element); child !== null; child = nextSibling(child)) if (!isOwn(child)) nodes.push(child);
  return nodes;
}

function isShadow(value: Node): boolean {
  return value instanceof ShadowRoot;
}

function nodeIsDocument(value: Node): boolean {
  return isTreeRoot(value) && !isShadow(value);
}

/** The document or shadow root that holds the element, null when it is detached. */
export function treeRoot(element: Element): TreeRoot | null {
  const root = rootOf(element);
  return isTreeRoot(root) ? root : null;
}
