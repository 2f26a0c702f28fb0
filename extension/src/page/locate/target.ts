// From the words of a target to one element, or a fault that helps to choose.
import { treeRoot } from '../dom/flat.ts';
import {
  byId,
  closest,
  comparePosition,
  firstChild,
  isConnected,
  localName,
  nextSibling,
  nodeType,
  parentNode,
  queryAll,
  textContent,
  type TreeRoot,
} from '../dom/primordials.ts';
import { fold, MAX_TEXT } from '../dom/text.ts';
import { BridgeFault } from '../fault.ts';
import { isInteractive, opaque } from '../tree/interactive.ts';
import type { Pass } from '../tree/pass.ts';
import { quote, TEST_ID } from '../tree/selector.ts';
import type { UITree } from '../tree/uitree.ts';
import { candidate, maxCandidates, nearest, type Candidate } from './candidates.ts';
import { resolveRef } from './stale.ts';

/** How a command names an element; see Target of the protocol. */
export interface Target {
  ref?: string | undefined;
  stableId?: string | undefined;
  id?: string | undefined;
  selector?: string | undefined;
  text?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
}

/**
 * The one element that the target names. The first kind of key that is given
 * and matches decides; keys are tried in the order ref, data-testid, id,
 * selector, role and name, text. A ref that is given decides alone.
 */
export function resolve(target: Target, tree: UITree): Element {
  const pass = tree.pass();
  if (target.ref !== undefined && target.ref !== '') return resolveRef(target.ref, tree, pass);
  const keys = [target.stableId, target.id].filter((key) => key !== undefined && key !== '');
  const searches: (() => Element[])[] = [];
  for (const key of keys) {
    searches.push(() => everywhere(pass, (root) => queryAll(root, `[${TEST_ID}=${quote(key ?? '')}]`)));
    searches.push(() => everywhere(pass, (root) => idMatches(root, key ?? '')));
    searches.push(() => generated(tree, key ?? ''));
  }
  const { selector, role, name, text } = target;
  if (selector !== undefined && selector !== '') searches.push(() => bySelector(selector, pass));
  if (role !== undefined && role !== '') searches.push(() => byRole(role, name, pass));
  else if (name !== undefined && name !== '') searches.push(() => byName(name, pass));
  if (text !== undefined && text !== '') searches.push(() => byText(text, pass));
  if (searches.length === 0) {
    throw new BridgeFault('VALIDATION_ERROR', 'The target names nothing: give ref, stableId, selector, role and name, or text.');
  }
  for (const search of searches) {
    const found = search();
    const [only] = found;
    if (only === undefined) continue;
    if (found.length === 1) return only;
    throw ambiguous(found, tree, pass);
  }
  const candidates = nearest(target, tree, pass);
  throw new BridgeFault('ELEMENT_NOT_FOUND', 'No element matches the target.', { target: given(target), candidates });
}

function given(target: Target): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [key, value] of Object.entries(target)) if (typeof value === 'string') out[key] = fold(value).slice(0, 200).toWellFormed();
  return out;
}

function ambiguous(found: readonly Element[], tree: UITree, pass: Pass): BridgeFault {
  const candidates: Candidate[] = found.slice(0, maxCandidates).map((element) => candidate(element, tree, pass));
  return new BridgeFault('TARGET_AMBIGUOUS', `${found.length} elements match the target.`, { matches: found.length, candidates });
}

/** Search the document and every shadow root that is open to us. */
export function everywhere(pass: Pass, search: (root: TreeRoot) => Iterable<Element>): Element[] {
  const found = new Set<Element>(search(document));
  for (const root of shadowRoots(pass)) for (const element of search(root)) found.add(element);
  return [...found];
}

const rootsOfPass = new WeakMap<Pass, ShadowRoot[]>();

function shadowRoots(pass: Pass): ShadowRoot[] {
  const known = rootsOfPass.get(pass);
  if (known !== undefined) return known;
  const roots: ShadowRoot[] = [];
  rootsOfPass.set(pass, roots);
  const top = pass.root;
  if (top === null) return roots; // the document is only beginning
  pass.flat.walk<true>(top, true, (element) => {
    const root = pass.flat.shadowRoot(element);
    if (root !== null) roots.push(root);
    return opaque.has(localName(element)) && root === null ? null : true;
  });
  return roots;
}

function idMatches(root: TreeRoot, id: string): Iterable<Element> {
  return byId(root, id) === null ? [] : queryAll(root, `[id=${quote(id)}]`);
}

function generated(tree: UITree, id: string): Element[] {
  const element = tree.stable.find(id);
  return element !== null && isConnected(element) ? [element] : [];
}

/** `>>>` enters the shadow root of what is left of it; without it every root is searched. */
export function bySelector(selector: string, pass: Pass): Element[] {
  try {
    const parts = selector.split('>>>').map((part) => part.trim());
    const first = parts[0] ?? '';
    if (parts.length === 1) {
      const own = [...queryAll(document, first)];
      return own.length > 0 ? own : everywhere(pass, (root) => queryAll(root, first));
    }
    let roots: TreeRoot[] = [document];
    let found: Element[] = [];
    for (const [index, part] of parts.entries()) {
      found = roots.flatMap((root) => [...inRoot(root, part)]);
      if (index < parts.length - 1) roots = found.map((host) => pass.flat.shadowRoot(host)).filter((root) => root !== null);
    }
    return [...new Set(found)];
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new BridgeFault('VALIDATION_ERROR', 'The selector is not valid CSS.', { selector: selector.slice(0, 200).toWellFormed() });
  }
}

// `:host > x` is how our selectors begin inside a shadow root: a child of the root itself.
function inRoot(root: TreeRoot, selector: string): Iterable<Element> {
  if (!selector.startsWith(':host > ') || !(root instanceof ShadowRoot)) return queryAll(root, selector);
  const path = selector.slice(':host > '.length);
  const steps = path.split(' > ').length;
  return [...queryAll(root, path)].filter((element) => {
    let top: Node | null = element;
    for (let i = 0; i < steps; i += 1) top = top === null ? null : parentNode(top);
    return top === root;
  });
}

function elementsOf(pass: Pass): Element[] {
  const found: Element[] = [];
  if (pass.root === null) return found;
  pass.flat.walk<true>(pass.root, true, (element) => {
    found.push(element);
    return opaque.has(localName(element)) ? null : true;
  });
  return found;
}

function shownFirst(found: Element[], pass: Pass): Element[] {
  if (found.length < 2) return found;
  const shown = found.filter((element) => pass.layout.measure(element).hidden === null);
  return shown.length > 0 ? shown : found;
}

function byRole(role: string, name: string | undefined, pass: Pass): Element[] {
  const wanted = role.trim().toLowerCase() === 'presentation' ? 'none' : role.trim().toLowerCase();
  const named = elementsOf(pass).filter((element) => pass.roles.role(element) === wanted);
  if (name === undefined) return shownFirst(named, pass);
  return shownFirst(matching(named, name, (element) => pass.names.describe(element).name), pass);
}

// A name without a role: among what can be operated.
function byName(name: string, pass: Pass): Element[] {
  const items = elementsOf(pass).filter((element) => isInteractive(element, false, pass));
  return shownFirst(matching(items, name, (element) => pass.names.describe(element).name), pass);
}

/** Exact after folding white space; only when that finds nothing, without regard to case. */
function matching(elements: readonly Element[], wanted: string, read: (element: Element) => string): Element[] {
  const exact = fold(wanted).toWellFormed();
  const found = elements.filter((element) => sameText(read(element), exact));
  if (found.length > 0) return found;
  const lower = exact.toLowerCase();
  return elements.filter((element) => sameText(read(element).toLowerCase(), lower));
}

/** The innermost elements that read like this, or what they are part of that can be operated. */
function byText(text: string, pass: Pass): Element[] {
  const wanted = fold(text).toWellFormed();
  const lower = wanted.toLowerCase();
  const exact = new Set<Element>();
  const folded = new Set<Element>();
  for (const element of elementsOf(pass)) {
    if (opaque.has(localName(element)) || !startsHere(element, lower, pass)) continue;
    // From where the text begins, outwards until an element reads like it or says more.
    let at: Element | null = element;
    for (let level = 0; at !== null && level < maxClimb; level += 1) {
      const reads = readable(at, pass);
      if (sameText(reads, wanted)) exact.add(at);
      if (sameText(reads.toLowerCase(), lower)) {
        folded.add(at);
        break;
      }
      if (reads.length > wanted.length) break;
      at = pass.flat.parent(at);
    }
  }
  const found = [...(exact.size > 0 ? exact : folded)];
  const pick = (elements: readonly Element[]): Element[] => [...new Set(elements.map((element) => operable(element, pass)))];
  const shown = found.filter((element) => pass.layout.measure(element).hidden === null);
  return inOrder(pick(shown.length > 0 ? shown : found));
}

// Levels of inline markup that a text may be spread over.
const maxClimb = 30;

/** Equal, as far as the cut of what is read allows to say. */
function sameText(reads: string, wanted: string): boolean {
  return reads === wanted || (wanted.length > MAX_TEXT && reads.endsWith('…') && wanted.startsWith(reads.slice(0, -1)));
}

/** Whether the wanted text could begin in one of the element's own texts. */
function startsHere(element: Element, lower: string, pass: Pass): boolean {
  if (localName(element) === 'input') return pass.roles.role(element) === 'button';
  for (let node = firstChild(element); node !== null; node = nextSibling(node)) {
    if (nodeType(node) !== Node.TEXT_NODE) continue;
    const data = textContent(node) ?? '';
    if (data.length > lower.length * 4 + 1000) continue;
    const own = fold(data).toWellFormed().toLowerCase();
    if (own !== '' && lower.startsWith(own)) return true;
  }
  return false;
}

function readable(element: Element, pass: Pass): string {
  const name = localName(element);
  // What a button made of an input shows is its value.
  if (name === 'input') return pass.roles.role(element) === 'button' ? pass.names.describe(element).name : '';
  return pass.names.visibleText(element);
}

function operable(element: Element, pass: Pass): Element {
  const label = closest(element, 'label');
  for (let at: Element | null = element; at !== null; at = pass.flat.parent(at)) {
    if (isInteractive(at, false, pass)) return at;
    if (at === label && label instanceof HTMLLabelElement && label.control !== null) return label.control;
  }
  return element;
}

function inOrder(elements: Element[]): Element[] {
  return elements.sort((a, b) => {
    if (a === b || treeRoot(a) !== treeRoot(b)) return 0;
    return comparePosition(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  });
}
