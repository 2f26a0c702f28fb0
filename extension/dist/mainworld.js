"use strict";
(() => {
  // src/page/mainworld/hook.ts
  function installMainHook(nonce, sink) {
    const maxText = 10240;
    const maxLine = 32768;
    const maxArgs = 64;
    const maxEntries = 50;
    const maxDepth = 3;
    const maxKept = 2e3;
    const giveUpAfter = 6e4;
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
    const target = page.visualViewport ?? page;
    const has = (object, key) => apply(hasOwn, object, [key]);
    const getter = (object, key) => {
      const found = object === void 0 ? void 0 : describe(object, key);
      return found !== void 0 && has(found, "get") ? found.get : void 0;
    };
    const read = (get, from) => get === void 0 ? void 0 : apply(get, from, []);
    const detailOf = getter(CustomEvent.prototype, "detail");
    const errorFields = {
      message: getter(ErrorEvent.prototype, "message"),
      filename: getter(ErrorEvent.prototype, "filename"),
      lineno: getter(ErrorEvent.prototype, "lineno"),
      colno: getter(ErrorEvent.prototype, "colno"),
      error: getter(ErrorEvent.prototype, "error")
    };
    const reasonOf = getter(PromiseRejectionEvent.prototype, "reason");
    const stackOf = getter(new Error(), "stack");
    const nodeTypeOf = getter(Node.prototype, "nodeType");
    const nodeValueOf = getter(Node.prototype, "nodeValue");
    const localNameOf = getter(Element.prototype, "localName");
    const { getAttribute } = Element.prototype;
    const exceptionName = getter(DOMException.prototype, "name");
    const exceptionMessage = getter(DOMException.prototype, "message");
    const patternSource = getter(RegExp.prototype, "source");
    const patternFlags = getter(RegExp.prototype, "flags");
    const mapSize = getter(Map.prototype, "size");
    const setSize = getter(Set.prototype, "size");
    const mapEntries = Map.prototype.entries;
    const setValues = Set.prototype.values;
    const nextOfMap = (/* @__PURE__ */ new Map()).entries().next;
    const nextOfSet = (/* @__PURE__ */ new Set()).values().next;
    const bytesProto = protoOf(Uint8Array.prototype) ?? void 0;
    const bytesLength = getter(bytesProto, "length");
    const errorProto = Error.prototype;
    const exceptionProto = DOMException.prototype;
    const nodeProto = Node.prototype;
    const dateProto = Date.prototype;
    const patternProto = RegExp.prototype;
    const mapProto = Map.prototype;
    const setProto = Set.prototype;
    let left = 0;
    const cut = (text, limit) => text.length <= limit ? text : `${apply(slice, text, [0, limit])}\u2026 [${text.length - limit} more characters]`;
    const plain = (object, key) => {
      let at = object;
      for (let i = 0; i < 8 && at !== null; i++) {
        const found = describe(at, key);
        if (found !== void 0) return has(found, "value") ? found.value : void 0;
        at = protoOf(at);
      }
      return void 0;
    };
    const kindOf = (value) => {
      let at = protoOf(value);
      for (let i = 0; i < 12 && at !== null; i++) {
        if (at === objectProto || at === arrayProto) return at;
        if (at === errorProto || at === exceptionProto || at === nodeProto || at === dateProto || at === patternProto || at === mapProto || at === setProto || at === bytesProto) return at;
        at = protoOf(at);
      }
      return null;
    };
    const className = (value) => {
      const proto = protoOf(value);
      if (proto === objectProto || proto === null) return "";
      const maker = plain(proto, "constructor");
      const name = typeof maker === "function" ? plain(maker, "name") : void 0;
      return typeof name === "string" && name !== "Object" ? cut(name, 100) : "";
    };
    const stackText = (error) => {
      const found = describe(error, "stack");
      let stack;
      if (found !== void 0 && has(found, "value")) stack = found.value;
      else if (found !== void 0 && has(found, "get") && found.get === stackOf) stack = read(stackOf, error);
      return typeof stack === "string" ? cut(stack, maxText) : "";
    };
    const errorHead = (error) => {
      const isException = kindOf(error) === exceptionProto;
      const name = isException ? read(exceptionName, error) : plain(error, "name");
      const message = isException ? read(exceptionMessage, error) : plain(error, "message");
      const head = typeof name === "string" && name !== "" ? cut(name, 200) : "Error";
      return typeof message === "string" && message !== "" ? `${head}: ${cut(message, maxText)}` : head;
    };
    const errorText = (error, depth, chain) => {
      const head = errorHead(error);
      const stack = stackText(error);
      let out = stack === "" ? head : stack;
      const cause = describe(error, "cause");
      if (depth < maxDepth && cause !== void 0 && has(cause, "value")) out += `
[cause]: ${show(cause.value, depth + 1, chain)}`;
      return out;
    };
    const nodeText = (node) => {
      const type = read(nodeTypeOf, node);
      if (type === 1) {
        const id = apply(getAttribute, node, ["id"]);
        const classes = apply(getAttribute, node, ["class"]);
        return `<${cut(`${read(localNameOf, node)}`, 100)}${id === null ? "" : ` id="${cut(id, 100)}"`}${classes === null ? "" : ` class="${cut(classes, 200)}"`}>`;
      }
      if (type === 3) return `#text "${cut(`${read(nodeValueOf, node)}`, 200)}"`;
      if (type === 9) return "#document";
      if (type === 11) return "#document-fragment";
      return "#node";
    };
    const keyText = (key) => typeof key === "symbol" ? `[${apply(symbolText, key, [])}]` : cut(`${key}`, 200);
    const listText = (value, length, depth, chain, name) => {
      const prefix = name === "" || name === "Array" ? "" : `${name}(${length}) `;
      if (depth >= maxDepth) return name === "" ? `Array(${length})` : `${name}(${length})`;
      let out = `${prefix}[`;
      let i = 0;
      for (; i < length && i < maxEntries && left > 0; i++) {
        const found = describe(value, i);
        out += i === 0 ? "" : ", ";
        out += found === void 0 ? "empty" : has(found, "value") ? show(found.value, depth + 1, chain) : "(...)";
      }
      return `${out}${i < length ? `, \u2026 ${length - i} more` : ""}]`;
    };
    const collectionText = (value, isMap, depth, chain, name) => {
      const size = read(isMap ? mapSize : setSize, value);
      let out = `${name}(${size})`;
      if (depth >= maxDepth) return out;
      out += " {";
      const walk = apply(isMap ? mapEntries : setValues, value, []);
      let i = 0;
      for (; i < size && i < maxEntries && left > 0; i++) {
        const step = apply(isMap ? nextOfMap : nextOfSet, walk, []);
        if (step.done === true) break;
        out += i === 0 ? "" : ", ";
        if (isMap) {
          const pair = step.value;
          out += `${show(pair[0], depth + 1, chain)} => ${show(pair[1], depth + 1, chain)}`;
        } else out += show(step.value, depth + 1, chain);
      }
      return `${out}${i < size ? `, \u2026 ${size - i} more` : ""}}`;
    };
    const objectText = (value, depth, chain) => {
      const name = className(value);
      const prefix = name === "" ? "" : `${name} `;
      if (depth >= maxDepth) return `${prefix}{\u2026}`;
      const keys = ownKeys(value);
      let out = `${prefix}{`;
      let shown = 0;
      let i = 0;
      for (; i < keys.length && shown < maxEntries && left > 0; i++) {
        const key = keys[i];
        const found = describe(value, key);
        if (found === void 0 || found.enumerable !== true) continue;
        out += shown++ === 0 ? "" : ", ";
        out += `${keyText(key)}: ${has(found, "value") ? show(found.value, depth + 1, chain) : "(...)"}`;
      }
      return `${out}${i < keys.length ? `, \u2026 ${keys.length - i} more` : ""}}`;
    };
    const compose = (value, depth, chain) => {
      for (let at = chain; at !== null; at = at.next) if (at.value === value) return "[Circular]";
      const inner = { value, next: chain };
      if (typeof value === "function") {
        const name = plain(value, "name");
        return `\u0192 ${typeof name === "string" ? cut(name, 100) : ""}()`;
      }
      const kind = kindOf(value);
      if (kind === errorProto || kind === exceptionProto) return errorText(value, depth, inner);
      if (kind === nodeProto) return nodeText(value);
      if (kind === dateProto) return apply(toISOString, value, []);
      if (kind === patternProto) return `/${read(patternSource, value)}/${read(patternFlags, value)}`;
      if (kind === mapProto) return collectionText(value, true, depth, inner, className(value));
      if (kind === setProto) return collectionText(value, false, depth, inner, className(value));
      if (kind === bytesProto) return listText(value, read(bytesLength, value), depth, inner, className(value));
      if (isArray(value)) return listText(value, plain(value, "length"), depth, inner, className(value));
      return objectText(value, depth, inner);
    };
    function show(value, depth, chain) {
      if (left <= 0) return "\u2026";
      let out;
      try {
        switch (typeof value) {
          case "string":
            out = depth === 0 ? cut(value, maxText) : `"${cut(value, maxText)}"`;
            break;
          case "number":
            out = value === 0 && 1 / value < 0 ? "-0" : apply(numberText, value, []);
            break;
          case "bigint":
            out = value > 2n ** 4096n || value < -(2n ** 4096n) ? "[large BigInt]" : `${apply(bigText, value, [])}n`;
            break;
          case "symbol":
            out = cut(apply(symbolText, value, []), 200);
            break;
          case "boolean":
            out = value ? "true" : "false";
            break;
          case "undefined":
            out = value === void 0 ? "undefined" : "[object]";
            break;
          // document.all says undefined too
          default:
            out = value === null ? "null" : compose(value, depth, chain);
        }
      } catch {
        out = "[object that cannot be read]";
      }
      left -= 16 + (typeof value === "object" ? 0 : out.length);
      return out;
    }
    let first = null;
    let last = null;
    let kept = 0;
    let lost = 0;
    let busy = false;
    let active = true;
    let disposed = false;
    const post = (line) => {
      if (sink !== void 0) return sink(line);
      if (nonce !== "") {
        apply(dispatchEvent, target, [new MakeEvent(nonce, { __proto__: null, detail: line })]);
        return;
      }
      const entry = { line, next: null };
      if (last === null) first = entry;
      else last.next = entry;
      last = entry;
      if (kept === maxKept && first !== null) {
        first = first.next;
        lost++;
      } else kept++;
    };
    const emit = (kind, fields) => {
      let lengths = "";
      let body = "";
      for (let i = 0; i < fields.length; i++) {
        const field = fields[i];
        lengths += i === 0 ? field.length : `,${field.length}`;
        body += field;
      }
      post(`${kind} ${now()} ${lengths}
${body}`);
    };
    const guarded = (work) => {
      if (!active || busy) return;
      busy = true;
      try {
        work();
      } catch {
      } finally {
        busy = false;
      }
    };
    const callStack = () => {
      if (describe(Error, "prepareStackTrace") !== void 0) return "";
      const stack = read(stackOf, new Error());
      return typeof stack === "string" ? cut(stack, maxText) : "";
    };
    const onCall = (level, args) => {
      left = maxLine;
      let lengths = "";
      let body = level === "warn" || level === "error" ? callStack() : "";
      lengths += body.length;
      let used = 0;
      for (let i = 0; i < args.length; i++) {
        let text = i < maxArgs && used < maxLine ? show(args[i], 0, null) : `\u2026 [${args.length - i} more arguments]`;
        text = cut(text, used + text.length <= maxLine ? maxText : maxLine - used > 200 ? maxLine - used : 200);
        used += text.length;
        lengths += `,${text.length}`;
        body += text;
        if (i >= maxArgs || used >= maxLine) break;
      }
      post(`${level} ${now()} ${lengths}
${body}`);
    };
    const onError = (event) => {
      guarded(() => {
        if (!event.isTrusted) return;
        let message;
        try {
          message = read(errorFields.message, event);
        } catch {
          return;
        }
        left = maxLine;
        const error = read(errorFields.error, event);
        const kind = typeof error === "object" && error !== null ? kindOf(error) : null;
        emit("exception", [
          cut(`${message}`, maxText),
          kind === errorProto || kind === exceptionProto ? stackText(error) : "",
          cut(`${read(errorFields.filename, event)}`, 2e3),
          `${read(errorFields.lineno, event)}`,
          `${read(errorFields.colno, event)}`
        ]);
      });
    };
    const onRejection = (event) => {
      guarded(() => {
        if (!event.isTrusted) return;
        left = maxLine;
        const reason = read(reasonOf, event);
        const kind = typeof reason === "object" && reason !== null ? kindOf(reason) : null;
        const isError = kind === errorProto || kind === exceptionProto;
        emit("rejection", [isError ? errorHead(reason) : show(reason, 0, null), isError ? stackText(reason) : ""]);
      });
    };
    let wrapped = null;
    const wrap = (level) => {
      try {
        const original = describe(sheet, level);
        if (original === void 0 || typeof original.value !== "function") return;
        const proxy = new HookProxy(original.value, {
          __proto__: null,
          apply(call, self, args) {
            if (active && !busy) {
              busy = true;
              try {
                onCall(level, args);
              } catch {
              }
              busy = false;
            }
            return apply(call, self, args);
          }
        });
        if (define(sheet, level, { __proto__: null, ...original, value: proxy })) {
          wrapped = { level, original, proxy, next: wrapped };
        }
      } catch {
      }
    };
    const unwrap = () => {
      for (; wrapped !== null; wrapped = wrapped.next) {
        const current = describe(sheet, wrapped.level);
        if (current !== void 0 && has(current, "value") && current.value === wrapped.proxy) define(sheet, wrapped.level, wrapped.original);
      }
    };
    const listen = () => {
      apply(addEventListener, page, ["error", onError, true]);
      apply(addEventListener, page, ["unhandledrejection", onRejection, true]);
    };
    const install = () => {
      active = true;
      listen();
      if (wrapped !== null) return;
      wrap("log");
      wrap("info");
      wrap("warn");
      wrap("error");
      wrap("debug");
    };
    const off = () => {
      active = false;
      apply(removeEventListener, page, ["error", onError, true]);
      apply(removeEventListener, page, ["unhandledrejection", onRejection, true]);
      unwrap();
    };
    const onAsked = (event) => {
      apply(preventDefault, event, []);
    };
    const onControl = (event) => {
      const word = read(detailOf, event);
      if (word === "on") install();
      else if (word === "off") off();
      else if (word === "dispose") dispose();
    };
    const open = () => {
      apply(addEventListener, target, [`${nonce}?`, onAsked]);
      apply(addEventListener, target, [`${nonce}!`, onControl]);
      emit("ready", [""]);
      if (lost > 0) emit("lost", [`${lost}`]);
      for (; first !== null; first = first.next) post(first.line);
      last = null;
      kept = lost = 0;
    };
    const onNonce = (event) => {
      const given = read(detailOf, event);
      if (typeof given !== "string" || given === "" || nonce !== "") return;
      nonce = given;
      apply(removeEventListener, target, ["debug-bridge:hook", onNonce]);
      open();
    };
    function dispose() {
      if (disposed) return;
      disposed = true;
      off();
      first = last = null;
      apply(removeEventListener, target, ["debug-bridge:hook", onNonce]);
      apply(removeEventListener, target, [`${nonce}?`, onAsked]);
      apply(removeEventListener, target, [`${nonce}!`, onControl]);
    }
    const control = { on: install, off, dispose };
    if (sink === void 0 && nonce !== "") {
      const question = new MakeEvent(`${nonce}?`, { __proto__: null, cancelable: true });
      if (apply(dispatchEvent, target, [question]) === false) return control;
    }
    install();
    if (sink === void 0 && nonce !== "") open();
    if (sink === void 0 && nonce === "") {
      apply(addEventListener, target, ["debug-bridge:hook", onNonce]);
      apply(dispatchEvent, target, [new MakeEvent("debug-bridge:hook?")]);
      later(() => {
        if (nonce === "") dispose();
      }, giveUpAfter);
    }
    return control;
  }

  // src/page/mainworld/main.ts
  installMainHook("");
})();
