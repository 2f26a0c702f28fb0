/**
 * Content scripts registered ahead of the page for the sites that connect by
 * themselves, so that their first console lines and errors are kept.
 */
import { messageOf } from './fault.ts';
import type { Settings } from './settings.ts';
import { matchPatterns } from './site.ts';

const BRIDGE_ID = 'always-bridge';
const HOOK_ID = 'always-hook';
const APP_ID = 'always-app';

let queue: Promise<void> = Promise.resolve();

/** Makes the registration equal to the settings; calls run one after another. */
export function registerEarly(settings: Settings): Promise<void> {
  queue = queue.then(() => register(settings)).catch((error: unknown) => console.warn('always-connect scripts not registered', messageOf(error)));
  return queue;
}

async function register(settings: Settings): Promise<void> {
  const ids = [BRIDGE_ID, HOOK_ID, APP_ID];
  const old = await chrome.scripting.getRegisteredContentScripts({ ids });
  if (old.length > 0) await chrome.scripting.unregisterContentScripts({ ids: old.map((script) => script.id) });
  const sites = settings.halted ? [] : settings.alwaysSites.filter((entry) => !entry.suspended);
  const matches = [...new Set(sites.flatMap((entry) => matchPatterns(entry.site)))];
  if (matches.length === 0) return;
  const excludeMatches = settings.deny.flatMap(matchPatterns);
  const common = {
    matches,
    ...(excludeMatches.length > 0 ? { excludeMatches } : {}),
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: 'document_start' as const,
    persistAcrossSessions: true,
  };
  const scripts: chrome.scripting.RegisteredContentScript[] = [{ ...common, id: BRIDGE_ID, js: ['content.js'], world: 'ISOLATED' }];
  const { console: lines, errors, state } = settings.telemetry;
  if (lines || errors) scripts.push({ ...common, id: HOOK_ID, js: ['mainworld.js'], world: 'MAIN' });
  if (state) scripts.push({ ...common, id: APP_ID, js: ['app.js'], world: 'MAIN' });
  await chrome.scripting.registerContentScripts(scripts);
}
