/** All adapters, one row each. */
import type { Adapter } from './adapter.ts';

export const adapters: readonly (() => Adapter)[] = [];
