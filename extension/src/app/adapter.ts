/**
 * What the inspector knows of a framework or a store library. One adapter a file, one row
 * a framework in adapters.ts; stores.ts and components.ts know none of them by name.
 *
 * An adapter reads what the library keeps in the page's own objects, often private and
 * changing with versions: it looks before it touches, and what it does not know it leaves out.
 */

/** A place of state that can be read, and followed. */
export interface Scope {
  /** How it is named to agents, before stores.ts makes it unique: redux, pinia:cart, zustand. */
  readonly name: string;
  /** The library: redux, zustand, jotai, mobx, react, vue, pinia, svelte, angular, query, router, window. */
  readonly source: string;
  /** The store itself: found twice, it is one scope. */
  readonly key: object;
  /** The value now; it is made plain and bounded by who asks. */
  read(): unknown;
  /** Accessors of the value are the library's own and may be run: MobX, reactive proxies. Else they are only named. */
  readonly getters?: boolean;
  /** Calls changed() at each change, and gives the undo. Without it the scope is looked at when the page did something. */
  subscribe?(changed: () => void): () => void;
  /** A store with actions: Redux. */
  dispatch?(action: unknown): unknown;
  /** Sets the value at a path; [] is the whole. */
  set?(path: readonly string[], value: unknown): void;
}

/** A component of a framework, as long as it is mounted. */
export interface Component {
  /** The same object for the same mounted component over re-renders. */
  readonly key: object;
  readonly name: string;
  readonly framework: string;
  /** What the app calls it among its siblings: React's key. */
  readonly listKey?: string;
  children(): Iterable<Component>;
  parent(): Component | null;
  /** Its first own element. */
  element(): Element | null;
  details(): Details;
}

export interface Details {
  props?: unknown;
  /** Own state, by name: class state, data(), signals. */
  state?: unknown;
  /** In order, with what the hook is: useState, useReducer, useMemo, …, or the custom hook's name where the build has it. */
  hooks?: { name: string; value: unknown }[];
  /** Names of the components around it, nearest first. */
  owners?: string[];
  key?: string;
  /** Where it is used, when the build has it; of frameworks that tell a component's own file, that. */
  source?: { file: string; line?: number; column?: number };
  /** Where the component itself is written, when that is another place than source. */
  written?: { file: string; line?: number; column?: number };
  /** production or development, where that can be told. */
  build?: string;
}

export interface Adapter {
  readonly framework: string;
  /** Before the page's scripts: installs what the library looks for; gives the undo. found() says that there is something new to look at. */
  early?(found: () => void): () => void;
  /** Stores that are there now. */
  scopes?(): Iterable<Scope>;
  /** Roots of component trees that are there now. */
  roots?(): Iterable<Component>;
  /** The nearest component that owns an element. */
  of?(element: Element): Component | null;
}
