/** What the bridge and the recorder beside it, in the same isolated world, say to each other. */

/** Name of the function that the recorder leaves in the isolated world; page script cannot reach it. */
export const RECORDER = '__debugBridgeRecorder';

/** What the person did, as a command of the catalogue. */
export interface PersonAction {
  at: number; // ms since 1970
  command: string;
  params: Record<string, unknown>;
}

/** One batch; telemetry that the daemon takes out before anybody else sees it. */
export interface RecordingBatch {
  type: 'recording';
  timestamp: number;
  [field: string]: unknown;
  /** rrweb events, one JSON text a line. */
  page: string;
  actions: PersonAction[];
  /** Events that were left out: too large, or the way out was blocked. */
  lost: number;
}

export interface RecorderTools {
  post(batch: RecordingBatch): void;
  /** The reader is behind. */
  congested(): boolean;
  /** The value of the field is never read. */
  secret(element: Element): boolean;
  describe(element: Element): { role: string; name: string; selector: string };
}

export interface RecorderOptions {
  /** A new full snapshot at the latest after so many ms in which something happened. */
  checkoutMs: number;
}

export interface Recording {
  /** Sends what is gathered. */
  flush(): void;
  /** Takes a full snapshot now. */
  checkout(): void;
  /** Frames of other origins, of which nothing is seen. */
  strangers(): number;
  stop(): void;
}

export type StartRecording = (options: RecorderOptions, tools: RecorderTools) => Recording;

/** Stands for a value that was not read. */
export const SECRET = '{{secret}}';
