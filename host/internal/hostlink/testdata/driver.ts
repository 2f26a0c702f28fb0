/**
 * Runs Links in Node for the tests of this package: a socket plays the native
 * port, with Chrome's habits (limits, silently dropped JSON, an error text at
 * the end), and the daemon drives the rest through requests.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

import { Link } from '../../../../extension/src/background/link.ts';
import type { LinkState, LinkTiming, PortLike } from '../../../../extension/src/background/link.ts';

const MAX_TO_BROWSER = 1 << 20;

interface Start {
  name: string;
  socket: string;
  timing?: Partial<LinkTiming>;
  /** Chrome's limit of a message from the extension. */
  maxPost?: number;
  /** What the port says when it closes before it ever opened. */
  failure?: string;
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function socketPort(start: Start, failed: (text: string) => void): PortLike {
  const listeners: ((message: unknown) => void)[] = [];
  const ends: (() => void)[] = [];
  let closed = false;
  const end = (text: string): void => {
    if (closed) return;
    closed = true;
    failed(text);
    for (const listener of ends) listener();
  };
  const socket = connect(start.socket);
  let parts: Buffer[] = [];
  let have = 0;
  let need = -1;
  socket.on('data', (data: Buffer) => {
    parts.push(data);
    have += data.length;
    for (;;) {
      if (have < (need < 0 ? 4 : need)) return;
      const all = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      const size = need < 0 ? 4 : need;
      parts = [all.subarray(size)];
      have -= size;
      if (need < 0) {
        need = all.readUInt32LE(0);
        if (need > MAX_TO_BROWSER) {
          socket.destroy();
          end('Error when communicating with the native messaging host.');
          return;
        }
        continue;
      }
      need = -1;
      let message: unknown;
      try {
        message = JSON.parse(all.subarray(0, size).toString('utf8'));
      } catch {
        continue; // as Chrome does: without a word
      }
      if (!closed) for (const listener of listeners) listener(message);
    }
  });
  socket.on('error', () => undefined);
  socket.on('close', () => end(start.failure ?? 'Native host has exited.'));
  return {
    postMessage(message: object): void {
      if (closed) throw new Error('Attempting to use a disconnected port object');
      const body = Buffer.from(JSON.stringify(message));
      if (body.length > (start.maxPost ?? 64 << 20)) throw new Error('Message exceeded maximum allowed size of 64MiB.');
      const header = Buffer.alloc(4);
      header.writeUInt32LE(body.length);
      socket.write(Buffer.concat([header, body]));
    },
    disconnect(): void {
      closed = true;
      socket.destroy();
    },
    onMessage: { addListener: (listener) => void listeners.push(listener) },
    onDisconnect: { addListener: (listener) => void ends.push(listener) },
  };
}

function run(start: Start): Link {
  let lastError: string | undefined;
  const got: unknown[] = [];
  const states: LinkState[] = [];
  const requests: Record<string, (payload: Record<string, unknown>) => unknown> = {
    echo: (payload) => payload,
    big: ({ bytes, unit }) => String(unit ?? 'x').repeat(Number(bytes)),
    sleep: ({ ms }) => new Promise((resolve) => setTimeout(() => resolve(ms), Number(ms))),
    fail: ({ code }) => {
      throw Object.assign(new Error('it failed'), { code, details: { a: 1 }, suggestions: ['do this'] });
    },
    notJson: () => ({ big: 10n }),
    surrogate: () => 'a\ud800b',
    emit: ({ from, count, size }) => {
      const pad = 'x'.repeat(Number(size));
      let sent = 0;
      for (let i = 0; i < Number(count); i++) if (link.event('e', { i: Number(from) + sent, pad })) sent++;
      return { sent, queued: link.queued };
    },
    block: ({ ms }) => {
      const until = performance.now() + Number(ms);
      while (performance.now() < until);
      return null;
    },
    ask: async ({ op, payload }) => {
      try {
        return { answer: await link.request(String(op), payload) };
      } catch (error) {
        return { code: (error as { code: string }).code };
      }
    },
    got: () => got,
    status: () => ({ queued: link.queued, refused: link.refused, states }),
    restart: () => {
      setTimeout(() => {
        link.stop();
        link.start();
      }, 10);
      return null;
    },
  };
  const link = new Link({
    connect: () => socketPort(start, (text) => (lastError = text)),
    hello: () => ({ extensionVersion: '0.1.0', installId: `install-${start.name}`, name: start.name, browser: 'Node', userAgent: 'node' }),
    onRequest: async (op, payload) => {
      const answer = requests[op];
      if (!answer) throw Object.assign(new Error(`unknown ${op}`), { code: 'UNKNOWN_TYPE' });
      return answer(payload as Record<string, unknown>);
    },
    onEvent: (op, payload) => void got.push(op === 'n' ? payload : op),
    onState: (state) => {
      states.push(state);
      report({ name: start.name, state });
      if (state.phase === 'connected' && state.resumed !== true) link.event('state', { lost: state.lost });
    },
    lastError: () => lastError,
    ...(start.timing ? { timing: start.timing } : {}),
  });
  link.start();
  return link;
}

const links = new Map<string, Link>();
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { start, stop } = JSON.parse(line) as { start?: Start; stop?: string };
    if (start) links.set(start.name, run(start));
    if (stop) {
      links.get(stop)?.stop();
      links.delete(stop);
      report({ name: stop, stopped: true });
    }
  })
  .on('close', () => process.exit(0));
