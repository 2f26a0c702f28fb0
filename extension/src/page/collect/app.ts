/**
 * This side of the inspector in the page's own world (src/app): asks it, and takes its
 * news. Everything it says is page data.
 */
import { arriveEvent, elementOf, handElement, meetingPoint, names, offerEvent } from '../../app/channel.ts';
import { BridgeFault } from '../fault.ts';

const arrival = 1500; // ms that the inspector may take to arrive in a page that was just connected
const maxLine = 8 * 1024 * 1024; // characters
const maxElements = 5000;

/** What the inspector answered. */
export interface AppAnswer {
  value: unknown;
  /** The elements that numbers in value stand for. */
  elements: readonly Element[];
}

interface Pending {
  done(answer: AppAnswer): void;
  fail(error: unknown): void;
}

export class AppWorld {
  readonly #names: ReturnType<typeof names>;
  readonly #target = meetingPoint();
  readonly #pending = new Map<number, Pending>();
  readonly #news = new Map<string, (value: unknown) => void>();
  readonly #waiting = new Set<() => void>();
  #elements: Element[] = [];
  #last = 0;
  #started = false;
  #ready = false;

  constructor(nonce: string) {
    this.#names = names(nonce);
    this.#nonce = nonce;
  }

  readonly #nonce: string;

  /** The inspector is in the page. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Takes one kind of news; before start(). */
  on(kind: string, take: (value: unknown) => void): void {
    this.#news.set(kind, take);
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#target.addEventListener(this.#names.line, this.#onLine, true);
    this.#target.addEventListener(this.#names.given, this.#onGiven, true);
    window.addEventListener(this.#names.given, this.#onGiven, true);
    this.#target.addEventListener(arriveEvent, this.#offer);
    this.#offer();
  }

  /** document.open() takes listeners off the window. */
  rearm(): void {
    if (this.#started) window.addEventListener(this.#names.given, this.#onGiven, true);
  }

  /** Undoes the inspector, too. */
  dispose(): void {
    if (!this.#started) return;
    this.#offer(); // one that nobody claimed yet goes, too
    this.#target.dispatchEvent(new CustomEvent(this.#names.end));
    this.#target.removeEventListener(this.#names.line, this.#onLine, true);
    this.#target.removeEventListener(this.#names.given, this.#onGiven, true);
    window.removeEventListener(this.#names.given, this.#onGiven, true);
    this.#target.removeEventListener(arriveEvent, this.#offer);
    this.#started = this.#ready = false;
    for (const pending of this.#pending.values()) pending.fail(new BridgeFault('NOT_CONNECTED', 'The bridge of this document has ended.'));
    this.#pending.clear();
  }

  /** Asks for an operation. An answer that the inspector has at once is here when this returns its promise. */
  async ask(op: string, args: Record<string, unknown> = {}, elements: readonly Element[] = [], signal?: AbortSignal): Promise<AppAnswer> {
    if (!this.#ready) await this.#arrive(signal);
    const id = ++this.#last;
    return await new Promise<AppAnswer>((done, fail) => {
      const abort = (): void => {
        this.#pending.delete(id);
        fail(new BridgeFault('TIMEOUT', 'The page gave no answer in time.'));
      };
      const over = (): void => signal?.removeEventListener('abort', abort);
      this.#pending.set(id, {
        done: (answer) => {
          over();
          done(answer);
        },
        fail: (error) => {
          over();
          fail(error as Error);
        },
      });
      signal?.addEventListener('abort', abort);
      for (const element of elements) handElement(this.#target, this.#names.element, element, MouseEvent);
      this.#target.dispatchEvent(new CustomEvent(this.#names.request, { detail: JSON.stringify({ id, op, args }) }));
    });
  }

  /** Tells the inspector something when it is there; no answer is waited for. */
  poke(op: string, args: Record<string, unknown> = {}): void {
    if (this.#ready) this.ask(op, args).catch(() => undefined);
  }

  async #arrive(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#started) throw missing();
    await new Promise<void>((done) => {
      const over = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(over);
        signal?.removeEventListener('abort', over);
        done();
      };
      const timer = setTimeout(over, arrival);
      this.#waiting.add(over);
      signal?.addEventListener('abort', over);
    });
    if (!this.#ready) throw missing();
  }

  readonly #offer = (): void => {
    if (!this.#ready) this.#target.dispatchEvent(new CustomEvent(offerEvent, { detail: this.#nonce, cancelable: true }));
  };

  readonly #onGiven = (event: Event): void => {
    const element = elementOf(event);
    if (element !== null && this.#elements.length < maxElements) this.#elements.push(element);
  };

  readonly #onLine = (event: Event): void => {
    const elements = this.#elements;
    this.#elements = [];
    const text: unknown = (event as CustomEvent).detail;
    if (typeof text !== 'string' || text.length > maxLine) return;
    let line: Partial<Record<'id' | 'value' | 'fault' | 'message' | 'kind', unknown>>;
    try {
      line = JSON.parse(text) as typeof line;
    } catch {
      return;
    }
    if (typeof line !== 'object' || line === null) return;
    if (line.kind === 'ready') {
      this.#ready = true;
      for (const over of [...this.#waiting]) over();
      this.#news.get('ready')?.(null);
    } else if (typeof line.kind === 'string') this.#news.get(line.kind)?.(line.value);
    else if (typeof line.id === 'number') {
      const pending = this.#pending.get(line.id);
      this.#pending.delete(line.id);
      if (typeof line.fault === 'string') pending?.fail(refusal(line.fault, line.message));
      else pending?.done({ value: line.value, elements });
    }
  };
}

// The codes that the inspector may answer with, in our own words: what it says is page text.
const refusals: Readonly<Record<string, string>> = {
  ELEMENT_NOT_FOUND: 'The page shows nothing of that name.',
  VALIDATION_ERROR: 'The page cannot take that.',
  CAPABILITY_MISSING: 'The page offers no way to do that.',
  ACTION_NO_EFFECT: 'Nothing came of it.',
};

function refusal(code: string, message: unknown): BridgeFault {
  const known = Object.hasOwn(refusals, code);
  const details = typeof message === 'string' ? { reason: message.slice(0, 2000) } : undefined;
  return new BridgeFault(known ? code : 'INTERNAL_ERROR', known ? refusals[code] ?? '' : 'The inspector in the page failed.', details);
}

function missing(): BridgeFault {
  return new BridgeFault('CAPABILITY_MISSING', 'The page has no inspector: following state is switched off, or the page refused the script.', undefined,
    ['Reload the page: dbridge page navigate --reload', 'In the extension: Options, Telemetry, state']);
}
