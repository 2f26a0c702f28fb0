/**
 * What an action changed: compares a few facts before and after and counts what
 * happened in between, once the page is quiet.
 */
import type { Effect } from '../api.ts';
import { activeElement, isConnected, rectOf } from '../dom/primordials.ts';
import { check, frame } from './wait.ts';

const quietLimit = 100; // ms
const telling = ['input', 'change', 'scroll', 'toggle', 'submit', 'reset', 'close'] as const;

export interface WatchScope {
  /** Shadow roots met so far; the document is always watched. */
  roots(): Iterable<ShadowRoot>;
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

export class Watch {
  readonly target: Element | null;
  #activity = 0;
  #navigations: NavigateEvent[] = [];
  #left = false;
  readonly #observer: MutationObserver;
  readonly #url = location.href;
  readonly #active = deepActive();
  readonly #facts: string;
  readonly #scroll = `${scrollX} ${scrollY}`;

  constructor(target: Element | null, scope: WatchScope) {
    this.target = target;
    this.#facts = facts(target);
    this.#observer = new MutationObserver((records) => {
      this.#activity += records.length;
    });
    const what = { subtree: true, childList: true, attributes: true, characterData: true };
    this.#observer.observe(document, what);
    for (const root of scope.roots()) this.#observer.observe(root, what);
    for (const type of telling) addEventListener(type, this.#onEvent, { capture: true, passive: true });
    addEventListener('pagehide', this.#onLeave, true);
    // Since Chrome 102; the only sign of a navigation that has not committed yet.
    if ('navigation' in window) navigation.addEventListener('navigate', this.#onNavigate);
  }

  readonly #onEvent = (): void => {
    this.#activity++;
  };

  readonly #onLeave = (): void => {
    this.#left = true;
  };

  readonly #onNavigate = (event: NavigateEvent): void => {
    this.#navigations.push(event);
    this.#activity++;
  };

  #count(): number {
    this.#activity += this.#observer.takeRecords().length;
    return this.#activity;
  }

  #navigating(): boolean {
    if (this.#left || location.href !== this.#url) return true;
    return this.#navigations.some((event) => !event.destination.sameDocument && event.downloadRequest === null
      && !event.defaultPrevented && !event.signal.aborted);
  }

  /** Waits until nothing more happens (two quiet frames, about 100 ms at most) and says what changed. */
  async settle(signal: AbortSignal): Promise<Effect> {
    try {
      const until = performance.now() + quietLimit;
      await frame();
      let seen = this.#count();
      let quiet = seen === 0 && !this.#changed() ? 2 : 0;
      while (quiet < 2 && !this.#navigating() && performance.now() < until) {
        check(signal);
        await frame();
        const now = this.#count();
        quiet = now === seen ? quiet + 1 : 0;
        seen = now;
      }
      return this.effect();
    } finally {
      this.stop();
    }
  }

  #changed(): boolean {
    return deepActive() !== this.#active || facts(this.target) !== this.#facts || `${scrollX} ${scrollY}` !== this.#scroll;
  }

  effect(): Effect {
    if (this.#navigating()) return 'navigated';
    return this.#count() > 0 || this.#changed() ? 'changed' : 'noop';
  }

  stop(): void {
    this.#observer.disconnect();
    for (const type of telling) removeEventListener(type, this.#onEvent, { capture: true });
    removeEventListener('pagehide', this.#onLeave, true);
    if ('navigation' in window) navigation.removeEventListener('navigate', this.#onNavigate);
  }
}
