/**
 * What travels on the port between a content script and the worker.
 *
 * A renderer that a page took over can send anything here, so the worker reads
 * messages through decode(), and nothing on this port can widen a grant.
 */
import type { BridgeCommand, BridgeLevel, BridgeResult, TelemetryKind, TelemetryMessage } from '../page/api.ts';

/** Name of the port; there is no other kind from content scripts. */
export const BRIDGE_PORT = 'bridge';

/**
 * Name of the function that the content script leaves in its isolated world, where
 * page script cannot reach it: the worker calls it through the debugger to switch
 * the console hook at one exact point of the page's time.
 */
export const CONSOLE_SWITCH = '__debugBridgeConsole';

/** Binding through which that world tells the debugger that it switched, in the order of the page's own console. */
export const CONSOLE_MARK = '__debugBridgeMark';

export type ToContent =
  /** earlyHook: the console hook was registered ahead of the page, and has its first lines. */
  | { kind: 'start'; telemetry: TelemetryKind[]; level: BridgeLevel; redact: string[]; consoleByCdp: boolean; earlyHook: boolean }
  | { kind: 'call'; id: number; command: BridgeCommand }
  | { kind: 'abort'; id: number }
  | { kind: 'ack'; upTo: number }
  | { kind: 'flow'; paused: boolean }
  | { kind: 'resend' }
  | { kind: 'console'; byCdp: boolean }
  | { kind: 'stop' };

export type FromContent =
  | { kind: 'ready'; nonce: string }
  /** What follows starts again at the first message that was not acknowledged. */
  | { kind: 'resending' }
  | { kind: 'telemetry'; first: number; messages: TelemetryMessage[] }
  | { kind: 'result'; id: number; result: BridgeResult }
  | { kind: 'fault'; id: number; code: string; message: string; details?: Record<string, unknown>; suggestions?: string[] }
  | { kind: 'acted'; id: number }
  | { kind: 'sdk'; appId: string };

/** A message from a content script, or null when it is none. */
export function decode(value: unknown): FromContent | null {
  if (!isRecord(value)) return null;
  switch (value.kind) {
    case 'ready':
      return typeof value.nonce === 'string' && /^[a-z0-9-]{16,64}$/.test(value.nonce) ? { kind: 'ready', nonce: value.nonce } : null;
    case 'resending':
      return { kind: 'resending' };
    case 'telemetry':
      return isCount(value.first) && Array.isArray(value.messages) && value.messages.every(isMessage)
        ? { kind: 'telemetry', first: value.first, messages: value.messages }
        : null;
    case 'result':
      return isCount(value.id) && isResult(value.result) ? { kind: 'result', id: value.id, result: value.result } : null;
    case 'fault': {
      if (!isCount(value.id) || typeof value.code !== 'string' || typeof value.message !== 'string') return null;
      const fault: FromContent = { kind: 'fault', id: value.id, code: value.code, message: value.message };
      if (isRecord(value.details)) fault.details = value.details;
      if (Array.isArray(value.suggestions)) fault.suggestions = value.suggestions.filter((line): line is string => typeof line === 'string');
      return fault;
    }
    case 'acted':
      return isCount(value.id) ? { kind: 'acted', id: value.id } : null;
    case 'sdk':
      return typeof value.appId === 'string' && value.appId.length <= 128 ? { kind: 'sdk', appId: value.appId } : null;
    default:
      return null;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isMessage(value: unknown): value is TelemetryMessage {
  return isRecord(value) && typeof value.type === 'string' && typeof value.timestamp === 'number';
}

function isResult(value: unknown): value is BridgeResult {
  return isRecord(value) && (value.effect === 'changed' || value.effect === 'noop' || value.effect === 'navigated' || value.effect === 'unknown');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
