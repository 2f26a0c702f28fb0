// What the scripts of all clients share: where to connect, named steps, and a PNG's size.
// A script prints one line of JSON a step; the Go test makes a subtest of each.
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

export { assert };

/** kind: raw, managed or extension; ws, http: the endpoint; site, cross: two sites of one server; start: a page that is open. */
export const config = JSON.parse(process.env.CDP_CLIENT);
export const extension = config.kind === 'extension';

const patience = 45_000; // of one step; only a failing one waits for it
let failed = 0;

export async function step(name, run) {
  const begin = performance.now();
  const line = { step: name, ok: true };
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${patience} ms`)), patience);
  });
  try {
    await Promise.race([run(), late]);
  } catch (error) {
    failed++;
    line.ok = false;
    line.error = String(error?.stack ?? error).slice(0, 3000);
  } finally {
    clearTimeout(timer);
  }
  line.ms = Math.round(performance.now() - begin);
  console.log(JSON.stringify(line));
  return line.ok;
}

/** Ends the process: clients keep timers and sockets that would hold it. */
export function done() {
  process.exitCode = failed ? 1 : 0;
  process.stdout.write('', () => process.exit());
}

/** Awaits what no event tells. */
export async function until(what, condition, within = 30_000) {
  const end = performance.now() + within;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`${what}: not within ${within} ms`);
    await new Promise((next) => setTimeout(next, 20));
  }
}

/** The error of what must be refused; it has to say why. */
export async function refused(promise, why) {
  let error;
  try {
    await promise;
  } catch (caught) {
    error = caught;
  }
  assert.ok(error, 'it was not refused');
  assert.match(String(error.message), why);
  return String(error.message);
}

/** Width, height and one pixel's red, green, blue of a PNG (8 bits, RGB or RGBA, not interlaced: what Chrome writes). */
export function png(data, at = { x: 0, y: 0 }) {
  const bytes = Buffer.from(data);
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  assert.equal(bytes[24], 8, 'bits');
  const channels = { 2: 3, 6: 4 }[bytes[25]];
  assert.ok(channels, 'colour type');
  const parts = [];
  for (let offset = 8; offset < bytes.length; ) {
    const length = bytes.readUInt32BE(offset);
    if (bytes.toString('latin1', offset + 4, offset + 8) === 'IDAT') parts.push(bytes.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  const rows = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  assert.equal(rows.length, (stride + 1) * height, 'pixels');
  let before = Buffer.alloc(stride);
  for (let y = 0; ; y++) {
    const filter = rows[y * (stride + 1)];
    const row = Buffer.from(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : row[i - channels];
      const up = before[i];
      const corner = i < channels ? 0 : before[i - channels];
      row[i] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }
    if (y === at.y) return { width, height, pixel: [...row.subarray(at.x * channels, at.x * channels + 3)] };
    before = row;
  }
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [l, u, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return l <= u && l <= c ? left : u <= c ? up : corner;
}
