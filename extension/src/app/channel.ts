/**
 * The line between the two worlds of a document: the bridge in its own world asks, the
 * inspector in the page's own world answers and tells. Both ends use this file.
 *
 * Text travels as the detail of events that are named with a random nonce, elements as
 * the events' related target: Chrome gives each world its own wrapper of the same
 * element. Whatever comes from the page's world is page data; commands only go the
 * other way, and what the inspector can do for whoever forges one, page script can do by itself.
 */

/** Is there an inspector already? One that is prevents the default. */
export const askEvent = 'debug-bridge:app?';
/** The inspector is here and asks for a name, the bridge offers one. */
export const arriveEvent = 'debug-bridge:app!';
export const offerEvent = 'debug-bridge:app';

/** The names that follow from the nonce. */
export const names = (nonce: string) => ({
  request: `${nonce}.a`, // bridge → inspector: JSON of Request
  line: `${nonce}.b`, // inspector → bridge: JSON of Line
  element: `${nonce}.c`, // bridge → inspector: an element of the next request
  given: `${nonce}.d`, // inspector → bridge: an element of the next line
  end: `${nonce}.e`, // bridge → inspector: undo everything
});

export interface Request {
  id: number;
  op: string;
  args: Record<string, unknown>;
}

/** One line of the inspector: an answer (id), or news (kind). */
export type Line =
  | { id: number; value: unknown }
  | { id: number; fault: string; message: string }
  | { kind: string; value: unknown };

/** Not window: document.open() takes all listeners off it. */
export function meetingPoint(): EventTarget {
  return window.visualViewport ?? window;
}

/** The element that an event of the line brings. */
export function elementOf(event: Event): Element | null {
  const { relatedTarget } = event as MouseEvent;
  if (relatedTarget instanceof Element) return relatedTarget;
  const [first] = event.composedPath();
  return first instanceof Element ? first : null;
}

/** Sends an element. One of a shadow root would arrive as its host: it is told on itself. */
export function handElement(target: EventTarget, type: string, element: Element, make: typeof MouseEvent): void {
  if (element.getRootNode() instanceof ShadowRoot) element.dispatchEvent(new make(type, { composed: true }));
  else target.dispatchEvent(new make(type, { relatedTarget: element }));
}
