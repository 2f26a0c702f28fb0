/**
 * The inspector: what runs in the page's own world to see frameworks, stores and tools
 * that an isolated world cannot see. It patches nothing of the page, and dispose() takes
 * it out without a trace. One a document.
 */
import { arriveEvent, askEvent, elementOf, handElement, meetingPoint, names, offerEvent, type Line, type Request } from './channel.ts';
import { componentPart } from './components.ts';
import { parseJSON } from './json.ts';
import { Refusal, type Part } from './part.ts';
import { storePart } from './stores.ts';
import { toolPart } from './tools.ts';
import { encode } from './values.ts';

const giveUpAfter = 60_000; // ms without a bridge
const maxElements = 5000; // of one line
const Later = (async () => undefined)().constructor; // what async functions give, whatever the page made of Promise

/** Installs the inspector of this document; the bridge finds it by events. */
export function installApp(): void {
  const { apply } = Reflect;
  const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;
  const MakeEvent = CustomEvent;
  const MakeMouse = MouseEvent;
  const target = meetingPoint();
  const listen = (at: EventTarget, type: string, on: (event: Event) => void): void => apply(addEventListener, at, [type, on, true]);
  const unlisten = (at: EventTarget, type: string, on: (event: Event) => void): void => apply(removeEventListener, at, [type, on, true]);
  const say = (type: string, detail?: string, cancelable = false): boolean =>
    apply(dispatchEvent, target, [new MakeEvent(type, { detail, cancelable })]) as boolean;

  const parts: Part[] = [];
  let operations: Part['operations'] = {};
  let name: ReturnType<typeof names> | undefined;
  let elements: Element[] = [];
  let disposed = false;

  const post = (line: Line, given: readonly Element[] = []): void => {
    if (name === undefined || disposed) return;
    for (const element of given) handElement(target, name.given, element, MakeMouse);
    say(name.line, encode(line));
  };

  const answer = (id: number, run: () => unknown, given: Element[]): void => {
    const fail = (error: unknown): void => {
      const refusal = error instanceof Refusal ? error : new Refusal('INTERNAL_ERROR', textOf(error));
      post({ id, fault: refusal.code, message: refusal.message });
    };
    try {
      const value = run();
      if (value instanceof Later) (value as Promise<unknown>).then((done: unknown) => post({ id, value: done ?? null }, given), fail);
      else post({ id, value: value ?? null }, given);
    } catch (error) {
      fail(error);
    }
  };

  const onRequest = (event: Event): void => {
    const came = elements;
    elements = [];
    const detail: unknown = (event as CustomEvent).detail;
    if (typeof detail !== 'string') return;
    let request: Request;
    try {
      request = parseJSON(detail) as Request;
    } catch {
      return; // the page's own noise
    }
    const { id, op, args } = request;
    const given: Element[] = [];
    answer(id, () => {
      const run = Object.hasOwn(operations, op) ? operations[op] : undefined;
      if (run === undefined) throw new Refusal('UNKNOWN_TYPE', `The inspector has no operation ${op}.`);
      return run(args, {
        elements: came,
        give(element) {
          if (given.length >= maxElements) return -1;
          return given.push(element) - 1;
        },
      });
    }, given);
  };

  const onElement = (event: Event): void => {
    const element = elementOf(event);
    if (element !== null && elements.length < maxElements) elements.push(element);
  };

  /** Another one arrived: registered ahead of the page and injected both. */
  const onAsked = (event: Event): void => event.preventDefault();

  const dispose = (): void => {
    if (disposed) return;
    disposed = true;
    clearTimeout(timer);
    unlisten(target, askEvent, onAsked);
    unlisten(target, offerEvent, onOffer);
    if (name !== undefined) {
      unlisten(target, name.request, onRequest);
      unlisten(target, name.element, onElement);
      unlisten(window, name.element, onElement);
      unlisten(target, name.end, dispose);
    }
    for (const part of parts) {
      try {
        part.dispose();
      } catch {
        // One part's trouble with the page is not the others'.
      }
    }
  };

  const onOffer = (event: Event): void => {
    const nonce: unknown = (event as CustomEvent).detail;
    if (typeof nonce !== 'string' || nonce === '' || name !== undefined) return;
    event.preventDefault(); // "this inspector is here"
    name = names(nonce);
    unlisten(target, offerEvent, onOffer);
    clearTimeout(timer);
    listen(target, name.request, onRequest);
    listen(target, name.element, onElement);
    listen(window, name.element, onElement);
    listen(target, name.end, dispose);
    post({ kind: 'ready', value: null });
    for (const part of parts) part.begin?.((kind, value) => post({ kind, value }));
  };

  if (!say(askEvent, undefined, true)) return; // one is here already
  listen(target, askEvent, onAsked);
  for (const make of [storePart, componentPart, toolPart]) {
    try {
      const part = make();
      parts.push(part);
      operations = { ...operations, ...part.operations };
    } catch {
      // A page that replaced what a part stands on goes without it.
    }
  }
  listen(target, offerEvent, onOffer);
  const timer = setTimeout(dispose, giveUpAfter);
  // Whichever world started first, one of the two events finds the other.
  say(arriveEvent);
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'the page threw something that cannot be read';
  }
}
