/**
 * The hook that React tells its commits to. Where there is none it is put on
 * Window.prototype: React finds it there, and React's own tools, which look for one of the
 * window's own, install theirs as if it were not there.
 */
import { get, isFunction, isObject } from '../peek.ts';
import { rootFrom, type FiberRoot } from './fiber.ts';

const name = '__REACT_DEVTOOLS_GLOBAL_HOOK__';
const { apply, defineProperty, deleteProperty } = Reflect;
const { getOwnPropertyDescriptor } = Object;

export class Commits {
  readonly roots = new Set<FiberRoot>();
  readonly #followers = new Set<() => void>();

  /** Calls changed() after each commit; undefined while nobody tells of commits. */
  follow(changed: () => void): () => void {
    this.#followers.add(changed);
    return () => this.#followers.delete(changed);
  }

  /** Whether React told of a commit yet. */
  get told(): boolean {
    return this.roots.size > 0;
  }

  /** found() is called with each new root. The undo leaves no trace. */
  install(found: () => void): () => void {
    let over = false;
    const note = (value: unknown): void => {
      const root = over ? undefined : rootFrom(value);
      if (root === undefined) return;
      if (get(get(root.current, 'memoizedState'), 'element') === null) this.roots.delete(root); // unmounted
      else if (!this.roots.has(root)) {
        this.roots.add(root);
        found();
      }
      for (const changed of this.#followers) changed();
    };
    const undo = put(note);
    return () => {
      over = true;
      this.roots.clear();
      this.#followers.clear();
      undo();
    };
  }
}

function put(note: (root: unknown) => void): () => void {
  const existing = get(window, name);
  if (isObject(existing)) {
    const before = get(existing, 'onCommitFiberRoot');
    if (!isFunction(before)) return () => undefined;
    const after = function (this: unknown, ...args: unknown[]): unknown {
      note(args[1]);
      return apply(before, this, args);
    };
    Reflect.set(existing, 'onCommitFiberRoot', after);
    return () => {
      if (get(existing, 'onCommitFiberRoot') === after) Reflect.set(existing, 'onCommitFiberRoot', before);
    };
  }
  let last = 0;
  const renderers = new Map<number, unknown>();
  const nothing = (): void => undefined;
  const hook = {
    renderers,
    supportsFiber: true,
    inject(renderer: unknown): number {
      renderers.set(++last, renderer);
      return last;
    },
    onCommitFiberRoot: (_id: unknown, root: unknown): void => note(root),
    onCommitFiberUnmount: nothing,
    onPostCommitFiberRoot: nothing,
    onScheduleFiberRoot: nothing,
  };
  if (!defineProperty(Window.prototype, name, { value: hook, configurable: true, writable: true, enumerable: false })) return nothing;
  return () => {
    renderers.clear();
    if (getOwnPropertyDescriptor(Window.prototype, name)?.value === hook) deleteProperty(Window.prototype, name);
  };
}
