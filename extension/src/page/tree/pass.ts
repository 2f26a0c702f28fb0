// One reading of the page: its caches are valid as long as the page does not run.
import { NameCache } from '../aria/name.ts';
import { RoleCache } from '../aria/role.ts';
import type { FlatTree } from '../dom/flat.ts';
import { activeElement, bodyOf, documentElement } from '../dom/primordials.ts';
import { StyleCache } from '../dom/style.ts';
import { Layout } from '../dom/visibility.ts';
import { SelectorCache } from './selector.ts';

export class Pass {
  readonly flat: FlatTree;
  readonly styles: StyleCache;
  readonly roles: RoleCache;
  readonly names: NameCache;
  readonly layout: Layout;
  readonly selectors: SelectorCache;
  readonly focused: Element | null;
  readonly root: Element | null = documentElement(document);
  readonly body: Element | null = bodyOf(document);

  /** `bulk`: most elements of the page will be asked about. */
  constructor(flat: FlatTree, bulk: boolean) {
    this.flat = flat;
    this.styles = new StyleCache(flat);
    this.roles = new RoleCache(flat);
    this.names = new NameCache(flat, this.styles, this.roles, bulk);
    this.layout = new Layout(flat, this.styles);
    this.selectors = new SelectorCache(bulk);
    this.focused = deepFocus(flat);
  }
}

/** The focused element, through shadow roots; null when it is the body or nothing. */
export function deepFocus(flat: FlatTree): Element | null {
  let at = activeElement(document);
  while (at !== null) {
    const root = flat.shadowRoot(at);
    const inner = root === null ? null : activeElement(root);
    if (inner === null) break;
    at = inner;
  }
  return at;
}
