/**
 * The way of telemetry out of the document: numbers messages from 1, sends them in
 * batches and keeps them until acknowledged. A flood stays here: beyond the window
 * nothing is sent, beyond the bound the oldest ordinary telemetry goes and a `dropped`
 * message says how much. Numbers are given when a message is first sent, so what is
 * dropped leaves no hole.
 */
import type { Channel, TelemetryMessage } from './api.ts';
import { weigh } from './plain.ts';

const batchDelay = 50; // ms between batches
const batchBytes = 64 * 1024;
const batchMessages = 256;
const windowBytes = 2 * 1024 * 1024; // sent and not acknowledged
const keepMessages = 20_000;
const keepBytes = 16 * 1024 * 1024;
const busyMessages = 1000; // queued: collectors that can merge wait

// What others build on; these are never dropped.
const vital: ReadonlySet<string> = new Set(['ui_tree', 'ui_tree_diff', 'dom_snapshot', 'dropped']);
/** Of state, what has a version: the next one builds on it. Its collector waits while the reader is behind. */
const isVital = ({ type, version }: TelemetryMessage): boolean => vital.has(type) || type === 'state_update' && version !== undefined;

interface Entry {
  message: TelemetryMessage;
  bytes: number;
}

export interface Outbox {
  push(message: TelemetryMessage): void;
  /** Counts telemetry that never became a message. */
  lost(type: string, count: number): void;
  acknowledge(upTo: number): void;
  resend(): void;
  /** Sends now what the window allows. */
  flush(): void;
  /** True while the reader is behind: collectors that can merge should wait. */
  congested(): boolean;
  dispose(): void;
}

/** A first-in-first-out list without the cost of Array.shift. */
class Queue {
  private items: (Entry | undefined)[] = [];
  private head = 0;
  bytes = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  add(entry: Entry): void {
    this.items.push(entry);
    this.bytes += entry.bytes;
  }

  peek(): Entry | undefined {
    return this.items[this.head];
  }

  take(): Entry | undefined {
    const entry = this.items[this.head];
    if (entry === undefined) return undefined;
    this.items[this.head++] = undefined;
    this.bytes -= entry.bytes;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items.splice(0, this.head);
      this.head = 0;
    }
    return entry;
  }

  all(): Entry[] {
    return this.items.slice(this.head) as Entry[];
  }

  /** Takes out the oldest entries that drop() accepts until the rest fits. */
  thin(maxCount: number, maxBytes: number, drop: (entry: Entry) => boolean): void {
    const old = this.all();
    const kept: Entry[] = [];
    let count = old.length;
    let i = 0;
    for (; i < old.length && (count > maxCount || this.bytes > maxBytes); i++) {
      const entry = old[i];
      if (entry === undefined) continue;
      if (drop(entry)) {
        count--;
        this.bytes -= entry.bytes;
      } else kept.push(entry);
    }
    this.items = kept.concat(old.slice(i));
    this.head = 0;
  }
}

export function createOutbox(channel: Channel, mask: (text: string) => string): Outbox {
  const waiting = new Queue();
  const sent = new Queue();
  let firstSent = 1; // number of the oldest entry in sent
  let dropped = new Map<string, number>();
  let lastFlush = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let soon = false;
  let disposed = false;
  // Message channels are not throttled in background tabs as timers are.
  const tick = new MessageChannel();
  tick.port1.onmessage = () => {
    if (soon) flush();
  };

  function lost(type: string, count: number): void {
    if (count > 0) dropped.set(type, (dropped.get(type) ?? 0) + count);
  }

  function bound(): void {
    if (waiting.length <= keepMessages && waiting.bytes <= keepBytes) return;
    // A tenth at once, so that a flood does not thin at each message.
    waiting.thin(keepMessages * 0.9, keepBytes * 0.9, (entry) => {
      if (isVital(entry.message)) return false;
      lost(entry.message.type, 1);
      return true;
    });
  }

  function push(message: TelemetryMessage): void {
    if (disposed) return;
    waiting.add({ message, bytes: weigh(message, mask) });
    bound();
    schedule();
  }

  function schedule(): void {
    const urgent = waiting.bytes >= batchBytes || waiting.length >= batchMessages
      || performance.now() - lastFlush >= batchDelay || document.hidden;
    if (urgent) {
      if (soon) return;
      soon = true;
      tick.port2.postMessage(0);
    } else timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, batchDelay);
  }

  function room(entry: Entry): boolean {
    return sent.length === 0 || sent.bytes + entry.bytes <= windowBytes;
  }

  function flush(): void {
    if (disposed) return;
    soon = false;
    if (timer !== undefined) {
      clearTimeout(timer);
      timer = undefined;
    }
    if (waiting.length === 0 && dropped.size === 0) return;
    let sentAny = false;
    for (;;) {
      const batch = nextBatch();
      if (batch.length === 0) break;
      sentAny = true;
      channel.send(firstSent + sent.length - batch.length, batch);
    }
    if (sentAny) lastFlush = performance.now();
  }

  function nextBatch(): TelemetryMessage[] {
    const batch: TelemetryMessage[] = [];
    let bytes = 0;
    if (dropped.size > 0) {
      const message: TelemetryMessage = { type: 'dropped', timestamp: Date.now(), counts: Object.fromEntries(dropped) };
      const entry = { message, bytes: 100 };
      if (!room(entry)) return batch;
      dropped = new Map();
      sent.add(entry);
      batch.push(message);
    }
    while (batch.length < batchMessages && bytes < batchBytes) {
      const entry = waiting.peek();
      if (entry === undefined || !room(entry)) break;
      waiting.take();
      sent.add(entry);
      batch.push(entry.message);
      bytes += entry.bytes;
    }
    return batch;
  }

  return {
    push,
    lost(type, count) {
      lost(type, count);
      schedule();
    },
    acknowledge(upTo) {
      // Somebody else's numbers are not believed.
      while (firstSent <= upTo && sent.length > 0) {
        sent.take();
        firstSent++;
      }
      if (waiting.length > 0 || dropped.size > 0) flush();
    },
    resend() {
      const entries = sent.all();
      for (let i = 0; i < entries.length; i += batchMessages) {
        const batch = entries.slice(i, i + batchMessages).map((entry) => entry.message);
        channel.send(firstSent + i, batch);
      }
      flush();
    },
    flush,
    congested: () => waiting.length > busyMessages || sent.bytes > windowBytes / 2,
    dispose() {
      disposed = true;
      if (timer !== undefined) clearTimeout(timer);
      tick.port1.onmessage = null;
      tick.port1.close();
      tick.port2.close();
    },
  };
}
