/**
 * The trace engine in a blank page: the daemon hands over a gzipped trace in pieces
 * and asks for the report. Nothing here touches the page under debug.
 */
import type * as Trace from '@paulirish/trace_engine/models/trace/trace.js';

import { analyze } from './report.ts';
import type { Report } from './report.ts';

interface TraceFile {
  traceEvents: Trace.Types.Events.Event[];
  metadata?: Trace.Types.File.MetaData;
}

/** What has come of each trace, by the id of its analysis. */
const traces = new Map<string, Uint8Array<ArrayBuffer>[]>();

/**
 * The engine gives way between its steps with setTimeout(0), which a page that is
 * not in view gets once a second. A message does the same without the wait.
 */
function giveWay(): void {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  const later = globalThis.setTimeout;
  globalThis.setTimeout = ((callback: () => void, delay = 0) => {
    if (delay > 0) return later(callback, delay);
    waiting.push(callback);
    port2.postMessage(null);
    return 0;
  }) as typeof setTimeout;
}

giveWay();

/** Takes one piece of a gzipped trace file, in base64. */
export function add(base64: string, id = ''): void {
  const pieces = traces.get(id) ?? [];
  traces.set(id, pieces);
  pieces.push(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

/** The report on all pieces together; they are forgotten. */
export async function report(id = ''): Promise<Report> {
  const file = new Blob(traces.get(id) ?? []);
  drop(id);
  const content: unknown = await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).json();
  const { traceEvents, metadata } = Array.isArray(content) ? ({ traceEvents: content } as TraceFile) : (content as TraceFile);
  if (!Array.isArray(traceEvents)) throw new Error('The file has no traceEvents.');
  return analyze(traceEvents, metadata);
}

/** Forgets the pieces of a trace. */
export function drop(id = ''): void {
  traces.delete(id);
}

/** Whether a trace is waiting for its report. */
export function idle(): boolean {
  return traces.size === 0;
}
