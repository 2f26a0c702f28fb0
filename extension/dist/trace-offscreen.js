"use strict";
(() => {
  // src/trace/messages.ts
  function isToEngine(message) {
    return typeof message === "object" && message !== null && message.to === "trace-engine";
  }

  // src/trace/offscreen.ts
  var reporting = 0;
  var operations = {
    "trace.add": ({ data, id }) => DebugBridgeTrace.add(data, id),
    "trace.drop": ({ id }) => DebugBridgeTrace.drop(id),
    "trace.report": async ({ id }) => {
      reporting++;
      try {
        return await DebugBridgeTrace.report(id);
      } finally {
        reporting--;
      }
    }
  };
  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab !== void 0 || !isToEngine(message)) return false;
    const idle = () => reporting === 0 && DebugBridgeTrace.idle();
    void (async () => operations[message.op](message))().then(
      (result) => respond({ result: result ?? {}, idle: idle() }),
      (error) => respond({ error: error instanceof Error ? error.message : String(error), idle: idle() })
    );
    return true;
  });
})();
