/**
 * The embeddable SDK: an app that includes it is a page of its own for the agents of
 * its session, without the extension. It speaks protocol v1 as role=app.
 */
import { BridgeFault, type TelemetryKind, type UITreeItem } from '../page/api.ts';
import { createBridge, type PageBridge } from '../page/bridge.ts';
import { offerTools, tellTools, type SdkTool } from '../app/sdk-tools.ts';
import { toolPart } from '../app/tools.ts';
import { announceSdk } from '../page/collect/sdk.ts';
import { randomName } from '../page/random.ts';
import { Link, type LinkHandlers } from './link.ts';
import { whyOff } from './production.ts';

export interface DebugBridgeOptions {
  /** The daemon's endpoint, e.g. ws://127.0.0.1:9224/debug. */
  url: string;
  /** Group of pages and agents; default "default". */
  sessionId?: string;
  appName?: string;
  appVersion?: string;
  /** Made by `dbridge token new NAME --role app`. */
  token?: string;
  /** Authorization alone can be used: browsers send no other header of ours. */
  headers?: Record<string, string>;
  enableDomSnapshot?: boolean;
  enableDomMutations?: boolean;
  enableUiTree?: boolean;
  enableConsole?: boolean;
  enableErrors?: boolean;
  /** Lets agents run JavaScript in the page; off by default. */
  enableEval?: boolean;
  /** The app's state; each top-level key is a scope. */
  getCustomState?(): Record<string, unknown>;
  /** The app's own list of what can be operated, instead of the one made from the DOM. */
  getUiTreeItems?(): UITreeItem[];
  /** Must be true for the SDK to run in a production build or on a public site. */
  production?: boolean;
  /** Literal texts to mask in everything that leaves the page. */
  redact?: readonly string[];
}

export interface DebugBridge {
  connect(): void;
  disconnect(): void;
  sendCustomState(scope: string, state: unknown): void;
  registerTool(name: string, schema: Record<string, unknown>, run: (input: never) => unknown): () => void;
}

export type { UITreeItem };

interface Running {
  bridge: PageBridge;
  link: Link;
  commands: Map<string, AbortController>;
  /** Leaves the page as it was. */
  end(): void;
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/;
const freshFor = 3000; // ms that the first tree and snapshot are news
const retryable: ReadonlySet<string> = new Set(['TIMEOUT', 'BUSY', 'NAVIGATION_INTERRUPTED']);

export function createDebugBridge(options: DebugBridgeOptions): DebugBridge {
  const telemetry = kindsOf(options);
  const states: [string, unknown][] = [];
  // In memory alone: a reload is a new page.
  const appId = randomName();
  let running: Running | undefined;
  const tools = new Map<string, SdkTool>();

  function disconnect(): void {
    const ending = running;
    running = undefined;
    if (ending === undefined) return;
    for (const command of ending.commands.values()) command.abort();
    ending.end();
    ending.link.close();
  }

  function connect(): void {
    if (running?.link.stopped === true) disconnect();
    if (running !== undefined) return;
    const reason = options.production === true ? undefined : whyOff();
    if (reason !== undefined) {
      console.info(`[debug-bridge] off: ${reason}. Pass production: true to run it here all the same.`);
      return;
    }
    running = run(options, appId, telemetry, tools);
    for (const [scope, state] of states.splice(0)) running.bridge.sendState(scope, state);
  }

  return {
    connect,
    disconnect,
    sendCustomState(scope, state) {
      if (running !== undefined) running.bridge.sendState(scope, state);
      else if (states.length < 100) states.push([scope, state]);
    },
    registerTool(name, schema, execute) {
      if (!toolName.test(name)) throw new TypeError('[debug-bridge] a tool has a name of 1 to 64 letters, digits, _ and -.');
      if (tools.has(name)) throw new TypeError(`[debug-bridge] there is a tool ${name} already.`);
      const { description } = schema;
      const tool: SdkTool = { name, description: typeof description === 'string' ? description : '', inputSchema: schema, execute: (input) => execute(input as never) };
      tools.set(name, tool);
      tellTools();
      return () => {
        if (tools.get(name) !== tool) return;
        tools.delete(name);
        tellTools();
      };
    },
  };
}

function kindsOf(options: DebugBridgeOptions): ReadonlySet<TelemetryKind> {
  const switches: [TelemetryKind, boolean | undefined][] = [
    ['dom_snapshot', options.enableDomSnapshot], ['dom_mutations', options.enableDomMutations], ['ui_tree', options.enableUiTree],
    ['console', options.enableConsole], ['errors', options.enableErrors], ['state', true],
  ];
  return new Set(switches.filter(([, on]) => on !== false).map(([kind]) => kind));
}

function run(options: DebugBridgeOptions, appId: string, telemetry: ReadonlySet<TelemetryKind>, tools: ReadonlyMap<string, SdkTool>): Running {
  const sessionId = options.sessionId ?? 'default';
  const commands = new Map<string, AbortController>();
  const begun = performance.now();
  let epoch = '';
  const base = (type: string): Record<string, unknown> => ({ protocolVersion: 1, type, sessionId, origin: 'app', timestamp: Date.now() });

  const handlers: LinkHandlers = {
    greeting: () => [
      {
        ...base('hello'), appId, url: location.href, title: document.title, userAgent: navigator.userAgent, source: 'sdk',
        level: options.enableEval === true ? 'control' : 'act',
        ...(options.appName === undefined ? {} : { appName: options.appName }),
        ...(options.appVersion === undefined ? {} : { appVersion: options.appVersion }),
      },
      { ...base('capabilities'), capabilities: [...telemetry, 'input', ...(options.enableEval === true ? ['eval'] : [])] },
    ],
    welcomed(welcome) {
      const given = typeof welcome.epoch === 'string' ? welcome.epoch : '';
      const isNew = given !== epoch;
      const since = performance.now() - begun;
      epoch = given;
      bridge.resend();
      // A daemon that knows nothing of this page, and what we have is old.
      if (isNew && since > freshFor) bridge.refresh();
    },
    message(message) {
      const { type, requestId } = message;
      if (type === 'cancel') {
        if (typeof requestId === 'string') commands.get(requestId)?.abort(new BridgeFault('CANCELLED', 'The command was cancelled.'));
      } else if (type === 'sdk_quiet') {
        const quiet = new Set(Array.isArray(message.telemetry) ? message.telemetry as unknown[] : []);
        bridge.configure({ telemetry: new Set([...telemetry].filter((kind) => !quiet.has(kind))) });
      } else if (typeof type === 'string' && typeof requestId === 'string') void command(type, requestId, message);
    },
    drained: (upTo) => bridge.acknowledge(upTo),
    stopped() {
      bridge.dispose();
      unannounce();
      withdraw();
    },
  };

  async function command(type: string, requestId: string, message: Record<string, unknown>): Promise<void> {
    if (commands.has(requestId)) return;
    const abort = new AbortController();
    commands.set(requestId, abort);
    const limit = typeof message.timeoutMs === 'number' && message.timeoutMs > 0 ? message.timeoutMs : 30_000;
    const timer = setTimeout(() => abort.abort(), limit);
    const start = performance.now();
    const answer = (fields: Record<string, unknown>): void => {
      clearTimeout(timer);
      commands.delete(requestId);
      link.send({ ...base('command_result'), requestType: type, requestId, ...fields, durationMs: Math.round(performance.now() - start) });
    };
    try {
      const { result, effect } = await bridge.execute({ ...message, type }, abort.signal, () => undefined);
      answer({ success: true, effect, ...(result === undefined ? {} : { result }) });
    } catch (error) {
      const fault = error instanceof BridgeFault ? error : new BridgeFault('INTERNAL_ERROR', error instanceof Error ? error.message : String(error));
      answer({
        success: false,
        effect: 'unknown',
        error: {
          code: fault.code, message: fault.message, suggestions: fault.suggestions ?? [], retryable: retryable.has(fault.code),
          ...(fault.details === undefined ? {} : { details: fault.details }),
        },
      });
    }
  }

  const link = new Link({ url: options.url, sessionId, token: tokenOf(options) }, handlers);
  const bridge = createBridge({
    channel: {
      send(first, messages) {
        for (const message of messages) link.send({ protocolVersion: 1, sessionId, origin: 'app', ...message });
        link.sent(first + messages.length - 1);
      },
    },
    telemetry, level: options.enableEval === true ? 'control' : 'act',
    allowEval: options.enableEval === true, isTop: window === window.top, ownWorld: true, tools: toolPart(),
    ...(options.getCustomState === undefined ? {} : { getCustomState: () => options.getCustomState?.() ?? {} }),
    ...(options.getUiTreeItems === undefined ? {} : { getUiTreeItems: () => options.getUiTreeItems?.() ?? [] }),
    ...(options.redact === undefined ? {} : { redact: options.redact }),
  });
  const withdraw = offerTools(tools);
  // At once, not when connected: early console lines and errors wait in the outbox.
  bridge.start();
  const unannounce = announceSdk(appId);
  link.open();
  return {
    bridge, link, commands,
    end() {
      unannounce();
      withdraw();
      bridge.dispose();
    },
  };
}

function tokenOf(options: DebugBridgeOptions): string | undefined {
  if (options.token !== undefined) return options.token;
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    const match = name.toLowerCase() === 'authorization' ? /^Bearer\s+(\S+)$/i.exec(value) : null;
    if (match !== null) return match[1];
  }
  return undefined;
}
