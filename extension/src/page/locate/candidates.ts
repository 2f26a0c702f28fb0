// Candidates for faults: what an agent may have meant.
import { localName } from '../dom/primordials.ts';
import { isInteractive, opaque } from '../tree/interactive.ts';
import type { Pass } from '../tree/pass.ts';
import type { Look } from '../tree/refs.ts';
import type { UITree } from '../tree/uitree.ts';
import type { Target } from './target.ts';

/** Candidates that an ambiguous target lists. */
export const maxCandidates = 10;
const maxNearest = 5;
// Similarity is not worked out for more elements than these.
const maxCompared = 3000;

export interface Candidate {
  ref: string;
  role: string;
  name: string;
  selector: string;
}

/** The element with a ref that a command can take. */
export function candidate(element: Element, tree: UITree, pass: Pass): Candidate {
  const look = lookOf(element, tree, pass);
  return { ref: give(element, tree, look), role: look.role, name: look.name, selector: look.selector };
}

/** How the element presents itself now. */
export function lookOf(element: Element, tree: UITree, pass: Pass): Look {
  const role = pass.roles.role(element) || 'generic';
  const { name } = pass.names.describe(element);
  return { role, name, stableId: tree.stable.of(element, role, name), selector: pass.selectors.selector(element) };
}

/** Give out the element's ref, so that it can be used like one of a tree. */
export function give(element: Element, tree: UITree, look: Look): string {
  const ref = tree.refs.refOf(element);
  // What the last list did not hold may have come after it.
  tree.refs.give(ref, element, localName(element), look, tree.version, tree.itemOf(element) === undefined ? tree.version + 1 : tree.version);
  return ref;
}

/** Up to five elements that resemble what was asked for. */
export function nearest(target: Target, tree: UITree, pass: Pass): Candidate[] {
  const wanted = [target.name, target.text, target.stableId, target.id, target.selector].filter((word) => word !== undefined && word !== '');
  const scored: { element: Element; score: number }[] = [];
  let compared = 0;
  if (pass.root === null) return [];
  pass.flat.walk<true>(pass.root, true, (element) => {
    if (compared >= maxCompared) return null;
    if (isInteractive(element, false, pass)) {
      compared += 1;
      const { name, text } = pass.names.describe(element);
      const own = [name, text, element.getAttribute('data-testid') ?? '', element.getAttribute('id') ?? ''];
      let score = 0;
      for (const word of wanted) for (const mine of own) score = Math.max(score, similarity(word ?? '', mine));
      if (target.role !== undefined && pass.roles.role(element) === target.role) score += 0.25;
      if (score > 0.3) scored.push({ element, score });
    }
    return opaque.has(localName(element)) ? null : true;
  });
  scored.sort((a, b) => b.score - a.score);
  return scored.slice(0, maxNearest).map(({ element }) => candidate(element, tree, pass));
}

/** Share of letter pairs that two texts have in common (Dice), 0 to 1. */
export function similarity(a: string, b: string): number {
  const left = pairs(a);
  const right = pairs(b);
  if (left.size === 0 || right.size === 0) return 0;
  let common = 0;
  for (const pair of left) if (right.has(pair)) common += 1;
  return (2 * common) / (left.size + right.size);
}

function pairs(text: string): Set<string> {
  const folded = ` ${text.slice(0, 200).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
  const found = new Set<string>();
  if (folded.trim() === '') return found;
  for (let i = 0; i < folded.length - 1; i += 1) found.add(folded.slice(i, i + 2));
  return found;
}
