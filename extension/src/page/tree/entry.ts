// What the tree keeps of each listed element.
import type { UITreeItem } from '../../protocol/generated.ts';
import type { Changed } from './compare.ts';

export interface Changes {
  added: UITreeItem[];
  removed: string[];
  changed: Changed[];
  /** Entries of what was added or changed. */
  touched: Entry[];
}

export interface Entry {
  readonly element: Element;
  item: UITreeItem;
  /** Place that scrolling does not change. */
  x: number;
  y: number;
  positional: boolean;
  gone: boolean;
  /** Position in the order. */
  at: number;
}

/** Whether the element's place or size differs, scrolling aside. */
export function hasMoved(before: Entry, now: Entry): boolean {
  return (
    Math.abs(before.x - now.x) > 0.01 ||
    Math.abs(before.y - now.y) > 0.01 ||
    before.item.bounds.width !== now.item.bounds.width ||
    before.item.bounds.height !== now.item.bounds.height
  );
}
