/** The popup: shows what the worker says and passes on what the person decides. It keeps no state of its own. */
import { LEVELS } from '../background/levels.ts';
import type { Level } from '../background/levels.ts';
import { installId, readSettings, usualName } from '../background/settings.ts';
import { POPUP_PORT } from './messages.ts';
import type { ConnectedTab, Hop, PopupRequest, PopupState, QuestionView } from './messages.ts';

const RECONNECT_MS = 100;
const COPIED_MS = 1_500;
const TYPING_MS = 400;
/** A press on what has only just come up was meant for what was there before. */
const SEEN_MS = 500;

const LETTERS: Record<Level, string> = { observe: 'O', act: 'A', control: 'C' };
const HOP_NAMES: Record<Hop['name'], string> = { extension: 'Extension', host: 'Host', daemon: 'Daemon', agents: 'Agents' };
const HOP_WORDS: Record<Hop['state'], string> = { ok: 'working', wait: 'connecting', warn: 'needs attention', fail: 'broken', unknown: 'not known yet' };
const PAUSES: Record<NonNullable<ConnectedTab['paused']>, string> = {
  left_site: 'Paused: this is another site',
  navigated_to_restricted: 'Paused: no extension may enter this page',
  crashed: 'Paused: the page crashed',
  discarded: 'Paused: Chrome put the tab to sleep',
};

function byId<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no #${id} in popup.html`);
  return element;
}

const ui = {
  letter: byId('tab-letter', HTMLElement),
  title: byId('tab-title', HTMLElement),
  status: byId('tab-status', HTMLElement),
  error: byId('tab-error', HTMLElement),
  ask: byId('ask', HTMLElement),
  askAgent: byId('ask-agent', HTMLElement),
  askDeed: byId('ask-deed', HTMLElement),
  askWhat: byId('ask-what', HTMLElement),
  askShow: byId('ask-show', HTMLButtonElement),
  askDeny: byId('ask-deny', HTMLButtonElement),
  askAllow: byId('ask-allow', HTMLButtonElement),
  askMore: byId('ask-more', HTMLElement),
  form: byId('form', HTMLFormElement),
  levels: byId('levels', HTMLFieldSetElement),
  session: byId('session', HTMLInputElement),
  anySite: byId('any-site', HTMLInputElement),
  onlySite: byId('only-site', HTMLElement),
  connect: byId('connect', HTMLButtonElement),
  disconnect: byId('disconnect', HTMLButtonElement),
  pick: byId('pick', HTMLButtonElement),
  record: byId('record', HTMLElement),
  recordIdle: byId('record-idle', HTMLElement),
  recordStart: byId('record-start', HTMLButtonElement),
  recordSave: byId('record-save', HTMLButtonElement),
  recordOn: byId('record-on', HTMLElement),
  recordWho: byId('record-who', HTMLElement),
  recordTime: byId('record-time', HTMLElement),
  recordNote: byId('record-note', HTMLInputElement),
  recordMark: byId('record-mark', HTMLButtonElement),
  recordStop: byId('record-stop', HTMLButtonElement),
  recordWarning: byId('record-warning', HTMLElement),
  recordFile: byId('record-file', HTMLElement),
  recordPath: byId('record-path', HTMLElement),
  recordCopy: byId('record-copy', HTMLButtonElement),
  toolsRow: byId('tools-row', HTMLElement),
  toolsSite: byId('tools-site', HTMLElement),
  tools: byId('page-tools', HTMLInputElement),
  connected: byId('connected', HTMLElement),
  tabCount: byId('tab-count', HTMLElement),
  agents: byId('agents', HTMLElement),
  agentCount: byId('agent-count', HTMLElement),
  browserName: byId('browser-name', HTMLInputElement),
  hops: byId('hops', HTMLElement),
  fixText: byId('fix-text', HTMLElement),
  fixBox: byId('fix-box', HTMLElement),
  fixCommand: byId('fix-command', HTMLElement),
  copy: byId('copy', HTMLButtonElement),
  retry: byId('retry', HTMLButtonElement),
  stop: byId('stop', HTMLButtonElement),
  options: byId('options', HTMLButtonElement),
};

let port: chrome.runtime.Port | null = null;
let tabId = -1;
let state: PopupState | null = null;
/** The worker was asked to let the person point. */
let picking = false;
/** Opened in a tab instead of over one. */
const asPage = new URLSearchParams(location.search).has('tab');
/** The person touched the form: what the worker says of it no longer overwrites it. */
let touched = false;
let filledFor = '';

function send(request: PopupRequest): void {
  port?.postMessage(request);
}

function open(): void {
  port = chrome.runtime.connect({ name: POPUP_PORT });
  port.onMessage.addListener((next: PopupState) => {
    if (picking && next.error === null && !asPage) window.close(); // it stands over the page
    picking = false;
    state = next;
    draw(next);
  });
  port.onDisconnect.addListener(() => {
    void chrome.runtime.lastError; // read: the worker was restarted
    setTimeout(open, RECONNECT_MS);
  });
  send({ kind: 'watch', tabId });
}

function chosenLevel(): Level {
  const value = new FormData(ui.form).get('level');
  return LEVELS.find((level) => level === value) ?? 'act';
}

function chooseLevel(level: Level): void {
  for (const input of ui.levels.querySelectorAll('input')) input.checked = input.value === level;
}

function draw(next: PopupState): void {
  drawQuestion(next);
  drawTab(next);
  drawRecording(next);
  drawConnected(next);
  drawAgents(next);
  drawHops(next.hops);
  ui.stop.disabled = next.connected.length === 0;
}

let asked: QuestionView | null = null;

function drawQuestion({ questions }: PopupState): void {
  const [first] = questions;
  ui.ask.hidden = first === undefined;
  document.body.classList.toggle('asked', first !== undefined);
  ui.askMore.hidden = questions.length < 2;
  setText(ui.askMore, `${questions.length - 1} more after this`);
  const same = first?.id === asked?.id;
  asked = first ?? null;
  if (first === undefined || same) return;
  setText(ui.askAgent, first.agent);
  setText(ui.askDeed, first.wants);
  ui.askWhat.textContent = first.what;
  ui.askShow.hidden = first.here;
  for (const button of [ui.askAllow, ui.askDeny]) button.disabled = true;
  setTimeout(() => {
    if (asked?.id !== first.id) return;
    for (const button of [ui.askAllow, ui.askDeny]) button.disabled = false;
  }, SEEN_MS);
}

function answer(event: Event, allow: boolean): void {
  if (!event.isTrusted || asked === null) return;
  for (const button of [ui.askAllow, ui.askDeny]) button.disabled = true;
  send({ kind: 'confirm', id: asked.id, allow });
}

function drawTab({ tab, defaults, error, halted }: PopupState): void {
  const grant = tab?.grant ?? null;
  // The form follows the grant (or the defaults) until the person touches it.
  const basis = JSON.stringify(grant ? [grant.level, grant.sessionId, grant.anySite] : [defaults, 'none']);
  if (!touched || basis !== filledFor) {
    chooseLevel(grant?.level ?? defaults.level);
    ui.session.value = grant?.sessionId ?? defaults.sessionId;
    ui.anySite.checked = grant?.anySite ?? false;
    filledFor = basis;
    touched = false;
  }
  const title = tab ? tab.title || tab.url : 'This tab is closed';
  setText(ui.title, title);
  ui.title.title = title;
  setText(ui.letter, grant ? (grant.paused ? 'II' : LETTERS[grant.level]) : '–');
  ui.letter.className = `letter ${grant && !grant.paused ? grant.level : 'paused'}`;
  setText(ui.onlySite, tab?.site ? `(not only ${tab.site})` : '');

  const problem = tab?.obstacle ?? null;
  if (ui.error.textContent !== (error ?? '')) ui.error.textContent = error ?? '';
  ui.status.className = problem ? 'problem' : 'muted';
  setText(ui.status, problem ?? statusWords(tab, halted));
  const blocked = tab === null || tab.obstacle !== null;
  ui.levels.disabled = blocked;
  ui.session.disabled = blocked;
  ui.anySite.disabled = blocked;
  ui.disconnect.hidden = grant === null;
  ui.pick.hidden = grant === null || grant.paused !== null;
  const asked = grant?.paused === null && grant.level !== 'observe' ? grant.tools : null;
  ui.toolsRow.hidden = asked === null;
  setText(ui.toolsSite, asked === null ? '' : asked.allowed ? asked.site : `${asked.site} (an agent asks)`);
  ui.tools.checked = asked?.allowed ?? false;
  drawButton();
}

function statusWords(tab: PopupState['tab'], halted: boolean): string {
  if (!tab) return '';
  const { grant, site } = tab;
  if (!grant) return halted ? `${site ?? ''} · not connected. Everything is stopped.` : `${site ?? ''} · not connected`;
  if (grant.paused === 'left_site') return `${PAUSES.left_site} than ${grant.site}. Connect here to go on.`;
  if (grant.paused) return `${PAUSES[grant.paused]}.`;
  const parts = [grant.anySite ? `${site ?? ''} (any site)` : grant.site, `connected at ${grant.level}`, `session ${grant.sessionId}`];
  if (grant.origin === 'always') parts.push('always-connect site');
  if (grant.group !== null) parts.push(`group ${grant.group}`);
  if (grant.debugging) parts.push('debugger attached');
  return parts.join(' · ');
}

/** Connect, or change what was granted, or nothing to do. */
function drawButton(): void {
  const grant = state?.tab?.grant ?? null;
  const live = grant !== null && grant.paused === null;
  const same = live && grant.level === chosenLevel() && grant.sessionId === ui.session.value && grant.anySite === ui.anySite.checked;
  setText(ui.connect, live ? (same ? 'Connected' : 'Apply changes') : grant ? 'Connect here' : 'Connect');
  ui.connect.disabled = state?.tab == null || state.tab.obstacle !== null || same || !ui.form.checkValidity();
}

function drawRecording({ tab, recording }: PopupState): void {
  const live = tab?.grant != null && tab.grant.paused === null;
  const on = live && recording?.on === true;
  ui.record.hidden = !live;
  ui.recordIdle.hidden = on;
  ui.recordOn.hidden = !on;
  document.body.classList.toggle('recorded', on || (live && recording !== null && recording.path !== ''));
  ui.recordSave.hidden = recording?.ring !== true;
  setText(ui.recordWho, recording?.person === false ? 'An agent records' : 'Recording');
  ui.recordWarning.hidden = !on || !recording?.warning;
  setText(ui.recordWarning, recording?.warning ?? '');
  ui.recordWarning.title = recording?.warning ?? '';
  ui.recordFile.hidden = on || !recording?.path;
  setText(ui.recordPath, (recording?.path ?? '').split(/[/\\]/).at(-1) ?? '');
  ui.recordPath.title = recording?.path ?? '';
  for (const button of [ui.recordStart, ui.recordSave, ui.recordMark, ui.recordStop]) button.disabled = false;
  drawElapsed();
}

function drawElapsed(): void {
  const since = state?.recording?.since ?? 0;
  const seconds = Math.max(0, Math.floor((Date.now() - since) / 1000));
  if (state?.recording?.on) setText(ui.recordTime, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
}
setInterval(drawElapsed, 1000);

function record(deed: 'start' | 'mark' | 'stop' | 'save', button: HTMLButtonElement): void {
  button.disabled = true; // until the daemon has answered
  send({ kind: 'record', tabId, deed, note: ui.recordNote.value.trim() });
}

function drawConnected({ connected }: PopupState): void {
  setText(ui.tabCount, connected.length > 0 ? String(connected.length) : '');
  fill(ui.connected, connected, (tab) => {
    const item = document.createElement('li');
    const letter = document.createElement('span');
    letter.className = `letter ${tab.paused ? 'paused' : tab.level}`;
    letter.textContent = tab.paused ? 'II' : LETTERS[tab.level];
    letter.title = tab.paused ? PAUSES[tab.paused] : `${tab.level}, session ${tab.sessionId}`;
    const show = button('show clip', tab.title || tab.site, `Show ${tab.title || tab.site} (${tab.paused ? 'paused' : tab.level})`);
    show.addEventListener('click', () => send({ kind: 'show', tabId: tab.tabId }));
    const end = button('icon', '×', `Disconnect ${tab.title || tab.site}`);
    end.addEventListener('click', () => send({ kind: 'disconnect', tabId: tab.tabId }));
    item.append(letter, show, end);
    return item;
  });
}

function drawAgents({ agents }: PopupState): void {
  setText(ui.agentCount, agents.length > 0 ? String(agents.length) : '');
  fill(ui.agents, agents, (agent) => {
    const item = document.createElement('li');
    const name = document.createElement('span');
    name.className = 'clip';
    name.textContent = agent.name;
    name.title = `${agent.name}, session ${agent.sessionId}`;
    item.append(name);
    return item;
  });
}

function drawHops(hops: Hop[]): void {
  for (const hop of hops) {
    const item = ui.hops.querySelector<HTMLElement>(`[data-hop="${hop.name}"]`);
    if (!item) continue;
    item.dataset.state = hop.state;
    item.title = `${HOP_NAMES[hop.name]}: ${hop.text}`;
    item.setAttribute('aria-label', `${HOP_NAMES[hop.name]}: ${HOP_WORDS[hop.state]}. ${hop.text}`);
  }
  // The first broken hop is the one to repair; the others follow from it.
  const broken = hops.find((hop) => hop.state === 'fail') ?? hops.find((hop) => hop.state === 'warn');
  const shown = broken ?? hops.find((hop) => hop.name === 'daemon') ?? hops[0];
  setText(ui.fixText, shown ? `${HOP_NAMES[shown.name]}: ${shown.text}` : '');
  ui.fixText.title = ui.fixText.textContent ?? '';
  ui.fixBox.hidden = broken?.command === undefined;
  setText(ui.fixCommand, broken?.command ?? '');
  ui.retry.hidden = broken?.state !== 'fail';
}

/** Makes a list anew only when it changed, so that focus and scroll stay. */
function fill<T>(list: HTMLElement, items: T[], make: (item: T) => HTMLElement): void {
  const version = JSON.stringify(items);
  if (list.dataset.version === version) return;
  list.dataset.version = version;
  if (items.length > 0) {
    list.replaceChildren(...items.map(make));
    return;
  }
  const none = document.createElement('li');
  none.className = 'muted empty';
  none.textContent = 'None';
  list.replaceChildren(none);
}

function button(className: string, text: string, label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  made.textContent = text;
  made.title = label;
  made.setAttribute('aria-label', label);
  return made;
}

function setText(element: HTMLElement, text: string): void {
  const shown = text === '' ? '\u00a0' : text;
  if (element.textContent !== shown) element.textContent = shown;
}

ui.form.addEventListener('input', () => {
  touched = true;
  drawButton();
});
ui.form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (ui.connect.disabled) return;
  touched = false;
  send({ kind: 'connect', tabId, level: chosenLevel(), sessionId: ui.session.value, anySite: ui.anySite.checked });
});
ui.disconnect.addEventListener('click', () => send({ kind: 'disconnect', tabId }));
ui.askAllow.addEventListener('click', (event) => answer(event, true));
ui.askDeny.addEventListener('click', (event) => answer(event, false));
ui.askShow.addEventListener('click', () => {
  if (asked) send({ kind: 'show', tabId: asked.tabId });
});
ui.pick.addEventListener('click', () => {
  picking = true;
  send({ kind: 'pick', tabId });
});
ui.recordStart.addEventListener('click', () => record('start', ui.recordStart));
ui.recordSave.addEventListener('click', () => record('save', ui.recordSave));
ui.recordMark.addEventListener('click', () => record('mark', ui.recordMark));
ui.recordStop.addEventListener('click', () => record('stop', ui.recordStop));
ui.recordCopy.addEventListener('click', () => {
  void navigator.clipboard.writeText(ui.recordPath.title).then(() => {
    ui.recordCopy.textContent = 'Copied';
    setTimeout(() => (ui.recordCopy.textContent = 'Copy'), COPIED_MS);
  });
});
ui.tools.addEventListener('change', () => {
  const asked = state?.tab?.grant?.tools;
  if (asked) send({ kind: 'tools', tabId, site: asked.site, allow: ui.tools.checked });
});
ui.stop.addEventListener('click', () => send({ kind: 'stopEverything' }));
ui.retry.addEventListener('click', () => send({ kind: 'retry' }));
ui.options.addEventListener('click', () => void chrome.runtime.openOptionsPage());
ui.copy.addEventListener('click', () => {
  void navigator.clipboard.writeText(ui.fixCommand.textContent ?? '').then(() => {
    ui.copy.textContent = 'Copied';
    setTimeout(() => (ui.copy.textContent = 'Copy'), COPIED_MS);
  });
});

/** The name of this browser profile, which the worker hears of from storage. */
let typing: ReturnType<typeof setTimeout> | undefined;

function saveName(): void {
  if (typing === undefined) return;
  clearTimeout(typing);
  typing = undefined;
  void chrome.storage.local.set({ installName: ui.browserName.value.trim() });
}

ui.browserName.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(saveName, TYPING_MS);
});
ui.browserName.addEventListener('change', saveName);
window.addEventListener('pagehide', saveName);
void Promise.all([chrome.storage.local.get(null), installId()]).then(([stored, id]) => {
  ui.browserName.value = readSettings(stored).installName;
  ui.browserName.placeholder = usualName(id);
});

/** The tab meant: of the window the popup hangs on, or named in the address when it is open as a page. */
async function meantTab(): Promise<number> {
  const named = new URLSearchParams(location.search).get('tab');
  if (named !== null && /^\d+$/.test(named)) return Number(named);
  const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
  return active?.id ?? -1;
}

void meantTab().then((id) => {
  tabId = id;
  open();
});
