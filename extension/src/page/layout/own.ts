// What is read of an element itself: its text, its picture, its font, what moves it.
import { attr, firstChild, nextSibling, nodeType, styleOf, textContent, type TreeRoot } from '../dom/primordials.ts';
import { cut, fold } from '../dom/text.ts';

/** To a hundredth of a px. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const range = document.createRange();

/** The text that is directly in an element. */
export function ownText(element: Element): { t: string; b: [number, number, number, number]; l: number } | null {
  let text = '';
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const lines = new Set<number>();
  for (let child = firstChild(element); child !== null; child = nextSibling(child)) {
    if (nodeType(child) !== Node.TEXT_NODE) continue;
    const data = textContent(child) ?? '';
    if (data.length < 50 && data.trim() === '') continue;
    if (text.length < 80) text += ` ${data.slice(0, 200)}`;
    range.selectNodeContents(child);
    for (const rect of range.getClientRects()) {
      if (rect.width === 0) continue;
      left = Math.min(left, rect.left);
      top = Math.min(top, rect.top);
      right = Math.max(right, rect.right);
      bottom = Math.max(bottom, rect.bottom);
      lines.add(Math.round(rect.top));
    }
  }
  if (lines.size === 0) return null;
  range.selectNodeContents(document);
  return { t: cut(fold(text), 60), b: [round(left), round(top), round(right - left), round(bottom - top)], l: lines.size };
}

export function imageOf(image: HTMLImageElement): Record<string, unknown> {
  const { complete, naturalWidth, naturalHeight } = image;
  const source = image.currentSrc || (attr(image, 'src') ?? '');
  return {
    src: source.slice(0, 300).toWellFormed(),
    w: naturalWidth,
    h: naturalHeight,
    done: complete,
    bad: complete && naturalWidth === 0 && source !== '',
    ...(image.loading === 'lazy' ? { lazy: true } : {}),
  };
}

/** Animations of elements that go on with time. */
export function animations(roots: ReadonlySet<TreeRoot>): Animation[] {
  const list: Animation[] = [];
  for (const root of roots) {
    for (const animation of root.getAnimations()) {
      const { effect, playState, timeline } = animation;
      if (playState !== 'running' && playState !== 'paused') continue;
      if (!(effect instanceof KeyframeEffect) || effect.target === null || effect.pseudoElement !== null) continue;
      if (!(timeline instanceof DocumentTimeline)) continue;
      list.push(animation);
      if (list.length >= 500) return list;
    }
  }
  return list;
}

const notProperties = new Set(['offset', 'computedOffset', 'easing', 'composite']);

export function animationOf(animation: Animation, style: CSSStyleDeclaration, exact: boolean): Record<string, unknown> {
  const effect = animation.effect as KeyframeEffect;
  const { endTime } = effect.getComputedTiming();
  const end = Number(endTime);
  const last: Record<string, unknown> = effect.getKeyframes().at(-1) ?? {};
  const now: Record<string, string> = {};
  const values: Record<string, string> = {};
  const names = Object.keys(last).filter((key) => !notProperties.has(key));
  const css = (name: string): string => (name === 'cssFloat' ? 'float' : name.startsWith('--') ? name : name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`));
  for (const name of names) {
    values[css(name)] = String(last[name]).slice(0, 80);
    now[css(name)] = style.getPropertyValue(css(name)).slice(0, 80);
  }
  if (exact && Number.isFinite(end)) {
    // Direction and fill decide what stays; nothing runs in between, so nothing is told of it.
    const { currentTime } = animation;
    animation.currentTime = end;
    for (const name of Object.keys(values)) values[name] = style.getPropertyValue(name).slice(0, 80);
    animation.currentTime = currentTime;
  }
  const transition = animation instanceof CSSTransition;
  return {
    n: (transition ? animation.transitionProperty : animation instanceof CSSAnimation ? animation.animationName : animation.id).slice(0, 60),
    k: transition ? 'transition' : animation instanceof CSSAnimation ? 'animation' : 'script',
    s: now,
    e: values,
    r: Number.isFinite(end) ? Math.max(0, Math.round(end - Number(animation.currentTime ?? 0))) : -1,
    ...(animation.playState === 'paused' ? { p: true } : {}),
  };
}

/** The font of an icon that is drawn by a character of the private use area before the element. */
export function glyphFont(element: Element): string | undefined {
  if (firstChild(element) !== null && (textContent(element) ?? '').trim() !== '') return undefined;
  const { content, fontFamily } = styleOf(element, '::before');
  return /[\ue000-\uf8ff]/.test(content) ? fontFamily.slice(0, 200).toWellFormed() : undefined;
}

export function missingFonts(): string[] {
  const families = new Set<string>();
  const loaded = new Set<string>();
  for (const face of document.fonts) {
    const family = face.family.replace(/^["']|["']$/g, '');
    if (face.status === 'error') families.add(family);
    else if (face.status === 'loaded') loaded.add(family);
    if (families.size > 50) break;
  }
  return [...families].filter((family) => !loaded.has(family));
}
