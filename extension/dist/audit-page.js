"use strict";
var DebugBridgeAudit = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

  // src/audit/page.ts
  var page_exports = {};
  __export(page_exports, {
    open: () => open
  });

  // src/audit/tools.ts
  var Elements = class {
    constructor(tools) {
      this.tools = tools;
    }
    tools;
    #list = [];
    #numbers = /* @__PURE__ */ new Map();
    add(element) {
      let number = this.#numbers.get(element);
      if (number === void 0) {
        number = this.#list.push(element) - 1;
        this.#numbers.set(element, number);
      }
      return number;
    }
    get(number) {
      return this.#list[number];
    }
    /** Refs and selectors, in the order asked for; null where the element is gone. */
    describe(numbers) {
      const there = numbers.flatMap((number) => {
        const element = this.#list[number];
        return element?.isConnected === true ? [{ number, element }] : [];
      });
      const described = this.tools.describe(there.map(({ element }) => element));
      const found = new Map(there.map(({ number }, i) => [number, described[i]]));
      return JSON.stringify(numbers.map((number) => found.get(number) ?? null));
    }
  };
  function borrow(token) {
    const hand = globalThis.__debugBridgeHand;
    if (hand?.token !== token) throw new Error("the bridge of the frame is gone");
    return hand.tools;
  }

  // src/audit/vitals.ts
  var windowGap = 1e3;
  var windowSpan = 5e3;
  var worstShown = 3;
  function kept(type) {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return [];
    const observer = new PerformanceObserver(() => void 0);
    observer.observe({ type, buffered: true });
    const entries = observer.takeRecords();
    observer.disconnect();
    return entries;
  }
  function vitals(elements) {
    const found = {};
    const [navigation] = performance.getEntriesByType("navigation");
    const from = navigation?.activationStart ?? 0;
    if (navigation !== void 0 && navigation.responseStart > 0) found.ttfb = { value: Math.max(0, navigation.responseStart - from) };
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (paint !== void 0) found.fcp = { value: Math.max(0, paint.startTime - from) };
    const largest = kept("largest-contentful-paint").at(-1);
    if (largest !== void 0) {
      found.lcp = { value: Math.max(0, largest.startTime - from), ...named(elements, [largest.element]), ...largest.url ? { url: largest.url } : {} };
    }
    if (PerformanceObserver.supportedEntryTypes.includes("layout-shift")) found.cls = shifts(kept("layout-shift"), elements);
    const slowest = kept("event").filter(({ interactionId }) => (interactionId ?? 0) > 0).sort((a, b) => b.duration - a.duration)[0];
    if (slowest !== void 0) found.inp = { value: slowest.duration, kind: slowest.name, ...named(elements, [slowest.target]) };
    return found;
  }
  function shifts(list, elements) {
    let worst = [];
    let most = 0;
    let window2 = [];
    let sum = 0;
    for (const shift of list) {
      if (shift.hadRecentInput) continue;
      const [first] = window2;
      const last = window2.at(-1);
      if (first !== void 0 && last !== void 0 && (shift.startTime - last.startTime >= windowGap || shift.startTime - first.startTime >= windowSpan)) {
        window2 = [];
        sum = 0;
      }
      window2.push(shift);
      sum += shift.value;
      if (sum > most) {
        most = sum;
        worst = [...window2];
      }
    }
    const largest = worst.sort((a, b) => b.value - a.value)[0];
    return { value: most, ...named(elements, (largest?.sources ?? []).map(({ node }) => node)) };
  }
  function named(elements, nodes) {
    const numbers = nodes.flatMap((node) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return element?.isConnected === true ? [elements.add(element)] : [];
    });
    return numbers.length === 0 ? {} : { elements: [...new Set(numbers)].slice(0, worstShown) };
  }

  // src/audit/page.ts
  var maxEach = 50;
  var maxElements = 1e5;
  var maxResources = 2e3;
  var maxWordless = 500;
  var Facts = class {
    constructor(elements) {
      this.elements = elements;
    }
    elements;
    lists = {};
    counts = {};
    add(kind, element, text) {
      this.counts[kind] = (this.counts[kind] ?? 0) + 1;
      const list = this.lists[kind] ??= [];
      if (list.length < maxEach) list.push({ element: this.elements.add(element), ...text === void 0 ? {} : { text: cut(text) } });
    }
  };
  var Audit = class {
    constructor(tools) {
      this.tools = tools;
      this.#elements = new Elements(tools);
    }
    tools;
    #elements;
    read() {
      const facts = new Facts(this.#elements);
      const all = everything(this.tools);
      for (const look of [images, links, headings, mixed]) look(all, facts, this.tools);
      const top = window === window.top;
      return JSON.stringify({
        url: location.href,
        title: document.title.slice(0, 300).toWellFormed(),
        secure: location.protocol === "https:",
        hidden: document.visibilityState === "hidden",
        head: top ? head() : void 0,
        vitals: top ? vitals(this.#elements) : void 0,
        resources: resources(),
        lists: facts.lists,
        counts: facts.counts,
        elements: all.length
      });
    }
    describe(numbers) {
      return this.#elements.describe(JSON.parse(numbers));
    }
  };
  function everything(tools) {
    const found = [];
    const stack = document.documentElement === null ? [] : [document.documentElement];
    for (let element = stack.pop(); element !== void 0 && found.length < maxElements; element = stack.pop()) {
      found.push(element);
      for (let child = element.lastElementChild; child !== null; child = child.previousElementSibling) stack.push(child);
      const root = tools.shadowRoot(element);
      for (let child = root?.lastElementChild ?? null; child !== null; child = child.previousElementSibling) stack.push(child);
    }
    return found;
  }
  function head() {
    const contents = (selector, name) => [...document.querySelectorAll(selector)].map((element) => cut(element.getAttribute(name) ?? ""));
    const declared = document.querySelector("meta[charset]") !== null || document.querySelector('meta[http-equiv="content-type" i][content*="charset" i]') !== null;
    return {
      titles: [...document.head?.querySelectorAll("title") ?? []].map((title) => cut(title.textContent ?? "")),
      lang: document.documentElement.getAttribute("lang") ?? document.documentElement.getAttribute("xml:lang") ?? "",
      charset: document.characterSet,
      charsetDeclared: declared,
      doctype: document.compatMode === "CSS1Compat",
      description: contents('meta[name="description" i]', "content"),
      viewport: contents('meta[name="viewport" i]', "content"),
      canonical: contents('link[rel~="canonical" i]', "href"),
      csp: contents('meta[http-equiv="content-security-policy" i]', "content"),
      referrer: contents('meta[name="referrer" i]', "content"),
      icon: document.querySelector('link[rel~="icon" i]') !== null
    };
  }
  function resources() {
    const entries = performance.getEntriesByType("resource");
    return entries.slice(0, maxResources).map(({ name, initiatorType, transferSize, duration, renderBlockingStatus, responseStatus }) => ({
      url: name.slice(0, 2e3).toWellFormed(),
      type: initiatorType,
      bytes: transferSize,
      ms: Math.round(duration),
      ...renderBlockingStatus === "blocking" ? { blocking: true } : {},
      ...responseStatus >= 400 ? { status: responseStatus } : {}
    }));
  }
  var images = (all, facts) => {
    for (const element of all) {
      const input = element instanceof HTMLInputElement && element.type === "image";
      if (!(element instanceof HTMLImageElement) && !input) continue;
      const shown = element.checkVisibility({ visibilityProperty: true });
      if (!shown) continue;
      const words = ["aria-label", "aria-labelledby", "title"].some((name) => (element.getAttribute(name) ?? "").trim() !== "");
      const decoration = /^(presentation|none)$/.test(element.getAttribute("role") ?? "") || element.closest('[aria-hidden="true"]') !== null;
      const alt = element.getAttribute("alt");
      if ((alt === null || input && alt.trim() === "") && !words && !decoration) facts.add("image-alt", element, element.src);
      if (element instanceof HTMLImageElement && unsized(element)) facts.add("image-size", element, element.currentSrc || element.src);
    }
  };
  function unsized(image) {
    const source = image.currentSrc || image.src;
    if (source === "" || source.startsWith("data:")) return false;
    if (/^\d+/.test(image.getAttribute("width") ?? "") && /^\d+/.test(image.getAttribute("height") ?? "")) return false;
    const style = getComputedStyle(image);
    if (style.position === "absolute" || style.position === "fixed" || !style.aspectRatio.startsWith("auto")) return false;
    const map = image.computedStyleMap();
    const given = (name) => {
      const value = String(map.get(name) ?? "auto");
      return value !== "auto" && !/content/.test(value);
    };
    return !(given("width") && given("height"));
  }
  var links = (all, facts, tools) => {
    const wordless = [];
    for (const element of all) {
      if (!(element instanceof HTMLAnchorElement) || !element.hasAttribute("href")) continue;
      if (plain(element.href)) facts.add("http-link", element, element.href);
      if ((element.textContent ?? "").trim() !== "" || element.closest('[aria-hidden="true"]') !== null || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (wordless.length < maxWordless) wordless.push(element);
    }
    for (const [i, { name }] of tools.describe(wordless).entries()) {
      const link = wordless[i];
      if (name === "" && link !== void 0) facts.add("link-text", link, link.getAttribute("href") ?? "");
    }
  };
  function plain(address) {
    if (!address.startsWith("http:")) return false;
    const { hostname, origin } = new URL(address);
    return origin !== location.origin && !/^(localhost|127\..*|\[::1\]|10\..*|192\.168\..*)$|\.(localhost|local|internal|test)$/.test(hostname);
  }
  var headings = (all, facts) => {
    let before = 0;
    for (const element of all) {
      const level = levelOf(element);
      if (level === 0 || element.closest('[aria-hidden="true"]') !== null || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (before > 0 && level > before + 1) facts.add("heading-order", element, `h${level} after h${before}`);
      before = level;
    }
  };
  function levelOf(element) {
    const role = element.getAttribute("role");
    if (role === "heading") return Number(element.getAttribute("aria-level") ?? 2) || 2;
    if (role !== null && role !== "") return 0;
    const tag = /^h([1-6])$/.exec(element.localName);
    return tag === null ? 0 : Number(tag[1]);
  }
  var fetched = { img: "src", audio: "src", video: "src", source: "src", script: "src", iframe: "src", embed: "src", object: "data", form: "action" };
  var active = /* @__PURE__ */ new Set(["script", "iframe", "embed", "object", "form", "link"]);
  var mixed = (all, facts) => {
    if (location.protocol !== "https:") return;
    for (const element of all) {
      const tag = element.localName;
      const sheet = element instanceof HTMLLinkElement && /\bstylesheet\b/i.test(element.rel);
      const name = sheet ? "href" : fetched[tag];
      if (name === void 0) continue;
      const raw = element.getAttribute(name);
      if (raw === null || !URL.canParse(raw, document.baseURI)) continue;
      const address = new URL(raw, document.baseURI).href;
      if (plain(address)) facts.add(active.has(tag) ? "mixed-active" : "mixed-passive", element, address);
    }
  };
  function cut(text) {
    return text.slice(0, 500).replace(/\s+/g, " ").trim().toWellFormed();
  }
  function open(_key, token) {
    return new Audit(borrow(token));
  }
  return __toCommonJS(page_exports);
})();
