/** The lists of pages, agents, sessions and commands. */
'use strict';

/** More than this of an address is for the title only. */
const MOST = 2_000;

/** Pages is a group of radio buttons: arrow keys choose, and what changes keeps the focus. */
class Pages {
  chosen = 0;
  #rows = new Map();
  #group = byId('pages');
  #onChoose;

  constructor(onChoose) {
    this.#onChoose = onChoose;
  }

  show(pages) {
    byId('pages-empty').hidden = pages.length > 0;
    this.#group.hidden = pages.length === 0;
    put(byId('pages-count'), pages.length ? String(pages.length) : '');
    const there = new Set(pages.map((page) => page.page));
    for (const [id, row] of this.#rows) {
      if (there.has(id)) continue;
      row.root.remove();
      this.#rows.delete(id);
    }
    for (const page of pages) {
      const row = this.#rows.get(page.page) ?? this.#add(page.page);
      const facts = JSON.stringify(page);
      if (row.facts === facts) continue;
      row.facts = facts;
      fill(row, page);
    }
    if (!there.has(this.chosen)) this.choose((pages.find((page) => page.current) ?? pages[0])?.page ?? 0);
    else this.#onChoose(this.chosen);
  }

  choose(id) {
    this.chosen = id;
    const row = this.#rows.get(id);
    if (row) row.radio.checked = true;
    this.#onChoose(id);
  }

  #add(id) {
    const radio = element('input');
    radio.type = 'radio';
    radio.name = 'page';
    radio.addEventListener('change', () => this.choose(id));
    const row = { radio, title: element('span', 'title clip'), address: element('span', 'address clip'), details: element('span', 'facts'), facts: '' };
    row.root = element('label', 'page', radio, element('span', 'words', row.title, row.address, row.details));
    row.root.addEventListener('click', (event) => {
      // A second click on the chosen one shows the whole of what was cut.
      if (event.target !== radio) row.root.classList.toggle('more', radio.checked && !row.root.classList.contains('more'));
    });
    this.#rows.set(id, row);
    this.#group.append(row.root);
    return row;
  }
}

function fill(row, page) {
  const title = oneLine(page.title, 'Without a title', MOST);
  const url = oneLine(page.url, 'No address', MOST);
  row.root.classList.toggle('away', !page.connected);
  row.title.replaceChildren(isolated(title));
  row.title.title = title;
  put(row.address, url);
  row.address.title = url;
  const details = [`page ${page.page}`, oneLine(page.source), `session ${oneLine(page.session)}`];
  if (page.heldBy) details.push(`held by ${oneLine(page.heldBy)}`);
  if (!page.connected) details.push('away');
  row.details.replaceChildren(element('span', `level ${oneLine(page.level)}`, oneLine(page.level)), ...details.map((one) => titled(element('span', '', one))));
}

function titled(made) {
  made.title = made.textContent;
  return made;
}

function nameOfPage(page) {
  return oneLine(page.title, '', 120) || oneLine(page.url, `page ${page.page}`, 120);
}

/** Shows rows where they are not the ones shown; empty, what stands in their place. */
function list(id, entries, key, make) {
  const target = byId(id);
  target.hidden = entries.length === 0;
  byId(`${id}-empty`).hidden = entries.length > 0;
  put(byId(`${id}-count`), entries.length ? String(entries.length) : '');
  const facts = JSON.stringify(entries.map(key));
  if (target.dataset.facts === facts) return;
  target.dataset.facts = facts;
  target.replaceChildren(...entries.map(make));
}

function showAgents(agents) {
  list('agents', agents, (agent) => agent, (agent) =>
    element('li', '', element('span', 'name', isolated(oneLine(agent.name, 'Without a name'))), element('span', 'muted', ` session ${oneLine(agent.session)}`)));
}

function showSessions(sessions) {
  list('sessions', sessions, ({ id, own, pages, agents, lastSeq }) => [id, own, pages, agents, lastSeq], (session) => {
    const details = [plural(session.pages, 'page'), plural(session.agents, 'agent'), plural(session.lastSeq, 'event')];
    return element('li', '', element('span', 'name', oneLine(session.id)), element('span', 'muted', ` ${session.own ? 'this token’s own · ' : ''}${details.join(' · ')}`));
  });
}

/** Commands, the newest first; the same one again and again is one row. */
function showCommands(commands, pages) {
  const rows = [];
  for (const one of commands) {
    const last = rows.at(-1);
    if (last && ['agent', 'session', 'command', 'page', 'ok', 'code'].every((name) => last[name] === one[name])) last.times++;
    else rows.push({ ...one, times: 1 });
  }
  const names = new Map(pages.map((page) => [page.page, nameOfPage(page)]));
  byId('commands').hidden = rows.length === 0;
  byId('commands-empty').hidden = rows.length > 0;
  put(byId('commands-count'), commands.length ? `the last ${commands.length}` : '');
  const target = byId('commands-rows');
  const facts = JSON.stringify([rows, rows.map((row) => names.get(row.page))]);
  if (target.dataset.facts === facts) return;
  target.dataset.facts = facts;
  target.replaceChildren(...rows.map((row) => {
    const page = element('td', 'page-number', row.page ? String(row.page) : '');
    page.title = names.get(row.page) ?? '';
    const result = element('td', `result ${row.ok ? 'good' : 'bad'}`, row.ok ? 'ok' : clean(row.code || 'failed'));
    return element('tr', '',
      element('td', 'at', timeOf(row.at)),
      element('td', 'who', isolated(oneLine(row.agent, '–', 80))),
      element('td', 'what', oneLine(row.command, '–', 80) + (row.times > 1 ? ` ×${row.times}` : '')),
      page, result, element('td', 'number', String(row.ms)));
  }));
}
