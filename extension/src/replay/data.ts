// What the program wrote into the page: the recording as it was read there.

import type { eventWithTime } from '@rrweb/types';

/** An entry of the timeline, with the line that tells it. */
export interface Entry {
  n: number;
  at: number;
  kind: string;
  words: string;
  under?: number;
  bad?: boolean;
  /** The entry as it was recorded. */
  whole: Record<string, unknown>;
}

export interface Recording {
  name: string;
  url: string;
  title?: string;
  note?: string;
  made: string;
  browser?: string;
  started: number;
  length: number;
  leftOut?: Record<string, number>;
  redacted: number;
  damaged: number;
  entries: Entry[];
  /** Bodies by the name of their part: text, or how many bytes that are none. */
  bodies: Record<string, { text?: string; bytes: number; cut?: boolean }>;
  /** Pictures at marks as data: addresses. */
  pictures: Record<string, string>;
}

function block(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null');
}

export const recording = block('recording') as Recording;
export const events = (block('events') ?? []) as eventWithTime[];
