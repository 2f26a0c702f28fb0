/** All adapters, one row each. */
import type { Adapter } from './adapter.ts';

export const adapters: readonly (() => Adapter)[] = [];

let made: readonly Adapter[] | undefined;

/** The adapters of this document, made once: stores and components share them, and with them what they installed early. */
export function instances(): readonly Adapter[] {
  made ??= adapters.flatMap((make) => {
    try {
      return [make()];
    } catch {
      return []; // the page replaced what it stands on
    }
  });
  return made;
}
