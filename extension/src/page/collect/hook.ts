/**
 * This side of the main-world hook: takes its lines, checks them and makes
 * telemetry. A line is page text whatever it says, so all that is checked is its shape.
 */
import { installMainHook, type HookControl } from '../mainworld/hook.ts';
import type { TelemetryMessage } from '../api.ts';

const maxLine = 128 * 1024; // the hook cuts at a quarter of it; a forger may not send more
const maxFields = 80;
const levels: ReadonlySet<string> = new Set(['log', 'info', 'warn', 'error', 'debug']);
const source = /\(?((?:https?|file|blob|data|chrome-extension):[^\s)]*?):(\d+):(\d+)\)?$/;

export interface HookSink {
  message(message: TelemetryMessage): void;
  /** Lines that the hook lost before anybody listened. */
  lost(count: number): void;
}

/** The hook as the bridge steers it. */
export interface PageHook {
  start(): void;
  /** Both are synchronous: after off() returns no line comes any more. */
  on(): void;
  off(): void;
  /** document.open() removes the page's listeners; this puts ours back. */
  rearm(): void;
  /** When the hook came into the page (ms since the epoch, as the page counts); undefined until it has. */
  since(): number | undefined;
  dispose(): void;
}

/** Reads one line of the channel; undefined when it is not one. */
export function parseLine(line: unknown): { kind: string; timestamp: number; fields: string[] } | undefined {
  if (typeof line !== 'string' || line.length > maxLine) return undefined;
  const end = line.indexOf('\n');
  if (end < 0 || end > 2000) return undefined;
  const head = line.slice(0, end).split(' ');
  if (head.length !== 3) return undefined;
  const [kind = '', stamp = '', lengths = ''] = head;
  if (!/^\d{1,16}$/.test(stamp) || !/^\d{1,6}(,\d{1,6})*$/.test(lengths)) return undefined;
  const fields: string[] = [];
  let at = end + 1;
  for (const text of lengths.split(',')) {
    const length = Number(text);
    if (at + length > line.length || fields.length === maxFields) return undefined;
    fields.push(line.slice(at, at + length));
    at += length;
  }
  return at === line.length ? { kind, timestamp: Number(stamp), fields } : undefined;
}

/** The message that a line stands for. */
function messageOf(line: unknown, sink: HookSink): void {
  const parsed = parseLine(line);
  if (parsed === undefined) return;
  const { kind, timestamp, fields } = parsed;
  if (levels.has(kind)) {
    const [stack = '', ...args] = fields;
    sink.message({ type: 'console', timestamp, level: kind, args, ...(stack === '' ? {} : callSite(stack)) });
  } else if (kind === 'exception' && fields.length === 5) {
    const [message = '', stack = '', filename = '', lineno = '', colno = ''] = fields;
    sink.message({
      type: 'error', timestamp, message,
      ...(stack === '' ? {} : { stack }), ...(filename === '' ? {} : { filename }),
      lineno: whole(lineno), colno: whole(colno),
    });
  } else if (kind === 'rejection' && fields.length === 2) {
    const [reason = '', stack = ''] = fields;
    sink.message({ type: 'unhandledrejection', timestamp, reason, ...(stack === '' ? {} : { stack }) });
  } else if (kind === 'lost' && fields.length === 1) {
    sink.lost(whole(fields[0] ?? ''));
  }
}

function whole(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** The stack without the hook's own frames, and the place of the call. */
function callSite(stack: string): Record<string, unknown> {
  const frames = stack.split('\n').slice(1);
  // callStack, onCall and the Proxy's apply are ours.
  const own = frames.slice(3);
  const place = source.exec(own[0] ?? '');
  if (own.length === 0) return {};
  return {
    stack: own.join('\n'),
    ...(place === null ? {} : { url: place[1], line: Number(place[2]), column: Number(place[3]) }),
  };
}

/** The hook installed in this very world (SDK). */
export function ownWorldHook(sink: HookSink): PageHook {
  let control: HookControl | undefined;
  let wanted = true;
  let since: number | undefined;
  return {
    start() {
      since ??= Date.now();
      control ??= installMainHook('', (line) => messageOf(line, sink));
      if (!wanted) control.off();
    },
    on() {
      wanted = true;
      control?.on();
    },
    off() {
      wanted = false;
      control?.off();
    },
    rearm() {
      if (wanted) control?.on();
    },
    since: () => since,
    dispose: () => control?.dispose(),
  };
}

/** The hook in the page's world, heard across worlds. */
export function otherWorldHook(nonce: string, sink: HookSink): PageHook {
  // The same choice as in the hook.
  const target: EventTarget = window.visualViewport ?? window;
  let listening = false;
  let paired = false;
  let wanted = true;
  let since: number | undefined;
  const onLine = (event: Event): void => {
    if (!(event instanceof CustomEvent)) return;
    paired = true;
    const line: unknown = event.detail;
    if (typeof line === 'string' && line.startsWith('ready ')) {
      since ??= Number(line.split(' ', 2)[1]);
      if (!wanted) tell('off');
    } else messageOf(line, sink);
  };
  const offer = (): void => {
    // Once a line came the hook has the name; later askers are the page.
    if (!paired) target.dispatchEvent(new CustomEvent('debug-bridge:hook', { detail: nonce }));
  };
  const tell = (word: string): void => {
    target.dispatchEvent(new CustomEvent(`${nonce}!`, { detail: word }));
  };
  return {
    start() {
      if (listening) return;
      listening = true;
      target.addEventListener(nonce, onLine);
      target.addEventListener('debug-bridge:hook?', offer);
      offer();
    },
    on() {
      wanted = true;
      tell('on');
    },
    off() {
      wanted = false;
      tell('off');
    },
    rearm() {
      if (wanted) tell('on');
    },
    since: () => since,
    dispose() {
      offer(); // a registered hook that nobody claimed yet goes too
      tell('dispose');
      target.removeEventListener(nonce, onLine);
      target.removeEventListener('debug-bridge:hook?', offer);
      listening = false;
    },
  };
}
