/** What the tests call in the isolated world, as a content script would. */
import { createBridge } from '../../../extension/src/page/bridge.ts';
import { BridgeFault, type BridgeOptions, type TelemetryMessage } from '../../../extension/src/page/api.ts';
import type { PageBridge } from '../../../extension/src/page/bridge.ts';
import { parseLine } from '../../../extension/src/page/collect/hook.ts';
import { installMainHook } from '../../../extension/src/page/mainworld/hook.ts';
import { createOutbox } from '../../../extension/src/page/outbox.ts';
import { toPlain } from '../../../extension/src/page/plain.ts';

interface Batch {
  first: number;
  messages: TelemetryMessage[];
  at: number;
}

const batches: Batch[] = [];
let bridge: PageBridge | undefined;
let autoAck = true;

const driver = {
  nonce: 'nonce-0123456789abcdef',
  batches,
  hookSource: installMainHook.toString(),
  sdkIds: [] as string[],
  parseLine, createOutbox, toPlain,
  set autoAck(on: boolean) {
    autoAck = on;
  },

  make(options: Partial<Omit<BridgeOptions, 'telemetry'>> & { telemetry?: string[] } = {}): void {
    const { telemetry = [], ...rest } = options;
    bridge = createBridge({
      channel: {
        send(first, messages) {
          batches.push({ first, messages: structuredClone(messages), at: performance.now() });
          if (autoAck) queueMicrotask(() => bridge?.acknowledge(first + messages.length - 1));
        },
      },
      level: 'control', allowEval: false, isTop: true, hookNonce: driver.nonce,
      onSdk: (id) => driver.sdkIds.push(id),
      ...rest,
      telemetry: new Set(telemetry) as BridgeOptions['telemetry'],
    });
    bridge.start();
  },

  get bridge(): PageBridge | undefined {
    return bridge;
  },

  /** Runs a command; a fault comes back as data. */
  async run(command: { type: string }, timeout = 6000): Promise<Record<string, unknown>> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeout);
    let acted = 0;
    try {
      const done = await bridge?.execute(command, abort.signal, () => acted++);
      return { ok: true, ...done, acted };
    } catch (error) {
      if (!(error instanceof BridgeFault)) return { ok: false, code: 'NOT A FAULT', message: String(error), stack: (error as Error).stack };
      return { ok: false, code: error.code, message: error.message, details: error.details ?? {}, acted };
    } finally {
      clearTimeout(timer);
    }
  },

  messages(type?: string): TelemetryMessage[] {
    const seen = new Map<number, TelemetryMessage>();
    for (const { first, messages } of batches) messages.forEach((message, i) => seen.set(first + i, message));
    return [...seen.entries()].sort(([a], [b]) => a - b).map(([, message]) => message).filter((message) => type === undefined || message.type === type);
  },
};

(globalThis as unknown as { act: typeof driver }).act = driver;
