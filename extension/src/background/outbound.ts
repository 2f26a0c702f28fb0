/**
 * The way to the daemon as the rest of the worker sees it.
 *
 * While the link is away, events are not kept here: every (re)connection starts with
 * the whole state, and the pages keep their telemetry until it is acknowledged.
 */
export interface Outbound {
  readonly connected: boolean;
  /** Bytes that wait for the daemon. */
  readonly queued: number;
  emit(op: string, payload: unknown): void;
}

/** Above this the pages are told to hold their telemetry, below the second they go on. */
export const PAUSE_ABOVE = 8 << 20;
export const RESUME_BELOW = 4 << 20;
