// Events that change what the tree says without a mutation of the DOM.
import { isElement } from '../dom/primordials.ts';

export interface StateListener {
  /** This element's own state may have changed. */
  state(element: Element): void;
  /** So may that of all that is inside it. */
  subtree(element: Element): void;
  /** Everything may have moved. */
  all(): void;
}

const ownState = ['input', 'change', 'focusin', 'focusout', 'toggle', 'invalid', 'cancel', 'close'];
const insideState = ['reset', 'transitionend', 'animationend', 'slotchange', 'load'];

/** Listen on a document or shadow root; `change`, `toggle` and others do not leave a shadow tree. Returns the undo. */
export function listenTo(root: Document | ShadowRoot, listener: StateListener): () => void {
  const undo = new AbortController();
  const options: AddEventListenerOptions = { capture: true, passive: true, signal: undo.signal };
  const own = (event: Event): void => {
    const target = targetOf(event);
    if (target !== null) listener.state(target);
  };
  const inside = (event: Event): void => {
    const target = targetOf(event);
    if (target !== null) listener.subtree(target);
  };
  for (const type of ownState) root.addEventListener(type, own, options);
  for (const type of insideState) root.addEventListener(type, inside, options);
  if (root instanceof Document) window.addEventListener('resize', () => listener.all(), { passive: true, signal: undo.signal });
  return () => undo.abort();
}

function targetOf(event: Event): Element | null {
  const first = event.composedPath()[0];
  return first instanceof Node && isElement(first) ? first : null;
}
