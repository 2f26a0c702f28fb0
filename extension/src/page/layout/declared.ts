// Which rare properties the page declares at all. Asking an element for a computed value
// costs a microsecond, which times twenty properties that nobody uses is most of the time
// that a large page takes: what no sheet, style attribute or animation declares is initial.
import { attr, hasAttr, HTML_NAMESPACE, namespaceURI, type TreeRoot } from '../dom/primordials.ts';
import { rare, tables, type Tables } from './styles.ts';

const maxRules = 20_000; // beyond, everything is asked for
const maxAnimations = 200; // by script

export class Declared {
  readonly #names = new Set<string>();
  #everything = false;
  #left = maxRules;
  #tables: Tables | undefined;

  constructor(roots: Iterable<TreeRoot>) {
    for (const root of roots) {
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) this.#sheet(sheet);
      this.#animations(root.getAnimations());
    }
  }

  /** The properties to ask of an element. Ancestors come before what inherits from them. */
  of(element: Element, attributed: boolean): Tables {
    if (this.#everything || namespaceURI(element) !== HTML_NAMESPACE) return tables;
    if (attributed) {
      if (hasAttr(element, 'style')) this.#declaration((element as HTMLElement).style);
      // Attributes that the browser's own sheet makes declarations of.
      if (hasAttr(element, 'align') || hasAttr(element, 'background') || attr(element, 'hidden') === 'until-found') return tables;
    }
    return (this.#tables ??= {
      always: tables.always.filter(([name]) => !rare.has(name) || this.#names.has(name)),
      text: tables.text.filter(([name]) => !rare.has(name) || this.#names.has(name)),
    });
  }

  /** Those of the sheets are read with them. */
  #animations(animations: readonly Animation[]): void {
    let left = maxAnimations;
    for (const animation of animations) {
      if (animation instanceof CSSAnimation) continue;
      if (animation instanceof CSSTransition) {
        this.#note(animation.transitionProperty);
        continue;
      }
      left -= 1;
      const { effect } = animation;
      if (left < 0 || !(effect instanceof KeyframeEffect)) this.#everything = true;
      else for (const frame of effect.getKeyframes()) for (const name of Object.keys(frame)) this.#note(kebab(name));
    }
  }

  #sheet(sheet: CSSStyleSheet): void {
    try {
      this.#rules(sheet.cssRules);
    } catch {
      this.#everything = true; // of another site
    }
  }

  #rules(rules: CSSRuleList): void {
    for (const rule of rules) {
      this.#left -= 1;
      if (this.#everything || this.#left < 0) {
        this.#everything = true;
        return;
      }
      const { style, cssRules } = rule as CSSRule & { style?: CSSStyleDeclaration; cssRules?: CSSRuleList };
      if (style !== undefined) this.#declaration(style);
      if (cssRules !== undefined && cssRules.length > 0) this.#rules(cssRules);
      if (rule instanceof CSSImportRule && rule.styleSheet !== null) this.#sheet(rule.styleSheet);
    }
  }

  #declaration(style: CSSStyleDeclaration): void {
    for (const name of style) {
      if (name === 'all') this.#everything = true;
      else this.#note(name);
    }
  }

  #note(name: string): void {
    if (!rare.has(name) || this.#names.has(name)) return;
    this.#names.add(name);
    this.#tables = undefined;
  }
}

function kebab(name: string): string {
  return name === 'cssFloat' ? 'float' : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
