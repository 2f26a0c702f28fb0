/** What pages write is data: it becomes text of elements and nothing else, here. */
'use strict';

/** ANSI sequences, control characters but tab and line feed, and what is not seen or turns text round. */
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Text of a page as it may be shown. */
function clean(value) {
  return String(value ?? '').replace(ANSI, '').replace(UNSEEN, '');
}

/** clean, in one line of at most so many characters; empty becomes the second text. */
function oneLine(value, otherwise = '', most = 300) {
  const text = clean(String(value ?? '').slice(0, most * 4)).replace(/\s+/g, ' ').trim();
  return text.length > most ? text.slice(0, most) + '…' : text || otherwise;
}

/** An element with a class and children; strings become text. */
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Page text of either direction, which cannot reorder what stands beside it. */
function isolated(text, className) {
  const made = element('bdi', className, text);
  made.dir = 'auto';
  return made;
}

function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id} in the page`);
  return found;
}

/** Sets text where it is another one, so that a selection in it stays. */
function put(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** The time of day, with the date as its title. at is anything that Date takes. */
function timeOf(at, className = 'when') {
  const date = new Date(at);
  const made = element('time', className);
  if (Number.isNaN(date.getTime())) return made;
  made.textContent = clock.format(date);
  made.dateTime = date.toISOString();
  made.title = whole.format(date);
  return made;
}

function timeText(date) {
  return clock.format(date);
}

function plural(n, one, many = one + 's') {
  return `${n} ${n === 1 ? one : many}`;
}
