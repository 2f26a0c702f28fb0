/** Where the SDK stays off unless told: production builds and public sites. */

declare const process: { env: { NODE_ENV?: string } };

/** Why it is off here, or undefined. */
export function whyOff(): string | undefined {
  try {
    // Written so that bundlers replace it; without one there is no process.
    if (process.env.NODE_ENV === 'production') return 'this is a production build (NODE_ENV)';
  } catch {
    // Not bundled: the address decides.
  }
  const { protocol, hostname } = location;
  if (protocol === 'https:' && !isLocal(hostname)) return `${location.origin} is a public site`;
  return undefined;
}

/** Loopback, names that never leave the machine or the local network, and private addresses. */
function isLocal(host: string): boolean {
  if (/(^|\.)(localhost|local|test|internal|home\.arpa)$/.test(host) || host === '[::1]') return true;
  const parts = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (parts === null) return false;
  const [first, second] = [Number(parts[1]), Number(parts[2])];
  return first === 127 || first === 10 || (first === 192 && second === 168) || (first === 172 && second >= 16 && second <= 31);
}
