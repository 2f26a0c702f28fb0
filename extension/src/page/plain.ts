/** Plain data out of anything: bounded, without cycles, getters' faults or lone surrogates. */

const maxStateBytes = 512 * 1024;
const maxDepth = 12;
const maxKeys = 2000;

/**
 * Makes every string of a message well-formed and masked, in place, and gives the
 * message's approximate size in bytes. Messages are our own plain objects.
 */
export function weigh(value: object, mask: (text: string) => string): number {
  let bytes = 2;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    bytes += key.length + 4;
    const field = record[key];
    if (typeof field === 'string') {
      const text = mask(field.toWellFormed());
      if (text !== field) record[key] = text;
      bytes += text.length + 2;
    } else if (typeof field === 'object' && field !== null) bytes += weigh(field, mask);
    else bytes += 6;
  }
  return bytes;
}

/** Replaces the user's own secrets in text. */
export function masker(secrets: readonly string[] | undefined): (text: string) => string {
  // A secret of a few letters would mask ordinary words.
  const list = (secrets ?? []).filter((secret) => secret.length >= 4);
  if (list.length === 0) return (text) => text;
  return (text) => {
    let out = text;
    for (const secret of list) if (out.includes(secret)) out = out.replaceAll(secret, '«redacted»');
    return out;
  };
}

/** Cuts text at a limit and says how much went; never inside a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}… [${text.length - end} more characters]`;
}

export interface Plain {
  value: unknown;
  /** What was cut or could not be told as JSON. */
  cuts: number;
}

/**
 * A JSON value from any value: cycles, functions, symbols, big integers, Maps, Sets,
 * Dates, errors and DOM nodes become text or arrays; `__proto__` stays an ordinary key.
 */
export function toPlain(input: unknown, limit = maxStateBytes): Plain {
  let bytes = 0;
  let cuts = 0;
  const open = new Set<object>();

  const text = (value: string): string => {
    const whole = value.toWellFormed();
    const kept = cut(whole, Math.max(64, limit - bytes));
    if (kept !== whole) cuts++;
    bytes += kept.length + 2;
    return kept;
  };

  const list = (items: Iterable<unknown>, depth: number): unknown[] => {
    const out: unknown[] = [];
    for (const item of items) {
      if (bytes > limit) {
        cuts++;
        break;
      }
      out.push(convert(item, depth + 1) ?? null);
    }
    return out;
  };

  const object = (value: object, depth: number): unknown => {
    const out: Record<string, unknown> = {};
    let keys = 0;
    for (const key of Object.keys(value)) {
      if (++keys > maxKeys || bytes > limit) {
        cuts++;
        break;
      }
      let field: unknown;
      try {
        field = (value as Record<string, unknown>)[key];
      } catch {
        cuts++;
        continue;
      }
      const plain = convert(field, depth + 1);
      bytes += key.length + 4;
      // defineProperty: a key named __proto__ must not change our object.
      if (plain !== undefined) {
        Object.defineProperty(out, key.toWellFormed(), { value: plain, enumerable: true, writable: true, configurable: true });
      }
    }
    return out;
  };

  const convert = (value: unknown, depth: number): unknown => {
    switch (typeof value) {
      case 'string': return text(value);
      case 'boolean': bytes += 5; return value;
      case 'number': bytes += 8; return Number.isFinite(value) ? value : String(value);
      case 'bigint': return text(`${value}n`);
      case 'symbol': return text(String(value));
      case 'function': return depth === 0 ? text(`ƒ ${value.name}()`) : undefined;
      case 'undefined': return undefined;
      default: break;
    }
    if (value === null || typeof value !== 'object') {
      bytes += 4;
      return null;
    }
    if (open.has(value)) {
      cuts++;
      return '[Circular]';
    }
    if (depth >= maxDepth) {
      cuts++;
      return Array.isArray(value) ? '[Array]' : '[Object]';
    }
    open.add(value);
    try {
      if (Array.isArray(value)) return list(value, depth);
      if (value instanceof Date) return text(Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString());
      if (value instanceof RegExp) return text(String(value));
      if (value instanceof Map) return list(value.entries(), depth);
      if (value instanceof Set) return list(value.values(), depth);
      if (value instanceof Error || value instanceof DOMException) return text(`${value.name}: ${value.message}`);
      if (value instanceof Promise) return '[Promise]';
      if (value instanceof Element) return text(`<${value.localName}${value.id === '' ? '' : ` id="${value.id}"`}>`);
      if (value instanceof Node) return text(value.nodeName);
      if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return list(value as Uint8Array, depth);
      const toJSON: unknown = (value as { toJSON?: unknown }).toJSON;
      if (typeof toJSON === 'function') {
        const json: unknown = toJSON.call(value, '');
        if (json !== value) return convert(json, depth + 1);
      }
      return object(value, depth);
    } catch {
      cuts++;
      return '[object that cannot be read]';
    } finally {
      open.delete(value);
    }
  };

  return { value: convert(input, 0), cuts };
}
