/** All adapters, one row each. */
import type { Adapter } from './adapter.ts';
import { angularAdapter } from './angular.ts';
import { preactAdapter } from './preact.ts';
import { reactAdapter } from './react/react.ts';
import { reduxAdapter } from './redux.ts';
import { svelteAdapter } from './svelte.ts';
import { vueAdapter } from './vue.ts';

export const adapters: readonly (() => Adapter)[] = [
  reactAdapter,
  reduxAdapter,
  vueAdapter,
  svelteAdapter,
  angularAdapter,
  preactAdapter,
];

let made: readonly Adapter[] | undefined;

/** The adapters of this document, made once: stores and components share them, and with them what they installed early. */
export function instances(): readonly Adapter[] {
  if (made === undefined) {
    const all: Adapter[] = [];
    for (const make of adapters) {
      try {
        all[all.length] = make();
      } catch {
        // The page replaced what it stands on.
      }
    }
    made = all;
  }
  return made;
}
