/**
 * The extension's end of the link to the daemon; host/internal/hostlink is the other.
 *
 * Messages arrive in order, once, or their loss is told. Neither Chrome nor the
 * native host promises that (a frame of bad length silences the pipe without an
 * error), so frames are numbered, kept until acknowledged, and sent again after
 * a hole or a lost connection. A worker that lives on resumes within the
 * daemon's grace time with nothing lost; otherwise the link starts afresh: what
 * was under way is dropped and counted (`lost`), and the caller tells its whole
 * state again when `onState` says `connected` with `resumed: false`.
 *
 * It uses no chrome.* but for the port it is given and runtime.lastError.
 */
import type { LinkOptions, LinkTiming, PortLike } from './link-types.ts';
import { ChunkStreams, isRecord, linkError, LinkError, portFailure, Queue, readFrame, readText, sizeOf, split, utf8Length } from './link-wire.ts';
import type { Envelope, Frame, LinkFailure } from './link-wire.ts';

export { LinkError, type LinkFailure } from './link-wire.ts';
export type { HelloPayload, LinkOptions, LinkState, LinkTiming, PortLike } from './link-types.ts';

export const LINK_VERSION = 1;

const MAX_MESSAGE = 64 << 20;
const PIECE = 8 << 20;
/** What a frame is reckoned at beyond its envelope. */
const OVERHEAD = 80;
const WINDOW_TO_BROWSER = 4 << 20;
const WINDOW_FROM_BROWSER = 16 << 20;
/** Above this, events are refused; below, the worker should have pushed back long before. */
const MAX_QUEUE = 64 << 20;
const ACK_FRAMES = 32;
const ACK_BYTES = 256 << 10;
/** Refusals of what we sent, without progress, after which the link starts afresh without it. */
const MAX_REFUSALS = 3;
/** How long the daemon remembers a link that is down, and a little more. */
const GRACE = 12_000;
/** A timer later than this was held up by a sleeping machine, not by a silent peer. */
const SUSPENDED = 5_000;

const TIMING: LinkTiming = { welcome: 20_000, ping: 10_000, silence: 25_000, ack: 100, nack: 500, probe: 2_000, retryMin: 250, retryMax: 30_000, stable: 5_000 };

interface Outgoing {
  envelope: Envelope;
  text: string;
  bytes: number;
  written: boolean;
}

interface Numbered {
  seq: number;
  bytes: number;
  message: Outgoing;
  chunk?: { id: string; index: number; last: boolean; data: string };
}

interface Pending {
  message: Outgoing;
  resolve(value: unknown): void;
  reject(error: LinkError): void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Link {
  readonly #options: LinkOptions;
  readonly #timing: LinkTiming;
  readonly #now: () => number;
  readonly #random: () => number;

  // The instance: it survives connections.
  #instance = '';
  #epoch = '';
  #life = ''; // the daemon's name for this instance
  #generation = 0;
  #lastSeq = 0;
  #acked = 0;
  #numbered = new Queue<Numbered>();
  #backlog = new Queue<Outgoing>();
  #queued = 0;
  #received = 0;
  #streams = new ChunkStreams();
  #pending = new Map<string, Pending>();
  #lastId = 0;
  #refusals = 0;
  #refused = 0;
  #dropped = 0; // since the last welcome

  // The connection.
  #port: PortLike | undefined;
  #open = false; // welcomed
  #openedAt = 0;
  #cursor = 0; // index in #numbered of the next to write on this connection
  #out = 0;
  #credit = WINDOW_FROM_BROWSER;
  #heard = 0;
  #sent = 0;
  #progress = 0;
  #probed: number | undefined;
  #probeSeq = 0;
  #sinceAck = 0;
  #bytesSinceAck = 0;
  #nackedAt: number | undefined;
  #bye: LinkFailure | undefined;
  #attempts = 0;
  #pumping = false;
  #ackTimer: Timer;
  #beatTimer: Timer;
  #beatAt = 0;
  #awaySince: number | undefined;
  #retryTimer: Timer;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#now = options.now ?? (() => performance.now());
    this.#random = options.random ?? Math.random;
    this.#newInstance();
  }

  /** Bytes that the daemon has not acknowledged, sent or not. */
  get queued(): number {
    return this.#queued;
  }

  /** Events refused because the queue was full or there was nothing to resume. */
  get refused(): number {
    return this.#refused;
  }

  /** Connects now, also when it waits for its next attempt. */
  start(): void {
    if (this.#port) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#connect();
  }

  /** Disconnects and stays so until start(), which resumes if the daemon still remembers. */
  stop(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    const port = this.#port;
    this.#closeConnection();
    port?.disconnect();
    guard(() => this.#options.onState({ phase: 'waiting' }));
  }

  /** Sends an event. False, and nothing is sent, when there is no link to resume or too much is queued: the caller keeps it. */
  event(op: string, payload: unknown): boolean {
    if (this.#epoch !== '' && this.#queued < MAX_QUEUE && this.#push({ kind: 'event', op, payload })) return true;
    this.#refused++;
    return false;
  }

  /** Asks the daemon. Rejects with a LinkError. */
  request(op: string, payload: unknown): Promise<unknown> {
    if (this.#epoch === '') return Promise.reject(new LinkError('DAEMON_UNAVAILABLE', `${op} was not sent: there is no connection to the daemon.`));
    const id = `x${String(++this.#lastId)}`;
    return new Promise((resolve, reject) => {
      let message: Outgoing | undefined;
      try {
        message = this.#push({ kind: 'request', id, op, payload }, (made) => this.#pending.set(id, { message: made, resolve, reject }));
      } catch (error) {
        reject(linkError(error));
        return;
      }
      if (!message) reject(tooLarge(op));
    });
  }

  // ---- sending

  /** Queues a message and sends what may be sent; undefined when it is larger than the link's limit. */
  #push(envelope: Envelope, made?: (message: Outgoing) => void): Outgoing | undefined {
    const text = JSON.stringify(envelope);
    const bytes = utf8Length(text);
    if (bytes > MAX_MESSAGE) return undefined;
    const message: Outgoing = { envelope, text, bytes, written: false };
    made?.(message);
    this.#backlog.push(message);
    this.#queued += bytes + OVERHEAD;
    this.#pump();
    // What could not leave at once leaves as it is now, whatever the caller does to its object.
    if (!message.written) message.envelope = { kind: envelope.kind, id: envelope.id, op: envelope.op, payload: undefined };
    return message;
  }

  #pump(): void {
    if (!this.#open || this.#pumping) return;
    this.#pumping = true;
    try {
      for (;;) {
        const waiting = this.#backlog.at(0);
        if (this.#cursor === this.#numbered.length && waiting && this.#mayWrite(Math.min(waiting.bytes, PIECE) + OVERHEAD)) this.#number(waiting);
        const frame = this.#numbered.at(this.#cursor);
        if (!frame || !this.#mayWrite(frame.bytes)) break;
        if (this.#cursor === 0) {
          this.#progress = this.#now();
          if (this.#beatAt > this.#progress + this.#timing.probe) this.#beatIn(this.#timing.probe);
        }
        this.#cursor++;
        this.#out += frame.bytes;
        if (!this.#postData(frame)) return;
      }
      if (this.#sinceAck >= ACK_FRAMES || this.#bytesSinceAck >= ACK_BYTES) this.#control('ack');
    } finally {
      this.#pumping = false;
    }
  }

  #mayWrite(bytes: number): boolean {
    return this.#credit > 0 && (this.#out === 0 || this.#out + bytes <= this.#credit);
  }

  /** Gives a message its place in the stream, in chunks when it is large. */
  #number(message: Outgoing): void {
    this.#backlog.shift();
    if (message.bytes + OVERHEAD <= PIECE) {
      this.#numbered.push({ seq: ++this.#lastSeq, bytes: message.bytes + OVERHEAD, message });
      return;
    }
    const pieces = split(message.text, PIECE);
    const id = `c${String(++this.#lastId)}`;
    this.#queued -= OVERHEAD;
    pieces.forEach(({ data, bytes }, index) => {
      this.#queued += OVERHEAD;
      this.#numbered.push({ seq: ++this.#lastSeq, bytes: bytes + OVERHEAD, message, chunk: { id, index, last: index === pieces.length - 1, data } });
    });
    message.text = ''; // the pieces hold it now
  }

  /** Posts one numbered frame; false when the connection broke. */
  #postData(frame: Numbered): boolean {
    const { message } = frame;
    // The object itself when it leaves at once; later what it was then, which is our own text.
    const whole = (): object => (message.written || message.envelope.payload === undefined ? (JSON.parse(message.text) as object) : message.envelope);
    const body = frame.chunk ? { kind: 'chunk', ...frame.chunk } : whole();
    const outcome = this.#post({ v: 1, seq: frame.seq, ack: this.#received, window: WINDOW_TO_BROWSER, ...body });
    if (!frame.chunk || frame.chunk.last) message.written = true;
    if (message.written) message.envelope = { kind: message.envelope.kind, id: message.envelope.id, op: message.envelope.op, payload: undefined };
    if (outcome !== 'too large') return outcome === 'sent';
    return this.#substitute(frame);
  }

  /** Chrome refused a frame for its size: another takes its number, so that the loss is told. */
  #substitute(frame: Numbered): boolean {
    const { kind, id, op } = frame.message.envelope;
    const instead: Envelope =
      kind === 'response'
        ? { kind, id, error: tooLarge('the result').toWire() }
        : { kind: 'event', op: 'link.dropped', payload: { op, bytes: frame.bytes, reason: 'too_large' } };
    if (id !== undefined && kind === 'request') this.#settle(id)?.reject(tooLarge(op ?? ''));
    delete frame.chunk;
    frame.message = { envelope: instead, text: JSON.stringify(instead), bytes: frame.bytes, written: false };
    return this.#post({ v: 1, seq: frame.seq, ack: this.#received, window: WINDOW_TO_BROWSER, ...instead }) === 'sent';
  }

  #control(kind: 'ack' | 'nack' | 'ping' | 'pong'): void {
    this.#post({ v: 1, kind, ack: this.#received, window: WINDOW_TO_BROWSER });
  }

  #post(frame: object): 'sent' | 'too large' | 'broken' {
    const port = this.#port;
    if (!port) return 'broken';
    try {
      port.postMessage(frame);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (/exceeded maximum|too large|64 ?MiB/i.test(text)) return 'too large';
      // Not from here: the caller is in the middle of the queue.
      queueMicrotask(() => this.#lost(port, text));
      return 'broken';
    }
    this.#sent = this.#now();
    this.#sinceAck = 0;
    this.#bytesSinceAck = 0;
    return 'sent';
  }

  // ---- receiving

  #onMessage(port: PortLike, raw: unknown): void {
    if (port !== this.#port) return;
    this.#heard = this.#now();
    const frame = readFrame(raw);
    if (typeof frame === 'string') {
      this.#malformed(frame);
      return;
    }
    if (frame.kind === 'bye') {
      this.#bye = frame.error ?? { code: 'DAEMON_UNAVAILABLE', message: 'The daemon closed the link.' };
      if (this.#bye.code === 'PROTOCOL_ERROR') this.#refusals++;
      this.#lost(port, undefined);
      port.disconnect();
      return;
    }
    if (!this.#open) {
      if (frame.kind === 'welcome') this.#welcomed(frame);
      return;
    }
    this.#applyAck(frame);
    if (frame.seq === undefined) this.#steer(frame);
    else this.#accept(frame, frame.seq);
    this.#pump();
  }

  #accept(frame: Frame, seq: number): void {
    if (seq <= this.#received) {
      this.#control('ack');
      return;
    }
    const now = this.#now();
    if (seq > this.#received + 1) {
      if (this.#nackedAt === undefined || now - this.#nackedAt >= this.#timing.nack) {
        this.#nackedAt = now;
        this.#control('nack');
      }
      return;
    }
    this.#received = seq;
    this.#nackedAt = undefined;
    this.#sinceAck++;
    this.#bytesSinceAck += frame.data === undefined ? sizeOf(frame.payload) : frame.data.length;
    this.#ackTimer ??= setTimeout(() => {
      this.#ackTimer = undefined;
      if (this.#open && this.#sinceAck > 0) this.#control('ack');
    }, this.#timing.ack);
    this.#streams.expire(now, frame.kind === 'chunk' ? frame.id : undefined);
    if (frame.kind !== 'chunk') {
      this.#deliver(frame);
      return;
    }
    const text = this.#streams.add(frame, now);
    if (text === undefined) return;
    const envelope = readText(text);
    if (typeof envelope === 'string') this.#malformed(envelope);
    else this.#deliver(envelope);
  }

  #malformed(what: string): void {
    this.#breakOff({ code: 'PROTOCOL_ERROR', message: `The daemon sent a malformed frame: ${what}`, command: 'dbridge doctor', suggestions: ['Run `dbridge doctor`.'] });
  }

  #steer(frame: Frame): void {
    if (frame.kind === 'ping') this.#control('pong');
    else if (frame.kind === 'nack') this.#rewind();
    else if (frame.kind === 'pong') {
      // The pong came after all that had reached the daemon before our ping: what it does not acknowledge is lost.
      if (this.#probed !== undefined && this.#acked < this.#probeSeq) this.#rewind();
      this.#probed = undefined;
    }
  }

  #deliver(frame: Frame): void {
    const { kind, id, op, payload } = frame;
    if (kind === 'event' && op !== undefined) {
      guard(() => this.#options.onEvent(op, payload));
    } else if (kind === 'response' && id !== undefined) {
      const pending = this.#settle(id);
      if (frame.error) pending?.reject(linkError(frame.error));
      else pending?.resolve(payload);
    } else if (kind === 'request' && id !== undefined && op !== undefined) {
      void this.#answer(id, op, payload);
    }
  }

  async #answer(id: string, op: string, payload: unknown): Promise<void> {
    const generation = this.#generation;
    let response: Envelope;
    try {
      response = { kind: 'response', id, payload: await this.#options.onRequest(op, payload) };
    } catch (error) {
      response = { kind: 'response', id, error: linkError(error).toWire() };
    }
    if (generation !== this.#generation) return; // its asker is gone
    try {
      if (!this.#push(response)) this.#push({ kind: 'response', id, error: tooLarge(op).toWire() });
    } catch (error) {
      // The result is not JSON (a BigInt, a circle): the asker hears that instead.
      this.#push({ kind: 'response', id, error: linkError(error).toWire() });
    }
  }

  #settle(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #applyAck(frame: Frame): void {
    if (frame.window !== undefined) this.#credit = frame.window;
    if (frame.ack === undefined || frame.ack <= this.#acked) return;
    while (this.#acked < frame.ack) {
      const done = this.#numbered.shift();
      if (!done) break;
      this.#acked = done.seq;
      this.#queued -= done.bytes;
      if (this.#cursor > 0) {
        this.#cursor--;
        this.#out -= done.bytes;
      }
    }
    this.#progress = this.#now();
    this.#refusals = 0;
    if (this.#acked >= this.#probeSeq) this.#probed = undefined;
  }

  #rewind(): void {
    this.#cursor = 0;
    this.#out = 0;
  }

  // ---- the connection

  #connect(): void {
    const error = this.#bye;
    guard(() => this.#options.onState({ phase: 'connecting', error }));
    this.#bye = undefined;
    let port: PortLike;
    try {
      port = this.#options.connect();
    } catch (error) {
      this.#retry(portFailure(error instanceof Error ? error.message : String(error)));
      return;
    }
    this.#port = port;
    port.onMessage.addListener((message) => this.#onMessage(port, message));
    port.onDisconnect.addListener(() => this.#lost(port, (this.#options.lastError ?? chromeLastError)()));
    this.#heard = this.#now();
    this.#openedAt = this.#heard;
    this.#post({
      v: 1,
      kind: 'hello',
      payload: { ...this.#options.hello(), linkVersion: LINK_VERSION, instanceId: this.#instance, epoch: this.#epoch, life: this.#life, received: this.#received },
    });
    this.#beat();
  }

  #welcomed(frame: Frame): void {
    const { payload } = frame;
    if (!isRecord(payload) || typeof payload.epoch !== 'string') {
      this.#malformed('welcome without epoch');
      return;
    }
    // A welcome that was lost on the way makes a resumption that is none for our side: nothing was told yet.
    const resumed = payload.resumed === true && this.#epoch !== '';
    if (!resumed) this.#reset();
    const lost = resumed ? undefined : this.#dropped;
    this.#dropped = 0;
    this.#epoch = payload.epoch;
    this.#life = typeof payload.life === 'string' ? payload.life : '';
    this.#open = true;
    this.#awaySince = undefined;
    this.#openedAt = this.#now();
    this.#progress = this.#openedAt;
    this.#credit = WINDOW_FROM_BROWSER;
    this.#rewind();
    if (resumed) {
      this.#applyAck({ kind: 'ack', ack: typeof payload.received === 'number' ? payload.received : 0 });
      this.#streams.touch(this.#openedAt);
    }
    const hostVersion = typeof payload.hostVersion === 'string' ? payload.hostVersion : undefined;
    this.#pump(); // what the daemon misses goes before anything new
    this.#control('ack');
    guard(() => this.#options.onState({ phase: 'connected', hostVersion, epoch: this.#epoch, resumed, lost }));
  }

  /** Starts the stream afresh; what was under way is dropped and counted. */
  #reset(): void {
    const lost = new Set<Outgoing>();
    for (const { message } of this.#numbered.drain()) lost.add(message);
    for (const message of this.#backlog.drain()) lost.add(message);
    this.#generation++;
    this.#lastSeq = this.#acked = this.#received = this.#queued = 0;
    this.#streams = new ChunkStreams();
    this.#failPending();
    this.#dropped += lost.size;
  }

  #failPending(): void {
    for (const { message, reject } of this.#pending.values()) {
      const dispatched = message.written;
      const code = dispatched ? 'INDETERMINATE' : 'DAEMON_UNAVAILABLE';
      const text = dispatched ? 'The daemon got the request, and its answer was lost.' : 'The connection to the daemon ended before the request was sent.';
      reject(new LinkError(code, text, { details: { dispatched } }));
    }
    this.#pending.clear();
  }

  #newInstance(): void {
    this.#instance = Array.from({ length: 4 }, () => Math.floor(this.#random() * 2 ** 32).toString(36)).join('-');
    this.#epoch = this.#life = '';
  }

  /** Ends the connection because of what the daemon did. */
  #breakOff(error: LinkFailure): void {
    const port = this.#port;
    if (!port) return;
    this.#bye = error;
    this.#lost(port, undefined);
    port.disconnect();
  }

  /** The port is gone, or is given up. */
  #lost(port: PortLike, text: string | undefined): void {
    if (port !== this.#port) return;
    if (this.#open && this.#now() - this.#openedAt >= this.#timing.stable) this.#attempts = 0;
    this.#closeConnection();
    if (this.#refusals >= MAX_REFUSALS) {
      // Something we send again and again is not understood: go on without it.
      this.#refusals = 0;
      this.#reset();
      this.#newInstance();
    }
    this.#retry(this.#bye ?? portFailure(text));
  }

  #closeConnection(): void {
    this.#port = undefined;
    this.#open = false;
    clearTimeout(this.#ackTimer);
    clearTimeout(this.#beatTimer);
    this.#ackTimer = this.#beatTimer = undefined;
    this.#beatAt = 0;
    this.#awaySince ??= this.#now();
    this.#probed = this.#nackedAt = undefined;
    this.#probeSeq = this.#sinceAck = this.#bytesSinceAck = 0;
  }

  #retry(error: LinkFailure): void {
    this.#bye = error;
    // By now the daemon has forgotten us: nobody will answer, and what is told unsent must not go later.
    if (this.#awaySince !== undefined && this.#now() - this.#awaySince > GRACE) (this.#reset(), this.#newInstance());
    // Replaced by another instance of this profile: two that fight over the link help nobody.
    const replaced = isRecord(error.details) && error.details.reason === 'replaced';
    const lasting = replaced || error.code === 'NATIVE_HOST_NOT_INSTALLED' || error.code === 'VERSION_MISMATCH';
    const { retryMin, retryMax } = this.#timing;
    const base = lasting ? retryMax : Math.min(retryMax, retryMin * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 20);
    const delay = base * (0.5 + this.#random() / 2);
    if (!replaced) {
      this.#retryTimer = setTimeout(() => {
        this.#retryTimer = undefined;
        this.#connect();
      }, delay);
    }
    guard(() => this.#options.onState({ phase: lasting ? 'failed' : 'waiting', error, retryAt: replaced ? undefined : Date.now() + delay }));
  }

  /** Keeps the link alive and finds out when it is not; one timer, set again when it fires. */
  #beat(): void {
    const port = this.#port;
    if (!port) return;
    const now = this.#now();
    const { ping, silence, probe, welcome } = this.#timing;
    if (this.#beatAt > 0 && now - this.#beatAt > SUSPENDED) this.#heard = Math.max(this.#heard, now - silence + SUSPENDED);
    if (now - this.#heard >= silence || (!this.#open && now - this.#openedAt >= welcome)) {
      this.#bye = { code: 'DAEMON_UNAVAILABLE', message: 'The daemon has been silent for too long.', command: 'dbridge doctor', suggestions: ['Run `dbridge doctor`.'] };
      this.#lost(port, undefined);
      port.disconnect();
      return;
    }
    const asks = this.#open && this.#cursor > 0 && now - Math.max(this.#progress, this.#probed ?? 0) >= probe;
    if (this.#open && (asks || now - this.#sent >= ping)) {
      if (this.#cursor > 0) {
        this.#probed = now;
        this.#probeSeq = this.#numbered.at(this.#cursor - 1)?.seq ?? 0;
      }
      this.#control('ping');
    }
    const own = this.#open ? Math.min(this.#sent + ping, this.#cursor > 0 ? now + probe : Infinity) : this.#openedAt + welcome;
    this.#beatIn(Math.max(1, Math.min(own, this.#heard + silence) - now));
  }

  #beatIn(wait: number): void {
    clearTimeout(this.#beatTimer);
    this.#beatAt = this.#now() + wait;
    this.#beatTimer = setTimeout(() => this.#beat(), wait);
  }
}

function tooLarge(op: string): LinkError {
  return new LinkError('RESULT_TOO_LARGE', `${op}: the message is larger than the link's limit of ${String(MAX_MESSAGE)} bytes.`, { details: { limit: MAX_MESSAGE } });
}

/** A fault of a callback is reported, and is not the link's. */
function guard(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function chromeLastError(): string | undefined {
  return typeof chrome === 'undefined' ? undefined : chrome.runtime?.lastError?.message;
}
