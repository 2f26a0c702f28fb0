/**
 * The one piece that runs in the page's own world when no debugger is attached: it
 * turns console calls, uncaught errors and unhandled rejections into text.
 *
 * An isolated world sees none of it (measured on Chromium 156): `error` and
 * `unhandledrejection` events are dispatched only in the world whose script failed. A
 * listener in an isolated world gets that world's own errors and none of the page's,
 * not even with `error` set to null; the page does not see the isolated world's either.
 * Hence this hook.
 *
 * Everything here is page data. Commands never travel this way, and whoever forges an
 * event of the channel only writes one more console line.
 */

/** How the host side steers the hook; the same words travel as control events. */
export interface HookControl {
  on(): void;
  off(): void;
  dispose(): void;
}

/**
 * Installs the hook. The function is handed to chrome.scripting.executeScript as it
 * is, so it refers to nothing outside itself, and calls nothing that the page could
 * have replaced after it ran: everything is captured first.
 *
 * nonce names the channel; '' means that the other side will tell it (registered at
 * document_start, where no arguments can be given). sink takes the lines directly.
 *
 * A line is `KIND TIMESTAMP LEN,LEN,…\n` and then the fields one after another: no
 * JSON, so that a page's JSON or toJSON has no say in it.
 */
export function installMainHook(nonce: string, sink?: (line: string) => void): HookControl {
  // Limits of one line: an argument, the whole line, arguments, entries of one object, nesting.
  const maxText = 10240;
  const maxLine = 32768;
  const maxArgs = 64;
  const maxEntries = 50;
  const maxDepth = 3;
  // What is kept until somebody listens, and for how long.
  const maxKept = 2000;
  const giveUpAfter = 60_000;

  const { apply, ownKeys, getOwnPropertyDescriptor: describe, getPrototypeOf: protoOf, defineProperty: define } = Reflect;
  const { isArray } = Array;
  const { slice } = String.prototype;
  const { toString: numberText } = Number.prototype;
  const { toString: bigText } = BigInt.prototype;
  const { toString: symbolText } = Symbol.prototype;
  const { toISOString } = Date.prototype;
  const { hasOwnProperty: hasOwn } = Object.prototype;
  const now = Date.now;
  const later = setTimeout;
  const objectProto = Object.prototype;
  const arrayProto = Array.prototype;
  const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;
  const { preventDefault } = Event.prototype;
  const MakeEvent = CustomEvent;
  const HookProxy = Proxy;
  const page = window;
  const sheet = console;
  // Not window: document.open() takes all listeners off it.
  const target: EventTarget = page.visualViewport ?? page;

  const has = (object: object, key: PropertyKey): boolean => apply(hasOwn, object, [key]) as boolean;
  const getter = (object: object | undefined, key: PropertyKey): (() => unknown) | undefined => {
    const found = object === undefined ? undefined : describe(object, key);
    return found !== undefined && has(found, 'get') ? found.get : undefined;
  };
  const read = (get: (() => unknown) | undefined, from: object): unknown => (get === undefined ? undefined : apply(get, from, []));

  const detailOf = getter(CustomEvent.prototype, 'detail');
  const errorFields = {
    message: getter(ErrorEvent.prototype, 'message'),
    filename: getter(ErrorEvent.prototype, 'filename'),
    lineno: getter(ErrorEvent.prototype, 'lineno'),
    colno: getter(ErrorEvent.prototype, 'colno'),
    error: getter(ErrorEvent.prototype, 'error'),
  };
  const reasonOf = getter(PromiseRejectionEvent.prototype, 'reason');
  const stackOf = getter(new Error(), 'stack');
  const nodeTypeOf = getter(Node.prototype, 'nodeType');
  const nodeValueOf = getter(Node.prototype, 'nodeValue');
  const localNameOf = getter(Element.prototype, 'localName');
  const { getAttribute } = Element.prototype;
  const exceptionName = getter(DOMException.prototype, 'name');
  const exceptionMessage = getter(DOMException.prototype, 'message');
  const patternSource = getter(RegExp.prototype, 'source');
  const patternFlags = getter(RegExp.prototype, 'flags');
  const mapSize = getter(Map.prototype, 'size');
  const setSize = getter(Set.prototype, 'size');
  const mapEntries = Map.prototype.entries;
  const setValues = Set.prototype.values;
  const nextOfMap = new Map().entries().next;
  const nextOfSet = new Set().values().next;
  const bytesProto = protoOf(Uint8Array.prototype) ?? undefined;
  const bytesLength = getter(bytesProto, 'length');
  // Prototypes that decide how a value is shown.
  const errorProto = Error.prototype;
  const exceptionProto = DOMException.prototype;
  const nodeProto = Node.prototype;
  const dateProto = Date.prototype;
  const patternProto = RegExp.prototype;
  const mapProto = Map.prototype;
  const setProto = Set.prototype;

  interface Chain { value: object; next: Chain | null }
  let left = 0; // characters the line may still take

  const cut = (text: string, limit: number): string =>
    text.length <= limit ? text : `${apply(slice, text, [0, limit]) as string}… [${text.length - limit} more characters]`;

  /** A data property, own or inherited; getters are not called. */
  const plain = (object: object, key: PropertyKey): unknown => {
    let at: object | null = object;
    for (let i = 0; i < 8 && at !== null; i++) {
      const found: PropertyDescriptor | undefined = describe(at, key);
      if (found !== undefined) return has(found, 'value') ? found.value : undefined;
      at = protoOf(at);
    }
    return undefined;
  };

  const kindOf = (value: object): object | null => {
    let at = protoOf(value);
    for (let i = 0; i < 12 && at !== null; i++) {
      if (at === objectProto || at === arrayProto) return at;
      if (at === errorProto || at === exceptionProto || at === nodeProto || at === dateProto || at === patternProto
        || at === mapProto || at === setProto || at === bytesProto) return at;
      at = protoOf(at);
    }
    return null;
  };

  const className = (value: object): string => {
    const proto = protoOf(value);
    if (proto === objectProto || proto === null) return '';
    const maker = plain(proto, 'constructor');
    const name = typeof maker === 'function' ? plain(maker, 'name') : undefined;
    return typeof name === 'string' && name !== 'Object' ? cut(name, 100) : '';
  };

  const stackText = (error: object): string => {
    const found = describe(error, 'stack');
    let stack: unknown;
    if (found !== undefined && has(found, 'value')) stack = found.value;
    else if (found !== undefined && has(found, 'get') && found.get === stackOf) stack = read(stackOf, error);
    return typeof stack === 'string' ? cut(stack, maxText) : '';
  };

  const errorHead = (error: object): string => {
    const isException = kindOf(error) === exceptionProto;
    const name = isException ? read(exceptionName, error) : plain(error, 'name');
    const message = isException ? read(exceptionMessage, error) : plain(error, 'message');
    const head = typeof name === 'string' && name !== '' ? cut(name, 200) : 'Error';
    return typeof message === 'string' && message !== '' ? `${head}: ${cut(message, maxText)}` : head;
  };

  const errorText = (error: object, depth: number, chain: Chain): string => {
    const head = errorHead(error);
    const stack = stackText(error);
    let out = stack === '' ? head : stack;
    const cause = describe(error, 'cause');
    if (depth < maxDepth && cause !== undefined && has(cause, 'value')) out += `\n[cause]: ${show(cause.value, depth + 1, chain)}`;
    return out;
  };

  const nodeText = (node: object): string => {
    const type = read(nodeTypeOf, node);
    if (type === 1) {
      const id = apply(getAttribute, node, ['id']) as string | null;
      const classes = apply(getAttribute, node, ['class']) as string | null;
      return `<${cut(`${read(localNameOf, node) as string}`, 100)}${id === null ? '' : ` id="${cut(id, 100)}"`}${classes === null ? '' : ` class="${cut(classes, 200)}"`}>`;
    }
    if (type === 3) return `#text "${cut(`${read(nodeValueOf, node) as string}`, 200)}"`;
    if (type === 9) return '#document';
    if (type === 11) return '#document-fragment';
    return '#node';
  };

  const keyText = (key: PropertyKey): string => (typeof key === 'symbol' ? `[${apply(symbolText, key, []) as string}]` : cut(`${key}`, 200));

  const listText = (value: object, length: number, depth: number, chain: Chain, name: string): string => {
    const prefix = name === '' || name === 'Array' ? '' : `${name}(${length}) `;
    if (depth >= maxDepth) return name === '' ? `Array(${length})` : `${name}(${length})`;
    let out = `${prefix}[`;
    let i = 0;
    for (; i < length && i < maxEntries && left > 0; i++) {
      const found = describe(value, i);
      out += i === 0 ? '' : ', ';
      out += found === undefined ? 'empty' : has(found, 'value') ? show(found.value, depth + 1, chain) : '(...)';
    }
    return `${out}${i < length ? `, … ${length - i} more` : ''}]`;
  };

  const collectionText = (value: object, isMap: boolean, depth: number, chain: Chain, name: string): string => {
    const size = read(isMap ? mapSize : setSize, value) as number;
    let out = `${name}(${size})`;
    if (depth >= maxDepth) return out;
    out += ' {';
    const walk = apply(isMap ? mapEntries : setValues, value, []) as object;
    let i = 0;
    for (; i < size && i < maxEntries && left > 0; i++) {
      const step = apply(isMap ? nextOfMap : nextOfSet, walk, []) as { value: unknown; done?: boolean };
      if (step.done === true) break;
      out += i === 0 ? '' : ', ';
      if (isMap) {
        const pair = step.value as [unknown, unknown];
        out += `${show(pair[0], depth + 1, chain)} => ${show(pair[1], depth + 1, chain)}`;
      } else out += show(step.value, depth + 1, chain);
    }
    return `${out}${i < size ? `, … ${size - i} more` : ''}}`;
  };

  const objectText = (value: object, depth: number, chain: Chain): string => {
    const name = className(value);
    const prefix = name === '' ? '' : `${name} `;
    if (depth >= maxDepth) return `${prefix}{…}`;
    const keys = ownKeys(value);
    let out = `${prefix}{`;
    let shown = 0;
    let i = 0;
    for (; i < keys.length && shown < maxEntries && left > 0; i++) {
      const key = keys[i] as PropertyKey;
      const found = describe(value, key);
      if (found === undefined || found.enumerable !== true) continue;
      out += shown++ === 0 ? '' : ', ';
      out += `${keyText(key)}: ${has(found, 'value') ? show(found.value, depth + 1, chain) : '(...)'}`;
    }
    return `${out}${i < keys.length ? `, … ${keys.length - i} more` : ''}}`;
  };

  const compose = (value: object, depth: number, chain: Chain | null): string => {
    for (let at = chain; at !== null; at = at.next) if (at.value === value) return '[Circular]';
    const inner: Chain = { value, next: chain };
    if (typeof value === 'function') {
      const name = plain(value, 'name');
      return `ƒ ${typeof name === 'string' ? cut(name, 100) : ''}()`;
    }
    const kind = kindOf(value);
    if (kind === errorProto || kind === exceptionProto) return errorText(value, depth, inner);
    if (kind === nodeProto) return nodeText(value);
    if (kind === dateProto) return apply(toISOString, value, []) as string;
    if (kind === patternProto) return `/${read(patternSource, value) as string}/${read(patternFlags, value) as string}`;
    if (kind === mapProto) return collectionText(value, true, depth, inner, className(value));
    if (kind === setProto) return collectionText(value, false, depth, inner, className(value));
    if (kind === bytesProto) return listText(value, read(bytesLength, value) as number, depth, inner, className(value));
    if (isArray(value)) return listText(value, plain(value, 'length') as number, depth, inner, className(value));
    return objectText(value, depth, inner);
  };

  /** Any value as bounded text. It never throws, whatever a Proxy does. */
  function show(value: unknown, depth: number, chain: Chain | null): string {
    if (left <= 0) return '…';
    let out: string;
    try {
      switch (typeof value) {
        case 'string': out = depth === 0 ? cut(value, maxText) : `"${cut(value, maxText)}"`; break;
        case 'number': out = value === 0 && 1 / value < 0 ? '-0' : apply(numberText, value, []) as string; break;
        case 'bigint': out = value > 2n ** 4096n || value < -(2n ** 4096n) ? '[large BigInt]' : `${apply(bigText, value, []) as string}n`; break;
        case 'symbol': out = cut(apply(symbolText, value, []) as string, 200); break;
        case 'boolean': out = value ? 'true' : 'false'; break;
        case 'undefined': out = value === undefined ? 'undefined' : '[object]'; break; // document.all says undefined too
        default: out = value === null ? 'null' : compose(value as object, depth, chain);
      }
    } catch {
      out = '[object that cannot be read]';
    }
    left -= 16 + (typeof value === 'object' ? 0 : out.length); // 16: bounds the walk over many tiny values too
    return out;
  }

  // --- the way out -------------------------------------------------------------

  interface Kept { line: string; next: Kept | null }
  let first: Kept | null = null;
  let last: Kept | null = null;
  let kept = 0;
  let lost = 0;
  let busy = false; // our own work, and what a page's Proxy or listener does inside it, is not captured
  let active = true;
  let disposed = false;

  const post = (line: string): void => {
    if (sink !== undefined) return sink(line);
    if (nonce !== '') {
      apply(dispatchEvent, target, [new MakeEvent(nonce, { __proto__: null, detail: line } as CustomEventInit)]);
      return;
    }
    const entry: Kept = { line, next: null };
    if (last === null) first = entry;
    else last.next = entry;
    last = entry;
    if (kept === maxKept && first !== null) {
      first = first.next;
      lost++;
    } else kept++;
  };

  const emit = (kind: string, fields: string[]): void => {
    let lengths = '';
    let body = '';
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as string;
      lengths += i === 0 ? field.length : `,${field.length}`;
      body += field;
    }
    post(`${kind} ${now()} ${lengths}\n${body}`);
  };

  const guarded = (work: () => void): void => {
    if (!active || busy) return;
    busy = true;
    try {
      work();
    } catch {
      // The page's own call must go on as if we were not there.
    } finally {
      busy = false;
    }
  };

  const callStack = (): string => {
    // A page's own prepareStackTrace would run inside our call; then there is no stack.
    if (describe(Error, 'prepareStackTrace') !== undefined) return '';
    const stack = read(stackOf, new Error());
    return typeof stack === 'string' ? cut(stack, maxText) : '';
  };

  const onCall = (level: string, args: unknown[]): void => {
    left = maxLine;
    let lengths = '';
    let body = level === 'warn' || level === 'error' ? callStack() : '';
    lengths += body.length;
    let used = 0;
    for (let i = 0; i < args.length; i++) {
      let text = i < maxArgs && used < maxLine ? show(args[i], 0, null) : `… [${args.length - i} more arguments]`;
      text = cut(text, used + text.length <= maxLine ? maxText : maxLine - used > 200 ? maxLine - used : 200);
      used += text.length;
      lengths += `,${text.length}`;
      body += text;
      if (i >= maxArgs || used >= maxLine) break;
    }
    post(`${level} ${now()} ${lengths}\n${body}`);
  };

  const onError = (event: Event): void => {
    guarded(() => {
      if (!event.isTrusted) return; // unforgeable: a page's own ErrorEvent is no error
      let message: unknown;
      try {
        message = read(errorFields.message, event);
      } catch {
        return; // a resource that failed to load: a plain Event
      }
      left = maxLine;
      const error = read(errorFields.error, event);
      const kind = typeof error === 'object' && error !== null ? kindOf(error) : null;
      emit('exception', [
        cut(`${message as string}`, maxText),
        kind === errorProto || kind === exceptionProto ? stackText(error as object) : '',
        cut(`${read(errorFields.filename, event) as string}`, 2000),
        `${read(errorFields.lineno, event) as number}`,
        `${read(errorFields.colno, event) as number}`,
      ]);
    });
  };

  const onRejection = (event: Event): void => {
    guarded(() => {
      if (!event.isTrusted) return;
      left = maxLine;
      const reason = read(reasonOf, event);
      const kind = typeof reason === 'object' && reason !== null ? kindOf(reason) : null;
      const isError = kind === errorProto || kind === exceptionProto;
      emit('rejection', [isError ? errorHead(reason as object) : show(reason, 0, null), isError ? stackText(reason as object) : '']);
    });
  };

  // --- the wrapped console -----------------------------------------------------

  interface Wrapped { level: string; original: PropertyDescriptor; proxy: object; next: Wrapped | null }
  let wrapped: Wrapped | null = null;

  const wrap = (level: string): void => {
    try {
      const original = describe(sheet, level);
      if (original === undefined || typeof original.value !== 'function') return;
      // A Proxy shows as native code, keeps name, length and `this`, and is no constructor.
      const proxy = new HookProxy(original.value as (...args: unknown[]) => unknown, {
        __proto__: null,
        apply(call: (...args: unknown[]) => unknown, self: unknown, args: unknown[]): unknown {
          if (active && !busy) {
            busy = true;
            try {
              onCall(level, args);
            } catch {
              // See guarded.
            }
            busy = false;
          }
          return apply(call, self, args);
        },
      } as ProxyHandler<(...args: unknown[]) => unknown>);
      if (define(sheet, level, { __proto__: null, ...original, value: proxy } as PropertyDescriptor)) {
        wrapped = { level, original, proxy, next: wrapped };
      }
    } catch {
      // A frozen console stays as it is.
    }
  };

  const unwrap = (): void => {
    for (; wrapped !== null; wrapped = wrapped.next) {
      const current = describe(sheet, wrapped.level);
      // Somebody wrapped our wrapper: it stays in the chain and is inert.
      if (current !== undefined && has(current, 'value') && current.value === wrapped.proxy) define(sheet, wrapped.level, wrapped.original);
    }
  };

  const listen = (): void => {
    apply(addEventListener, page, ['error', onError, true]);
    apply(addEventListener, page, ['unhandledrejection', onRejection, true]);
  };

  const install = (): void => {
    active = true;
    listen(); // again after document.open() took them off
    if (wrapped !== null) return;
    wrap('log');
    wrap('info');
    wrap('warn');
    wrap('error');
    wrap('debug');
  };

  const off = (): void => {
    active = false;
    apply(removeEventListener, page, ['error', onError, true]);
    apply(removeEventListener, page, ['unhandledrejection', onRejection, true]);
    unwrap();
  };

  const onAsked = (event: Event): void => {
    apply(preventDefault, event, []); // "this hook is here already"
  };

  const onControl = (event: Event): void => {
    const word = read(detailOf, event);
    if (word === 'on') install();
    else if (word === 'off') off();
    else if (word === 'dispose') dispose();
  };

  const open = (): void => {
    apply(addEventListener, target, [`${nonce}?`, onAsked]);
    apply(addEventListener, target, [`${nonce}!`, onControl]);
    emit('ready', ['']); // the other side says 'off' now if it wants nothing
    if (lost > 0) emit('lost', [`${lost}`]);
    for (; first !== null; first = first.next) post(first.line);
    last = null;
    kept = lost = 0;
  };

  const onNonce = (event: Event): void => {
    const given = read(detailOf, event);
    if (typeof given !== 'string' || given === '' || nonce !== '') return;
    nonce = given;
    apply(removeEventListener, target, ['debug-bridge:hook', onNonce]);
    open();
  };

  function dispose(): void {
    if (disposed) return;
    disposed = true;
    off();
    first = last = null;
    apply(removeEventListener, target, ['debug-bridge:hook', onNonce]);
    apply(removeEventListener, target, [`${nonce}?`, onAsked]);
    apply(removeEventListener, target, [`${nonce}!`, onControl]);
  }

  const control: HookControl = { on: install, off, dispose };
  if (sink === undefined && nonce !== '') {
    const question = new MakeEvent(`${nonce}?`, { __proto__: null, cancelable: true } as CustomEventInit);
    if (apply(dispatchEvent, target, [question]) === false) return control; // registered and injected both
  }
  install();
  if (sink === undefined && nonce !== '') open();
  if (sink === undefined && nonce === '') {
    apply(addEventListener, target, ['debug-bridge:hook', onNonce]);
    // Whichever of the two worlds started first, one of these two events finds the other.
    apply(dispatchEvent, target, [new MakeEvent('debug-bridge:hook?')]);
    later(() => {
      if (nonce === '') dispose();
    }, giveUpAfter);
  }
  return control;
}
