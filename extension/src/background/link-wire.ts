/** What the link is made of: frames and their check, chunks, sizes, failures. No state but what a class here holds. */

export type Kind = 'request' | 'response' | 'event' | 'chunk' | 'ack' | 'nack' | 'ping' | 'pong' | 'hello' | 'welcome' | 'bye';

const KINDS: ReadonlySet<string> = new Set<Kind>(['request', 'response', 'event', 'chunk', 'ack', 'nack', 'ping', 'pong', 'hello', 'welcome', 'bye']);
const SEQUENCED: ReadonlySet<string> = new Set<Kind>(['request', 'response', 'event', 'chunk']);

/** A failure as it travels, and as onState tells it. */
export interface LinkFailure {
  code: string;
  message: string;
  details?: Record<string, unknown> | undefined;
  suggestions?: string[] | undefined;
  retryable?: boolean | undefined;
  /** The exact command that helps, when there is one. */
  command?: string | undefined;
}

export interface Envelope {
  kind: Kind;
  id?: string | undefined;
  op?: string | undefined;
  payload?: unknown;
  error?: LinkFailure | undefined;
}

export interface Frame extends Envelope {
  seq?: number | undefined;
  ack?: number | undefined;
  window?: number | undefined;
  index?: number | undefined;
  last?: boolean | undefined;
  data?: string | undefined;
}

export class LinkError extends Error {
  readonly code: string;
  readonly details: Record<string, unknown> | undefined;
  readonly suggestions: string[] | undefined;
  readonly retryable: boolean | undefined;

  constructor(code: string, message: string, extra: { details?: Record<string, unknown> | undefined; suggestions?: string[] | undefined; retryable?: boolean | undefined } = {}) {
    super(message);
    this.name = 'LinkError';
    this.code = code;
    this.details = extra.details;
    this.suggestions = extra.suggestions;
    this.retryable = extra.retryable;
  }

  toWire(): LinkFailure {
    return { code: this.code, message: this.message, details: this.details, suggestions: this.suggestions, retryable: this.retryable };
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes a LinkError of whatever was thrown or has come; anything with a code keeps it. */
export function linkError(thrown: unknown): LinkError {
  if (thrown instanceof LinkError) return thrown;
  const { code, details, suggestions, retryable } = fields(thrown);
  const message = isRecord(thrown) && typeof thrown.message === 'string' ? thrown.message : String(thrown);
  return new LinkError(typeof code === 'string' && code !== '' ? code : 'INTERNAL_ERROR', message, {
    details: isRecord(details) ? details : undefined,
    suggestions: texts(suggestions),
    retryable: typeof retryable === 'boolean' ? retryable : undefined,
  });
}

function fields(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : undefined;
}

/** Checks one frame of the daemon; a string says what is wrong with it. */
export function readFrame(raw: unknown): Frame | string {
  if (!isRecord(raw)) return 'not an object';
  if (raw.v !== 1) return 'unknown version';
  const { kind, seq, ack, window, id, op, payload, error, index, last, data } = raw;
  if (!isKind(kind)) return 'unknown kind';
  if (!isCount(seq) || !isCount(ack) || !isCount(window) || !isCount(index)) return 'a number is out of range';
  if (SEQUENCED.has(kind) !== (seq !== undefined && seq > 0)) return `seq in a frame of kind ${kind}`;
  if ((id !== undefined && typeof id !== 'string') || (op !== undefined && typeof op !== 'string')) return 'id or op is not a string';
  if (data !== undefined && typeof data !== 'string') return 'data is not a string';
  if (kind === 'chunk' && (id === undefined || data === undefined || index === undefined)) return 'incomplete chunk';
  if ((kind === 'request' || kind === 'response') && id === undefined) return `${kind} without id`;
  if ((kind === 'request' || kind === 'event') && op === undefined) return `${kind} without op`;
  return { kind, seq, ack, window, id, op, payload, error: readFailure(error), index, last: last === true, data };
}

/** Checks the text that was put together from chunks. */
export function readText(text: string): Frame | string {
  try {
    const envelope: unknown = JSON.parse(text);
    return isRecord(envelope) ? readFrame({ v: 1, seq: 1, ...envelope }) : 'a chunked message is not an object';
  } catch {
    return 'a chunked message is not JSON';
  }
}

function readFailure(error: unknown): LinkFailure | undefined {
  if (!isRecord(error)) return undefined;
  const failure: LinkFailure = linkError(error).toWire();
  // A suggestion names its command in backquotes.
  const command = failure.suggestions?.map((text) => /`(dbridge [^`]+)`/.exec(text)?.[1]).find((found) => found !== undefined);
  return command === undefined ? failure : { ...failure, command };
}

function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && KINDS.has(value);
}

function isCount(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0);
}

/** What Chrome says when a native port closes, in our words. */
export function portFailure(text: string | undefined): LinkFailure {
  const said = text === undefined ? '' : ` Chrome says: ${text}`;
  const install = { code: 'NATIVE_HOST_NOT_INSTALLED', command: 'dbridge install', suggestions: ['Run `dbridge install`, then restart the browser.'] };
  if (/host not found/i.test(text ?? '')) return { ...install, message: `This browser does not know the Debug Bridge host.${said}` };
  if (/forbidden/i.test(text ?? '')) return { ...install, message: `The Debug Bridge host of this browser is installed for another extension.${said}` };
  return {
    code: 'DAEMON_UNAVAILABLE',
    message: `The connection to Debug Bridge ended.${said}`,
    command: 'dbridge doctor',
    suggestions: ['Run `dbridge doctor`: it finds the broken hop.'],
  };
}

/** How many bytes a string is in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2; // two halves of a pair make four bytes
  }
  return bytes;
}

/** Cuts text into pieces of at most `size` bytes of UTF-8, never inside a surrogate pair. */
export function split(text: string, size: number): { data: string; bytes: number }[] {
  const pieces: { data: string; bytes: number }[] = [];
  let start = 0;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const pair = unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length;
    const width = pair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (bytes + width > size) {
      pieces.push({ data: text.slice(start, i), bytes });
      start = i;
      bytes = 0;
    }
    bytes += width;
    if (pair) i++;
  }
  pieces.push({ data: text.slice(start), bytes });
  return pieces;
}

/** A cheap lower bound of a payload's size, to know when to acknowledge: it looks at few values only. */
export function sizeOf(payload: unknown): number {
  let left = 64;
  const measure = (value: unknown): number => {
    if (--left < 0) return 256;
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 8;
    let size = 2;
    for (const key in value) {
      if (left < 0) break;
      size += key.length + measure((value as Record<string, unknown>)[key]);
    }
    return left < 0 && Array.isArray(value) ? Math.max(size, value.length * 16) : size;
  };
  return measure(payload);
}

/** First in, first out, without moving the rest on each step. */
export class Queue<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  at(index: number): T | undefined {
    return this.#items[this.#head + index];
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (this.#head >= this.#items.length) return undefined;
    this.#items[this.#head++] = undefined;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  *drain(): Generator<T> {
    for (let item = this.shift(); item !== undefined; item = this.shift()) yield item;
  }
}

const MAX_MESSAGE = 64 << 20;
const MAX_STREAMS = 64;
const STREAM_TTL = 30_000;
const REMEMBERED = 256;

/** Puts chunked messages together, within limits. A bad chunk costs the message it belongs to. */
export class ChunkStreams {
  readonly #open = new Map<string, { parts: string[]; length: number; heard: number }>();
  readonly #ended = new Set<string>();

  /** Takes one chunk; gives the whole text with the last. */
  add(frame: Frame, now: number): string | undefined {
    const { id = '', index = 0, data = '' } = frame;
    if (this.#ended.has(id)) return undefined;
    let stream = this.#open.get(id);
    if (!stream) {
      if (index !== 0 || this.#open.size >= MAX_STREAMS) return this.#end(id);
      stream = { parts: [], length: 0, heard: now };
      this.#open.set(id, stream);
    }
    if (index < stream.parts.length) return undefined;
    if (index > stream.parts.length || stream.length + data.length > MAX_MESSAGE) return this.#end(id);
    stream.parts.push(data);
    stream.length += data.length;
    stream.heard = now;
    if (frame.last !== true) return undefined;
    this.#end(id);
    return stream.parts.join('');
  }

  #end(id: string): undefined {
    this.#open.delete(id);
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
  }

  /**
   * Drops messages whose pieces stopped coming although the daemon went on with others:
   * `coming` is the one whose piece has come. Time alone shows nothing, as after a machine slept.
   */
  expire(now: number, coming: string | undefined): void {
    for (const [id, stream] of this.#open) if (id !== coming && now - stream.heard > STREAM_TTL) this.#end(id);
  }

  /** Gives every open stream its full time again, after an interruption that was nobody's fault. */
  touch(now: number): void {
    for (const stream of this.#open.values()) stream.heard = now;
  }
}
