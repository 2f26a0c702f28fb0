/**
 * Text that is in the page and that nobody sees, beyond display, visibility and opacity: of
 * no size, without colour, far outside, cut to nothing.
 *
 * Asking each element for its style would cost every reading of a page. So style sheets are
 * looked through once, for rules that could do such a thing, and only what these select is
 * asked. Sheets of other origins cannot be read; text in the colour of its background is not
 * looked for.
 */
import { attr, hasAttr, queryAll, styleOf, type TreeRoot } from '../dom/primordials.ts';

const maxRules = 20_000; // of one sheet
const maxSelectors = 200;
const maxSuspects = 2000;

// What a rule says that could hide text; the computed style decides.
const concealing =
  /font(?:-size)?:(?:[^;]*\s)?(?:0|0?\.\d+)(?:px|em|rem|%|pt)?\s*(?:[;/!]|$)|(?:text-indent|left|top|right|bottom|inset|margin(?:-left|-top)?):[^;]*-\d{3,}|(?:^|[\s;])color:\s*(?:transparent|[a-z]+\([^)]*[,/]\s*0\))|clip(?:-path)?:/;

interface Sheet {
  readonly rules: number;
  readonly selectors: readonly string[];
}

const known = new WeakMap<CSSStyleSheet, Sheet>();

/** What style sheets may hide, for one reading of the page. */
export class Concealed {
  readonly #suspects = new Set<Element>();

  /** Looks through the sheets of a document or shadow root. */
  add(root: TreeRoot): void {
    const selectors: string[] = [];
    try {
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) selectors.push(...selectorsOf(sheet));
    } catch {
      return; // a page that replaced what it has
    }
    for (const selector of selectors.slice(0, maxSelectors)) {
      try {
        for (const element of queryAll(root, selector)) {
          if (this.#suspects.size >= maxSuspects) return;
          this.#suspects.add(element);
        }
      } catch {
        // A selector that is for style sheets only.
      }
    }
  }

  /** Whether nobody sees the text of an element, by a style of its own. `attributed`: it has attributes. */
  has(element: Element, attributed: boolean): boolean {
    return (this.#suspects.has(element) || (attributed && hasAttr(element, 'style') && concealing.test(attr(element, 'style') ?? ''))) && conceals(styleOf(element));
  }
}

function selectorsOf(sheet: CSSStyleSheet): readonly string[] {
  let rules: CSSRuleList;
  try {
    if (sheet.disabled) return [];
    rules = sheet.cssRules;
  } catch {
    return []; // of another origin
  }
  const before = known.get(sheet);
  if (before?.rules === rules.length) return before.selectors;
  const selectors: string[] = [];
  let left = maxRules;
  const read = (list: CSSRuleList): void => {
    for (const rule of list) {
      left -= 1;
      if (left < 0 || selectors.length >= maxSelectors) return;
      if (rule instanceof CSSStyleRule) {
        if (concealing.test(rule.style.cssText)) selectors.push(rule.selectorText);
      } else if (rule instanceof CSSGroupingRule) read(rule.cssRules);
      else if (rule instanceof CSSImportRule && rule.styleSheet !== null) selectors.push(...selectorsOf(rule.styleSheet));
    }
  };
  read(rules);
  known.set(sheet, { rules: rules.length, selectors });
  return selectors;
}

function conceals(style: CSSStyleDeclaration): boolean {
  return (
    parseFloat(style.fontSize) < 1 ||
    /^rgba\(.*, 0\)$|\/ 0\)$/.test(style.color) ||
    parseFloat(style.textIndent) < -500 ||
    parseFloat(style.marginLeft) < -500 ||
    (style.clipPath !== 'none' && /^inset\((?:50|100)%|^circle\(0/.test(style.clipPath)) ||
    ((style.position === 'absolute' || style.position === 'fixed') &&
      (parseFloat(style.left) < -500 || parseFloat(style.top) < -500 || /^rect\((\S+?),? (\S+?),? \1,? \2\)$/.test(style.clip)))
  );
}
