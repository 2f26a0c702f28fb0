/** What we put into the page ourselves: trees, measurements and telemetry pass it by. */
const put = new WeakSet<Node>();
const shown = new Set<Node>();
let any = false;

/** clear takes away what is drawn for an agent, who may be gone. */
export const own: { clear: (() => void) | undefined } = { clear: undefined };

/** Notes an element of ours, before it goes into the page. */
export function putOwn(host: Element): void {
  any = true;
  put.add(host);
  shown.add(host);
}

/** The element has left the page. */
export function dropOwn(host: Element): void {
  shown.delete(host);
}

/** An element of ours that is in the page. */
export function isOwn(node: Node): boolean {
  return shown.size > 0 && shown.has(node);
}

/** A record that tells of nothing but our own elements. */
export function isOwnRecord(record: MutationRecord): boolean {
  if (!any) return false;
  if (record.type !== 'childList') return put.has(record.target);
  let count = 0;
  for (const list of [record.addedNodes, record.removedNodes]) {
    for (const node of list) {
      if (!put.has(node)) return false;
      count += 1;
    }
  }
  return count > 0;
}
