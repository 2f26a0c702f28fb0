/** Components: the tree, one of them, and which one owns an element. */
import type { Part } from './part.ts';

export function componentPart(): Part {
  return { operations: {}, dispose: () => undefined };
}
