/**
 * The page bridge as its hosts see it: the extension's content script and the
 * embeddable SDK. One bridge serves one document. Nothing here knows chrome.*.
 */
import type { Part } from '../app/part.ts';
import type { ElementChange, UITreeItem } from '../protocol/generated.ts';

export type { UITreeItem };
export { BridgeFault } from './fault.ts';


/** One telemetry message; the shapes by type are in protocol/generated.ts. */
export interface TelemetryMessage {
  type: string;
  timestamp: number;
  [field: string]: unknown;
}

/** Where telemetry goes. The outbox numbers, orders and keeps; a channel only carries. */
export interface Channel {
  /** messages are numbered first, first+1, …; after resend() a number may come again. */
  send(first: number, messages: TelemetryMessage[]): void;
}

export type TelemetryKind = 'dom_snapshot' | 'dom_mutations' | 'ui_tree' | 'console' | 'errors' | 'state';
export type BridgeLevel = 'observe' | 'act' | 'control';

export interface BridgeOptions {
  channel: Channel;
  telemetry: ReadonlySet<TelemetryKind>;
  level: BridgeLevel;
  /** Tell when somebody uses the page. */
  tellHuman?: boolean;
  /** SDK only: evaluate runs in the page's own world by indirect eval. */
  allowEval: boolean;
  isTop: boolean;
  /** SDK only: this code already runs in the page's own world, so the console hook is installed directly. */
  ownWorld?: boolean;
  /**
   * Random name that this side made and that the host gives to installMainHook
   * (mainworld/hook.ts) in the page's own world: console lines and errors come from
   * there. The registered mainworld.js asks for it by itself at document_start.
   * Without it a bridge in another world has no console and no errors.
   */
  hookNonce?: string;
  /**
   * Random name that this side made for the inspector in the page's own world (src/app),
   * which the host puts there: state, components and page tools come from it. Without it
   * there are none but what the app hands out itself.
   */
  appNonce?: string;
  /** SDK only: what knows the page's tools, since this side is in the page's own world. */
  tools?: Part;
  /** chrome.dom.openOrClosedShadowRoot in the extension. */
  openClosedRoot?(element: Element): ShadowRoot | null;
  getCustomState?(): Record<string, unknown>;
  getUiTreeItems?(): UITreeItem[];
  /** The user's extra secrets to mask, as literal strings. */
  redact?: readonly string[];
  /** The page embeds the SDK: told once for each appId, so that both together give one page. */
  onSdk?(appId: string): void;
}

export interface BridgeCommand {
  type: string;
  [param: string]: unknown;
}

export type Effect = 'changed' | 'noop' | 'navigated' | 'unknown';

export interface BridgeResult {
  result?: unknown;
  effect: Effect;
  after?: Aftermath;
}

/** What came of an action beside its effect. */
export interface Aftermath {
  /** Changes of the document. */
  mutations: number;
  /** What changed, in words, the most telling first; more are not told. */
  changes?: ElementChange[];
  more?: number;
  /** The last ui_change of the document that tells of it. */
  batch?: number;
  /** Its new address, where it has one. */
  url?: string;
  /** Where the focus went, when not to the target. */
  focused?: { ref: string; role: string; name: string };
  /** What was acted on. */
  target?: { ref: string; role: string; name: string };
}

export interface Bridge {
  start(): void;
  configure(options: Partial<Pick<BridgeOptions, 'telemetry' | 'level' | 'redact'>>): void;
  /**
   * Runs one command; rejects with a BridgeFault. acted() is called synchronously
   * right after the step that changes the page, so that the host can tell a
   * document that died before the deed from one that died of it.
   */
  execute(command: BridgeCommand, signal: AbortSignal, acted: () => void): Promise<BridgeResult>;
  acknowledge(upTo: number): void;
  /** The channel came back: send everything unacknowledged again. */
  resend(): void;
  /** Takes away what is drawn over the page: who asked for it may be gone. */
  undraw(): void;
  /** Tells state whole again: the reader may have lost what the next change builds on. */
  again(): void;
  /** When the console hook came into the page, ms since the epoch; undefined until it has. */
  hookedAt(): number | undefined;
  /** Undoes everything: observers, listeners, hooks. */
  dispose(): void;
}
