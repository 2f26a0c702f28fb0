/** The live console: the last lines of all sessions, filtered and bounded. */
'use strict';

/** Lines kept of each kind, so that a flood of one does not wash the others away, and lines shown. */
const KEPT = 500;
const SHOWN = 500;
/** The list is written at most this often, whatever comes. */
const WRITE_MS = 200;
const LONG = 400;
/** More of one line than this is never shown at once. */
const LONGEST = 20_000;

const KINDS = { error: 'error', unhandledrejection: 'error', warn: 'warn' };
const FITS = { all: () => true, warn: (line) => line.kind !== 'rest', error: (line) => line.kind === 'error' };

class Console {
  #kept = { error: [], warn: [], rest: [] };
  #fresh = [];
  #count = 0;
  #paused = false;
  #timer = 0;
  #chosen = 0;
  #followed = '';
  #nameOf;
  #list = byId('console');
  #level = byId('console-level');
  #text = byId('console-text');
  #onlyChosen = byId('console-chosen');
  #pause = byId('console-pause');

  /** nameOf gives a page's name by session and id. */
  constructor(nameOf) {
    this.#nameOf = nameOf;
    this.#level.addEventListener('change', () => this.#writeAll());
    this.#text.addEventListener('input', () => this.#writeAll());
    this.#onlyChosen.addEventListener('change', () => this.#writeAll());
    this.#pause.addEventListener('click', () => this.#setPaused(!this.#paused));
    byId('console-clear').addEventListener('click', () => this.clear());
    this.#list.addEventListener('click', (event) => {
      const button = event.target.closest('button.whole');
      if (button) unfold(button);
    });
    this.#words();
  }

  /** A console call or an uncaught error of a page. */
  add(session, message) {
    const text = message.type === 'console' ? (message.args ?? []).join(' ') : message.stack || message.message || message.reason || '';
    this.#push({ level: message.type === 'console' ? message.level : 'error', at: message.timestamp, session, page: message.pageId, text: String(text) });
  }

  /** Says that lines are missing. */
  gap(session, message) {
    const lost = ['console', 'error', 'unhandledrejection'].reduce((sum, type) => sum + (message.dropped?.[type] ?? 0), 0);
    if (lost) this.#push({ level: 'info', at: message.timestamp, session, page: 0, text: `${plural(lost, 'earlier line')} of this session ${lost === 1 ? 'is' : 'are'} no longer kept.` });
  }

  choose(page) {
    if (this.#chosen === page) return;
    this.#chosen = page;
    if (this.#onlyChosen.checked) this.#writeAll();
  }

  /** Says of how many sessions the lines are, where they are not of all. */
  followed(n, of) {
    const text = n < of ? ` · of ${n} of ${of} sessions` : '';
    if (text === this.#followed) return;
    this.#followed = text;
    this.#words();
  }

  clear() {
    this.#kept = { error: [], warn: [], rest: [] };
    this.#writeAll();
  }

  #push(line) {
    line.n = ++this.#count;
    line.kind = KINDS[line.level] ?? 'rest';
    const kept = this.#kept[line.kind];
    kept.push(line);
    if (kept.length > KEPT * 2) kept.splice(0, kept.length - KEPT);
    this.#fresh.push(line);
    if (this.#fresh.length > SHOWN * 2) this.#fresh.splice(0, this.#fresh.length - SHOWN);
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      this.#write();
    }, WRITE_MS);
  }

  #setPaused(paused) {
    this.#paused = paused;
    this.#pause.setAttribute('aria-pressed', String(paused));
    if (paused) this.#fresh = [];
    else this.#writeAll();
    this.#words();
  }

  #fits(line) {
    const wanted = this.#text.value.trim().toLowerCase();
    return FITS[this.#level.value](line) && (!this.#onlyChosen.checked || line.page === this.#chosen) && (!wanted || line.text.toLowerCase().includes(wanted));
  }

  #write() {
    if (this.#paused) {
      this.#words();
      return;
    }
    const fresh = this.#fresh.filter((line) => this.#fits(line)).slice(-SHOWN);
    this.#fresh = [];
    this.#append(fresh);
  }

  #writeAll() {
    this.#fresh = [];
    this.#list.replaceChildren();
    const all = Object.values(this.#kept).flatMap((kept) => kept.slice(-KEPT)).filter((line) => this.#fits(line));
    this.#append(all.sort((a, b) => a.n - b.n).slice(-SHOWN), true);
  }

  #append(lines, toEnd = false) {
    const list = this.#list;
    const atEnd = toEnd || list.hidden || list.scrollHeight - list.scrollTop - list.clientHeight < 24;
    if (lines.length) list.append(...lines.map((line) => this.#row(line)));
    while (list.childElementCount > SHOWN) list.firstElementChild.remove();
    list.hidden = list.childElementCount === 0;
    if (atEnd && !list.hidden) list.scrollTop = list.scrollHeight;
    this.#words();
  }

  #words() {
    const kept = Object.values(this.#kept).reduce((sum, one) => sum + Math.min(one.length, KEPT), 0);
    const shown = this.#list.childElementCount;
    byId('console-count').textContent = kept ? `${shown} shown${shown < kept ? ` of ${kept} kept` : ''}${this.#followed}` : '';
    byId('console-empty').hidden = kept > 0;
    byId('console-none').hidden = kept === 0 || shown > 0;
    const waiting = Math.min(this.#fresh.length, SHOWN);
    this.#pause.textContent = this.#paused ? `Resume${waiting ? ` (${waiting === SHOWN ? `${SHOWN} or more` : waiting} new)` : ''}` : 'Pause';
  }

  #row(line) {
    const text = element('span', 'text');
    const from = element('span', 'from', isolated(line.page ? this.#nameOf(line.session, line.page) : oneLine(line.session)));
    from.title = from.textContent;
    const row = element('div', `line ${line.kind}`, timeOf(line.at), element('span', 'kind', oneLine(line.level, 'log', 12)), from, text);
    const shown = clean(line.text.slice(0, LONGEST));
    const cut = firstPart(shown);
    text.textContent = cut;
    if (cut.length < shown.length) {
      const button = element('button', 'whole', 'Whole');
      button.type = 'button';
      button.setAttribute('aria-expanded', 'false');
      button.setAttribute('aria-label', 'Whole line');
      texts.set(button, { text, shown: line.text.length > LONGEST ? `${shown}… (${plural(line.text.length - LONGEST, 'more character')})` : shown, cut });
      row.append(button);
    }
    return row;
  }
}

/** What the buttons of cut lines show; it goes with them. */
const texts = new WeakMap();

function unfold(button) {
  const { text, shown, cut } = texts.get(button);
  const open = button.getAttribute('aria-expanded') !== 'true';
  button.setAttribute('aria-expanded', String(open));
  button.textContent = open ? 'Less' : 'Whole';
  text.textContent = open ? shown : cut;
}

/** Three lines of a text, or as many characters as three lines have. */
function firstPart(text) {
  const lines = text.split('\n', 4);
  const cut = lines.length > 3 ? lines.slice(0, 3).join('\n') + ' …' : text;
  return cut.length > LONG ? cut.slice(0, LONG) + '…' : cut;
}
