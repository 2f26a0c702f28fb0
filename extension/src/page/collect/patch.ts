/** What changed between two JSON values, as JSON Patch (RFC 6902): add, remove and replace alone. */

export interface PatchOp {
  op: 'add' | 'remove' | 'replace';
  path: string;
  value?: unknown;
}

type Members = Record<string, unknown>;

/** The operations that make `to` of `from`, or null where there would be more than `most`. Their values are parts of `to`. */
export function diff(from: unknown, to: unknown, most = 2000): PatchOp[] | null {
  const out: PatchOp[] = [];
  return walk(from, to, '', out, most) ? out : null;
}

function walk(from: unknown, to: unknown, path: string, out: PatchOp[], most: number): boolean {
  if (from === to) return true;
  if (Array.isArray(from) && Array.isArray(to)) return lists(from, to, path, out, most);
  if (isMembers(from) && isMembers(to)) return members(from, to, path, out, most);
  return out.push({ op: 'replace', path, value: to }) <= most;
}

function members(from: Members, to: Members, path: string, out: PatchOp[], most: number): boolean {
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key) && out.push({ op: 'remove', path: `${path}/${escape(key)}` }) > most) return false;
  }
  for (const key of Object.keys(to)) {
    const at = `${path}/${escape(key)}`;
    if (Object.hasOwn(from, key)) {
      if (!walk(from[key], to[key], at, out, most)) return false;
    } else if (out.push({ op: 'add', path: at, value: to[key] }) > most) return false;
  }
  return true;
}

/** What both ends have in common stays; the middle is changed item by item, then made longer or shorter. */
function lists(from: readonly unknown[], to: readonly unknown[], path: string, out: PatchOp[], most: number): boolean {
  let first = 0;
  let endFrom = from.length;
  let endTo = to.length;
  while (first < endFrom && first < endTo && same(from[first], to[first])) first++;
  while (endFrom > first && endTo > first && same(from[endFrom - 1], to[endTo - 1])) {
    endFrom--;
    endTo--;
  }
  const both = Math.min(endFrom, endTo);
  for (let i = first; i < both; i++) if (!walk(from[i], to[i], `${path}/${i}`, out, most)) return false;
  for (let i = endFrom - 1; i >= both; i--) if (out.push({ op: 'remove', path: `${path}/${i}` }) > most) return false;
  for (let i = both; i < endTo; i++) if (out.push({ op: 'add', path: `${path}/${i}`, value: to[i] }) > most) return false;
  return true;
}

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isMembers(a) || !isMembers(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escape(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}
