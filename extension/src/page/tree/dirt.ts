// What mutations and events make worth another look, kept small until the next diff.
import { attr, isElement, localName, nodeType, parentNode, queryAll, rootOf } from '../dom/primordials.ts';
import { TEST_ID } from './selector.ts';

// Attributes that say something about their own element only. Any other may be
// what a style sheet selects by, so that everything inside is looked at again.
const own = new Set(
  (
    'value checked href src srcset alt title placeholder type name autocomplete required readonly min max step maxlength ' +
    'accept target download rel data-testid aria-label aria-labelledby aria-describedby aria-checked aria-pressed aria-expanded ' +
    'aria-selected aria-valuenow aria-valuetext aria-valuemin aria-valuemax aria-haspopup aria-current aria-invalid ' +
    'aria-roledescription aria-owns aria-controls aria-activedescendant aria-live aria-busy aria-atomic aria-level ' +
    'aria-posinset aria-setsize onclick tabindex id for'
  ).split(' '),
);

const maxMarks = 2000;

export class Dirt {
  /** Everything has to be read again. */
  all = false;
  /** Elements were added, removed or renumbered: selectors by position may be others. */
  structure = false;
  /** An id or test id changed hands in a way that is not known in detail. */
  ids = false;
  readonly roots = new Set<Element>();
  readonly chain = new Set<Element>();
  /** Elements that left, with all that was in them. */
  readonly removed = new Set<Element>();
  readonly touchedIds = new Set<string>();
  readonly touchedTests = new Set<string>();
  /** Labels whose control may be called differently now. */
  readonly labels = new Set<Element>();

  get clean(): boolean {
    return !this.all && this.roots.size === 0 && this.chain.size === 0 && this.removed.size === 0 && !this.structure;
  }

  reset(): void {
    this.all = false;
    this.structure = false;
    this.ids = false;
    this.roots.clear();
    this.chain.clear();
    this.removed.clear();
    this.touchedIds.clear();
    this.touchedTests.clear();
    this.labels.clear();
  }

  observe(records: readonly MutationRecord[]): void {
    if (this.all) return;
    for (const record of records) {
      const target = elementOf(record.target);
      if (target === null) {
        // A shadow root's own children: the host is looked at.
        const host = record.target instanceof ShadowRoot ? record.target.host : null;
        if (host === null) this.all = true;
        else if (record.type === 'childList') this.#children(record, host, host);
        continue;
      }
      if (record.type === 'characterData') this.chain.add(target);
      else if (record.type === 'attributes') this.#attribute(target, record.attributeName ?? '');
      else this.#children(record, target, null);
      if (this.roots.size > maxMarks || this.chain.size > maxMarks || this.removed.size > maxMarks) {
        this.all = true;
        return;
      }
    }
  }

  #attribute(target: Element, name: string): void {
    const tag = localName(target);
    if (name === 'id' || name === TEST_ID) {
      this.ids = true;
      this.structure = true;
    }
    if (tag === 'label') this.labels.add(target);
    if (name === 'media' || tag === 'style' || tag === 'link') this.all = true;
    else if (tag === 'slot' || name === 'slot') this.roots.add(hostAround(target, name === 'slot') ?? target);
    else if (own.has(name)) this.chain.add(target);
    else {
      this.roots.add(target);
      this.chain.add(target);
    }
  }

  #children(record: MutationRecord, target: Element, host: Element | null): void {
    if (localName(target) === 'style') {
      this.all = true;
      return;
    }
    this.chain.add(target);
    for (const node of record.addedNodes) {
      if (!isElement(node)) continue;
      this.structure = true;
      if (isSheet(node)) this.all = true;
      this.roots.add(host ?? node);
      this.#slots(node, host ?? target);
      this.#ids(node);
    }
    for (const node of record.removedNodes) {
      if (!isElement(node)) continue;
      this.structure = true;
      if (isSheet(node)) this.all = true;
      this.removed.add(node);
      this.#slots(node, host ?? target);
      this.#ids(node);
    }
  }

  // A slot that came or went shows or hides children of the host.
  #slots(node: Element, around: Element): void {
    if (localName(node) !== 'slot' && queryAll(node, 'slot').length === 0) return;
    const host = hostAround(around, false) ?? around;
    this.roots.add(host);
  }

  #ids(node: Element): void {
    this.#idsOf(node);
    for (const inner of queryAll(node, `[id],[${TEST_ID}],label,style,link`)) {
      if (isSheet(inner)) this.all = true;
      this.#idsOf(inner);
    }
  }

  #idsOf(element: Element): void {
    const id = attr(element, 'id');
    if (id !== null && id !== '') this.touchedIds.add(id);
    const test = attr(element, TEST_ID);
    if (test !== null && test !== '') this.touchedTests.add(test);
    if (localName(element) === 'label') this.labels.add(element);
  }
}

function isSheet(element: Element): boolean {
  const name = localName(element);
  return name === 'style' || (name === 'link' && (attr(element, 'rel') ?? '').includes('stylesheet'));
}

function elementOf(node: Node): Element | null {
  if (isElement(node)) return node;
  if (nodeType(node) === Node.DOCUMENT_NODE || node instanceof ShadowRoot) return null;
  const up = parentNode(node);
  return up !== null && isElement(up) ? up : up instanceof ShadowRoot ? up.host : null;
}

function hostAround(element: Element, ofChild: boolean): Element | null {
  if (ofChild) {
    const up = parentNode(element);
    return up !== null && isElement(up) ? up : null;
  }
  const root = rootOf(element);
  return root instanceof ShadowRoot ? root.host : null;
}
