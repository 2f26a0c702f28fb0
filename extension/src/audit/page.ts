/**
 * What one frame's document shows to an audit, read by the debugger in the bridge's
 * isolated world. It tells facts; what is a fault and how bad is decided by the host
 * (host/internal/audit). Nothing of the page is changed.
 */
import { borrow, Elements, type Tools } from './tools.ts';
import { vitals } from './vitals.ts';

/** Elements told of one kind; the rest is counted. */
const maxEach = 50;
const maxElements = 100_000;
const maxResources = 2000;
const maxWordless = 500;

interface Fact {
  element: number;
  text?: string;
}

class Facts {
  readonly lists: Record<string, Fact[]> = {};
  readonly counts: Record<string, number> = {};

  constructor(private readonly elements: Elements) {}

  add(kind: string, element: Element, text?: string): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    const list = (this.lists[kind] ??= []);
    if (list.length < maxEach) list.push({ element: this.elements.add(element), ...(text === undefined ? {} : { text: cut(text) }) });
  }
}

class Audit {
  readonly #elements: Elements;

  constructor(private readonly tools: Tools) {
    this.#elements = new Elements(tools);
  }

  read(): string {
    const facts = new Facts(this.#elements);
    const all = everything(this.tools);
    for (const look of [images, links, headings, mixed]) look(all, facts, this.tools);
    const top = window === window.top;
    return JSON.stringify({
      url: location.href,
      title: document.title.slice(0, 300).toWellFormed(),
      secure: location.protocol === 'https:',
      hidden: document.visibilityState === 'hidden',
      head: top ? head() : undefined,
      vitals: top ? vitals(this.#elements) : undefined,
      resources: resources(),
      lists: facts.lists,
      counts: facts.counts,
      elements: all.length,
    });
  }

  describe(numbers: string): string {
    return this.#elements.describe(JSON.parse(numbers) as number[]);
  }
}

/** The elements of the document in order, through shadow roots. */
function everything(tools: Tools): Element[] {
  const found: Element[] = [];
  const stack: Element[] = document.documentElement === null ? [] : [document.documentElement];
  for (let element = stack.pop(); element !== undefined && found.length < maxElements; element = stack.pop()) {
    found.push(element);
    for (let child = element.lastElementChild; child !== null; child = child.previousElementSibling) stack.push(child);
    const root = tools.shadowRoot(element);
    for (let child = root?.lastElementChild ?? null; child !== null; child = child.previousElementSibling) stack.push(child);
  }
  return found;
}

function head(): Record<string, unknown> {
  const contents = (selector: string, name: string): string[] => [...document.querySelectorAll(selector)].map((element) => cut(element.getAttribute(name) ?? ''));
  const declared = document.querySelector('meta[charset]') !== null || document.querySelector('meta[http-equiv="content-type" i][content*="charset" i]') !== null;
  return {
    titles: [...(document.head?.querySelectorAll('title') ?? [])].map((title) => cut(title.textContent ?? '')),
    lang: document.documentElement.getAttribute('lang') ?? document.documentElement.getAttribute('xml:lang') ?? '',
    charset: document.characterSet,
    charsetDeclared: declared,
    doctype: document.compatMode === 'CSS1Compat',
    description: contents('meta[name="description" i]', 'content'),
    viewport: contents('meta[name="viewport" i]', 'content'),
    canonical: contents('link[rel~="canonical" i]', 'href'),
    csp: contents('meta[http-equiv="content-security-policy" i]', 'content'),
    referrer: contents('meta[name="referrer" i]', 'content'),
    icon: document.querySelector('link[rel~="icon" i]') !== null,
  };
}

/** What the browser measured of each file. Those of other sites tell no size unless they allow it. */
function resources(): Record<string, unknown>[] {
  const entries = performance.getEntriesByType('resource') as (PerformanceResourceTiming & { renderBlockingStatus?: string })[];
  return entries.slice(0, maxResources).map(({ name, initiatorType, transferSize, duration, renderBlockingStatus, responseStatus }) => ({
    url: name.slice(0, 2000).toWellFormed(),
    type: initiatorType,
    bytes: transferSize,
    ms: Math.round(duration),
    ...(renderBlockingStatus === 'blocking' ? { blocking: true } : {}),
    ...(responseStatus >= 400 ? { status: responseStatus } : {}),
  }));
}

type Look = (all: readonly Element[], facts: Facts, tools: Tools) => void;

const images: Look = (all, facts) => {
  for (const element of all) {
    const input = element instanceof HTMLInputElement && element.type === 'image';
    if (!(element instanceof HTMLImageElement) && !input) continue;
    const shown = element.checkVisibility({ visibilityProperty: true });
    if (!shown) continue;
    const words = ['aria-label', 'aria-labelledby', 'title'].some((name) => (element.getAttribute(name) ?? '').trim() !== '');
    const decoration = /^(presentation|none)$/.test(element.getAttribute('role') ?? '') || element.closest('[aria-hidden="true"]') !== null;
    const alt = element.getAttribute('alt');
    if ((alt === null || (input && alt.trim() === '')) && !words && !decoration) facts.add('image-alt', element, element.src);
    if (element instanceof HTMLImageElement && unsized(element)) facts.add('image-size', element, element.currentSrc || element.src);
  }
};

/** Its place is not kept while it loads: what is below it will jump. */
function unsized(image: HTMLImageElement): boolean {
  const source = image.currentSrc || image.src;
  if (source === '' || source.startsWith('data:')) return false;
  if (/^\d+/.test(image.getAttribute('width') ?? '') && /^\d+/.test(image.getAttribute('height') ?? '')) return false;
  const style = getComputedStyle(image);
  if (style.position === 'absolute' || style.position === 'fixed' || !style.aspectRatio.startsWith('auto')) return false;
  const map = image.computedStyleMap();
  const given = (name: string): boolean => {
    const value = String(map.get(name) ?? 'auto');
    return value !== 'auto' && !/content/.test(value);
  };
  return !(given('width') && given('height'));
}

const links: Look = (all, facts, tools) => {
  const wordless: HTMLAnchorElement[] = [];
  for (const element of all) {
    if (!(element instanceof HTMLAnchorElement) || !element.hasAttribute('href')) continue;
    if (plain(element.href)) facts.add('http-link', element, element.href);
    if ((element.textContent ?? '').trim() !== '' || element.closest('[aria-hidden="true"]') !== null || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (wordless.length < maxWordless) wordless.push(element);
  }
  // A text from elsewhere (alt, aria-label, a shadow root) is the bridge's affair.
  for (const [i, { name }] of tools.describe(wordless).entries()) {
    const link = wordless[i];
    if (name === '' && link !== undefined) facts.add('link-text', link, link.getAttribute('href') ?? '');
  }
};

/** An address that the network can read and change on the way. */
function plain(address: string): boolean {
  if (!address.startsWith('http:')) return false;
  const { hostname, origin } = new URL(address);
  return origin !== location.origin && !/^(localhost|127\..*|\[::1\]|10\..*|192\.168\..*)$|\.(localhost|local|internal|test)$/.test(hostname);
}

const headings: Look = (all, facts) => {
  let before = 0;
  for (const element of all) {
    const level = levelOf(element);
    if (level === 0 || element.closest('[aria-hidden="true"]') !== null || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (before > 0 && level > before + 1) facts.add('heading-order', element, `h${level} after h${before}`);
    before = level;
  }
};

function levelOf(element: Element): number {
  const role = element.getAttribute('role');
  if (role === 'heading') return Number(element.getAttribute('aria-level') ?? 2) || 2;
  if (role !== null && role !== '') return 0;
  const tag = /^h([1-6])$/.exec(element.localName);
  return tag === null ? 0 : Number(tag[1]);
}

const fetched: Record<string, string> = { img: 'src', audio: 'src', video: 'src', source: 'src', script: 'src', iframe: 'src', embed: 'src', object: 'data', form: 'action' };
const active = new Set(['script', 'iframe', 'embed', 'object', 'form', 'link']);

const mixed: Look = (all, facts) => {
  if (location.protocol !== 'https:') return;
  for (const element of all) {
    const tag = element.localName;
    const sheet = element instanceof HTMLLinkElement && /\bstylesheet\b/i.test(element.rel);
    const name = sheet ? 'href' : fetched[tag];
    if (name === undefined) continue;
    const raw = element.getAttribute(name);
    if (raw === null || !URL.canParse(raw, document.baseURI)) continue;
    const address = new URL(raw, document.baseURI).href;
    if (plain(address)) facts.add(active.has(tag) ? 'mixed-active' : 'mixed-passive', element, address);
  }
};

function cut(text: string): string {
  return text.slice(0, 500).replace(/\s+/g, ' ').trim().toWellFormed();
}

export function open(_key: string, token: string): Audit {
  return new Audit(borrow(token));
}
