/**
 * How an embedded SDK and an extension's content script learn of each other, so that
 * both in one page give one page. Only the SDK's random appId crosses: knowing it
 * gives nobody anything but the chance to quiet their own page.
 */
const announce = 'debug-bridge:sdk';
const ask = 'debug-bridge:who';
const appId = /^[A-Za-z0-9._-]{8,64}$/;

/** Content script: reports each SDK of this document once. */
export function watchSdk(report: (appId: string) => void): () => void {
  const seen = new Set<string>();
  const onAnnounce = (event: Event): void => {
    const id: unknown = event instanceof CustomEvent ? event.detail : undefined;
    if (typeof id !== 'string' || !appId.test(id) || seen.has(id) || seen.size >= 8) return;
    seen.add(id);
    report(id);
  };
  document.addEventListener(announce, onAnnounce);
  document.dispatchEvent(new CustomEvent(ask));
  return () => document.removeEventListener(announce, onAnnounce);
}

/** SDK: says its appId, and again whenever a content script asks. */
export function announceSdk(id: string): () => void {
  const say = (): void => {
    document.dispatchEvent(new CustomEvent(announce, { detail: id }));
  };
  document.addEventListener(ask, say);
  say();
  return () => document.removeEventListener(ask, say);
}
