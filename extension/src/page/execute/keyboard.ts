/**
 * Synthetic keys where the focus is: the events of real use, and the commonest of what
 * a browser then does by itself. What only trusted keys do (shortcuts of the browser,
 * native popups) needs level control.
 */
import { BridgeFault } from '../fault.ts';
import { bodyOf, checkVisibility, htmlTabIndex, isConnected, matches, queryAll } from '../dom/primordials.ts';
import { classify } from './control.ts';
import { deepActive } from './effect.ts';
import { focus } from './pointer.ts';
import { edit, insertInto, pressKey, submitByEnter, typeText } from './typing.ts';
import { check } from './wait.ts';

interface Key { key: string; code: string; keyCode: number; text: string }

const { dispatchEvent } = EventTarget.prototype;
const clickable = 'button, a[href], summary, input[type=button], input[type=submit], input[type=reset], input[type=image], [role=button]';
const switchable = `${clickable}, input[type=checkbox], input[type=radio]`;
const tabbable = 'a[href], area[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]';

export async function press(params: Record<string, unknown>, signal: AbortSignal, acted: () => void): Promise<void> {
  if (typeof params.typed === 'string') {
    const control = classify(active());
    if (control.kind === 'text' || control.kind === 'editable') await typeText(control, params.typed, false, signal, acted);
    else for (const character of params.typed) pressKey(active(), character, () => undefined);
    if (params.submit !== undefined) pressOne(readKey(params.submit), new Set());
    acted();
    return;
  }
  const key = readKey(params);
  const held = new Set(Array.isArray(params.modifiers) ? params.modifiers as string[] : []);
  const times = typeof params.repeat === 'number' ? params.repeat : 1;
  for (let n = 0; n < times; n += 1) {
    check(signal);
    pressOne(key, held, n > 0);
    if (n === 0) acted();
  }
}

function active(): Element {
  return deepActive() ?? bodyOf(document) ?? document.documentElement;
}

function readKey(value: unknown): Key {
  const { key, code, keyCode, text } = (value ?? {}) as Record<string, unknown>;
  if (typeof key !== 'string') throw new BridgeFault('VALIDATION_ERROR', 'Give a key.');
  return { key, code: typeof code === 'string' ? code : '', keyCode: typeof keyCode === 'number' ? keyCode : 0, text: typeof text === 'string' ? text : '' };
}

function pressOne(key: Key, held: ReadonlySet<string>, repeat: boolean = false): void {
  const init: KeyboardEventInit = {
    key: key.key, code: key.code, keyCode: key.keyCode, repeat, bubbles: true, cancelable: true, composed: true, view: window,
    ctrlKey: held.has('Control'), altKey: held.has('Alt'), shiftKey: held.has('Shift'), metaKey: held.has('Meta'),
  };
  const shortcut = held.has('Control') || held.has('Alt') || held.has('Meta');
  const target = active();
  let goes = dispatchEvent.call(target, new KeyboardEvent('keydown', init));
  if (goes && key.text !== '' && !shortcut) {
    const charCode = key.text.codePointAt(0) ?? 0;
    goes = dispatchEvent.call(target, new KeyboardEvent('keypress', { ...init, keyCode: charCode, charCode }));
  }
  if (goes && isConnected(target)) act(target, key, held, shortcut);
  const up = isConnected(target) ? active() : bodyOf(document) ?? document.documentElement;
  if (!dispatchEvent.call(up, new KeyboardEvent('keyup', { ...init, repeat: false })) || !goes) return;
  if (key.key === ' ' && up === target && matches(target, switchable)) (target as HTMLElement).click();
}

/** What the browser does for the key by itself. */
function act(target: Element, key: Key, held: ReadonlySet<string>, shortcut: boolean): void {
  const control = classify(target);
  const editing = control.kind === 'text' || control.kind === 'editable';
  if (shortcut) {
    if (key.key.toLowerCase() === 'a' && (held.has('Control') || held.has('Meta'))) edit('selectAll');
    return;
  }
  switch (key.key) {
    case 'Enter':
      if (target instanceof HTMLInputElement) submitByEnter(target);
      else if (target instanceof HTMLTextAreaElement) insertInto(target, '\n');
      else if (editing) edit('insertParagraph');
      else if (matches(target, clickable)) (target as HTMLElement).click();
      return;
    case 'Backspace': if (editing) edit('delete'); return;
    case 'Delete': if (editing) edit('forwardDelete'); return;
    case 'Tab': moveFocus(target, held.has('Shift') ? -1 : 1); return;
    case 'Escape': closeDialog(); return;
    case 'ArrowUp': step(target, -1, true); return;
    case 'ArrowLeft': step(target, -1, false); return;
    case 'ArrowDown': step(target, 1, false); return;
    case 'ArrowRight': step(target, 1, true); return;
    default: break;
  }
  if (key.text === '' || !editing) return;
  if (control.kind === 'text') insertInto(control.element, key.text);
  else edit('insertText', key.text);
}

function moveFocus(from: Element, by: number): void {
  const stops = [...queryAll(document, tabbable)].filter((at): at is HTMLElement =>
    at instanceof HTMLElement && htmlTabIndex(at) >= 0 && !matches(at, ':disabled') && checkVisibility(at));
  const at = stops.indexOf(from as HTMLElement);
  const next = stops[at < 0 ? (by > 0 ? 0 : stops.length - 1) : (at + by + stops.length) % stops.length];
  if (next !== undefined) focus(next);
}

function closeDialog(): void {
  const open = [...queryAll(document, 'dialog:modal')].at(-1);
  if (!(open instanceof HTMLDialogElement)) return;
  if (dispatchEvent.call(open, new Event('cancel', { cancelable: true }))) open.close();
}

/** Arrows on a select, a radio group, a range or a number. */
function step(target: Element, by: number, more: boolean): void {
  if (target instanceof HTMLSelectElement && !target.multiple) {
    const next = target.selectedIndex + by;
    if (next < 0 || next >= target.options.length) return;
    target.selectedIndex = next;
    tell(target);
  } else if (target instanceof HTMLInputElement && target.type === 'radio' && target.name !== '') {
    const group = [...queryAll(document, 'input[type=radio]')].filter((at): at is HTMLInputElement =>
      at instanceof HTMLInputElement && at.name === target.name && at.form === target.form && !at.disabled);
    const next = group[(group.indexOf(target) + by + group.length) % group.length];
    if (next === undefined) return;
    focus(next);
    next.click();
  } else if (target instanceof HTMLInputElement && (target.type === 'range' || target.type === 'number')) {
    if (more) target.stepUp();
    else target.stepDown();
    tell(target);
  }
}

function tell(target: Element): void {
  dispatchEvent.call(target, new Event('input', { bubbles: true, composed: true }));
  dispatchEvent.call(target, new Event('change', { bubbles: true }));
}
