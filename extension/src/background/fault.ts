/** A failure that the daemon (or the popup) is told: a code of docs/errors.md, words, facts, next steps. */
export class Fault extends Error {
  readonly code: string;
  readonly details?: Record<string, unknown>;
  readonly suggestions?: string[];
  readonly retryable?: boolean;

  constructor(code: string, message: string, extra: { details?: Record<string, unknown>; suggestions?: string[]; retryable?: boolean } = {}) {
    super(message);
    this.name = 'Fault';
    this.code = code;
    if (extra.details) this.details = extra.details;
    if (extra.suggestions) this.suggestions = extra.suggestions;
    if (extra.retryable !== undefined) this.retryable = extra.retryable;
  }
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Settles like promise, or rejects with what late() gives when ms have passed. The loser's rejection is swallowed. */
export function withDeadline<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
