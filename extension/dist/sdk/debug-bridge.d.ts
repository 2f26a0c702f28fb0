/** Type declarations of the Debug Bridge SDK. */

/** One interactive element of the page. */
export interface UITreeItem {
  ref: string;
  stableId: string;
  selector: string;
  role: string;
  name: string;
  text?: string;
  label?: string;
  value?: string;
  disabled: boolean;
  visible: boolean;
  hidden?: string;
  checked?: boolean | 'mixed';
  expanded?: boolean;
  selected?: boolean;
  focused?: boolean;
  bounds: { x: number; y: number; width: number; height: number };
  frameId: string;
  meta?: Record<string, string>;
}

export interface DebugBridgeOptions {
  /** The daemon's endpoint, e.g. ws://127.0.0.1:9224/debug. */
  url: string;
  /** Group of pages and agents; default "default". */
  sessionId?: string;
  appName?: string;
  appVersion?: string;
  /** Made by `dbridge token new NAME --role app`. */
  token?: string;
  /** `Authorization: Bearer TOKEN` alone can be used: browsers send no other header of ours. */
  headers?: Record<string, string>;
  /** Telemetry is on unless switched off. */
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
  /** Connects, and reconnects until disconnect. */
  connect(): void;
  /** Ends the connection and leaves the page as it was. */
  disconnect(): void;
  /** Tells agents a piece of state now. */
  sendCustomState(scope: string, state: unknown): void;
  /**
   * Lets agents call a function of the app, once the person has allowed it for the site.
   * The schema is a JSON Schema of the one argument, an object; its own `description`
   * says what the tool does. What the function gives, awaited, is the answer (JSON, at
   * most 256 kB). The name has 1 to 64 letters, digits, _ and -. Gives the undo.
   */
  registerTool(name: string, schema: Record<string, unknown>, run: (input: never) => unknown): () => void;
}

export function createDebugBridge(options: DebugBridgeOptions): DebugBridge;
