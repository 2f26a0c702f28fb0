/** Looking into the page's objects without trusting them: nothing here throws. */

const { getOwnPropertyDescriptor, getOwnPropertySymbols, hasOwn } = Object;

/** A property's value, own or inherited; undefined where reading it throws. */
export function get(value: unknown, key: PropertyKey): unknown {
  if (!isObject(value)) return undefined;
  try {
    return (value as Record<PropertyKey, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** An own property's value, without running a getter. */
export function own(value: unknown, key: PropertyKey): unknown {
  if (!isObject(value)) return undefined;
  try {
    return getOwnPropertyDescriptor(value, key)?.value as unknown;
  } catch {
    return undefined;
  }
}

export function has(value: object, key: PropertyKey): boolean {
  try {
    return hasOwn(value, key);
  } catch {
    return false;
  }
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

export type Call = (...args: unknown[]) => unknown;

export function isFunction(value: unknown): value is Call {
  return typeof value === 'function';
}

/** Whether the value has a function of each name. */
export function hasMethods(value: unknown, ...names: string[]): boolean {
  return isObject(value) && names.every((name) => isFunction(get(value, name)));
}

/** A function's name, or an empty text. */
export function nameOf(value: unknown): string {
  const name = own(value, 'displayName') ?? own(value, 'name');
  return typeof name === 'string' ? name.slice(0, 200) : '';
}

/** The own symbol of a description: libraries keep theirs to themselves. */
export function symbolOf(value: object, description: string): symbol | undefined {
  try {
    return getOwnPropertySymbols(value).find((symbol) => symbol.description === description);
  } catch {
    return undefined;
  }
}

/** One thing made for each object, as long as it lives. */
export function once<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) {
      value = make(key);
      made.set(key, value);
    }
    return value;
  };
}

/** A copy of a value with another one at a path; arrays stay arrays. */
export function replaced(value: unknown, path: readonly string[], to: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Record<string, unknown>) };
  (copy as Record<string, unknown>)[key] = replaced(get(value, key), rest, to);
  return copy;
}

/** Array.map by syntax: the page may have put its own in the place. */
export function mapped<A, B>(list: readonly A[], to: (item: A) => B): B[] {
  const out: B[] = [];
  for (let i = 0; i < list.length; i++) out[i] = to(list[i] as A);
  return out;
}
