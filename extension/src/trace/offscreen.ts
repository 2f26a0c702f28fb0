/** The extension's page for the trace engine, out of sight: it answers the service worker and nobody else. */
import type * as Engine from './main.ts';
import { isToEngine } from './messages.ts';
import type { FromEngine, ToEngine } from './messages.ts';

/** trace-engine.js, which the page loads before this. */
declare const DebugBridgeTrace: typeof Engine;

let reporting = 0;

const operations: Record<ToEngine['op'], (message: ToEngine) => unknown> = {
  'trace.add': ({ data, id }) => DebugBridgeTrace.add(data, id),
  'trace.drop': ({ id }) => DebugBridgeTrace.drop(id),
  'trace.report': async ({ id }) => {
    reporting++;
    try {
      return await DebugBridgeTrace.report(id);
    } finally {
      reporting--;
    }
  },
};

chrome.runtime.onMessage.addListener((message: unknown, sender, respond: (answer: FromEngine) => void) => {
  if (sender.id !== chrome.runtime.id || sender.tab !== undefined || !isToEngine(message)) return false;
  const idle = (): boolean => reporting === 0 && DebugBridgeTrace.idle();
  void (async () => operations[message.op](message))().then(
    (result) => respond({ result: result ?? {}, idle: idle() }),
    (error: unknown) => respond({ error: error instanceof Error ? error.message : String(error), idle: idle() }),
  );
  return true; // the answer comes later
});
