/**
 * What a site is, and which pages can be connected at all.
 *
 * A grant is for a registrable domain (mail.example.co.uk → example.co.uk, private
 * suffixes counted, so that one github.io user is not another). localhost, IP
 * addresses and names without a public suffix stand for themselves, port aside:
 * a development server changes its port, not its owner.
 */
import { parse } from 'tldts';

/** Registrable domain or host of an http(s) address; null for anything else. */
export function siteOf(url: string | undefined): string | null {
  const parsed = parseURL(url);
  if (!parsed || !isWeb(parsed)) return null;
  const host = parsed.hostname;
  const facts = parse(host, { allowPrivateDomains: true, extractHostname: false });
  if (facts.isIp || (!facts.isIcann && !facts.isPrivate)) return host;
  return facts.domain ?? host;
}

/** Why a page cannot be connected, in the person's words; null when it can. */
export function restriction(url: string | undefined): string | null {
  const parsed = parseURL(url);
  if (!parsed) return 'This tab shows no page yet.';
  if (isWeb(parsed)) {
    if (isWebStore(parsed)) return 'Chrome lets no extension into the Web Store.';
    return null;
  }
  switch (parsed.protocol) {
    case 'about:':
      return 'An empty page belongs to no site. Open a website first.';
    case 'file:':
      return 'Local files stay closed to agents. Serve the folder on localhost instead.';
    case 'data:':
    case 'blob:':
    case 'filesystem:':
      return 'This page was made in the browser and belongs to no site.';
    case 'chrome-extension:':
      return 'This page belongs to an extension.';
    default:
      return 'Chrome lets no extension into its own pages.';
  }
}

/**
 * Whether a list entry covers an address. Entries are hosts, which cover their
 * subdomains too, optionally with a port: example.com, *.example.com, localhost:3000.
 */
export function covers(entry: string, url: string | undefined): boolean {
  const parsed = parseURL(url);
  if (!parsed || !isWeb(parsed)) return false;
  const wanted = normalEntry(entry);
  if (wanted === null) return false;
  const { host, port } = splitPort(wanted);
  if (port !== '' && port !== portOf(parsed)) return false;
  return parsed.hostname === host || parsed.hostname.endsWith('.' + host);
}

/** An entry as it is kept (lower case, punycode, no scheme or path), or null when it names no host. */
export function normalEntry(text: string): string | null {
  let entry = text.trim().toLowerCase();
  if (entry === '') return null;
  entry = entry.replace(/^[a-z][a-z0-9+.-]*:\/\//, '').replace(/^\*\./, '');
  const parsed = parseURL('http://' + entry.replace(/[/?#].*$/, ''));
  if (!parsed || parsed.hostname === '' || parsed.username !== '' || parsed.hostname.includes('*')) return null;
  const port = /:(\d+)$/.exec(entry.replace(/[/?#].*$/, ''))?.[1];
  return port === undefined ? parsed.hostname : `${parsed.hostname}:${String(Number(port))}`;
}

/** Match patterns of an entry, for content scripts registered ahead of a page. */
export function matchPatterns(entry: string): string[] {
  const wanted = normalEntry(entry);
  if (wanted === null) return [];
  const { host, port } = splitPort(wanted);
  const suffix = port === '' ? '' : ':' + port;
  const patterns = [`*://${host}${suffix}/*`];
  if (!isAddress(host)) patterns.push(`*://*.${host}${suffix}/*`);
  return patterns;
}

export function parseURL(url: string | undefined): URL | null {
  if (url === undefined || url === '') return null;
  return URL.parse(url);
}

/** The port, also where it is the scheme's own. */
export function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}

export function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function isWebStore(url: URL): boolean {
  return url.hostname === 'chromewebstore.google.com' || (url.hostname === 'chrome.google.com' && url.pathname.startsWith('/webstore'));
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

function splitPort(entry: string): { host: string; port: string } {
  const found = /^(.*):(\d+)$/.exec(entry);
  if (!found || entry.endsWith(']')) return { host: entry, port: '' };
  return { host: found[1] ?? entry, port: found[2] ?? '' };
}
