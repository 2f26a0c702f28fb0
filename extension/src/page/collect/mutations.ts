/**
 * dom_mutations: what the MutationObserver saw, in batches. A storm is collapsed: the
 * same change of the same node counts once, a batch holds at most 500 records and takes
 * at most the budget's time, and `dropped` says how many changes are not told.
 */
import type { DOMMutation } from '../../protocol/generated.ts';
import type { TelemetryMessage } from '../api.ts';
import { isElement } from '../dom/primordials.ts';
import { cut } from '../plain.ts';
import type { Budget } from './budget.ts';
import { characterText, fragmentHtml, safeAttribute } from './html.ts';
import { Paths } from './path.ts';

const batchDelay = 75; // ms
const maxRecords = 500;
const maxHeld = 4000; // raw records held between batches; the rest is only counted
const maxFragment = 500;
const maxText = 10_240;
const maxNodes = 20; // added or removed nodes told of one record

export class MutationCollector {
  #held: MutationRecord[] = [];
  #uncounted = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly send: (message: TelemetryMessage) => void,
    private readonly budget: Budget,
  ) {}

  add(records: MutationRecord[]): void {
    const room = maxHeld - this.#held.length;
    if (records.length <= room) for (const record of records) this.#held.push(record);
    else {
      for (let i = 0; i < room; i++) this.#held.push(records[i] as MutationRecord);
      this.#uncounted += records.length - Math.max(0, room);
    }
    this.#timer ??= setTimeout(() => this.flush(), batchDelay);
  }

  flush(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    const records = this.#held;
    let dropped = this.#uncounted;
    this.#held = [];
    this.#uncounted = 0;
    if (records.length === 0) return;
    const start = performance.now();
    // Even an empty budget tells the first few, so that a storm is seen as one.
    const until = start + Math.max(0.5, this.budget.left);
    const kept = records.length > maxRecords ? latest(records) : records;
    dropped += records.length - kept.length;
    const paths = new Paths();
    const mutations: DOMMutation[] = [];
    for (const record of kept) {
      if (mutations.length >= maxRecords || (mutations.length % 8 === 7 && performance.now() > until)) break;
      mutations.push(describe(record, paths));
    }
    dropped += kept.length - mutations.length;
    this.budget.spend(performance.now() - start);
    this.send({ type: 'dom_mutations', timestamp: Date.now(), mutations, ...(dropped > 0 ? { dropped } : {}) });
  }

  dispose(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = [];
    this.#uncounted = 0;
  }
}

/** Of changes of one attribute or one text node only the last one. */
function latest(records: MutationRecord[]): MutationRecord[] {
  const seen = new Map<Node, Set<string>>();
  const kept: MutationRecord[] = [];
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i] as MutationRecord;
    if (record.type !== 'childList') {
      const key = record.attributeName ?? '';
      let keys = seen.get(record.target);
      if (keys === undefined) seen.set(record.target, (keys = new Set()));
      if (keys.has(key)) continue;
      keys.add(key);
    }
    kept.push(record);
  }
  return kept.reverse();
}

function describe(record: MutationRecord, paths: Paths): DOMMutation {
  const { target } = record;
  const out: DOMMutation = { mutationType: record.type, targetSelector: cut(paths.of(target), maxText) };
  if (record.type === 'attributes') {
    const name = record.attributeName ?? '';
    out.attributeName = cut(name, 200);
    const value = isElement(target) ? safeAttribute(target, name) : null;
    // Absent means that the attribute is gone.
    if (value !== null) out.textContent = cut(value, maxText);
  } else if (record.type === 'characterData') {
    out.textContent = cut(characterText(target), maxText);
  } else {
    if (record.addedNodes.length > 0) out.addedNodes = fragments(record.addedNodes);
    if (record.removedNodes.length > 0) out.removedNodes = fragments(record.removedNodes);
  }
  return out;
}

function fragments(nodes: NodeList): string[] {
  const out: string[] = [];
  for (let i = 0; i < nodes.length; i++) {
    if (i === maxNodes) {
      out.push(`… ${nodes.length - i} more nodes`);
      break;
    }
    out.push(fragmentHtml(nodes[i] as Node, maxFragment));
  }
  return out;
}
