/**
 * Waits until the document shows, or no longer shows, what was asked for. One round
 * ends after waitMs with what was seen instead; the daemon asks again, also in the
 * documents and frames that came meanwhile.
 */
import { BridgeFault } from '../fault.ts';
import { startTimer, stopTimer } from '../dom/primordials.ts';
import { bySelector } from '../locate/target.ts';
import type { UITree } from '../tree/uitree.ts';
import { check } from './wait.ts';

export interface Sight {
  matched: boolean;
  /** The text that matched. */
  text?: string;
  /** Elements that the selector fits, and those of them that can be seen. */
  count?: number;
  visible?: number;
  /** How long nothing has changed, ms. */
  quietMs?: number;
  readyState?: string;
}

interface Around {
  uiTree: UITree;
  roots(): Iterable<ShadowRoot>;
}

type Test = () => Sight;

const mostWaitMs = 10_000;
/** Styles and layout change without a mutation: look at least this often. */
const lookMs = 100;

export async function waitFor(params: Record<string, unknown>, around: Around, signal: AbortSignal): Promise<Sight> {
  const limit = typeof params.waitMs === 'number' ? Math.min(params.waitMs, mostWaitMs) : 0;
  const until = performance.now() + limit;
  let changedAt = performance.now();
  let wake: (() => void) | undefined;
  const observer = new MutationObserver(() => {
    changedAt = performance.now();
    wake?.();
  });
  const options: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, options);
  for (const root of around.roots()) observer.observe(root, options);
  const test = testOf(params, around, () => performance.now() - changedAt);
  try {
    for (;;) {
      check(signal);
      const seen = test();
      const left = until - performance.now();
      if (seen.matched || left <= 0) return seen;
      await new Promise<void>((resolve) => {
        const timer = startTimer(resolve, Math.min(lookMs, left));
        wake = () => {
          stopTimer(timer);
          resolve();
        };
      });
      wake = undefined;
    }
  } finally {
    observer.disconnect();
  }
}

function testOf(params: Record<string, unknown>, around: Around, quiet: () => number): Test {
  const { text, selector, quietMs } = params;
  const gone = params.gone === true;
  if (Array.isArray(text)) return textTest(text.filter((one): one is string => typeof one === 'string'), gone, around);
  if (typeof selector === 'string') return selectorTest(selector, params.state, around);
  if (typeof quietMs === 'number') {
    return () => {
      const ms = Math.round(quiet());
      return { matched: document.readyState === 'complete' && ms >= quietMs, quietMs: ms, readyState: document.readyState };
    };
  }
  throw new BridgeFault('VALIDATION_ERROR', 'Give text, selector or quietMs.');
}

function textTest(wanted: readonly string[], gone: boolean, around: Around): Test {
  const needles = wanted.map(fold);
  return () => {
    const shown = shownText(around);
    const found = needles.findIndex((needle) => shown.includes(needle));
    if (gone) return { matched: found < 0, ...(found < 0 ? {} : { text: wanted[found] ?? '' }) };
    return found < 0 ? { matched: false } : { matched: true, text: wanted[found] ?? '' };
  };
}

/** What a person can read, and what fields hold. */
function shownText(around: Around): string {
  const parts = [document.body?.innerText ?? '', document.title];
  for (const root of around.roots()) for (const child of root.children) if (child instanceof HTMLElement && child.localName !== 'style') parts.push(child.innerText);
  return fold(parts.join('\n'));
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function selectorTest(selector: string, wanted: unknown, around: Around): Test {
  const state = typeof wanted === 'string' && wanted !== '' ? wanted : 'visible';
  return () => {
    const found = bySelector(selector, around.uiTree.pass());
    const visible = found.filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0).length;
    const matched = { attached: found.length > 0, detached: found.length === 0, visible: visible > 0, hidden: visible === 0 }[state];
    if (matched === undefined) throw new BridgeFault('VALIDATION_ERROR', 'state must be attached, detached, visible or hidden.');
    return { matched, count: found.length, visible };
  };
}
