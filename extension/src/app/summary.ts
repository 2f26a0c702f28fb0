/** A value in few words, for a component's props and hooks: plain, small, and nothing of the page is called for it. */
import { has, isObject, nameOf, own } from './peek.ts';

const { isArray } = Array;
const { keys, getPrototypeOf, getOwnPropertyDescriptor } = Object;

const maxText = 300; // characters of one string
const maxItems = 20; // of one array
const maxKeys = 40; // of one object
const maxDepth = 4;

/** How much all values of one answer may take, about, in characters. */
export class Room {
  constructor(public left: number) {}
}

export function summary(value: unknown, room: Room, depth = 0): unknown {
  room.left -= 8;
  try {
    return read(value, room, depth);
  } catch {
    return '[cannot be read]';
  }
}

function read(value: unknown, room: Room, depth: number): unknown {
  switch (typeof value) {
    case 'string': return text(value, room);
    case 'number': return Number.isFinite(value) ? value : String(value);
    case 'boolean': return value;
    case 'bigint': return `${value}n`;
    case 'symbol': return text(String(value), room);
    case 'undefined': return '[undefined]';
    case 'function': return text(`ƒ ${nameOf(value)}`.trimEnd(), room);
    default: break;
  }
  if (!isObject(value)) return null;
  const element = elementName(value);
  if (element !== undefined) return text(element, room);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Map || value instanceof Set) return `${value instanceof Map ? 'Map' : 'Set'}(${value.size})`;
  if (value instanceof Error) return text(`${String(own(value, 'name') ?? 'Error')}: ${String(own(value, 'message') ?? '')}`, room);
  if (value instanceof Promise) return '[Promise]';
  const short = isArray(value) ? `[${value.length} items]` : `{${nameOfClass(value)}}`;
  if (depth >= maxDepth || room.left <= 0) return short;
  if (isArray(value)) {
    const items = value.slice(0, maxItems).map((item: unknown) => summary(item, room, depth + 1));
    return value.length > maxItems ? [...items, `… ${value.length - maxItems} more`] : items;
  }
  // What is deep in an instance of a class is its own affair: a client, a router, an editor.
  if (depth > 0 && nameOfClass(value) !== 'Object') return short;
  const out: Record<string, unknown> = {};
  const all = keys(value);
  for (const key of all.slice(0, maxKeys)) {
    const named = getOwnPropertyDescriptor(value, key);
    if (named !== undefined && has(named, 'value') && named.value === undefined) continue;
    const field = named !== undefined && !has(named, 'value') ? '[getter]' : summary(named?.value, room, depth + 1);
    room.left -= key.length;
    Object.defineProperty(out, key, { value: field, enumerable: true, configurable: true, writable: true });
  }
  if (all.length > maxKeys) out['…'] = `${all.length - maxKeys} more`;
  return out;
}

function text(value: string, room: Room): string {
  const cut = value.length > maxText ? `${value.slice(0, maxText).toWellFormed()}… (${value.length} characters)` : value.toWellFormed();
  room.left -= cut.length;
  return cut;
}

function nameOfClass(value: object): string {
  const proto = getPrototypeOf(value) as object | null;
  if (proto === null) return 'Object';
  return nameOf(own(proto, 'constructor')) || 'Object';
}

/** <TodoItem> of what a framework makes of JSX, <li> of an element. */
function elementName(value: object): string | undefined {
  if (value instanceof Node) return value instanceof Element ? `<${value.localName}${value.id === '' ? '' : `#${value.id}`}>` : value.nodeName;
  const kind = own(value, '$$typeof');
  const isElement = typeof kind === 'symbol' && (kind.description === 'react.element' || kind.description === 'react.transitional.element');
  if (!isElement && own(value, '__v_isVNode') !== true && !(has(value, '__v') && has(value, 'props'))) return undefined;
  const type = own(value, 'type');
  if (typeof type === 'string') return `<${type}>`;
  return `<${nameOf(type) || nameOf(own(type, 'type')) || nameOf(own(type, 'render'))}>`; // <> is a fragment
}
