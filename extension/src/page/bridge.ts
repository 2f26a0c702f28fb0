/**
 * The page bridge of one document: collectors, commands and the outbox wired together.
 * It starts with start() and leaves the document as it was with dispose().
 */
import type { Bridge, BridgeOptions, TelemetryKind, TelemetryMessage } from './api.ts';
import { AppWorld } from './collect/app.ts';
import { Budget } from './collect/budget.ts';
import { ChangeStream } from './collect/change-stream.ts';
import { changeRecords } from './collect/changes.ts';
import { HumanCollector } from './collect/human.ts';
import { otherWorldHook, ownWorldHook, type HookSink, type PageHook } from './collect/hook.ts';
import { documentHtml } from './collect/html.ts';
import { isOwnRecord, own } from './dom/own.ts';
import { MutationCollector } from './collect/mutations.ts';
import { watchSdk } from './collect/sdk.ts';
import { pageTools } from './collect/tools.ts';
import { StateCollector } from './collect/state.ts';
import { Storm } from './collect/storm.ts';
import { TreeCollector } from './collect/tree.ts';
import { BridgeFault } from './fault.ts';
import { Executor } from './execute/run.ts';
import { Targets } from './execute/target.ts';
import { createOutbox } from './outbox.ts';
import { masker, weigh } from './plain.ts';
import { UITree } from './tree/uitree.ts';

/** The bridge with what only the embedding page uses. */
export interface PageBridge extends Bridge {
  sendState(scope: string, state: unknown): void;
  /** Tells everything anew: the other side has lost what it knew. */
  refresh(): void;
}

const loadingLimit = 1000; // ms that the first tree of a loading document waits for the rest
const large: ReadonlySet<string> = new Set(['request_ui_tree', 'request_dom_snapshot', 'outline', 'layout_measure', 'layout_try']);

export function createBridge(options: BridgeOptions): PageBridge {
  let telemetry: ReadonlySet<TelemetryKind> = options.telemetry;
  let level = options.level;
  let redact = options.redact;
  let mask = masker(redact);
  let hookWanted = true; // false while the debugger tells of the console
  let started = false;
  let disposed = false;
  const undo: (() => void)[] = [];

  const outbox = createOutbox(options.channel, (text) => mask(text));
  let leaving = false; // the document hides for good, or for the cache: no timer runs any more
  const send = (message: TelemetryMessage): void => {
    outbox.push(message);
    if (leaving) outbox.flush();
  };
  const budget = new Budget();

  // --- the document's changes ----------------------------------------------------

  const roots: WeakRef<ShadowRoot>[] = [];
  const observer = new MutationObserver(onRecords);
  const observing = (): boolean => started && !disposed && (telemetry.has('dom_mutations') || telemetry.has('ui_tree'));
  const tree = new UITree({
    openClosedRoot: options.openClosedRoot,
    onRoot: (root) => {
      roots.push(new WeakRef(root));
      if (observing() && !storm.resting) observer.observe(root, changeRecords);
    },
  });
  const mutations = new MutationCollector(send, budget);
  const trees = new TreeCollector(tree, options.getUiTreeItems, send, () => outbox.congested(), () => {
    onRecords(observer.takeRecords());
    if (storm.resting) trees.missed();
  });
  const changes = new ChangeStream(tree, knownRoots, send, () => outbox.congested(), () => onRecords(observer.takeRecords()), budget);
  const storm = new Storm(() => observer.disconnect(), () => {
    observe();
    hook?.rearm(); // document.open() may have been among what nobody saw
    trees.relisten();
    trees.missed();
  });
  /** The outbox masks in place; what state was told is still compared with. */
  const tellState = (message: TelemetryMessage): void => send(isMasking() ? structuredClone(message) : message);
  const app = options.appNonce === undefined ? undefined : new AppWorld(options.appNonce);
  const human = options.tellHuman === true ? new HumanCollector(send) : undefined;
  const tools = pageTools(app, options.tools, send);
  const state = new StateCollector(options.getCustomState, tellState, () => !outbox.congested(), app);

  function* knownRoots(): Iterable<ShadowRoot> {
    for (const known of roots) {
      const root = known.deref();
      if (root !== undefined) yield root;
    }
  }

  function onRecords(seen: MutationRecord[]): void {
    const records = seen.some(isOwnRecord) ? seen.filter((record) => !isOwnRecord(record)) : seen;
    if (records.length === 0 || disposed) return;
    if (telemetry.has('dom_mutations')) mutations.add(records);
    if (telemetry.has('ui_tree')) {
      trees.observe(records);
      changes.add(records);
    }
    if (telemetry.has('state')) state.stir();
    storm.count(records.length);
    // document.open() empties the document and takes every listener off it and its window.
    if (records.some((record) => record.target === document && record.removedNodes.length > 0)) {
      hook?.rearm();
      app?.rearm();
      human?.start();
      trees.relisten();
    }
  }

  function observe(): void {
    observer.disconnect();
    storm.end();
    if (!observing()) return;
    observer.observe(document, changeRecords);
    for (const root of knownRoots()) observer.observe(root, changeRecords);
  }

  // --- console and errors ----------------------------------------------------------

  const sink: HookSink = {
    message(message) {
      if (telemetry.has(message.type === 'console' ? 'console' : 'errors')) send(message);
    },
    lost(count) {
      if (telemetry.has('console')) outbox.lost('console', count);
    },
  };
  const hook: PageHook | undefined = options.ownWorld === true ? ownWorldHook(sink)
    : options.hookNonce !== undefined ? otherWorldHook(options.hookNonce, sink) : undefined;

  function switchHook(): void {
    if (hookWanted && (telemetry.has('console') || telemetry.has('errors'))) hook?.on();
    else hook?.off();
  }

  // --- commands --------------------------------------------------------------------

  const targets = new Targets(tree);
  const executor = new Executor({
    targets, state, app, uiTree: tree, roots: knownRoots, allowEval: options.allowEval,
    level: () => level,
    tools: tools.ask,
    tree: () => trees.full(),
    consoleHook(on) {
      hookWanted = on;
      switchHook();
    },
    cut(told) {
      state.hurry();
      const batch = changes.cut(told);
      outbox.flush();
      return batch;
    },
    post(message) {
      send(message);
      outbox.flush(); // the document may be at its end
    },
    congested: () => outbox.congested(),
  });

  const isMasking = (): boolean => (redact?.length ?? 0) > 0;

  function tidy(data: unknown): void {
    if (typeof data === 'object' && data !== null) weigh(data, mask);
  }

  /** What happened up to now goes before what comes next. */
  function flush(): void {
    onRecords(observer.takeRecords());
    mutations.flush();
    outbox.flush();
  }

  // --- life --------------------------------------------------------------------------

  function tell(kinds: ReadonlySet<TelemetryKind>): void {
    if (kinds.has('ui_tree')) trees.tell();
    if (kinds.has('dom_snapshot')) send({ type: 'dom_snapshot', timestamp: Date.now(), ...documentHtml(tree.flat) });
  }

  function begin(kinds: ReadonlySet<TelemetryKind>): void {
    if (disposed) return;
    tell(kinds);
    if (kinds.has('ui_tree')) {
      trees.start();
      changes.start();
    }
    observe();
  }

  function followState(): void {
    if (telemetry.has('state')) {
      app?.start();
      state.start();
    } else {
      state.stop();
      app?.dispose();
    }
  }

  function apply(next: ReadonlySet<TelemetryKind>): void {
    const added = new Set([...next].filter((kind) => !telemetry.has(kind)));
    telemetry = next;
    if (!telemetry.has('dom_mutations')) mutations.dispose();
    if (!telemetry.has('ui_tree')) {
      trees.stop();
      changes.stop();
    }
    followState();
    switchHook();
    begin(added);
  }

  return {
    start() {
      if (started || disposed) return;
      started = true;
      hook?.start();
      switchHook();
      followState();
      tools.start();
      human?.start();
      if (options.onSdk !== undefined) undo.push(watchSdk(options.onSdk));
      const onHide = (): void => {
        leaving = true;
        flush();
      };
      const onShow = (): void => {
        leaving = false;
      };
      // Capturing: before whoever closes the channel on the way into the back/forward cache.
      addEventListener('pagehide', onHide, true);
      addEventListener('pageshow', onShow, true);
      undo.push(() => {
        removeEventListener('pagehide', onHide, true);
        removeEventListener('pageshow', onShow, true);
      });
      observe();
      if (document.readyState !== 'loading') {
        begin(telemetry);
        return;
      }
      const loaded = new AbortController();
      const now = (): void => {
        loaded.abort();
        clearTimeout(timer);
        begin(telemetry);
      };
      const timer = setTimeout(now, loadingLimit);
      document.addEventListener('DOMContentLoaded', now, { signal: loaded.signal });
      undo.push(() => {
        loaded.abort();
        clearTimeout(timer);
      });
    },

    configure(changes) {
      if (disposed) return;
      if (changes.level !== undefined) level = changes.level;
      if (changes.redact !== undefined) {
        redact = changes.redact;
        mask = masker(redact);
      }
      if (changes.telemetry === undefined) return;
      if (started) apply(changes.telemetry);
      else telemetry = changes.telemetry;
    },

    async execute(command, signal, acted) {
      if (disposed) throw new BridgeFault('NOT_CONNECTED', 'The bridge of this document has ended.');
      let told = false;
      try {
        const done = await executor.execute(command, signal, () => {
          if (!told) acted();
          told = true;
        });
        // Trees and snapshots are well-formed already; going through a large one again costs the page.
        if (isMasking() || !large.has(command.type)) tidy(done.result);
        return done;
      } catch (error) {
        if (error instanceof BridgeFault) tidy(error.details);
        throw error;
      } finally {
        if (!disposed) flush();
      }
    },

    acknowledge: (upTo) => outbox.acknowledge(upTo),
    resend: () => outbox.resend(),
    undraw: () => own.clear?.(),
    hookedAt: () => hook?.since(),
    again() {
      if (started && !disposed && telemetry.has('state')) state.repeat();
    },

    sendState(scope, value) {
      if (!disposed) state.push(scope, value, telemetry.has('state'));
    },

    refresh() {
      if (!started || disposed) return;
      tell(telemetry);
      if (telemetry.has('state')) state.repeat();
    },

    dispose() {
      if (disposed) return;
      disposed = true;
      observer.disconnect();
      storm.end();
      mutations.dispose();
      trees.stop();
      changes.stop();
      state.stop();
      executor.dispose();
      hook?.dispose();
      app?.dispose();
      tools.dispose();
      human?.dispose();
      outbox.dispose();
      for (const one of undo) one();
    },
  };
}
