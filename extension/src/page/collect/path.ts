/** CSS paths of elements, quickly: for telemetry, where one batch names many neighbours. */
import { attr, escapeIdent, isElement, localName, nextElementSibling, parentNode, queryAll, rootOf } from '../dom/primordials.ts';

const maxDepth = 60;

/** Paths made in one go share what they learn; make a new one for each batch. */
export class Paths {
  readonly #paths = new Map<Element, string>();
  readonly #ranks = new Map<Node, Map<Element, number>>();
  readonly #ids = new Map<string, boolean>();

  /** A path unique within the element's root; `host >>> inner` across shadow roots. */
  of(node: Node): string {
    const element = isElement(node) ? node : this.#nearest(node);
    if (element === null) return '';
    const known = this.#paths.get(element);
    if (known !== undefined) return known;
    const made = this.#make(element);
    this.#paths.set(element, made);
    return made;
  }

  #nearest(node: Node): Element | null {
    if (node instanceof ShadowRoot) return node.host;
    const up = parentNode(node);
    if (isElement(up)) return up;
    return up instanceof ShadowRoot ? up.host : null;
  }

  #make(element: Element): string {
    const steps: string[] = [];
    let at: Element = element;
    let anchored = false;
    for (let i = 0; i < maxDepth && !anchored; i++) {
      const id = attr(at, 'id');
      anchored = id !== null && id !== '' && id.length < 100 && this.#unique(at, id);
      steps.unshift(anchored ? `#${escapeIdent(id ?? '')}` : this.#step(at));
      const up = parentNode(at);
      if (!isElement(up)) break;
      at = up;
    }
    const root = rootOf(element);
    const path = steps.join(' > ');
    return root instanceof ShadowRoot ? `${this.of(root.host)} >>> ${path}` : path;
  }

  #unique(element: Element, id: string): boolean {
    const root = rootOf(element);
    if (root !== document) return root instanceof ShadowRoot && queryAll(root, `#${escapeIdent(id)}`).length === 1;
    let unique = this.#ids.get(id);
    if (unique === undefined) {
      unique = queryAll(document, `#${escapeIdent(id)}`).length === 1;
      this.#ids.set(id, unique);
    }
    return unique;
  }

  #step(element: Element): string {
    const name = escapeIdent(localName(element));
    const parent = parentNode(element);
    if (parent === null || name === 'html' || name === 'body' || name === 'head') return name;
    let ranks = this.#ranks.get(parent);
    if (ranks === undefined) {
      ranks = new Map();
      const seen = new Map<string, number>();
      for (let child = firstElement(parent); child !== null; child = nextElementSibling(child)) {
        const kind = localName(child);
        const rank = (seen.get(kind) ?? 0) + 1;
        seen.set(kind, rank);
        ranks.set(child, rank);
      }
      this.#ranks.set(parent, ranks);
    }
    return `${name}:nth-of-type(${ranks.get(element) ?? 1})`;
  }
}

function firstElement(parent: Node): Element | null {
  let child = parent.firstChild;
  while (child !== null && !isElement(child)) child = child.nextSibling;
  return child;
}
