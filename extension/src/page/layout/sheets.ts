// What the page's style sheets say that computed values do not: who takes the focus mark
// away, and which media query hides an element. Sheets of other sites cannot be read: of
// them nothing is said.
import { treeRoot } from '../dom/flat.ts';
import { attr, hasAttr, matches, queryAll, type TreeRoot } from '../dom/primordials.ts';

const maxRules = 20_000;
const maxPseudos = 100;

/** What a person does for a while: point at it, focus it, press it. */
const passing = /:(?:hover|focus|focus-within|focus-visible|active)\b/g;

interface Hiding {
  selector: string;
  media: string;
}

export interface FocusMark {
  off?: string;
  by?: string;
}

export class Sheets {
  readonly #focus = new Map<TreeRoot, { selector: string; shown: string; marks: boolean; off: boolean }[]>();
  readonly #hiding = new Map<TreeRoot, Hiding[]>();
  readonly #showing = new Map<TreeRoot, { selector: string; shown: string }[]>();
  readonly #pseudos = new Map<TreeRoot, string[]>();
  readonly #decorated = new Set<Element>();
  readonly #unread = new Set<TreeRoot>();
  #left = maxRules;

  /** The active media query whose rule hides the element. */
  hidingMedia(element: Element, root: TreeRoot): string | undefined {
    this.#read(root);
    return this.#hiding.get(root)?.findLast((rule) => fits(element, rule.selector))?.media;
  }

  /** The rule that shows the element while the pointer or the focus is somewhere. */
  shownBy(element: Element, root: TreeRoot): string | undefined {
    this.#read(root);
    return this.#showing.get(root)?.findLast((rule) => fits(element, rule.selector))?.shown;
  }

  focusMark(element: Element, root: TreeRoot): FocusMark | undefined {
    if (/outline(?:-style)?\s*:\s*(?!none|0)/.test(attr(element, 'style') ?? '')) return undefined;
    this.#read(root);
    let off = inlineOutline(element);
    let by: string | undefined;
    for (const rule of this.#focus.get(root) ?? []) {
      if (!fits(element, rule.selector)) continue;
      if (rule.marks) by = rule.shown;
      else if (rule.off) off = rule.shown;
    }
    if (off === undefined || this.#unread.has(root)) return undefined;
    return { off, ...(by === undefined ? {} : { by }) };
  }

  /** Whether a rule gives the element's ::before or ::after a background. */
  decorated(element: Element): boolean {
    const root = treeRoot(element);
    if (root === null) return false;
    this.#read(root);
    const selectors = this.#pseudos.get(root);
    if (selectors !== undefined) {
      this.#pseudos.delete(root);
      for (const selector of selectors) for (const found of matching(root, selector)) this.#decorated.add(found);
    }
    return this.#decorated.has(element);
  }

  #read(root: TreeRoot): void {
    if (this.#focus.has(root)) return;
    this.#focus.set(root, []);
    this.#hiding.set(root, []);
    this.#showing.set(root, []);
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      if (sheet.disabled) continue;
      const outer = mediaOf(sheet);
      if (outer !== '' && !matchMedia(outer).matches) continue;
      try {
        this.#rules(root, sheet.cssRules, outer);
      } catch {
        this.#unread.add(root); // of another site
      }
    }
  }

  #rules(root: TreeRoot, rules: CSSRuleList, media: string): void {
    for (const rule of rules) {
      this.#left -= 1;
      if (this.#left < 0) {
        this.#unread.add(root);
        return;
      }
      if (rule instanceof CSSStyleRule) {
        this.#style(root, rule, media);
        if (rule.cssRules.length > 0) this.#rules(root, rule.cssRules, media);
      } else if (rule instanceof CSSMediaRule) {
        const { mediaText } = rule.media;
        if (matchMedia(mediaText).matches) this.#rules(root, rule.cssRules, media === '' ? mediaText : `${media} and ${mediaText}`);
      } else if (rule instanceof CSSImportRule) {
        if (rule.styleSheet !== null) this.#rules(root, rule.styleSheet.cssRules, media);
      } else if (rule instanceof CSSGroupingRule) this.#rules(root, rule.cssRules, media);
    }
  }

  #style(root: TreeRoot, rule: CSSStyleRule, media: string): void {
    const { style, selectorText: selector } = rule;
    if (media !== '' && media !== 'all' && media !== 'screen' && (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0')) {
      this.#hiding.get(root)?.push({ selector, media });
    }
    if (/::?(?:before|after)/.test(selector) && (/gradient|url/.test(style.backgroundImage) || !/^(?:|none|transparent|initial|inherit|unset)$/.test(style.backgroundColor))) {
      const list = this.#pseudos.get(root) ?? [];
      if (list.length < maxPseudos) this.#pseudos.set(root, [...list, selector.replace(/::?(?:before|after)/g, '')]);
    }
    if (selector.search(passing) >= 0 && !selector.includes('::') && shows(style)) {
      this.#showing.get(root)?.push({ selector: selector.replace(passing, ''), shown: selector.slice(0, 100).toWellFormed() });
    }
    const outline = style.outlineStyle === 'none' || style.outlineWidth === '0px' || style.outline === 'none' || style.outline === '0px' || style.outline === '0';
    const onFocus = selector.includes(':focus');
    if (!outline && !onFocus) return;
    const marks =
      onFocus &&
      ((style.outlineStyle !== '' && style.outlineStyle !== 'none' && !outline) ||
        (style.boxShadow !== '' && style.boxShadow !== 'none') ||
        ['border', 'border-color', 'border-bottom-color', 'background', 'background-color', 'color', 'text-decoration', 'text-decoration-line', 'transform', 'filter'].some(
          (property) => style.getPropertyValue(property) !== '',
        ));
    this.#focus.get(root)?.push({ selector: selector.replace(/:focus(?:-visible|-within)?/g, ''), shown: selector.slice(0, 200), marks, off: outline });
  }
}

/** A declaration that lets something be seen that else is not. */
function shows({ opacity, visibility, display, transform, left, right, top, clip, clipPath, maxHeight }: CSSStyleDeclaration): boolean {
  return (
    Number(opacity) > 0 ||
    visibility === 'visible' ||
    (display !== '' && display !== 'none') ||
    [transform, left, right, top, clip, clipPath, maxHeight].some((value) => value !== '')
  );
}

function inlineOutline(element: Element): string | undefined {
  return hasAttr(element, 'style') && /outline\s*:\s*(?:none|0)/.test(attr(element, 'style') ?? '') ? 'style=""' : undefined;
}

function mediaOf(sheet: CSSStyleSheet): string {
  try {
    return sheet.media.mediaText;
  } catch {
    return '';
  }
}

// A selector that lost its :focus may be empty in parts.
function filled(selector: string): string {
  return selector
    .split(',')
    .map((part) => part.trim())
    .map((part) => (part === '' || /[>+~]$/.test(part) ? `${part}*` : part))
    .join(',');
}

function fits(element: Element, selector: string): boolean {
  const clean = filled(selector);
  try {
    return matches(element, clean);
  } catch {
    return false;
  }
}

/** What a selector that lost its ::before finds. */
function matching(root: TreeRoot, selector: string): Iterable<Element> {
  try {
    return queryAll(root, filled(selector));
  } catch {
    return [];
  }
}
