/** State that no library keeps: what the page's author hands out, and plain objects of the window by path. */
import type { Adapter, Scope } from './adapter.ts';
import { Refusal } from './part.ts';

/** The name under which an app hands its state out by itself: an object, or a function that gives one. */
const ownName = '__debugBridgeState';
const { apply, getOwnPropertyDescriptor, getPrototypeOf, set } = Reflect;
const mapGet = Map.prototype.get;
const mapHas = Map.prototype.has;
const mapSize = getOwnPropertyDescriptor(Map.prototype, 'size')?.get;
const hasOwn = Object.prototype.hasOwnProperty;

export function windowAdapter(): Adapter {
  const key = {};
  const scope: Scope = {
    name: 'custom', source: 'custom', key,
    read() {
      const given = own(window, ownName);
      return typeof given === 'function' ? apply(given as () => unknown, window, []) : given;
    },
  };
  return {
    framework: 'window',
    scopes() {
      const given = own(window, ownName);
      return typeof given === 'function' || typeof given === 'object' && given !== null ? [scope] : [];
    },
  };
}

/** The data property, or undefined: accessors are not run. */
function own(value: object, key: string): unknown {
  return getOwnPropertyDescriptor(value, key)?.value;
}

/** What stands at a path in a value of the page. Maps are entered by their text keys. */
export function at(value: unknown, path: readonly string[], getters: boolean): unknown {
  let here = value;
  for (let i = 0; i < path.length; i++) {
    const key = path[i] as string;
    if (typeof here !== 'object' && typeof here !== 'function' || here === null) throw missing(path, i);
    if (isMap(here) && (apply(mapHas, here, [key]) as boolean)) {
      here = apply(mapGet, here, [key]);
      continue;
    }
    if (key === '$map' && isMap(here)) continue; // as values.ts writes it
    const found = descriptor(here, key);
    if (found === undefined) throw missing(path, i);
    if (apply(hasOwn, found, ['value']) as boolean) here = found.value;
    else if (getters) here = Reflect.get(here, key);
    else throw new Refusal('VALIDATION_ERROR', `${words(path, i)} is computed by the page (an accessor), which reading must not run`);
  }
  return here;
}

function descriptor(value: object, key: string): PropertyDescriptor | undefined {
  let holder: object | null = value;
  for (let i = 0; holder !== null && i < 20; i++) {
    const found = getOwnPropertyDescriptor(holder, key);
    if (found !== undefined) return found;
    holder = getPrototypeOf(holder);
  }
  return undefined;
}

function isMap(value: object): value is Map<unknown, unknown> {
  if (mapSize === undefined) return false;
  try {
    apply(mapSize, value, []);
    return true;
  } catch {
    return false;
  }
}

function words(path: readonly string[], i: number): string {
  let out = '';
  for (let at = 0; at <= i; at++) out += `${at === 0 ? '' : '.'}${path[at] ?? ''}`;
  return out;
}

function missing(path: readonly string[], i: number): Refusal {
  return new Refusal('ELEMENT_NOT_FOUND', `there is no ${words(path, i)}`);
}

/** Sets a property of a plain object of the window. */
export function assign(path: readonly string[], value: unknown): void {
  const last = path[path.length - 1];
  if (last === undefined) throw new Refusal('VALIDATION_ERROR', 'the window itself cannot be set');
  const holder = at(window, path.slice(0, -1), false);
  if (typeof holder !== 'object' && typeof holder !== 'function' || holder === null) throw missing(path, path.length - 1);
  if (!set(holder, last, value)) throw new Refusal('ACTION_NO_EFFECT', 'the object does not take it');
}
