/** The page at /: shows what the feed tells. It keeps nothing: no storage, no credential of its own. */
'use strict';

let known = [];
let heard = null;

const shot = new Shot();
const lines = new Console((_session, id) => {
  const page = known.find((one) => one.page === id);
  return page ? nameOfPage(page) : `page ${id}`;
});
const pages = new Pages((id) => {
  const page = known.find((one) => one.page === id) ?? null;
  shot.choose(page);
  lines.choose(id);
});

const STATES = { live: 'Live', wait: 'Connecting…', lost: 'Connection lost', ended: 'Not allowed' };

function state(kind, refused) {
  byId('state').dataset.state = kind === 'ended' ? 'lost' : kind;
  put(byId('state-text'), STATES[kind]);
  const notice = byId('notice');
  const text = {
    lost: refused?.status ? `The daemon refuses to tell: ${oneLine(refused.message)} It is asked again and again.`
      : `The daemon does not answer${heard ? `; this was so at ${timeText(heard)}` : ''}. It is tried again and again. If it ended, any command starts it: dbridge daemon status`,
    ended: refused?.status === 401
      ? 'This token is not valid any more. Reload the page and give another one; dbridge token new NAME makes it.'
      : 'This token is not for agents, so there is nothing that it may see. Reload the page and give another one; dbridge token new NAME makes it.',
  }[kind] ?? '';
  if (notice.textContent !== text) notice.textContent = text;
  notice.hidden = !text;
  if (kind === 'ended') forget();
}

/** What was seen with a token goes with it. */
function forget() {
  known = [];
  shot.choose(null);
  lines.clear();
  byId('content').remove();
  byId('console-section').remove();
  put(byId('counts'), '');
}

byId('start-command').textContent = `curl ${location.origin}/v1/session/start -H "Authorization: Bearer $TOKEN" --json '{"headless": true}'`;

new Feed({
  overview(data) {
    heard = new Date();
    known = data.pages;
    pages.show(data.pages);
    showAgents(data.agents);
    showSessions(data.sessions);
    showCommands(data.recent, data.pages);
    put(byId('counts'), `${plural(data.pages.length, 'page')} · ${plural(data.agents.length, 'agent')}`);
  },
  line: (session, message) => lines.add(session, message),
  gap: (session, message) => lines.gap(session, message),
  followed: (n, of) => lines.followed(n, of),
  state,
});
