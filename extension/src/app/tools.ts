/** Tools that the page declares itself: navigator.modelContext. */
import type { Part } from './part.ts';

export function toolPart(): Part {
  return { operations: {}, dispose: () => undefined };
}
