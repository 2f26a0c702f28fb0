/** What the link takes and tells: its port, its options, its state. */
import type { LinkFailure } from './link-wire.ts';

/** What the link needs of chrome.runtime.Port. */
export interface PortLike {
  postMessage(message: object): void;
  disconnect(): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

/** What the extension says of itself; the link adds its version, its instance and where it stands. */
export interface HelloPayload {
  linkVersion?: number;
  extensionVersion: string;
  installId: string;
  name: string;
  browser: string;
  userAgent: string;
}

export interface LinkState {
  phase: 'connecting' | 'connected' | 'waiting' | 'failed';
  /** Why it is not connected, or was not before this attempt. */
  error?: LinkFailure | undefined;
  hostVersion?: string | undefined;
  epoch?: string | undefined;
  /** When it tries again, in ms since 1970. */
  retryAt?: number | undefined;
  /** With `connected`: a lost connection is back and nothing was lost. Else tell the whole state. */
  resumed?: boolean | undefined;
  /** With `connected` and not resumed: messages that were under way and are dropped. */
  lost?: number | undefined;
}

export interface LinkTiming {
  welcome: number;
  ping: number;
  silence: number;
  ack: number;
  nack: number;
  probe: number;
  retryMin: number;
  retryMax: number;
  /** A connection that lived so long makes the next retry a quick one. */
  stable: number;
}

export interface LinkOptions {
  connect(): PortLike;
  hello(): HelloPayload;
  /** Answers a request of the daemon. A rejection travels with its code, details and suggestions. */
  onRequest(op: string, payload: unknown): Promise<unknown>;
  onEvent(op: string, payload: unknown): void;
  onState(state: LinkState): void;
  /** A monotonic clock in ms. */
  now?: () => number;
  random?: () => number;
  /** Why a port closed; default chrome.runtime.lastError. */
  lastError?: () => string | undefined;
  timing?: Partial<LinkTiming>;
}
