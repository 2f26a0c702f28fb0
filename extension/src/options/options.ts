/** The options page: reads and writes storage.local; the worker hears of it from Chrome. */
import { isLevel, TELEMETRY } from '../background/levels.ts';
import { IDLE_SECONDS, readSettings } from '../background/settings.ts';
import type { Settings } from '../background/settings.ts';
import { normalEntry } from '../background/site.ts';

const SAVED_MS = 1_500;
const TYPING_MS = 400;

function byId<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no #${id} in options.html`);
  return element;
}

const saved = byId('saved', HTMLElement);
let settings: Settings = readSettings({});
let savedTimer: ReturnType<typeof setTimeout> | undefined;

async function save(part: Partial<Settings>): Promise<void> {
  settings = { ...settings, ...part };
  await chrome.storage.local.set(part);
  say('Saved');
}

function say(words: string): void {
  saved.textContent = words;
  clearTimeout(savedTimer);
  savedTimer = setTimeout(() => (saved.textContent = '\u00a0'), SAVED_MS);
}

// --- lists of sites ------------------------------------------------------------

function drawLists(): void {
  draw(byId('always', HTMLElement), settings.alwaysSites, (entry) => entry.site, (entry, item) => {
    const level = document.createElement('span');
    level.className = 'muted';
    level.textContent = entry.level;
    if (!entry.suspended) return item.append(level);
    const held = document.createElement('span');
    held.className = 'held';
    held.textContent = 'held since Cancel';
    held.title = 'You pressed Cancel on the debugger bar of this site: it connects by itself again when you say so.';
    const release = smallButton('Resume', `Connect ${entry.site} by itself again`);
    release.addEventListener('click', () => {
      void save({ alwaysSites: settings.alwaysSites.map((other) => (other.site === entry.site ? { ...other, suspended: false } : other)) }).then(drawLists);
    });
    item.append(held, level, release);
  }, (entry) => save({ alwaysSites: settings.alwaysSites.filter((other) => other.site !== entry.site) }));
  for (const name of ['deny', 'allow'] as const) {
    draw(byId(name, HTMLElement), settings[name], (entry) => entry, () => undefined, (entry) => save({ [name]: settings[name].filter((other) => other !== entry) }));
  }
}

function draw<T>(list: HTMLElement, entries: T[], site: (entry: T) => string, extra: (entry: T, item: HTMLElement) => void, remove: (entry: T) => Promise<void>): void {
  list.replaceChildren(
    ...entries.map((entry) => {
      const item = document.createElement('li');
      const name = document.createElement('span');
      name.className = 'site clip';
      name.textContent = site(entry);
      item.append(name);
      extra(entry, item);
      const button = smallButton('Remove', `Remove ${site(entry)}`);
      button.addEventListener('click', () => void remove(entry).then(drawLists));
      item.append(button);
      return item;
    }),
  );
}

function smallButton(text: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button small';
  button.textContent = text;
  button.setAttribute('aria-label', label);
  return button;
}

function onAdd(id: string, add: (site: string, data: FormData) => Promise<void>): void {
  const form = byId(id, HTMLFormElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const typed = data.get('site');
    const site = normalEntry(typeof typed === 'string' ? typed : '');
    const input = form.querySelector('input');
    if (site === null) {
      input?.setCustomValidity('Give a host, such as example.com or localhost:3000.');
      input?.reportValidity();
      return;
    }
    void add(site, data).then(() => {
      form.reset();
      drawLists();
    });
  });
  form.querySelector('input')?.addEventListener('input', (event) => {
    if (event.target instanceof HTMLInputElement) event.target.setCustomValidity('');
  });
}

onAdd('always-add', (site, data) => {
  const level = data.get('level');
  const others = settings.alwaysSites.filter((entry) => entry.site !== site);
  return save({ alwaysSites: [...others, { site, level: isLevel(level) ? level : 'act', suspended: false }] });
});
onAdd('deny-add', (site) => save({ deny: [...new Set([...settings.deny, site])] }));
onAdd('allow-add', (site) => save({ allow: [...new Set([...settings.allow, site])] }));

// --- single settings -----------------------------------------------------------

const installName = byId('installName', HTMLInputElement);
const sessionDefault = byId('sessionDefault', HTMLInputElement);
const grantMinutes = byId('grantMinutes', HTMLSelectElement);
const agentTabs = byId('agentTabs', HTMLSelectElement);
const ring = byId('ring', HTMLInputElement);
const idleSeconds = byId('idleSeconds', HTMLInputElement);
const debuggerMode = byId('debuggerMode', HTMLFieldSetElement);
const telemetry = byId('telemetry', HTMLFieldSetElement);
const redact = byId('redact', HTMLTextAreaElement);

/** Saves once the typing stops, and only what is valid. */
function onTyped(element: HTMLInputElement | HTMLTextAreaElement, part: () => Partial<Settings>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    if (element.checkValidity()) void save(part());
  };
  element.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(now, TYPING_MS);
  });
  element.addEventListener('change', now);
}

onTyped(installName, () => ({ installName: installName.value.trim() }));
onTyped(sessionDefault, () => ({ sessionDefault: sessionDefault.value }));
onTyped(idleSeconds, () => ({ idleSeconds: Number(idleSeconds.value) || IDLE_SECONDS.usual }));
onTyped(redact, () => ({ redact: redact.value.split('\n').map((line) => line.trim()).filter((line) => line !== '') }));
grantMinutes.addEventListener('change', () => void save({ grantMinutes: Number(grantMinutes.value) }));
agentTabs.addEventListener('change', () => void save({ agentTabs: agentTabs.value === 'close' ? 'close' : 'keep' }));
ring.addEventListener('change', () => void save({ ring: ring.checked }));
debuggerMode.addEventListener('change', (event) => {
  const value = event.target instanceof HTMLInputElement ? event.target.value : '';
  if (value === 'auto' || value === 'always' || value === 'never') void save({ debuggerMode: value });
});
telemetry.addEventListener('change', (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement)) return;
  void save({ telemetry: { ...settings.telemetry, [input.name]: input.checked } });
});

function drawAll(): void {
  drawLists();
  // What is being typed is left alone.
  if (document.activeElement !== installName) installName.value = settings.installName;
  if (document.activeElement !== sessionDefault) sessionDefault.value = settings.sessionDefault;
  if (document.activeElement !== idleSeconds) idleSeconds.value = String(settings.idleSeconds);
  if (document.activeElement !== redact) redact.value = settings.redact.join('\n');
  grantMinutes.value = String(settings.grantMinutes);
  agentTabs.value = settings.agentTabs;
  ring.checked = settings.ring;
  for (const input of debuggerMode.querySelectorAll('input')) input.checked = input.value === settings.debuggerMode;
  for (const input of telemetry.querySelectorAll('input')) {
    const kind = TELEMETRY.find((name) => name === input.name);
    if (kind) input.checked = settings.telemetry[kind];
  }
}

async function load(): Promise<void> {
  settings = readSettings(await chrome.storage.local.get(null));
  drawAll();
}

chrome.storage.onChanged.addListener((_changes, area) => {
  if (area === 'local') void load();
});
void load();
