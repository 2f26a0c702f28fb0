/** What the service worker asks of the page in which the trace engine runs. */
export interface ToEngine {
  to: 'trace-engine';
  op: 'trace.add' | 'trace.report' | 'trace.drop';
  id: string;
  data: string;
}

export interface FromEngine {
  result?: unknown;
  error?: string;
  /** No trace is waiting: the page may be closed. */
  idle: boolean;
}

export function isToEngine(message: unknown): message is ToEngine {
  return typeof message === 'object' && message !== null && (message as ToEngine).to === 'trace-engine';
}
