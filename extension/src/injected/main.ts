/**
 * The bridge's third channel: injected over a DevTools connection into an isolated world
 * of every frame of a managed or remote browser (host/internal/browser).
 *
 * The host calls the functions of one object in that world's global; the bridge talks back
 * through a binding that exists in that world alone. Page script reaches neither. An answer
 * is a string, 'R' or 'F' and JSON, so that nobody on the way decodes it.
 */
import { createBridge, type PageBridge } from '../page/bridge.ts';
import type { BridgeCommand, BridgeLevel, TelemetryKind } from '../page/api.ts';
import { BridgeFault } from '../page/fault.ts';
import { randomName } from '../page/random.ts';

/** What the host writes ahead of this script. */
interface Start {
  binding: string;
  level: BridgeLevel;
  telemetry: TelemetryKind[];
  redact: string[];
}

/** What the host calls. */
interface Host {
  /** A frame's window outlives its first, empty document when the next one is of the same origin. */
  readonly document: Document;
  call(id: number, command: string): Promise<string>;
  abort(id: number): void;
  ack(upTo: number): void;
  resend(): void;
  /** Elements of the document and of every shadow root known; exact: and texts that hold a '<'. */
  count(exact: boolean): number;
  /** Tells the title, again. */
  title(): void;
  /** Takes closed shadow roots over; tells how many were new. */
  open(...roots: ShadowRoot[]): number;
  dispose(): void;
}

const START = '__debugBridgeStart';
const HOST = '__debugBridge';
/** A host that does not acknowledge for so long has died without a word; the page is to be free of us. */
const ORPHAN_MS = 10 * 60_000;

const world = globalThis as unknown as Record<string, unknown>;

function begin(start: Start): void {
  const binding = world[start.binding];
  if (typeof binding !== 'function') return; // the host's session ended meanwhile
  const post = (message: Record<string, unknown>): void => {
    binding(JSON.stringify(message));
  };
  const closedRoots = new WeakMap<Element, ShadowRoot>();
  const calls = new Map<number, AbortController>();
  let orphan: ReturnType<typeof setTimeout> | undefined;
  let untitle: (() => void) | undefined;

  const bridge: PageBridge = createBridge({
    channel: {
      send: (first, messages) => {
        orphan ??= setTimeout(dispose, ORPHAN_MS);
        post({ kind: 'telemetry', first, messages });
      },
    },
    telemetry: new Set(start.telemetry),
    level: start.level,
    redact: start.redact,
    allowEval: false,
    isTop: window === window.top,
    appNonce: randomName(),
    openClosedRoot: (element) => closedRoots.get(element) ?? null,
    onSdk: (appId) => post({ kind: 'sdk', appId }),
  });

  const onShow = (event: PageTransitionEvent): void => {
    if (!event.persisted) return;
    post({ kind: 'ready' });
    bridge.resend();
  };

  function dispose(): void {
    clearTimeout(orphan);
    untitle?.();
    removeEventListener('pageshow', onShow);
    for (const call of calls.values()) call.abort();
    calls.clear();
    bridge.dispose();
    if (world[HOST] === host) delete world[HOST];
  }

  const host: Host = {
    document,
    async call(id, command) {
      const abort = new AbortController();
      calls.set(id, abort);
      try {
        const result = await bridge.execute(JSON.parse(command) as BridgeCommand, abort.signal, () => post({ kind: 'acted', id }));
        return 'R' + JSON.stringify(result);
      } catch (error) {
        return 'F' + JSON.stringify(faultOf(error));
      } finally {
        calls.delete(id);
      }
    },
    abort: (id) => calls.get(id)?.abort(),
    ack(upTo) {
      clearTimeout(orphan);
      orphan = undefined;
      bridge.acknowledge(upTo);
    },
    resend: () => bridge.resend(),
    title: () => post({ kind: 'title', title: document.title.slice(0, 1000).toWellFormed() }),
    count: (exact) => count(closedRoots, exact),
    open(...roots) {
      let fresh = 0;
      for (const root of roots) {
        if (closedRoots.has(root.host)) continue;
        closedRoots.set(root.host, root);
        fresh += 1;
      }
      if (fresh > 0) bridge.refresh();
      return fresh;
    },
    dispose,
  };
  Object.defineProperty(world, HOST, { value: host, configurable: true });
  addEventListener('pageshow', onShow);
  post({ kind: 'ready' });
  if (window === window.top) untitle = watchTitle((title) => post({ kind: 'title', title }));
  bridge.start();
}

/** The browser tells of a title only now and then. */
function watchTitle(tell: (title: string) => void): () => void {
  let told = '';
  let head: Element | null = null;
  const look = (): void => {
    if (head !== document.head && document.head !== null) {
      head = document.head;
      observer.disconnect();
      observer.observe(head, { subtree: true, childList: true, characterData: true });
    }
    const title = document.title.slice(0, 1000).toWellFormed();
    if (title !== told) tell((told = title));
  };
  const observer = new MutationObserver(look);
  document.addEventListener('readystatechange', look);
  look();
  return () => {
    observer.disconnect();
    document.removeEventListener('readystatechange', look);
  };
}

function count(closedRoots: WeakMap<Element, ShadowRoot>, exact: boolean): number {
  let found = 0;
  const roots: ParentNode[] = document.documentElement === null ? [] : [document];
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    const elements = root.querySelectorAll('*');
    found += elements.length;
    for (const element of elements) {
      const inner = element.shadowRoot ?? closedRoots.get(element);
      if (inner !== undefined && inner !== null) roots.push(inner);
    }
    if (!exact) continue;
    const texts = document.createTreeWalker(root === document ? document.documentElement : root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_CDATA_SECTION);
    while (texts.nextNode() !== null) if (texts.currentNode.nodeValue?.includes('<') === true) found += 1;
  }
  return found;
}

function faultOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof BridgeFault)) return { code: 'INTERNAL_ERROR', message: error instanceof Error ? error.message : String(error) };
  return {
    code: error.code,
    message: error.message,
    ...(error.details ? { details: error.details } : {}),
    ...(error.suggestions ? { suggestions: error.suggestions } : {}),
  };
}

const start = world[START] as Start | undefined;
delete world[START];
const earlier = world[HOST] as Host | undefined;
if (start !== undefined && earlier?.document !== document) {
  earlier?.dispose();
  begin(start);
}
