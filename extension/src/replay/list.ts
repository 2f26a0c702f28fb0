// The timeline beside the page: it follows the time, and a click goes there.

import type { Entry } from './data.ts';
import { clock, make } from './dom.ts';

const kinds: [kind: string, label: string, of: string[]][] = [
  ['action', 'Actions', ['action', 'mark']],
  ['network', 'Requests', ['network', 'download']],
  ['console', 'Console', ['console', 'error']],
  ['state', 'State', ['state']],
  ['navigation', 'Page', ['navigation', 'dialog']],
];

export class Timeline {
  readonly element = make('ol', { class: 'entries', 'aria-label': 'What happened' });
  readonly filters = make('div', { class: 'filters', role: 'group', 'aria-label': 'What is listed' });
  private readonly rows: HTMLLIElement[] = [];
  private readonly hidden = new Set<string>();
  private current = -1;
  selected?: Entry;

  constructor(
    private readonly entries: Entry[],
    private readonly chosen: (entry: Entry) => void,
  ) {
    for (const entry of entries) this.rows.push(this.row(entry));
    this.element.append(...this.rows);
    if (entries.length === 0) this.element.append(make('li', { class: 'none' }, 'Nothing was recorded beside the page.'));
    for (const [kind, label, of] of kinds) {
      const count = entries.filter((entry) => of.includes(entry.kind)).length;
      if (count) this.filters.append(this.filter(kind, `${label} ${count}`, of));
    }
  }

  private row(entry: Entry): HTMLLIElement {
    const button = make(
      'button',
      { type: 'button', 'aria-pressed': 'false' },
      make('span', { class: 'time' }, clock(entry.at)),
      make('span', { class: 'words' }, entry.words),
    );
    button.addEventListener('click', () => this.choose(entry));
    const classes = ['entry', entry.kind, entry.under && 'under', entry.bad && 'bad'].filter(Boolean).join(' ');
    return make('li', { class: classes, 'data-n': String(entry.n) }, button);
  }

  private filter(kind: string, label: string, of: string[]): HTMLButtonElement {
    const button = make('button', { type: 'button', class: `chip ${kind}`, 'aria-pressed': 'true' }, label);
    button.addEventListener('click', () => {
      const show = button.getAttribute('aria-pressed') === 'false';
      button.setAttribute('aria-pressed', String(show));
      for (const one of of) this.hidden[show ? 'delete' : 'add'](one);
      this.rows.forEach((row, i) => row.toggleAttribute('hidden', this.hidden.has(this.entries[i]?.kind ?? '')));
    });
    return button;
  }

  choose(entry: Entry): void {
    this.mark(this.selected, false);
    this.selected = entry;
    this.mark(entry, true);
    this.chosen(entry);
  }

  clear(): void {
    this.mark(this.selected, false);
    this.selected = undefined;
  }

  private mark(entry: Entry | undefined, on: boolean): void {
    const row = entry && this.rows[this.entries.indexOf(entry)];
    row?.classList.toggle('selected', on);
    row?.firstElementChild?.setAttribute('aria-pressed', String(on));
    if (on) row?.scrollIntoView({ block: 'nearest' });
  }

  /** Goes by so many entries that are shown. */
  step(by: number): void {
    const from = this.selected ? this.entries.indexOf(this.selected) : this.current;
    for (let i = from + by; i >= 0 && i < this.entries.length; i += by) {
      const entry = this.entries[i];
      if (entry && !this.rows[i]?.hidden) return this.choose(entry);
    }
  }

  /** Shows what has happened until a time. */
  follow(at: number, scroll: boolean): void {
    let last = this.current;
    const when = (i: number) => this.entries[i]?.at ?? Infinity;
    while (when(last + 1) <= at) last++;
    while (last >= 0 && when(last) > at) last--;
    if (last === this.current) return;
    const [from, to] = last > this.current ? [this.current, last] : [last, this.current];
    for (let i = from + 1; i <= to; i++) this.rows[i]?.classList.toggle('past', i <= last);
    this.rows[this.current]?.classList.remove('now');
    this.rows[last]?.classList.add('now');
    this.current = last;
    if (scroll) this.rows[last]?.scrollIntoView({ block: 'nearest' });
  }
}
