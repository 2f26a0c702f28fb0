/**
 * The service worker: wiring, and nothing that it could not build again.
 *
 * Chrome may end it at any line. Grants are in storage.session, bridges come back by
 * themselves, debugger attachments are found by asking Chrome. All listeners are made
 * in the first turn, as Chrome demands, and wait for the state to be loaded.
 */
import { drawBadge } from './badge.ts';
import { Calls } from './calls.ts';
import { Confirms } from './confirm.ts';
import { DebuggerLane } from './debugger.ts';
import { registerEarly } from './early.ts';
import { messageOf } from './fault.ts';
import { Frames } from './frames.ts';
import { Grants } from './grants.ts';
import { Groups } from './groups.ts';
import { Health } from './health.ts';
import { Link } from './link.ts';
import { makeMenus, onCommand, onMenu } from './menus.ts';
import { Navigation } from './navigate.ts';
import type { Outbound } from './outbound.ts';
import { Picks } from './pick.ts';
import { isPopupPort, Popups } from './popup.ts';
import { installId, SettingsStore, usualName } from './settings.ts';
import type { Settings } from './settings.ts';
import { Questions } from './questions.ts';
import { Recordings } from './recordings.ts';
import { Tabs } from './tabs.ts';
import { Windows } from './windows.ts';
import { answerRequest, heedEvent } from './requests.ts';
import { BRIDGE_PORT } from '../content/messages.ts';

const NATIVE_HOST = 'com.debugbridge.host';
const LINK_VERSION = 1;
const ALARM = 'wake';
/** Chrome's least period is 30 s; a minute is never clamped or dropped. */
const ALARM_MINUTES = 1;

const settings = new SettingsStore(settingsChanged);
const grants = new Grants();
let linkConnected = false;
let install = { id: '', name: '' };

const out: Outbound = {
  get connected() {
    return linkConnected;
  },
  get queued() {
    return link.queued;
  },
  emit(op, payload) {
    // What the debugger told comes once: the link keeps it for its resume. The rest is
    // told anew, as state or by the pages, once the link is back.
    if (linkConnected || op === 'cdp.event') link.event(op, payload);
    if (linkConnected && op === 'tab.connected') recordings.announce((payload as { tabId: number }).tabId);
  },
};

const health = new Health(() => link.request('diag.echo', {}));
const questions = new Questions((tabId) => shown(tabId));
const confirms = new Confirms(grants, (tabId) => shown(tabId));
const calls = new Calls(grants, () => frames, questions, () => popups.changed());
const frames: Frames = new Frames(grants, settings, out, {
  mainDocument: (tabId, documentId, url) => tabs.mainDocument(tabId, documentId, url),
  connecting: (tabId) => tabs.connecting(tabId),
  consoleByCdp: (tabId) => lane.consoleByCdp(tabId),
  answer: (frame, message) => calls.answer(frame, message),
  gone: (frame, reason) => calls.gone(frame, reason),
  mainLost: (tabId, documentId) => void tabs.mainLost(tabId, documentId),
});
const recordings = new Recordings(grants, settings, (op, payload) => link.request(op, payload), (op, payload) => out.emit(op, payload), (tabId) => shown(tabId));
const navigation = new Navigation(grants, settings, () => health.daemonURL, (tabId) => ({
  send: (method, params) => lane.send({ tabId, method, params }),
}));
const lane: DebuggerLane = new DebuggerLane(grants, () => frames, settings, out, {
  detached: (tabId, reason) => void tabs.detached(tabId, reason),
  crashed: (tabId) => void tabs.crashed(tabId),
  leaving: (tabId) => navigation.leaving(tabId),
  stayed: (tabId, url) => navigation.failed(tabId, url, 'dialog_dismissed'),
  committed: (tabId, url) => tabs.committedByCdp(tabId, url),
  checkNavigation: (tabId, url) => void navigation.resolve(tabId, url),
});
const tabs: Tabs = new Tabs(grants, settings, () => frames, () => lane, out, shown, {
  inherited: (tabId, openerTabId) => groups.inherited(tabId, openerTabId),
  ended: (tabId) => groups.ended(tabId),
});
const groups = new Groups(grants, settings, () => tabs, shown);
const windows = new Windows(grants, tabs, navigation, groups);
const picks = new Picks(calls, frames, grants);
const popups = new Popups(picks, confirms, recordings, tabs, grants, groups, settings, lane, health, retryLink);

const link = new Link({
  connect: () => chrome.runtime.connectNative(NATIVE_HOST),
  hello: () => ({
    linkVersion: LINK_VERSION,
    extensionVersion: chrome.runtime.getManifest().version,
    installId: install.id,
    name: settings.current.installName || install.name,
    browser: browserName(),
    userAgent: navigator.userAgent,
  }),
  onRequest: (op, payload) => ready.then(() => answerRequest(op, payload, { calls, lane, navigation, grants, settings, windows, frames, recordings, confirms })),
  onEvent: (op, payload) => void ready.then(() => heedEvent(op, payload, { frames, health, tabs, groups, recordings, confirms, changed: () => popups.changed() })).catch(report),
  onState: (state) => {
    const was = linkConnected;
    linkConnected = state.phase === 'connected';
    health.linkChanged(state);
    if (linkConnected || state.phase === 'failed') void ready.then(() => lane.daemonIs(state.epoch ?? '')).catch(report);
    if (linkConnected && !was) {
      tabs.announce();
      for (const { tabId } of grants.all()) recordings.announce(tabId);
      frames.resendAll();
      void health.measure().then(() => popups.changed());
    }
    popups.changed();
  },
});

const ready: Promise<void> = boot();

async function boot(): Promise<void> {
  await Promise.all([settings.load(), grants.load(), groups.load(), installId().then((id) => (install = { id, name: usualName(id) }))]);
  link.start();
  void confirms.start().catch(report);
  const adopted = lane.start();
  await chrome.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
  // Not awaited: bridges announce themselves to a worker that is ready.
  void adopted.then(() => tabs.reconcile()).then(() => groups.reconcile()).catch(report);
}

/** Runs a listener once the state is there, in the order the events came. */
function when<Args extends unknown[]>(listener: (...args: Args) => unknown): (...args: Args) => void {
  return (...args) => {
    ready.then(() => listener(...args)).catch(report);
  };
}

function report(error: unknown): void {
  console.error(messageOf(error), error);
}

function shown(tabId: number): void {
  if (grants.get(tabId)?.paused !== null) confirms.gone(tabId);
  void drawBadge(tabId, grants.get(tabId), groups.refusal(tabId), recordings.get(tabId)?.on === true, questions.has(tabId) || confirms.has(tabId));
  popups.changed();
}

function settingsChanged(now: Settings, before: Settings): void {
  void registerEarly(now);
  if (now.debuggerMode !== before.debuggerMode || now.idleSeconds !== before.idleSeconds) lane.settingsChanged();
  if (JSON.stringify([now.telemetry, now.redact]) !== JSON.stringify([before.telemetry, before.redact])) frames.reconfigure();
  if (now.installName !== before.installName) retryLink(); // the name is said in hello
  if (now.ring !== before.ring) recordings.settingsChanged();
  void tabs.settingsChanged(now, before).catch(report);
  popups.changed();
}

function retryLink(): void {
  link.stop();
  link.start();
}

function browserName(): string {
  const brands = (navigator as globalThis.Navigator & { userAgentData?: { brands: { brand: string; version: string }[] } }).userAgentData?.brands ?? [];
  const known = brands.filter(({ brand }) => !/not.?a.?brand/i.test(brand));
  const best = known.find(({ brand }) => brand !== 'Chromium') ?? known[0];
  return best ? `${best.brand} ${best.version}` : 'Chromium';
}

async function connectFromMenu(tabId: number, level: Settings['levelDefault'] | null): Promise<void> {
  const { levelDefault, sessionDefault } = settings.current;
  await settings.save({ halted: false });
  await tabs.connect(tabId, { level: level ?? levelDefault, sessionId: sessionDefault, anySite: false }, 'click');
}

const actions = {
  connect: (tabId: number, level: Settings['levelDefault'] | null) => void connectFromMenu(tabId, level).catch(report),
  disconnect: (tabId: number) => void tabs.disconnect(tabId, 'detached_by_user', true).catch(report),
  connected: (tabId: number) => grants.get(tabId) !== undefined,
  stopEverything: () => void popups.stopEverything().catch(report),
  pick(tabId: number, frameId: number | null) {
    if (!picks.possible(tabId)) void chrome.action.openPopup().catch(report); // where it can be connected
    else void (frameId === null ? picks.start(tabId) : picks.here(tabId, frameId)).catch(report);
  },
};

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.id !== chrome.runtime.id) return port.disconnect();
  if (isPopupPort(port)) return popups.accept(port, ready);
  if (port.name === BRIDGE_PORT && port.sender.tab !== undefined) return frames.accept(port, ready);
  return port.disconnect();
});
chrome.runtime.onInstalled.addListener(when(async () => {
  await makeMenus();
  await registerEarly(settings.current);
}));
chrome.runtime.onStartup.addListener(when(() => registerEarly(settings.current)));
chrome.storage.onChanged.addListener(when((changes: Record<string, chrome.storage.StorageChange>, area: string) => {
  if (area === 'local' && Object.keys(changes).some((key) => key !== 'installId')) return settings.reload();
  return undefined;
}));
chrome.alarms.onAlarm.addListener(when(async () => {
  lane.tick();
  await tabs.expire();
}));

chrome.webNavigation.onBeforeNavigate.addListener(when((details) => {
  if (details.frameId === 0) navigation.begins(details.tabId);
}));
chrome.webNavigation.onCreatedNavigationTarget.addListener(when(({ tabId, sourceTabId, url }) => tabs.popup(tabId, sourceTabId, url)));
chrome.webNavigation.onCommitted.addListener(when(async (details) => {
  if (details.frameId === 0 && details.documentLifecycle === 'active') {
    confirms.gone(details.tabId, details.documentId);
    navigation.committed(details.tabId, details.url);
  }
  await tabs.committed(details);
}));
for (const moved of [chrome.webNavigation.onHistoryStateUpdated, chrome.webNavigation.onReferenceFragmentUpdated]) {
  moved.addListener(when((details) => {
    if (details.frameId === 0 && details.documentLifecycle === 'active') navigation.committed(details.tabId, details.url);
    tabs.sameDocument(details);
  }));
}
chrome.webNavigation.onErrorOccurred.addListener(when((details) => {
  if (details.frameId === 0 && details.documentLifecycle === 'active') navigation.failed(details.tabId, details.url, details.error);
}));

chrome.tabs.onUpdated.addListener(when((tabId: number, change: chrome.tabs.OnUpdatedInfo) => {
  if (change.url !== undefined || change.title !== undefined) popups.changed();
  groups.updated(tabId, change);
  return tabs.updated(tabId, change);
}));
chrome.tabs.onCreated.addListener(when((tab: chrome.tabs.Tab) => groups.created(tab)));
chrome.tabs.onReplaced.addListener(when((added: number, removed: number) => {
  groups.replaced(added, removed);
  return tabs.replaced(added, removed);
}));
chrome.tabs.onRemoved.addListener(when((tabId: number) => {
  navigation.gone(tabId);
  recordings.forget(tabId);
  confirms.gone(tabId);
  groups.removed(tabId);
  return tabs.removed(tabId);
}));

chrome.debugger.onEvent.addListener(when((source, method, params) => lane.onEvent(source, method, params)));
chrome.debugger.onDetach.addListener(when((source, reason) => lane.onDetach(source, reason)));

chrome.notifications.onButtonClicked.addListener(when((id: string, button: number) => confirms.pressed(id, button)));
chrome.notifications.onClicked.addListener(when((id: string) => confirms.pressed(id, null)));

chrome.contextMenus.onClicked.addListener(when((info: chrome.contextMenus.OnClickData, tab?: chrome.tabs.Tab) => onMenu(info, tab, actions)));
chrome.commands.onCommand.addListener(when((command: string, tab?: chrome.tabs.Tab) => onCommand(command, tab, actions)));
