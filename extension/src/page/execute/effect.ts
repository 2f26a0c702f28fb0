/**
 * What an action changed: compares a few facts before and after and counts what
 * happened in between, once the page is quiet. Quiet is told by turns of the event
 * loop, not by the clock: handlers have run when input was answered, what they queued
 * runs in the next turn, and only where nothing at all has come of it yet a frame is
 * waited for.
 */
import type { Effect } from '../api.ts';
import { changeRecords, Changes, toldChanges, type Told } from '../collect/changes.ts';
import { activeElement, hasAttr, isConnected, isElement, rectOf } from '../dom/primordials.ts';
import { turn } from '../dom/timing.ts';
import type { UITree } from '../tree/uitree.ts';
import { check, frame } from './wait.ts';

const quietLimit = 100; // ms
const telling = ['input', 'change', 'scroll', 'toggle', 'submit', 'reset', 'close'] as const;

export interface WatchScope {
  /** Shadow roots met so far; the document is always watched. */
  roots(): Iterable<ShadowRoot>;
  uiTree: UITree;
  state: { hurry(): void };
}

/** The focused element, through shadow roots that are open to us. */
export function deepActive(): Element | null {
  let at = activeElement(document);
  while (at?.shadowRoot != null) {
    const inner = activeElement(at.shadowRoot);
    if (inner === null) break;
    at = inner;
  }
  return at;
}

/** Facts of one element that an action may change without a mutation. */
function facts(element: Element | null): string {
  if (element === null) return '';
  if (!isConnected(element)) return 'gone';
  const parts: unknown[] = [element.scrollLeft, element.scrollTop];
  if (element instanceof HTMLInputElement) parts.push(element.value, element.checked, element.indeterminate, element.files?.length);
  else if (element instanceof HTMLTextAreaElement) parts.push(element.value);
  else if (element instanceof HTMLSelectElement) for (const option of element.selectedOptions) parts.push(option.index);
  else if (element instanceof HTMLDetailsElement || element instanceof HTMLDialogElement) parts.push(element.open);
  const box = rectOf(element);
  parts.push(Math.round(box.x), Math.round(box.y));
  return parts.join('\u0000');
}

function takesText(element: Element): boolean {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || (element instanceof HTMLElement && element.isContentEditable)
    || (element instanceof HTMLInputElement && !['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file'].includes(element.type));
}

export class Watch {
  readonly target: Element | null;
  /** Changes of the document. */
  mutations = 0;
  #activity = 0;
  #drag: DragEvent | undefined;
  #navigations: NavigateEvent[] = [];
  #left = false;
  readonly #observer: MutationObserver;
  readonly #changes: Changes | undefined;
  readonly #url = location.href;
  readonly #active = deepActive();
  readonly #facts: string;
  readonly #scroll = `${scrollX} ${scrollY}`;

  /** Without words only that something changed is told, not what. */
  constructor(target: Element | null, scope: WatchScope, words: boolean = true) {
    this.target = target;
    this.#facts = facts(target);
    this.#changes = words ? new Changes(scope.uiTree, () => scope.roots()) : undefined;
    if (words) scope.state.hurry();
    this.#changes?.begin();
    this.#observer = new MutationObserver((records) => this.#take(records));
    this.#observer.observe(document, changeRecords);
    for (const root of scope.roots()) this.#observer.observe(root, changeRecords);
    for (const type of telling) addEventListener(type, this.#onEvent, { capture: true, passive: true });
    addEventListener('dragstart', this.#onDrag, { capture: true, passive: true });
    addEventListener('pagehide', this.#onLeave, true);
    // Since Chrome 102; the only sign of a navigation that has not committed yet.
    if ('navigation' in window) navigation.addEventListener('navigate', this.#onNavigate);
  }

  readonly #onEvent = (event: Event): void => {
    this.#activity++;
    const first = event.composedPath()[0];
    if (!(first instanceof Node) || !isElement(first)) return;
    if (event.type === 'input' || event.type === 'change' || (event.type === 'toggle' && hasAttr(first, 'popover'))) this.#changes?.touched(first);
  };

  #take(records: MutationRecord[]): void {
    this.mutations += records.length;
    this.#changes?.add(records);
  }

  /** What changed, in words. */
  words(): Told {
    this.#count();
    return this.#changes?.tell(toldChanges, this.target) ?? { changes: [], more: 0 };
  }

  readonly #onLeave = (): void => {
    this.#left = true;
  };

  readonly #onNavigate = (event: NavigateEvent): void => {
    this.#navigations.push(event);
    this.#activity++;
  };

  readonly #onDrag = (event: DragEvent): void => {
    this.#drag = event;
  };

  /** The page lets the browser drag something. */
  get dragging(): boolean {
    return this.#drag?.defaultPrevented === false;
  }

  /** The document's address, when it is another one. */
  get moved(): string | undefined {
    return location.href === this.#url ? undefined : location.href;
  }

  /** Where the focus went, when it moved to anything but the target. */
  get focused(): Element | null {
    const now = deepActive();
    return now === this.#active || now === this.target || now === document.body ? null : now;
  }

  #count(): number {
    this.#take(this.#observer.takeRecords());
    return this.mutations + this.#activity;
  }

  #navigating(): boolean {
    if (this.#left || location.href !== this.#url) return true;
    return this.#navigations.some((event) => !event.destination.sameDocument && event.downloadRequest === null
      && !event.defaultPrevented && !event.signal.aborted);
  }

  /** Waits until nothing more happens (about 100 ms at most) and says what changed. */
  async settle(signal: AbortSignal, keep: boolean = false, again: boolean = false): Promise<Effect> {
    try {
      const until = performance.now() + quietLimit;
      const before = again ? this.#count() : 0;
      await turn();
      // It may come with the next frame, as the events of scrolling do.
      if (!this.#told() || this.#scrolled() || (again && this.#count() === before)) await frame();
      let seen = this.#count();
      while (seen > 0 && !this.#navigating() && performance.now() < until) {
        check(signal);
        await turn();
        const now = this.#count();
        if (now === seen) break;
        seen = now;
      }
      return this.effect();
    } finally {
      if (!keep) this.stop();
    }
  }

  /** Something came of the action, beyond the focus that any press moves. */
  #told(): boolean {
    if (this.#count() > 0 || this.#navigating() || this.#moved()) return true;
    return deepActive() !== this.#active && this.target !== null && takesText(this.target);
  }

  #scrolled(): boolean {
    return `${scrollX} ${scrollY}` !== this.#scroll;
  }

  #moved(): boolean {
    return facts(this.target) !== this.#facts || this.#scrolled();
  }

  #changed(): boolean {
    return deepActive() !== this.#active || this.#moved();
  }

  effect(): Effect {
    if (this.#navigating()) return 'navigated';
    return this.#count() > 0 || this.#changed() ? 'changed' : 'noop';
  }

  stop(): void {
    this.#observer.disconnect();
    for (const type of telling) removeEventListener(type, this.#onEvent, { capture: true });
    removeEventListener('dragstart', this.#onDrag, { capture: true });
    removeEventListener('pagehide', this.#onLeave, true);
    if ('navigation' in window) navigation.removeEventListener('navigate', this.#onNavigate);
  }
}
