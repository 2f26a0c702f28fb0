/** What we put into the page ourselves: trees, measurements and telemetry pass it by. */
export const own: { host: Element | null; clear: (() => void) | undefined } = { host: null, clear: undefined };

const put = new WeakSet<Node>();

export function putOwn(host: Element, clear: () => void): void {
  own.host = host;
  own.clear = clear;
  put.add(host);
}

/** A record that tells of nothing but our own element. */
export function isOwnRecord(record: MutationRecord): boolean {
  if (record.target !== document.documentElement || record.type !== 'childList') return put.has(record.target);
  let count = 0;
  for (const list of [record.addedNodes, record.removedNodes]) {
    for (const node of list) {
      if (!put.has(node)) return false;
      count += 1;
    }
  }
  return count > 0;
}
