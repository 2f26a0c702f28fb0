/**
 * What the person does, as commands that do it again: trusted events only, so that what
 * scripts and the bridge itself dispatch is not taken for a hand. The clicks that the
 * debugger makes for an agent are trusted, too; the daemon, which made them, leaves them out.
 */
import { SECRET } from './messages.ts';
import type { PersonAction, RecorderTools } from './messages.ts';

const maxValue = 10_000; // characters of what was typed
const maxName = 80;
const maxTwins = 300; // elements that are looked at for the same name
const maxPending = 500;
const afterEnter = 100; // ms in which a click without a pointer is that of Enter

// What a click is meant for, seen from what it hit.
const meant = 'a[href],button,input,select,textarea,summary,label,option,[role],[tabindex],[onclick],[contenteditable]';
const notTyped: ReadonlySet<string> = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'image', 'hidden', 'range', 'color']);
// Keys that mean something by themselves; letters are part of what is typed.
const named: ReadonlySet<string> = new Set(['Enter', 'Escape', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', 'Delete']);
// Of these, in a text field, the caret moves and nothing else.
const caret: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Delete', 'Tab']);

export class PersonActions {
  readonly #tools: RecorderTools;
  readonly #changed: () => void;
  readonly #listening = new AbortController();
  #done: PersonAction[] = [];
  #typing: { element: Element; action: PersonAction } | undefined;
  #enterAt = -Infinity;

  constructor(tools: RecorderTools, changed: () => void) {
    this.#tools = tools;
    this.#changed = changed;
    const on = (type: string, heed: (event: Event, element: Element) => void): void => {
      window.addEventListener(type, (event) => {
        if (!event.isTrusted) return;
        const hit = event.composedPath()[0];
        if (!(hit instanceof Element)) return;
        try {
          heed(event, hit);
        } catch {
          // A page that replaced what we rely on is recorded without this action.
        }
      }, { capture: true, passive: true, signal: this.#listening.signal });
    };
    on('click', (event, hit) => this.#click(event as MouseEvent, hit));
    on('dblclick', (_event, hit) => this.#doubled(hit));
    on('auxclick', (event, hit) => {
      const { button } = event as MouseEvent;
      if (button === 1 || button === 2) this.#add('element.click', { target: this.#target(receiver(hit)), button: button === 1 ? 'middle' : 'right' });
    });
    on('input', (_event, hit) => this.#input(hit));
    on('change', (_event, hit) => this.#change(hit));
    on('focusout', () => this.#typed());
    on('keydown', (event, hit) => this.#key(event as KeyboardEvent, hit));
  }

  /** What was done since the last time; typing that goes on stays. */
  take(): PersonAction[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  stop(): void {
    this.#listening.abort();
  }

  /** Ends the typing under way. */
  settle(): void {
    this.#typed();
  }

  #add(command: string, params: Record<string, unknown>): void {
    this.#typed();
    this.#push({ at: Date.now(), command, params });
  }

  #push(action: PersonAction): void {
    if (this.#done.length < maxPending) this.#done.push(action);
    this.#changed();
  }

  #click(event: MouseEvent, hit: Element): void {
    const element = receiver(hit);
    if (event.detail === 0 && performance.now() - this.#enterAt < afterEnter) return; // of the form's button, by Enter
    if (element instanceof HTMLLabelElement && element.control !== null && !(hit instanceof HTMLButtonElement)) return; // its control is clicked next
    if (isText(element) || element instanceof HTMLSelectElement || element instanceof HTMLOptionElement) {
      this.#typed();
      return; // what is typed or chosen there says it
    }
    const held = (['Alt', 'Control', 'Meta', 'Shift'] as const).filter((key) => event[({ Alt: 'altKey', Control: 'ctrlKey', Meta: 'metaKey', Shift: 'shiftKey' } as const)[key]]);
    this.#add('element.click', { target: this.#target(element), ...(held.length > 0 ? { modifiers: held } : {}) });
  }

  /** The two clicks before it are one command. */
  #doubled(hit: Element): void {
    const target = this.#target(receiver(hit));
    for (let n = 0; n < 2; n++) {
      const last = this.#done.at(-1);
      if (last?.command === 'element.click' && last.params.target === target) this.#done.pop();
    }
    this.#add('element.click', { target, count: 2 });
  }

  #input(hit: Element): void {
    const element = isText(hit) ? hit : hit.closest('[contenteditable]');
    if (element === null || !isText(element)) return;
    if (this.#typing?.element !== element) {
      this.#typed();
      this.#typing = { element, action: { at: Date.now(), command: 'element.fill', params: { target: this.#target(element) } } };
    }
    const { action } = this.#typing as { action: PersonAction };
    action.at = Date.now();
    action.params.value = this.#tools.secret(element) ? SECRET : valueOf(element).slice(0, maxValue);
  }

  #typed(): void {
    const typing = this.#typing;
    this.#typing = undefined;
    if (typing !== undefined) this.#push(typing.action);
  }

  #change(hit: Element): void {
    if (hit instanceof HTMLSelectElement) {
      const values = this.#tools.secret(hit) ? [SECRET] : [...hit.selectedOptions].map((option) => option.label || option.value);
      this.#add('element.select', { target: this.#target(hit), values });
    } else if (hit instanceof HTMLInputElement && (hit.type === 'range' || hit.type === 'color')) {
      this.#add('element.fill', { target: this.#target(hit), value: hit.value });
    }
  }

  #key(event: KeyboardEvent, hit: Element): void {
    const { key } = event;
    const chord = event.ctrlKey || event.metaKey || event.altKey;
    if (event.isComposing || event.repeat || (!named.has(key) && !(chord && key.length === 1))) return;
    const text = isText(hit);
    if (text && !chord && (caret.has(key) || (key === 'Enter' && takesLines(hit)))) return;
    if (this.#tools.secret(hit) && key !== 'Enter' && key !== 'Escape') return;
    if (key === 'Enter') {
      if (!text && hit.closest('a[href],button,summary,input') !== null) return; // the click that follows says it
      this.#enterAt = performance.now();
    }
    const held = [event.ctrlKey ? 'Control' : '', event.altKey ? 'Alt' : '', event.metaKey ? 'Meta' : '', event.shiftKey && named.has(key) ? 'Shift' : ''];
    this.#add('input.key', { key: [...held.filter((name) => name !== ''), key].join('+') });
  }

  /** The element as commands name it: role and name, where no other has them; else by an id; else by its path. */
  #target(element: Element): string {
    const { role, name, selector } = this.#tools.describe(element);
    if (/^[a-z]+$/.test(role) && role !== 'generic' && name !== '' && name.length <= maxName && !this.#twin(element, role, name)) {
      return `${role} ${JSON.stringify(name)}`;
    }
    const testId = element.getAttribute('data-testid');
    if (testId !== null && /^[\w-]{1,60}$/.test(testId)) return `testid=${testId}`;
    return `css=${selector}`;
  }

  #twin(element: Element, role: string, name: string): boolean {
    const root = element.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot)) return false;
    const alike = root.querySelectorAll(element.localName);
    for (let i = 0; i < Math.min(alike.length, maxTwins); i++) {
      const other = alike[i];
      if (other === undefined || other === element) continue;
      const look = this.#tools.describe(other);
      if (look.role === role && look.name === name) return true;
    }
    return false;
  }
}

/** The element that a click on hit is for. */
function receiver(hit: Element): Element {
  let at: Element | null = hit;
  while (at !== null) {
    const found: Element | null = at.closest(meant);
    if (found !== null) return found;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return hit;
}

function isText(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !notTyped.has(element.type);
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable);
}

function takesLines(element: Element): boolean {
  return !(element instanceof HTMLInputElement);
}

function valueOf(element: Element): string {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : (element.textContent ?? '');
}
