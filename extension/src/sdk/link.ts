/** The SDK's WebSocket: handshake, reconnect with backoff, and when to give up. */

export interface LinkOptions {
  url: string;
  sessionId: string;
  token: string | undefined;
}

export interface LinkHandlers {
  /** hello and capabilities, sent first on each connection. */
  greeting(): Record<string, unknown>[];
  welcomed(welcome: Record<string, unknown>): void;
  message(message: Record<string, unknown>): void;
  /** What was sent up to this number has left the page. */
  drained(upTo: number): void;
  /** Given up for good; the reason is in the console. */
  stopped(): void;
}

const firstDelay = 500; // ms
const maxDelay = 30_000;
const refusals = 3; // times that a living daemon may refuse before we stop
const fullBuffer = 256 * 1024; // bytes in the socket beyond which we wait
const drainCheck = 20; // ms
const welcomeLimit = 5000; // ms

// Captured: an app may replace them later for its own tests.
const Socket = WebSocket;
const probe = fetch.bind(window);
const warn = console.warn.bind(console);

export class Link {
  readonly #options: LinkOptions;
  readonly #handlers: LinkHandlers;
  #socket: WebSocket | undefined;
  #ready = false; // welcomed
  #attempts = 0;
  #refused = 0;
  #closed = false;
  #last = 0; // number of the newest message handed to the socket
  #retry: ReturnType<typeof setTimeout> | undefined;
  #drain: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LinkOptions, handlers: LinkHandlers) {
    this.#options = options;
    this.#handlers = handlers;
  }

  /** True when trying again was given up. */
  get stopped(): boolean {
    return this.#closed;
  }

  open(): void {
    if (this.#closed || this.#socket !== undefined) return;
    let socket: WebSocket;
    try {
      socket = new Socket(address(this.#options), protocols(this.#options.token));
    } catch {
      // A wrong address or token, or a page policy: trying again does not help.
      this.#stop('the url or the token cannot be used here (a WebSocket could not be made)');
      return;
    }
    this.#socket = socket;
    let opened = false;
    const patience = setTimeout(() => socket.close(), welcomeLimit);
    socket.onopen = () => {
      opened = true;
      for (const message of this.#handlers.greeting()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      const message = parse(event.data);
      if (message === undefined || socket !== this.#socket) return;
      if (message.type !== 'welcome') {
        if (this.#ready) this.#handlers.message(message);
        return;
      }
      clearTimeout(patience);
      this.#ready = true;
      this.#attempts = 0;
      this.#refused = 0;
      this.#handlers.welcomed(message);
    };
    socket.onclose = (event) => {
      clearTimeout(patience);
      if (socket !== this.#socket) return;
      this.#socket = undefined;
      this.#ready = false;
      if (!this.#closed) void this.#lost(event.code, opened);
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#drain);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#ready = false;
    socket?.close(1000);
  }

  /** Dropped while away: the outbox keeps telemetry, and an unanswered command is the host's to report. */
  send(message: Record<string, unknown>): void {
    if (!this.#ready || this.#socket?.readyState !== Socket.OPEN) return;
    this.#socket.send(JSON.stringify(message));
  }

  /** Messages up to this number were handed over; tells when the socket has room again. */
  sent(upTo: number): void {
    if (!this.#ready) return;
    this.#last = upTo;
    if (this.#drain === undefined) this.#checkDrain();
  }

  #checkDrain(): void {
    this.#drain = undefined;
    const socket = this.#socket;
    if (socket === undefined || !this.#ready) return;
    if (socket.bufferedAmount > fullBuffer) {
      this.#drain = setTimeout(() => this.#checkDrain(), drainCheck);
      return;
    }
    // Later, not now: the outbox is in the middle of sending.
    const upTo = this.#last;
    queueMicrotask(() => {
      if (this.#ready) this.#handlers.drained(upTo);
    });
  }

  async #lost(code: number, opened: boolean): Promise<void> {
    if (code === 4401) return this.#stop('its token was revoked');
    if (!opened || code === 1008) {
      // A browser does not tell a refusal (401, 403) from nobody there: ask whether anybody is.
      if (code === 1008 || await this.#alive()) this.#refused++;
      if (this.#refused >= refusals) {
        return this.#stop(`the daemon refuses this page. Check the token (dbridge token new NAME --role app) and allow the origin: dbridge app allow ${location.origin}`);
      }
    }
    if (!opened && await denied()) {
      return this.#stop(`${location.origin} may not reach programs on this computer: it was denied. Allow "apps on device" (or local network access) in the site's settings`);
    }
    if (this.#closed) return;
    const delay = Math.min(maxDelay, firstDelay * 2 ** this.#attempts++) * (0.5 + Math.random());
    this.#retry = setTimeout(() => this.open(), delay);
  }

  async #alive(): Promise<boolean> {
    const url = new URL(this.#options.url);
    url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
    url.pathname = '/';
    url.search = '';
    try {
      await probe(url.href, { mode: 'no-cors', cache: 'no-store', credentials: 'omit', redirect: 'manual', referrerPolicy: 'no-referrer' });
      return true;
    } catch {
      return false;
    }
  }

  #stop(why: string): void {
    this.#closed = true;
    this.#handlers.stopped();
    warn(`[debug-bridge] stopped: ${why}. Call connect() again after putting it right.`);
  }
}

/** Whether the browser keeps this site from loopback addresses because the person said no (Local Network Access). */
async function denied(): Promise<boolean> {
  for (const name of ['loopback-network', 'local-network-access']) {
    try {
      if ((await navigator.permissions.query({ name: name as PermissionName })).state === 'denied') return true;
    } catch {
      // This browser has no such permission.
    }
  }
  return false;
}

function address(options: LinkOptions): string {
  const url = new URL(options.url, location.href);
  if (url.protocol === 'http:') url.protocol = 'ws:';
  if (url.protocol === 'https:') url.protocol = 'wss:';
  if (url.pathname === '/') url.pathname = '/debug';
  url.searchParams.set('role', 'app');
  url.searchParams.set('sessionId', options.sessionId);
  url.searchParams.delete('token'); // a token never rides in a URL
  return url.href;
}

function protocols(token: string | undefined): string[] {
  return token === undefined ? ['debug-bridge.v1'] : ['debug-bridge.v1', `debug-bridge.token.${token}`];
}

function parse(data: unknown): Record<string, unknown> | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : undefined;
  } catch {
    return undefined;
  }
}
