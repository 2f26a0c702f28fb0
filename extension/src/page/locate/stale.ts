// A ref is checked before it is used: same element, same look, or a fault that
// says what became of it.
import { attr, escapeIdent, isConnected, localName, queryAll } from '../dom/primordials.ts';
import { BridgeFault } from '../fault.ts';
import { ownId } from '../tree/stable.ts';
import type { Pass } from '../tree/pass.ts';
import type { Look, RefRecord } from '../tree/refs.ts';
import type { UITree } from '../tree/uitree.ts';
import { candidate, lookOf } from './candidates.ts';
import { everywhere } from './target.ts';

export function resolveRef(ref: string, tree: UITree, pass: Pass): Element {
  const record = tree.refs.record(ref);
  if (record === undefined) throw unknownRef(ref);
  const element = record.element.deref();
  if (element !== undefined && isConnected(element)) {
    const look = lookOf(element, tree, pass);
    if (sameLook(record, element, look)) return element;
    throw new BridgeFault('TARGET_STALE', 'The element of this ref has changed since the tree was taken.', {
      ref,
      reason: 'changed',
      from: { role: record.look.role, name: record.look.name },
      to: { role: look.role, name: look.name },
    });
  }
  return replacement(record, tree, pass);
}

function unknownRef(ref: string): BridgeFault {
  return new BridgeFault('TARGET_STALE', 'This document never gave out that ref: it is of another page, or of a document before a reload or navigation.', {
    ref,
    reason: 'unknown',
  });
}

function sameLook(record: RefRecord, element: Element, look: Look): boolean {
  return record.look.role === look.role && record.look.name === look.name && record.tag === localName(element);
}

/** What was rendered in place of an element that is gone; only when there is no doubt. */
function replacement(record: RefRecord, tree: UITree, pass: Pass): Element {
  // Elements that the agent knew beside the lost one are not its replacement:
  // when row 1 is deleted, the "Delete" of row 2 moves into its place.
  const isNew = (element: Element): boolean => {
    const known = tree.refs.known(element);
    const other = known === undefined ? undefined : tree.refs.record(known);
    return other === undefined || other.ref === record.ref || other.first > record.last;
  };
  const alike = everywhere(pass, (root) => queryAll(root, escapeIdent(record.tag))).filter(
    (element) => sameLook(record, element, lookWithoutIds(element, pass)) && isNew(element),
  );
  const byId = alike.filter((element) => ownId(element) === record.look.stableId);
  const found = byId.length > 0 ? byId : alike.filter((element) => ownId(element) === null || !hadOwnId(record));
  const [only] = found;
  if (found.length === 1 && only !== undefined) {
    tree.refs.rebind(record, only);
    tree.refs.give(record.ref, only, localName(only), lookOf(only, tree, pass), tree.version);
    return only;
  }
  if (found.length > 1) {
    throw new BridgeFault('TARGET_STALE', 'The element was rendered again, and more than one new element looks like it.', {
      ref: record.ref,
      reason: 'rerendered',
      matches: found.length,
      from: { role: record.look.role, name: record.look.name },
      candidates: found.slice(0, 10).map((element) => candidate(element, tree, pass)),
    });
  }
  const heir = sameIdElement(record, pass);
  if (heir !== null && isNew(heir)) {
    const look = lookOf(heir, tree, pass);
    throw new BridgeFault('TARGET_STALE', 'The element was rendered again as something that looks different.', {
      ref: record.ref,
      reason: 'changed',
      from: { role: record.look.role, name: record.look.name },
      to: { role: look.role, name: look.name },
      candidates: [candidate(heir, tree, pass)],
    });
  }
  throw new BridgeFault('TARGET_STALE', 'The element of this ref was removed from the page.', {
    ref: record.ref,
    reason: 'removed',
    from: { role: record.look.role, name: record.look.name },
  });
}

function lookWithoutIds(element: Element, pass: Pass): Look {
  const role = pass.roles.role(element) || 'generic';
  return { role, name: pass.names.describe(element).name, stableId: '', selector: '' };
}

// Made-up ids carry the role before a colon.
function hadOwnId(record: RefRecord): boolean {
  return !record.look.stableId.startsWith(`${record.look.role}:`);
}

function sameIdElement(record: RefRecord, pass: Pass): Element | null {
  if (!hadOwnId(record)) return null;
  const found = everywhere(pass, (root) => queryAll(root, '[data-testid],[id]')).filter(
    (element) => (attr(element, 'data-testid') ?? attr(element, 'id')) === record.look.stableId,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}
