/**
 * The content script: a page bridge on a port to the worker, in the isolated world.
 *
 * It is inert until the worker says start, and after stop the document is as it was.
 * It outlives the worker (reconnects and sends again what was not acknowledged), the
 * back/forward cache (the port closes on the way in and opens on the way out), and
 * the extension itself only long enough to undo everything.
 */
import { createBridge } from '../page/bridge.ts';
import type { Bridge, TelemetryMessage } from '../page/api.ts';
import { BridgeFault } from '../page/fault.ts';
import { randomName } from '../page/random.ts';
import { BRIDGE_PORT, CONSOLE_MARK, CONSOLE_SWITCH } from './messages.ts';
import type { FromContent, ToContent } from './messages.ts';

/** What an instance leaves in the isolated world's global object. */
interface Instance {
  alive(): boolean;
  dispose(): void;
}

const INSTANCE = '__debugBridge';
const RECONNECT_FIRST_MS = 20;
const RECONNECT_MAX_MS = 5_000;

const world: Record<string, unknown> = globalThis as unknown as Record<string, unknown>;

class Content implements Instance {
  readonly #nonce = randomName();
  #port: chrome.runtime.Port | null = null;
  #bridge: Bridge | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #disposed = false;
  #leaving = false; // into the back/forward cache
  #flowPaused = false;
  #started = false; // this port was told to start
  #hookOn = false;
  /** Lines of before the hook came are nobody's yet: whoever takes the console first tells them. */
  #gap = true;
  readonly #held: Array<{ first: number; messages: TelemetryMessage[] }> = [];
  readonly #calls = new Map<number, AbortController>();

  constructor() {
    addEventListener('pageshow', this.#onPageShow);
    addEventListener('pagehide', this.#onPageHide);
    document.addEventListener('freeze', this.#onFreeze);
    world[CONSOLE_SWITCH] = (byCdp: unknown) => this.#switchConsole(byCdp === true);
    // A prerendered page is not the live page: it is announced when it becomes it.
    if ((document as Document & { prerendering?: boolean }).prerendering === true) document.addEventListener('prerenderingchange', this.#connect, { once: true });
    else this.#connect();
  }

  alive(): boolean {
    return !this.#disposed && extensionLives();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    clearTimeout(this.#timer);
    removeEventListener('pageshow', this.#onPageShow);
    removeEventListener('pagehide', this.#onPageHide);
    document.removeEventListener('freeze', this.#onFreeze);
    document.removeEventListener('prerenderingchange', this.#connect);
    for (const call of this.#calls.values()) call.abort();
    this.#calls.clear();
    // A hook registered ahead of the page waits in the page's world even when this
    // frame was never started: only a bridge can tell it to go.
    this.#bridge ??= this.#create({ telemetry: ['console', 'errors', 'state'], level: 'observe', redact: [] });
    this.#bridge.dispose();
    this.#bridge = null;
    delete world[CONSOLE_SWITCH];
    if (world[INSTANCE] === this) delete world[INSTANCE];
    this.#drop();
  }

  readonly #onPageShow = (event: PageTransitionEvent): void => {
    this.#leaving = false;
    if (!event.persisted || this.#disposed) return;
    this.#drop(); // the port of before is closed, whether or not we were told
    this.#attempts = 0;
    this.#connect();
  };

  readonly #onPageHide = (event: PageTransitionEvent): void => {
    this.#leaving = event.persisted;
    if (this.#leaving) clearTimeout(this.#timer);
  };

  /** The last moment before the back/forward cache: what the page said on its way out is sent. */
  readonly #onFreeze = (): void => {
    if (this.#leaving) this.#drop();
  };

  /** Lets go of the port without telling anyone. */
  #drop(): void {
    const port = this.#port;
    this.#port = null;
    this.#started = false;
    this.#held.length = 0; // the outbox still holds them
    try {
      port?.disconnect();
    } catch {
      // The extension is gone: there is nothing to disconnect from.
    }
  }

  readonly #connect = (): void => {
    clearTimeout(this.#timer);
    if (this.#disposed || this.#port) return;
    if (!extensionLives()) return this.dispose();
    let port: chrome.runtime.Port;
    try {
      port = chrome.runtime.connect({ name: BRIDGE_PORT });
    } catch {
      return this.dispose(); // "Extension context invalidated."
    }
    this.#port = port;
    port.onMessage.addListener((message: ToContent) => {
      if (port === this.#port) this.#receive(message);
    });
    port.onDisconnect.addListener(() => {
      if (port !== this.#port) return;
      if (extensionLives()) void chrome.runtime.lastError; // read, so that Chrome does not print it in the page's console
      this.#drop();
      this.#reconnectLater();
    });
    this.#post({ kind: 'ready', nonce: this.#nonce });
  };

  #reconnectLater(): void {
    if (!extensionLives()) return this.dispose();
    const ms = Math.min(RECONNECT_MAX_MS, RECONNECT_FIRST_MS * 2 ** this.#attempts++);
    // Jitter: a page of many frames must not knock all at once.
    this.#timer = setTimeout(this.#connect, ms * (0.5 + Math.random()));
  }

  #post(message: FromContent): void {
    try {
      this.#port?.postMessage(message);
    } catch {
      // Closed between two lines; onDisconnect follows, and the outbox keeps what matters.
    }
  }

  #receive(message: ToContent): void {
    switch (message.kind) {
      case 'start':
        this.#attempts = 0;
        this.#start(message);
        break;
      case 'call':
        void this.#call(message.id, message.command);
        break;
      case 'abort':
        this.#calls.get(message.id)?.abort();
        break;
      case 'ack':
        this.#bridge?.acknowledge(message.upTo);
        break;
      case 'flow':
        this.#flowPaused = message.paused;
        if (!message.paused) for (const batch of this.#held.splice(0)) this.#post({ kind: 'telemetry', ...batch });
        break;
      case 'resend':
        // The link was away: a new daemon knows of no drawing.
        this.#bridge?.undraw();
        this.#resend();
        this.#bridge?.again(); // nor of what state was before
        break;
      case 'console':
        this.#switchConsole(message.byCdp);
        break;
      case 'stop':
        this.dispose();
        break;
    }
  }

  #start(start: Extract<ToContent, { kind: 'start' }>): void {
    this.#started = true;
    this.#flowPaused = false;
    if (this.#bridge) {
      this.#bridge.configure({ telemetry: new Set(start.telemetry), level: start.level, redact: start.redact });
      this.#switchConsole(start.consoleByCdp);
      this.#resend();
      return;
    }
    this.#hookOn = start.earlyHook;
    this.#gap = !start.earlyHook;
    this.#bridge = this.#create(start);
    this.#bridge.start();
    // A hook that is not in the page yet asks when it arrives, and is told the same.
    this.#switchConsole(start.consoleByCdp);
  }

  #create(options: Pick<Extract<ToContent, { kind: 'start' }>, 'telemetry' | 'level' | 'redact'>): Bridge {
    return createBridge({
      channel: {
        send: (first, messages) => {
          if (!this.#started) return; // kept by the outbox until the next resend
          if (this.#flowPaused) this.#held.push({ first, messages });
          else this.#post({ kind: 'telemetry', first, messages });
        },
      },
      telemetry: new Set(options.telemetry),
      level: options.level,
      redact: options.redact,
      allowEval: false,
      isTop: window === window.top,
      hookNonce: this.#nonce,
      appNonce: this.#nonce,
      tellHuman: true,
      openClosedRoot: (element) => (element instanceof HTMLElement ? chrome.dom.openOrClosedShadowRoot(element) : element.shadowRoot),
      onSdk: (appId) => this.#post({ kind: 'sdk', appId }),
    });
  }

  async #call(id: number, command: Extract<ToContent, { kind: 'call' }>['command']): Promise<void> {
    const bridge = this.#bridge;
    if (!bridge) {
      this.#post({ kind: 'fault', id, code: 'NOT_CONNECTED', message: 'The bridge of this frame is not started.' });
      return;
    }
    const abort = new AbortController();
    this.#calls.set(id, abort);
    try {
      const result = await bridge.execute(command, abort.signal, () => this.#post({ kind: 'acted', id }));
      this.#post({ kind: 'result', id, result });
    } catch (error) {
      this.#post(faultOf(id, error));
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Sends what was not acknowledged again, after a word that the numbers start over. */
  #resend(): void {
    this.#held.length = 0;
    this.#post({ kind: 'resending' });
    this.#bridge?.resend();
  }

  /** Called by the worker, over the port or (at an exact point of the page's time) through the debugger. */
  #switchConsole(byCdp: boolean): void {
    const wasOn = this.#hookOn;
    if (!this.#bridge) return; // not started: start() says what it shall be
    this.#hookOn = !byCdp;
    // The bridge switches before execute returns; the promise has nothing to add.
    this.#bridge?.execute({ type: 'console_hook', on: !byCdp }, new AbortController().signal, () => undefined).catch(() => undefined);
    const mark = world[CONSOLE_MARK];
    const since = byCdp && wasOn && this.#gap ? this.#bridge.hookedAt() : undefined;
    if (typeof mark === 'function') mark(JSON.stringify({ nonce: this.#nonce, wasOn, byCdp, since }));
    if (byCdp && (typeof mark === 'function' || !wasOn)) this.#gap = false;
  }
}

function faultOf(id: number, error: unknown): FromContent {
  if (error instanceof BridgeFault) {
    const fault: FromContent = { kind: 'fault', id, code: error.code, message: error.message };
    if (error.details) fault.details = error.details;
    if (error.suggestions) fault.suggestions = error.suggestions;
    return fault;
  }
  return { kind: 'fault', id, code: 'INTERNAL_ERROR', message: error instanceof Error ? error.message : String(error) };
}

/** False once the extension was reloaded, disabled or removed: chrome.runtime is then a shell. */
function extensionLives(): boolean {
  try {
    return typeof chrome.runtime?.id === 'string';
  } catch {
    return false;
  }
}

// A second injection in one document does nothing; one after a reload of the extension takes over.
const earlier = world[INSTANCE];
if (!(earlier instanceof Object && 'alive' in earlier && typeof earlier.alive === 'function' && earlier.alive() === true)) {
  if (earlier instanceof Object && 'dispose' in earlier && typeof earlier.dispose === 'function') earlier.dispose();
  world[INSTANCE] = new Content();
}
