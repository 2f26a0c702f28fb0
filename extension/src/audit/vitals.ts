/** Core Web Vitals of this load, from what the browser has kept of it. https://web.dev/articles/vitals */
import type { Elements } from './tools.ts';

export interface Vital {
  value: number;
  /** Numbers of elements: the largest paint, the worst shift's nodes. */
  elements?: number[];
  url?: string;
  /** Of the interaction. */
  kind?: string;
}

interface Paint extends PerformanceEntry {
  element?: Element | null;
  url?: string;
}
interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources?: readonly { node?: Node | null }[];
}
interface Interaction extends PerformanceEntry {
  interactionId?: number;
  target?: Node | null;
}

// Windows of layout shifts: https://web.dev/articles/cls
const windowGap = 1000;
const windowSpan = 5000;
const worstShown = 3;

/** What was kept of one type; the observer has it at once, without a task of its own. */
function kept(type: string): PerformanceEntry[] {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return [];
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ type, buffered: true });
  const entries = observer.takeRecords();
  observer.disconnect();
  return entries;
}

export function vitals(elements: Elements): Record<string, Vital> {
  const found: Record<string, Vital> = {};
  const [navigation] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & { activationStart?: number })[];
  const from = navigation?.activationStart ?? 0;
  if (navigation !== undefined && navigation.responseStart > 0) found.ttfb = { value: Math.max(0, navigation.responseStart - from) };
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  if (paint !== undefined) found.fcp = { value: Math.max(0, paint.startTime - from) };
  const largest = kept('largest-contentful-paint').at(-1) as Paint | undefined;
  if (largest !== undefined) {
    found.lcp = { value: Math.max(0, largest.startTime - from), ...named(elements, [largest.element]), ...(largest.url ? { url: largest.url } : {}) };
  }
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) found.cls = shifts(kept('layout-shift') as Shift[], elements);
  const slowest = (kept('event') as Interaction[]).filter(({ interactionId }) => (interactionId ?? 0) > 0).sort((a, b) => b.duration - a.duration)[0];
  if (slowest !== undefined) found.inp = { value: slowest.duration, kind: slowest.name, ...named(elements, [slowest.target]) };
  return found;
}

function shifts(list: Shift[], elements: Elements): Vital {
  let worst: Shift[] = [];
  let most = 0;
  let window: Shift[] = [];
  let sum = 0;
  for (const shift of list) {
    if (shift.hadRecentInput) continue;
    const [first] = window;
    const last = window.at(-1);
    if (first !== undefined && last !== undefined && (shift.startTime - last.startTime >= windowGap || shift.startTime - first.startTime >= windowSpan)) {
      window = [];
      sum = 0;
    }
    window.push(shift);
    sum += shift.value;
    if (sum > most) {
      most = sum;
      worst = [...window];
    }
  }
  const largest = worst.sort((a, b) => b.value - a.value)[0];
  return { value: most, ...named(elements, (largest?.sources ?? []).map(({ node }) => node)) };
}

function named(elements: Elements, nodes: readonly (Node | null | undefined)[]): { elements?: number[] } {
  const numbers = nodes.flatMap((node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element?.isConnected === true ? [elements.add(element)] : [];
  });
  return numbers.length === 0 ? {} : { elements: [...new Set(numbers)].slice(0, worstShown) };
}
