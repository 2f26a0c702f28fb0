/**
 * A calm panel in a corner of the page, for a question to the person or a note of theirs.
 *
 * It stands in a closed shadow root in the top layer. Page script sees the element that
 * holds it, and can take it away; what is in it, it can neither read nor press: only
 * trusted input counts, and only once the whole panel has been seen, uncovered and at
 * rest, for a moment.
 */
import { dropOwn, putOwn } from '../dom/own.ts';
import { activeElement, documentElement, isConnected, queryAll, startTimer, stopTimer } from '../dom/primordials.ts';
import { create, styled } from './drawing.ts';
import { panelSheet } from './panel-style.ts';

export interface Wanted {
  heading: string;
  text: string;
  /** What can be pressed, the likeliest first. */
  buttons: readonly { label: string; says: Said }[];
  placeholder: string;
  /** Enter in the field presses the first button. */
  enter: boolean;
  /** What Escape says in the panel; without it Escape does nothing. */
  escape?: Said;
  /** The field takes the focus: the person has just asked for the panel. */
  focus: boolean;
  corner: number;
}

export interface Said {
  answer: 'done' | 'cannot' | 'choice';
  choice?: string;
  words?: string;
}

const tag = 'debug-bridge-panel';
const restMs = 500; // seen, uncovered and unmoved, before a press counts
const raiseMs = 1000; // at most so often is it brought above what covers it
const maxRaises = 30;
const maxWords = 4000; // characters
const margin = '16px';
const corners = [['auto', margin, margin, 'auto'], ['auto', 'auto', margin, margin], [margin, 'auto', 'auto', margin], [margin, margin, 'auto', 'auto']] as const;
// What the person does in the panel is none of the page's affair.
const kept = [
  'keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'paste', 'copy', 'cut', 'drop', 'selectionchange',
  'compositionstart', 'compositionupdate', 'compositionend', 'focus', 'blur', 'focusin', 'focusout',
] as const;

export class Panel {
  /** What was said; null when it was taken away before. */
  readonly said: Promise<Said | null>;
  readonly #wanted: Wanted;
  readonly #host = create(tag);
  readonly #root: ShadowRoot;
  readonly #field: HTMLTextAreaElement;
  readonly #box: HTMLElement;
  readonly #before: Element | null;
  readonly #changes: MutationObserver;
  readonly #sight: IntersectionObserver;
  #say!: (said: Said | null) => void;
  #corner: number;
  #timer: number | undefined; // until it has been seen for a moment
  #armed = false;
  #visible = false;
  #raised = 0;
  #raising: number | undefined;
  #closed = false;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
    this.#corner = wanted.corner;
    this.#before = activeElement(document);
    this.said = new Promise((done) => (this.#say = done));
    this.#root = this.#host.attachShadow({ mode: 'closed' });
    this.#root.adoptedStyleSheets = [panelSheet()];
    ({ box: this.#box, field: this.#field } = this.#draw());
    this.#root.append(this.#box);
    this.#root.addEventListener('click', this.#onClick);
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'contextmenu', 'wheel']) {
      this.#root.addEventListener(type, (event) => event.stopPropagation());
    }
    for (const type of kept) addEventListener(type, this.#onKept, true);
    this.#changes = new MutationObserver(() => this.#disturbed());
    this.#sight = new IntersectionObserver((entries) => this.#seen(entries), { threshold: [0, 0.5, 0.99, 1], trackVisibility: true, delay: 100 } as IntersectionObserverInit);
    this.show();
    this.#sight.observe(this.#box);
    if (wanted.focus) this.#field.focus({ preventScroll: true });
  }

  /** Puts it into the page, also where the page took it away, emptied itself or opened a dialog over it. */
  show(): void {
    if (this.#closed) return;
    const parent = holder();
    if (parent === null) return;
    if (!isConnected(this.#host) || this.#host.parentNode !== parent) {
      putOwn(this.#host);
      parent.append(this.#host);
      this.#dress();
      this.#raise();
    }
  }

  /** Whether the person can see it. */
  get visible(): boolean {
    return this.#visible;
  }

  close(said: Said | null = null): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#changes.disconnect();
    this.#sight.disconnect();
    stopTimer(this.#timer ?? 0);
    stopTimer(this.#raising ?? 0);
    for (const type of kept) removeEventListener(type, this.#onKept, true);
    const focused = this.#root.activeElement !== null;
    this.#host.remove();
    dropOwn(this.#host);
    if (focused && this.#before instanceof HTMLElement && isConnected(this.#before)) this.#before.focus({ preventScroll: true });
    this.#say(said);
  }

  #draw(): { box: HTMLElement; field: HTMLTextAreaElement } {
    const { heading, text, buttons, placeholder } = this.#wanted;
    const box = create('div');
    box.className = 'panel';
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-labelledby', 'heading');
    box.setAttribute('aria-describedby', 'text');
    const head = create('div');
    head.className = 'head';
    const title = create('div');
    title.id = 'heading';
    title.textContent = heading;
    const move = button('⤡', 'move');
    move.title = 'Move to another corner';
    move.setAttribute('aria-label', move.title);
    head.append(title, move);
    const words = create('div');
    words.id = 'text';
    words.textContent = text;
    // Told to who cannot see it come.
    words.setAttribute('role', 'status');
    const field = create('textarea') as HTMLTextAreaElement;
    field.rows = 2;
    field.maxLength = maxWords;
    field.placeholder = placeholder;
    field.setAttribute('aria-label', placeholder);
    field.spellcheck = false;
    field.autocomplete = 'off';
    const row = create('div');
    row.className = 'row';
    buttons.forEach(({ label }, index) => {
      const made = button(label, index === 0 ? 'first' : '');
      made.dataset.index = String(index);
      row.append(made);
    });
    const from = create('div');
    from.className = 'from';
    from.textContent = 'From Debug Bridge, not from this page.';
    box.append(head, words, field, row, from);
    return { box, field };
  }

  readonly #onClick = (event: Event): void => {
    if (!event.isTrusted || !(event.target instanceof Element)) return;
    const pressed = event.target.closest('button');
    if (pressed === null) return;
    if (pressed.className === 'move') {
      this.#corner = (this.#corner + 1) % corners.length;
      this.#disturbed();
      return;
    }
    this.#press(this.#wanted.buttons[Number(pressed.dataset.index)]?.says);
  };

  /** Keeps what the person types from the page; only its listeners that were there earlier hear of it. */
  readonly #onKept = (event: Event): void => {
    if (event.target !== this.#host || !event.isTrusted) return;
    event.stopImmediatePropagation();
    if (event.type !== 'keydown') return;
    const { key, shiftKey, isComposing } = event as KeyboardEvent;
    if (isComposing) return;
    if (key === 'Enter' && !shiftKey && this.#wanted.enter && this.#root.activeElement === this.#field) {
      event.preventDefault();
      this.#press(this.#wanted.buttons[0]?.says);
    } else if (key === 'Escape' && this.#wanted.escape !== undefined) {
      event.preventDefault();
      this.close(this.#wanted.escape);
    }
  };

  #press(says: Said | undefined): void {
    if (says === undefined || !this.#armed) return;
    const words = this.#field.value.slice(0, maxWords).trim().toWellFormed();
    this.close(words === '' ? says : { ...says, words });
  }

  /** Every style that the page could have set, too, so that its rules do not reach it. */
  #dress(): void {
    this.#changes.disconnect();
    const [top, right, bottom, left] = corners[this.#corner] ?? corners[0];
    styled(this.#host, {
      all: 'initial', position: 'fixed', display: 'block', margin: '0', padding: '0', border: '0', background: 'none', overflow: 'visible', opacity: '1',
      top, right, bottom, left, width: '360px', height: 'auto', 'max-width': 'calc(100vw - 32px)', 'max-height': 'none', 'z-index': '2147483647',
      'pointer-events': 'auto', visibility: 'visible', direction: 'ltr', 'color-scheme': 'light dark',
    });
    this.#host.setAttribute('popover', 'manual');
    this.#changes.observe(this.#host, { attributes: true });
  }

  /** Somebody changed how it stands: it counts as new. */
  #disturbed(): void {
    if (this.#closed) return;
    this.#disarm();
    this.#host.removeAttribute('hidden');
    this.#host.removeAttribute('inert');
    this.#dress();
    this.#arm();
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    const entry = entries.at(-1) as (IntersectionObserverEntry & { isVisible?: boolean }) | undefined;
    if (entry === undefined || this.#closed) return;
    this.#visible = entry.intersectionRatio >= 0.99 && entry.isVisible !== false;
    if (this.#visible) {
      this.#arm();
      return;
    }
    this.#disarm();
    if (this.#raised >= maxRaises || document.hidden) return;
    this.#raising ??= startTimer(() => {
      this.#raising = undefined;
      if (this.#visible || this.#closed || document.hidden) return;
      this.#raised += 1;
      this.show();
      this.#raise();
    }, raiseMs);
  }

  #arm(): void {
    if (!this.#visible) return;
    stopTimer(this.#timer ?? 0);
    this.#timer = startTimer(() => {
      this.#armed = this.#visible;
      this.#box.classList.toggle('armed', this.#armed);
    }, restMs);
  }

  #disarm(): void {
    stopTimer(this.#timer ?? 0);
    this.#armed = false;
    this.#box.classList.remove('armed');
  }

  /** Above all that is in the top layer. */
  #raise(): void {
    const focused = this.#root.activeElement;
    try {
      if (this.#host.matches(':popover-open')) this.#host.hidePopover();
      this.#host.showPopover();
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    } catch {
      // The page took it away just now; the next look puts it back.
    }
  }
}

/** Where it can be reached: all but an open modal dialog is inert. */
function holder(): Element | null {
  const modal = [...queryAll(document, 'dialog:modal')].at(-1);
  return modal ?? documentElement(document);
}

function button(label: string, className: string): HTMLButtonElement {
  const made = create('button') as HTMLButtonElement;
  made.type = 'button';
  made.className = className;
  made.textContent = label;
  return made;
}
