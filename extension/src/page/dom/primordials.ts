// The DOM operations that run on elements of the page, taken from the
// prototypes when this module loads. Two reasons: in the SDK the page may patch
// a prototype later, and in every world a form or document can hide its own
// members behind a field's name (`<input name="parentNode">`).

type Getter<T, V> = (self: T) => V;

// bind itself, bound to call: bindCall(method) is call.bind(method).
const bindCall = Reflect.apply(Function.prototype.bind, Function.prototype.bind, [Function.prototype.call]) as (
  method: unknown,
) => unknown;

/** Make a function that takes `this` as its first argument. */
function uncurry<A extends readonly unknown[], R>(method: unknown): (...args: A) => R {
  return bindCall(method) as (...args: A) => R;
}

function getter<T, V>(prototype: object, name: string): Getter<T, V> {
  const found = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return uncurry<[T], V>(found);
}

const node = Node.prototype;
const element = Element.prototype;

export const parentNode: Getter<Node, Node | null> = getter(node, 'parentNode');
export const parentElement: Getter<Node, Element | null> = getter(node, 'parentElement');
export const isConnected: Getter<Node, boolean> = getter(node, 'isConnected');
export const nodeType: Getter<Node, number> = getter(node, 'nodeType');
export const firstChild: Getter<Node, ChildNode | null> = getter(node, 'firstChild');
export const nextSibling: Getter<Node, ChildNode | null> = getter(node, 'nextSibling');
export const textContent: Getter<Node, string | null> = getter(node, 'textContent');
export const rootOf = uncurry<[Node], Node>(node.getRootNode);
export const contains = uncurry<[Node, Node | null], boolean>(node.contains);
export const comparePosition = uncurry<[Node, Node], number>(node.compareDocumentPosition);

export const localName: Getter<Element, string> = getter(element, 'localName');
export const namespaceURI: Getter<Element, string | null> = getter(element, 'namespaceURI');
export const firstElementChild: Getter<Element, Element | null> = getter(element, 'firstElementChild');
export const lastElementChild: Getter<Element, Element | null> = getter(element, 'lastElementChild');
export const nextElementSibling: Getter<Element, Element | null> = getter(element, 'nextElementSibling');
export const previousElementSibling: Getter<Element, Element | null> = getter(element, 'previousElementSibling');
export const openShadowRoot: Getter<Element, ShadowRoot | null> = getter(element, 'shadowRoot');
export const assignedSlot: Getter<Element, HTMLSlotElement | null> = getter(element, 'assignedSlot');
export const clientWidth: Getter<Element, number> = getter(element, 'clientWidth');
export const clientHeight: Getter<Element, number> = getter(element, 'clientHeight');
export const clientLeft: Getter<Element, number> = getter(element, 'clientLeft');
export const clientTop: Getter<Element, number> = getter(element, 'clientTop');
export const scrollLeft: Getter<Element, number> = getter(element, 'scrollLeft');
export const scrollTop: Getter<Element, number> = getter(element, 'scrollTop');
export const attr = uncurry<[Element, string], string | null>(element.getAttribute);
export const hasAttr = uncurry<[Element, string], boolean>(element.hasAttribute);
export const hasAttrs = uncurry<[Element], boolean>(element.hasAttributes);
export const attrNames = uncurry<[Element], string[]>(element.getAttributeNames);
export const matches = uncurry<[Element, string], boolean>(element.matches);
export const closest = uncurry<[Element, string], Element | null>(element.closest);
export const rectOf = uncurry<[Element], DOMRect>(element.getBoundingClientRect);
export const clientRects = uncurry<[Element], DOMRectList>(element.getClientRects);
export const scrollIntoView = uncurry<[Element, ScrollIntoViewOptions], void>(element.scrollIntoView);
export const checkVisibility = uncurry<[Element, CheckVisibilityOptions?], boolean>(element.checkVisibility);
export const innerText: Getter<HTMLElement, string> = getter(HTMLElement.prototype, 'innerText');
export const isContentEditable: Getter<HTMLElement, boolean> = getter(HTMLElement.prototype, 'isContentEditable');
export const htmlTabIndex: Getter<HTMLElement, number> = getter(HTMLElement.prototype, 'tabIndex');
export const htmlOnclick: Getter<HTMLElement, unknown> = getter(HTMLElement.prototype, 'onclick');

export const inputValue: Getter<HTMLInputElement, string> = getter(HTMLInputElement.prototype, 'value');
export const inputType: Getter<HTMLInputElement, string> = getter(HTMLInputElement.prototype, 'type');
export const inputChecked: Getter<HTMLInputElement, boolean> = getter(HTMLInputElement.prototype, 'checked');
export const inputIndeterminate: Getter<HTMLInputElement, boolean> = getter(HTMLInputElement.prototype, 'indeterminate');
export const textareaValue: Getter<HTMLTextAreaElement, string> = getter(HTMLTextAreaElement.prototype, 'value');
export const selectValue: Getter<HTMLSelectElement, string> = getter(HTMLSelectElement.prototype, 'value');
export const selectedOptions: Getter<HTMLSelectElement, HTMLCollectionOf<HTMLOptionElement>> = getter(
  HTMLSelectElement.prototype,
  'selectedOptions',
);

const documentAll = uncurry<[Document, string], NodeListOf<Element>>(Document.prototype.querySelectorAll);
const fragmentAll = uncurry<[DocumentFragment, string], NodeListOf<Element>>(DocumentFragment.prototype.querySelectorAll);
const elementAll = uncurry<[Element, string], NodeListOf<Element>>(element.querySelectorAll);
const elementFirst = uncurry<[Element, string], Element | null>(element.querySelector);
const documentById = uncurry<[Document, string], Element | null>(Document.prototype.getElementById);
const fragmentById = uncurry<[DocumentFragment, string], Element | null>(DocumentFragment.prototype.getElementById);

/** A document or a shadow root: what selectors and ids are looked up in. */
export type TreeRoot = Document | ShadowRoot;

export function isTreeRoot(value: Node): value is TreeRoot {
  const type = nodeType(value);
  return type === Node.DOCUMENT_NODE || (type === Node.DOCUMENT_FRAGMENT_NODE && value instanceof ShadowRoot);
}

export function isElement(value: Node | null): value is Element {
  return value !== null && nodeType(value) === Node.ELEMENT_NODE;
}

export function queryAll(root: TreeRoot | Element, selector: string): NodeListOf<Element> {
  switch (nodeType(root)) {
    case Node.DOCUMENT_NODE:
      return documentAll(root as Document, selector);
    case Node.DOCUMENT_FRAGMENT_NODE:
      return fragmentAll(root as ShadowRoot, selector);
    default:
      return elementAll(root as Element, selector);
  }
}

export function queryFirst(root: Element, selector: string): Element | null {
  return elementFirst(root, selector);
}

export function byId(root: TreeRoot, id: string): Element | null {
  return nodeType(root) === Node.DOCUMENT_NODE
    ? documentById(root as Document, id)
    : fragmentById(root as ShadowRoot, id);
}

export const documentElement: Getter<Document, Element | null> = getter(Document.prototype, 'documentElement');
export const bodyOf: Getter<Document, HTMLElement | null> = getter(Document.prototype, 'body');
const documentActive: Getter<Document, Element | null> = getter(Document.prototype, 'activeElement');
const shadowActive: Getter<ShadowRoot, Element | null> = getter(ShadowRoot.prototype, 'activeElement');
const documentPoint = uncurry<[Document, number, number], Element | null>(Document.prototype.elementFromPoint);
const shadowPoint = uncurry<[ShadowRoot, number, number], Element | null>(ShadowRoot.prototype.elementFromPoint);
const documentSheets: Getter<Document, StyleSheetList> = getter(Document.prototype, 'styleSheets');
const documentAdopted: Getter<Document, readonly CSSStyleSheet[]> = getter(Document.prototype, 'adoptedStyleSheets');

export function activeElement(root: TreeRoot): Element | null {
  return nodeType(root) === Node.DOCUMENT_NODE ? documentActive(root as Document) : shadowActive(root as ShadowRoot);
}

export function elementAt(root: TreeRoot, x: number, y: number): Element | null {
  return nodeType(root) === Node.DOCUMENT_NODE ? documentPoint(root as Document, x, y) : shadowPoint(root as ShadowRoot, x, y);
}

/** Whether any author style sheet applies to the document itself. */
export function hasSheets(root: Document): boolean {
  return documentSheets(root).length > 0 || documentAdopted(root).length > 0;
}

export const styleOf = getComputedStyle.bind(window);
export const nextFrame = requestAnimationFrame.bind(window);
export const cancelFrame = cancelAnimationFrame.bind(window);
export const startTimer = setTimeout.bind(window) as (run: () => void, ms: number) => number;
export const stopTimer = clearTimeout.bind(window) as (id: number) => void;
export const escapeIdent = CSS.escape.bind(CSS);

export const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
