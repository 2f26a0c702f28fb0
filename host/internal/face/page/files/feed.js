/** What the daemon tells: its overview, asked for again and again, and the sessions' events. */
'use strict';

const POLL_MS = 1_000;
const ASK_MS = 10_000;
const RETRY_MS = [500, 1_000, 2_000, 4_000];
const TYPES = ['console', 'error', 'unhandledrejection'];
/**
 * A browser keeps six connections to one host, for all its windows together. So many
 * streams leave room for questions; the windows share them by locks of these names.
 */
const SLOTS = ['stream-1', 'stream-2', 'stream-3', 'stream-4'];

/** An address of the daemon. Never relative: a person may have typed a password into the address of the page. */
function address(path, query = {}) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}

/** Why there is no answer. status 0: none came at all. */
class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Asks for something. The error is a Refused. */
async function ask(path, query, accept = 'application/json', limit = ASK_MS) {
  let response;
  try {
    response = await fetch(address(path, query), { headers: { Accept: accept }, cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(limit) });
  } catch {
    throw new Refused(0, 'the daemon does not answer');
  }
  if (response.ok) return response;
  let message = '';
  try {
    const { error } = await response.json();
    message = [error.message, ...(error.suggestions ?? []).slice(0, 1)].join(' ');
  } catch {
    message = `the daemon answers ${response.status}`; // the gate's refusals are no JSON
  }
  throw new Refused(response.status, message);
}

/**
 * Feed asks while the page is seen and stops while it is not, so that a forgotten tab
 * keeps no daemon alive.
 */
class Feed {
  #on;
  #streams = new Map();
  #failures = 0;
  #timer = 0;
  #asking = false;
  #ended = false;

  /** on: overview(data), line(session, message), gap(session, message), state(kind, refused), followed(n, of). */
  constructor(on) {
    this.#on = on;
    document.addEventListener('visibilitychange', () => this.#seen());
    addEventListener('online', () => this.#soon(0));
    this.#seen();
  }

  #seen() {
    if (document.hidden) {
      clearTimeout(this.#timer);
      for (const stream of this.#streams.values()) stream.close();
    } else {
      this.#soon(0);
    }
  }

  #soon(ms) {
    clearTimeout(this.#timer);
    if (!this.#ended) this.#timer = setTimeout(() => this.#poll(), ms);
  }

  async #poll() {
    if (this.#asking || document.hidden) return;
    this.#asking = true;
    try {
      const { data } = await (await ask('/v1/overview')).json();
      if (this.#ended) return;
      this.#failures = 0;
      this.#on.overview(data);
      this.#follow(data.sessions);
      this.#tell();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === 401 || error.status === 403) {
        this.#end(error);
        return;
      }
      this.#failures++;
      this.#on.state('lost', error);
    } finally {
      this.#asking = false;
      if (!document.hidden) this.#soon(this.#failures ? RETRY_MS[Math.min(this.#failures, RETRY_MS.length) - 1] : POLL_MS);
    }
  }

  #tell() {
    if (this.#failures || this.#ended) return;
    const streams = [...this.#streams.values()];
    const waiting = streams.some((stream) => stream.waiting);
    this.#on.followed(streams.filter((stream) => stream.open).length, streams.length);
    this.#on.state(waiting ? 'wait' : 'live');
  }

  /** The credential is no good any more: nothing is asked again. */
  #end(error) {
    this.#ended = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams.values()) stream.close();
    this.#on.state('ended', error);
  }

  /** Follows the sessions in which something can be logged, those with pages first. */
  #follow(sessions) {
    const wanted = sessions.filter((session) => session.pages || session.lastSeq).sort((a, b) => Boolean(b.pages) - Boolean(a.pages)).map((session) => session.id);
    for (const [session, stream] of this.#streams) {
      if (!wanted.includes(session)) {
        stream.close();
        this.#streams.delete(session);
      }
    }
    for (const session of wanted) {
      if (!this.#streams.has(session)) this.#streams.set(session, new Stream(session, this.#on, () => this.#tell()));
      this.#streams.get(session).start();
    }
  }
}

/**
 * Stream is one session's events. It comes back by itself, from where it was: browsers
 * differ in what they take for a reason to give up.
 */
class Stream {
  open = false;
  #session;
  #on;
  #changed;
  #source = null;
  #position = { since: 0 };
  #failures = 0;
  #timer = 0;
  #starting = false;
  #release = null;

  constructor(session, on, changed) {
    this.#session = session;
    this.#on = on;
    this.#changed = changed;
  }

  /** Whether it has a connection to be, and has none yet. */
  get waiting() {
    return !this.open && Boolean(this.#source || this.#timer || this.#starting);
  }

  /** Opens the stream where it is not, and where there is a connection to spare. */
  async start() {
    if (this.#source || this.#timer || this.#starting) return;
    this.#starting = true;
    const release = await spare();
    const wanted = this.#starting && !document.hidden;
    this.#starting = false;
    if (!release) this.#changed();
    else if (wanted) this.#listen(release);
    else release();
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#starting = false;
    this.#source?.close();
    this.#source = null;
    this.#release?.();
    this.#release = null;
    this.open = false;
  }

  #listen(release) {
    this.#release = release;
    const source = new EventSource(address('/v1/events', { session: this.#session, types: TYPES.join(','), ...this.#position }));
    this.#source = source;
    source.addEventListener('welcome', () => {
      this.#failures = 0;
      this.open = true;
      this.#changed();
    });
    for (const type of TYPES) source.addEventListener(type, (event) => this.#take(event, this.#on.line));
    source.addEventListener('gap', (event) => this.#take(event, this.#on.gap));
    source.addEventListener('error', (event) => {
      if (event.data !== undefined || source !== this.#source) return; // a page's error, not the stream's
      this.close();
      this.#timer = setTimeout(() => {
        this.#timer = 0;
        if (!document.hidden) this.start();
      }, RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)]);
      this.#changed();
    });
  }

  #take(event, give) {
    if (event.data === undefined) return;
    const at = event.lastEventId.lastIndexOf(':');
    if (at > 0) this.#position = { epoch: event.lastEventId.slice(0, at), since: Number(event.lastEventId.slice(at + 1)) };
    give(this.#session, JSON.parse(event.data));
  }
}

/** Takes one of the connections for streams; the answer gives it back. null: all are taken. */
async function spare() {
  for (const slot of SLOTS) {
    const release = await new Promise((resolve) => {
      navigator.locks.request(slot, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise((done) => resolve(done));
      });
    });
    if (release) return release;
  }
  return null;
}
