/**
 * Any value of the page as JSON text: bounded in size, depth and time, without cycles,
 * whatever the page did to its objects. Nothing of the page runs for it: accessors are
 * named, not called, toJSON is not asked, and our own text is made by syntax and by
 * functions that were taken before the page could replace them. (Traps of a proxy do
 * run; what they throw is caught.)
 *
 * What JSON cannot say is an object of one $key: {"$cycle": "/path"}, {"$date": "…"},
 * {"$map": [[key, value]]}, {"$set": […]}, {"$function": "name"}, {"$class": "Cart", …fields},
 * {"$more": 12} for what was left out.
 */

export interface Limits {
  /** Characters of the text, about. */
  size: number;
  depth: number;
  /** Members of one object or array. */
  items: number;
  /** Characters of one string. */
  text: number;
  /** Milliseconds. */
  time: number;
  /** Accessors may be run. */
  getters?: boolean | undefined;
}

/** For a value that is followed. */
export const followed: Limits = { size: 512 * 1024, depth: 16, items: 2000, text: 20_000, time: 20 };
/** For a value that was asked for. */
export const asked: Limits = { size: 4 * 1024 * 1024, depth: 32, items: 20_000, text: 500_000, time: 300 };
const ofLines: Limits = { size: 6 * 1024 * 1024, depth: 64, items: 50_000, text: 2_000_000, time: 2000 };

/** JSON text that goes into other text as it is. */
export class Raw {
  constructor(readonly json: string) {}
}

export interface Encoded {
  json: string;
  /** What was left out or cut. */
  cuts: number;
}

const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor, get } = Reflect;
const { isArray } = Array;
const objectProto = Object.prototype;
const has = objectProto.hasOwnProperty;
const numberText = Number.prototype.toString;
const bigText = BigInt.prototype.toString;
const symbolText = Symbol.prototype.toString;
const cache = WeakMap;
const { get: cached, set: note } = WeakMap.prototype;
const now = performance.now.bind(performance);
const isView = ArrayBuffer.isView.bind(ArrayBuffer);

/** The getter of a property, to be applied to whatever may have the slot behind it. */
function getterOf(proto: object | null | undefined, name: PropertyKey): ((this: unknown) => unknown) | undefined {
  return proto === undefined || proto === null ? undefined : getOwnPropertyDescriptor(proto, name)?.get as ((this: unknown) => unknown) | undefined;
}

const dateTime = Date.prototype.getTime;
const dateText = Date.prototype.toISOString;
const regexpSource = getterOf(RegExp.prototype, 'source');
const regexpFlags = getterOf(RegExp.prototype, 'flags');
const mapSize = getterOf(Map.prototype, 'size');
const mapEach = Map.prototype.forEach;
const setSize = getterOf(Set.prototype, 'size');
const setEach = Set.prototype.forEach;
const bufferLength = getterOf(ArrayBuffer.prototype, 'byteLength');
const viewLength = getterOf(getPrototypeOf(Uint8Array.prototype) as object, 'byteLength');
const dataViewLength = getterOf(DataView.prototype, 'byteLength');
const nodeName = getterOf(Node.prototype, 'nodeName');
const elementId = getterOf(Element.prototype, 'id');
const promiseThen = Promise.prototype;
const errorProto = Error.prototype;

/** Gives what the function gives, or undefined where the value has no such slot. */
function slot(read: ((this: unknown) => unknown) | undefined, value: object): unknown {
  if (read === undefined) return undefined;
  try {
    return apply(read, value, []);
  } catch {
    return undefined;
  }
}

// --- strings, by syntax -------------------------------------------------------------

const hex = '0123456789abcdef';
const escapes: Record<string, string> = { __proto__: null } as unknown as Record<string, string>;
for (let i = 0; i < 0x20; i++) escapes[String.fromCharCode(i)] = `\\u00${i < 16 ? '0' : '1'}${hex[i % 16]}`;
escapes['"'] = '\\"';
escapes['\\'] = '\\\\';
escapes['\n'] = '\\n';
escapes['\r'] = '\\r';
escapes['\t'] = '\\t';

/**
 * A string as JSON, well-formed. By syntax alone: what the page put in the place of
 * JSON.stringify would be told, and could lie.
 */
export function quote(text: string): string {
  let i = 0;
  for (; i < text.length; i++) {
    const c = text[i] as string;
    if (c < ' ' || c === '"' || c === '\\' || (c >= '\ud800' && c <= '\udfff')) break;
  }
  if (i === text.length) return `"${text}"`;
  let out = `"${start(text, i)}`;
  for (; i < text.length; i++) {
    const c = text[i] as string;
    if (c >= '\ud800' && c <= '\udfff') {
      const next = text[i + 1] ?? '';
      if (c <= '\udbff' && next >= '\udc00' && next <= '\udfff') {
        out += c + next;
        i++;
      } else out += '\ufffd';
    } else out += escapes[c] ?? c;
  }
  return `${out}"`;
}

/** The start of a text; never half a pair. */
function start(text: string, length: number): string {
  let out = '';
  for (let i = 0; i < length && i < text.length; i++) out += text[i] as string;
  return out;
}

function digits(value: number): string {
  return value === value && value - value === 0 ? `${value}` : '';
}

// --- values --------------------------------------------------------------------------

/** What stands above a value: to find cycles, and to name the place they lead to. */
interface Above {
  readonly value: object;
  readonly key: string;
  readonly up: Above | null;
}

const more = '"$more":';

class Writer {
  cuts = 0;
  #size = 0;
  #until: number;
  #over = false;
  #steps = 0;
  /** Prototypes whose objects were looked at and found to be of no built-in kind. */
  readonly #plain = new cache<object, true>();

  constructor(private readonly limits: Limits) {
    this.#until = now() + limits.time;
  }

  value(value: unknown, key: string, up: Above | null, depth: number): string | undefined {
    switch (typeof value) {
      case 'string': return this.#text(value);
      case 'number': {
        const text = digits(value);
        this.#size += text.length + 1;
        return text === '' ? `{"$number":"${apply(numberText, value, []) as string}"}` : text;
      }
      case 'boolean': this.#size += 5; return value ? 'true' : 'false';
      case 'undefined': return undefined;
      case 'bigint': return this.#mark('bigint', apply(bigText, value, []) as string);
      case 'symbol': return this.#mark('symbol', apply(symbolText, value, []) as string);
      case 'function': return this.#mark('function', this.#nameOf(value));
      default: break;
    }
    if (value === null) {
      this.#size += 5;
      return 'null';
    }
    const object = value as object;
    try {
      if (object instanceof Raw) {
        this.#size += object.json.length;
        return object.json;
      }
      for (let at = up; at !== null; at = at.up) {
        if (at.value === object) return this.#mark('cycle', pathOf(at), 1);
      }
      if (this.#full()) return this.#cut('{"$more":true}');
      if (depth >= this.limits.depth) return this.#mark('deep', isArray(object) ? 'Array' : this.#className(object) ?? 'Object', 1);
      return this.#object(object, { value: object, key, up }, depth);
    } catch {
      return this.#cut('{"$unreadable":true}'); // a proxy that throws
    }
  }

  #cut(text: string): string {
    this.cuts++;
    this.#size += text.length;
    return text;
  }

  #text(value: string): string {
    const { text } = this.limits;
    if (value.length <= text) {
      this.#size += value.length + 3;
      return quote(value);
    }
    this.#size += text;
    this.cuts++;
    return quote(`${start(value, text)}… [${value.length - text} more characters]`);
  }

  #mark(kind: string, text: string, cuts = 0): string {
    this.cuts += cuts;
    const out = `{"$${kind}":${quote(text.length > 500 ? `${start(text, 500)}…` : text)}}`;
    this.#size += out.length;
    return out;
  }

  /** The bound of size or time is reached. */
  #full(): boolean {
    if (!this.#over && (this.#size > this.limits.size || (++this.#steps % 64 === 0 && now() > this.#until))) this.#over = true;
    return this.#over;
  }

  #object(value: object, here: Above, depth: number): string {
    if (isArray(value)) return this.#array(value, here, depth);
    const proto: object | null = getPrototypeOf(value);
    if (proto === null || proto === objectProto) return this.#fields(value, here, depth, '');
    if (apply(cached, this.#plain, [proto]) !== true) {
      const built = this.#builtIn(value, here, depth);
      if (built !== undefined) return built;
      apply(note, this.#plain, [proto, true]);
    }
    const name = this.#className(value);
    // Another window's plain object has another Object.prototype.
    const plain = name === undefined || name === 'Object' && getPrototypeOf(proto) === null;
    return this.#fields(value, here, depth, plain ? '' : `"$class":${quote(name)}`);
  }

  #array(value: readonly unknown[], here: Above, depth: number): string {
    const length = getOwnPropertyDescriptor(value, 'length')?.value as number;
    let out = '';
    for (let i = 0; i < length; i++) {
      if (i >= this.limits.items || this.#full()) {
        out += `${out === '' ? '' : ','}{${more}${length - i}}`;
        this.cuts++;
        break;
      }
      const found = getOwnPropertyDescriptor(value, i);
      out += (i === 0 ? '' : ',') + (this.#member(value, i, found, `${i}`, here, depth) ?? 'null');
    }
    return `[${out}]`;
  }

  #fields(value: object, here: Above, depth: number, first: string): string {
    let out = first;
    let told = 0;
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (typeof key !== 'string') continue;
      if (told >= this.limits.items || this.#full()) {
        out += `${out === '' ? '' : ','}${more}${keys.length - i}`;
        this.cuts++;
        break;
      }
      const found = getOwnPropertyDescriptor(value, key);
      if (found === undefined || !own(found, 'enumerable')) continue;
      const text = this.#member(value, key, found, key, here, depth);
      if (text === undefined) continue;
      told++;
      this.#size += key.length + 4;
      out += `${out === '' ? '' : ','}${quote(key)}:${text}`;
    }
    return `{${out}}`;
  }

  #member(holder: object, key: string | number, found: PropertyDescriptor | undefined, name: string, here: Above, depth: number): string | undefined {
    if (found === undefined) return undefined;
    if (apply(has, found, ['value']) as boolean) return this.value(found.value, name, here, depth + 1);
    if (this.limits.getters !== true) {
      this.#size += 16;
      return '{"$getter":true}';
    }
    let value: unknown;
    try {
      value = get(holder, key);
    } catch {
      return this.#cut('{"$unreadable":true}');
    }
    return this.value(value, name, here, depth + 1);
  }

  /** What has a slot of its own behind it; undefined for an object of the page's own class. */
  #builtIn(value: object, here: Above, depth: number): string | undefined {
    const time = slot(dateTime, value);
    if (typeof time === 'number') return this.#mark('date', time === time ? slot(dateText, value) as string : 'Invalid Date');
    const entries = slot(mapSize, value);
    if (typeof entries === 'number') return this.#collection(value, here, depth, 'map', mapEach, entries);
    const members = slot(setSize, value);
    if (typeof members === 'number') return this.#collection(value, here, depth, 'set', setEach, members);
    const name = slot(nodeName, value);
    if (typeof name === 'string') {
      const id = slot(elementId, value);
      return this.#mark('node', typeof id === 'string' && id !== '' ? `${name}#${id}` : name);
    }
    if (isView(value)) return this.#bytes(value, slot(viewLength, value) ?? slot(dataViewLength, value));
    const length = slot(bufferLength, value);
    if (typeof length === 'number') return this.#bytes(value, length);
    if (value instanceof RegExp && typeof slot(regexpFlags, value) === 'string') {
      return this.#mark('regexp', `/${slot(regexpSource, value) as string}/${slot(regexpFlags, value) as string}`);
    }
    if (inherits(value, promiseThen)) return this.#mark('promise', '');
    if (inherits(value, errorProto)) {
      const message = getOwnPropertyDescriptor(value, 'message')?.value as unknown;
      return this.#mark('error', `${this.#className(value) ?? 'Error'}: ${typeof message === 'string' ? message : ''}`);
    }
    return undefined;
  }

  #bytes(value: object, length: unknown): string {
    const of = this.#className(value) ?? 'ArrayBuffer';
    return `{"$bytes":${typeof length === 'number' ? digits(length) : 0},"of":${quote(of)}}`;
  }

  #collection(value: object, here: Above, depth: number, kind: 'map' | 'set', each: (run: (value: unknown, key: unknown) => void) => void, length: number): string {
    // A map with texts for keys reads as an object: names of its values are seen as names.
    let named = kind === 'map';
    if (named) {
      apply(each, value, [(_item: unknown, key: unknown): void => {
        named &&= typeof key === 'string';
      }]);
    }
    let out = '';
    let i = 0;
    apply(each, value, [(item: unknown, key: unknown): void => {
      if (i >= this.limits.items || this.#full()) return;
      const text = this.value(item, named ? key as string : `${i}`, here, depth + 1) ?? 'null';
      const entry = kind === 'set' ? text : named ? `${quote(key as string)}:${text}` : `[${this.value(key, `${i}`, here, depth + 1) ?? 'null'},${text}]`;
      out += (i++ === 0 ? '' : ',') + entry;
      if (named) this.#size += (key as string).length + 4;
    }]);
    if (i < length) {
      this.cuts++;
      out += `${out === '' ? '' : ','}${named ? `${more}${length - i}` : `{${more}${length - i}}`}`;
    }
    this.#size += 12;
    return `{"$${kind}":${named ? `{${out}}` : `[${out}]`}}`;
  }

  #nameOf(value: object): string {
    try {
      const name = getOwnPropertyDescriptor(value, 'name')?.value as unknown;
      return typeof name === 'string' ? name : '';
    } catch {
      return '';
    }
  }

  /** The name of the class, by the data of its prototypes alone. */
  #className(value: object): string | undefined {
    try {
      let at = getPrototypeOf(value);
      for (let i = 0; at !== null && i < 10; i++, at = getPrototypeOf(at)) {
        const maker = getOwnPropertyDescriptor(at, 'constructor')?.value as unknown;
        if (typeof maker === 'function') {
          const name = this.#nameOf(maker);
          if (name !== '') return name.length > 100 ? start(name, 100) : name;
        }
      }
    } catch {
      // A proxy that throws has no name.
    }
    return undefined;
  }
}

function own(found: PropertyDescriptor, field: 'enumerable'): boolean {
  return (apply(has, found, [field]) as boolean) && found[field] === true;
}

function inherits(value: object, proto: object): boolean {
  let at = getPrototypeOf(value);
  for (let i = 0; at !== null && i < 20; i++, at = getPrototypeOf(at)) if (at === proto) return true;
  return false;
}

/** A key as a part of a JSON Pointer. */
function part(key: string): string {
  let out = '';
  for (let i = 0; i < key.length; i++) {
    const c = key[i] as string;
    out += c === '~' ? '~0' : c === '/' ? '~1' : c;
  }
  return out;
}

function pathOf(at: Above): string {
  let out = '';
  for (let one: Above | null = at; one !== null && one.up !== null; one = one.up) out = `/${part(one.key)}${out}`;
  return out;
}

/** A value of the page. */
export function encodeValue(value: unknown, limits: Limits): Encoded {
  const writer = new Writer(limits);
  const json = writer.value(value, '', null, 0) ?? 'null';
  return { json, cuts: writer.cuts };
}

/** A value of the page, bounded, to be put into an answer. */
export function bounded(value: unknown, limits: Partial<Limits> = {}): Raw {
  return new Raw(encodeValue(value, { ...asked, ...limits }).json);
}

/** The text of a line. */
export function encode(value: unknown): string {
  return encodeValue(value, ofLines).json;
}
