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
  made ??= adapters.flatMap((make) => {
    try {
      return [make()];
    } catch {
      return []; // the page replaced what it stands on
    }
  });
  return made;
}
