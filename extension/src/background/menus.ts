/** The context menu and the keyboard commands: the popup's buttons for people who do not open it. */
import { isLevel, LEVELS } from './levels.ts';
import type { Level } from './levels.ts';

const CONNECT = 'connect-';
const DISCONNECT = 'disconnect';
const STOP = 'stop-everything';
const PICK = 'show-agent';

interface Actions {
  connect(tabId: number, level: Level | null): void;
  disconnect(tabId: number): void;
  connected(tabId: number): boolean;
  stopEverything(): void;
  /** Shows the agent the element that the menu was opened on; of the toolbar button's menu lets the person point. */
  pick(tabId: number, frameId: number | null): void;
}

/** Chrome keeps the menu across starts of the worker; it is made anew when the extension is installed or updated. */
export async function makeMenus(): Promise<void> {
  await chrome.contextMenus.removeAll();
  const contexts: [`${chrome.contextMenus.ContextType}`, ...`${chrome.contextMenus.ContextType}`[]] = ['page', 'action'];
  // What is not the plain page has a context of its own.
  const anywhere: typeof contexts = ['all'];
  const words: Record<Level, string> = { observe: 'Connect: observe only', act: 'Connect: observe and act', control: 'Connect: full control' };
  chrome.contextMenus.create({ id: 'debug-bridge', title: 'Debug Bridge', contexts: anywhere });
  chrome.contextMenus.create({ id: PICK, parentId: 'debug-bridge', title: 'Show this to the agent', contexts: anywhere });
  chrome.contextMenus.create({ id: 'pick-separator', parentId: 'debug-bridge', type: 'separator', contexts });
  for (const level of LEVELS) chrome.contextMenus.create({ id: CONNECT + level, parentId: 'debug-bridge', title: words[level], contexts });
  chrome.contextMenus.create({ id: DISCONNECT, parentId: 'debug-bridge', title: 'Disconnect this tab', contexts });
  chrome.contextMenus.create({ id: 'separator', parentId: 'debug-bridge', type: 'separator', contexts });
  chrome.contextMenus.create({ id: STOP, parentId: 'debug-bridge', title: 'Stop everything', contexts });
}

export function onMenu(info: chrome.contextMenus.OnClickData, tab: chrome.tabs.Tab | undefined, actions: Actions): void {
  const id = String(info.menuItemId);
  if (id === STOP) return actions.stopEverything();
  if (tab?.id === undefined) return;
  if (id === DISCONNECT) return actions.disconnect(tab.id);
  if (id === PICK) return actions.pick(tab.id, info.frameId ?? null);
  const level = id.startsWith(CONNECT) ? id.slice(CONNECT.length) : '';
  if (isLevel(level)) actions.connect(tab.id, level);
}

export function onCommand(command: string, tab: chrome.tabs.Tab | undefined, actions: Actions): void {
  if (command === 'stop-everything') return actions.stopEverything();
  if (command !== 'toggle-connection' || tab?.id === undefined) return;
  if (actions.connected(tab.id)) actions.disconnect(tab.id);
  else actions.connect(tab.id, null);
}
