/**
 * Typing text. Where the browser's own editing can do it (execCommand), it does: the
 * page then gets a real input event, maxlength holds, undo works and leaving the field
 * fires change. (beforeinput is ours: execCommand fires none.) Else the value is set by the native setter, which
 * frameworks that watch the instance's `value` (React) notice by the event after it.
 * Neither is an HTML sink, so CSP and Trusted Types have no objection.
 */
import { BridgeFault } from '../fault.ts';
import { inputValue, isConnected, textareaValue } from '../dom/primordials.ts';
import { secretKind } from '../dom/secret.ts';
import { turn } from '../dom/timing.ts';
import { assertEditable, type Control } from './control.ts';
import { focus } from './pointer.ts';
import { check, frame } from './wait.ts';

// Beyond this the rest goes in at once, as a paste would.
const keyedCharacters = 200;

const setInput = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
const setTextarea = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
const { dispatchEvent } = EventTarget.prototype;

export type TextControl = Extract<Control, { kind: 'text' | 'whole' | 'editable' }>;

export function valueOf(element: Element): string {
  if (element instanceof HTMLInputElement) return inputValue(element);
  if (element instanceof HTMLTextAreaElement) return textareaValue(element);
  return element.textContent ?? '';
}

export function setValue(element: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  if (element instanceof HTMLInputElement) setInput?.call(element, value);
  else setTextarea?.call(element, value);
}

type Edit = 'insertText' | 'insertParagraph' | 'deleteContentBackward';
/** What execCommand can do here. */
type EditCommand = Edit | 'delete' | 'forwardDelete' | 'selectAll';

/** Asks the page with beforeinput; false when it cancelled and does the edit itself, or not at all. */
function allowed(element: Element, inputType: Edit, data: string | null): boolean {
  return dispatchEvent.call(element, new InputEvent('beforeinput', { bubbles: true, cancelable: true, composed: true, data, inputType, view: window }));
}

function tellInput(element: Element, inputType: Edit, data: string | null): void {
  dispatchEvent.call(element, new InputEvent('input', { bubbles: true, composed: true, data, inputType, view: window }));
}

/** The browser's own editing at the caret of what has the focus. */
export function edit(inputType: EditCommand, text = ''): boolean {
  try {
    return document.execCommand(inputType === 'deleteContentBackward' ? 'delete' : inputType, false, text);
  } catch {
    return false; // not an HTML document
  }
}

const punctuation: Record<string, string> = {
  ' ': 'Space', '\n': 'Enter', '\t': 'Tab', '-': 'Minus', '=': 'Equal', '[': 'BracketLeft', ']': 'BracketRight', ';': 'Semicolon',
  "'": 'Quote', ',': 'Comma', '.': 'Period', '/': 'Slash', '\\': 'Backslash', '`': 'Backquote',
};
const punctuationCodes: Record<string, number> = {
  ' ': 32, '\n': 13, '\t': 9, '-': 189, '=': 187, '[': 219, ']': 221, ';': 186, "'": 222, ',': 188, '.': 190, '/': 191, '\\': 220, '`': 192,
};

function keyInit(character: string): KeyboardEventInit {
  const upper = character.toUpperCase();
  const isLetter = /^[A-Z]$/.test(upper);
  const isDigit = /^[0-9]$/.test(character);
  return {
    key: character === '\n' ? 'Enter' : character === '\t' ? 'Tab' : character,
    code: isLetter ? `Key${upper}` : isDigit ? `Digit${character}` : punctuation[character] ?? '',
    keyCode: isLetter || isDigit ? upper.charCodeAt(0) : punctuationCodes[character] ?? 0,
    shiftKey: isLetter && character === upper && upper !== character.toLowerCase(),
    bubbles: true, cancelable: true, composed: true, view: window,
  };
}

/** Key events around what the key does; a cancelled keydown or keypress does nothing, as with real keys. */
export function pressKey(element: Element, character: string, act: () => void): void {
  const init = keyInit(character);
  if (dispatchEvent.call(element, new KeyboardEvent('keydown', init))) {
    const press = { ...init, keyCode: character === '\n' ? 13 : character.codePointAt(0) ?? 0, charCode: character.codePointAt(0) ?? 0 };
    if (dispatchEvent.call(element, new KeyboardEvent('keypress', press))) act();
  }
  if (isConnected(element)) dispatchEvent.call(element, new KeyboardEvent('keyup', init));
}

/** One piece of text into a field, by editing, else by the setter. */
export function insertInto(element: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  if (!allowed(element, 'insertText', text)) return;
  const before = valueOf(element);
  // An unchanged value says nothing: of "-7." a number field tells as little as before.
  if (edit('insertText', text) || valueOf(element) !== before) return;
  const room = element.maxLength >= 0 ? Math.max(0, element.maxLength - before.length) : text.length;
  setValue(element, before + text.slice(0, room));
  if (valueOf(element) !== before) tellInput(element, 'insertText', text);
}

/** Focus and caret where typing starts: at the end, or everything selected. */
export async function place(control: TextControl, clear: boolean): Promise<void> {
  focus(control.element);
  if (control.kind === 'editable') {
    const selection = getSelection();
    selection?.selectAllChildren(control.element);
    if (!clear) selection?.collapseToEnd();
    // Editors follow selectionchange, which comes in a later task.
    await turn();
    await frame();
    return;
  }
  if (control.kind === 'whole') return;
  const { element } = control;
  if (clear) {
    element.select();
    return;
  }
  try {
    element.setSelectionRange(valueOf(element).length, valueOf(element).length);
  } catch {
    // email and number have no caret of ours; see appendWhole.
  }
}

function hasCaret(element: HTMLInputElement | HTMLTextAreaElement): boolean {
  return element instanceof HTMLTextAreaElement || element.selectionStart !== null;
}

export async function typeText(control: TextControl, text: string, clear: boolean, signal: AbortSignal, acted: () => void): Promise<void> {
  assertEditable(control);
  await place(control, clear);
  check(signal);
  if (control.kind === 'whole') setWhole(control.element, text);
  else if (control.kind === 'editable') await typeEditable(control.element, text, clear, signal, acted);
  else await typeField(control.element, text, clear, signal, acted);
  acted();
}

async function typeField(
  element: HTMLInputElement | HTMLTextAreaElement, given: string, clear: boolean, signal: AbortSignal, acted: () => void,
): Promise<void> {
  const single = element instanceof HTMLInputElement;
  // A single line takes no line breaks; one at the end is the Enter key.
  const enter = single && /\r?\n$/.test(given);
  let text = given.replace(/\r\n?/g, '\n');
  if (single) text = text.replaceAll('\n', '');
  // With text the first character replaces the selection.
  if (clear && text === '' && valueOf(element) !== '') empty(element);
  const start = valueOf(element);
  if (!hasCaret(element) && !clear && start !== '') {
    // Without a caret of ours: the whole value again, with the new text at its end.
    for (const character of Array.from(text).slice(0, keyedCharacters)) pressKey(element, character, () => undefined);
    element.select();
    insertInto(element, start + text);
  } else await keys(element, text, signal, (piece) => insertInto(element, piece), acted);
  if (enter) pressEnter(element as HTMLInputElement);
}

/** Characters as keys, what is beyond the limit at once; lets the page breathe in between. */
async function keys(element: Element, text: string, signal: AbortSignal, put: (piece: string) => void, acted: () => void): Promise<void> {
  const characters = Array.from(text);
  for (let i = 0; i < characters.length && i < keyedCharacters; i++) {
    const character = characters[i] as string;
    pressKey(element, character, () => put(character));
    if (i === 0) acted();
    if (!isConnected(element)) return;
    if (i % 16 === 15) {
      await turn();
      check(signal);
    }
  }
  if (characters.length > keyedCharacters) put(characters.slice(keyedCharacters).join(''));
}

/** Deletes what is selected: all of it. */
function empty(element: HTMLInputElement | HTMLTextAreaElement): void {
  if (!allowed(element, 'deleteContentBackward', null)) return;
  edit('deleteContentBackward');
  if (valueOf(element) === '') return;
  setValue(element, '');
  tellInput(element, 'deleteContentBackward', null);
}

/** Enter in a single-line field submits its form the way the browser does. */
function pressEnter(element: HTMLInputElement): void {
  pressKey(element, '\n', () => submitByEnter(element));
}

/** What Enter does in a single-line field. */
export function submitByEnter(element: HTMLInputElement): void {
  dispatchEvent.call(element, new Event('change', { bubbles: true }));
  const { form } = element;
  if (form === null) return;
  const submit = Array.from(form.elements).find((at): at is HTMLButtonElement | HTMLInputElement =>
    (at instanceof HTMLButtonElement && at.type === 'submit') || (at instanceof HTMLInputElement && (at.type === 'submit' || at.type === 'image')));
  if (submit !== undefined) {
    if (!submit.disabled) submit.click();
    return;
  }
  const fields = Array.from(form.elements).filter((at) => at instanceof HTMLInputElement && valueOf(at) !== undefined
    && ['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'date', 'time', 'month', 'week', 'datetime-local'].includes(at.type));
  if (fields.length === 1) HTMLFormElement.prototype.requestSubmit.call(form);
}

async function typeEditable(element: HTMLElement, given: string, clear: boolean, signal: AbortSignal, acted: () => void): Promise<void> {
  const text = given.replace(/\r\n?/g, '\n');
  if (clear && element.textContent !== '' && allowed(element, 'deleteContentBackward', null)) edit('deleteContentBackward');
  await keys(element, text, signal, (piece) => {
    for (const [i, line] of piece.split('\n').entries()) {
      if (i > 0 && allowed(element, 'insertParagraph', null)) edit('insertParagraph');
      if (line !== '' && allowed(element, 'insertText', line) && !edit('insertText', line)) insertNode(element, line);
    }
  }, acted);
}

/** Where the browser edits nothing (designMode off, no selection it would take). */
function insertNode(element: HTMLElement, text: string): void {
  const selection = getSelection();
  const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  if (range === undefined || !element.contains(range.commonAncestorContainer)) return;
  range.deleteContents();
  range.insertNode(document.createTextNode(text));
  range.collapse(false);
  tellInput(element, 'insertText', text);
}

const formats: Record<string, string> = {
  date: 'YYYY-MM-DD', time: 'HH:MM', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM', week: 'YYYY-Www', color: '#rrggbb', range: 'a number',
};

/** date, time, color, range: the value as a whole. */
function setWhole(element: HTMLInputElement, given: string): void {
  const text = element.type === 'color' ? given.trim().toLowerCase() : given.trim();
  const before = valueOf(element);
  setValue(element, text);
  const after = valueOf(element);
  const refused = element.type === 'range' ? !Number.isFinite(Number(text)) || text === ''
    : element.type === 'color' ? after !== text : after === '' && text !== '';
  if (refused) {
    setValue(element, before);
    throw new BridgeFault('VALIDATION_ERROR', `The text is no value of a field of type ${element.type}; it wants ${formats[element.type] ?? 'another form'}.`,
      { check: 'value', type: element.type });
  }
  if (after === before) return;
  dispatchEvent.call(element, new Event('input', { bubbles: true, composed: true }));
  dispatchEvent.call(element, new Event('change', { bubbles: true }));
}

function noEffect(element: Element): BridgeFault {
  return new BridgeFault('ACTION_NO_EFFECT', 'The field did not take the text.', { check: 'value', redacted: secretKind(element) !== null });
}

/** Fails when the field does not hold the value; one that the page put into another form counts. */
export function verifyFilled(control: TextControl, before: string, wanted: string): Record<string, unknown> {
  const { element } = control;
  if (!isConnected(element)) return {};
  const secret = secretKind(element);
  const plain = (text: string): string => (control.kind === 'editable' ? text.replaceAll('\u00a0', ' ').replaceAll('\n', '') : text.replace(/\r\n?/g, '\n'));
  const after = plain(valueOf(element));
  const meant = plain(wanted).trim();
  const same = after.trim().toLowerCase() === meant.toLowerCase();
  if (!same && ((after === '') !== (meant === '') || after === plain(before))) {
    const held = after.length > 200 ? `${after.slice(0, 200).toWellFormed()}…` : after;
    throw new BridgeFault('ACTION_NO_EFFECT', secret !== null ? 'The field did not take the value.' : `The field did not take the value; it holds ${JSON.stringify(held)}.`, {
      check: 'value', ...(secret === null ? { holds: held } : { redacted: secret }),
    });
  }
  if (secret !== null) return { redacted: secret };
  return same ? {} : { value: after.length > 1000 ? `${after.slice(0, 1000).toWellFormed()}…` : after };
}

/** Fails when the field is as it was although text was to go in; gives what may be told of it. */
export function verifyTyped(control: TextControl, before: string, text: string, clear: boolean): Record<string, unknown> {
  const { element } = control;
  if (!isConnected(element)) return {};
  const after = valueOf(element);
  const wanted = control.kind === 'whole' || clear ? text : before + text;
  const visible = control.kind === 'editable' ? wanted.replaceAll('\n', '') : wanted.replace(/\r\n?/g, '\n');
  const meantChange = visible.trim() !== before.trim();
  if (meantChange && after === before) throw noEffect(element);
  const secret = secretKind(element);
  if (secret !== null) return { redacted: secret };
  return { value: after.length > 1000 ? `${after.slice(0, 1000).toWellFormed()}…` : after };
}
