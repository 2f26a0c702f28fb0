/** The toolbar button of each tab: the level's letter, and words for whoever hovers or cannot see it. */
import { PAUSE_WORDS } from './grants.ts';
import type { Grant } from './grants.ts';
import type { Level } from './levels.ts';

const LOOKS: Record<Level, { letter: string; colour: string }> = {
  observe: { letter: 'O', colour: '#1f6feb' },
  act: { letter: 'A', colour: '#b35900' },
  control: { letter: 'C', colour: '#c4314b' },
};
const REFUSED = { letter: '!', colour: '#9a6200' };
const RECORDING = { letter: '●', colour: '#b42338' };
const ASKED = { letter: '?', colour: '#3a4fc4' };
const PAUSED = { letter: 'II', colour: '#6b7280' };

/** Draws a tab's badge. refusal: why it was not connected when it was asked for; asked: an agent waits for the person. The tab may be gone; that is nobody's error. */
export async function drawBadge(tabId: number, grant: Grant | undefined, refusal: string | null, recording: boolean, asked: boolean): Promise<void> {
  const look = grant && asked ? ASKED : grant && recording && grant.paused === null ? RECORDING : grant ? (grant.paused === null ? LOOKS[grant.level] : PAUSED) : refusal === null ? null : REFUSED;
  try {
    await Promise.all([
      chrome.action.setBadgeText({ tabId, text: look?.letter ?? '' }),
      chrome.action.setTitle({ tabId, title: (grant && asked ? 'Debug Bridge: an agent asks you something in this tab' : words(grant, refusal)) + (grant && recording ? ' · recording' : '') }),
      ...(look ? [chrome.action.setBadgeBackgroundColor({ tabId, color: look.colour }), chrome.action.setBadgeTextColor({ tabId, color: '#ffffff' })] : []),
    ]);
  } catch {
    // "No tab with id": it closed between two lines.
  }
}

function words(grant: Grant | undefined, refusal: string | null): string {
  if (!grant) return refusal === null ? 'Debug Bridge: not connected' : `Debug Bridge: not connected. ${refusal}`;
  if (grant.paused !== null) return `Debug Bridge: paused, ${PAUSE_WORDS[grant.paused]}`;
  return `Debug Bridge: ${grant.level} · session ${grant.sessionId} · ${grant.anySite ? 'any site' : grant.site}`;
}
