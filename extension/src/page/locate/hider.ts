// Which element hides another one, and by what: often an ancestor.
import { hasAttr, localName, rectOf, styleOf } from '../dom/primordials.ts';
import type { HiddenReason } from '../dom/visibility.ts';
import type { UITree } from '../tree/uitree.ts';

export interface Hider {
  element: Element;
  /** The CSS property, or the attribute `open` of what is closed. */
  property: string;
  value: string;
}

type Look = (at: Element, below: Element | null, style: CSSStyleDeclaration, target: Element) => [property: string, value: string] | null;

/** What hides all that is inside, per reason. */
const looks: Partial<Record<HiddenReason, Look>> = {
  display: (at, below, style) => {
    if (style.display === 'none') return localName(at) === 'dialog' && !hasAttr(at, 'open') ? ['open', 'false'] : ['display', 'none'];
    if (localName(at) === 'details' && !hasAttr(at, 'open') && below !== null && localName(below) !== 'summary') return ['open', 'false'];
    if (below !== null && style.contentVisibility === 'hidden') return ['content-visibility', 'hidden'];
    return null;
  },
  visibility: (_at, _below, style) => (style.visibility === 'visible' ? null : ['visibility', style.visibility]),
  opacity: (_at, _below, style) => (Number(style.opacity) === 0 ? ['opacity', style.opacity] : null),
  clip: (at, below, style, target) => {
    if (style.clipPath !== 'none') return ['clip-path', style.clipPath];
    if (style.clip !== 'auto' && style.clip !== '') return ['clip', style.clip];
    return below !== null && style.overflow !== 'visible' && apart(rectOf(at), rectOf(target)) ? ['overflow', style.overflow] : null;
  },
};

/** The outermost of those that hide the element: with any other one mended it stays hidden. */
export function hiderOf(element: Element, reason: HiddenReason, tree: UITree): Hider | null {
  const look = looks[reason];
  if (look === undefined) return null;
  let found: Hider | null = null;
  let below: Element | null = null;
  for (let at: Element | null = element; at !== null; at = tree.flat.parent(at)) {
    const seen = look(at, below, styleOf(at), element);
    if (seen !== null) found = { element: at, property: seen[0], value: seen[1] };
    // It is inherited, and may be set anew inside of what is hidden.
    else if (reason === 'visibility') break;
    below = at;
  }
  return found;
}

function apart(a: DOMRect, b: DOMRect): boolean {
  return b.right <= a.left || b.left >= a.right || b.bottom <= a.top || b.top >= a.bottom;
}
