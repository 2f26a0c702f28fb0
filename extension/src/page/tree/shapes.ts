// What goes into a UI tree and what comes out of it.
import type { UITreeItem } from '../../protocol/generated.ts';
import type { OpenClosedRoot } from '../dom/flat.ts';
import type { Changed } from './compare.ts';

export interface UITreeOptions {
  openClosedRoot?: OpenClosedRoot | undefined;
  limit?: number;
  /** Number of the first ref: a host may continue from the document before, so that old refs name nothing here. */
  firstRef?: number;
  /** Every shadow root once, as it is found: observe it too. */
  onRoot?: (root: ShadowRoot) => void;
}

export interface FullTree {
  items: UITreeItem[];
  version: number;
  truncated: number;
  /** What leads here from the list before; null when nothing changed, or there was none. */
  diff: TreeDiff | null;
}

/** An element that holds a frame, and the number of items that come before the frame's. */
export interface FrameElement {
  element: Element;
  order: number;
}

export interface TreeDiff {
  baseVersion: number;
  version: number;
  added: UITreeItem[];
  removed: string[];
  changed: Changed[];
}
