// src/page/fault.ts
var BridgeFault = class extends Error {
  code;
  details;
  suggestions;
  constructor(code, message, details, suggestions) {
    super(message);
    this.name = "BridgeFault";
    this.code = code;
    if (details !== void 0) this.details = details;
    if (suggestions !== void 0) this.suggestions = suggestions;
  }
};

// src/app/channel.ts
var arriveEvent = "debug-bridge:app!";
var offerEvent = "debug-bridge:app";
var names = (nonce) => ({
  request: `${nonce}.a`,
  // bridge → inspector: JSON of Request
  line: `${nonce}.b`,
  // inspector → bridge: JSON of Line
  element: `${nonce}.c`,
  // bridge → inspector: an element of the next request
  given: `${nonce}.d`,
  // inspector → bridge: an element of the next line
  end: `${nonce}.e`
  // bridge → inspector: undo everything
});
function meetingPoint() {
  return window.visualViewport ?? window;
}
function elementOf(event) {
  const { relatedTarget } = event;
  if (relatedTarget instanceof Element) return relatedTarget;
  const [first] = event.composedPath();
  return first instanceof Element ? first : null;
}
function handElement(target, type, element2, make) {
  if (element2.getRootNode() instanceof ShadowRoot) element2.dispatchEvent(new make(type, { composed: true }));
  else target.dispatchEvent(new make(type, { relatedTarget: element2 }));
}

// src/page/collect/app.ts
var arrival = 1500;
var maxLine = 8 * 1024 * 1024;
var maxElements = 5e3;
var AppWorld = class {
  #names;
  #target = meetingPoint();
  #pending = /* @__PURE__ */ new Map();
  #news = /* @__PURE__ */ new Map();
  #waiting = /* @__PURE__ */ new Set();
  #elements = [];
  #last = 0;
  #started = false;
  #ready = false;
  constructor(nonce) {
    this.#names = names(nonce);
    this.#nonce = nonce;
  }
  #nonce;
  /** The inspector is in the page. */
  get ready() {
    return this.#ready;
  }
  /** Takes one kind of news; before start(). */
  on(kind, take2) {
    this.#news.set(kind, take2);
  }
  start() {
    if (this.#started) return;
    this.#started = true;
    this.#target.addEventListener(this.#names.line, this.#onLine, true);
    this.#target.addEventListener(this.#names.given, this.#onGiven, true);
    window.addEventListener(this.#names.given, this.#onGiven, true);
    this.#target.addEventListener(arriveEvent, this.#offer);
    this.#offer();
  }
  /** document.open() takes listeners off the window. */
  rearm() {
    if (this.#started) window.addEventListener(this.#names.given, this.#onGiven, true);
  }
  /** Undoes the inspector, too. */
  dispose() {
    if (!this.#started) return;
    this.#offer();
    this.#target.dispatchEvent(new CustomEvent(this.#names.end));
    this.#target.removeEventListener(this.#names.line, this.#onLine, true);
    this.#target.removeEventListener(this.#names.given, this.#onGiven, true);
    window.removeEventListener(this.#names.given, this.#onGiven, true);
    this.#target.removeEventListener(arriveEvent, this.#offer);
    this.#started = this.#ready = false;
    for (const pending of this.#pending.values()) pending.fail(new BridgeFault("NOT_CONNECTED", "The bridge of this document has ended."));
    this.#pending.clear();
  }
  /** Asks for an operation. An answer that the inspector has at once is here when this returns its promise. */
  async ask(op, args = {}, elements = [], signal) {
    if (!this.#ready) await this.#arrive(signal);
    const id = ++this.#last;
    return await new Promise((done, fail) => {
      const abort = () => {
        this.#pending.delete(id);
        fail(new BridgeFault("TIMEOUT", "The page gave no answer in time."));
      };
      const over = () => signal?.removeEventListener("abort", abort);
      this.#pending.set(id, {
        done: (answer) => {
          over();
          done(answer);
        },
        fail: (error) => {
          over();
          fail(error);
        }
      });
      signal?.addEventListener("abort", abort);
      for (const element2 of elements) handElement(this.#target, this.#names.element, element2, MouseEvent);
      this.#target.dispatchEvent(new CustomEvent(this.#names.request, { detail: JSON.stringify({ id, op, args }) }));
    });
  }
  /** Tells the inspector something when it is there; no answer is waited for. */
  poke(op, args = {}) {
    if (this.#ready) this.ask(op, args).catch(() => void 0);
  }
  async #arrive(signal) {
    if (!this.#started) throw missing();
    await new Promise((done) => {
      const over = () => {
        clearTimeout(timer2);
        this.#waiting.delete(over);
        signal?.removeEventListener("abort", over);
        done();
      };
      const timer2 = setTimeout(over, arrival);
      this.#waiting.add(over);
      signal?.addEventListener("abort", over);
    });
    if (!this.#ready) throw missing();
  }
  #offer = () => {
    if (!this.#ready) this.#target.dispatchEvent(new CustomEvent(offerEvent, { detail: this.#nonce, cancelable: true }));
  };
  #onGiven = (event) => {
    const element2 = elementOf(event);
    if (element2 !== null && this.#elements.length < maxElements) this.#elements.push(element2);
  };
  #onLine = (event) => {
    const elements = this.#elements;
    this.#elements = [];
    const text2 = event.detail;
    if (typeof text2 !== "string" || text2.length > maxLine) return;
    let line;
    try {
      line = JSON.parse(text2);
    } catch {
      return;
    }
    if (typeof line !== "object" || line === null) return;
    if (line.kind === "ready") {
      this.#ready = true;
      for (const over of [...this.#waiting]) over();
      this.#news.get("ready")?.(null);
    } else if (typeof line.kind === "string") this.#news.get(line.kind)?.(line.value);
    else if (typeof line.id === "number") {
      const pending = this.#pending.get(line.id);
      this.#pending.delete(line.id);
      if (typeof line.fault === "string") pending?.fail(refusal(line.fault, line.message));
      else pending?.done({ value: line.value, elements });
    }
  };
};
var refusals = {
  ELEMENT_NOT_FOUND: "The page shows nothing of that name.",
  VALIDATION_ERROR: "The page cannot take that.",
  CAPABILITY_MISSING: "The page offers no way to do that.",
  ACTION_NO_EFFECT: "Nothing came of it."
};
function refusal(code, message) {
  const known2 = Object.hasOwn(refusals, code);
  const details = typeof message === "string" ? { reason: message.slice(0, 2e3) } : void 0;
  return new BridgeFault(known2 ? code : "INTERNAL_ERROR", known2 ? refusals[code] ?? "" : "The inspector in the page failed.", details);
}
function missing() {
  return new BridgeFault(
    "CAPABILITY_MISSING",
    "The page has no inspector: following state is switched off, or the page refused the script.",
    void 0,
    ["Reload the page: dbridge page navigate --reload", "In the extension: Options, Telemetry, state"]
  );
}

// src/page/collect/budget.ts
var share = 0.013;
var saved = 40;
var Budget = class {
  #left = saved;
  #at = performance.now();
  /** Milliseconds that may be spent now. */
  get left() {
    const now2 = performance.now();
    this.#left = Math.min(saved, this.#left + (now2 - this.#at) * share);
    this.#at = now2;
    return this.#left;
  }
  spend(ms) {
    this.#left -= ms;
  }
};

// src/page/dom/primordials.ts
var bindCall = Reflect.apply(Function.prototype.bind, Function.prototype.bind, [Function.prototype.call]);
function uncurry(method) {
  return bindCall(method);
}
function getter(prototype, name) {
  const found = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return uncurry(found);
}
var node = Node.prototype;
var element = Element.prototype;
var parentNode = getter(node, "parentNode");
var parentElement = getter(node, "parentElement");
var isConnected = getter(node, "isConnected");
var nodeType = getter(node, "nodeType");
var firstChild = getter(node, "firstChild");
var nextSibling = getter(node, "nextSibling");
var textContent = getter(node, "textContent");
var rootOf = uncurry(node.getRootNode);
var contains = uncurry(node.contains);
var comparePosition = uncurry(node.compareDocumentPosition);
var localName = getter(element, "localName");
var namespaceURI = getter(element, "namespaceURI");
var firstElementChild = getter(element, "firstElementChild");
var lastElementChild = getter(element, "lastElementChild");
var nextElementSibling = getter(element, "nextElementSibling");
var previousElementSibling = getter(element, "previousElementSibling");
var openShadowRoot = getter(element, "shadowRoot");
var assignedSlot = getter(element, "assignedSlot");
var clientWidth = getter(element, "clientWidth");
var clientHeight = getter(element, "clientHeight");
var clientLeft = getter(element, "clientLeft");
var clientTop = getter(element, "clientTop");
var scrollLeft = getter(element, "scrollLeft");
var scrollTop = getter(element, "scrollTop");
var attr = uncurry(element.getAttribute);
var hasAttr = uncurry(element.hasAttribute);
var hasAttrs = uncurry(element.hasAttributes);
var attrNames = uncurry(element.getAttributeNames);
var matches = uncurry(element.matches);
var closest = uncurry(element.closest);
var rectOf = uncurry(element.getBoundingClientRect);
var clientRects = uncurry(element.getClientRects);
var scrollIntoView = uncurry(element.scrollIntoView);
var checkVisibility = uncurry(element.checkVisibility);
var innerText = getter(HTMLElement.prototype, "innerText");
var isContentEditable = getter(HTMLElement.prototype, "isContentEditable");
var htmlTabIndex = getter(HTMLElement.prototype, "tabIndex");
var htmlOnclick = getter(HTMLElement.prototype, "onclick");
var inputValue = getter(HTMLInputElement.prototype, "value");
var inputType = getter(HTMLInputElement.prototype, "type");
var inputChecked = getter(HTMLInputElement.prototype, "checked");
var inputIndeterminate = getter(HTMLInputElement.prototype, "indeterminate");
var textareaValue = getter(HTMLTextAreaElement.prototype, "value");
var selectValue = getter(HTMLSelectElement.prototype, "value");
var selectedOptions = getter(
  HTMLSelectElement.prototype,
  "selectedOptions"
);
var documentAll = uncurry(Document.prototype.querySelectorAll);
var fragmentAll = uncurry(DocumentFragment.prototype.querySelectorAll);
var elementAll = uncurry(element.querySelectorAll);
var elementFirst = uncurry(element.querySelector);
var documentById = uncurry(Document.prototype.getElementById);
var fragmentById = uncurry(DocumentFragment.prototype.getElementById);
function isTreeRoot(value) {
  const type = nodeType(value);
  return type === Node.DOCUMENT_NODE || type === Node.DOCUMENT_FRAGMENT_NODE && value instanceof ShadowRoot;
}
function isElement(value) {
  return value !== null && nodeType(value) === Node.ELEMENT_NODE;
}
function queryAll(root, selector) {
  switch (nodeType(root)) {
    case Node.DOCUMENT_NODE:
      return documentAll(root, selector);
    case Node.DOCUMENT_FRAGMENT_NODE:
      return fragmentAll(root, selector);
    default:
      return elementAll(root, selector);
  }
}
function queryFirst(root, selector) {
  return elementFirst(root, selector);
}
function byId(root, id) {
  return nodeType(root) === Node.DOCUMENT_NODE ? documentById(root, id) : fragmentById(root, id);
}
var documentElement = getter(Document.prototype, "documentElement");
var bodyOf = getter(Document.prototype, "body");
var documentActive = getter(Document.prototype, "activeElement");
var shadowActive = getter(ShadowRoot.prototype, "activeElement");
var documentPoint = uncurry(Document.prototype.elementFromPoint);
var shadowPoint = uncurry(ShadowRoot.prototype.elementFromPoint);
var documentSheets = getter(Document.prototype, "styleSheets");
var documentAdopted = getter(Document.prototype, "adoptedStyleSheets");
function activeElement(root) {
  return nodeType(root) === Node.DOCUMENT_NODE ? documentActive(root) : shadowActive(root);
}
function elementAt(root, x, y) {
  return nodeType(root) === Node.DOCUMENT_NODE ? documentPoint(root, x, y) : shadowPoint(root, x, y);
}
function hasSheets(root) {
  return documentSheets(root).length > 0 || documentAdopted(root).length > 0;
}
var styleOf = getComputedStyle.bind(window);
var nextFrame = requestAnimationFrame.bind(window);
var cancelFrame = cancelAnimationFrame.bind(window);
var startTimer = setTimeout.bind(window);
var stopTimer = clearTimeout.bind(window);
var escapeIdent = CSS.escape.bind(CSS);
var HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
var SVG_NAMESPACE = "http://www.w3.org/2000/svg";

// src/page/aria/state.ts
var disablingRoles = new Set("toolbar group listbox menu menubar radiogroup tablist tree treegrid grid combobox application row".split(" "));
function disableable(name) {
  return controls.has(name) || name.includes("-");
}
var controls = new Set("button input select textarea fieldset optgroup option".split(" "));
function disablesInside(element2) {
  if (attr(element2, "aria-disabled") !== "true") return false;
  const role = attr(element2, "role")?.trim().toLowerCase() ?? (localName(element2) === "fieldset" ? "group" : "");
  return disablingRoles.has(role);
}
function isDisabled(element2, inherited) {
  if (disableable(localName(element2)) && matches(element2, ":disabled")) return true;
  const own5 = attr(element2, "aria-disabled");
  if (own5 === "true") return true;
  if (own5 === "false") return false;
  return inherited;
}
function checkedState(element2, role) {
  if (localName(element2) === "input") {
    const input = element2;
    const type = inputType(input);
    if (type === "checkbox") return inputIndeterminate(input) ? "mixed" : inputChecked(input);
    if (type === "radio") return inputChecked(input);
  }
  if (checkable.has(role)) return triState(attr(element2, "aria-checked")) ?? false;
  if (role === "button" && hasAttr(element2, "aria-pressed")) return triState(attr(element2, "aria-pressed"));
  return void 0;
}
var checkable = new Set("checkbox radio switch menuitemcheckbox menuitemradio".split(" "));
function triState(value) {
  return value === "true" ? true : value === "false" ? false : value === "mixed" ? "mixed" : void 0;
}
function expandedState(element2) {
  const given2 = attr(element2, "aria-expanded");
  if (given2 === "true") return true;
  if (given2 === "false") return false;
  if (localName(element2) !== "summary") return void 0;
  const details = parentElement(element2);
  if (details === null || localName(details) !== "details" || firstSummary(details) !== element2) return void 0;
  return hasAttr(details, "open");
}
function firstSummary(details) {
  for (let child = firstElementChild(details); child !== null; child = nextElementSibling(child)) {
    if (localName(child) === "summary") return child;
  }
  return null;
}
function selectedState(element2) {
  if (localName(element2) === "option") return element2.selected;
  return booleanAttribute(element2, "aria-selected");
}
function booleanAttribute(element2, name) {
  const given2 = attr(element2, name);
  return given2 === "true" ? true : given2 === "false" ? false : void 0;
}

// src/page/dom/own.ts
var put = /* @__PURE__ */ new WeakSet();
var shown = /* @__PURE__ */ new Set();
var any = false;
var own = { clear: void 0 };
function putOwn(host) {
  any = true;
  put.add(host);
  shown.add(host);
}
function dropOwn(host) {
  shown.delete(host);
}
function isOwn(node2) {
  return shown.size > 0 && shown.has(node2);
}
function isOwnRecord(record) {
  if (!any) return false;
  if (record.type !== "childList") return put.has(record.target);
  let count = 0;
  for (const list of [record.addedNodes, record.removedNodes]) {
    for (const node2 of list) {
      if (!put.has(node2)) return false;
      count += 1;
    }
  }
  return count > 0;
}

// src/page/dom/text.ts
var MAX_TEXT = 200;
var space = /[\s\u00a0]+/g;
function fold(text2) {
  return text2.replace(space, " ").trim();
}
function cut(text2, limit = MAX_TEXT) {
  if (text2.length <= limit) return text2.toWellFormed();
  let end = limit - 1;
  const last = text2.charCodeAt(end - 1);
  if (last >= 55296 && last <= 56319) end -= 1;
  return `${text2.slice(0, end).toWellFormed()}\u2026`;
}
function foldCut(text2, limit = MAX_TEXT) {
  return cut(fold(text2.length > limit * 20 ? text2.slice(0, limit * 20) : text2), limit);
}

// src/page/aria/tables.ts
var roles = new Set(
  "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc".split(" ")
);
var widgetRoles = new Set(
  "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem columnheader rowheader".split(" ")
);
var widgetWhenFocusable = /* @__PURE__ */ new Set(["gridcell", "columnheader", "rowheader", "scrollbar", "separator"]);
var nameFromContent = new Set(
  "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref".split(" ")
);
var nameProhibited = new Set(
  "caption code definition deletion emphasis generic insertion mark none paragraph presentation strong subscript suggestion superscript term time".split(" ")
);
var childrenPresentational = new Set(
  "button checkbox img image math menuitemcheckbox menuitemradio meter option progressbar radio scrollbar separator slider switch tab".split(" ")
);
var globalAria = "aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant aria-roledescription aria-braillelabel aria-brailleroledescription".split(" ");
var requiredOwner = /* @__PURE__ */ new Map([
  ["listitem", ["list", "directory", "menu"]],
  ["row", ["table", "grid", "treegrid", "rowgroup"]],
  ["rowgroup", ["table", "grid", "treegrid"]],
  ["cell", ["row"]],
  ["gridcell", ["row"]],
  ["columnheader", ["row"]],
  ["rowheader", ["row"]]
]);
var simpleRoles = new Map(
  Object.entries({
    address: "group",
    article: "article",
    b: "generic",
    bdi: "generic",
    bdo: "generic",
    blockquote: "blockquote",
    body: "generic",
    button: "button",
    caption: "caption",
    code: "code",
    data: "generic",
    datalist: "listbox",
    dd: "definition",
    del: "deletion",
    details: "group",
    dfn: "term",
    dialog: "dialog",
    div: "generic",
    dt: "term",
    em: "emphasis",
    fieldset: "group",
    figure: "figure",
    h1: "heading",
    h2: "heading",
    h3: "heading",
    h4: "heading",
    h5: "heading",
    h6: "heading",
    hgroup: "group",
    hr: "separator",
    html: "document",
    i: "generic",
    ins: "insertion",
    main: "main",
    mark: "mark",
    math: "math",
    menu: "list",
    meter: "meter",
    nav: "navigation",
    ol: "list",
    optgroup: "group",
    option: "option",
    output: "status",
    p: "paragraph",
    pre: "generic",
    progress: "progressbar",
    q: "generic",
    s: "deletion",
    samp: "generic",
    search: "search",
    small: "generic",
    span: "generic",
    strong: "strong",
    sub: "subscript",
    // HTML-AAM gives summary no role; every browser exposes something that a person presses.
    summary: "button",
    sup: "superscript",
    table: "table",
    tbody: "rowgroup",
    textarea: "textbox",
    tfoot: "rowgroup",
    thead: "rowgroup",
    time: "time",
    tr: "row",
    u: "generic",
    ul: "list"
  })
);
var inputRoles = new Map(
  Object.entries({
    button: "button",
    checkbox: "checkbox",
    color: "button",
    date: "textbox",
    "datetime-local": "textbox",
    email: "textbox",
    file: "button",
    image: "button",
    month: "textbox",
    number: "spinbutton",
    password: "textbox",
    radio: "radio",
    range: "slider",
    reset: "button",
    search: "searchbox",
    submit: "button",
    tel: "textbox",
    text: "textbox",
    time: "textbox",
    url: "textbox",
    week: "textbox"
  })
);
var listTypes = /* @__PURE__ */ new Set(["text", "search", "tel", "url", "email"]);

// src/page/aria/role.ts
var sectioning = new Set("article aside main nav section".split(" "));
var sectioningRoles = new Set("article complementary main navigation region".split(" "));
var presentational = /* @__PURE__ */ new Set(["none", "presentation"]);
var RoleCache = class {
  #roles = /* @__PURE__ */ new Map();
  #flat;
  constructor(flat) {
    this.#flat = flat;
  }
  /** The role in force; '' when there is none, 'none' for presentational elements. */
  role(element2) {
    const known2 = this.#roles.get(element2);
    if (known2 !== void 0) return known2;
    const made = this.#compute(element2);
    this.#roles.set(element2, made);
    return made;
  }
  #compute(element2) {
    if (!hasAttrs(element2)) return this.#inherited(element2, this.#implicit(element2));
    const explicit = explicitRole(element2);
    if (explicit === null) return this.#inherited(element2, this.#implicit(element2));
    if (presentational.has(explicit)) {
      return keepsRole(element2) ? this.#implicit(element2) : "none";
    }
    if ((explicit === "region" || explicit === "form") && !hasNameAttribute(element2)) return this.#implicit(element2);
    return explicit === "image" ? "img" : explicit;
  }
  // Children that a presentational owner requires lose their role with it.
  #inherited(element2, role) {
    const owners = requiredOwner.get(role);
    if (owners === void 0) return role;
    if (keepsRole(element2)) return role;
    for (let up = this.#flat.parent(element2); up !== null; up = this.#flat.parent(up)) {
      const explicit = hasAttr(up, "role") ? explicitRole(up) : null;
      if (explicit !== null && presentational.has(explicit) && !keepsRole(up)) {
        return owners.includes(this.#implicit(up)) ? "none" : role;
      }
      const upRole = this.role(up);
      if (upRole === "none") return role === "listitem" ? role : "none";
      if (upRole !== "generic" && upRole !== "") return role;
    }
    return role;
  }
  #implicit(element2) {
    const name = localName(element2);
    const space2 = namespaceURI(element2);
    if (space2 === SVG_NAMESPACE) return svgRole(element2, name);
    if (space2 !== HTML_NAMESPACE) return name === "math" ? "math" : "";
    switch (name) {
      case "a":
      case "area":
        return hasAttr(element2, "href") ? "link" : "generic";
      case "input":
        return inputRole(element2);
      case "select":
        return hasAttr(element2, "multiple") || Number(attr(element2, "size") ?? 0) > 1 ? "listbox" : "combobox";
      case "img":
        return imageRole(element2);
      case "aside":
        return this.#insideSection(element2, false) && !hasNameAttribute(element2) ? "generic" : "complementary";
      case "header":
        return this.#insideSection(element2, true) ? "generic" : "banner";
      case "footer":
        return this.#insideSection(element2, true) ? "generic" : "contentinfo";
      case "section":
        return hasNameAttribute(element2) ? "region" : "generic";
      case "form":
        return hasNameAttribute(element2) ? "form" : "generic";
      case "li":
        return this.#inList(element2) ? "listitem" : "generic";
      case "td":
        return this.#tableKind(element2, "cell", "gridcell");
      case "th":
        return this.#headerRole(element2);
      case "summary":
        return isSummary(element2) ? "button" : "generic";
      default:
        return simpleRoles.get(name) ?? (name.includes("-") ? "generic" : "");
    }
  }
  #insideSection(element2, main) {
    for (let up = this.#flat.parent(element2); up !== null; up = this.#flat.parent(up)) {
      const name = localName(up);
      if (sectioning.has(name) && (main || name !== "main")) {
        const explicit2 = explicitRole(up);
        if (explicit2 === null || sectioningRoles.has(explicit2)) return true;
        continue;
      }
      const explicit = hasAttr(up, "role") ? explicitRole(up) : null;
      if (explicit !== null && sectioningRoles.has(explicit) && (main || explicit !== "main")) return true;
    }
    return false;
  }
  #inList(element2) {
    const up = this.#flat.parent(element2);
    if (up === null) return false;
    const name = localName(up);
    if (name === "slot") return true;
    return name === "ul" || name === "ol" || name === "menu" || explicitRole(up) === "list";
  }
  #tableKind(element2, cell, gridcell) {
    for (let up = parentElement(element2); up !== null; up = parentElement(up)) {
      if (localName(up) !== "table") continue;
      const explicit = explicitRole(up);
      if (explicit === "grid" || explicit === "treegrid") return gridcell;
      return explicit === null || explicit === "table" || presentational.has(explicit) ? cell : "generic";
    }
    return "generic";
  }
  #headerRole(element2) {
    const scope = attr(element2, "scope")?.toLowerCase();
    if (scope === "row" || scope === "rowgroup") return "rowheader";
    if (scope === "col" || scope === "colgroup") return "columnheader";
    const row = parentElement(element2);
    if (row === null || this.#tableKind(element2, "cell", "cell") === "generic") return "generic";
    let data = false;
    for (let cell = firstElementChild(row); cell !== null; cell = nextElementSibling(cell)) {
      if (localName(cell) === "td") data = true;
    }
    return data ? "rowheader" : "columnheader";
  }
};
function explicitRole(element2) {
  const given2 = attr(element2, "role");
  if (given2 === null || given2 === "") return null;
  for (const token of given2.toLowerCase().split(/\s+/)) {
    if (token === "") continue;
    if (!roles.has(token)) continue;
    return token === "presentation" ? "none" : token;
  }
  return null;
}
function keepsRole(element2) {
  if (!hasAttrs(element2)) return false;
  for (const name of attrNames(element2)) {
    if (name.startsWith("aria-") && globalAria.includes(name)) return true;
  }
  return isFocusable(element2);
}
function isFocusable(element2) {
  if (hasAttr(element2, "tabindex")) return Number.isInteger(Number.parseInt(attr(element2, "tabindex") ?? "", 10));
  if (!(element2 instanceof HTMLElement)) return namespaceURI(element2) === SVG_NAMESPACE && localName(element2) === "a" && hasAttr(element2, "href");
  if (isContentEditable(element2) && isEditingHost(element2)) return true;
  switch (localName(element2)) {
    case "input":
      return inputType(element2) !== "hidden" && !hasAttr(element2, "disabled");
    case "button":
    case "select":
    case "textarea":
      return !hasAttr(element2, "disabled");
    default:
      return htmlTabIndex(element2) >= 0;
  }
}
function isEditingHost(element2) {
  const given2 = attr(element2, "contenteditable")?.toLowerCase();
  return given2 === "" || given2 === "true" || given2 === "plaintext-only";
}
function isSummary(element2) {
  const up = parentElement(element2);
  if (up === null || localName(up) !== "details") return false;
  for (let child = firstElementChild(up); child !== null; child = nextElementSibling(child)) {
    if (localName(child) === "summary") return child === element2;
  }
  return false;
}
function hasNameAttribute(element2) {
  return (attr(element2, "aria-label") ?? "").trim() !== "" || hasAttr(element2, "aria-labelledby") || (attr(element2, "title") ?? "").trim() !== "";
}
function inputRole(element2) {
  const type = inputType(element2);
  if (listTypes.has(type) && hasAttr(element2, "list")) return "combobox";
  if (type === "checkbox" && hasAttr(element2, "switch")) return "switch";
  return inputRoles.get(type) ?? "";
}
function imageRole(element2) {
  const alt = attr(element2, "alt");
  if (alt === "" && !hasNameAttribute(element2) && !keepsRole(element2)) return "none";
  return "img";
}
function svgRole(element2, name) {
  if (name === "svg") return hasNameAttribute(element2) || hasTitleChild(element2) ? "img" : "graphics-document";
  if (name === "a") return hasAttr(element2, "href") ? "link" : "generic";
  if (name === "image") return "img";
  return "generic";
}
function hasTitleChild(element2) {
  for (let child = firstElementChild(element2); child !== null; child = nextElementSibling(child)) {
    if (localName(child) === "title") return true;
  }
  return false;
}
function isDesignMode(element2) {
  return document.designMode === "on" && element2 === bodyOf(document);
}

// src/page/dom/flat.ts
var hosts = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" ")
);
var FlatTree = class {
  #openClosed;
  // assignedSlot is null inside closed roots: remembered when a walk passes the slot.
  #closedSlots = /* @__PURE__ */ new WeakMap();
  #seen = /* @__PURE__ */ new WeakSet();
  /** The whole document was walked: where no root was met, there are no slots to ask for. */
  surveyed = false;
  /** Whether any shadow root was met yet. */
  sawRoots = false;
  #onRoot;
  constructor(openClosed) {
    this.#openClosed = openClosed;
  }
  /** Called once for every shadow root that a walk meets. */
  set onRoot(report) {
    this.#onRoot = report;
  }
  shadowRoot(element2) {
    const open = openShadowRoot(element2);
    const root = open ?? this.#closedRoot(element2);
    if (root !== null && !this.#seen.has(root)) {
      this.#seen.add(root);
      this.sawRoots = true;
      this.#onRoot?.(root);
    }
    return root;
  }
  #closedRoot(element2) {
    if (this.#openClosed === void 0 || namespaceURI(element2) !== HTML_NAMESPACE) return null;
    const name = localName(element2);
    if (!hosts.has(name) && !name.includes("-")) return null;
    return this.#openClosed(element2);
  }
  /** Parent in the flat tree; null at the top and for a host's child that no slot shows. */
  parent(element2) {
    const up = parentNode(element2);
    if (up === null) return null;
    if (!isElement(up)) return up instanceof ShadowRoot ? up.host : null;
    if (this.surveyed && !this.sawRoots) return up;
    const root = this.shadowRoot(up);
    if (root === null) return up;
    const slot2 = assignedSlot(element2) ?? this.#closedSlots.get(element2)?.deref() ?? null;
    if (slot2 !== null && rootOf(slot2) === root && slot2.assignedElements().includes(element2)) return slot2;
    return this.#findSlot(root, element2);
  }
  #findSlot(root, element2) {
    for (const slot2 of root.querySelectorAll("slot")) {
      if (slot2.assignedElements().includes(element2)) {
        this.#closedSlots.set(element2, new WeakRef(slot2));
        return slot2;
      }
    }
    return null;
  }
  /** Whether the element is part of what is rendered (whatever its style). */
  inFlatTree(element2) {
    let top = element2;
    for (let up = this.parent(top); up !== null; up = this.parent(up)) top = up;
    const root = parentNode(top);
    return root !== null && nodeIsDocument(root);
  }
  /** Composed ancestor test: is `inner` the same as or inside `outer`? */
  composedContains(outer, inner) {
    for (let at = inner; at !== null; at = this.composedParent(at)) {
      if (at === outer) return true;
    }
    return false;
  }
  /** Parent element in the composed tree (shadow root → host), slots ignored. */
  composedParent(element2) {
    const up = parentNode(element2);
    if (up === null) return null;
    if (isElement(up)) return up;
    return up instanceof ShadowRoot ? up.host : null;
  }
  /**
   * Visit the elements of the flat tree below and with `start` in order. What
   * `visit` returns is handed to the visits of the children; null leaves them
   * out. No recursion: the page decides the depth.
   */
  walk(start2, inherited, visit) {
    const stack = [start2];
    const state = [inherited];
    for (let element2 = stack.pop(); element2 !== void 0; element2 = stack.pop()) {
      if (isOwn(element2)) {
        state.pop();
        continue;
      }
      const root = this.shadowRoot(element2);
      const passed = visit(element2, state.pop());
      if (passed === null) continue;
      const before = stack.length;
      this.#pushChildren(element2, root, stack);
      for (let i = before; i < stack.length; i += 1) state.push(passed);
    }
  }
  #pushChildren(element2, root, stack) {
    if (root !== null) {
      for (let child = root.lastElementChild; child !== null; child = previousElementSibling(child)) stack.push(child);
      return;
    }
    if (localName(element2) === "slot" && element2 instanceof HTMLSlotElement && isShadow(rootOf(element2))) {
      const assigned = element2.assignedElements();
      if (assigned.length > 0 || element2.assignedNodes().length > 0) {
        for (let i = assigned.length - 1; i >= 0; i -= 1) {
          const child = assigned[i];
          if (child === void 0) continue;
          this.#closedSlots.set(child, new WeakRef(element2));
          stack.push(child);
        }
        return;
      }
    }
    for (let child = lastElementChild(element2); child !== null; child = previousElementSibling(child)) stack.push(child);
  }
  /** Child nodes (text too) in the flat tree. */
  childNodes(element2) {
    const root = this.shadowRoot(element2);
    if (root !== null) return [...root.childNodes];
    if (element2 instanceof HTMLSlotElement && isShadow(rootOf(element2))) {
      const assigned = element2.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    return nodesOf(element2);
  }
};
function nodesOf(element2) {
  const nodes = [];
  for (let child = firstChild(element2); child !== null; child = nextSibling(child)) if (!isOwn(child)) nodes.push(child);
  return nodes;
}
function isShadow(value) {
  return value instanceof ShadowRoot;
}
function nodeIsDocument(value) {
  return isTreeRoot(value) && !isShadow(value);
}
function treeRoot(element2) {
  const root = rootOf(element2);
  return isTreeRoot(root) ? root : null;
}

// src/page/tree/selector.ts
var plainName = /^[a-z][a-z0-9-]*$/;
var plainIdent = /^[A-Za-z_][\w-]*$/;
var TEST_ID = "data-testid";
var deep = 24;
var SelectorCache = class {
  #bulk;
  #paths = /* @__PURE__ */ new Map();
  #numbers = /* @__PURE__ */ new Map();
  #ids = /* @__PURE__ */ new Map();
  #tests = /* @__PURE__ */ new Map();
  constructor(bulk) {
    this.#bulk = bulk;
  }
  selector(element2) {
    const root = treeRoot(element2);
    if (root === null) return "";
    const local = this.#local(element2, root);
    return root instanceof ShadowRoot ? `${this.selector(root.host)} >>> ${local}` : local;
  }
  #local(element2, root) {
    const steps = [];
    let path;
    for (let at = element2; at !== null && isElement(at); at = parentNode(at)) {
      path = this.#paths.get(at) ?? this.#anchor(at, root);
      if (path !== void 0) {
        this.#paths.set(at, path);
        break;
      }
      steps.push(at);
    }
    if (steps.length > deep) {
      const short = this.#tail(steps, root);
      if (short !== null) {
        this.#paths.set(element2, short);
        return short;
      }
    }
    for (let i = steps.length - 1; i >= 0; i -= 1) {
      const at = steps[i];
      if (at === void 0) continue;
      const step2 = this.#step(at);
      path = path === void 0 ? `:host > ${step2}` : `${path} > ${step2}`;
      this.#paths.set(at, path);
    }
    return path ?? "";
  }
  // Deep down, the last steps alone are often unique.
  #tail(steps, root) {
    let path = "";
    for (const [i, element2] of steps.entries()) {
      if (i >= deep) return null;
      path = path === "" ? this.#step(element2) : `${this.#step(element2)} > ${path}`;
      if (i % 4 === 3 && queryAll(root, path).length === 1) return path;
    }
    return null;
  }
  #anchor(element2, root) {
    if (hasAttrs(element2)) {
      const id = attr(element2, "id");
      if (id !== null && id !== "" && this.#unique(root, "id", id)) return plainIdent.test(id) ? `#${id}` : `#${escapeIdent(id)}`;
      const test = attr(element2, TEST_ID);
      if (test !== null && test !== "" && this.#unique(root, TEST_ID, test)) return `[${TEST_ID}=${quote(test)}]`;
    }
    if (root !== document) return void 0;
    if (element2 === documentElement(document)) return "html";
    return element2 === bodyOf(document) ? "body" : void 0;
  }
  #unique(root, name, value) {
    if (!this.#bulk) return queryAll(root, name === "id" ? `#${escapeIdent(value)}` : `[${name}=${quote(value)}]`).length === 1;
    const byRoot = name === "id" ? this.#ids : this.#tests;
    let counts = byRoot.get(root);
    if (counts === void 0) {
      counts = /* @__PURE__ */ new Map();
      for (const element2 of queryAll(root, `[${name}]`)) {
        const found = key(name, attr(element2, name) ?? "");
        counts.set(found, (counts.get(found) ?? 0) + 1);
      }
      byRoot.set(root, counts);
    }
    return counts.get(key(name, value)) === 1;
  }
  #step(element2) {
    const name = localName(element2);
    const tag4 = plainName.test(name) ? name : escapeIdent(name);
    const up = parentNode(element2);
    if (up === null) return tag4;
    const [index, total] = this.#bulk ? this.#numbered(element2, name, up) : countSiblings(element2, name);
    return total > 1 ? `${tag4}:nth-of-type(${index})` : tag4;
  }
  #numbered(element2, name, up) {
    let numbers = this.#numbers.get(up);
    if (numbers === void 0) {
      numbers = { index: /* @__PURE__ */ new Map(), totals: /* @__PURE__ */ new Map() };
      const first = isElement(up) ? firstElementChild(up) : up.firstElementChild;
      for (let child = first; child !== null; child = nextElementSibling(child)) {
        const of = localName(child);
        const next = (numbers.totals.get(of) ?? 0) + 1;
        numbers.totals.set(of, next);
        numbers.index.set(child, next);
      }
      this.#numbers.set(up, numbers);
    }
    return [numbers.index.get(element2) ?? 1, numbers.totals.get(name) ?? 1];
  }
};
var quirks = document.compatMode === "BackCompat";
function key(name, value) {
  return quirks && name === "id" ? value.toLowerCase() : value;
}
function countSiblings(element2, name) {
  let index = 1;
  for (let at = previousElementSibling(element2); at !== null; at = previousElementSibling(at)) {
    if (localName(at) === name) index += 1;
  }
  let total = index;
  for (let at = nextElementSibling(element2); at !== null && total < 2; at = nextElementSibling(at)) {
    if (localName(at) === name) total += 1;
  }
  return [index, total];
}
function quote(value) {
  return `"${value.replace(/["\\]/g, "\\$&").replace(/[\n\r\f\0]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `)}"`;
}
function isPositional(selector) {
  return selector.includes(" > ");
}

// src/page/tree/interactive.ts
var frameTags = /* @__PURE__ */ new Set(["iframe", "frame", "object", "embed"]);
var opaque = new Set(
  "head script style template noscript select textarea iframe frame frameset object embed audio video canvas math datalist title meta link".split(" ")
);
var native = /* @__PURE__ */ new Set(["button", "select", "textarea"]);
var operable = "a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex],[onclick],[contenteditable],[data-testid],[role=button],[role=link],[role=checkbox],[role=radio],[role=tab],[role=option],[role=menuitem],[role=switch],[role=textbox]";
function isInteractive(element2, inside2, pass) {
  const name = localName(element2);
  const html = namespaceURI(element2) === HTML_NAMESPACE;
  if (html) {
    if (native.has(name)) return true;
    switch (name) {
      case "input":
        return inputType(element2) !== "hidden";
      case "a":
      case "area":
        if (hasAttr(element2, "href")) return true;
        break;
      case "summary":
        if (isSummary(element2)) return true;
        break;
      case "audio":
      case "video":
        return hasAttr(element2, "controls");
      case "option":
      case "optgroup":
        return false;
      default:
        if (opaque.has(name)) return false;
    }
  } else if (name === "a" && hasAttr(element2, "href")) return true;
  const page = element2 === pass.root || element2 === pass.body;
  const attributed = hasAttrs(element2);
  if (attributed) {
    if (hasAttr(element2, "contenteditable") && isEditingHost(element2)) return true;
    if (!page) {
      if (hasAttr(element2, "role") && hasWidgetRole(element2)) return true;
      const tab = attr(element2, "tabindex");
      if (tab !== null && Number.parseInt(tab, 10) >= 0) return true;
      if (!inside2 && hasAttr(element2, "onclick")) return true;
    }
  }
  if (page) return isDesignMode(element2);
  if (inside2) return false;
  if (html && typeof htmlOnclick(element2) === "function") return true;
  if (attributed && hasAttr(element2, TEST_ID) && attr(element2, TEST_ID) !== "" && !isContainer(element2, pass)) return true;
  return isPointed(element2, name, pass);
}
function hasWidgetRole(element2) {
  const role = explicitRole(element2);
  if (role === null || !widgetRoles.has(role)) return false;
  return !widgetWhenFocusable.has(role) || hasAttr(element2, "tabindex");
}
function isContainer(element2, pass) {
  if (pass.flat.shadowRoot(element2) !== null) return true;
  return queryFirst(element2, operable) !== null;
}
function isPointed(element2, name, pass) {
  if (name === "label" && element2.control !== null) return false;
  if (!pass.styles.facts(element2).pointer) return false;
  const up = pass.flat.parent(element2);
  if (up !== null && pass.styles.facts(up).pointer) return false;
  return pass.names.describe(element2).name !== "";
}
function swallows(element2, pass) {
  const role = pass.roles.role(element2);
  return role === "link" || childrenPresentational.has(role);
}

// src/page/locate/candidates.ts
var maxCandidates = 10;
var maxNearest = 5;
var maxCompared = 3e3;
function candidate(element2, tree, pass) {
  const look2 = lookOf(element2, tree, pass);
  return { ref: give(element2, tree, look2), role: look2.role, name: look2.name, selector: look2.selector };
}
function lookOf(element2, tree, pass) {
  const role = pass.roles.role(element2) || "generic";
  const { name } = pass.names.describe(element2);
  return { role, name, stableId: tree.stable.of(element2, role, name), selector: pass.selectors.selector(element2) };
}
function give(element2, tree, look2) {
  const ref = tree.refs.refOf(element2);
  tree.refs.give(ref, element2, localName(element2), look2, tree.version, tree.itemOf(element2) === void 0 ? tree.version + 1 : tree.version);
  return ref;
}
function nearest(target, tree, pass) {
  const wanted = [target.name, target.text, target.stableId, target.id, target.selector].filter((word) => word !== void 0 && word !== "");
  const scored = [];
  let compared = 0;
  if (pass.root === null) return [];
  pass.flat.walk(pass.root, true, (element2) => {
    if (compared >= maxCompared) return null;
    if (isInteractive(element2, false, pass)) {
      compared += 1;
      const { name, text: text2 } = pass.names.describe(element2);
      const own5 = [name, text2, element2.getAttribute("data-testid") ?? "", element2.getAttribute("id") ?? ""];
      let score = 0;
      for (const word of wanted) for (const mine of own5) score = Math.max(score, similarity(word ?? "", mine));
      if (target.role !== void 0 && pass.roles.role(element2) === target.role) score += 0.25;
      if (score > 0.3) scored.push({ element: element2, score });
    }
    return opaque.has(localName(element2)) ? null : true;
  });
  scored.sort((a, b) => b.score - a.score);
  return scored.slice(0, maxNearest).map(({ element: element2 }) => candidate(element2, tree, pass));
}
function similarity(a, b) {
  const left = pairs(a);
  const right = pairs(b);
  if (left.size === 0 || right.size === 0) return 0;
  let common = 0;
  for (const pair of left) if (right.has(pair)) common += 1;
  return 2 * common / (left.size + right.size);
}
function pairs(text2) {
  const folded = ` ${text2.slice(0, 200).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
  const found = /* @__PURE__ */ new Set();
  if (folded.trim() === "") return found;
  for (let i = 0; i < folded.length - 1; i += 1) found.add(folded.slice(i, i + 2));
  return found;
}

// src/page/dom/secret.ts
var secretName = /^(?:(?:user|new|old|current|login|confirm)[-_ ]?)?pass(?:word|wd|phrase|code)?$|^(?:otp|totp|one[-_ ]?time[-_ ]?(?:code|password)|(?:mfa|2fa|verification|security)[-_ ]?code|pin(?:[-_ ]?code)?)$|^(?:cc|card|credit[-_ ]?card)[-_ ]?(?:num|number|no|csc|cvc|cvv|exp|expiry|expiration)$|^(?:cvc|cvv|csc)2?$/i;
var wasPassword = /* @__PURE__ */ new WeakSet();
function secretKind(element2) {
  const name = localName(element2);
  if (name !== "input" && name !== "textarea" && name !== "select") return null;
  const type = name === "input" ? inputType(element2) : "";
  if (type === "password") {
    wasPassword.add(element2);
    return "password";
  }
  if (type === "checkbox" || type === "radio" || type === "button" || type === "submit" || type === "reset") return null;
  if (wasPassword.has(element2)) return "password";
  const auto = attr(element2, "autocomplete");
  if (auto !== null) {
    for (const token of auto.toLowerCase().split(/\s+/)) {
      if (token.startsWith("cc-")) return "card";
      if (token === "one-time-code") return "one-time-code";
      if (token === "current-password" || token === "new-password") return "password";
    }
  }
  for (const key2 of [attr(element2, "name"), attr(element2, "id")]) {
    if (key2 === null || key2.length > 40 || !secretName.test(key2)) continue;
    if (/^(?:cc|card|credit|cvc|cvv|csc)/i.test(key2)) return "card";
    return /pass/i.test(key2) && !/one/i.test(key2) ? "password" : "one-time-code";
  }
  return null;
}
function masksText(element2) {
  const shown4 = styleOf(element2).getPropertyValue("-webkit-text-security");
  return shown4 !== "" && shown4 !== "none";
}

// src/page/tree/item.ts
var metaNames = /* @__PURE__ */ new Map([
  ["type", "type"],
  ["href", "href"],
  ["xlink:href", "href"],
  ["name", "name"],
  ["placeholder", "placeholder"],
  ["required", "required"],
  ["readonly", "readonly"],
  ["multiple", "multiple"],
  ["autocomplete", "autocomplete"],
  ["accept", "accept"],
  ["min", "min"],
  ["max", "max"],
  ["step", "step"],
  ["maxlength", "maxlength"],
  ["target", "target"],
  ["download", "download"],
  ["contenteditable", "contenteditable"],
  ["aria-haspopup", "haspopup"],
  ["aria-current", "current"],
  ["aria-invalid", "invalid"],
  ["aria-roledescription", "roledescription"]
]);
function buildItem(element2, pass, measured, sources) {
  const tag4 = localName(element2);
  const role = pass.roles.role(element2) || "generic";
  const { name, text: text2 } = pass.names.describe(element2, sources);
  const item = {
    role,
    name,
    disabled: isDisabled(element2, measured.disabledAround),
    visible: measured.hidden === null,
    bounds: roundBox(measured),
    frameId: "main"
  };
  const shownText2 = tag4 === "select" ? optionText(element2) : text2;
  if (shownText2 !== "") item.text = shownText2;
  const attributes = attrNames(element2);
  if (attributes.includes("aria-label") || attributes.includes("title")) {
    const label2 = foldCut(attr(element2, "aria-label") ?? attr(element2, "title") ?? "");
    if (label2 !== "") item.label = label2;
  }
  const redacted = redaction(element2, tag4, pass);
  if (redacted === null) {
    const value = valueOf(element2, tag4, role, pass);
    if (value !== void 0) item.value = cut(value);
  } else if (tag4 === "select") delete item.text;
  if (measured.hidden !== null) item.hidden = measured.hidden;
  const checked = checkedState(element2, role);
  if (checked !== void 0) item.checked = checked;
  if (tag4 === "summary" || attributes.includes("aria-expanded")) {
    const expanded = expandedState(element2);
    if (expanded !== void 0) item.expanded = expanded;
  }
  if (tag4 === "option" || attributes.includes("aria-selected")) {
    const selected = selectedState(element2);
    if (selected !== void 0) item.selected = selected;
  }
  if (pass.focused === element2) item.focused = true;
  item.meta = metaOf(element2, tag4, attributes, redacted, measured.inert);
  return item;
}
function roundBox(measured) {
  const { x, y, width, height } = measured.bounds;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}
function round(value) {
  return Math.round(value * 100) / 100;
}
function redaction(element2, tag4, pass) {
  const kind = secretKind(element2);
  if (kind !== null) return kind;
  return (tag4 === "input" || tag4 === "textarea") && (hasAttr(element2, "style") || !pass.styles.unstyled(element2)) && masksText(element2) ? "masked" : null;
}
var valueless = /* @__PURE__ */ new Set(["checkbox", "radio", "button", "submit", "reset", "image"]);
function valueOf(element2, tag4, role, pass) {
  switch (tag4) {
    case "input":
      return valueless.has(inputType(element2)) ? void 0 : inputValue(element2);
    case "textarea":
      return textareaValue(element2);
    case "select": {
      const select = element2;
      if (!hasAttr(select, "multiple")) return selectValue(select);
      return [...selectedOptions(select)].map((option) => option.value).join(", ");
    }
    default:
  }
  if (hasAttr(element2, "contenteditable") && isEditingHost(element2)) return pass.names.visibleText(element2);
  if (role === "slider" || role === "spinbutton" || role === "scrollbar" || role === "separator") {
    return attr(element2, "aria-valuetext") ?? attr(element2, "aria-valuenow") ?? void 0;
  }
  return void 0;
}
function optionText(select) {
  const labels = [];
  for (const option of selectedOptions(select)) labels.push(option.label);
  return foldCut(labels.join(", "));
}
function metaOf(element2, tag4, attributes, redacted, inert) {
  const meta = { tagName: tag4 };
  for (const name of attributes) {
    const key2 = metaNames.get(name);
    if (key2 !== void 0) meta[key2] = cut(attr(element2, name) ?? "");
  }
  if (tag4 === "input") meta["type"] = inputType(element2);
  if (redacted !== null) meta["redacted"] = redacted;
  if (inert) meta["inert"] = "true";
  return meta;
}

// src/page/collect/changes.ts
var maxRecords = 3e3;
var maxNodes = 1500;
var maxTouched = 200;
var maxItems = 400;
var maxLive = 60;
var maxText = 80;
var maxTitle = 120;
var toldChanges = 16;
var changeRecords = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true };
var layers = "dialog,[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=tooltip],[popover]";
var speakers = "[role=alert],[role=status],[aria-live=polite],[aria-live=assertive],output";
var live = ["dialog", "output", "[role],[aria-live]"];
var liveRoles = new Set("dialog alertdialog menu listbox tooltip alert status tabpanel".split(" "));
var rows = "tr,li,option,article,[role=row],[role=listitem],[role=option],[role=menuitem],[role=treeitem],[role=article],[role=tab],[role=gridcell]";
var headings = "h1,h2,h3,h4,h5,h6,[role=heading]";
var controls2 = "button,a[href],input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=switch],[role=textbox],[role=combobox]";
var telling = `${layers},${speakers},${rows},${headings},${controls2},[role=progressbar],progress`;
var holders = "table,ul,ol,menu,dl,select,[role=table],[role=grid],[role=list],[role=listbox],[role=tree],[role=feed],[role=menu],[role=tablist],[role=log],dialog,[role=dialog],form,nav,main,section,article,aside,[role=region],[role=main]";
var speaking = `${headings},${speakers},button,a,td,th,li,summary,label,legend,caption,option,[role]`;
var states = {
  disabled: ["disabled", "enabled", 70],
  "aria-disabled": ["disabled", "enabled", 70],
  "aria-invalid": ["invalid", "valid", 68],
  "aria-checked": ["checked", "unchecked", 56],
  "aria-pressed": ["checked", "unchecked", 56],
  "aria-expanded": ["expanded", "collapsed", 55],
  open: ["expanded", "collapsed", 55],
  "aria-selected": ["selected", "unselected", 52],
  "aria-current": ["current", "", 50],
  "aria-busy": ["busy", "ready", 35]
};
var ranks = {
  opened: 100,
  closed: 98,
  appeared: 95,
  gone: 45,
  added: 60,
  removed: 60,
  shown: 50,
  hidden: 50,
  text: 40,
  value: 54,
  checked: 56,
  unchecked: 56,
  title: 42
};
var Changes = class {
  #tree;
  #roots;
  #before = /* @__PURE__ */ new Map();
  #added = /* @__PURE__ */ new Map();
  #removed = /* @__PURE__ */ new Map();
  #passed = [];
  // came and went
  #states = /* @__PURE__ */ new Map();
  /** Their style or hidden attribute of before, where it was that which changed. */
  #looks = /* @__PURE__ */ new Map();
  #texts = /* @__PURE__ */ new Map();
  #inputs = /* @__PURE__ */ new Map();
  #seen = 0;
  #uncounted = 0;
  constructor(tree, roots) {
    this.#tree = tree;
    this.#roots = roots;
  }
  get empty() {
    return this.#seen === 0 && this.#inputs.size === 0;
  }
  /** Forgets what changed; what was open and said before stays. */
  clear() {
    for (const map of [this.#added, this.#removed, this.#states, this.#looks, this.#texts, this.#inputs]) map.clear();
    this.#passed.length = this.#seen = this.#uncounted = 0;
  }
  /** Notes what is open and said now: a new window. */
  begin() {
    this.clear();
    this.#before.clear();
    let pass;
    for (const root of [document, ...this.#roots()]) {
      for (const element2 of live.flatMap((selector) => [...queryAll(root, selector)])) {
        if (this.#before.size >= maxLive) return;
        if (this.#before.has(element2) || !isLive(element2)) continue;
        const visible = seen(element2);
        let [role, name, text2] = ["", "", ""];
        if (visible && matches(element2, speakers)) text2 = plainText(element2);
        if (visible && matches(element2, layers)) {
          pass ??= this.#tree.pass();
          role = pass.roles.role(element2) || "generic";
          name = foldCut(pass.names.nameOf(element2), maxText);
        }
        this.#before.set(element2, { visible, text: text2, role, name });
      }
    }
  }
  add(records) {
    const at = Date.now();
    for (const record of records) {
      if (isOwnRecord(record)) continue;
      this.#seen++;
      if (this.#seen > maxRecords) {
        this.#uncounted++;
        continue;
      }
      const target = record.target;
      if (record.type === "childList") this.#children(record, at);
      else if (record.type === "characterData") this.#text(parentElement(target), at);
      else if (isElement(target)) this.#attribute(target, record.attributeName ?? "", record.oldValue, at);
    }
  }
  /** Its value or state may have changed without a record. */
  touched(element2) {
    if (this.#inputs.size < maxTouched && !this.#inputs.has(element2)) this.#inputs.set(element2, Date.now());
  }
  #children(record, at) {
    const { target } = record;
    const parent2 = isElement(target) ? target : target instanceof ShadowRoot ? target.host : null;
    if (parent2 === null || localName(parent2) === "head") return;
    if (localName(parent2) === "style" || localName(parent2) === "script") return;
    let text2 = false;
    for (const node2 of record.removedNodes) {
      if (nodeType(node2) === Node.TEXT_NODE) text2 = true;
      if (!isElement(node2)) continue;
      const put3 = this.#added.get(node2);
      if (put3 !== void 0) {
        this.#added.delete(node2);
        if (this.#passed.length < 20) this.#passed.push({ node: node2, put: put3, gone: at });
      } else if (this.#removed.size < maxNodes) this.#removed.set(node2, { parent: parent2, at });
      else this.#uncounted++;
    }
    for (const node2 of record.addedNodes) {
      if (nodeType(node2) === Node.TEXT_NODE) text2 = true;
      if (!isElement(node2)) continue;
      if (this.#removed.delete(node2)) continue;
      const before = this.#passed.findIndex((one3) => one3.node === node2);
      if (before >= 0) this.#passed.splice(before, 1);
      if (this.#added.size < maxNodes) this.#added.set(node2, { parent: parent2, at });
      else this.#uncounted++;
    }
    if (text2) this.#text(parent2, at);
  }
  #text(element2, at) {
    if (element2 !== null && this.#texts.size < maxTouched && !this.#texts.has(element2)) this.#texts.set(element2, at);
  }
  #attribute(target, name, old, at) {
    if (name === "class" || name === "style" || name === "hidden") {
      let look2 = this.#looks.get(target);
      if (look2 === void 0) {
        if (this.#looks.size >= maxTouched) return;
        this.#looks.set(target, look2 = { at });
      }
      if (name === "style" && look2.style === void 0) look2.style = old;
      if (name === "hidden") look2.hidden ??= old !== null;
      return;
    }
    if (!Object.hasOwn(states, name)) return;
    let known2 = this.#states.get(target);
    if (known2 === void 0) {
      if (this.#states.size >= maxTouched) return;
      this.#states.set(target, known2 = /* @__PURE__ */ new Map());
    }
    if (!known2.has(name)) known2.set(name, { old, at });
  }
  /** The changes up to now; begin() makes a new window. `target` is what the agent acts on and knows of. */
  tell(limit, target = null) {
    if (this.empty) return { changes: [], more: 0 };
    const pass = this.#tree.pass();
    const found = [];
    this.#tellItems(found);
    this.#tellLive(found);
    this.#tellStates(found);
    this.#tellLooks(found);
    this.#tellInputs(found, target, pass);
    this.#tellTexts(found, target);
    found.sort((a, b) => b.rank - a.rank || a.at - b.at);
    const told3 = found.slice(0, limit);
    return { changes: told3.map((one3) => this.#named(one3, pass)), more: found.length - told3.length + this.#uncounted };
  }
  /** The element as commands take it. */
  #refer(element2, pass) {
    const role = pass.roles.role(element2) || "generic";
    const name = pass.names.nameOf(element2);
    const look2 = { role, name, stableId: this.#tree.stable.of(element2, role, name), selector: pass.selectors.selector(element2) };
    return { ref: give(element2, this.#tree, look2), role, name: foldCut(name, maxText) };
  }
  #named({ change, at, element: element2, under, rest: rest2 }, pass) {
    const out = { change, at };
    if (element2 !== null && isConnected(element2)) {
      Object.assign(out, this.#refer(element2, pass));
    }
    if (under !== null && isConnected(under)) {
      out.under = this.#refer(under, pass);
    }
    const { name, text: text2, ...others } = rest2;
    Object.assign(out, others);
    if (name !== void 0 && name !== "" && (out.name ?? "") === "") out.name = name;
    if (text2 !== void 0 && text2 !== "" && text2 !== out.name) out.text = text2;
    if (out.name === "") delete out.name;
    return out;
  }
  // --- what came and went ---------------------------------------------------------
  #tellItems(found) {
    const came = [];
    let went = [];
    for (const [node2, put3] of this.#added) {
      if (!isConnected(node2) || this.#within(parentElement(node2))) continue;
      this.#collect(node2, put3, came, true);
    }
    for (const [node2, put3] of this.#removed) {
      if (isConnected(node2)) continue;
      this.#collect(node2, put3, went, false);
    }
    const passed = this.#passed.map(({ node: node2, put: put3, gone: at }) => {
      const items = [];
      this.#collect(node2, put3, items, false);
      return { items, at };
    });
    cancel(came, went);
    const gone = new Set(went.map(({ key: key2 }) => key2));
    const spoken = came.some(({ kind }) => kind === "speaker");
    if (spoken) went = went.filter(({ kind }) => kind !== "speaker");
    this.#tellSet(found, came, "added");
    this.#tellSet(found, went, "removed");
    for (const { items, at } of passed) {
      const brief = items.filter(({ key: key2 }) => !gone.has(key2));
      this.#tellSet(found, brief, "added");
      this.#tellSet(found, brief.map((item) => ({ ...item, at })), "removed");
    }
  }
  /** The items of a subtree, outermost first; of one without any its text is what changed. */
  #collect(root, put3, into, present) {
    const name = localName(root);
    if (name === "script" || name === "style" || name === "link" || name === "template") return;
    let last = null;
    let any2 = false;
    for (const element2 of matches(root, telling) ? [root, ...queryAll(root, telling)] : queryAll(root, telling)) {
      any2 = true;
      if (last !== null && contains(last, element2)) continue;
      if (into.length >= maxItems) break;
      if (present && into.length < 100 && !seen(element2)) continue;
      const kind = kindOf(element2);
      if (!present && kind === "layer" && this.#before.get(element2)?.visible !== true) continue;
      if (kind !== "control") last = element2;
      const text2 = secretive(element2) ? "" : plainText(element2) || foldCut(attr(element2, "aria-label") ?? "", maxText);
      into.push({ element: element2, key: `${kind} ${roleOf(element2)} ${text2}`, text: text2, kind, parent: put3.parent, at: put3.at });
    }
    if (!any2) this.#text(put3.parent, put3.at);
  }
  #tellSet(found, items, change) {
    const groups = /* @__PURE__ */ new Map();
    const holderIds = /* @__PURE__ */ new Map();
    for (const item of items) {
      const before = this.#before.get(item.element);
      if (item.kind === "layer") {
        found.push(one(change === "added" ? "opened" : "closed", item.at, item.element, null, { role: before?.role || roleOf(item.element), name: before?.name || item.text }));
      } else if (item.kind === "speaker") {
        if (item.text === "") continue;
        found.push(one(change === "added" ? "appeared" : "gone", item.at, item.element, null, { role: roleOf(item.element), name: item.text }));
      } else if (item.kind === "heading") {
        const told3 = one(change, item.at, item.element, null, { role: "heading", name: item.text });
        told3.rank = change === "added" ? 66 : 30;
        found.push(told3);
      } else {
        const holder2 = holderOf(item.element, item.parent);
        if (!holderIds.has(holder2)) holderIds.set(holder2, holderIds.size);
        const key2 = `${item.kind === "row" ? roleOf(item.element) : "control"} ${holderIds.get(holder2)}`;
        const group = groups.get(key2);
        if (group === void 0) groups.set(key2, [item]);
        else group.push(item);
      }
    }
    for (const group of groups.values()) {
      const first = group[0];
      const holder2 = holderOf(first.element, first.parent);
      const rest2 = group.length === 1 ? { role: roleOf(first.element), name: first.text } : { role: first.kind === "row" ? roleOf(first.element) : "control", count: group.length };
      const told3 = one(change, first.at, group.length === 1 ? first.element : null, holder2, rest2);
      if (first.kind === "control") told3.rank = 38;
      found.push(told3);
    }
  }
  /** It is part of something that was added. */
  #within(element2) {
    for (let up = element2; up !== null; up = parentElement(up)) if (this.#added.has(up)) return true;
    return false;
  }
  // --- what was there before and after ----------------------------------------------
  #tellLive(found) {
    for (const [element2, before] of this.#before) {
      if (!isConnected(element2)) continue;
      const now2 = seen(element2);
      const at = this.#latest(element2);
      if (matches(element2, layers)) {
        if (now2 !== before.visible) found.push(one(now2 ? "opened" : "closed", at, element2, null, { name: now2 ? plainText(element2) : before.name }));
      } else if (matches(element2, speakers)) {
        const text2 = now2 ? plainText(element2) : "";
        if (text2 === before.text) continue;
        found.push(text2 === "" ? one("gone", at, element2, null, { name: before.text }) : one("appeared", at, element2, null, { name: text2 }));
      } else if (now2 !== before.visible) {
        if (!now2 || plainText(element2) !== "") found.push(one(now2 ? "shown" : "hidden", at, element2, null, { text: plainText(element2) }));
      }
    }
  }
  /** When something about it, inside or around it changed. */
  #latest(element2) {
    for (const map of [this.#looks, this.#states]) {
      const own5 = map.get(element2);
      if (own5 !== void 0) return own5 instanceof Map ? [...own5.values()][0]?.at ?? 0 : own5.at;
    }
    for (const [changed2, at] of this.#texts) if (contains(element2, changed2)) return at;
    for (const [node2, put3] of this.#added) if (contains(element2, node2)) return put3.at;
    for (const [changed2, look2] of this.#looks) if (contains(changed2, element2)) return look2.at;
    return Date.now();
  }
  #tellStates(found) {
    for (const [element2, changed2] of this.#states) {
      if (!isConnected(element2) || this.#within(element2)) continue;
      const layer = matches(element2, layers);
      for (const [name, { old, at }] of changed2) {
        if (name === "open" && layer) continue;
        const now2 = isOn(name, attr(element2, name));
        if (now2 === isOn(name, old)) continue;
        const [on, off, rank] = states[name];
        const change = now2 ? on : off;
        if (change !== "") found.push({ ...one(change, at, element2, null, {}), rank });
      }
    }
  }
  #tellLooks(found) {
    for (const [element2, { style, hidden, at }] of this.#looks) {
      if (this.#before.has(element2) || !isConnected(element2) || this.#within(element2)) continue;
      let before;
      if (hidden !== void 0) before = !hidden;
      else if (style !== void 0) before = !/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style ?? "");
      const now2 = seen(element2);
      if (before === void 0 || before === now2) {
        let listed3;
        for (const inner of [element2, ...queryAll(element2, controls2)].slice(0, 4)) listed3 ??= this.#tree.itemOf(inner)?.visible;
        if (listed3 === void 0 || before !== void 0) continue;
        before = listed3;
      }
      if (now2 === before || parentElement(element2) !== null && !seen(parentElement(element2))) continue;
      const text2 = plainText(element2);
      if (text2 !== "" || matches(element2, controls2)) found.push(one(now2 ? "shown" : "hidden", at, element2, null, { text: text2 }));
    }
  }
  #tellInputs(found, target, pass) {
    for (const [element2, at] of this.#inputs) {
      if (!isConnected(element2)) continue;
      if (matches(element2, "[popover]")) {
        const now2 = seen(element2);
        if (!this.#before.has(element2)) found.push(one(now2 ? "opened" : "closed", at, element2, null, { name: now2 ? plainText(element2) : "" }));
        continue;
      }
      const checked = checkedState(element2, pass.roles.role(element2));
      if (checked !== void 0) {
        found.push(one(checked === true ? "checked" : "unchecked", at, element2, null, {}));
        continue;
      }
      if (element2 === target) continue;
      const tag4 = localName(element2);
      const value = redaction(element2, tag4, pass) === null ? valueOf(element2, tag4, pass.roles.role(element2), pass) : void 0;
      if (value !== void 0) found.push(one("value", at, element2, null, { text: foldCut(value, maxText) }));
    }
  }
  #tellTexts(found, target) {
    const told3 = /* @__PURE__ */ new Set();
    for (const [element2, at] of this.#texts) {
      if (!isConnected(element2) || this.#within(element2) || secretive(element2)) continue;
      if (localName(element2) === "title") {
        if (contains(document.head, element2)) found.push(one("title", at, null, null, { text: foldCut(document.title, maxTitle) }));
        continue;
      }
      if (target !== null && contains(target, element2) && matches(target, "input,textarea,select,[contenteditable]")) continue;
      const speaker = closest(element2, speaking) ?? element2;
      const whole2 = speaker === element2 || depthBelow(speaker, element2) <= 3 ? speaker : element2;
      if (told3.has(whole2) || this.#before.has(whole2) || closest(whole2, speakers) !== null || !seen(whole2)) continue;
      told3.add(whole2);
      const text2 = plainText(whole2);
      if (text2 === "") continue;
      const change = one("text", at, whole2, null, { text: text2 });
      if (matches(whole2, headings)) change.rank = 66;
      found.push(change);
    }
  }
};
function one(change, at, element2, under, rest2) {
  return { rank: ranks[change] ?? 30, change, at, element: element2, under, rest: rest2 };
}
function cancel(came, went) {
  const gone = /* @__PURE__ */ new Map();
  for (const { key: key2 } of went) gone.set(key2, (gone.get(key2) ?? 0) + 1);
  const back = /* @__PURE__ */ new Map();
  for (let i = 0; i < came.length; i++) {
    const { key: key2 } = came[i];
    const left = gone.get(key2) ?? 0;
    if (left === 0) continue;
    gone.set(key2, left - 1);
    back.set(key2, (back.get(key2) ?? 0) + 1);
    came.splice(i--, 1);
  }
  for (let i = 0; i < went.length; i++) {
    const { key: key2 } = went[i];
    const left = back.get(key2) ?? 0;
    if (left === 0) continue;
    back.set(key2, left - 1);
    went.splice(i--, 1);
  }
}
function isLive(element2) {
  const role = attr(element2, "role");
  return role === null || liveRoles.has(role) || attr(element2, "aria-live") !== null;
}
function kindOf(element2) {
  if (matches(element2, layers)) return "layer";
  if (matches(element2, speakers)) return "speaker";
  if (matches(element2, rows)) return "row";
  return matches(element2, headings) ? "heading" : "control";
}
var tagRoles = {
  tr: "row",
  li: "listitem",
  option: "option",
  article: "article",
  button: "button",
  a: "link",
  select: "combobox",
  textarea: "textbox",
  input: "textbox",
  summary: "button",
  progress: "progressbar",
  dialog: "dialog",
  output: "status"
};
function roleOf(element2) {
  const given2 = attr(element2, "role")?.trim().split(/\s+/)[0];
  if (given2 !== void 0 && given2 !== "") return given2.slice(0, 30);
  const tag4 = localName(element2);
  if (/^h[1-6]$/.test(tag4)) return "heading";
  return Object.hasOwn(tagRoles, tag4) ? tagRoles[tag4] : "generic";
}
function holderOf(element2, parent2) {
  const up = parentElement(element2);
  if (isConnected(element2) && up !== null) return closest(up, holders) ?? up;
  return isConnected(parent2) ? closest(parent2, holders) ?? parent2 : parent2;
}
function isOn(name, value) {
  if (value === null) return false;
  return name.startsWith("aria-") ? value !== "false" && value !== "" && value !== "undefined" : true;
}
var visibility = { visibilityProperty: true };
function seen(element2) {
  return checkVisibility(element2, visibility);
}
function secretive(element2) {
  const tag4 = localName(element2);
  return tag4 === "input" || tag4 === "textarea" || tag4 === "script" || tag4 === "style" || tag4 === "noscript";
}
function plainText(element2) {
  return secretive(element2) ? "" : foldCut(textContent(element2) ?? "", maxText);
}
function depthBelow(above, element2) {
  let depth = 0;
  for (let up = element2; up !== null && up !== above; up = parentElement(up)) depth++;
  return depth;
}

// src/page/collect/change-stream.ts
var between = 200;
var share2 = 60;
var streamed = 8;
var ChangeStream = class {
  // when the last message was made
  constructor(tree, roots, send, congested, take2, budget2) {
    this.send = send;
    this.congested = congested;
    this.take = take2;
    this.budget = budget2;
    this.#changes = new Changes(tree, roots);
  }
  send;
  congested;
  take;
  budget;
  #changes;
  #timer;
  #begin;
  #on = false;
  #next = 0;
  #batch = 0;
  #told = 0;
  start() {
    if (this.#on) return;
    this.#on = true;
    this.#changes.begin();
  }
  stop() {
    this.#on = false;
    this.#wait();
  }
  add(records) {
    if (!this.#on) return;
    this.#changes.add(records);
    if (this.#timer === void 0 && !this.#changes.empty) this.#schedule();
  }
  /**
   * What an action brought about is told by its answer, and here by the same words.
   * Gives the number of the last message, so that what comes after it is known to be later.
   */
  cut(told3) {
    if (!this.#on) return this.#batch;
    this.take();
    this.#wait();
    const fresh = told3.changes.filter(({ at }) => at >= this.#told);
    this.#changes.clear();
    this.#begin ??= setTimeout(() => {
      this.#begin = void 0;
      if (this.#on && this.#changes.empty) this.#changes.begin();
    });
    this.#tell({ changes: fresh, more: told3.more });
    return this.#batch;
  }
  #schedule() {
    this.#timer = setTimeout(() => this.#look(), Math.max(between, this.#next - performance.now()));
  }
  #wait() {
    if (this.#timer !== void 0) clearTimeout(this.#timer);
    this.#timer = void 0;
  }
  #look() {
    this.#timer = void 0;
    if (this.congested() || this.budget.left <= 0) {
      this.#next = performance.now() + 2 * between;
      this.#schedule();
      return;
    }
    this.take();
    this.#wait();
    const start2 = performance.now();
    const told3 = this.#changes.tell(streamed);
    this.#changes.begin();
    const took = performance.now() - start2;
    this.budget.spend(took);
    this.#next = performance.now() + took * share2;
    this.#tell(told3);
  }
  #tell({ changes, more: more2 }) {
    this.#told = Date.now();
    if (changes.length === 0) return;
    this.send({ type: "ui_change", timestamp: this.#told, changes, batch: ++this.#batch, ...more2 > 0 ? { more: more2 } : {} });
  }
};

// src/page/collect/human.ts
var kinds = { keydown: "keys", pointerdown: "pointer", wheel: "wheel" };
var pause = 1e3;
var HumanCollector = class {
  #send;
  #seen = /* @__PURE__ */ new Set();
  #count = 0;
  #timer;
  constructor(send) {
    this.#send = send;
  }
  /** Again after document.open(), which takes listeners off the window. */
  start() {
    for (const type of Object.keys(kinds)) addEventListener(type, this.#on, { capture: true, passive: true });
  }
  dispose() {
    clearTimeout(this.#timer);
    for (const type of Object.keys(kinds)) removeEventListener(type, this.#on, { capture: true });
  }
  #on = (event) => {
    if (!event.isTrusted) return;
    this.#seen.add(kinds[event.type] ?? event.type);
    this.#count++;
    if (this.#timer === void 0) this.#tell();
  };
  #tell() {
    this.#timer = void 0;
    if (this.#count === 0) return;
    this.#send({ type: "human_activity", timestamp: Date.now(), kinds: [...this.#seen], count: this.#count });
    this.#seen.clear();
    this.#count = 0;
    this.#timer = setTimeout(() => this.#tell(), pause);
  }
};

// src/page/mainworld/hook.ts
function installMainHook(nonce, sink) {
  const maxText4 = 10240;
  const maxLine3 = 32768;
  const maxArgs = 64;
  const maxEntries = 50;
  const maxDepth4 = 3;
  const maxKept = 2e3;
  const giveUpAfter = 6e4;
  const { apply: apply4, ownKeys: ownKeys3, getOwnPropertyDescriptor: describe2, getPrototypeOf: protoOf, defineProperty: define } = Reflect;
  const { isArray: isArray3 } = Array;
  const { slice } = String.prototype;
  const { toString: numberText2 } = Number.prototype;
  const { toString: bigText2 } = BigInt.prototype;
  const { toString: symbolText2 } = Symbol.prototype;
  const { toISOString } = Date.prototype;
  const { hasOwnProperty: hasOwn2 } = Object.prototype;
  const now2 = Date.now;
  const later2 = setTimeout;
  const objectProto2 = Object.prototype;
  const arrayProto = Array.prototype;
  const { addEventListener: addEventListener3, removeEventListener: removeEventListener3, dispatchEvent: dispatchEvent5 } = EventTarget.prototype;
  const { preventDefault } = Event.prototype;
  const MakeEvent = CustomEvent;
  const HookProxy = Proxy;
  const page = window;
  const sheet2 = console;
  const target = page.visualViewport ?? page;
  const has2 = (object, key2) => apply4(hasOwn2, object, [key2]);
  const getter2 = (object, key2) => {
    const found = object === void 0 ? void 0 : describe2(object, key2);
    return found !== void 0 && has2(found, "get") ? found.get : void 0;
  };
  const read2 = (get4, from) => get4 === void 0 ? void 0 : apply4(get4, from, []);
  const detailOf = getter2(CustomEvent.prototype, "detail");
  const errorFields = {
    message: getter2(ErrorEvent.prototype, "message"),
    filename: getter2(ErrorEvent.prototype, "filename"),
    lineno: getter2(ErrorEvent.prototype, "lineno"),
    colno: getter2(ErrorEvent.prototype, "colno"),
    error: getter2(ErrorEvent.prototype, "error")
  };
  const reasonOf = getter2(PromiseRejectionEvent.prototype, "reason");
  const stackOf = getter2(new Error(), "stack");
  const nodeTypeOf = getter2(Node.prototype, "nodeType");
  const nodeValueOf = getter2(Node.prototype, "nodeValue");
  const localNameOf = getter2(Element.prototype, "localName");
  const { getAttribute } = Element.prototype;
  const exceptionName = getter2(DOMException.prototype, "name");
  const exceptionMessage = getter2(DOMException.prototype, "message");
  const patternSource = getter2(RegExp.prototype, "source");
  const patternFlags = getter2(RegExp.prototype, "flags");
  const mapSize2 = getter2(Map.prototype, "size");
  const setSize2 = getter2(Set.prototype, "size");
  const mapEntries = Map.prototype.entries;
  const setValues = Set.prototype.values;
  const nextOfMap = (/* @__PURE__ */ new Map()).entries().next;
  const nextOfSet = (/* @__PURE__ */ new Set()).values().next;
  const bytesProto = protoOf(Uint8Array.prototype) ?? void 0;
  const bytesLength = getter2(bytesProto, "length");
  const errorProto2 = Error.prototype;
  const exceptionProto = DOMException.prototype;
  const nodeProto = Node.prototype;
  const dateProto = Date.prototype;
  const patternProto = RegExp.prototype;
  const mapProto = Map.prototype;
  const setProto = Set.prototype;
  let left = 0;
  const cut3 = (text2, limit) => text2.length <= limit ? text2 : `${apply4(slice, text2, [0, limit])}\u2026 [${text2.length - limit} more characters]`;
  const plain3 = (object, key2) => {
    let at = object;
    for (let i = 0; i < 8 && at !== null; i++) {
      const found = describe2(at, key2);
      if (found !== void 0) return has2(found, "value") ? found.value : void 0;
      at = protoOf(at);
    }
    return void 0;
  };
  const kindOf2 = (value) => {
    let at = protoOf(value);
    for (let i = 0; i < 12 && at !== null; i++) {
      if (at === objectProto2 || at === arrayProto) return at;
      if (at === errorProto2 || at === exceptionProto || at === nodeProto || at === dateProto || at === patternProto || at === mapProto || at === setProto || at === bytesProto) return at;
      at = protoOf(at);
    }
    return null;
  };
  const className = (value) => {
    const proto = protoOf(value);
    if (proto === objectProto2 || proto === null) return "";
    const maker = plain3(proto, "constructor");
    const name = typeof maker === "function" ? plain3(maker, "name") : void 0;
    return typeof name === "string" && name !== "Object" ? cut3(name, 100) : "";
  };
  const stackText = (error) => {
    const found = describe2(error, "stack");
    let stack;
    if (found !== void 0 && has2(found, "value")) stack = found.value;
    else if (found !== void 0 && has2(found, "get") && found.get === stackOf) stack = read2(stackOf, error);
    return typeof stack === "string" ? cut3(stack, maxText4) : "";
  };
  const errorHead = (error) => {
    const isException = kindOf2(error) === exceptionProto;
    const name = isException ? read2(exceptionName, error) : plain3(error, "name");
    const message = isException ? read2(exceptionMessage, error) : plain3(error, "message");
    const head = typeof name === "string" && name !== "" ? cut3(name, 200) : "Error";
    return typeof message === "string" && message !== "" ? `${head}: ${cut3(message, maxText4)}` : head;
  };
  const errorText = (error, depth, chain) => {
    const head = errorHead(error);
    const stack = stackText(error);
    let out = stack === "" ? head : stack;
    const cause = describe2(error, "cause");
    if (depth < maxDepth4 && cause !== void 0 && has2(cause, "value")) out += `
[cause]: ${show(cause.value, depth + 1, chain)}`;
    return out;
  };
  const nodeText = (node2) => {
    const type = read2(nodeTypeOf, node2);
    if (type === 1) {
      const id = apply4(getAttribute, node2, ["id"]);
      const classes = apply4(getAttribute, node2, ["class"]);
      return `<${cut3(`${read2(localNameOf, node2)}`, 100)}${id === null ? "" : ` id="${cut3(id, 100)}"`}${classes === null ? "" : ` class="${cut3(classes, 200)}"`}>`;
    }
    if (type === 3) return `#text "${cut3(`${read2(nodeValueOf, node2)}`, 200)}"`;
    if (type === 9) return "#document";
    if (type === 11) return "#document-fragment";
    return "#node";
  };
  const keyText = (key2) => typeof key2 === "symbol" ? `[${apply4(symbolText2, key2, [])}]` : cut3(`${key2}`, 200);
  const listText = (value, length, depth, chain, name) => {
    const prefix = name === "" || name === "Array" ? "" : `${name}(${length}) `;
    if (depth >= maxDepth4) return name === "" ? `Array(${length})` : `${name}(${length})`;
    let out = `${prefix}[`;
    let i = 0;
    for (; i < length && i < maxEntries && left > 0; i++) {
      const found = describe2(value, i);
      out += i === 0 ? "" : ", ";
      out += found === void 0 ? "empty" : has2(found, "value") ? show(found.value, depth + 1, chain) : "(...)";
    }
    return `${out}${i < length ? `, \u2026 ${length - i} more` : ""}]`;
  };
  const collectionText = (value, isMap, depth, chain, name) => {
    const size = read2(isMap ? mapSize2 : setSize2, value);
    let out = `${name}(${size})`;
    if (depth >= maxDepth4) return out;
    out += " {";
    const walk2 = apply4(isMap ? mapEntries : setValues, value, []);
    let i = 0;
    for (; i < size && i < maxEntries && left > 0; i++) {
      const step2 = apply4(isMap ? nextOfMap : nextOfSet, walk2, []);
      if (step2.done === true) break;
      out += i === 0 ? "" : ", ";
      if (isMap) {
        const pair = step2.value;
        out += `${show(pair[0], depth + 1, chain)} => ${show(pair[1], depth + 1, chain)}`;
      } else out += show(step2.value, depth + 1, chain);
    }
    return `${out}${i < size ? `, \u2026 ${size - i} more` : ""}}`;
  };
  const objectText = (value, depth, chain) => {
    const name = className(value);
    const prefix = name === "" ? "" : `${name} `;
    if (depth >= maxDepth4) return `${prefix}{\u2026}`;
    const keys4 = ownKeys3(value);
    let out = `${prefix}{`;
    let shown4 = 0;
    let i = 0;
    for (; i < keys4.length && shown4 < maxEntries && left > 0; i++) {
      const key2 = keys4[i];
      const found = describe2(value, key2);
      if (found === void 0 || found.enumerable !== true) continue;
      out += shown4++ === 0 ? "" : ", ";
      out += `${keyText(key2)}: ${has2(found, "value") ? show(found.value, depth + 1, chain) : "(...)"}`;
    }
    return `${out}${i < keys4.length ? `, \u2026 ${keys4.length - i} more` : ""}}`;
  };
  const compose = (value, depth, chain) => {
    for (let at = chain; at !== null; at = at.next) if (at.value === value) return "[Circular]";
    const inner = { value, next: chain };
    if (typeof value === "function") {
      const name = plain3(value, "name");
      return `\u0192 ${typeof name === "string" ? cut3(name, 100) : ""}()`;
    }
    const kind = kindOf2(value);
    if (kind === errorProto2 || kind === exceptionProto) return errorText(value, depth, inner);
    if (kind === nodeProto) return nodeText(value);
    if (kind === dateProto) return apply4(toISOString, value, []);
    if (kind === patternProto) return `/${read2(patternSource, value)}/${read2(patternFlags, value)}`;
    if (kind === mapProto) return collectionText(value, true, depth, inner, className(value));
    if (kind === setProto) return collectionText(value, false, depth, inner, className(value));
    if (kind === bytesProto) return listText(value, read2(bytesLength, value), depth, inner, className(value));
    if (isArray3(value)) return listText(value, plain3(value, "length"), depth, inner, className(value));
    return objectText(value, depth, inner);
  };
  function show(value, depth, chain) {
    if (left <= 0) return "\u2026";
    let out;
    try {
      switch (typeof value) {
        case "string":
          out = depth === 0 ? cut3(value, maxText4) : `"${cut3(value, maxText4)}"`;
          break;
        case "number":
          out = value === 0 && 1 / value < 0 ? "-0" : apply4(numberText2, value, []);
          break;
        case "bigint":
          out = value > 2n ** 4096n || value < -(2n ** 4096n) ? "[large BigInt]" : `${apply4(bigText2, value, [])}n`;
          break;
        case "symbol":
          out = cut3(apply4(symbolText2, value, []), 200);
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
  let kept3 = 0;
  let lost = 0;
  let busy = false;
  let active2 = true;
  let disposed = false;
  const post = (line) => {
    if (sink !== void 0) return sink(line);
    if (nonce !== "") {
      apply4(dispatchEvent5, target, [new MakeEvent(nonce, { __proto__: null, detail: line })]);
      return;
    }
    const entry = { line, next: null };
    if (last === null) first = entry;
    else last.next = entry;
    last = entry;
    if (kept3 === maxKept && first !== null) {
      first = first.next;
      lost++;
    } else kept3++;
  };
  const emit = (kind, fields2) => {
    let lengths = "";
    let body = "";
    for (let i = 0; i < fields2.length; i++) {
      const field = fields2[i];
      lengths += i === 0 ? field.length : `,${field.length}`;
      body += field;
    }
    post(`${kind} ${now2()} ${lengths}
${body}`);
  };
  const guarded = (work) => {
    if (!active2 || busy) return;
    busy = true;
    try {
      work();
    } catch {
    } finally {
      busy = false;
    }
  };
  const callStack = () => {
    if (describe2(Error, "prepareStackTrace") !== void 0) return "";
    const stack = read2(stackOf, new Error());
    return typeof stack === "string" ? cut3(stack, maxText4) : "";
  };
  const onCall = (level, args) => {
    left = maxLine3;
    let lengths = "";
    let body = level === "warn" || level === "error" ? callStack() : "";
    lengths += body.length;
    let used = 0;
    for (let i = 0; i < args.length; i++) {
      let text2 = i < maxArgs && used < maxLine3 ? show(args[i], 0, null) : `\u2026 [${args.length - i} more arguments]`;
      text2 = cut3(text2, used + text2.length <= maxLine3 ? maxText4 : maxLine3 - used > 200 ? maxLine3 - used : 200);
      used += text2.length;
      lengths += `,${text2.length}`;
      body += text2;
      if (i >= maxArgs || used >= maxLine3) break;
    }
    post(`${level} ${now2()} ${lengths}
${body}`);
  };
  const onError = (event) => {
    guarded(() => {
      if (!event.isTrusted) return;
      let message;
      try {
        message = read2(errorFields.message, event);
      } catch {
        return;
      }
      left = maxLine3;
      const error = read2(errorFields.error, event);
      const kind = typeof error === "object" && error !== null ? kindOf2(error) : null;
      emit("exception", [
        cut3(`${message}`, maxText4),
        kind === errorProto2 || kind === exceptionProto ? stackText(error) : "",
        cut3(`${read2(errorFields.filename, event)}`, 2e3),
        `${read2(errorFields.lineno, event)}`,
        `${read2(errorFields.colno, event)}`
      ]);
    });
  };
  const onRejection = (event) => {
    guarded(() => {
      if (!event.isTrusted) return;
      left = maxLine3;
      const reason = read2(reasonOf, event);
      const kind = typeof reason === "object" && reason !== null ? kindOf2(reason) : null;
      const isError = kind === errorProto2 || kind === exceptionProto;
      emit("rejection", [isError ? errorHead(reason) : show(reason, 0, null), isError ? stackText(reason) : ""]);
    });
  };
  let wrapped = null;
  const wrap = (level) => {
    try {
      const original = describe2(sheet2, level);
      if (original === void 0 || typeof original.value !== "function") return;
      const proxy = new HookProxy(original.value, {
        __proto__: null,
        apply(call, self, args) {
          if (active2 && !busy) {
            busy = true;
            try {
              onCall(level, args);
            } catch {
            }
            busy = false;
          }
          return apply4(call, self, args);
        }
      });
      if (define(sheet2, level, { __proto__: null, ...original, value: proxy })) {
        wrapped = { level, original, proxy, next: wrapped };
      }
    } catch {
    }
  };
  const unwrap = () => {
    for (; wrapped !== null; wrapped = wrapped.next) {
      const current = describe2(sheet2, wrapped.level);
      if (current !== void 0 && has2(current, "value") && current.value === wrapped.proxy) define(sheet2, wrapped.level, wrapped.original);
    }
  };
  const listen = () => {
    apply4(addEventListener3, page, ["error", onError, true]);
    apply4(addEventListener3, page, ["unhandledrejection", onRejection, true]);
  };
  const install = () => {
    active2 = true;
    listen();
    if (wrapped !== null) return;
    wrap("log");
    wrap("info");
    wrap("warn");
    wrap("error");
    wrap("debug");
  };
  const off = () => {
    active2 = false;
    apply4(removeEventListener3, page, ["error", onError, true]);
    apply4(removeEventListener3, page, ["unhandledrejection", onRejection, true]);
    unwrap();
  };
  const onAsked = (event) => {
    apply4(preventDefault, event, []);
  };
  const onControl2 = (event) => {
    const word = read2(detailOf, event);
    if (word === "on") install();
    else if (word === "off") off();
    else if (word === "dispose") dispose();
  };
  const open = () => {
    apply4(addEventListener3, target, [`${nonce}?`, onAsked]);
    apply4(addEventListener3, target, [`${nonce}!`, onControl2]);
    emit("ready", [""]);
    if (lost > 0) emit("lost", [`${lost}`]);
    for (; first !== null; first = first.next) post(first.line);
    last = null;
    kept3 = lost = 0;
  };
  const onNonce = (event) => {
    const given2 = read2(detailOf, event);
    if (typeof given2 !== "string" || given2 === "" || nonce !== "") return;
    nonce = given2;
    apply4(removeEventListener3, target, ["debug-bridge:hook", onNonce]);
    open();
  };
  function dispose() {
    if (disposed) return;
    disposed = true;
    off();
    first = last = null;
    apply4(removeEventListener3, target, ["debug-bridge:hook", onNonce]);
    apply4(removeEventListener3, target, [`${nonce}?`, onAsked]);
    apply4(removeEventListener3, target, [`${nonce}!`, onControl2]);
  }
  const control = { on: install, off, dispose };
  if (sink === void 0 && nonce !== "") {
    const question2 = new MakeEvent(`${nonce}?`, { __proto__: null, cancelable: true });
    if (apply4(dispatchEvent5, target, [question2]) === false) return control;
  }
  install();
  if (sink === void 0 && nonce !== "") open();
  if (sink === void 0 && nonce === "") {
    apply4(addEventListener3, target, ["debug-bridge:hook", onNonce]);
    apply4(dispatchEvent5, target, [new MakeEvent("debug-bridge:hook?")]);
    later2(() => {
      if (nonce === "") dispose();
    }, giveUpAfter);
  }
  return control;
}

// src/page/collect/hook.ts
var maxLine2 = 128 * 1024;
var maxFields = 80;
var levels = /* @__PURE__ */ new Set(["log", "info", "warn", "error", "debug"]);
var source = /\(?((?:https?|file|blob|data|chrome-extension):[^\s)]*?):(\d+):(\d+)\)?$/;
function parseLine(line) {
  if (typeof line !== "string" || line.length > maxLine2) return void 0;
  const end = line.indexOf("\n");
  if (end < 0 || end > 2e3) return void 0;
  const head = line.slice(0, end).split(" ");
  if (head.length !== 3) return void 0;
  const [kind = "", stamp = "", lengths = ""] = head;
  if (!/^\d{1,16}$/.test(stamp) || !/^\d{1,6}(,\d{1,6})*$/.test(lengths)) return void 0;
  const fields2 = [];
  let at = end + 1;
  for (const text2 of lengths.split(",")) {
    const length = Number(text2);
    if (at + length > line.length || fields2.length === maxFields) return void 0;
    fields2.push(line.slice(at, at + length));
    at += length;
  }
  return at === line.length ? { kind, timestamp: Number(stamp), fields: fields2 } : void 0;
}
function messageOf(line, sink) {
  const parsed = parseLine(line);
  if (parsed === void 0) return;
  const { kind, timestamp, fields: fields2 } = parsed;
  if (levels.has(kind)) {
    const [stack = "", ...args] = fields2;
    sink.message({ type: "console", timestamp, level: kind, args, ...stack === "" ? {} : callSite(stack) });
  } else if (kind === "exception" && fields2.length === 5) {
    const [message = "", stack = "", filename = "", lineno = "", colno = ""] = fields2;
    sink.message({
      type: "error",
      timestamp,
      message,
      ...stack === "" ? {} : { stack },
      ...filename === "" ? {} : { filename },
      lineno: whole(lineno),
      colno: whole(colno)
    });
  } else if (kind === "rejection" && fields2.length === 2) {
    const [reason = "", stack = ""] = fields2;
    sink.message({ type: "unhandledrejection", timestamp, reason, ...stack === "" ? {} : { stack } });
  } else if (kind === "lost" && fields2.length === 1) {
    sink.lost(whole(fields2[0] ?? ""));
  }
}
function whole(text2) {
  return /^\d{1,9}$/.test(text2) ? Number(text2) : 0;
}
function callSite(stack) {
  const frames3 = stack.split("\n").slice(1);
  const own5 = frames3.slice(3);
  const place2 = source.exec(own5[0] ?? "");
  if (own5.length === 0) return {};
  return {
    stack: own5.join("\n"),
    ...place2 === null ? {} : { url: place2[1], line: Number(place2[2]), column: Number(place2[3]) }
  };
}
function ownWorldHook(sink) {
  let control;
  let wanted = true;
  let since;
  return {
    start() {
      since ??= Date.now();
      control ??= installMainHook("", (line) => messageOf(line, sink));
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
    dispose: () => control?.dispose()
  };
}
function otherWorldHook(nonce, sink) {
  const target = window.visualViewport ?? window;
  let listening = false;
  let paired = false;
  let wanted = true;
  let since;
  const onLine = (event) => {
    if (!(event instanceof CustomEvent)) return;
    paired = true;
    const line = event.detail;
    if (typeof line === "string" && line.startsWith("ready ")) {
      since ??= Number(line.split(" ", 2)[1]);
      if (!wanted) tell2("off");
    } else messageOf(line, sink);
  };
  const offer = () => {
    if (!paired) target.dispatchEvent(new CustomEvent("debug-bridge:hook", { detail: nonce }));
  };
  const tell2 = (word) => {
    target.dispatchEvent(new CustomEvent(`${nonce}!`, { detail: word }));
  };
  return {
    start() {
      if (listening) return;
      listening = true;
      target.addEventListener(nonce, onLine);
      target.addEventListener("debug-bridge:hook?", offer);
      offer();
    },
    on() {
      wanted = true;
      tell2("on");
    },
    off() {
      wanted = false;
      tell2("off");
    },
    rearm() {
      if (wanted) tell2("on");
    },
    since: () => since,
    dispose() {
      offer();
      tell2("dispose");
      target.removeEventListener(nonce, onLine);
      target.removeEventListener("debug-bridge:hook?", offer);
      listening = false;
    }
  };
}

// src/page/collect/html.ts
var voidElements = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
var rawText = new Set("style script xmp iframe noembed noframes plaintext noscript".split(" "));
var chunkLength = 64 * 1024;
var encoder = new TextEncoder();
var Sink = class {
  constructor(limit) {
    this.limit = limit;
  }
  limit;
  kept = [];
  buffer = "";
  keptBytes = 0;
  bytes = 0;
  truncated = false;
  add(text2) {
    this.buffer += text2;
    if (this.buffer.length >= chunkLength) this.flush();
  }
  /** True when no more of the text can be kept. */
  get full() {
    return this.truncated || this.bytes + this.buffer.length > this.limit;
  }
  flush() {
    const text2 = this.buffer.toWellFormed();
    this.buffer = "";
    const encoded = encoder.encode(text2);
    this.bytes += encoded.length;
    if (this.truncated) return;
    if (this.keptBytes + encoded.length <= this.limit) {
      this.kept.push(text2);
      this.keptBytes += encoded.length;
      return;
    }
    this.truncated = true;
    const part2 = new TextDecoder().decode(encoded.subarray(0, this.limit - this.keptBytes)).replace(/\uFFFD$/, "");
    this.kept.push(part2);
  }
  text() {
    return this.kept.join("");
  }
};
var unsafeText = /[&<>\u00a0]/;
var unsafeAttribute = /[&"<>\u00a0]/;
function escapeText(text2) {
  if (!unsafeText.test(text2)) return text2;
  return text2.replaceAll("&", "&amp;").replaceAll("\xA0", "&nbsp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
function escapeAttribute(text2) {
  if (!unsafeAttribute.test(text2)) return text2;
  return text2.replaceAll("&", "&amp;").replaceAll("\xA0", "&nbsp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
function safeAttribute(element2, name) {
  const value = attr(element2, name);
  if (value === null || value === "") return value;
  const lower = name.toLowerCase();
  if (lower === "value" || lower === "data-value") {
    const kind = secretKind(element2);
    if (kind !== null) return `\xABredacted:${kind}\xBB`;
  }
  return value;
}
var templateContent = Object.getOwnPropertyDescriptor(HTMLTemplateElement.prototype, "content")?.get;
var nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue")?.get;
var lastChild = Object.getOwnPropertyDescriptor(Node.prototype, "lastChild")?.get;
var previousSibling = Object.getOwnPropertyDescriptor(Node.prototype, "previousSibling")?.get;
var parentNodeOf = Object.getOwnPropertyDescriptor(Node.prototype, "parentNode")?.get;
function get(getter2, node2) {
  return getter2?.call(node2);
}
function openTag(element2, name) {
  let out = `<${name}`;
  for (const attribute of attrNames(element2)) {
    out += ` ${attribute}="${escapeAttribute(safeAttribute(element2, attribute) ?? "")}"`;
  }
  return `${out}>`;
}
function htmlOf(node2, options) {
  const sink = new Sink(options.limit);
  const stack = [node2];
  const pushChildren = (parent2) => {
    for (let child = get(lastChild, parent2); child !== null; child = get(previousSibling, child)) {
      stack.push(child);
    }
  };
  const element2 = (at) => {
    const name = localName(at);
    const isHtml = namespaceURI(at) === HTML_NAMESPACE;
    sink.add(openTag(at, name));
    if (isHtml && voidElements.has(name)) return;
    stack.push(`</${name}>`);
    const secret = name === "textarea" ? secretKind(at) : null;
    if (secret !== null) {
      if (firstChild(at) !== null) sink.add(`\xABredacted:${secret}\xBB`);
      return;
    }
    if (isHtml && name === "template") pushChildren(get(templateContent, at));
    else pushChildren(at);
    const root = options.flat?.shadowRoot(at) ?? null;
    if (root !== null) {
      stack.push("</template>");
      pushChildren(root);
      sink.add(`<template shadowrootmode="${root.mode}">`);
    }
  };
  for (let item = stack.pop(); item !== void 0; item = stack.pop()) {
    if (!options.count && sink.full) break;
    if (typeof item === "string") sink.add(item);
    else if (isElement(item)) element2(item);
    else sink.add(leaf(item));
  }
  sink.flush();
  return { html: sink.text(), truncated: sink.truncated, bytes: sink.bytes };
}
function leaf(node2) {
  const text2 = get(nodeValue, node2) ?? "";
  switch (nodeType(node2)) {
    case Node.TEXT_NODE: {
      const parent2 = get(parentNodeOf, node2);
      const raw = isElement(parent2) && namespaceURI(parent2) === HTML_NAMESPACE && rawText.has(localName(parent2));
      if (isElement(parent2) && localName(parent2) === "textarea") {
        const secret = secretKind(parent2);
        if (secret !== null) return `\xABredacted:${secret}\xBB`;
      }
      return raw ? text2 : escapeText(text2);
    }
    case Node.CDATA_SECTION_NODE:
      return `<![CDATA[${text2}]]>`;
    case Node.COMMENT_NODE:
      return `<!--${text2}-->`;
    case Node.PROCESSING_INSTRUCTION_NODE:
      return `<?${node2.nodeName} ${text2}>`;
    default:
      return "";
  }
}
var snapshotLimit = 2 * 1024 * 1024;
function documentHtml(flat) {
  const top = document.documentElement;
  if (top === null) return { html: "", truncated: false, bytes: 0 };
  return htmlOf(top, { limit: snapshotLimit, count: true, flat });
}
function fragmentHtml(node2, limit) {
  const { html, truncated } = htmlOf(node2, { limit, count: false });
  return truncated ? `${html}\u2026` : html;
}
function characterText(node2) {
  const parent2 = get(parentNodeOf, node2);
  if (isElement(parent2) && localName(parent2) === "textarea") {
    const secret = secretKind(parent2);
    if (secret !== null) return `\xABredacted:${secret}\xBB`;
  }
  return get(nodeValue, node2) ?? "";
}

// src/page/plain.ts
var maxStateBytes = 512 * 1024;
var maxDepth = 12;
var maxKeys = 2e3;
function weigh(value, mask) {
  let bytes = 2;
  const record = value;
  for (const key2 of Object.keys(record)) {
    bytes += key2.length + 4;
    const field = record[key2];
    if (typeof field === "string") {
      const text2 = mask(field.toWellFormed());
      if (text2 !== field) record[key2] = text2;
      bytes += text2.length + 2;
    } else if (typeof field === "object" && field !== null) bytes += weigh(field, mask);
    else bytes += 6;
  }
  return bytes;
}
function masker(secrets) {
  const list = (secrets ?? []).filter((secret) => secret.length >= 4);
  if (list.length === 0) return (text2) => text2;
  return (text2) => {
    let out = text2;
    for (const secret of list) if (out.includes(secret)) out = out.replaceAll(secret, "\xABredacted\xBB");
    return out;
  };
}
function cut2(text2, limit) {
  if (text2.length <= limit) return text2;
  const last = text2.charCodeAt(limit - 1);
  const end = last >= 55296 && last <= 56319 ? limit - 1 : limit;
  return `${text2.slice(0, end)}\u2026 [${text2.length - end} more characters]`;
}
function toPlain(input, limit = maxStateBytes) {
  let bytes = 0;
  let cuts = 0;
  const open = /* @__PURE__ */ new Set();
  const text2 = (value) => {
    const whole2 = value.toWellFormed();
    const kept3 = cut2(whole2, Math.max(64, limit - bytes));
    if (kept3 !== whole2) cuts++;
    bytes += kept3.length + 2;
    return kept3;
  };
  const list = (items, depth) => {
    const out = [];
    for (const item of items) {
      if (bytes > limit) {
        cuts++;
        break;
      }
      out.push(convert(item, depth + 1) ?? null);
    }
    return out;
  };
  const object = (value, depth) => {
    const out = {};
    let keys4 = 0;
    for (const key2 of Object.keys(value)) {
      if (++keys4 > maxKeys || bytes > limit) {
        cuts++;
        break;
      }
      let field;
      try {
        field = value[key2];
      } catch {
        cuts++;
        continue;
      }
      const plain3 = convert(field, depth + 1);
      bytes += key2.length + 4;
      if (plain3 !== void 0) {
        Object.defineProperty(out, key2.toWellFormed(), { value: plain3, enumerable: true, writable: true, configurable: true });
      }
    }
    return out;
  };
  const convert = (value, depth) => {
    switch (typeof value) {
      case "string":
        return text2(value);
      case "boolean":
        bytes += 5;
        return value;
      case "number":
        bytes += 8;
        return Number.isFinite(value) ? value : String(value);
      case "bigint":
        return text2(`${value}n`);
      case "symbol":
        return text2(String(value));
      case "function":
        return depth === 0 ? text2(`\u0192 ${value.name}()`) : void 0;
      case "undefined":
        return void 0;
      default:
        break;
    }
    if (value === null || typeof value !== "object") {
      bytes += 4;
      return null;
    }
    if (open.has(value)) {
      cuts++;
      return "[Circular]";
    }
    if (depth >= maxDepth) {
      cuts++;
      return Array.isArray(value) ? "[Array]" : "[Object]";
    }
    open.add(value);
    try {
      if (Array.isArray(value)) return list(value, depth);
      if (value instanceof Date) return text2(Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString());
      if (value instanceof RegExp) return text2(String(value));
      if (value instanceof Map) return list(value.entries(), depth);
      if (value instanceof Set) return list(value.values(), depth);
      if (value instanceof Error || value instanceof DOMException) return text2(`${value.name}: ${value.message}`);
      if (value instanceof Promise) return "[Promise]";
      if (value instanceof Element) return text2(`<${value.localName}${value.id === "" ? "" : ` id="${value.id}"`}>`);
      if (value instanceof Node) return text2(value.nodeName);
      if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return list(value, depth);
      const toJSON = value.toJSON;
      if (typeof toJSON === "function") {
        const json = toJSON.call(value, "");
        if (json !== value) return convert(json, depth + 1);
      }
      return object(value, depth);
    } catch {
      cuts++;
      return "[object that cannot be read]";
    } finally {
      open.delete(value);
    }
  };
  return { value: convert(input, 0), cuts };
}

// src/page/collect/path.ts
var maxDepth2 = 60;
var Paths = class {
  #paths = /* @__PURE__ */ new Map();
  #ranks = /* @__PURE__ */ new Map();
  #ids = /* @__PURE__ */ new Map();
  /** A path unique within the element's root; `host >>> inner` across shadow roots. */
  of(node2) {
    const element2 = isElement(node2) ? node2 : this.#nearest(node2);
    if (element2 === null) return "";
    const known2 = this.#paths.get(element2);
    if (known2 !== void 0) return known2;
    const made = this.#make(element2);
    this.#paths.set(element2, made);
    return made;
  }
  #nearest(node2) {
    if (node2 instanceof ShadowRoot) return node2.host;
    const up = parentNode(node2);
    if (isElement(up)) return up;
    return up instanceof ShadowRoot ? up.host : null;
  }
  #make(element2) {
    const steps = [];
    let at = element2;
    let anchored = false;
    for (let i = 0; i < maxDepth2 && !anchored; i++) {
      const id = attr(at, "id");
      anchored = id !== null && id !== "" && id.length < 100 && this.#unique(at, id);
      steps.unshift(anchored ? `#${escapeIdent(id ?? "")}` : this.#step(at));
      const up = parentNode(at);
      if (!isElement(up)) break;
      at = up;
    }
    const root = rootOf(element2);
    const path = steps.join(" > ");
    return root instanceof ShadowRoot ? `${this.of(root.host)} >>> ${path}` : path;
  }
  #unique(element2, id) {
    const root = rootOf(element2);
    if (root !== document) return root instanceof ShadowRoot && queryAll(root, `#${escapeIdent(id)}`).length === 1;
    let unique = this.#ids.get(id);
    if (unique === void 0) {
      unique = queryAll(document, `#${escapeIdent(id)}`).length === 1;
      this.#ids.set(id, unique);
    }
    return unique;
  }
  #step(element2) {
    const name = escapeIdent(localName(element2));
    const parent2 = parentNode(element2);
    if (parent2 === null || name === "html" || name === "body" || name === "head") return name;
    let ranks2 = this.#ranks.get(parent2);
    if (ranks2 === void 0) {
      ranks2 = /* @__PURE__ */ new Map();
      const seen4 = /* @__PURE__ */ new Map();
      for (let child = firstElement(parent2); child !== null; child = nextElementSibling(child)) {
        const kind = localName(child);
        const rank = (seen4.get(kind) ?? 0) + 1;
        seen4.set(kind, rank);
        ranks2.set(child, rank);
      }
      this.#ranks.set(parent2, ranks2);
    }
    return `${name}:nth-of-type(${ranks2.get(element2) ?? 1})`;
  }
};
function firstElement(parent2) {
  let child = parent2.firstChild;
  while (child !== null && !isElement(child)) child = child.nextSibling;
  return child;
}

// src/page/collect/mutations.ts
var batchDelay = 75;
var maxRecords2 = 500;
var maxHeld = 4e3;
var maxFragment = 500;
var maxText2 = 10240;
var maxNodes2 = 20;
var MutationCollector = class {
  constructor(send, budget2) {
    this.send = send;
    this.budget = budget2;
  }
  send;
  budget;
  #held = [];
  #uncounted = 0;
  #timer;
  add(records) {
    const room = maxHeld - this.#held.length;
    if (records.length <= room) for (const record of records) this.#held.push(record);
    else {
      for (let i = 0; i < room; i++) this.#held.push(records[i]);
      this.#uncounted += records.length - Math.max(0, room);
    }
    this.#timer ??= setTimeout(() => this.flush(), batchDelay);
  }
  flush() {
    if (this.#timer !== void 0) clearTimeout(this.#timer);
    this.#timer = void 0;
    const records = this.#held;
    let dropped = this.#uncounted;
    this.#held = [];
    this.#uncounted = 0;
    if (records.length === 0) return;
    const start2 = performance.now();
    const until = start2 + Math.max(0.5, this.budget.left);
    const kept3 = records.length > maxRecords2 ? latest(records) : records;
    dropped += records.length - kept3.length;
    const paths = new Paths();
    const mutations = [];
    for (const record of kept3) {
      if (mutations.length >= maxRecords2 || mutations.length % 8 === 7 && performance.now() > until) break;
      mutations.push(describe(record, paths));
    }
    dropped += kept3.length - mutations.length;
    this.budget.spend(performance.now() - start2);
    this.send({ type: "dom_mutations", timestamp: Date.now(), mutations, ...dropped > 0 ? { dropped } : {} });
  }
  dispose() {
    if (this.#timer !== void 0) clearTimeout(this.#timer);
    this.#timer = void 0;
    this.#held = [];
    this.#uncounted = 0;
  }
};
function latest(records) {
  const seen4 = /* @__PURE__ */ new Map();
  const kept3 = [];
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i];
    if (record.type !== "childList") {
      const key2 = record.attributeName ?? "";
      let keys4 = seen4.get(record.target);
      if (keys4 === void 0) seen4.set(record.target, keys4 = /* @__PURE__ */ new Set());
      if (keys4.has(key2)) continue;
      keys4.add(key2);
    }
    kept3.push(record);
  }
  return kept3.reverse();
}
function describe(record, paths) {
  const { target } = record;
  const out = { mutationType: record.type, targetSelector: cut2(paths.of(target), maxText2) };
  if (record.type === "attributes") {
    const name = record.attributeName ?? "";
    out.attributeName = cut2(name, 200);
    const value = isElement(target) ? safeAttribute(target, name) : null;
    if (value !== null) out.textContent = cut2(value, maxText2);
  } else if (record.type === "characterData") {
    out.textContent = cut2(characterText(target), maxText2);
  } else {
    if (record.addedNodes.length > 0) out.addedNodes = fragments(record.addedNodes);
    if (record.removedNodes.length > 0) out.removedNodes = fragments(record.removedNodes);
  }
  return out;
}
function fragments(nodes) {
  const out = [];
  for (let i = 0; i < nodes.length; i++) {
    if (i === maxNodes2) {
      out.push(`\u2026 ${nodes.length - i} more nodes`);
      break;
    }
    out.push(fragmentHtml(nodes[i], maxFragment));
  }
  return out;
}

// src/page/collect/sdk.ts
var announce = "debug-bridge:sdk";
var ask = "debug-bridge:who";
var appId = /^[A-Za-z0-9._-]{8,64}$/;
function watchSdk(report) {
  const seen4 = /* @__PURE__ */ new Set();
  const onAnnounce = (event) => {
    const id = event instanceof CustomEvent ? event.detail : void 0;
    if (typeof id !== "string" || !appId.test(id) || seen4.has(id) || seen4.size >= 8) return;
    seen4.add(id);
    report(id);
  };
  document.addEventListener(announce, onAnnounce);
  document.dispatchEvent(new CustomEvent(ask));
  return () => document.removeEventListener(announce, onAnnounce);
}
function announceSdk(id) {
  const say = () => {
    document.dispatchEvent(new CustomEvent(announce, { detail: id }));
  };
  document.addEventListener(ask, say);
  say();
  return () => document.removeEventListener(ask, say);
}

// src/app/part.ts
var Refusal = class extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
  code;
};

// src/page/collect/tools.ts
var maxNames = 200;
var maxName = 200;
function pageTools(app, part2, send) {
  const tell2 = (value) => send({ type: "tools_changed", timestamp: Date.now(), ...news(value) });
  app?.on("tools", tell2);
  return {
    async ask(op, args, signal) {
      if (app !== void 0) return (await app.ask(op, args, [], signal)).value;
      const run3 = part2?.operations[op];
      if (run3 === void 0) throw new BridgeFault("CAPABILITY_MISSING", "The page tells of no tools here.");
      try {
        return await within(signal, run3(args, { elements: [], give: () => -1 }));
      } catch (error) {
        throw error instanceof Refusal ? new BridgeFault(error.code, "The page offers no such tool.") : error;
      }
    },
    start: () => part2?.begin?.((_kind, value) => tell2(value)),
    dispose: () => part2?.dispose()
  };
}
function news(value) {
  const { names: names2, unseen } = typeof value === "object" && value !== null ? value : {};
  const list = Array.isArray(names2) ? names2.filter((name) => typeof name === "string").slice(0, maxNames) : [];
  return { names: list.map((name) => name.slice(0, maxName)), unseen: typeof unseen === "number" && unseen > 0 ? 1 : 0 };
}
async function within(signal, work) {
  return await new Promise((done, fail) => {
    const abort = () => fail(new BridgeFault("TIMEOUT", "The page gave no answer in time."));
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(work).then(done, fail).finally(() => signal.removeEventListener("abort", abort));
  });
}

// src/page/collect/patch.ts
function diff(from, to, most3 = 2e3) {
  const out = [];
  return walk(from, to, "", out, most3) ? out : null;
}
function walk(from, to, path, out, most3) {
  if (from === to) return true;
  if (Array.isArray(from) && Array.isArray(to)) return lists(from, to, path, out, most3);
  if (isMembers(from) && isMembers(to)) return members(from, to, path, out, most3);
  return out.push({ op: "replace", path, value: to }) <= most3;
}
function members(from, to, path, out, most3) {
  for (const key2 of Object.keys(from)) {
    if (!Object.hasOwn(to, key2) && out.push({ op: "remove", path: `${path}/${escape(key2)}` }) > most3) return false;
  }
  for (const key2 of Object.keys(to)) {
    const at = `${path}/${escape(key2)}`;
    if (Object.hasOwn(from, key2)) {
      if (!walk(from[key2], to[key2], at, out, most3)) return false;
    } else if (out.push({ op: "add", path: at, value: to[key2] }) > most3) return false;
  }
  return true;
}
function lists(from, to, path, out, most3) {
  let first = 0;
  let endFrom = from.length;
  let endTo = to.length;
  while (first < endFrom && first < endTo && same(from[first], to[first])) first++;
  while (endFrom > first && endTo > first && same(from[endFrom - 1], to[endTo - 1])) {
    endFrom--;
    endTo--;
  }
  const both = Math.min(endFrom, endTo);
  for (let i = first; i < both; i++) if (!walk(from[i], to[i], `${path}/${i}`, out, most3)) return false;
  for (let i = endFrom - 1; i >= both; i--) if (out.push({ op: "remove", path: `${path}/${i}` }) > most3) return false;
  for (let i = both; i < endTo; i++) if (out.push({ op: "add", path: `${path}/${i}`, value: to[i] }) > most3) return false;
  return true;
}
function same(a, b) {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isMembers(a) || !isMembers(b)) return false;
  const keys4 = Object.keys(a);
  return keys4.length === Object.keys(b).length && keys4.every((key2) => Object.hasOwn(b, key2) && same(a[key2], b[key2]));
}
function isMembers(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function escape(key2) {
  return key2.includes("~") || key2.includes("/") ? key2.replaceAll("~", "~0").replaceAll("/", "~1") : key2;
}

// src/page/collect/state.ts
var pollInterval = 500;
var pokeInterval = 200;
var between2 = 99;
var retryInterval = 250;
var answerLimit = 1e4;
var maxScopes = 200;
var maxKeys2 = 20;
var patchShare = 0.8;
var StateCollector = class {
  constructor(getter2, send, ready2, app) {
    this.getter = getter2;
    this.send = send;
    this.ready = ready2;
    this.app = app;
    app?.on("ready", () => {
      if (this.#following) this.#follow(true);
    });
    app?.on("state", (value) => this.#take(value));
  }
  getter;
  send;
  ready;
  app;
  #sent = /* @__PURE__ */ new Map();
  // scope → JSON last told
  #pushed = /* @__PURE__ */ new Map();
  #stores = /* @__PURE__ */ new Map();
  #timer;
  #retry;
  #poke;
  #following = false;
  start() {
    this.#following = true;
    if (this.app?.ready === true) this.#follow(true);
    if (this.getter === void 0 || this.#timer !== void 0) return;
    this.poll();
    this.#timer = setInterval(() => this.poll(), pollInterval);
  }
  stop() {
    this.#following = false;
    this.#follow(false);
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    clearTimeout(this.#poke);
    this.#timer = this.#retry = this.#poke = void 0;
    for (const store of this.#stores.values()) store.told = store.next = void 0;
  }
  #follow(on) {
    this.app?.poke("state.follow", { on });
  }
  /** The page did something: what does not tell its changes is looked at soon. */
  stir() {
    if (!this.#following || this.app?.ready !== true) return;
    this.#poke ??= setTimeout(() => {
      this.#poke = void 0;
      this.app?.poke("state.poke");
    }, pokeInterval);
  }
  /** An action begins, or is over: what its handlers changed in stores is told before its answer. */
  hurry() {
    if (this.#following) this.app?.poke("state.hurry");
  }
  /** Tells the scopes that changed since they were last told. */
  poll() {
    this.stir();
    if (this.#timer !== void 0 && !this.ready()) return;
    for (const item of this.#read()) this.#tell(item.scope, item.state);
  }
  /** The app says it itself. */
  push(scope, state, tell2) {
    const { value } = toPlain(state);
    this.#pushed.set(scope, value);
    if (tell2) this.#tell(scope, value);
  }
  /** Tells every scope again, whole: the other side lost what it knew. */
  repeat() {
    this.#sent.clear();
    for (const { scope, state } of this.#custom()) this.#tell(scope, state);
    for (const [scope, store] of this.#stores) {
      if (store.told === void 0) continue;
      store.next ??= { value: store.told.value, size: JSON.stringify(store.told.value).length };
      store.told = void 0;
      this.#say(scope, store);
    }
  }
  /** Everything now. What the stores hold is told first, so that a version stands for the same value in both. */
  async all(scope, signal) {
    const rows2 = await this.rows(scope === void 0 ? {} : { scope }, signal);
    return rows2.map(({ scope: name, value, source: source2, version }) => ({ scope: name, state: value, source: source2, version }));
  }
  /** What a bridge in the page's own world has, which is there at once. */
  #custom(scope) {
    const items = new Map(this.#pushed);
    for (const item of this.#read()) items.set(item.scope, item.state);
    const out = [];
    for (const [name, state] of items) if (scope === void 0 || scope === name) out.push({ scope: name, state: state ?? null, source: "custom" });
    return out;
  }
  /** The scopes now, or one of them; with a path, what stands there in it. */
  async rows(which, signal) {
    const custom = this.#custom(which.scope).map(({ scope, state, source: source2 }) => ({
      scope,
      source: source2,
      can: [],
      size: JSON.stringify(state).length,
      keys: keysOf(state),
      cuts: 0,
      value: state
    }));
    if (this.app === void 0) return custom;
    const whole2 = which.path === void 0 || which.path.length === 0;
    const limit = AbortSignal.any([AbortSignal.timeout(answerLimit), ...signal === void 0 ? [] : [signal]]);
    const { value } = await this.app.ask("state.read", { ...which, brief: whole2 && which.scope?.startsWith("window:") !== true }, [], limit);
    const rows2 = Array.isArray(value) ? value.slice(0, maxScopes).map(rowOf).filter((row) => row !== void 0) : [];
    for (const row of rows2) {
      if (whole2 && this.#following && row.source !== "window") this.#hold(row.scope, row.source, row.value, row.size, true);
      row.version = this.#stores.get(row.scope)?.version;
    }
    return [...custom, ...rows2];
  }
  /** News of the inspector. */
  #take(news2) {
    if (!this.#following || typeof news2 !== "object" || news2 === null) return;
    const { scope, source: source2, size, value, gone } = news2;
    if (typeof scope !== "string" || typeof source2 !== "string") return;
    if (gone === true) {
      this.#gone(scope);
      return;
    }
    this.#hold(scope, source2, value, typeof size === "number" ? size : Infinity, false);
  }
  #gone(scope) {
    const store = this.#stores.get(scope);
    if (store === void 0) return;
    if (store.version > 0) this.send({ type: "state_update", timestamp: Date.now(), scope, source: store.source, version: ++store.version, state: null, gone: true });
    store.told = store.next = void 0;
  }
  #hold(scope, source2, value, size, now2) {
    let store = this.#stores.get(scope);
    if (store === void 0) {
      if (this.#stores.size >= maxScopes) return;
      store = { source: source2.slice(0, 50), version: 0, told: void 0, next: void 0, at: -Infinity };
      this.#stores.set(scope.slice(0, 200), store);
    }
    store.next = { value: value ?? null, size };
    if (now2 || this.ready() && performance.now() - store.at >= between2) this.#say(scope, store);
    else this.#retry ??= setTimeout(() => this.#again(), retryInterval);
  }
  /** A reader that was behind gets what came meanwhile as one change. */
  #again() {
    this.#retry = void 0;
    if (!this.ready()) {
      this.#retry = setTimeout(() => this.#again(), retryInterval);
      return;
    }
    for (const [scope, store] of this.#stores) this.#say(scope, store);
  }
  #say(scope, store) {
    const { told: told3, next } = store;
    if (next === void 0) return;
    store.next = void 0;
    const patch = told3 === void 0 ? null : diff(told3.value, next.value);
    if (patch !== null && patch.length === 0) return;
    store.told = { value: next.value };
    store.at = performance.now();
    const baseVersion = store.version++;
    const head = { type: "state_update", timestamp: Date.now(), scope, source: store.source, version: store.version };
    if (patch !== null && JSON.stringify(patch).length < next.size * patchShare) this.send({ ...head, baseVersion, patch });
    else this.send({ ...head, state: next.value });
  }
  #tell(scope, state) {
    const json = JSON.stringify(state) ?? "null";
    if (this.#sent.get(scope) === json) return;
    this.#sent.set(scope, json);
    this.send({ type: "state_update", timestamp: Date.now(), scope, state: state ?? null, source: "custom" });
  }
  /** Each top-level key of what the getter gives is a scope. */
  #read() {
    if (this.getter === void 0) return [];
    let given2;
    try {
      given2 = this.getter();
    } catch (error) {
      return [{ scope: "error", state: toPlain(error).value ?? null }];
    }
    const { value } = toPlain(given2);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value === void 0 ? [] : [{ scope: "custom", state: value }];
    return Object.entries(value).map(([scope, state]) => ({ scope, state }));
  }
};
function rowOf(value) {
  if (typeof value !== "object" || value === null) return void 0;
  const row = value;
  const { scope, source: source2, size, cuts } = row;
  if (typeof scope !== "string" || typeof source2 !== "string") return void 0;
  return {
    scope: scope.slice(0, 1e3),
    source: source2.slice(0, 50),
    size: typeof size === "number" ? size : 0,
    cuts: typeof cuts === "number" ? cuts : 0,
    can: Array.isArray(row.can) ? row.can.filter((can) => can === "follow" || can === "dispatch" || can === "set") : [],
    keys: keysOf(row.value),
    value: row.value ?? null
  };
}
function keysOf(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value).slice(0, maxKeys2).map((key2) => key2.slice(0, 100)) : [];
}

// src/page/collect/storm.ts
var span = 1e3;
var most = 2e4;
var rest = 900;
var Storm = class {
  constructor(off, on) {
    this.off = off;
    this.on = on;
  }
  off;
  on;
  #began = 0;
  #seen = 0;
  #timer;
  get resting() {
    return this.#timer !== void 0;
  }
  count(records) {
    const now2 = performance.now();
    if (now2 - this.#began > span) {
      this.#began = now2;
      this.#seen = 0;
    }
    this.#seen += records;
    if (this.#seen <= most || this.resting) return;
    this.off();
    this.#timer = setTimeout(() => {
      this.end();
      this.on();
    }, rest);
  }
  end() {
    if (this.#timer !== void 0) clearTimeout(this.#timer);
    this.#timer = void 0;
    this.#seen = 0;
  }
};

// src/page/collect/tree.ts
var firstLook = 60;
var between3 = 500;
var share3 = 60;
var checkAfter = 4e3;
var TreeCollector = class {
  constructor(tree, custom, send, congested, take2) {
    this.tree = tree;
    this.custom = custom;
    this.send = send;
    this.congested = congested;
    this.take = take2;
  }
  tree;
  custom;
  send;
  congested;
  take;
  #timer;
  #unlisten;
  #next = 0;
  // when the next diff may be made
  #told = false;
  #seen = 0;
  start() {
    this.#unlisten ??= this.tree.listen(() => this.#schedule());
  }
  stop() {
    this.#unlisten?.();
    this.#unlisten = void 0;
    if (this.#timer !== void 0) clearTimeout(this.#timer);
    this.#timer = void 0;
    this.#told = false;
  }
  relisten() {
    if (this.#unlisten === void 0) return;
    this.#unlisten();
    this.#unlisten = this.tree.listen(() => this.#schedule());
  }
  observe(records) {
    if (!this.#told) return;
    this.#seen += records.length;
    if (this.#seen <= checkAfter) this.tree.observe(records);
    else if (this.#seen - records.length <= checkAfter) this.tree.observe("all");
    this.#schedule();
  }
  /** Nobody saw what changed for a while. */
  missed() {
    if (!this.#told) return;
    if (this.#seen <= checkAfter) this.tree.observe("all");
    this.#seen = checkAfter + 1;
    this.#schedule();
  }
  /** The whole tree as a message. */
  tell() {
    this.send({ type: "ui_tree", timestamp: Date.now(), ...this.full(), full: true });
  }
  /** The whole tree as it is now; diffs go on from it, and who follows them gets the one up to here. */
  full() {
    this.take();
    const start2 = performance.now();
    const { items, version, truncated, diff: diff2 } = this.tree.full();
    this.#rest(start2);
    if (diff2 !== null && this.#told && this.#unlisten !== void 0 && this.custom === void 0) this.#tellDiff(diff2);
    this.#told = true;
    this.#seen = 0;
    if (this.custom !== void 0) {
      try {
        return { items: this.custom().map(copy), version };
      } catch {
      }
    }
    return { items: items.map(copy), version, ...truncated > 0 ? { truncated } : {} };
  }
  #rest(start2) {
    const now2 = performance.now();
    this.#next = now2 + Math.max(between3, (now2 - start2) * share3);
  }
  #schedule() {
    if (this.#timer !== void 0 || !this.#told) return;
    this.#timer = setTimeout(() => this.#look(), Math.max(firstLook, this.#next - performance.now()));
  }
  #look() {
    this.#timer = void 0;
    if (this.congested()) {
      this.#timer = setTimeout(() => this.#look(), between3);
      return;
    }
    this.take();
    const start2 = performance.now();
    this.#seen = 0;
    const diff2 = this.tree.diff();
    this.#rest(start2);
    if (diff2 === null) return;
    if (this.custom !== void 0) this.tell();
    else this.#tellDiff(diff2);
  }
  #tellDiff(diff2) {
    this.send({ type: "ui_tree_diff", timestamp: Date.now(), ...diff2, added: diff2.added.map(copy) });
  }
};
function copy(item) {
  return item.meta === void 0 ? { ...item } : { ...item, meta: { ...item.meta } };
}

// src/page/dom/frames.ts
function frameInfo(tree, known2) {
  return {
    index: ownIndex(),
    childFrames: childFrames(tree, known2),
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { x: scrollX, y: scrollY },
    devicePixelRatio
  };
}
function ownIndex() {
  if (parent === window) return -1;
  for (let i = 0; i < parent.length; i += 1) if (parent[i] === window) return i;
  return -1;
}
function childFrames(tree, known2) {
  if (window.length === 0 && !tree.flat.sawRoots) return [];
  const found = [];
  const pass = tree.pass();
  for (const { element: element2, order } of known2 ?? frameElements(tree, pass)) {
    const frame2 = childFrame(element2, order, tree, pass);
    if (frame2 !== null) found.push({ ...frame2, visible: pass.layout.measure(element2).hidden === null });
  }
  return found;
}
function frameElements(tree, pass) {
  const found = [];
  const top = document.documentElement;
  if (top === null) return found;
  let order = 0;
  pass.flat.walk(top, true, (element2) => {
    if (tree.itemOf(element2) !== void 0) order += 1;
    const tag4 = localName(element2);
    if (frameTags.has(tag4)) found.push({ element: element2, order });
    return opaque.has(tag4) && tag4 !== "frameset" ? null : true;
  });
  return found;
}
function childFrame(element2, order, tree, pass) {
  const child = element2.contentWindow ?? null;
  if (child === null) return null;
  let index = -1;
  for (let i = 0; i < window.length; i += 1) {
    if (window[i] === child) {
      index = i;
      break;
    }
  }
  const rect = rectOf(element2);
  const style = styleOf(element2);
  const width = element2.offsetWidth;
  const scale = width > 0 && rect.width > 0 ? rect.width / width : 1;
  const padLeft = Number.parseFloat(style.paddingLeft) || 0;
  const padTop = Number.parseFloat(style.paddingTop) || 0;
  const padRight = Number.parseFloat(style.paddingRight) || 0;
  const padBottom = Number.parseFloat(style.paddingBottom) || 0;
  return {
    index,
    bounds: {
      x: rect.x + (clientLeft(element2) + padLeft) * scale,
      y: rect.y + (clientTop(element2) + padTop) * scale,
      width: Math.max(0, clientWidth(element2) - padLeft - padRight) * scale,
      height: Math.max(0, clientHeight(element2) - padTop - padBottom) * scale
    },
    scale: Math.round(scale * 1e4) / 1e4,
    ref: candidate(element2, tree, pass).ref,
    order,
    src: (attr(element2, "src") ?? attr(element2, "data") ?? "").slice(0, 200).toWellFormed(),
    name: (attr(element2, "name") ?? "").slice(0, 200).toWellFormed()
  };
}

// src/page/dom/timing.ts
var noFrame = 60;
var Channel = MessageChannel;
function turn() {
  return new Promise((done) => {
    const { port1, port2 } = new Channel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
}
async function settleFrame() {
  if (document.hidden) {
    await turn();
    await turn();
    return false;
  }
  return await new Promise((done) => {
    const timer2 = startTimer(() => {
      cancelFrame(frame2);
      done(false);
    }, noFrame);
    const frame2 = nextFrame(() => {
      stopTimer(timer2);
      done(true);
    });
  });
}

// src/page/execute/app-components.ts
var componentCommands = {
  /** Parameters: target? (the tree in its component), name? (a filter), depth?, limit?. */
  component_tree: async ({ target, name, depth, limit }, around, signal) => await ask2("component.tree", { name, depth, limit }, target, around, signal),
  /** Parameters: name, or target. */
  component_inspect: async ({ target, name }, around, signal) => await ask2("component.inspect", { name }, target, around, signal),
  /** Parameters: target. */
  component_of: async ({ target }, around, signal) => await ask2("component.of", {}, target, around, signal)
};
async function ask2(op, args, target, around, signal) {
  if (around.app === void 0) throw new BridgeFault("CAPABILITY_MISSING", "The components of a page that embeds the SDK are seen with the extension only.", void 0, ["Connect the tab: dbridge connect"]);
  const element2 = target === void 0 ? [] : [await around.targets.resolve({ target, waitMs: 0 }, signal)];
  const { value, elements } = await around.app.ask(op, args, element2, signal);
  return { result: withRefs(value, elements, around), effect: "noop" };
}
function withRefs(value, elements, around) {
  const pass = around.uiTree.pass();
  const name = (item) => {
    if (typeof item !== "object" || item === null || !("element" in item)) return;
    const element2 = elements[Number(item.element)];
    delete item.element;
    if (element2?.isConnected === true) Object.assign(item, { ref: candidate(element2, around.uiTree, pass).ref });
  };
  name(value);
  if (typeof value !== "object" || value === null) return value;
  for (const list of [Reflect.get(value, "rows"), Reflect.get(value, "chain")]) if (Array.isArray(list)) list.forEach(name);
  return value;
}

// src/recorder/messages.ts
var RECORDER = "__debugBridgeRecorder";

// src/page/execute/wait.ts
async function frame() {
  await settleFrame();
  await turn();
}
function check(signal, last) {
  if (!signal.aborted) return;
  const reason = signal.reason;
  if (reason instanceof BridgeFault) throw reason;
  throw last ?? new BridgeFault("TIMEOUT", "The time limit passed before the command was done.");
}
async function retry(attempt, passing3, limit, signal) {
  const until = performance.now() + limit;
  let last;
  for (; ; ) {
    check(signal, last);
    const start2 = performance.now();
    try {
      return await attempt();
    } catch (error) {
      check(signal, error instanceof BridgeFault ? error : last);
      if (!(error instanceof BridgeFault) || !passing3.has(error.code) || performance.now() >= until) throw error;
      last = error;
    }
    const cost = performance.now() - start2;
    await settleFrame();
    const rest2 = Math.min(Math.max(cost * 3, document.hidden ? 40 : 0), 400, until - performance.now());
    if (rest2 > 1) await pause2(rest2, signal);
  }
}
function pause2(ms, signal) {
  return new Promise((resolve2) => {
    const done = () => {
      stopTimer(timer2);
      signal.removeEventListener("abort", done);
      resolve2();
    };
    const timer2 = startTimer(done, ms);
    signal.addEventListener("abort", done);
  });
}

// src/page/execute/effect.ts
var quietLimit = 100;
var telling2 = ["input", "change", "scroll", "toggle", "submit", "reset", "close"];
function deepActive() {
  let at = activeElement(document);
  while (at?.shadowRoot != null) {
    const inner = activeElement(at.shadowRoot);
    if (inner === null) break;
    at = inner;
  }
  return at;
}
function facts(element2) {
  if (element2 === null) return "";
  if (!isConnected(element2)) return "gone";
  const parts2 = [element2.scrollLeft, element2.scrollTop];
  if (element2 instanceof HTMLInputElement) parts2.push(element2.value, element2.checked, element2.indeterminate, element2.files?.length);
  else if (element2 instanceof HTMLTextAreaElement) parts2.push(element2.value);
  else if (element2 instanceof HTMLSelectElement) for (const option of element2.selectedOptions) parts2.push(option.index);
  else if (element2 instanceof HTMLDetailsElement || element2 instanceof HTMLDialogElement) parts2.push(element2.open);
  const box2 = rectOf(element2);
  parts2.push(Math.round(box2.x), Math.round(box2.y));
  return parts2.join("\0");
}
function takesText(element2) {
  return element2 instanceof HTMLTextAreaElement || element2 instanceof HTMLSelectElement || element2 instanceof HTMLElement && element2.isContentEditable || element2 instanceof HTMLInputElement && !["button", "submit", "reset", "image", "checkbox", "radio", "file"].includes(element2.type);
}
var Watch = class {
  target;
  /** Changes of the document. */
  mutations = 0;
  #activity = 0;
  #drag;
  #navigations = [];
  #left = false;
  #observer;
  #changes;
  #url = location.href;
  #active = deepActive();
  #facts;
  #scroll = `${scrollX} ${scrollY}`;
  /** Without words only that something changed is told, not what. */
  constructor(target, scope, words = true) {
    this.target = target;
    this.#facts = facts(target);
    this.#changes = words ? new Changes(scope.uiTree, () => scope.roots()) : void 0;
    if (words) scope.state.hurry();
    this.#changes?.begin();
    this.#observer = new MutationObserver((records) => this.#take(records));
    this.#observer.observe(document, changeRecords);
    for (const root of scope.roots()) this.#observer.observe(root, changeRecords);
    for (const type of telling2) addEventListener(type, this.#onEvent, { capture: true, passive: true });
    addEventListener("dragstart", this.#onDrag, { capture: true, passive: true });
    addEventListener("pagehide", this.#onLeave, true);
    if ("navigation" in window) navigation.addEventListener("navigate", this.#onNavigate);
  }
  #onEvent = (event) => {
    this.#activity++;
    const first = event.composedPath()[0];
    if (!(first instanceof Node) || !isElement(first)) return;
    if (event.type === "input" || event.type === "change" || event.type === "toggle" && hasAttr(first, "popover")) this.#changes?.touched(first);
  };
  #take(records) {
    this.mutations += records.length;
    this.#changes?.add(records);
  }
  /** What changed, in words. */
  words() {
    this.#count();
    return this.#changes?.tell(toldChanges, this.target) ?? { changes: [], more: 0 };
  }
  #onLeave = () => {
    this.#left = true;
  };
  #onNavigate = (event) => {
    this.#navigations.push(event);
    this.#activity++;
  };
  #onDrag = (event) => {
    this.#drag = event;
  };
  /** The page lets the browser drag something. */
  get dragging() {
    return this.#drag?.defaultPrevented === false;
  }
  /** The document's address, when it is another one. */
  get moved() {
    return location.href === this.#url ? void 0 : location.href;
  }
  /** Where the focus went, when it moved to anything but the target. */
  get focused() {
    const now2 = deepActive();
    return now2 === this.#active || now2 === this.target || now2 === document.body ? null : now2;
  }
  #count() {
    this.#take(this.#observer.takeRecords());
    return this.mutations + this.#activity;
  }
  #navigating() {
    if (this.#left || location.href !== this.#url) return true;
    return this.#navigations.some((event) => !event.destination.sameDocument && event.downloadRequest === null && !event.defaultPrevented && !event.signal.aborted);
  }
  /** Waits until nothing more happens (about 100 ms at most) and says what changed. */
  async settle(signal, keep = false, again = false) {
    try {
      const until = performance.now() + quietLimit;
      const before = again ? this.#count() : 0;
      await turn();
      if (!this.#told() || this.#scrolled() || again && this.#count() === before) await frame();
      let seen4 = this.#count();
      while (seen4 > 0 && !this.#navigating() && performance.now() < until) {
        check(signal);
        await turn();
        const now2 = this.#count();
        if (now2 === seen4) break;
        seen4 = now2;
      }
      return this.effect();
    } finally {
      if (!keep) this.stop();
    }
  }
  /** Something came of the action, beyond the focus that any press moves. */
  #told() {
    if (this.#count() > 0 || this.#navigating() || this.#moved()) return true;
    return deepActive() !== this.#active && this.target !== null && takesText(this.target);
  }
  #scrolled() {
    return `${scrollX} ${scrollY}` !== this.#scroll;
  }
  #moved() {
    return facts(this.target) !== this.#facts || this.#scrolled();
  }
  #changed() {
    return deepActive() !== this.#active || this.#moved();
  }
  effect() {
    if (this.#navigating()) return "navigated";
    return this.#count() > 0 || this.#changed() ? "changed" : "noop";
  }
  stop() {
    this.#observer.disconnect();
    for (const type of telling2) removeEventListener(type, this.#onEvent, { capture: true });
    removeEventListener("dragstart", this.#onDrag, { capture: true });
    removeEventListener("pagehide", this.#onLeave, true);
    if ("navigation" in window) navigation.removeEventListener("navigate", this.#onNavigate);
  }
};

// src/page/execute/app-record.ts
var usualCheckout = 3e4;
var running;
function describer(around) {
  let pass;
  return (element2) => {
    if (pass === void 0) {
      pass = around.uiTree.pass();
      queueMicrotask(() => {
        pass = void 0;
      });
    }
    const { role, name, selector } = lookOf(element2, around.uiTree, pass);
    return { role, name, selector };
  };
}
function isSecret(element2) {
  return secretKind(element2) !== null || element2 instanceof HTMLInputElement && masksText(element2);
}
function stopRecording() {
  running?.stop();
  running = void 0;
}
var recordCommands = {
  record_start: async (command, around) => {
    const start2 = globalThis[RECORDER];
    if (around.allowEval || typeof start2 !== "function") {
      throw new BridgeFault("CAPABILITY_MISSING", "The recorder is not in the page.", { recorder: "missing" });
    }
    stopRecording();
    const { checkoutMs } = command;
    running = start2({ checkoutMs: typeof checkoutMs === "number" && checkoutMs >= 1e3 ? checkoutMs : usualCheckout }, {
      post: around.post,
      congested: around.congested,
      secret: isSecret,
      describe: describer(around)
    });
    const { innerWidth: innerWidth2, innerHeight: innerHeight2, devicePixelRatio: devicePixelRatio2 } = window;
    return {
      result: { at: Date.now(), width: innerWidth2, height: innerHeight2, scale: devicePixelRatio2, title: document.title.slice(0, 500), strangers: running.strangers() },
      effect: "noop"
    };
  },
  record_flush: async (command) => {
    if (command.checkout === true) running?.checkout();
    running?.flush();
    return { result: { recording: running !== void 0, strangers: running?.strangers() ?? 0 }, effect: "noop" };
  },
  record_secret: async (command, around) => {
    const values = Array.isArray(command.values) ? command.values.map(String).slice(0, 200) : [];
    const secret = values.map(() => false);
    const roots = [document, ...around.roots()];
    for (const root of roots) {
      for (const field of root.querySelectorAll("input,textarea,select")) {
        if (!isSecret(field)) continue;
        const { value } = field;
        values.forEach((text2, i) => {
          if (text2 !== "" && value.includes(text2)) secret[i] = true;
        });
      }
    }
    const active2 = deepActive();
    return { result: { active: active2 !== null && isSecret(active2), secret }, effect: "noop" };
  },
  record_stop: async () => {
    const was = running !== void 0;
    stopRecording();
    return { result: { recording: was }, effect: "noop" };
  }
};

// src/page/execute/app-state.ts
var changeLimit = 500;
var look = 20;
async function readStates(state, scope, signal) {
  try {
    return await state.all(scope, signal);
  } catch (error) {
    if (error instanceof BridgeFault && (error.code === "CAPABILITY_MISSING" || error.code === "ELEMENT_NOT_FOUND")) return [];
    throw error;
  }
}
var stateCommands = {
  async state_list(_command, around, signal) {
    const rows2 = await around.state.rows({}, signal);
    return { result: { scopes: rows2.map(({ value: _value, ...row }) => row) }, effect: "noop" };
  },
  async state_get({ scope, path }, around, signal) {
    const which = { ...typeof scope === "string" && scope !== "" ? { scope } : {}, ...Array.isArray(path) ? { path: pathOf(path) } : {} };
    return { result: { scopes: await around.state.rows(which, signal) }, effect: "noop" };
  },
  /** Tells everything whole: the reader lost what the next change builds on. */
  async state_again(_command, around) {
    around.state.repeat();
    return await Promise.resolve({ result: {}, effect: "noop" });
  },
  async state_set({ scope, path, value }, around, signal, acted) {
    return await changed(around, scope, signal, async (name) => {
      await around.app?.ask("state.set", { scope: name, path: pathOf(path), value: value ?? null }, [], signal);
      acted();
    });
  },
  async state_dispatch({ scope, action }, around, signal, acted) {
    return await changed(around, scope, signal, async (name) => {
      await around.app?.ask("state.dispatch", { scope: name, action: action ?? null }, [], signal);
      acted();
    });
  }
};
async function changed(around, scope, signal, change) {
  if (around.level() !== "control") {
    throw new BridgeFault("CAPABILITY_MISSING", "The page is not connected at level control; this command changes the state of the app.", { level: "control" });
  }
  if (typeof scope !== "string" || scope === "") throw new BridgeFault("VALIDATION_ERROR", "scope must be a string.");
  if (around.app === void 0) throw new BridgeFault("CAPABILITY_MISSING", "The state that an app hands out by itself cannot be set.");
  const before = await one2(around, scope, signal);
  await change(scope);
  const until = performance.now() + changeLimit;
  for (; ; ) {
    await settleFrame();
    const after = await one2(around, scope, signal);
    const patch = diff(before?.value, after?.value);
    const nothing2 = patch?.length === 0;
    if (!nothing2 || performance.now() > until || signal.aborted) {
      const told3 = patch === null ? { value: after?.value } : { patch };
      return { result: { scope, source: after?.source, version: after?.version, ...told3 }, effect: nothing2 ? "noop" : "changed" };
    }
    await new Promise((done) => {
      setTimeout(done, look);
    });
  }
}
async function one2({ state }, scope, signal) {
  try {
    const rows2 = await state.rows({ scope }, signal);
    return rows2.at(-1);
  } catch (error) {
    if (scope.startsWith("window:") && error instanceof BridgeFault && error.code === "ELEMENT_NOT_FOUND") return void 0;
    throw error;
  }
}
function pathOf(path) {
  return Array.isArray(path) ? path.filter((key2) => typeof key2 === "string") : [];
}

// src/page/execute/app-tools.ts
var calls = 0;
var toolCommands = {
  async tools_list(_command, around, signal) {
    return { result: await around.tools("tools_list", {}, signal), effect: "noop" };
  },
  async tools_call(command, around, signal, acted) {
    const { name, input } = command;
    if (around.level() === "observe") throw new BridgeFault("CAPABILITY_MISSING", "The page is connected at level observe; this command acts.", { level: "act" });
    if (typeof name !== "string") throw new BridgeFault("VALIDATION_ERROR", "name must be a string.");
    const call = ++calls;
    const watch2 = new Watch(null, around);
    const cancel2 = () => {
      around.tools("tools_cancel", { call }, AbortSignal.timeout(1e3)).catch(() => void 0);
    };
    signal.addEventListener("abort", cancel2, { once: true });
    try {
      const asked2 = around.tools("tools_call", { name, input, call }, signal);
      acted();
      const result2 = told(await asked2);
      const effect = await watch2.settle(signal);
      return { result: result2, effect, after: { mutations: watch2.mutations, ...watch2.moved === void 0 ? {} : { url: watch2.moved } } };
    } catch (error) {
      watch2.stop();
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel2);
    }
  }
};
function told(answer) {
  const { value, cut: cut3, error } = typeof answer === "object" && answer !== null ? answer : {};
  if (typeof error === "string") return { error };
  return { json: JSON.stringify(value ?? null), cut: cut3 === true };
}

// src/page/execute/pointer.ts
var noModifiers = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
var buttonNumber = { left: 0, middle: 1, right: 2 };
var buttonMask = { left: 1, middle: 4, right: 2 };
function hit(flat, point) {
  let at = elementAt(document, point.x, point.y);
  for (; ; ) {
    const root = at === null ? null : flat.shadowRoot(at);
    const inner = root === null ? null : elementAt(root, point.x, point.y);
    if (inner === null || inner === at) return at;
    at = inner;
  }
}
var Pointer = class {
  constructor(flat) {
    this.flat = flat;
  }
  flat;
  #hovered;
  /** Where a real pointer at the point would act: inside the target, else the target itself. */
  receiver(target, point) {
    const at = hit(this.flat, point);
    return at !== null && this.flat.composedContains(target, at) ? at : target;
  }
  move(element2, point, modifiers) {
    const before = this.#hovered?.deref();
    const from = before !== void 0 && isConnected(before) ? before : null;
    const init = this.#init(point, modifiers, -1, 0, 0);
    if (from !== element2) {
      const left = from === null ? [] : this.#chain(from);
      const entered = this.#chain(element2);
      const common = new Set(left.filter((at) => entered.includes(at)));
      if (from !== null) {
        for (const prefix of ["pointer", "mouse"]) {
          fire(from, `${prefix}out`, { ...init, relatedTarget: element2 }, prefix);
          for (const at of left) if (!common.has(at)) fire(at, `${prefix}leave`, { ...init, relatedTarget: element2, bubbles: false }, prefix);
        }
      }
      for (const prefix of ["pointer", "mouse"]) {
        fire(element2, `${prefix}over`, { ...init, relatedTarget: from }, prefix);
        for (const at of entered.toReversed()) {
          if (!common.has(at)) fire(at, `${prefix}enter`, { ...init, relatedTarget: from, bubbles: false }, prefix);
        }
      }
      this.#hovered = new WeakRef(element2);
    }
    fire(element2, "pointermove", init, "pointer");
    fire(element2, "mousemove", { ...init, button: 0 }, "mouse");
  }
  /** Presses and releases count times; the click itself happens once each time. */
  click(element2, point, button2, count, modifiers) {
    this.move(element2, point, modifiers);
    for (let n = 1; n <= count; n++) this.#press(element2, point, button2, n, modifiers);
  }
  /** Presses, moves over and releases; as HTML drag and drop where the element is draggable. */
  async drag(from, start2, over, goal) {
    const down = this.#init(start2, noModifiers, 0, 1, 1);
    const held2 = (point) => this.#init(point, noModifiers, -1, 1, 0);
    const up = this.#init(goal, noModifiers, 0, 0, 1);
    this.move(from, start2, noModifiers);
    if (fire(from, "pointerdown", { ...down, detail: 0, pressure: 0.5 }, "pointer") && fire(from, "mousedown", down, "mouse")) focusFrom(this.#chain(from));
    const draggable = this.#chain(from).find((at) => at instanceof HTMLElement && at.draggable);
    if (draggable !== void 0) {
      const data = new DataTransfer();
      const tell2 = (at, type, point) => dispatchEvent.call(at, new DragEvent(type, { ...this.#init(point, noModifiers, 0, 1, 0), dataTransfer: data, cancelable: type !== "dragend" && type !== "dragleave" }));
      if (tell2(draggable, "dragstart", start2)) {
        await turn();
        tell2(draggable, "drag", goal);
        tell2(over, "dragenter", goal);
        const taken = !tell2(over, "dragover", goal);
        if (taken) tell2(over, "drop", goal);
        else tell2(over, "dragleave", goal);
        tell2(draggable, "dragend", goal);
        return;
      }
    }
    for (const part2 of [0.1, 0.5, 1]) {
      const point = { x: start2.x + (goal.x - start2.x) * part2, y: start2.y + (goal.y - start2.y) * part2 };
      const at = part2 === 1 ? over : hit(this.flat, point) ?? over;
      this.move(at, point, noModifiers);
      fire(at, "pointermove", held2(point), "pointer");
      fire(at, "mousemove", { ...held2(point), button: 0 }, "mouse");
      await turn();
    }
    fire(over, "pointerup", { ...up, detail: 0 }, "pointer");
    fire(over, "mouseup", up, "mouse");
  }
  #press(element2, point, button2, detail, modifiers) {
    const which = buttonNumber[button2];
    const down = this.#init(point, modifiers, which, buttonMask[button2], detail);
    const up = this.#init(point, modifiers, which, 0, detail);
    const line = this.#chain(element2);
    const mouse = fire(element2, "pointerdown", { ...down, detail: 0, pressure: 0.5 }, "pointer");
    if (mouse) {
      const focus2 = fire(element2, "mousedown", down, "mouse");
      if (focus2) focusFrom(line);
      if (button2 === "right") fire(element2, "contextmenu", down, "pointer");
    }
    const released = isConnected(element2) ? element2 : hit(this.flat, point) ?? document.documentElement;
    fire(released, "pointerup", { ...up, detail: 0 }, "pointer");
    if (mouse) fire(released, "mouseup", up, "mouse");
    const clicked = line.find((at) => isConnected(at) && this.flat.composedContains(at, released)) ?? released;
    if (!isConnected(clicked)) return;
    if (button2 !== "left") {
      fire(clicked, "auxclick", up, "pointer");
      return;
    }
    fire(clicked, "click", up, "pointer");
    if (detail === 2 && isConnected(clicked)) fire(clicked, "dblclick", up, "mouse");
  }
  #chain(element2) {
    const line = [];
    for (let at = element2; at !== null; at = this.flat.composedParent(at)) line.push(at);
    return line;
  }
  #init(point, modifiers, button2, buttons, detail) {
    return {
      ...modifiers,
      button: button2,
      buttons,
      detail,
      bubbles: true,
      cancelable: true,
      composed: true,
      view: window,
      clientX: point.x,
      clientY: point.y,
      screenX: screenX + point.x,
      screenY: screenY + (outerHeight - innerHeight) + point.y,
      pointerId: 1,
      pointerType: "mouse",
      isPrimary: true,
      width: 1,
      height: 1
    };
  }
};
var { dispatchEvent } = EventTarget.prototype;
function fire(element2, type, init, family) {
  const closed = init.bubbles === false ? { ...init, cancelable: false, composed: false } : init;
  const event = family === "pointer" ? new PointerEvent(type, closed) : new MouseEvent(type, closed);
  return dispatchEvent.call(element2, event);
}
function focusFrom(line) {
  for (const at of line) {
    if (!isConnected(at) || !(at instanceof HTMLElement || at instanceof SVGElement)) continue;
    if (htmlFocusable(at) && focus(at)) return;
  }
  const active2 = deepActive();
  if (active2 instanceof HTMLElement && active2 !== document.body) blur(active2);
}
function htmlFocusable(element2) {
  if (hasAttr(element2, "tabindex")) return true;
  if (element2 instanceof HTMLLabelElement) return false;
  if (element2 instanceof HTMLElement) return htmlTabIndex(element2) >= 0 || element2.shadowRoot?.delegatesFocus === true || element2.isContentEditable;
  return element2 instanceof SVGAElement;
}
var focusMethod = HTMLElement.prototype.focus;
var blurMethod = HTMLElement.prototype.blur;
function focus(element2) {
  const before = deepActive();
  const holds = () => {
    const now2 = deepActive();
    return now2 === element2 || now2 !== null && element2.shadowRoot?.contains(now2) === true || element2.getRootNode() instanceof ShadowRoot && element2.getRootNode().activeElement === element2;
  };
  if (holds()) return true;
  let heard = false;
  const listen = () => {
    heard = true;
  };
  addEventListener("focusin", listen, true);
  focusMethod.call(element2, { preventScroll: true });
  removeEventListener("focusin", listen, true);
  if (!holds()) return false;
  if (!heard && !document.hasFocus()) {
    const lost = before !== null && before !== document.body ? before : null;
    if (lost !== null) announce2(lost, "blur", "focusout", element2);
    announce2(element2, "focus", "focusin", lost);
  }
  return true;
}
function blur(element2) {
  let heard = false;
  const listen = () => {
    heard = true;
  };
  addEventListener("focusout", listen, true);
  blurMethod.call(element2);
  removeEventListener("focusout", listen, true);
  if (!heard && !document.hasFocus()) announce2(element2, "blur", "focusout", null);
}
function announce2(element2, plain3, bubbling, other) {
  const init = { composed: true, relatedTarget: other, view: window };
  dispatchEvent.call(element2, new FocusEvent(plain3, init));
  dispatchEvent.call(element2, new FocusEvent(bubbling, { ...init, bubbles: true }));
}

// src/page/execute/choose.ts
var { dispatchEvent: dispatchEvent2 } = EventTarget.prototype;
var maxListed = 20;
function listed(names2) {
  return { options: names2.slice(0, maxListed), total: names2.length };
}
function find(items, wanted, value, label2) {
  const tests = [
    (item) => value(item) === wanted,
    (item) => label2(item) === fold(wanted),
    (item) => label2(item).toLowerCase() === fold(wanted).toLowerCase()
  ];
  for (const test of tests) {
    const found = items.filter(test);
    if (found.length > 1) return "ambiguous";
    if (found[0] !== void 0) return found[0];
  }
  return void 0;
}
function missing2(names2) {
  return new BridgeFault("ELEMENT_NOT_FOUND", "The list has no such option.", listed(names2), ["Use one of `details.options`."]);
}
function ambiguous(names2) {
  return new BridgeFault("TARGET_AMBIGUOUS", "More than one option has that label.", listed(names2), ["Use the value of the option."]);
}
function optionLabel(option) {
  return fold(option.label !== "" ? option.label : option.text);
}
function chooseOptions(select, wanted, acted) {
  const options = Array.from(select.options);
  const names2 = options.map(optionLabel);
  if (wanted.length !== 1 && !select.multiple) {
    throw new BridgeFault("VALIDATION_ERROR", "The select takes exactly one option.", { check: "multiple" });
  }
  const chosen2 = wanted.map((name) => {
    const option = find(options, name, (item) => item.value, optionLabel);
    if (option === "ambiguous") throw ambiguous(names2);
    if (option === void 0) throw missing2(names2);
    const group = option.parentElement;
    if (option.disabled || group instanceof HTMLOptGroupElement && group.disabled) {
      throw new BridgeFault("TARGET_NOT_INTERACTABLE", "The option is disabled.", { check: "enabled", option: optionLabel(option) });
    }
    return option;
  });
  focus(select);
  const before = options.map((option) => option.selected).join();
  for (const option of options) {
    const on = chosen2.includes(option);
    if (option.selected !== on && (on || select.multiple)) option.selected = on;
  }
  if (options.map((option) => option.selected).join() !== before) {
    dispatchEvent2.call(select, new Event("input", { bubbles: true, composed: true }));
    dispatchEvent2.call(select, new Event("change", { bubbles: true }));
  }
  acted();
  return { values: chosen2.map((option) => option.value), labels: chosen2.map(optionLabel) };
}
function verifyOptions(select, result2) {
  if (!isConnected(select)) return;
  const held2 = Array.from(select.selectedOptions).map((option) => option.value);
  const wanted = result2.values;
  if (held2.length !== wanted.length || wanted.some((value) => !held2.includes(value))) {
    throw new BridgeFault("ACTION_NO_EFFECT", "The select did not keep the choice.", { check: "value" });
  }
}
function wantedState(value) {
  switch (value.trim().toLowerCase()) {
    case "true":
    case "on":
    case "yes":
    case "1":
    case "checked":
    case "":
      return true;
    case "false":
    case "off":
    case "no":
    case "0":
    case "unchecked":
      return false;
    default:
      throw new BridgeFault("VALIDATION_ERROR", "A checkbox or radio takes true or false.", { check: "value" });
  }
}
function isChecked(element2) {
  if (element2 instanceof HTMLInputElement && (element2.type === "checkbox" || element2.type === "radio")) {
    return element2.checked && !element2.indeterminate;
  }
  const role = attr(element2, "role");
  if (role === "checkbox" || role === "switch" || role === "radio" || role === "menuitemcheckbox" || role === "menuitemradio") {
    return attr(element2, "aria-checked") === "true";
  }
  return void 0;
}
function isRadio(element2) {
  return element2 instanceof HTMLInputElement && element2.type === "radio" || attr(element2, "role") === "radio";
}
function customOptions(list) {
  const found = new Set(list.querySelectorAll('[role="option"], [role="menuitemradio"], [role="treeitem"]'));
  for (const name of ["aria-controls", "aria-owns"]) {
    for (const id of (attr(list, name) ?? "").split(/\s+/)) {
      const other = id === "" ? null : list.getRootNode().getElementById(id);
      if (other === null) continue;
      if (attr(other, "role") === "option") found.add(other);
      for (const option of other.querySelectorAll('[role="option"]')) found.add(option);
    }
  }
  return Array.from(found);
}
function customOption(options, wanted, nameOf) {
  const option = find(options, wanted, (item) => attr(item, "data-value") ?? attr(item, "value"), (item) => fold(nameOf(item)));
  const names2 = options.map((item) => fold(nameOf(item)));
  if (option === "ambiguous") throw ambiguous(names2);
  if (option === void 0) throw missing2(names2);
  return option;
}

// src/page/execute/control.ts
var textTypes = /* @__PURE__ */ new Set(["text", "search", "url", "tel", "email", "password", "number"]);
var wholeTypes = /* @__PURE__ */ new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
function controlOf(element2, flat) {
  if (element2 instanceof HTMLLabelElement) return element2.control ?? element2;
  const own5 = classify(element2);
  if (own5.kind !== "other") return element2;
  const root = flat.shadowRoot(element2);
  const inside2 = root?.querySelectorAll('input:not([type="hidden"]), textarea, select') ?? [];
  if (inside2.length === 1 && inside2[0] !== void 0) return inside2[0];
  const label2 = closest(element2, "label");
  return label2 instanceof HTMLLabelElement && label2.control !== null ? label2.control : element2;
}
function classify(element2) {
  if (element2 instanceof HTMLInputElement) {
    if (textTypes.has(element2.type)) return { kind: "text", element: element2 };
    if (wholeTypes.has(element2.type)) return { kind: "whole", element: element2 };
    if (element2.type === "checkbox" || element2.type === "radio") return { kind: "toggle", element: element2 };
    return { kind: "other", element: element2 };
  }
  if (element2 instanceof HTMLTextAreaElement) return { kind: "text", element: element2 };
  if (element2 instanceof HTMLSelectElement) return { kind: "select", element: element2 };
  if (element2 instanceof HTMLElement && isContentEditable(element2)) return { kind: "editable", element: editingHost(element2) };
  return { kind: "other", element: element2 };
}
function editingHost(element2) {
  let host = element2;
  while (host.parentElement !== null && host.parentElement.isContentEditable) host = host.parentElement;
  return host;
}
function assertEditable(control) {
  const { element: element2 } = control;
  if (matches(element2, ":disabled") || attr(element2, "aria-disabled") === "true") {
    throw new BridgeFault("TARGET_NOT_INTERACTABLE", "The field is disabled.", { check: "enabled" });
  }
  const readOnly = (control.kind === "text" || control.kind === "whole") && hasAttr(element2, "readonly") && element2.matches(":read-only");
  if (readOnly || control.kind !== "editable" && attr(element2, "aria-readonly") === "true") {
    throw new BridgeFault("TARGET_NOT_INTERACTABLE", "The field is read-only.", { check: "editable" });
  }
}

// src/page/execute/foresee.ts
var frames = /* @__PURE__ */ new Set(["iframe", "frame", "object", "embed", "fencedframe"]);
var nothing = { submit: false, download: false, by: null };
function ofClick(element2, flat) {
  for (let at = element2; at !== null; at = flat.parent(at)) {
    if (frames.has(localName(at))) return unknown(at);
    if (at instanceof HTMLButtonElement || at instanceof HTMLInputElement) return ofButton(at);
    if ((at instanceof HTMLAnchorElement || at instanceof HTMLAreaElement) && hasAttr(at, "href")) return ofLink(at);
    if (at instanceof HTMLLabelElement) {
      const { control } = at;
      if (control instanceof HTMLButtonElement || control instanceof HTMLInputElement) return ofButton(control);
    }
  }
  return nothing;
}
function ofEnter(element2, flat) {
  if (element2 === null) return nothing;
  if (element2 instanceof HTMLInputElement || element2 instanceof HTMLSelectElement) {
    return element2.form === null ? nothing : { submit: true, download: false, by: element2 };
  }
  if (element2 instanceof HTMLTextAreaElement) return nothing;
  return ofFocused(element2, flat);
}
function ofSpace(element2, flat) {
  return element2 instanceof HTMLAnchorElement ? nothing : ofFocused(element2, flat);
}
function ofFocused(element2, flat) {
  const owns = element2 !== null && (frames.has(localName(element2)) || closest(element2, "button,input,a[href],area[href]") === element2);
  return owns ? ofClick(element2, flat) : nothing;
}
function ofButton(button2) {
  const sends = button2.form !== null && (button2.type === "submit" || button2.type === "image");
  return sends ? { submit: true, download: false, by: button2 } : nothing;
}
function ofLink(link) {
  const script = /^\s*javascript:/i.test(attr(link, "href") ?? "");
  const download = hasAttr(link, "download");
  return script || download ? { submit: script, download, by: link } : nothing;
}
function unknown(by) {
  return { submit: true, download: true, by };
}

// src/page/locate/hider.ts
var looks = {
  display: (at, below, style) => {
    if (style.display === "none") return localName(at) === "dialog" && !hasAttr(at, "open") ? ["open", "false"] : ["display", "none"];
    if (localName(at) === "details" && !hasAttr(at, "open") && below !== null && localName(below) !== "summary") return ["open", "false"];
    if (below !== null && style.contentVisibility === "hidden") return ["content-visibility", "hidden"];
    return null;
  },
  visibility: (_at, _below, style) => style.visibility === "visible" ? null : ["visibility", style.visibility],
  opacity: (_at, _below, style) => Number(style.opacity) === 0 ? ["opacity", style.opacity] : null,
  clip: (at, below, style, target) => {
    if (style.clipPath !== "none") return ["clip-path", style.clipPath];
    if (style.clip !== "auto" && style.clip !== "") return ["clip", style.clip];
    return below !== null && style.overflow !== "visible" && apart(rectOf(at), rectOf(target)) ? ["overflow", style.overflow] : null;
  }
};
function hiderOf(element2, reason, tree) {
  const look2 = looks[reason];
  if (look2 === void 0) return null;
  let found = null;
  let below = null;
  for (let at = element2; at !== null; at = tree.flat.parent(at)) {
    const seen4 = look2(at, below, styleOf(at), element2);
    if (seen4 !== null) found = { element: at, property: seen4[0], value: seen4[1] };
    else if (reason === "visibility") break;
    below = at;
  }
  return found;
}
function apart(a, b) {
  return b.right <= a.left || b.left >= a.right || b.bottom <= a.top || b.top >= a.bottom;
}

// src/page/locate/moving.ts
var inPlace = new Set(
  "offset computedOffset easing composite opacity color backgroundColor backgroundImage backgroundPosition borderColor borderTopColor borderRightColor borderBottomColor borderLeftColor boxShadow textShadow outlineColor outlineOffset outlineWidth textDecorationColor fill stroke strokeDashoffset filter backdropFilter visibility caretColor accentColor".split(" ")
);
var running2 = Document.prototype.getAnimations ?? (() => []);
function movers(element2, flat) {
  return running2.call(document).filter(({ effect, playState, timeline }) => {
    if (playState !== "running" || !(effect instanceof KeyframeEffect) || !(timeline instanceof DocumentTimeline)) return false;
    const { target } = effect;
    if (target === null || !(target === element2 || flat.composedContains(target, element2))) return false;
    return effect.getKeyframes().some((frame2) => Object.keys(frame2).some((name) => !inPlace.has(name)));
  });
}

// src/page/locate/actionability.ts
var needsEnabled = /* @__PURE__ */ new Set(["click", "type", "focus", "select"]);
var needsPoint = /* @__PURE__ */ new Set(["click", "hover"]);
var maxFrames = 30;
var minRest = 32;
var barAtMost = 0.8;
var maxUndrawn = 4;
async function actionability(element2, action, tree, signal, steady = false) {
  if (!isConnected(element2)) throw refuse("attached", "The element is not in the page any more.");
  let pass = tree.pass();
  const shown4 = visibleStandIn(element2, action, tree, pass);
  const enabled = checkEnabled(element2, action, pass);
  if (action === "scroll") return result(shown4, boxOf(shown4), { visible: true, enabled, stable: false, receivesEvents: false });
  const scrolled = !inView(shown4);
  if (scrolled) scroll(shown4);
  let stand = shown4;
  if (scrolled || steady || movers(shown4, tree.flat).length > 0) {
    await still(shown4, tree, signal);
    if (!isConnected(element2)) throw refuse("attached", "The element left the page while it was looked at.");
    pass = tree.pass();
    stand = visibleStandIn(element2, action, tree, pass);
    checkEnabled(element2, action, pass);
  }
  if (!needsPoint.has(action)) {
    return result(stand, visiblePart(stand) ?? boxOf(stand), { visible: true, enabled, stable: true, receivesEvents: false });
  }
  const checks = { visible: true, enabled, stable: true, receivesEvents: true };
  const first = hitPoint(stand, element2, tree);
  if ("point" in first) return { point: first.point, bounds: plain(boxOf(stand)), element: stand, checks: { attached: true, ...checks } };
  let cover = null;
  for (const block of ["center", "end", "start"]) {
    scroll(stand, block);
    await still(stand, tree, signal);
    const next = hitPoint(visibleStandIn(element2, action, tree, tree.pass()), element2, tree);
    if ("point" in next) return { point: next.point, bounds: plain(boxOf(stand)), element: stand, checks: { attached: true, ...checks } };
    cover ??= next.hit;
    if (next.hit === null || boxOf(next.hit).height > innerHeight * barAtMost) break;
  }
  throw missed(stand, cover, tree);
}
function result(element2, box2, checks) {
  return {
    point: { x: box2.x + box2.width / 2, y: box2.y + box2.height / 2 },
    bounds: plain(boxOf(element2)),
    element: element2,
    checks: { attached: true, ...checks }
  };
}
function refuse(check2, message, details = {}) {
  return new BridgeFault("TARGET_NOT_INTERACTABLE", message, { check: check2, ...details });
}
function visibleStandIn(element2, action, tree, pass) {
  const { hidden } = pass.layout.measure(element2);
  if (hidden === null) return element2;
  if (drawnByStyle(element2)) {
    for (const label2 of element2.labels ?? []) {
      if (pass.layout.measure(label2).hidden === null) return label2;
    }
    if (!needsPoint.has(action) && (hidden === "opacity" || hidden === "clip" || hidden === "size")) return element2;
    if (hidden === "opacity") return element2;
  }
  throw hiddenFault(element2, hidden, tree);
}
function hiddenFault(element2, hidden, tree) {
  if (hidden === "offscreen") {
    return new BridgeFault("TARGET_OUT_OF_VIEW", "The element lies where no scrolling reaches.", { check: "visible", hidden });
  }
  const by = hiderOf(element2, hidden, tree);
  if (by === null) return refuse("visible", "A person could not see the element.", { hidden });
  const { property, value } = by;
  if (by.element === element2) {
    return refuse("visible", `A person could not see the element: it has ${property}: ${value}.`, { hidden, property, value });
  }
  const selector = tree.pass().selectors.selector(by.element);
  return refuse("visible", `A person could not see the element: ${selector} around it has ${property}: ${value}.`, {
    hidden,
    hiddenBy: { selector, property, value }
  });
}
function drawnByStyle(element2) {
  if (localName(element2) === "select") return true;
  if (localName(element2) !== "input") return false;
  const type = inputType(element2);
  return type === "checkbox" || type === "radio" || type === "file" || type === "range" || type === "color" || type.startsWith("date");
}
function checkEnabled(element2, action, { layout }) {
  const disabled = isDisabled(element2, layout.disabledAround(element2));
  const inert = layout.isInert(element2);
  if ((disabled || inert) && needsEnabled.has(action)) {
    throw refuse("enabled", inert ? "The element is in an inert part of the page." : "The element is disabled.", { inert });
  }
  return !disabled && !inert;
}
function boxOf(element2) {
  return rectOf(element2);
}
function plain(box2) {
  return { x: box2.x, y: box2.y, width: box2.width, height: box2.height };
}
function visiblePart(element2) {
  let best = null;
  for (const rect of clientRects(element2)) {
    const cut3 = inViewport(rect);
    if (cut3 !== null && (best === null || cut3.width * cut3.height > best.width * best.height)) best = cut3;
  }
  return best ?? inViewport(boxOf(element2));
}
function inViewport(box2) {
  const left = Math.max(0, box2.x);
  const top = Math.max(0, box2.y);
  const right = Math.min(innerWidth, box2.x + box2.width);
  const bottom = Math.min(innerHeight, box2.y + box2.height);
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}
function inView(element2) {
  const part2 = visiblePart(element2);
  const box2 = boxOf(element2);
  return part2 !== null && part2.width >= Math.min(box2.width, 8) / 2 && part2.height >= Math.min(box2.height, 8) / 2;
}
function scroll(element2, block = "center") {
  scrollIntoView(element2, { block, inline: "center", behavior: "instant" });
}
async function still(element2, tree, signal) {
  let last = boxOf(element2);
  let since = clock();
  let same2 = 0;
  let undrawn = 0;
  for (let frame2 = 0; frame2 < maxFrames; frame2 += 1) {
    signal?.throwIfAborted();
    const drawn = await settleFrame();
    if (!drawn && !document.hidden && undrawn < maxUndrawn) {
      undrawn += 1;
      continue;
    }
    const now2 = boxOf(element2);
    const equal = now2.x === last.x && now2.y === last.y && now2.width === last.width && now2.height === last.height;
    if (!equal) since = clock();
    same2 = equal ? same2 + 1 : 0;
    if (same2 >= 2 && !(drawn && startsOrTurns(element2, tree, since))) return;
    last = now2;
  }
  throw refuse("stable", "The element keeps moving.");
}
function startsOrTurns(element2, tree, since) {
  const moving = movers(element2, tree.flat);
  return moving.some(({ pending }) => pending) || moving.length > 0 && clock() - since < minRest;
}
function clock() {
  return Number(document.timeline.currentTime ?? 0);
}
function hitPoint(shown4, target, tree) {
  const part2 = visiblePart(shown4);
  if (part2 === null) return { hit: null };
  let covering = null;
  for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9]]) {
    const point = { x: part2.x + part2.width * fx, y: part2.y + part2.height * fy };
    const hit2 = deepElementAt(point, tree);
    if (hit2 !== null && takes(hit2, shown4, target, tree)) return { point };
    covering ??= hit2;
  }
  return { hit: covering };
}
function offsetPoint(shown4, target, offset, tree) {
  const box2 = boxOf(shown4);
  const point = {
    x: box2.x + (typeof offset.x === "number" ? offset.x : box2.width / 2),
    y: box2.y + (typeof offset.y === "number" ? offset.y : box2.height / 2)
  };
  const hit2 = deepElementAt(point, tree);
  if (hit2 === null || !takes(hit2, shown4, target, tree)) throw missed(shown4, hit2, tree);
  return point;
}
function deepElementAt(point, tree) {
  let found = elementAt(document, point.x, point.y);
  while (found !== null) {
    const root = tree.flat.shadowRoot(found);
    const inner = root === null ? null : elementAt(root, point.x, point.y);
    if (inner === null || inner === found) break;
    found = inner;
  }
  return found;
}
function takes(hit2, shown4, target, tree) {
  const { flat } = tree;
  for (let at = hit2; at !== null; at = flat.parent(at)) {
    if (at === shown4 || at === target) return !strayControl(hit2, at, target);
  }
  if (flat.composedContains(target, hit2)) return true;
  const label2 = closest(hit2, "label");
  if (label2 instanceof HTMLLabelElement && label2.control === target) return !strayControl(hit2, label2, target);
  const owner = closest(target, "a[href],button,summary,[role=button],[role=link],label");
  if (owner === null || owner === target) return false;
  return hit2 === owner || flat.composedContains(owner, hit2) && !strayControl(hit2, owner, target);
}
function strayControl(hit2, owner, target) {
  if (localName(owner) !== "label") return false;
  const control = closest(hit2, "a[href],button,input,select,textarea");
  return control !== null && control !== target && owner.contains(control);
}
function missed(shown4, hit2, tree) {
  if (hit2 === null) {
    return visiblePart(shown4) === null ? new BridgeFault("TARGET_OUT_OF_VIEW", "Scrolling does not bring the element into view.", { bounds: plain(boxOf(shown4)) }) : refuse("receivesEvents", "Nothing takes pointer events at the element.");
  }
  if (styleOf(shown4).pointerEvents === "none") {
    return refuse("receivesEvents", "The element lets pointer events through.", { pointerEvents: "none" });
  }
  const pass = tree.pass();
  const cover = candidate(hit2, tree, pass);
  return new BridgeFault("TARGET_OBSCURED", "Another element covers the target.", {
    coveredBy: { selector: cover.selector, role: cover.role, name: cover.name, ref: cover.ref }
  });
}

// src/page/execute/guard.ts
var parts = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
var near = 1.5;
var Gate = class {
  #guard;
  constructor() {
    for (const type of parts) addEventListener(type, this.#onEvent, true);
  }
  guard(found, tree) {
    const guard = new Guard(found, tree, () => {
      if (this.#guard === guard) this.#guard = void 0;
    });
    this.#guard = guard;
    return guard;
  }
  dispose() {
    for (const type of parts) removeEventListener(type, this.#onEvent, true);
  }
  #onEvent = (event) => {
    if (this.#guard?.stops(event) !== true) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
};
var Guard = class {
  constructor(found, tree, end) {
    this.found = found;
    this.tree = tree;
    this.end = end;
  }
  found;
  tree;
  end;
  /** What took the press in place of the target. */
  missed;
  #landed = false;
  #over = false;
  #releases = 0;
  #presses = Infinity;
  // waited for
  #delivered = false;
  #wake;
  stop() {
    if (!this.#over) this.end();
    this.#over = true;
    this.#wake?.();
  }
  /** Waits until so many presses have come and gone, or until told that no more come. */
  async landed(presses, signal) {
    check(signal);
    if (this.#over || this.#delivered || this.#releases >= presses) return;
    await new Promise((done) => {
      this.#wake = done;
      this.#presses = presses;
      signal.addEventListener("abort", () => done(), { once: true });
    });
    await turn();
    check(signal);
  }
  /** The browser has delivered all there is. */
  delivered() {
    this.#delivered = true;
    this.#wake?.();
  }
  stops(event) {
    if (!event.isTrusted) return false;
    const { point } = this.found;
    const ours = Math.abs(event.clientX - point.x) <= near && Math.abs(event.clientY - point.y) <= near;
    if (ours && event.type === "pointerup" && event.pointerType === "mouse" && ++this.#releases >= this.#presses) this.#wake?.();
    if (this.#landed) return false;
    if (this.missed !== void 0) return true;
    if (!ours) return false;
    const hit2 = this.#innermost(event);
    if (hit2 === null || takes(hit2, this.found.stand, this.found.element, this.tree)) {
      this.#landed = true;
      return false;
    }
    this.missed = hit2;
    return true;
  }
  #innermost(event) {
    let at = event.composedPath()[0];
    while (at instanceof Element) {
      const root = this.tree.flat.shadowRoot(at);
      const inner = root === null ? null : elementAt(root, event.clientX, event.clientY);
      if (inner === null || inner === at) return at;
      at = inner;
    }
    return null;
  }
};

// src/page/tree/conceal.ts
var maxRules = 2e4;
var maxSelectors = 200;
var maxSuspects = 2e3;
var concealing = /font(?:-size)?:(?:[^;]*\s)?(?:0|0?\.\d+)(?:px|em|rem|%|pt)?\s*(?:[;/!]|$)|(?:text-indent|left|top|right|bottom|inset|margin(?:-left|-top)?):[^;]*-\d{3,}|(?:^|[\s;])color:\s*(?:transparent|[a-z]+\([^)]*[,/]\s*0\))|clip(?:-path)?:/;
var known = /* @__PURE__ */ new WeakMap();
var Concealed = class {
  #suspects = /* @__PURE__ */ new Set();
  /** Looks through the sheets of a document or shadow root. */
  add(root) {
    const selectors = [];
    try {
      for (const sheet2 of [...root.styleSheets, ...root.adoptedStyleSheets]) selectors.push(...selectorsOf(sheet2));
    } catch {
      return;
    }
    for (const selector of selectors.slice(0, maxSelectors)) {
      try {
        for (const element2 of queryAll(root, selector)) {
          if (this.#suspects.size >= maxSuspects) return;
          this.#suspects.add(element2);
        }
      } catch {
      }
    }
  }
  /** Whether nobody sees the text of an element, by a style of its own. `attributed`: it has attributes. */
  has(element2, attributed) {
    return (this.#suspects.has(element2) || attributed && hasAttr(element2, "style") && concealing.test(attr(element2, "style") ?? "")) && conceals(styleOf(element2));
  }
};
function selectorsOf(sheet2) {
  let rules2;
  try {
    if (sheet2.disabled) return [];
    rules2 = sheet2.cssRules;
  } catch {
    return [];
  }
  const before = known.get(sheet2);
  if (before?.rules === rules2.length) return before.selectors;
  const selectors = [];
  let left = maxRules;
  const read2 = (list) => {
    for (const rule of list) {
      left -= 1;
      if (left < 0 || selectors.length >= maxSelectors) return;
      if (rule instanceof CSSStyleRule) {
        if (concealing.test(rule.style.cssText)) selectors.push(rule.selectorText);
      } else if (rule instanceof CSSGroupingRule) read2(rule.cssRules);
      else if (rule instanceof CSSImportRule && rule.styleSheet !== null) selectors.push(...selectorsOf(rule.styleSheet));
    }
  };
  read2(rules2);
  known.set(sheet2, { rules: rules2.length, selectors });
  return selectors;
}
function conceals(style) {
  return parseFloat(style.fontSize) < 1 || /^rgba\(.*, 0\)$|\/ 0\)$/.test(style.color) || parseFloat(style.textIndent) < -500 || parseFloat(style.marginLeft) < -500 || style.clipPath !== "none" && /^inset\((?:50|100)%|^circle\(0/.test(style.clipPath) || (style.position === "absolute" || style.position === "fixed") && (parseFloat(style.left) < -500 || parseFloat(style.top) < -500 || /^rect\((\S+?),? (\S+?),? \1,? \2\)$/.test(style.clip));
}

// src/page/tree/stable.ts
var StableIds = class {
  #made = /* @__PURE__ */ new WeakMap();
  #holders = /* @__PURE__ */ new Map();
  // Lowest ordinal that may be free, so that thousands of nameless fields need no search each.
  #free = /* @__PURE__ */ new Map();
  of(element2, role, name) {
    const own5 = ownId(element2);
    if (own5 !== null) return own5;
    const known2 = this.#made.get(element2);
    if (known2 !== void 0 && this.#holds(known2, element2)) return known2;
    const base = `${role}:${slug(name)}`;
    for (let n = this.#free.get(base) ?? 1; ; n += 1) {
      const id = n === 1 ? base : `${base}~${n}`;
      const holder2 = this.#holders.get(id)?.deref();
      if (holder2 !== void 0 && holder2 !== element2) continue;
      this.#holders.set(id, new WeakRef(element2));
      this.#made.set(element2, id);
      this.#free.set(base, n + 1);
      return id;
    }
  }
  #holds(id, element2) {
    const holder2 = this.#holders.get(id)?.deref();
    if (holder2 === element2) return true;
    if (holder2 !== void 0) return false;
    this.#holders.set(id, new WeakRef(element2));
    return true;
  }
  /** The element left the tree: its replacement may take its id. */
  release(element2) {
    const id = this.#made.get(element2);
    if (id === void 0 || this.#holders.get(id)?.deref() !== element2) return;
    this.#holders.delete(id);
    const [base, ordinal] = split(id);
    const free = this.#free.get(base);
    if (free === void 0 || ordinal < free) this.#free.set(base, ordinal);
  }
  /** The element that a made-up id belongs to now. */
  find(id) {
    return this.#holders.get(id)?.deref() ?? null;
  }
};
function ownId(element2) {
  const test = attr(element2, TEST_ID);
  if (test !== null && test !== "") return cut(test);
  const id = attr(element2, "id");
  return id !== null && id !== "" ? cut(id) : null;
}
function split(id) {
  const at = id.lastIndexOf("~");
  const ordinal = at < 0 ? Number.NaN : Number(id.slice(at + 1));
  return Number.isInteger(ordinal) && ordinal > 1 ? [id.slice(0, at), ordinal] : [id, 1];
}
function slug(name) {
  return name.slice(0, 60).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 40).toWellFormed();
}

// src/page/tree/outline.ts
var maxNodes3 = 6e4;
var moreRefs = 1e4;
var maxLength = 6e6;
var maxNode = 2e4;
var maxValue = 200;
var maxOptions = 12;
var skipped = new Set("head script style template noscript datalist title meta link base source track param".split(" "));
var leaves = new Set("select textarea input audio video canvas img math meter progress br wbr hr".split(" "));
var pictures = new Set("img meter progressbar".split(" "));
var inlineTags = new Set("a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q ruby s samp small span strong sub sup time tt u var br wbr img input button select svg".split(" "));
var blockTags = new Set(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul".split(" ")
);
var structure = new Set(
  "banner navigation main complementary contentinfo search form region dialog alertdialog alert status log list listitem table grid treegrid row cell gridcell columnheader rowheader heading article tablist tabpanel menu menubar tree treeitem listbox feed".split(" ")
);
var structureWhenNamed = new Set("group radiogroup figure toolbar region form directory blockquote".split(" "));
var structuralTags = new Set(
  "header nav main aside footer search form section dialog output ul ol menu li table tr td th h1 h2 h3 h4 h5 h6 article fieldset figure".split(" ")
);
var nameable = new Set("fieldset table figure".split(" "));
var shownTypes = new Set("password date time datetime-local month week file color".split(" "));
var visibilityOnly = { visibilityProperty: true };
var seen2 = { visibilityProperty: true, opacityProperty: true };
function outline(tree, pass, options) {
  const made = new Outliner(tree, pass, options);
  const root = options.root ?? documentElement(document);
  if (root !== null) made.read(root);
  return made.done();
}
var Outliner = class {
  constructor(tree, pass, options) {
    this.tree = tree;
    this.pass = pass;
    this.options = options;
    this.#textLimit = options.text ?? 300;
    this.#concealed.add(document);
  }
  tree;
  pass;
  options;
  #lines = [];
  #frames = [];
  #textLimit;
  #length = 0;
  #truncated = 0;
  /** Text that is being collected, where it stands, and whether it goes on in a line begun before. */
  #run = "";
  #runDepth = 0;
  #runNode = null;
  /** Nobody sees that text. */
  #runUnseen = false;
  /** Characters of it that were not read. */
  #unread = 0;
  #open = false;
  #concealed = new Concealed();
  done() {
    this.#flush();
    return { text: this.#lines.join("\n"), truncated: this.#truncated, frames: this.#frames };
  }
  read(root) {
    const { flat } = this.pass;
    flat.surveyed = this.options.root === void 0 || flat.surveyed;
    const nodes = [root];
    const arounds = [{ depth: 0, within: false, said: "", disabled: false, hidden: false, unseen: false }];
    const ends = [];
    for (; ; ) {
      const node2 = nodes.pop();
      if (node2 === void 0) break;
      if (node2 === null) {
        const element2 = ends.pop();
        if (element2 !== void 0 && (this.#run !== "" || this.#open)) this.#edge(element2);
        continue;
      }
      const around = arounds.pop();
      if (!isElement(node2)) {
        if (nodeType(node2) === Node.TEXT_NODE) this.#text(node2, around);
        continue;
      }
      const inside2 = this.#element(node2, around);
      if (inside2 === null) continue;
      nodes.push(null);
      ends.push(node2);
      const children = flat.childNodes(node2);
      const root2 = flat.sawRoots ? flat.shadowRoot(node2) : null;
      if (root2 !== null) this.#concealed.add(root2);
      for (let i = children.length - 1; i >= 0; i -= 1) {
        const child = children[i];
        if (child === void 0) continue;
        const type = nodeType(child);
        if (type !== Node.ELEMENT_NODE && (type !== Node.TEXT_NODE || inside2.within || inside2.hidden)) continue;
        nodes.push(child);
        arounds.push(inside2);
      }
    }
  }
  /** Reads an element; null when there is nothing to read in it. */
  #element(element2, around) {
    const tag4 = localName(element2);
    if (skipped.has(tag4)) return null;
    const attributed = hasAttrs(element2);
    let { hidden } = around;
    let unseen = false;
    if (!checkVisibility(element2, seen2)) {
      if (!checkVisibility(element2, visibilityOnly)) {
        if (!this.pass.styles.facts(element2).contents) {
          if (!checkVisibility(element2)) return null;
          hidden = true;
        }
      } else {
        hidden = false;
        unseen = true;
      }
    } else hidden = false;
    unseen ||= around.unseen || this.#concealed.has(element2, attributed);
    if (unseen !== around.unseen) around = { ...around, unseen };
    if (attributed && (hasAttr(element2, "inert") || this.options.all !== true && attr(element2, "aria-hidden") === "true")) return null;
    if (this.#run !== "" || this.#open) this.#edge(element2);
    if (frameTags.has(tag4)) {
      if (!hidden && (this.options.inView !== true || inView2(rectOf(element2)))) this.#frame(element2, around);
      return null;
    }
    if (!hidden && isInteractive(element2, around.within, this.pass)) return this.#control(element2, tag4, around);
    if (leaves.has(tag4)) {
      if (!hidden) this.#leaf(element2, tag4, around);
      return null;
    }
    if (!hidden && (tag4 === "svg" || attributed && hasAttr(element2, "role")) && pictures.has(this.pass.roles.role(element2))) {
      this.#leaf(element2, tag4, around);
      return null;
    }
    if (tag4 === "label" && !around.within) return this.#label(element2, around, hidden);
    if (tag4 === "legend" || tag4 === "caption" || tag4 === "figcaption") return { ...around, hidden, said: this.#nameAround(element2) };
    if (!around.within && !hidden && (structuralTags.has(tag4) || attributed && hasAttr(element2, "role"))) return this.#structure(element2, tag4, around);
    return hidden === around.hidden ? around : { ...around, hidden };
  }
  #control(element2, tag4, around) {
    const { pass } = this;
    const role = pass.roles.role(element2) || "generic";
    const { name } = pass.names.describe(element2);
    const structural = structure.has(role);
    const disabled = isDisabled(element2, around.disabled);
    const inner = leaves.has(tag4) ? null : { ...around, depth: around.depth + 1, hidden: false, disabled: disabled && !leaves.has(tag4) };
    let shown4 = structural && !hasAttr(element2, "aria-label") ? "" : name;
    let inside2 = null;
    if (inner !== null) {
      if (hasAttr(element2, "contenteditable")) inside2 = null;
      else if (structural) inside2 = inner;
      else if (swallows(element2, pass)) inside2 = queryFirst(element2, operable) === null && !pass.flat.sawRoots ? null : { ...inner, within: true };
      else if (pass.flat.sawRoots || queryFirst(element2, operable) !== null) {
        if (role === "generic") shown4 = "";
        inside2 = { ...inner, said: shown4 };
      } else if (name === "" || name.endsWith("\u2026")) {
        if (role === "generic") shown4 = "";
        inside2 = inner;
      } else inside2 = role === "generic" ? null : { ...inner, said: name };
    }
    if (this.options.inView === true && !inView2(rectOf(element2))) return inside2 === null ? null : { ...inside2, depth: around.depth };
    const redacted = redaction(element2, tag4, pass);
    let value = "";
    let more2 = "";
    if (redacted === null) {
      if (tag4 === "select") {
        value = chosen(element2);
        more2 = choices(element2);
      } else value = cut(fold(valueOf(element2, tag4, role, pass) ?? ""), maxValue);
    }
    if (value === name) value = "";
    this.#put(element2, around, role, this.#ref(element2, tag4, role, name), shown4, this.#states(element2, tag4, role, disabled, redacted), value, hrefOf(element2, tag4, role), more2);
    return inside2;
  }
  #states(element2, tag4, role, disabled, redacted) {
    let states2 = "";
    const add3 = (word) => {
      states2 += states2 === "" ? word : ` ${word}`;
    };
    if (tag4 === "input") {
      const type = inputType(element2);
      if (shownTypes.has(type)) add3(type);
    }
    if (redacted !== null && states2 === "") add3("secret");
    if (disabled) add3("disabled");
    const checked = checkedState(element2, role);
    if (checked === true) add3(role === "button" ? "pressed" : "checked");
    else if (checked === "mixed") add3("mixed");
    const attributed = hasAttrs(element2);
    if (tag4 === "summary" || attributed && hasAttr(element2, "aria-expanded")) {
      const expanded = expandedState(element2);
      if (expanded !== void 0) add3(expanded ? "expanded" : "collapsed");
    }
    if (attributed) {
      if (hasAttr(element2, "contenteditable") && isEditingHost(element2)) add3("editable");
      if (hasAttr(element2, "aria-selected") && selectedState(element2) === true) add3("selected");
      if (hasAttr(element2, "required") || attr(element2, "aria-required") === "true") add3("required");
      if (hasAttr(element2, "readonly") || attr(element2, "aria-readonly") === "true") add3("readonly");
      const invalid = attr(element2, "aria-invalid");
      if (invalid !== null && invalid !== "false" && invalid !== "") add3("invalid");
      const current = attr(element2, "aria-current");
      if (current !== null && current !== "false" && current !== "") add3("current");
    }
    if (this.pass.focused === element2) add3("focused");
    return states2;
  }
  #structure(element2, tag4, around) {
    const role = this.pass.roles.role(element2);
    const named2 = structureWhenNamed.has(role);
    if (!named2 && !structure.has(role)) return around.hidden ? { ...around, hidden: false } : around;
    const name = nameable.has(tag4) || hasAttr(element2, "aria-label") || hasAttr(element2, "aria-labelledby") || hasAttr(element2, "title") ? role === "cell" || role === "listitem" ? "" : this.pass.names.describe(element2).name : "";
    if (named2 && name === "") return around.hidden ? { ...around, hidden: false } : around;
    this.#flush();
    let states2 = "";
    if (role === "heading") states2 = attr(element2, "aria-level") ?? (tag4.length === 2 && tag4.startsWith("h") ? tag4.slice(1) : "2");
    else if (tag4 === "dialog" && matches(element2, ":modal")) states2 = "modal";
    else if (attr(element2, "aria-modal") === "true") states2 = "modal";
    this.#line(around.depth, role, "", name, states2);
    return { ...around, depth: around.depth + 1, hidden: false, said: "", disabled: around.disabled || attr(element2, "aria-disabled") === "true" };
  }
  #label(element2, around, hidden) {
    const control = element2 instanceof HTMLLabelElement ? element2.control : null;
    const said = control === null ? around.said : this.pass.names.describe(control).name;
    return said === around.said && hidden === around.hidden ? around : { ...around, said, hidden };
  }
  /** The name of what a legend or caption names. */
  #nameAround(element2) {
    const owner = this.pass.flat.parent(element2);
    return owner === null ? "" : this.pass.names.describe(owner).name;
  }
  #leaf(element2, tag4, around) {
    if (tag4 === "br") {
      this.#run += " ";
      return;
    }
    if (around.within || tag4 === "hr" || tag4 === "wbr") return;
    if (tag4 === "math") {
      this.#say(textContent(element2) ?? "", element2, around);
      return;
    }
    const role = tag4 === "video" || tag4 === "audio" || tag4 === "canvas" ? tag4 : this.pass.roles.role(element2);
    if (role === "none" || role === "") return;
    const { name } = this.pass.names.describe(element2);
    const value = role === "progressbar" || role === "meter" ? attr(element2, "aria-valuetext") ?? attr(element2, "aria-valuenow") ?? attr(element2, "value") ?? "" : "";
    if (name === "" && value === "") return;
    if (this.options.inView === true && !inView2(rectOf(element2))) return;
    const ref = this.options.match?.(name) === true ? this.#ref(element2, tag4, role, name) : "";
    this.#put(element2, around, role, ref, name, "", value);
  }
  #frame(element2, around) {
    this.#flush();
    this.#frames.push({ element: element2, order: this.#lines.length });
    this.#line(around.depth, "iframe", "", cut(fold(attr(element2, "title") ?? attr(element2, "name") ?? "")));
    this.#open = false;
  }
  // ---- text
  #text(node2, around) {
    const data = textContent(node2) ?? "";
    if (this.#run === "" && data.trim() === "") return;
    if (around.said !== "") {
      const folded = fold(data);
      if (folded !== "" && around.said.includes(folded)) return;
    }
    if (this.options.inView === true && !textInView(node2)) return;
    if (data.length > maxNode) {
      this.#say(data.slice(0, maxNode), node2, around);
      this.#unread += data.length - maxNode;
    } else this.#say(data, node2, around);
  }
  #say(text2, node2, around) {
    if (this.#run !== "" && (around.depth !== this.#runDepth || around.unseen !== this.#runUnseen)) this.#flush();
    if (this.#run === "") {
      this.#runDepth = around.depth;
      this.#runUnseen = around.unseen;
      this.#runNode = node2;
    }
    this.#run += text2;
  }
  #flush() {
    if (this.#run === "") return;
    const text2 = fold(this.#run);
    const node2 = this.#runNode;
    const unread = this.#unread;
    this.#run = "";
    this.#runNode = null;
    this.#unread = 0;
    if (text2 === "") return;
    let ref = "";
    if (this.options.match?.(text2) === true && node2 !== null) {
      const element2 = isElement(node2) ? node2 : parentNode(node2);
      if (isElement(element2)) {
        const role = this.pass.roles.role(element2) || "generic";
        ref = this.#ref(element2, localName(element2), role, this.pass.names.describe(element2).name);
      }
    }
    const more2 = text2.length > this.#textLimit || unread > 0 ? String(text2.length + unread) : "";
    this.#line(this.#runDepth, "", ref, cut(text2, this.#textLimit), this.#runUnseen ? "hidden" : "", "", "", more2);
    this.#open = true;
  }
  /** Where a block begins or ends, so does a line of text. */
  #edge(element2) {
    const tag4 = localName(element2);
    if (inlineTags.has(tag4) && this.pass.styles.unstyled(element2) && !hasAttr(element2, "style")) return;
    if (blockTags.has(tag4) && this.pass.styles.unstyled(element2) && !hasAttr(element2, "style")) {
      this.#flush();
      this.#open = false;
      return;
    }
    if (namespaceURI(element2) === SVG_NAMESPACE) {
      if (this.#run !== "") this.#run += " ";
      return;
    }
    const { display } = styleOf(element2);
    if (display === "inline" || display === "contents") return;
    if (display.startsWith("inline") || display === "ruby") {
      if (this.#run !== "") this.#run += " ";
      return;
    }
    this.#flush();
    this.#open = false;
  }
  // ---- lines
  #ref(element2, tag4, role, name) {
    const { refs, version } = this.tree;
    const ref = refs.refOf(element2);
    const look2 = { role, name, stableId: ownId(element2) ?? `${role}:`, selector: "" };
    refs.give(ref, element2, tag4, look2, version, this.tree.itemOf(element2) === void 0 ? version + 1 : version);
    return ref.slice(1);
  }
  /** A line of an element that may stand in a line of text. */
  #put(element2, around, role, ref, name, states2 = "", value = "", href = "", more2 = "") {
    this.#flush();
    this.#line(around.depth, role, ref, name, states2, value, href, more2);
    this.#open = inlineTags.has(localName(element2)) || this.#open;
  }
  #line(depth, role, ref, name, states2 = "", value = "", href = "", more2 = "") {
    if (this.#lines.length >= (ref === "" ? maxNodes3 : maxNodes3 + moreRefs) || this.#length >= maxLength) {
      this.#truncated += 1;
      return;
    }
    let line = `${this.#open ? "+" : ""}${depth}	${role}`;
    if (more2 !== "") line += `	${ref}	${name}	${states2}	${value}	${href}	${more2}`;
    else if (href !== "") line += `	${ref}	${name}	${states2}	${value}	${href}`;
    else if (value !== "") line += `	${ref}	${name}	${states2}	${value}`;
    else if (states2 !== "") line += `	${ref}	${name}	${states2}`;
    else if (name !== "") line += `	${ref}	${name}`;
    else if (ref !== "") line += `	${ref}`;
    this.#length += line.length;
    this.#lines.push(line);
  }
};
function hrefOf(element2, tag4, role) {
  if (role !== "link" || tag4 !== "a" && tag4 !== "area") return "";
  const href = (attr(element2, "href") ?? "").trim();
  if (href === "" || href === "#" || /^javascript:/i.test(href)) return "";
  return cut(fold(href), maxValue);
}
function chosen(select) {
  const labels = [];
  for (const option of select.selectedOptions) labels.push(fold(option.label));
  return cut(labels.join(", "), maxValue);
}
function choices(select) {
  const options = queryAll(select, "option");
  if (options.length > maxOptions) return `${options.length} options`;
  const labels = [];
  for (const option of options) labels.push(fold(option.label));
  const all2 = labels.join(" | ");
  return all2.length > 160 ? `${options.length} options` : all2;
}
function inView2(rect) {
  return rect.width > 0 && rect.height > 0 && rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;
}
function textInView(node2) {
  const range2 = document.createRange();
  range2.selectNodeContents(node2);
  return inView2(range2.getBoundingClientRect());
}
function matcher(given2) {
  if (typeof given2 !== "object" || given2 === null) return void 0;
  const { text: text2, regex } = given2;
  if (typeof regex === "string") {
    let pattern;
    try {
      pattern = new RegExp(regex, "iu");
    } catch {
      return void 0;
    }
    return (words) => pattern.test(words);
  }
  if (typeof text2 !== "string" || text2 === "") return void 0;
  const wanted = fold(text2).toLowerCase();
  return (words) => words.toLowerCase().includes(wanted);
}

// src/page/execute/outline.ts
async function readOutline(params, tree, targets, signal) {
  const root = params.root === void 0 ? void 0 : await targets.resolve({ target: params.root, waitMs: params.waitMs }, signal);
  const { text: text2, truncated, frames: frames3 } = outline(tree, tree.pass(true), {
    root,
    inView: params.inView === true,
    all: params.all === true,
    match: matcher(params.match),
    ...typeof params.text === "number" ? { text: params.text } : {}
  });
  return { text: text2, truncated, refs: tree.refs.next - 1, frame: frameInfo(tree, frames3), url: location.href, title: document.title.slice(0, 300).toWellFormed() };
}
function readState(tree) {
  const pass = tree.pass();
  const { focused } = pass;
  const root = document.scrollingElement;
  return {
    url: location.href,
    title: document.title.slice(0, 300).toWellFormed(),
    readyState: document.readyState,
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { x: Math.round(scrollX), y: Math.round(scrollY) },
    content: { width: root?.scrollWidth ?? innerWidth, height: root?.scrollHeight ?? innerHeight },
    pixelRatio: devicePixelRatio,
    hidden: document.visibilityState === "hidden",
    ...focused === null || focused === document.body || focused === document.documentElement ? {} : { focused: named(focused, tree, pass) }
  };
}
function named(element2, tree, pass) {
  const { ref, role, name } = candidate(element2, tree, pass);
  return { ref, role, name };
}

// src/page/execute/own.ts
var maxResult = 8 * 1024 * 1024;
var leaveDelay = 30;
var indirectEval = globalThis.eval;
var AsyncFunction = Object.getPrototypeOf(async () => void 0).constructor;
async function evaluate(code, acted) {
  let value;
  try {
    const started = run(code);
    acted();
    value = await started;
  } catch (error) {
    if (error instanceof BridgeFault) throw error;
    throw thrown(error);
  }
  const { value: plain3 } = toPlain(value, maxResult);
  const size = JSON.stringify(plain3)?.length ?? 0;
  if (size > maxResult) throw new BridgeFault("RESULT_TOO_LARGE", "The result is larger than the limit.", { limit: maxResult });
  return plain3 ?? null;
}
function run(code) {
  try {
    if (/\bawait\b/.test(code)) {
      const body = compile(`return (${code}
)`) ?? compile(code);
      if (body !== void 0) return body();
    }
    return indirectEval(code);
  } catch (error) {
    if (error instanceof EvalError) {
      throw new BridgeFault(
        "EVAL_DISABLED",
        "The page's Content-Security-Policy forbids evaluating scripts.",
        void 0,
        ["Connect the tab with the extension at level control: evaluate then works past the policy."]
      );
    }
    throw error;
  }
}
function compile(body) {
  try {
    return new AsyncFunction(body);
  } catch (error) {
    if (error instanceof SyntaxError) return void 0;
    throw error;
  }
}
function thrown(error) {
  const details = { exception: toPlain(error, 10240).value ?? "undefined" };
  if (error instanceof Error && typeof error.stack === "string") details.stack = error.stack.slice(0, 10240).toWellFormed();
  return new BridgeFault("VALIDATION_ERROR", "The code threw an exception.", details, ["See `details.exception`, and correct the code."]);
}
function navigate(params, acted) {
  const ways = [typeof params.url === "string" && params.url !== "", params.back === true, params.forward === true, params.reload === true];
  if (ways.filter(Boolean).length !== 1) throw new BridgeFault("VALIDATION_ERROR", "Give exactly one of url, back, forward and reload.");
  let go;
  let url = location.href;
  if (typeof params.url === "string" && params.url !== "") {
    let address2;
    try {
      address2 = new URL(params.url, document.baseURI);
    } catch {
      throw new BridgeFault("VALIDATION_ERROR", "url is no address.");
    }
    if (!["http:", "https:"].includes(address2.protocol) && address2.href !== "about:blank") {
      throw new BridgeFault("POLICY_DENIED", "Only http and https addresses can be loaded.", { protocol: address2.protocol });
    }
    url = address2.href;
    go = () => location.assign(url);
  } else if (params.back === true) go = () => history.back();
  else if (params.forward === true) go = () => history.forward();
  else go = () => location.reload();
  acted();
  startTimer(go, leaveDelay);
  return { url };
}

// src/page/execute/hand.ts
var HAND = "__debugBridgeHand";
var HOLD_MS = 1e4;
var world = globalThis;
var timer;
function hand(token, element2, tree, elements = []) {
  if (typeof token !== "string" || token === "") throw new BridgeFault("VALIDATION_ERROR", "Give a token.");
  clearTimeout(timer);
  world[HAND] = { token, element: element2, elements, tools: tools(tree) };
  timer = setTimeout(() => delete world[HAND], HOLD_MS);
}
function tools(tree) {
  return {
    shadowRoot: (element2) => tree.flat.shadowRoot(element2),
    describe(elements) {
      const pass = tree.pass(elements.length > 8);
      return elements.map((element2) => candidate(element2, tree, pass));
    }
  };
}

// src/page/execute/typing.ts
var keyedCharacters = 200;
var setInput = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
var setTextarea = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
var { dispatchEvent: dispatchEvent3 } = EventTarget.prototype;
function valueOf2(element2) {
  if (element2 instanceof HTMLInputElement) return inputValue(element2);
  if (element2 instanceof HTMLTextAreaElement) return textareaValue(element2);
  return element2.textContent ?? "";
}
function setValue(element2, value) {
  if (element2 instanceof HTMLInputElement) setInput?.call(element2, value);
  else setTextarea?.call(element2, value);
}
function allowed(element2, inputType2, data) {
  return dispatchEvent3.call(element2, new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, data, inputType: inputType2, view: window }));
}
function tellInput(element2, inputType2, data) {
  dispatchEvent3.call(element2, new InputEvent("input", { bubbles: true, composed: true, data, inputType: inputType2, view: window }));
}
function edit(inputType2, text2 = "") {
  try {
    return document.execCommand(inputType2 === "deleteContentBackward" ? "delete" : inputType2, false, text2);
  } catch {
    return false;
  }
}
var punctuation = {
  " ": "Space",
  "\n": "Enter",
  "	": "Tab",
  "-": "Minus",
  "=": "Equal",
  "[": "BracketLeft",
  "]": "BracketRight",
  ";": "Semicolon",
  "'": "Quote",
  ",": "Comma",
  ".": "Period",
  "/": "Slash",
  "\\": "Backslash",
  "`": "Backquote"
};
var punctuationCodes = {
  " ": 32,
  "\n": 13,
  "	": 9,
  "-": 189,
  "=": 187,
  "[": 219,
  "]": 221,
  ";": 186,
  "'": 222,
  ",": 188,
  ".": 190,
  "/": 191,
  "\\": 220,
  "`": 192
};
function keyInit(character) {
  const upper = character.toUpperCase();
  const isLetter = /^[A-Z]$/.test(upper);
  const isDigit = /^[0-9]$/.test(character);
  return {
    key: character === "\n" ? "Enter" : character === "	" ? "Tab" : character,
    code: isLetter ? `Key${upper}` : isDigit ? `Digit${character}` : punctuation[character] ?? "",
    keyCode: isLetter || isDigit ? upper.charCodeAt(0) : punctuationCodes[character] ?? 0,
    shiftKey: isLetter && character === upper && upper !== character.toLowerCase(),
    bubbles: true,
    cancelable: true,
    composed: true,
    view: window
  };
}
function pressKey(element2, character, act2) {
  const init = keyInit(character);
  if (dispatchEvent3.call(element2, new KeyboardEvent("keydown", init))) {
    const press2 = { ...init, keyCode: character === "\n" ? 13 : character.codePointAt(0) ?? 0, charCode: character.codePointAt(0) ?? 0 };
    if (dispatchEvent3.call(element2, new KeyboardEvent("keypress", press2))) act2();
  }
  if (isConnected(element2)) dispatchEvent3.call(element2, new KeyboardEvent("keyup", init));
}
function insertInto(element2, text2) {
  if (!allowed(element2, "insertText", text2)) return;
  const before = valueOf2(element2);
  if (edit("insertText", text2) || valueOf2(element2) !== before) return;
  const room = element2.maxLength >= 0 ? Math.max(0, element2.maxLength - before.length) : text2.length;
  setValue(element2, before + text2.slice(0, room));
  if (valueOf2(element2) !== before) tellInput(element2, "insertText", text2);
}
async function place(control, clear) {
  focus(control.element);
  if (control.kind === "editable") {
    const selection = getSelection();
    selection?.selectAllChildren(control.element);
    if (!clear) selection?.collapseToEnd();
    await turn();
    await frame();
    return;
  }
  if (control.kind === "whole") return;
  const { element: element2 } = control;
  if (clear) {
    element2.select();
    return;
  }
  try {
    element2.setSelectionRange(valueOf2(element2).length, valueOf2(element2).length);
  } catch {
  }
}
function hasCaret(element2) {
  return element2 instanceof HTMLTextAreaElement || element2.selectionStart !== null;
}
async function typeText(control, text2, clear, signal, acted) {
  assertEditable(control);
  await place(control, clear);
  check(signal);
  if (control.kind === "whole") setWhole(control.element, text2);
  else if (control.kind === "editable") await typeEditable(control.element, text2, clear, signal, acted);
  else await typeField(control.element, text2, clear, signal, acted);
  acted();
}
async function typeField(element2, given2, clear, signal, acted) {
  const single = element2 instanceof HTMLInputElement;
  const enter = single && /\r?\n$/.test(given2);
  let text2 = given2.replace(/\r\n?/g, "\n");
  if (single) text2 = text2.replaceAll("\n", "");
  if (clear && text2 === "" && valueOf2(element2) !== "") empty(element2);
  const start2 = valueOf2(element2);
  if (!hasCaret(element2) && !clear && start2 !== "") {
    for (const character of Array.from(text2).slice(0, keyedCharacters)) pressKey(element2, character, () => void 0);
    element2.select();
    insertInto(element2, start2 + text2);
  } else await keys(element2, text2, signal, (piece) => insertInto(element2, piece), acted);
  if (enter) pressEnter(element2);
}
async function keys(element2, text2, signal, put3, acted) {
  const characters = Array.from(text2);
  for (let i = 0; i < characters.length && i < keyedCharacters; i++) {
    const character = characters[i];
    pressKey(element2, character, () => put3(character));
    if (i === 0) acted();
    if (!isConnected(element2)) return;
    if (i % 16 === 15) {
      await turn();
      check(signal);
    }
  }
  if (characters.length > keyedCharacters) put3(characters.slice(keyedCharacters).join(""));
}
function empty(element2) {
  if (!allowed(element2, "deleteContentBackward", null)) return;
  edit("deleteContentBackward");
  if (valueOf2(element2) === "") return;
  setValue(element2, "");
  tellInput(element2, "deleteContentBackward", null);
}
function pressEnter(element2) {
  pressKey(element2, "\n", () => submitByEnter(element2));
}
function submitByEnter(element2) {
  dispatchEvent3.call(element2, new Event("change", { bubbles: true }));
  const { form } = element2;
  if (form === null) return;
  const submit = Array.from(form.elements).find((at) => at instanceof HTMLButtonElement && at.type === "submit" || at instanceof HTMLInputElement && (at.type === "submit" || at.type === "image"));
  if (submit !== void 0) {
    if (!submit.disabled) submit.click();
    return;
  }
  const fields2 = Array.from(form.elements).filter((at) => at instanceof HTMLInputElement && valueOf2(at) !== void 0 && ["text", "search", "url", "tel", "email", "password", "number", "date", "time", "month", "week", "datetime-local"].includes(at.type));
  if (fields2.length === 1) HTMLFormElement.prototype.requestSubmit.call(form);
}
async function typeEditable(element2, given2, clear, signal, acted) {
  const text2 = given2.replace(/\r\n?/g, "\n");
  if (clear && element2.textContent !== "" && allowed(element2, "deleteContentBackward", null)) edit("deleteContentBackward");
  await keys(element2, text2, signal, (piece) => {
    for (const [i, line] of piece.split("\n").entries()) {
      if (i > 0 && allowed(element2, "insertParagraph", null)) edit("insertParagraph");
      if (line !== "" && allowed(element2, "insertText", line) && !edit("insertText", line)) insertNode(element2, line);
    }
  }, acted);
}
function insertNode(element2, text2) {
  const selection = getSelection();
  const range2 = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : void 0;
  if (range2 === void 0 || !element2.contains(range2.commonAncestorContainer)) return;
  range2.deleteContents();
  range2.insertNode(document.createTextNode(text2));
  range2.collapse(false);
  tellInput(element2, "insertText", text2);
}
var formats = {
  date: "YYYY-MM-DD",
  time: "HH:MM",
  "datetime-local": "YYYY-MM-DDTHH:MM",
  month: "YYYY-MM",
  week: "YYYY-Www",
  color: "#rrggbb",
  range: "a number"
};
function setWhole(element2, given2) {
  const text2 = element2.type === "color" ? given2.trim().toLowerCase() : given2.trim();
  const before = valueOf2(element2);
  setValue(element2, text2);
  const after = valueOf2(element2);
  const refused = element2.type === "range" ? !Number.isFinite(Number(text2)) || text2 === "" : element2.type === "color" ? after !== text2 : after === "" && text2 !== "";
  if (refused) {
    setValue(element2, before);
    throw new BridgeFault(
      "VALIDATION_ERROR",
      `The text is no value of a field of type ${element2.type}; it wants ${formats[element2.type] ?? "another form"}.`,
      { check: "value", type: element2.type }
    );
  }
  if (after === before) return;
  dispatchEvent3.call(element2, new Event("input", { bubbles: true, composed: true }));
  dispatchEvent3.call(element2, new Event("change", { bubbles: true }));
}
function noEffect(element2) {
  return new BridgeFault("ACTION_NO_EFFECT", "The field did not take the text.", { check: "value", redacted: secretKind(element2) !== null });
}
function verifyFilled(control, before, wanted) {
  const { element: element2 } = control;
  if (!isConnected(element2)) return {};
  const secret = secretKind(element2);
  const plain3 = (text2) => control.kind === "editable" ? text2.replaceAll("\xA0", " ").replaceAll("\n", "") : text2.replace(/\r\n?/g, "\n");
  const after = plain3(valueOf2(element2));
  const meant = plain3(wanted).trim();
  const same2 = after.trim().toLowerCase() === meant.toLowerCase();
  if (!same2 && (after === "" !== (meant === "") || after === plain3(before))) {
    const held2 = after.length > 200 ? `${after.slice(0, 200).toWellFormed()}\u2026` : after;
    throw new BridgeFault("ACTION_NO_EFFECT", secret !== null ? "The field did not take the value." : `The field did not take the value; it holds ${JSON.stringify(held2)}.`, {
      check: "value",
      ...secret === null ? { holds: held2 } : { redacted: secret }
    });
  }
  if (secret !== null) return { redacted: secret };
  return same2 ? {} : { value: after.length > 1e3 ? `${after.slice(0, 1e3).toWellFormed()}\u2026` : after };
}
function verifyTyped(control, before, text2, clear) {
  const { element: element2 } = control;
  if (!isConnected(element2)) return {};
  const after = valueOf2(element2);
  const wanted = control.kind === "whole" || clear ? text2 : before + text2;
  const visible = control.kind === "editable" ? wanted.replaceAll("\n", "") : wanted.replace(/\r\n?/g, "\n");
  const meantChange = visible.trim() !== before.trim();
  if (meantChange && after === before) throw noEffect(element2);
  const secret = secretKind(element2);
  if (secret !== null) return { redacted: secret };
  return { value: after.length > 1e3 ? `${after.slice(0, 1e3).toWellFormed()}\u2026` : after };
}

// src/page/execute/keyboard.ts
var { dispatchEvent: dispatchEvent4 } = EventTarget.prototype;
var clickable = "button, a[href], summary, input[type=button], input[type=submit], input[type=reset], input[type=image], [role=button]";
var switchable = `${clickable}, input[type=checkbox], input[type=radio]`;
var tabbable = "a[href], area[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]";
async function press(params, signal, acted) {
  if (typeof params.typed === "string") {
    const control = classify(active());
    if (control.kind === "text" || control.kind === "editable") await typeText(control, params.typed, false, signal, acted);
    else for (const character of params.typed) pressKey(active(), character, () => void 0);
    if (params.submit !== void 0) pressOne(readKey(params.submit), /* @__PURE__ */ new Set());
    acted();
    return;
  }
  const key2 = readKey(params);
  const held2 = new Set(Array.isArray(params.modifiers) ? params.modifiers : []);
  const times = typeof params.repeat === "number" ? params.repeat : 1;
  for (let n = 0; n < times; n += 1) {
    check(signal);
    pressOne(key2, held2, n > 0);
    if (n === 0) acted();
  }
}
function active() {
  return deepActive() ?? bodyOf(document) ?? document.documentElement;
}
function readKey(value) {
  const { key: key2, code, keyCode, text: text2 } = value ?? {};
  if (typeof key2 !== "string") throw new BridgeFault("VALIDATION_ERROR", "Give a key.");
  return { key: key2, code: typeof code === "string" ? code : "", keyCode: typeof keyCode === "number" ? keyCode : 0, text: typeof text2 === "string" ? text2 : "" };
}
function pressOne(key2, held2, repeat = false) {
  const init = {
    key: key2.key,
    code: key2.code,
    keyCode: key2.keyCode,
    repeat,
    bubbles: true,
    cancelable: true,
    composed: true,
    view: window,
    ctrlKey: held2.has("Control"),
    altKey: held2.has("Alt"),
    shiftKey: held2.has("Shift"),
    metaKey: held2.has("Meta")
  };
  const shortcut = held2.has("Control") || held2.has("Alt") || held2.has("Meta");
  const target = active();
  let goes = dispatchEvent4.call(target, new KeyboardEvent("keydown", init));
  if (goes && key2.text !== "" && !shortcut) {
    const charCode = key2.text.codePointAt(0) ?? 0;
    goes = dispatchEvent4.call(target, new KeyboardEvent("keypress", { ...init, keyCode: charCode, charCode }));
  }
  if (goes && isConnected(target)) act(target, key2, held2, shortcut);
  const up = isConnected(target) ? active() : bodyOf(document) ?? document.documentElement;
  if (!dispatchEvent4.call(up, new KeyboardEvent("keyup", { ...init, repeat: false })) || !goes) return;
  if (key2.key === " " && up === target && matches(target, switchable)) target.click();
}
function act(target, key2, held2, shortcut) {
  const control = classify(target);
  const editing = control.kind === "text" || control.kind === "editable";
  if (shortcut) {
    if (key2.key.toLowerCase() === "a" && (held2.has("Control") || held2.has("Meta"))) edit("selectAll");
    return;
  }
  switch (key2.key) {
    case "Enter":
      if (target instanceof HTMLInputElement) submitByEnter(target);
      else if (target instanceof HTMLTextAreaElement) insertInto(target, "\n");
      else if (editing) edit("insertParagraph");
      else if (matches(target, clickable)) target.click();
      return;
    case "Backspace":
      if (editing) edit("delete");
      return;
    case "Delete":
      if (editing) edit("forwardDelete");
      return;
    case "Tab":
      moveFocus(target, held2.has("Shift") ? -1 : 1);
      return;
    case "Escape":
      closeDialog();
      return;
    case "ArrowUp":
      step(target, -1, true);
      return;
    case "ArrowLeft":
      step(target, -1, false);
      return;
    case "ArrowDown":
      step(target, 1, false);
      return;
    case "ArrowRight":
      step(target, 1, true);
      return;
    default:
      break;
  }
  if (key2.text === "" || !editing) return;
  if (control.kind === "text") insertInto(control.element, key2.text);
  else edit("insertText", key2.text);
}
function moveFocus(from, by) {
  const stops = [...queryAll(document, tabbable)].filter((at2) => at2 instanceof HTMLElement && htmlTabIndex(at2) >= 0 && !matches(at2, ":disabled") && checkVisibility(at2));
  const at = stops.indexOf(from);
  const next = stops[at < 0 ? by > 0 ? 0 : stops.length - 1 : (at + by + stops.length) % stops.length];
  if (next !== void 0) focus(next);
}
function closeDialog() {
  const open = [...queryAll(document, "dialog:modal")].at(-1);
  if (!(open instanceof HTMLDialogElement)) return;
  if (dispatchEvent4.call(open, new Event("cancel", { cancelable: true }))) open.close();
}
function step(target, by, more2) {
  if (target instanceof HTMLSelectElement && !target.multiple) {
    const next = target.selectedIndex + by;
    if (next < 0 || next >= target.options.length) return;
    target.selectedIndex = next;
    tell(target);
  } else if (target instanceof HTMLInputElement && target.type === "radio" && target.name !== "") {
    const group = [...queryAll(document, "input[type=radio]")].filter((at) => at instanceof HTMLInputElement && at.name === target.name && at.form === target.form && !at.disabled);
    const next = group[(group.indexOf(target) + by + group.length) % group.length];
    if (next === void 0) return;
    focus(next);
    next.click();
  } else if (target instanceof HTMLInputElement && (target.type === "range" || target.type === "number")) {
    if (more2) target.stepUp();
    else target.stepDown();
    tell(target);
  }
}
function tell(target) {
  dispatchEvent4.call(target, new Event("input", { bubbles: true, composed: true }));
  dispatchEvent4.call(target, new Event("change", { bubbles: true }));
}

// src/page/layout/apply.ts
var Measurement = class {
  constructor(elements) {
    this.elements = elements;
  }
  elements;
  at(index) {
    const element2 = this.elements[index]?.deref();
    if (element2 === void 0 || !element2.isConnected) throw new BridgeFault("TARGET_STALE", "The element that was measured is gone.", { reason: "removed" });
    return element2;
  }
};
function apply(order) {
  const undo = [];
  const back = () => {
    for (const step2 of undo.reverse()) step2();
  };
  try {
    if (order.end) {
      for (const animation of document.getAnimations()) {
        if (!(animation.effect instanceof KeyframeEffect) || !(animation.timeline instanceof DocumentTimeline) || animation.playState !== "running") continue;
        const end = Number(animation.effect.getComputedTiming().endTime);
        if (!Number.isFinite(end)) continue;
        const { currentTime } = animation;
        animation.currentTime = end;
        undo.push(() => {
          animation.currentTime = currentTime;
        });
      }
    }
    if (order.changes.length > 0) {
      undo.push(keepTransitions(new Set(order.changes.map(({ index }) => order.before?.at(index)))));
      const still2 = new CSSStyleSheet();
      still2.replaceSync("*,*::before,*::after{transition:none!important}");
      const sheets = document.adoptedStyleSheets;
      document.adoptedStyleSheets = [...sheets, still2];
      const root = documentElement(document);
      undo.push(() => {
        if (root !== null) void rectOf(root);
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet2) => sheet2 !== still2);
      });
      for (const change of order.changes) undo.push(put2(change, order.before));
    }
  } catch (error) {
    back();
    throw error;
  }
  return back;
}
function keepTransitions(changed2) {
  const styled2 = /* @__PURE__ */ new Map();
  for (const { effect } of document.getAnimations().filter((animation) => animation instanceof CSSTransition)) {
    if (!(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) continue;
    const { target } = effect;
    if (!(target instanceof HTMLElement || target instanceof SVGElement) || changed2.has(target) || styled2.has(target)) continue;
    styled2.set(target, attr(target, "style"));
    target.style.setProperty("transition", styleOf(target).transition, "important");
  }
  return () => {
    for (const [element2, style] of styled2) {
      if (style === null) element2.removeAttribute("style");
      else element2.setAttribute("style", style);
    }
  };
}
function put2({ index, property, value, attribute }, before) {
  if (before === void 0) throw new BridgeFault("TARGET_STALE", "What was measured is forgotten; measure again.", { reason: "measurement" });
  const element2 = before.at(index);
  const name = attribute ? property : "style";
  const old = attr(element2, name);
  if (attribute) {
    if (!["hidden", "inert", "open", "aria-hidden", "tabindex", "width", "height", "class", "slot"].includes(property)) {
      throw new BridgeFault("VALIDATION_ERROR", "This attribute cannot be tried.", { attribute: property });
    }
    if (value === "(remove)") element2.removeAttribute(property);
    else element2.setAttribute(property, value);
  } else if (element2 instanceof HTMLElement || element2 instanceof SVGElement) element2.style.setProperty(property, value, "important");
  return () => {
    if (old === null) element2.removeAttribute(name);
    else element2.setAttribute(name, old);
  };
}

// src/page/layout/own.ts
function round2(value) {
  return Math.round(value * 100) / 100;
}
var range = document.createRange();
function ownText(element2) {
  let text2 = "";
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const lines = /* @__PURE__ */ new Set();
  for (let child = firstChild(element2); child !== null; child = nextSibling(child)) {
    if (nodeType(child) !== Node.TEXT_NODE) continue;
    const data = textContent(child) ?? "";
    if (data.length < 50 && data.trim() === "") continue;
    if (text2.length < 80) text2 += ` ${data.slice(0, 200)}`;
    range.selectNodeContents(child);
    for (const rect of range.getClientRects()) {
      if (rect.width === 0) continue;
      left = Math.min(left, rect.left);
      top = Math.min(top, rect.top);
      right = Math.max(right, rect.right);
      bottom = Math.max(bottom, rect.bottom);
      lines.add(Math.round(rect.top));
    }
  }
  if (lines.size === 0) return null;
  range.selectNodeContents(document);
  return { t: cut(fold(text2), 60), b: [round2(left), round2(top), round2(right - left), round2(bottom - top)], l: lines.size };
}
function imageOf(image) {
  const { complete, naturalWidth, naturalHeight } = image;
  const source2 = image.currentSrc || (attr(image, "src") ?? "");
  return {
    src: source2.slice(0, 300).toWellFormed(),
    w: naturalWidth,
    h: naturalHeight,
    done: complete,
    bad: complete && naturalWidth === 0 && source2 !== "",
    ...image.loading === "lazy" ? { lazy: true } : {}
  };
}
function animations(roots) {
  const list = [];
  for (const root of roots) {
    for (const animation of root.getAnimations()) {
      const { effect, playState, timeline } = animation;
      if (playState !== "running" && playState !== "paused") continue;
      if (!(effect instanceof KeyframeEffect) || effect.target === null || effect.pseudoElement !== null) continue;
      if (!(timeline instanceof DocumentTimeline)) continue;
      list.push(animation);
      if (list.length >= 500) return list;
    }
  }
  return list;
}
var notProperties = /* @__PURE__ */ new Set(["offset", "computedOffset", "easing", "composite"]);
function animationOf(animation, style, exact) {
  const effect = animation.effect;
  const { endTime } = effect.getComputedTiming();
  const end = Number(endTime);
  const last = effect.getKeyframes().at(-1) ?? {};
  const now2 = {};
  const values = {};
  const names2 = Object.keys(last).filter((key2) => !notProperties.has(key2));
  const css = (name) => name === "cssFloat" ? "float" : name.startsWith("--") ? name : name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
  for (const name of names2) {
    values[css(name)] = String(last[name]).slice(0, 80);
    now2[css(name)] = style.getPropertyValue(css(name)).slice(0, 80);
  }
  if (exact && Number.isFinite(end)) {
    const { currentTime } = animation;
    animation.currentTime = end;
    for (const name of Object.keys(values)) values[name] = style.getPropertyValue(name).slice(0, 80);
    animation.currentTime = currentTime;
  }
  const transition = animation instanceof CSSTransition;
  return {
    n: (transition ? animation.transitionProperty : animation instanceof CSSAnimation ? animation.animationName : animation.id).slice(0, 60),
    k: transition ? "transition" : animation instanceof CSSAnimation ? "animation" : "script",
    s: now2,
    e: values,
    r: Number.isFinite(end) ? Math.max(0, Math.round(end - Number(animation.currentTime ?? 0))) : -1,
    ...animation.playState === "paused" ? { p: true } : {}
  };
}
function glyphFont(element2) {
  if (firstChild(element2) !== null && (textContent(element2) ?? "").trim() !== "") return void 0;
  const { content, fontFamily } = styleOf(element2, "::before");
  return /[\ue000-\uf8ff]/.test(content) ? fontFamily.slice(0, 200).toWellFormed() : void 0;
}
function missingFonts() {
  const families = /* @__PURE__ */ new Set();
  const loaded = /* @__PURE__ */ new Set();
  for (const face of document.fonts) {
    const family = face.family.replace(/^["']|["']$/g, "");
    if (face.status === "error") families.add(family);
    else if (face.status === "loaded") loaded.add(family);
    if (families.size > 50) break;
  }
  return [...families].filter((family) => !loaded.has(family));
}

// src/page/layout/points.ts
var maxLines = 3;
function seen3(rect) {
  const x = Math.max(0, rect.x);
  const y = Math.max(0, rect.y);
  const width = Math.min(innerWidth, rect.right) - x;
  const height = Math.min(innerHeight, rect.bottom) - y;
  return width <= 0 || height <= 0 ? null : new DOMRect(x, y, width, height);
}
function hitPoints(element2) {
  const boxes = [...clientRects(element2)].flatMap((rect) => seen3(rect) ?? []);
  if (boxes.length < 2) {
    const part2 = boxes[0] ?? seen3(rectOf(element2));
    return part2 === null ? [] : grid(part2, corner(element2, part2), true);
  }
  return boxes.sort((a, b) => b.width * b.height - a.width * a.height).slice(0, maxLines).flatMap((part2) => grid(part2, 2, false));
}
function grid({ x, y, right, bottom, width, height }, corner2, rows2) {
  const [dx, dy] = [Math.min(corner2, width / 4), Math.min(corner2, height / 4)];
  const xs = [x + width / 2, x + dx, right - dx];
  const ys = rows2 ? [y + height / 2, y + dy, bottom - dy] : [y + height / 2];
  return ys.flatMap((py) => xs.map((px) => ({ x: px, y: py })));
}
function corner(element2, { width, height }) {
  const style = styleOf(element2);
  let radius = 0;
  for (const value of [style.borderTopLeftRadius, style.borderTopRightRadius, style.borderBottomRightRadius, style.borderBottomLeftRadius]) {
    const number = Number.parseFloat(value);
    if (Number.isFinite(number)) radius = Math.max(radius, value.includes("%") ? number / 100 * Math.max(width, height) : number);
  }
  return 2 + 0.3 * Math.min(radius, Math.max(width, height) / 2);
}
var least = 24;
function pointsAround(element2) {
  const rect = rectOf(element2);
  if (rect.width >= least && rect.height >= least) return [];
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  const list = [];
  for (const radius of [11.5, 17, 23]) {
    for (let k = 0; k < 8; k += 1) list.push({ x: x + radius * Math.cos(k * Math.PI / 4), y: y + radius * Math.sin(k * Math.PI / 4) });
  }
  return list;
}
var elementsAt = document.elementsFromPoint.bind(document);
function pileAt(element2) {
  const part2 = seen3(rectOf(element2));
  return part2 === null ? [] : elementsAt(part2.x + part2.width / 2, part2.y + part2.height / 2).slice(0, 30);
}

// src/page/layout/styles.ts
var always = [
  ["display", "block"],
  ["position", "static"],
  ["visibility", "visible"],
  ["opacity", "1"],
  ["overflow-x", "visible"],
  ["overflow-y", "visible"],
  ["z-index", "auto"],
  ["transform", "none"],
  ["translate", "none"],
  ["rotate", "none"],
  ["scale", "none"],
  ["filter", "none"],
  ["backdrop-filter", "none"],
  ["perspective", "none"],
  ["will-change", "auto"],
  ["contain", "none"],
  ["isolation", "auto"],
  ["mix-blend-mode", "normal"],
  ["clip-path", "none"],
  ["clip", "auto"],
  ["mask-image", "none"],
  ["container-type", "normal"],
  ["content-visibility", "visible"],
  ["pointer-events", "auto"],
  ["background-color", "rgba(0, 0, 0, 0)"],
  ["background-image", "none"],
  ["float", "none"]
];
var positioned = [
  ["top", "auto"],
  ["right", "auto"],
  ["bottom", "auto"],
  ["left", "auto"],
  ["transition-property", "all"]
];
var text = [
  ["color", "rgb(0, 0, 0)"],
  ["font-size", "16px"],
  ["font-weight", "400"],
  ["font-family", ""],
  ["line-height", "normal"],
  ["text-overflow", "clip"],
  ["white-space-collapse", "collapse"],
  ["text-wrap-mode", "wrap"],
  ["-webkit-line-clamp", "none"],
  ["text-indent", "0px"],
  ["text-shadow", "none"],
  ["-webkit-text-fill-color", ""],
  ["direction", "ltr"],
  ["writing-mode", "horizontal-tb"]
];
var flexContainer = [
  ["flex-direction", "row"],
  ["flex-wrap", "nowrap"],
  ["justify-content", "normal"],
  ["align-items", "normal"],
  ["direction", "ltr"],
  ["column-gap", "normal"],
  ["row-gap", "normal"]
];
var flexItem = [
  ["flex-grow", "0"],
  ["flex-shrink", "1"],
  ["flex-basis", "auto"],
  ["order", "0"],
  ["min-width", "auto"],
  ["min-height", "auto"],
  ["box-sizing", "content-box"]
];
var gridContainer = [
  ["grid-template-columns", "none"],
  ["grid-template-rows", "none"],
  ["grid-template-areas", "none"],
  ["grid-auto-flow", "row"],
  ["justify-content", "normal"],
  ["align-items", "normal"],
  ["column-gap", "normal"],
  ["row-gap", "normal"],
  ["direction", "ltr"]
];
var gridItem = [
  ["grid-column-start", "auto"],
  ["grid-column-end", "auto"],
  ["grid-row-start", "auto"],
  ["grid-row-end", "auto"],
  ["order", "0"]
];
var replaced = [
  ["object-fit", "fill"],
  ["aspect-ratio", "auto"],
  ["image-rendering", "auto"],
  ["padding-top", "0px"],
  ["padding-right", "0px"],
  ["padding-bottom", "0px"],
  ["padding-left", "0px"]
];
var box = [
  ["border-top-width", "0px"],
  ["border-right-width", "0px"],
  ["border-bottom-width", "0px"],
  ["border-left-width", "0px"],
  ["box-sizing", "content-box"]
];
var cutting = [
  ["text-overflow", "clip"],
  ["-webkit-line-clamp", "none"]
];
var masked = [
  ["mask-size", "auto"],
  ["mask-repeat", "repeat"],
  ["mask-position", "0% 0%"]
];
var sized = [
  ["width", "auto"],
  ["height", "auto"],
  ["min-width", "auto"],
  ["min-height", "auto"],
  ["max-width", "none"],
  ["max-height", "none"],
  ["margin-top", "0px"],
  ["margin-right", "0px"],
  ["margin-bottom", "0px"],
  ["margin-left", "0px"],
  ["padding-top", "0px"],
  ["padding-right", "0px"],
  ["padding-bottom", "0px"],
  ["padding-left", "0px"],
  ["align-self", "auto"],
  ["justify-self", "auto"],
  ["animation-name", "none"],
  ["outline-style", "none"],
  ["outline-width", "0px"],
  ["box-shadow", "none"],
  ["user-select", "auto"],
  ["direction", "ltr"],
  ["writing-mode", "horizontal-tb"]
];
var allTables = [always, masked, positioned, text, flexContainer, flexItem, gridContainer, gridItem, replaced, box, sized];
var initial = Object.fromEntries(allTables.flat());
var tables = { always, text };
var rare = /* @__PURE__ */ new Set([
  "visibility",
  "opacity",
  "z-index",
  "transform",
  "translate",
  "rotate",
  "scale",
  "filter",
  "backdrop-filter",
  "perspective",
  "will-change",
  "contain",
  "isolation",
  "mix-blend-mode",
  "clip-path",
  "clip",
  "mask-image",
  "container-type",
  "content-visibility",
  "pointer-events",
  "background-image",
  "float",
  "text-overflow",
  "-webkit-line-clamp",
  "text-shadow",
  "-webkit-text-fill-color",
  "writing-mode"
]);
function readStyles(style, kind, asked2) {
  const values = {};
  let some = false;
  const read2 = (table) => {
    for (const [property, usual] of table) {
      const value = style.getPropertyValue(property);
      if (value === usual || value === "") continue;
      values[property] = value.length > 200 ? value.slice(0, 200).toWellFormed() : value;
      some = true;
    }
  };
  read2(asked2.always);
  const { display } = style;
  if (style.position !== "static") read2(positioned);
  if (kind.text) read2(asked2.text);
  else if (style.overflowX !== "visible" || style.overflowY !== "visible") read2(cutting);
  if (values["mask-image"] !== void 0) read2(masked);
  if (display === "flex" || display === "inline-flex") read2(flexContainer);
  else if (display === "grid" || display === "inline-grid") read2(gridContainer);
  if (kind.parentDisplay.endsWith("flex")) read2(flexItem);
  else if (kind.parentDisplay.endsWith("grid")) read2(gridItem);
  if (kind.replaced) read2(replaced);
  if (kind.close || kind.replaced || style.overflowX !== "visible" || style.overflowY !== "visible") read2(box);
  if (kind.close) read2(sized);
  return some ? values : void 0;
}
var typed = ["width", "height", "min-width", "min-height", "max-width", "max-height", "top", "right", "bottom", "left", "margin-left", "margin-right", "margin-top", "margin-bottom", "flex-basis"];
var typedAlways = ["width", "height"];
var typedGrid = ["width", "height", "grid-template-columns", "grid-template-rows"];
function readTyped(element2, close, grid2) {
  const map = element2.computedStyleMap();
  let values;
  const wanted = close ? typed : grid2 ? typedGrid : typedAlways;
  for (const property of close && grid2 ? /* @__PURE__ */ new Set([...typed, ...typedGrid]) : wanted) {
    const value = map.get(property)?.toString() ?? "";
    if (value === "auto" || value === "none" || value === "" || property.startsWith("margin") && value === "0px") continue;
    values ??= {};
    values[property] = value.slice(0, 100);
  }
  return values;
}

// src/page/layout/declared.ts
var maxRules2 = 2e4;
var maxAnimations = 200;
var Declared = class {
  #names = /* @__PURE__ */ new Set();
  #everything = false;
  #left = maxRules2;
  #tables;
  constructor(roots) {
    for (const root of roots) {
      for (const sheet2 of [...root.styleSheets, ...root.adoptedStyleSheets]) this.#sheet(sheet2);
      this.#animations(root.getAnimations());
    }
  }
  /** The properties to ask of an element. Ancestors come before what inherits from them. */
  of(element2, attributed) {
    if (this.#everything || namespaceURI(element2) !== HTML_NAMESPACE) return tables;
    if (attributed) {
      if (hasAttr(element2, "style")) this.#declaration(element2.style);
      if (hasAttr(element2, "align") || hasAttr(element2, "background") || attr(element2, "hidden") === "until-found") return tables;
    }
    return this.#tables ??= {
      always: tables.always.filter(([name]) => !rare.has(name) || this.#names.has(name)),
      text: tables.text.filter(([name]) => !rare.has(name) || this.#names.has(name))
    };
  }
  /** Those of the sheets are read with them. */
  #animations(animations2) {
    let left = maxAnimations;
    for (const animation of animations2) {
      if (animation instanceof CSSAnimation) continue;
      if (animation instanceof CSSTransition) {
        this.#note(animation.transitionProperty);
        continue;
      }
      left -= 1;
      const { effect } = animation;
      if (left < 0 || !(effect instanceof KeyframeEffect)) this.#everything = true;
      else for (const frame2 of effect.getKeyframes()) for (const name of Object.keys(frame2)) this.#note(kebab(name));
    }
  }
  #sheet(sheet2) {
    try {
      this.#rules(sheet2.cssRules);
    } catch {
      this.#everything = true;
    }
  }
  #rules(rules2) {
    for (const rule of rules2) {
      this.#left -= 1;
      if (this.#everything || this.#left < 0) {
        this.#everything = true;
        return;
      }
      const { style, cssRules } = rule;
      if (style !== void 0) this.#declaration(style);
      if (cssRules !== void 0 && cssRules.length > 0) this.#rules(cssRules);
      if (rule instanceof CSSImportRule && rule.styleSheet !== null) this.#sheet(rule.styleSheet);
    }
  }
  #declaration(style) {
    for (const name of style) {
      if (name === "all") this.#everything = true;
      else this.#note(name);
    }
  }
  #note(name) {
    if (!rare.has(name) || this.#names.has(name)) return;
    this.#names.add(name);
    this.#tables = void 0;
  }
};
function kebab(name) {
  return name === "cssFloat" ? "float" : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

// src/page/layout/sheets.ts
var maxRules3 = 2e4;
var maxPseudos = 100;
var passing = /:(?:hover|focus|focus-within|focus-visible|active)\b/g;
var Sheets = class {
  #focus = /* @__PURE__ */ new Map();
  #hiding = /* @__PURE__ */ new Map();
  #showing = /* @__PURE__ */ new Map();
  #pseudos = /* @__PURE__ */ new Map();
  #decorated = /* @__PURE__ */ new Set();
  #unread = /* @__PURE__ */ new Set();
  #left = maxRules3;
  /** The active media query whose rule hides the element. */
  hidingMedia(element2, root) {
    this.#read(root);
    return this.#hiding.get(root)?.findLast((rule) => fits(element2, rule.selector))?.media;
  }
  /** The rule that shows the element while the pointer or the focus is somewhere. */
  shownBy(element2, root) {
    this.#read(root);
    return this.#showing.get(root)?.findLast((rule) => fits(element2, rule.selector))?.shown;
  }
  focusMark(element2, root) {
    if (/outline(?:-style)?\s*:\s*(?!none|0)/.test(attr(element2, "style") ?? "")) return void 0;
    this.#read(root);
    let off = inlineOutline(element2);
    let by;
    for (const rule of this.#focus.get(root) ?? []) {
      if (!fits(element2, rule.selector)) continue;
      if (rule.marks) by = rule.shown;
      else if (rule.off) off = rule.shown;
    }
    if (off === void 0 || this.#unread.has(root)) return void 0;
    return { off, ...by === void 0 ? {} : { by } };
  }
  /** Whether a rule gives the element's ::before or ::after a background. */
  decorated(element2) {
    const root = treeRoot(element2);
    if (root === null) return false;
    this.#read(root);
    const selectors = this.#pseudos.get(root);
    if (selectors !== void 0) {
      this.#pseudos.delete(root);
      for (const selector of selectors) for (const found of matching(root, selector)) this.#decorated.add(found);
    }
    return this.#decorated.has(element2);
  }
  #read(root) {
    if (this.#focus.has(root)) return;
    this.#focus.set(root, []);
    this.#hiding.set(root, []);
    this.#showing.set(root, []);
    for (const sheet2 of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      if (sheet2.disabled) continue;
      const outer = mediaOf(sheet2);
      if (outer !== "" && !matchMedia(outer).matches) continue;
      try {
        this.#rules(root, sheet2.cssRules, outer);
      } catch {
        this.#unread.add(root);
      }
    }
  }
  #rules(root, rules2, media) {
    for (const rule of rules2) {
      this.#left -= 1;
      if (this.#left < 0) {
        this.#unread.add(root);
        return;
      }
      if (rule instanceof CSSStyleRule) {
        this.#style(root, rule, media);
        if (rule.cssRules.length > 0) this.#rules(root, rule.cssRules, media);
      } else if (rule instanceof CSSMediaRule) {
        const { mediaText } = rule.media;
        if (matchMedia(mediaText).matches) this.#rules(root, rule.cssRules, media === "" ? mediaText : `${media} and ${mediaText}`);
      } else if (rule instanceof CSSImportRule) {
        if (rule.styleSheet !== null) this.#rules(root, rule.styleSheet.cssRules, media);
      } else if (rule instanceof CSSGroupingRule) this.#rules(root, rule.cssRules, media);
    }
  }
  #style(root, rule, media) {
    const { style, selectorText: selector } = rule;
    if (media !== "" && media !== "all" && media !== "screen" && (style.display === "none" || style.visibility === "hidden" || style.opacity === "0")) {
      this.#hiding.get(root)?.push({ selector, media });
    }
    if (/::?(?:before|after)/.test(selector) && (/gradient|url/.test(style.backgroundImage) || !/^(?:|none|transparent|initial|inherit|unset)$/.test(style.backgroundColor))) {
      const list = this.#pseudos.get(root) ?? [];
      if (list.length < maxPseudos) this.#pseudos.set(root, [...list, selector.replace(/::?(?:before|after)/g, "")]);
    }
    if (selector.search(passing) >= 0 && !selector.includes("::") && shows(style)) {
      this.#showing.get(root)?.push({ selector: selector.replace(passing, ""), shown: selector.slice(0, 100).toWellFormed() });
    }
    const outline2 = style.outlineStyle === "none" || style.outlineWidth === "0px" || style.outline === "none" || style.outline === "0px" || style.outline === "0";
    const onFocus = selector.includes(":focus");
    if (!outline2 && !onFocus) return;
    const marks = onFocus && (style.outlineStyle !== "" && style.outlineStyle !== "none" && !outline2 || style.boxShadow !== "" && style.boxShadow !== "none" || ["border", "border-color", "border-bottom-color", "background", "background-color", "color", "text-decoration", "text-decoration-line", "transform", "filter"].some(
      (property) => style.getPropertyValue(property) !== ""
    ));
    this.#focus.get(root)?.push({ selector: selector.replace(/:focus(?:-visible|-within)?/g, ""), shown: selector.slice(0, 200), marks, off: outline2 });
  }
};
function shows({ opacity, visibility: visibility2, display, transform, left, right, top, clip, clipPath, maxHeight }) {
  return Number(opacity) > 0 || visibility2 === "visible" || display !== "" && display !== "none" || [transform, left, right, top, clip, clipPath, maxHeight].some((value) => value !== "");
}
function inlineOutline(element2) {
  return hasAttr(element2, "style") && /outline\s*:\s*(?:none|0)/.test(attr(element2, "style") ?? "") ? 'style=""' : void 0;
}
function mediaOf(sheet2) {
  try {
    return sheet2.media.mediaText;
  } catch {
    return "";
  }
}
function filled(selector) {
  return selector.split(",").map((part2) => part2.trim()).map((part2) => part2 === "" || /[>+~]$/.test(part2) ? `${part2}*` : part2).join(",");
}
function fits(element2, selector) {
  const clean = filled(selector);
  try {
    return matches(element2, clean);
  } catch {
    return false;
  }
}
function matching(root, selector) {
  try {
    return queryAll(root, filled(selector));
  } catch {
    return [];
  }
}

// src/page/layout/measure.ts
var maxElements2 = 3e4;
var maxLayers = 50;
var maxNear = 400;
var maxSiblings = 150;
var maxAunts = 40;
var skipped2 = new Set("head script style template noscript datalist title meta link base source track param option optgroup".split(" "));
var replacedTags = new Set("img video canvas iframe object embed svg".split(" "));
var read = "hidden inert disabled aria-hidden aria-busy open popover tabindex width height type role aria-modal aria-expanded aria-controls aria-label loading alt class dir style slot aria-roledescription".split(" ");
var described = new Set("dialog alertdialog menu tabpanel tooltip listbox navigation banner main region form".split(" "));
function measure(order, tree) {
  const undo = apply(order);
  try {
    return new Measure(order, tree).run();
  } finally {
    undo();
  }
}
var Measure = class {
  constructor(order, tree) {
    this.order = order;
    this.tree = tree;
    this.#pass = tree.pass(order.target === void 0);
    this.#closed = controlledBy("[aria-controls][aria-expanded=false],[role=tab][aria-controls]:not([aria-selected=true])");
    this.#opened = controlledBy("[aria-controls][aria-expanded=true]");
  }
  order;
  tree;
  #pass;
  #sheets = new Sheets();
  #index = /* @__PURE__ */ new Map();
  #entries = [];
  #displays = [];
  #rects = [];
  // of display: contents, what is around it
  #missingFonts = missingFonts();
  #close = /* @__PURE__ */ new Set();
  #slotsOf = /* @__PURE__ */ new Map();
  // of a host with a child that none of them shows
  #partial = false;
  #moves = /* @__PURE__ */ new Map();
  #moving = /* @__PURE__ */ new Set();
  #closed;
  #opened;
  #declared;
  run() {
    const root = documentElement(document);
    if (root === null) throw new BridgeFault("ELEMENT_NOT_FOUND", "The document is empty.");
    const { target } = this.order;
    const hits = target === void 0 ? void 0 : this.#hitsOf(target);
    this.#collect(root, target === void 0 ? void 0 : this.#around(target, hits ?? []));
    const roots = rootsOf(this.tree, this.#entries);
    this.#moves = running3(roots);
    this.#declared = new Declared(roots);
    const elements = this.#entries.map((entry, i) => this.#element(entry, i, entry.element === target ? hits : void 0));
    const scroller2 = document.scrollingElement ?? root;
    const rootStyle = styleOf(root);
    return {
      snapshot: {
        url: location.href,
        viewport: {
          width: clientWidth(scroller2) || innerWidth,
          height: clientHeight(scroller2) || innerHeight,
          scrollX: round2(scrollX),
          scrollY: round2(scrollY),
          contentWidth: scroller2.scrollWidth,
          contentHeight: scroller2.scrollHeight,
          scale: visualViewport?.scale ?? 1,
          pixelRatio: devicePixelRatio,
          ...innerWidth > clientWidth(root) && clientWidth(root) > 0 ? { scrollBar: innerWidth - clientWidth(root) } : {},
          ...rootStyle.direction === "rtl" ? { rtl: true } : {},
          ...rootStyle.writingMode === "horizontal-tb" ? {} : { writingMode: rootStyle.writingMode },
          ...matchMedia("print").matches ? { print: true } : {},
          ...darkCanvas(rootStyle) ? { dark: true } : {}
        },
        initial,
        elements,
        target: target === void 0 ? -1 : this.#index.get(target) ?? -1,
        partial: this.#partial,
        missingFonts: this.#missingFonts
      },
      measurement: new Measurement(this.#entries.map(({ element: element2 }) => new WeakRef(element2))),
      frame: frameInfo(this.tree)
    };
  }
  /** The target's surroundings, by which its faults come: null for everything. */
  #around(target, hits) {
    const { flat } = this.#pass;
    const wanted = /* @__PURE__ */ new Set();
    const chain = (from, close) => {
      for (let at = from; at !== null; at = flat.parent(at) ?? flat.composedParent(at)) {
        if (close) this.#close.add(at);
        else if (wanted.has(at)) return;
        wanted.add(at);
      }
    };
    chain(target, true);
    const parent2 = flat.parent(target);
    let inner = null;
    for (const at of [...wanted]) {
      const children = flat.childNodes(at).filter(isElement);
      const most3 = at === parent2 ? maxSiblings : maxAunts;
      const from = Math.max(0, Math.min(children.length - most3, (inner === null ? 0 : children.indexOf(inner)) - most3 / 2));
      if (children.length > most3) this.#partial = true;
      for (const child of children.slice(from, from + most3)) {
        wanted.add(child);
        if (at === parent2) this.#close.add(child);
      }
      inner = at;
    }
    for (const tall of this.#tall(target, wanted)) wanted.add(tall);
    let count = 0;
    flat.walk(target, true, (element2) => {
      count += 1;
      if (count > maxNear) {
        this.#partial = true;
        return null;
      }
      wanted.add(element2);
      return true;
    });
    for (const { hit: hit2 } of hits) {
      for (let at = hit2; at !== null && !flat.composedContains(at, target); at = flat.parent(at) ?? flat.composedParent(at)) this.#close.add(at);
      if (hit2 !== null) chain(hit2, false);
    }
    for (const behind of pileAt(target)) chain(behind, false);
    for (const layer of this.#layersBehind(target, wanted)) chain(layer, false);
    if (isInteractive(target, false, this.#pass)) {
      for (const { x, y } of pointsAround(target)) {
        const { hit: hit2 } = this.#hit(x, y);
        if (hit2 !== null) chain(hit2, false);
      }
    }
    return wanted;
  }
  /** What is in elements beside it that are higher than the window, and may be why it lies below. */
  #tall(target, beside) {
    const { flat } = this.#pass;
    const found = [];
    if (rectOf(target).top < innerHeight) return found;
    for (const element2 of beside) {
      if (rectOf(element2).height <= innerHeight || flat.composedContains(element2, target)) continue;
      flat.walk(element2, true, (inner) => found.length < maxLayers && found.push(inner) > 0 ? true : null);
    }
    return found;
  }
  /** What is in placed elements beside it that let the pointer through: no hit test finds it. */
  #layersBehind(target, wanted) {
    const { flat } = this.#pass;
    if (ownText(target) === null) return [];
    const found = [];
    const box2 = rectOf(target);
    for (const beside of wanted) {
      const { position, pointerEvents } = styleOf(beside);
      if (position !== "absolute" && position !== "fixed" || pointerEvents !== "none" || flat.composedContains(beside, target)) continue;
      const rect = rectOf(beside);
      if (rect.right < box2.left || rect.left > box2.right || rect.bottom < box2.top || rect.top > box2.bottom) continue;
      flat.walk(beside, true, (element2) => found.length < maxLayers && found.push(element2) > 0 ? true : null);
    }
    return found;
  }
  /** Gives each element its index, parents first. */
  #collect(root, wanted) {
    const { flat } = this.#pass;
    flat.walk(root, -1, (element2, parent2) => {
      if (skipped2.has(localName(element2)) && element2 !== this.order.target && wanted?.has(element2) !== true) return null;
      if (wanted !== void 0 && !wanted.has(element2)) return null;
      if (this.#entries.length >= maxElements2) {
        this.#partial = true;
        return null;
      }
      return this.#add(element2, parent2);
    });
    const { target } = this.order;
    if (target !== void 0 && !this.#index.has(target)) {
      const missing4 = [];
      let at = target;
      for (; at !== null && !this.#index.has(at); at = flat.composedParent(at)) {
        missing4.push(at);
        const host = flat.parent(at) === null ? flat.composedParent(at) : null;
        const root2 = host === null ? null : flat.shadowRoot(host);
        if (host !== null && root2 !== null) this.#slotsOf.set(host, [...root2.querySelectorAll("slot")].slice(0, 20).map((slot2) => slot2.name.slice(0, 60)));
      }
      let parent2 = at === null ? 0 : this.#index.get(at) ?? 0;
      for (const element2 of missing4.reverse()) parent2 = this.#add(element2, parent2);
    }
  }
  #add(element2, parent2) {
    const i = this.#entries.length;
    this.#entries.push({ element: element2, parent: parent2 });
    this.#index.set(element2, i);
    return i;
  }
  #element({ element: element2, parent: parent2 }, i, hits) {
    const { order: { target } } = this;
    const tag4 = localName(element2);
    const html = namespaceURI(element2) === HTML_NAMESPACE;
    const style = styleOf(element2);
    const { display } = style;
    this.#displays.push(display === "contents" && parent2 >= 0 ? this.#displays[parent2] ?? "" : display);
    const out = { p: parent2, t: tag4, n: label(element2, tag4) };
    const attributed = hasAttrs(element2);
    const rendered = display !== "none" && display !== "contents" && checkVisibility(element2);
    const rect = rendered ? rectOf(element2) : null;
    const around = parent2 < 0 ? null : this.#rects[parent2] ?? null;
    this.#rects.push(display === "contents" ? around : rect);
    const sticksOut = rect !== null && around !== null && (rect.right > around.right + 1 || rect.left < around.left - 1);
    const content = rect === null ? void 0 : contentOf(element2);
    const strayed = rect !== null && strays(rect, style.position);
    const close = this.#close.has(element2) || i < 2 || sticksOut || strayed || content !== void 0 && (content[0] > content[2] + 1 || content[1] > content[3] + 8);
    let flags = "";
    const text2 = rect === null ? null : ownText(element2);
    if (text2 !== null) out.x = text2;
    else if (rect !== null && this.#missingFonts.length > 0) {
      const glyph = glyphFont(element2);
      if (glyph !== void 0) out.g = glyph;
    }
    const parentDisplay = parent2 < 0 ? "" : this.#displays[parent2] ?? "";
    const styles = readStyles(style, { text: text2 !== null, replaced: replacedTags.has(tag4), parentDisplay, close }, this.#declared.of(element2, attributed));
    if (styles !== void 0) out.s = styles;
    if (attributed) {
      const attrs = attributesOf(element2);
      if (attrs !== void 0) out.a = attrs;
    }
    if (rect !== null) {
      out.b = [round2(rect.x), round2(rect.y), round2(rect.width), round2(rect.height)];
      const { offsetWidth: w, offsetHeight: h } = element2;
      if (html && w !== void 0 && (Math.abs(w - rect.width) > 1 || Math.abs(h - rect.height) > 1)) out.o = [w, h];
      if (content !== void 0) out.sc = content;
    }
    if (html && (close || rect !== null)) {
      const typed2 = readTyped(element2, close, display.endsWith("grid"));
      if (typed2 !== void 0) out.c = typed2;
    }
    const interactive = isInteractive(element2, false, this.#pass);
    const role = interactive || attributed && hasAttr(element2, "role") || described.has(tag4) || tag4 === "nav" ? this.#pass.roles.role(element2) : "";
    if (interactive) flags += "i";
    if (role !== "" && (interactive || described.has(role) || element2 === target)) {
      out.r = role;
      out.an = this.#pass.names.describe(element2).name.slice(0, 80);
    }
    const tabIndex = html ? htmlTabIndex(element2) : -1;
    if (tabIndex >= 0 && rect !== null && style.visibility === "visible") {
      flags += "f";
      out.ti = tabIndex;
      const root = treeRoot(element2);
      const mark = root === null ? void 0 : this.#sheets.focusMark(element2, root);
      if (mark !== void 0) out.fm = mark;
    } else if (tabIndex >= 0 || attributed && hasAttr(element2, "tabindex")) flags += "f";
    if (inTopLayer(element2, tag4)) flags += "t";
    if (treeRoot(element2) !== document) flags += "s";
    if (parent2 >= 0 && this.#pass.flat.parent(element2) === null) flags += "n";
    const slots = this.#slotsOf.get(element2);
    if (slots !== void 0) out.sl = slots;
    const id = attributed ? attr(element2, "id") : null;
    if (id !== null && this.#closed.has(id)) flags += "c";
    if (id !== null && this.#opened.has(id)) flags += "o";
    if (isDisabled(element2, false)) flags += "d";
    if (rect !== null && this.#sheets.decorated(element2)) flags += "b";
    const moves = this.#moves.get(element2);
    if (moves !== void 0) {
      out.mv = moves.map((move) => animationOf(move, style, target !== void 0));
      this.#moving.add(i);
    } else if (parent2 >= 0 && this.#moving.has(parent2)) this.#moving.add(i);
    if (this.#moving.has(i)) flags += "a";
    if (display.startsWith("inline") && parent2 >= 0 && besideText(element2)) flags += "l";
    if (flags !== "") out.f = flags;
    if (tag4 === "img") out.i = imageOf(element2);
    if (rect === null || style.visibility === "hidden" || style.opacity === "0") {
      const root = treeRoot(element2);
      const media = root === null ? void 0 : this.#sheets.hidingMedia(element2, root);
      if (media !== void 0) out.m = media;
    }
    if (this.#close.has(element2)) {
      const root = treeRoot(element2);
      const shown4 = root === null ? void 0 : this.#sheets.shownBy(element2, root);
      if (shown4 !== void 0) out.sb = shown4;
    }
    const struck = hits ?? (target === void 0 && rect !== null && (interactive || text2 !== null || tag4 === "img") ? this.#centre(element2, text2 === null ? rect : boxed(text2.b)) : []);
    if (struck.length > 0) out.h = struck.map(({ x, y, hit: hit2 }) => [round2(x), round2(y), hit2 === null ? -1 : this.#index.get(hit2) ?? this.#nearest(hit2)]);
    return out;
  }
  /** The hit element, or the nearest around it that was measured. */
  #nearest(hit2) {
    for (let at = hit2; at !== null; at = this.#pass.flat.parent(at)) {
      const known2 = this.#index.get(at);
      if (known2 !== void 0) return known2;
    }
    return -1;
  }
  /** What takes the pointer for the element (its label, a part of it) counts as the element. */
  #hit(x, y, wanted) {
    const hit2 = deepElementAt({ x, y }, this.tree);
    return { x, y, hit: wanted !== void 0 && hit2 !== null && hit2 !== wanted && takes(hit2, wanted, wanted, this.tree) ? wanted : hit2 };
  }
  #centre(element2, rect) {
    const part2 = seen3(rect);
    if (part2 === null || !checkVisibility(element2, { visibilityProperty: true })) return [];
    return [this.#hit(part2.x + part2.width / 2, part2.y + part2.height / 2, element2)];
  }
  /** Nine points of what is in the viewport. */
  #hitsOf(element2) {
    if (!checkVisibility(element2)) return [];
    return hitPoints(element2).map(({ x, y }) => this.#hit(x, y, element2));
  }
};
function darkCanvas({ colorScheme }) {
  return /\bdark\b/.test(colorScheme) && (!/\blight\b/.test(colorScheme) || matchMedia("(prefers-color-scheme: dark)").matches);
}
function strays(rect, position) {
  return position === "fixed" || rect.top + scrollY < -2 || position === "absolute" && (rect.left < -2 || rect.right > innerWidth + 2);
}
function boxed([x, y, width, height]) {
  return new DOMRect(x, y, width, height);
}
function label(element2, tag4) {
  let text2 = tag4;
  const id = attr(element2, "id");
  if (id !== null && id !== "") text2 += `#${id.slice(0, 60)}`;
  else {
    const first = /\S+/.exec(attr(element2, "class") ?? "")?.[0];
    if (first !== void 0) text2 += `.${first.slice(0, 60)}`;
  }
  return text2.toWellFormed();
}
function attributesOf(element2) {
  let values;
  for (const name of read) {
    const value = attr(element2, name);
    if (value === null) continue;
    values ??= {};
    values[name] = value.slice(0, 100).toWellFormed();
  }
  return values;
}
function contentOf(element2) {
  const { scrollWidth, scrollHeight } = element2;
  const [cw, ch] = [clientWidth(element2), clientHeight(element2)];
  return cw > 0 && (scrollWidth > cw || scrollHeight > ch) ? [scrollWidth, scrollHeight, cw, ch, round2(scrollLeft(element2)), round2(scrollTop(element2))] : void 0;
}
function inTopLayer(element2, tag4) {
  if (tag4 === "dialog" && matches(element2, ":modal")) return true;
  if (hasAttr(element2, "popover") && matches(element2, ":popover-open")) return true;
  return document.fullscreenElement !== null && matches(element2, ":fullscreen");
}
function controlledBy(controls3) {
  const ids = /* @__PURE__ */ new Set();
  for (const control of queryAll(document, controls3)) {
    for (const id of (attr(control, "aria-controls") ?? "").split(/\s+/)) if (id !== "") ids.add(id);
  }
  return ids;
}
function besideText(element2) {
  for (const side of ["previousSibling", "nextSibling"]) {
    const node2 = element2[side];
    if (node2 !== null && nodeType(node2) === Node.TEXT_NODE && (textContent(node2) ?? "").trim() !== "") return true;
  }
  return false;
}
function running3(roots) {
  const found = /* @__PURE__ */ new Map();
  for (const animation of animations(roots)) {
    const target = animation.effect.target;
    const list = found.get(target);
    if (list === void 0) found.set(target, [animation]);
    else list.push(animation);
  }
  return found;
}
function rootsOf(tree, entries) {
  const roots = /* @__PURE__ */ new Set([document]);
  if (!tree.flat.sawRoots) return roots;
  for (const { element: element2 } of entries) {
    for (const root of [treeRoot(element2), tree.flat.shadowRoot(element2)]) if (root !== null) roots.add(root);
  }
  return roots;
}
function nameMeasured(indices, measurement, tree) {
  const pass = tree.pass();
  return indices.map((index) => {
    const element2 = typeof index === "number" ? measurement.elements[index]?.deref() : void 0;
    if (element2 === void 0 || !element2.isConnected) return null;
    const { ref, role, name, selector } = candidate(element2, tree, pass);
    return { ref, role: role === "generic" ? "" : role, name: name.slice(0, 80), selector };
  });
}

// src/page/execute/drawing.ts
var life = 10 * 6e4;
var tag = "debug-bridge-highlight";
var labelHeight = 18;
var colours = { high: "#c61e4d", medium: "#9a4a00", low: "#1f5fc9", info: "#1b7a3d", cause: "#7a2fb5" };
var Drawing = class {
  constructor(flat) {
    this.flat = flat;
  }
  flat;
  #host;
  #boxes = [];
  #frame = 0;
  #timer = 0;
  #scrolled = [];
  /** Draws these instead of what was drawn. With scroll the first is brought into view until clear. */
  show(marks, scroll3) {
    this.clear();
    const first = marks[0];
    if (scroll3 && first !== void 0) this.#intoView(first.element);
    const root = documentElement(document);
    if (root === null) return;
    const host = styled(create(tag), {
      all: "initial",
      position: "absolute",
      display: "block",
      margin: "0",
      padding: "0",
      border: "0",
      background: "none",
      overflow: "clip",
      "pointer-events": "none",
      "z-index": "2147483647",
      contain: "strict",
      "max-width": "none",
      "max-height": "none",
      direction: "ltr"
    });
    host.setAttribute("aria-hidden", "true");
    const inside2 = host.attachShadow({ mode: "closed" });
    this.#boxes = marks.map((drawn) => {
      const colour2 = colours[drawn.kind] ?? "#1f5fc9";
      const box2 = styled(create("div"), {
        position: "absolute",
        "box-sizing": "border-box",
        border: `2px ${drawn.kind === "cause" ? "dashed" : "solid"} ${colour2}`,
        "min-width": "4px",
        "min-height": "4px"
      });
      const label2 = styled(create("div"), {
        position: "absolute",
        background: colour2,
        color: "#fff",
        font: `12px/${labelHeight}px system-ui, sans-serif`,
        padding: "0 5px",
        "white-space": "nowrap"
      });
      label2.textContent = drawn.label;
      inside2.append(box2, label2);
      return { drawn, box: box2, label: label2 };
    });
    this.#host = host;
    putOwn(host);
    own.clear = this.#end;
    root.append(host);
    host.setAttribute("popover", "manual");
    host.showPopover();
    this.#follow();
    this.#timer = startTimer(this.#end, life);
    addEventListener("pagehide", this.#end, true);
  }
  /** Takes it away, and scrolls back. */
  clear() {
    if (this.#host !== void 0) {
      cancelFrame(this.#frame);
      stopTimer(this.#timer);
      removeEventListener("pagehide", this.#end, true);
      this.#host.remove();
      dropOwn(this.#host);
      this.#host = void 0;
      this.#boxes = [];
      own.clear = void 0;
    }
    for (const { element: element2, left, top } of this.#scrolled.reverse()) element2.scrollTo({ left, top, behavior: "instant" });
    this.#scrolled = [];
  }
  #end = () => this.clear();
  #follow = () => {
    if (this.#host === void 0) return;
    if (!isConnected(this.#host)) {
      this.clear();
      return;
    }
    this.#place(this.#host);
    this.#frame = nextFrame(this.#follow);
  };
  #place(host) {
    const area = document.scrollingElement ?? document.documentElement;
    const { scrollWidth, scrollHeight, clientWidth: clientWidth2 } = area;
    const left = styleDirection() === "rtl" ? Math.min(0, clientWidth2 - scrollWidth) : 0;
    styled(host, { left: `${left}px`, top: "0px", right: "auto", bottom: "auto", width: `${scrollWidth}px`, height: `${scrollHeight}px` });
    const origin = rectOf(host);
    for (const { drawn, box: box2, label: label2 } of this.#boxes) {
      const rect = isConnected(drawn.element) ? rectOf(drawn.element) : null;
      const shown4 = rect !== null && (rect.width > 0 || rect.height > 0);
      const display = shown4 ? "block" : "none";
      styled(box2, { display });
      styled(label2, { display });
      if (!shown4) continue;
      const x = rect.x - origin.x;
      const y = rect.y - origin.y;
      styled(box2, { left: `${x}px`, top: `${y}px`, width: `${rect.width}px`, height: `${rect.height}px` });
      const width = label2.offsetWidth;
      const at = Math.max(0, Math.min(x, scrollWidth - width));
      const over = y >= labelHeight ? y - labelHeight : Math.max(0, y);
      styled(label2, { left: `${at}px`, top: `${Math.min(over, Math.max(0, scrollHeight - labelHeight))}px` });
    }
  }
  #intoView(element2) {
    const { x, y, right, bottom } = rectOf(element2);
    if (x >= 0 && y >= 0 && right <= innerWidth && bottom <= innerHeight) return;
    for (let at = element2; at !== null; at = this.flat.parent(at)) {
      this.#scrolled.push({ element: at, left: at.scrollLeft, top: at.scrollTop });
    }
    const area = document.scrollingElement;
    if (area !== null) this.#scrolled.push({ element: area, left: area.scrollLeft, top: area.scrollTop });
    scrollIntoView(element2, { block: "center", inline: "center", behavior: "instant" });
  }
};
function styleDirection() {
  const root = documentElement(document);
  return root === null ? "ltr" : getComputedStyle(root).direction;
}
function create(name) {
  return document.createElementNS(HTML_NAMESPACE, name);
}
function styled(element2, values) {
  const { style } = element2;
  for (const [property, value] of Object.entries(values)) {
    if (style.getPropertyValue(property) !== value) style.setProperty(property, value, "important");
  }
  return element2;
}

// src/page/execute/layout.ts
var kept = 8;
var maxDrawn = 600;
var LayoutCommands = class {
  constructor(tree, targets) {
    this.tree = tree;
    this.targets = targets;
    this.#drawing = new Drawing(tree.flat);
  }
  tree;
  targets;
  #measured = /* @__PURE__ */ new Map();
  #drawing;
  #next = 1;
  /** Parameters: target?, end (as when animations have ended), changes (tried for this measurement), of (the measurement they are of). */
  async measure(params, signal) {
    const target = params.target === void 0 ? void 0 : await this.targets.resolve({ target: params.target, waitMs: params.waitMs }, signal);
    const { snapshot, measurement, frame: frame2 } = measure(
      { ...target === void 0 ? {} : { target }, end: params.end === true, changes: readChanges(params.changes), before: this.#measured.get(Number(params.of)) },
      this.tree
    );
    if (params.of !== void 0) return { id: 0, snapshot, frame: frame2 };
    const id = this.#next;
    this.#next += 1;
    this.#measured.set(id, measurement);
    this.#measured.delete(id - kept);
    return { id, snapshot, frame: frame2 };
  }
  /** Parameters: of, nodes (indices). */
  name(params) {
    return { nodes: nameMeasured(readNodes(params), this.#of(params), this.tree), refs: this.tree.refs.next - 1 };
  }
  /** The same parameters: the elements themselves, for the debugger. */
  elements(params) {
    const measurement = this.#of(params);
    return readNodes(params).map((index) => measurement.at(Number(index)));
  }
  /** Parameters: of, marks (node, label, kind), scroll; or off. */
  highlight(params, level) {
    if (params.off === true) {
      this.#drawing.clear();
      return {};
    }
    if (params.scroll === true && level === "observe") throw new BridgeFault("CAPABILITY_MISSING", "The page is connected at level observe; scrolling acts.", { level: "act" });
    const { marks } = params;
    if (!Array.isArray(marks) || marks.length > maxDrawn) throw new BridgeFault("VALIDATION_ERROR", "marks must be a list.");
    const measurement = this.#of(params);
    const drawn = marks.map((given2) => ({
      element: measurement.at(Number(given2.node)),
      label: String(given2.label).slice(0, 120).toWellFormed(),
      kind: String(given2.kind)
    }));
    this.#drawing.show(drawn, params.scroll === true);
    return { shown: drawn.length };
  }
  dispose() {
    this.#drawing.clear();
  }
  #of(params) {
    const measurement = this.#measured.get(Number(params.of));
    if (measurement === void 0) throw new BridgeFault("TARGET_STALE", "What was measured is forgotten; measure again.", { reason: "measurement" });
    return measurement;
  }
};
function readNodes(params) {
  if (!Array.isArray(params.nodes)) throw new BridgeFault("VALIDATION_ERROR", "nodes must be a list.");
  return params.nodes;
}
function readChanges(value) {
  if (value === void 0) return [];
  if (!Array.isArray(value)) throw new BridgeFault("VALIDATION_ERROR", "changes must be a list.");
  return value.map((given2) => {
    const { index, property, value: to, attribute } = given2;
    if (typeof index !== "number" || typeof property !== "string" || typeof to !== "string") throw new BridgeFault("VALIDATION_ERROR", "A change needs index, property and value.");
    return { index, property, value: to, attribute: attribute === true };
  });
}

// src/page/execute/marks.ts
var life2 = 3e4;
var afterlife = 3e3;
var most2 = 16;
var Marks = class {
  #marks = /* @__PURE__ */ new Map();
  #next = 1;
  add(mark) {
    for (const [old, { over }] of this.#marks) if (over === true) this.end(old);
    const id = this.#next++;
    this.#marks.set(id, { mark, timer: setTimeout(() => this.end(id), life2) });
    if (this.#marks.size > most2) for (const oldest of this.#marks.keys()) {
      this.end(oldest);
      break;
    }
    return id;
  }
  get(id) {
    return typeof id === "number" ? this.#marks.get(id)?.mark : void 0;
  }
  /** Lets it go on for a moment. */
  keep(id) {
    const kept3 = typeof id === "number" ? this.#marks.get(id) : void 0;
    if (kept3 === void 0) return;
    clearTimeout(kept3.timer);
    kept3.over = true;
    kept3.timer = setTimeout(() => this.end(id), afterlife);
  }
  end(id) {
    const ended = typeof id === "number" ? this.#marks.get(id) : void 0;
    if (ended === void 0) return;
    clearTimeout(ended.timer);
    ended.mark.watch.stop();
    ended.mark.guard?.stop();
    this.#marks.delete(id);
  }
  dispose() {
    for (const id of [...this.#marks.keys()]) this.end(id);
  }
};

// src/page/execute/params.ts
function scopeOf(params) {
  return typeof params.scope === "string" && params.scope !== "" ? params.scope : void 0;
}
function readButton(value) {
  if (value === void 0 || value === "") return "left";
  if (value === "left" || value === "middle" || value === "right") return value;
  throw new BridgeFault("VALIDATION_ERROR", "button must be left, middle or right.");
}
function readCount(value) {
  if (value === void 0 || value === 0) return 1;
  if (value === 1 || value === 2 || value === 3) return value;
  throw new BridgeFault("VALIDATION_ERROR", "count must be 1, 2 or 3.");
}
function readModifiers(value) {
  const out = { ...noModifiers };
  if (value === void 0 || value === null) return out;
  if (!Array.isArray(value)) throw new BridgeFault("VALIDATION_ERROR", "modifiers must be a list.");
  for (const name of value) {
    switch (name) {
      case "Alt":
        out.altKey = true;
        break;
      case "Control":
        out.ctrlKey = true;
        break;
      case "Meta":
        out.metaKey = true;
        break;
      case "Shift":
        out.shiftKey = true;
        break;
      default:
        throw new BridgeFault("VALIDATION_ERROR", "A modifier is Alt, Control, Meta or Shift.");
    }
  }
  return out;
}
function readValues(params) {
  const { value, values } = params;
  if (Array.isArray(values) && values.length > 0) {
    if (values.every((item) => typeof item === "string")) return values;
    throw new BridgeFault("VALIDATION_ERROR", "values must be strings.");
  }
  if (value === void 0) return [""];
  if (typeof value !== "string") throw new BridgeFault("VALIDATION_ERROR", "value must be a string.");
  return [value];
}

// src/page/execute/panel-style.ts
var rules = `
.panel {
  --page: #ffffff; --text: #16191d; --muted: #58616d; --line: #dfe3e8; --strong: #848d99; --accent: #3a4fc4; --on: #ffffff;
  box-sizing: border-box; width: 100%; max-height: calc(100vh - 32px); overflow: auto; padding: 14px 16px 11px;
  border: 1px solid var(--line); border-top: 3px solid var(--accent); border-radius: 10px;
  background: var(--page); color: var(--text); color-scheme: light;
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  box-shadow: 0 8px 28px rgb(0 0 0 / 22%); text-align: left; cursor: default;
}
@media (prefers-color-scheme: dark) {
  .panel { --page: #1b1d22; --text: #eceef1; --muted: #a5adb8; --line: #383d46; --strong: #828b98; --accent: #8b9cff; --on: #14172b; color-scheme: dark; }
}
.head { display: flex; align-items: center; justify-content: space-between; gap: 8px; margin-bottom: 4px; }
#heading { font-weight: 650; font-size: 13px; color: var(--muted); }
#text { margin-bottom: 10px; max-height: 40vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 15px; }
textarea {
  display: block; box-sizing: border-box; width: 100%; min-height: 46px; max-height: 30vh; margin: 0 0 10px; padding: 6px 9px; resize: vertical;
  border: 1px solid var(--strong); border-radius: 7px; background: var(--page); color: var(--text); font: inherit;
}
textarea::placeholder { color: var(--muted); opacity: 1; }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
button {
  min-height: 34px; max-width: 100%; padding: 5px 14px; border: 1px solid var(--strong); border-radius: 8px; background: var(--page); color: var(--text);
  font: inherit; font-weight: 600; overflow-wrap: anywhere; cursor: pointer;
}
button.first { border-color: var(--accent); background: var(--accent); color: var(--on); }
button.move { min-height: 26px; padding: 0 7px; border-color: transparent; color: var(--muted); font-weight: 400; }
button:hover { border-color: var(--text); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.panel:not(.armed) .row button { opacity: 0.75; cursor: progress; }
.from { margin-top: 9px; color: var(--muted); font-size: 12px; }
`;
var sheet;
function panelSheet() {
  if (sheet === void 0) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
  }
  return sheet;
}

// src/page/execute/panel.ts
var tag2 = "debug-bridge-panel";
var restMs = 500;
var raiseMs = 1e3;
var maxRaises = 30;
var maxWords = 4e3;
var margin = "16px";
var corners = [["auto", margin, margin, "auto"], ["auto", "auto", margin, margin], [margin, "auto", "auto", margin], [margin, margin, "auto", "auto"]];
var kept2 = [
  "keydown",
  "keypress",
  "keyup",
  "beforeinput",
  "input",
  "change",
  "paste",
  "copy",
  "cut",
  "drop",
  "selectionchange",
  "compositionstart",
  "compositionupdate",
  "compositionend",
  "focus",
  "blur",
  "focusin",
  "focusout"
];
var Panel = class {
  /** What was said; null when it was taken away before. */
  said;
  #wanted;
  #host = create(tag2);
  #root;
  #field;
  #box;
  #before;
  #changes;
  #sight;
  #say;
  #corner;
  #timer;
  // until it has been seen for a moment
  #armed = false;
  #visible = false;
  #raised = 0;
  #raising;
  #closed = false;
  constructor(wanted) {
    this.#wanted = wanted;
    this.#corner = wanted.corner;
    this.#before = activeElement(document);
    this.said = new Promise((done) => this.#say = done);
    this.#root = this.#host.attachShadow({ mode: "closed" });
    this.#root.adoptedStyleSheets = [panelSheet()];
    ({ box: this.#box, field: this.#field } = this.#draw());
    this.#root.append(this.#box);
    this.#root.addEventListener("click", this.#onClick);
    for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "contextmenu", "wheel"]) {
      this.#root.addEventListener(type, (event) => event.stopPropagation());
    }
    for (const type of kept2) addEventListener(type, this.#onKept, true);
    this.#changes = new MutationObserver(() => this.#disturbed());
    this.#sight = new IntersectionObserver((entries) => this.#seen(entries), { threshold: [0, 0.5, 0.99, 1], trackVisibility: true, delay: 100 });
    this.show();
    this.#sight.observe(this.#box);
    if (wanted.focus) this.#field.focus({ preventScroll: true });
  }
  /** Puts it into the page, also where the page took it away, emptied itself or opened a dialog over it. */
  show() {
    if (this.#closed) return;
    const parent2 = holder();
    if (parent2 === null) return;
    if (!isConnected(this.#host) || this.#host.parentNode !== parent2) {
      putOwn(this.#host);
      parent2.append(this.#host);
      this.#dress();
      this.#raise();
    }
  }
  /** Whether the person can see it. */
  get visible() {
    return this.#visible;
  }
  close(said = null) {
    if (this.#closed) return;
    this.#closed = true;
    this.#changes.disconnect();
    this.#sight.disconnect();
    stopTimer(this.#timer ?? 0);
    stopTimer(this.#raising ?? 0);
    for (const type of kept2) removeEventListener(type, this.#onKept, true);
    const focused = this.#root.activeElement !== null;
    this.#host.remove();
    dropOwn(this.#host);
    if (focused && this.#before instanceof HTMLElement && isConnected(this.#before)) this.#before.focus({ preventScroll: true });
    this.#say(said);
  }
  #draw() {
    const { heading, text: text2, buttons, placeholder } = this.#wanted;
    const box2 = create("div");
    box2.className = "panel";
    box2.setAttribute("role", "dialog");
    box2.setAttribute("aria-labelledby", "heading");
    box2.setAttribute("aria-describedby", "text");
    const head = create("div");
    head.className = "head";
    const title = create("div");
    title.id = "heading";
    title.textContent = heading;
    const move = button("\u2921", "move");
    move.title = "Move to another corner";
    move.setAttribute("aria-label", move.title);
    head.append(title, move);
    const words = create("div");
    words.id = "text";
    words.textContent = text2;
    words.setAttribute("role", "status");
    const field = create("textarea");
    field.rows = 2;
    field.maxLength = maxWords;
    field.placeholder = placeholder;
    field.setAttribute("aria-label", placeholder);
    field.spellcheck = false;
    field.autocomplete = "off";
    const row = create("div");
    row.className = "row";
    buttons.forEach(({ label: label2 }, index) => {
      const made = button(label2, index === 0 ? "first" : "");
      made.dataset.index = String(index);
      row.append(made);
    });
    const from = create("div");
    from.className = "from";
    from.textContent = "From Debug Bridge, not from this page.";
    box2.append(head, words, field, row, from);
    return { box: box2, field };
  }
  #onClick = (event) => {
    if (!event.isTrusted || !(event.target instanceof Element)) return;
    const pressed = event.target.closest("button");
    if (pressed === null) return;
    if (pressed.className === "move") {
      this.#corner = (this.#corner + 1) % corners.length;
      this.#disturbed();
      return;
    }
    this.#press(this.#wanted.buttons[Number(pressed.dataset.index)]?.says);
  };
  /** Keeps what the person types from the page; only its listeners that were there earlier hear of it. */
  #onKept = (event) => {
    if (event.target !== this.#host || !event.isTrusted) return;
    event.stopImmediatePropagation();
    if (event.type !== "keydown") return;
    const { key: key2, shiftKey, isComposing } = event;
    if (isComposing) return;
    if (key2 === "Enter" && !shiftKey && this.#wanted.enter && this.#root.activeElement === this.#field) {
      event.preventDefault();
      this.#press(this.#wanted.buttons[0]?.says);
    } else if (key2 === "Escape" && this.#wanted.escape !== void 0) {
      event.preventDefault();
      this.close(this.#wanted.escape);
    }
  };
  #press(says) {
    if (says === void 0 || !this.#armed) return;
    const words = this.#field.value.slice(0, maxWords).trim().toWellFormed();
    this.close(words === "" ? says : { ...says, words });
  }
  /** Every style that the page could have set, too, so that its rules do not reach it. */
  #dress() {
    this.#changes.disconnect();
    const [top, right, bottom, left] = corners[this.#corner] ?? corners[0];
    styled(this.#host, {
      all: "initial",
      position: "fixed",
      display: "block",
      margin: "0",
      padding: "0",
      border: "0",
      background: "none",
      overflow: "visible",
      opacity: "1",
      top,
      right,
      bottom,
      left,
      width: "360px",
      height: "auto",
      "max-width": "calc(100vw - 32px)",
      "max-height": "none",
      "z-index": "2147483647",
      "pointer-events": "auto",
      visibility: "visible",
      direction: "ltr",
      "color-scheme": "light dark"
    });
    this.#host.setAttribute("popover", "manual");
    this.#changes.observe(this.#host, { attributes: true });
  }
  /** Somebody changed how it stands: it counts as new. */
  #disturbed() {
    if (this.#closed) return;
    this.#disarm();
    this.#host.removeAttribute("hidden");
    this.#host.removeAttribute("inert");
    this.#dress();
    this.#arm();
  }
  #seen(entries) {
    const entry = entries.at(-1);
    if (entry === void 0 || this.#closed) return;
    this.#visible = entry.intersectionRatio >= 0.99 && entry.isVisible !== false;
    if (this.#visible) {
      this.#arm();
      return;
    }
    this.#disarm();
    if (this.#raised >= maxRaises || document.hidden) return;
    this.#raising ??= startTimer(() => {
      this.#raising = void 0;
      if (this.#visible || this.#closed || document.hidden) return;
      this.#raised += 1;
      this.show();
      this.#raise();
    }, raiseMs);
  }
  #arm() {
    if (!this.#visible) return;
    stopTimer(this.#timer ?? 0);
    this.#timer = startTimer(() => {
      this.#armed = this.#visible;
      this.#box.classList.toggle("armed", this.#armed);
    }, restMs);
  }
  #disarm() {
    stopTimer(this.#timer ?? 0);
    this.#armed = false;
    this.#box.classList.remove("armed");
  }
  /** Above all that is in the top layer. */
  #raise() {
    const focused = this.#root.activeElement;
    try {
      if (this.#host.matches(":popover-open")) this.#host.hidePopover();
      this.#host.showPopover();
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    } catch {
    }
  }
};
function holder() {
  const modal = [...queryAll(document, "dialog:modal")].at(-1);
  return modal ?? documentElement(document);
}
function button(label2, className) {
  const made = create("button");
  made.type = "button";
  made.className = className;
  made.textContent = label2;
  return made;
}

// src/page/execute/person.ts
var maxText3 = 2e3;
var maxChoices = 8;
var maxChoice = 80;
var maxRound = 1e4;
var orphaned = 2e4;
var keptAnswers = 8;
var cornerOf = { ask: 0, note: 3 };
var Person = class {
  #asked;
  #answers = /* @__PURE__ */ new Map();
  // given while nobody was asking
  #notes = /* @__PURE__ */ new Set();
  /**
   * One round of a question. Parameters: id, text, choices?, waitMs (of this round); or id
   * and off. A page that comes in between is asked anew, so a question outlives its document.
   */
  async ask(params, signal) {
    const id = readText(params.id, "id", 64);
    if (params.off === true) {
      this.#answers.delete(id);
      if (this.#asked?.id === id) this.#end(this.#asked);
      return { result: {}, effect: "noop" };
    }
    const text2 = readText(params.text, "text", maxText3);
    const choices2 = readChoices(params.choices);
    const limit = typeof params.waitMs === "number" ? Math.min(Math.max(params.waitMs, 0), maxRound) : 0;
    const early = this.#answers.get(id);
    if (early !== void 0) {
      this.#answers.delete(id);
      return { result: early, effect: "noop" };
    }
    const other = this.#asked;
    if (other !== void 0 && other.id !== id) {
      await within2(other.panel.said, limit, signal);
      return { result: { queued: true }, effect: "noop" };
    }
    const asked2 = other ?? this.#begin(id, text2, choices2);
    asked2.panel.show();
    stopTimer(asked2.orphan);
    asked2.orphan = startTimer(() => this.#end(asked2), limit + orphaned);
    await within2(asked2.panel.said, limit, signal);
    const said = this.#answers.get(id);
    this.#answers.delete(id);
    return { result: said ?? { visible: asked2.panel.visible }, effect: "noop" };
  }
  /** Asks what is to be said of an element. Parameters: text. */
  async note(params, signal) {
    const panel = new Panel({
      heading: "Show this to the agent",
      text: readText(params.text, "text", maxText3),
      placeholder: "What should the agent know? (optional)",
      buttons: [{ label: "Send", says: { answer: "done" } }, { label: "Cancel", says: { answer: "cannot" } }],
      enter: true,
      escape: { answer: "cannot" },
      focus: true,
      corner: cornerOf.note
    });
    this.#notes.add(panel);
    const abort = () => panel.close();
    signal.addEventListener("abort", abort);
    const said = await panel.said;
    signal.removeEventListener("abort", abort);
    this.#notes.delete(panel);
    return { result: said ?? { answer: "cannot" }, effect: "noop" };
  }
  dispose() {
    if (this.#asked !== void 0) this.#end(this.#asked);
    for (const panel of this.#notes) panel.close();
  }
  #begin(id, text2, choices2) {
    const buttons = choices2.map((choice) => ({ label: choice, says: { answer: "choice", choice } }));
    if (buttons.length === 0) buttons.push({ label: "Done", says: { answer: "done" } });
    buttons.push({ label: "Can\u2019t", says: { answer: "cannot" } });
    const panel = new Panel({
      heading: "An agent asks you",
      text: text2,
      buttons,
      placeholder: "Answer (optional)",
      enter: choices2.length === 0,
      focus: false,
      corner: cornerOf.ask
    });
    const asked2 = { id, panel, orphan: 0 };
    this.#asked = asked2;
    void panel.said.then((said) => {
      stopTimer(asked2.orphan);
      if (this.#asked === asked2) this.#asked = void 0;
      if (said === null) return;
      this.#answers.set(id, said);
      for (const oldest of this.#answers.keys()) if (this.#answers.size > keptAnswers) this.#answers.delete(oldest);
    });
    return asked2;
  }
  #end(asked2) {
    stopTimer(asked2.orphan);
    if (this.#asked === asked2) this.#asked = void 0;
    asked2.panel.close();
  }
};
async function within2(said, ms, signal) {
  let over;
  const time = new Promise((done) => {
    const timer2 = startTimer(done, ms);
    over = () => {
      stopTimer(timer2);
      done();
    };
    signal.addEventListener("abort", over);
  });
  await Promise.race([said, time]);
  if (over === void 0) return;
  signal.removeEventListener("abort", over);
  over();
}
function readText(value, name, most3) {
  if (typeof value !== "string" || value === "") throw new BridgeFault("VALIDATION_ERROR", `${name} must be a text.`);
  return value.slice(0, most3).toWellFormed();
}
function readChoices(value) {
  if (value === void 0 || value === null) return [];
  if (!Array.isArray(value) || value.length > maxChoices) throw new BridgeFault("VALIDATION_ERROR", `choices must be a list of ${maxChoices} at most.`);
  return value.map((choice) => readText(choice, "a choice", maxChoice));
}

// src/page/execute/pick.ts
var tag3 = "debug-bridge-pick";
var colour = "#1f5fc9";
var labelHeight2 = 20;
var maxNote = 4e3;
var maxValue2 = 160;
var pointer = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "pointermove", "mousemove", "pointerover", "mouseover", "pointerout", "mouseout", "dragstart", "selectstart"];
var keys2 = ["keydown", "keypress", "keyup"];
var frames2 = /* @__PURE__ */ new Set(["iframe", "frame"]);
var telling3 = [
  ["display"],
  ["position", "static"],
  ["z-index", "auto"],
  ["color"],
  ["background-color", "rgba(0, 0, 0, 0)"],
  ["background-image", "none"],
  ["font-family"],
  ["font-size"],
  ["font-weight", "400"],
  ["line-height", "normal"],
  ["text-align", "start"],
  ["margin", "0px"],
  ["padding", "0px"],
  ["border", "0px none rgb(0, 0, 0)"],
  ["border-radius", "0px"],
  ["box-shadow", "none"],
  ["opacity", "1"],
  ["visibility", "visible"],
  ["overflow", "visible"],
  ["transform", "none"],
  ["cursor", "auto"],
  ["pointer-events", "auto"]
];
var flexing = [
  ["flex-direction", "row"],
  ["justify-content", "normal"],
  ["align-items", "normal"],
  ["gap", "normal"],
  ["grid-template-columns", "none"]
];
var Picker = class {
  #tree;
  #tell;
  #menu;
  // what the context menu was opened on last
  #host;
  #box = create("div");
  #label = create("div");
  #element = null;
  #chosen = false;
  #frame = 0;
  #end;
  constructor(tree, tell2) {
    this.#tree = tree;
    this.#tell = tell2;
    for (const type of pointer) addEventListener(type, this.#onPointer, true);
    for (const type of keys2) addEventListener(type, this.#onKey, true);
  }
  /** Lets the person point. Ends when they have, or gave up. */
  async pick(signal) {
    this.#finish("cancelled");
    this.#clear();
    this.#lay(true);
    const how = await new Promise((done) => {
      this.#end = done;
      signal.addEventListener("abort", () => {
        this.#clear();
        done("cancelled");
      });
    });
    this.#end = void 0;
    if (how === "cancelled" || this.#element === null) {
      this.#clear();
      return { result: { picked: false }, effect: "noop" };
    }
    return { result: { picked: true, label: this.#words(this.#element) }, effect: "noop" };
  }
  /** Takes the element that the context menu was opened on. */
  here() {
    const element2 = this.#menu?.deref();
    if (element2 === void 0 || !isConnected(element2)) throw new BridgeFault("ELEMENT_NOT_FOUND", "The element is not in the page any more.");
    this.#finish("cancelled");
    this.#clear();
    this.#lay(false);
    this.#element = element2;
    this.#follow();
    return { result: { picked: true, label: this.#words(element2) }, effect: "noop" };
  }
  /** Tells the agent of what was picked. Parameters: note?, or off. */
  tell(params) {
    const element2 = this.#element;
    this.#clear();
    if (params.off === true) return { result: {}, effect: "noop" };
    if (element2 === null || !isConnected(element2)) throw new BridgeFault("ELEMENT_NOT_FOUND", "The element is not in the page any more.");
    const note2 = typeof params.note === "string" ? params.note.slice(0, maxNote).toWellFormed() : "";
    const { x, y, width, height } = rectOf(element2);
    this.#tell({
      type: "picked",
      timestamp: Date.now(),
      ...candidate(element2, this.#tree, this.#tree.pass()),
      tag: localName(element2),
      ...note2 === "" ? {} : { note: note2 },
      bounds: { x, y, width, height },
      styles: stylesOf(element2)
    });
    return { result: {}, effect: "noop" };
  }
  dispose() {
    for (const type of pointer) removeEventListener(type, this.#onPointer, true);
    for (const type of keys2) removeEventListener(type, this.#onKey, true);
    this.#finish("cancelled");
    this.#clear();
  }
  #finish(how) {
    this.#end?.(how);
    this.#end = void 0;
  }
  #lay(sheet2) {
    const root = documentElement(document);
    if (root === null) throw new BridgeFault("ELEMENT_NOT_FOUND", "The document is empty.");
    const host = styled(create(tag3), {
      all: "initial",
      position: "fixed",
      display: "block",
      inset: "0",
      margin: "0",
      padding: "0",
      border: "0",
      background: "none",
      overflow: "clip",
      width: "100%",
      height: "100%",
      "max-width": "none",
      "max-height": "none",
      "z-index": "2147483647",
      direction: "ltr",
      cursor: "crosshair",
      "pointer-events": sheet2 ? "auto" : "none"
    });
    host.setAttribute("aria-hidden", "true");
    this.#box = styled(create("div"), {
      position: "absolute",
      "box-sizing": "border-box",
      display: "none",
      border: `2px solid ${colour}`,
      background: "rgb(31 95 201 / 14%)",
      "pointer-events": "none"
    });
    this.#label = styled(create("div"), {
      position: "absolute",
      display: "none",
      background: colour,
      color: "#fff",
      font: `12px/${labelHeight2}px system-ui, sans-serif`,
      padding: "0 6px",
      "white-space": "nowrap",
      "max-width": "90%",
      overflow: "hidden",
      "text-overflow": "ellipsis",
      "pointer-events": "none"
    });
    host.attachShadow({ mode: "closed" }).append(this.#box, this.#label);
    putOwn(host);
    root.append(host);
    host.setAttribute("popover", "manual");
    host.showPopover();
    this.#host = host;
    this.#chosen = !sheet2;
    this.#element = null;
  }
  #clear() {
    cancelFrame(this.#frame);
    this.#element = null;
    this.#chosen = false;
    if (this.#host === void 0) return;
    this.#host.remove();
    dropOwn(this.#host);
    this.#host = void 0;
  }
  /** The person is pointing now. */
  get #pointing() {
    return this.#host !== void 0 && !this.#chosen;
  }
  #onPointer = (event) => {
    if (!event.isTrusted || !(event instanceof MouseEvent)) return;
    if (event.type === "contextmenu" && !this.#pointing) {
      const at = deepElementAt({ x: event.clientX, y: event.clientY }, this.#tree) ?? event.target;
      this.#menu = at instanceof Element ? new WeakRef(at) : void 0;
      return;
    }
    if (!this.#pointing) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    switch (event.type) {
      case "pointermove":
        this.#point(event);
        break;
      case "pointerout":
        if (event.relatedTarget === null) this.#outline(null);
        break;
      case "click":
        this.#point(event);
        this.#choose();
        break;
      default:
        break;
    }
  };
  #onKey = (event) => {
    if (!this.#pointing || !event.isTrusted) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (event.type !== "keydown") return;
    switch (event.key) {
      case "Escape":
        this.#finish("cancelled");
        break;
      case "Enter":
        this.#choose();
        break;
      // What is around it, when it cannot be pointed at.
      case "ArrowUp":
        if (this.#element !== null) this.#outline(this.#tree.flat.composedParent(this.#element) ?? this.#element);
        break;
      default:
        break;
    }
  };
  #point({ clientX: x, clientY: y }) {
    const host = this.#host;
    if (host === void 0) return;
    styled(host, { "pointer-events": "none" });
    const under = deepElementAt({ x, y }, this.#tree);
    const through2 = under !== null && frames2.has(localName(under));
    if (!through2) styled(host, { "pointer-events": "auto" });
    this.#outline(through2 ? null : under);
  }
  #choose() {
    if (this.#element === null || this.#host === void 0) return;
    this.#chosen = true;
    styled(this.#host, { "pointer-events": "none" });
    this.#finish("picked");
  }
  #outline(element2) {
    if (element2 === this.#element) return;
    this.#element = element2;
    this.#label.textContent = element2 === null ? "" : this.#words(element2);
    cancelFrame(this.#frame);
    this.#follow();
  }
  #follow = () => {
    if (this.#host === void 0) return;
    const rect = this.#element !== null && isConnected(this.#element) ? rectOf(this.#element) : null;
    const display = rect === null ? "none" : "block";
    styled(this.#box, { display });
    styled(this.#label, { display });
    if (rect === null) return;
    if (this.#label.textContent === "" && this.#element !== null) this.#label.textContent = this.#words(this.#element);
    styled(this.#box, { left: `${rect.x}px`, top: `${rect.y}px`, width: `${Math.max(rect.width, 4)}px`, height: `${Math.max(rect.height, 4)}px` });
    const over = rect.y >= labelHeight2 ? rect.y - labelHeight2 : Math.min(rect.bottom, innerHeight - labelHeight2);
    styled(this.#label, { left: `${Math.max(0, Math.min(rect.x, innerWidth - this.#label.offsetWidth))}px`, top: `${Math.max(0, over)}px` });
    this.#frame = nextFrame(this.#follow);
  };
  #words(element2) {
    const { role, name } = lookOf(element2, this.#tree, this.#tree.pass());
    const { width, height } = rectOf(element2);
    const what = role === "generic" ? localName(element2) : role;
    return `${what}${name === "" ? "" : ` "${name.slice(0, 60).toWellFormed()}"`} ${Math.round(width)} \xD7 ${Math.round(height)}`;
  }
};
function stylesOf(element2) {
  const computed = styleOf(element2);
  const found = {};
  const lays = /flex|grid/.test(computed.getPropertyValue("display"));
  for (const [property, ...plain3] of lays ? [...telling3, ...flexing] : telling3) {
    const value = computed.getPropertyValue(property);
    if (value !== "" && !plain3.includes(value) && !value.startsWith("0px none")) found[property] = value.slice(0, maxValue2).toWellFormed();
  }
  return found;
}

// src/page/execute/people.ts
var People = class {
  #person = new Person();
  #picker;
  #commands;
  constructor(tree, tell2) {
    this.#picker = new Picker(tree, tell2);
    this.#commands = /* @__PURE__ */ new Map([
      ["ask", (command, signal) => this.#person.ask(command, signal)],
      ["note", (command, signal) => this.#person.note(command, signal)],
      ["pick", (_, signal) => this.#picker.pick(signal)],
      ["pick_here", () => this.#picker.here()],
      ["pick_tell", (command) => this.#picker.tell(command)]
    ]);
  }
  /** Runs a command about the person; undefined when it is none. */
  run(command, signal) {
    return this.#commands.get(command.type)?.(command, signal);
  }
  dispose() {
    this.#person.dispose();
    this.#picker.dispose();
  }
};

// src/page/execute/ready.ts
var stages = /* @__PURE__ */ new Set(["commit", "domcontentloaded", "load", "networkidle"]);
var quiet = 500;
async function ready(params, signal) {
  const until = params.until ?? "load";
  if (!stages.has(until)) throw new BridgeFault("VALIDATION_ERROR", "until must be commit, domcontentloaded, load or networkidle.");
  if (until !== "commit" && document.readyState === "loading") await once(document, "DOMContentLoaded", signal);
  if (until === "load" || until === "networkidle") {
    if (document.readyState !== "complete") await once(window, "load", signal);
  }
  if (until === "networkidle") await stillness(signal);
  const [navigation2] = performance.getEntriesByType("navigation");
  return {
    url: location.href,
    title: document.title,
    readyState: document.readyState,
    status: navigation2 instanceof PerformanceNavigationTiming ? navigation2.responseStatus : 0
  };
}
function once(target, type, signal) {
  return new Promise((resolve2, reject) => {
    const done = () => {
      target.removeEventListener(type, done);
      signal.removeEventListener("abort", ended);
      resolve2();
    };
    const ended = () => {
      target.removeEventListener(type, done);
      try {
        check(signal);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    target.addEventListener(type, done, { once: true });
    signal.addEventListener("abort", ended, { once: true });
    if (signal.aborted) ended();
  });
}
function stillness(signal) {
  return new Promise((resolve2, reject) => {
    const observer = new PerformanceObserver(() => {
      stopTimer(timer2);
      timer2 = startTimer(done, quiet);
    });
    const end = () => {
      stopTimer(timer2);
      observer.disconnect();
      signal.removeEventListener("abort", ended);
    };
    const done = () => {
      end();
      resolve2();
    };
    const ended = () => {
      end();
      try {
        check(signal);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    let timer2 = startTimer(done, quiet);
    observer.observe({ type: "resource" });
    signal.addEventListener("abort", ended, { once: true });
    if (signal.aborted) ended();
  });
}

// src/page/execute/scroll.ts
var scrollBy2 = Element.prototype.scrollBy;
var scrollTo = Element.prototype.scrollTo;
function readScroll(params) {
  const out = {};
  for (const axis of ["x", "y"]) {
    const value = params[axis];
    if (value === void 0) continue;
    if (typeof value !== "number" || !Number.isFinite(value)) throw new BridgeFault("VALIDATION_ERROR", `${axis} must be a number.`);
    out[axis] = value;
  }
  const { to } = params;
  if (to !== void 0 && to !== "") {
    if (to !== "top" && to !== "bottom" && to !== "intoView") throw new BridgeFault("VALIDATION_ERROR", "to must be top, bottom or intoView.");
    out.to = to;
  }
  if (out.x === void 0 && out.y === void 0 && out.to === void 0) {
    if (params.target === void 0) throw new BridgeFault("VALIDATION_ERROR", "Say x, y or to.");
    out.to = "intoView";
  }
  return out;
}
function scrollable(element2, horizontal) {
  const extent = horizontal ? element2.scrollWidth > element2.clientWidth : element2.scrollHeight > element2.clientHeight;
  if (!extent) return false;
  if (element2 === document.scrollingElement) return true;
  const style = styleOf(element2);
  const overflow = horizontal ? style.overflowX : style.overflowY;
  return overflow === "auto" || overflow === "scroll" || overflow === "hidden";
}
function scroller(start2, horizontal, flat) {
  for (let at = start2; at !== null; at = flat.parent(at)) if (scrollable(at, horizontal)) return at;
  return document.scrollingElement;
}
function pageScroller(horizontal, flat) {
  const page = document.scrollingElement;
  if (page !== null && scrollable(page, horizontal)) return page;
  return scroller(elementAt(document, innerWidth / 2, innerHeight / 2), horizontal, flat);
}
function scroll2(target, request, flat, acted) {
  const behavior = "instant";
  if (request.to === "intoView") {
    if (target === null) throw new BridgeFault("VALIDATION_ERROR", "intoView needs a target.");
    scrollIntoView(target, { block: "center", inline: "nearest", behavior });
    acted();
    return { x: scrollX, y: scrollY };
  }
  const horizontal = request.to === void 0 && (request.y ?? 0) === 0;
  const box2 = target === null ? pageScroller(horizontal, flat) : scroller(target, horizontal, flat);
  if (box2 === null) throw new BridgeFault("TARGET_NOT_INTERACTABLE", "The document has nothing to scroll.", { check: "scrollable" });
  if (request.to === "top") scrollTo.call(box2, { top: 0, behavior });
  else if (request.to === "bottom") scrollTo.call(box2, { top: box2.scrollHeight, behavior });
  else scrollBy2.call(box2, { left: request.x ?? 0, top: request.y ?? 0, behavior });
  acted();
  return {
    x: scrollLeft(box2),
    y: scrollTop(box2),
    maxX: Math.max(0, box2.scrollWidth - box2.clientWidth),
    maxY: Math.max(0, box2.scrollHeight - box2.clientHeight)
  };
}

// src/page/locate/stale.ts
function resolveRef(ref, tree, pass) {
  const record = tree.refs.record(ref);
  if (record === void 0) throw unknownRef(ref);
  const element2 = record.element.deref();
  if (element2 !== void 0 && isConnected(element2)) {
    const look2 = lookOf(element2, tree, pass);
    if (sameLook(record, element2, look2)) return element2;
    throw new BridgeFault("TARGET_STALE", "The element of this ref has changed since the tree was taken.", {
      ref,
      reason: "changed",
      from: { role: record.look.role, name: record.look.name },
      to: { role: look2.role, name: look2.name }
    });
  }
  return replacement(record, tree, pass);
}
function unknownRef(ref) {
  return new BridgeFault("TARGET_STALE", "This document never gave out that ref: it is of another page, or of a document before a reload or navigation.", {
    ref,
    reason: "unknown"
  });
}
function sameLook(record, element2, look2) {
  return record.look.role === look2.role && record.look.name === look2.name && record.tag === localName(element2);
}
function replacement(record, tree, pass) {
  const isNew = (element2) => {
    const known2 = tree.refs.known(element2);
    const other = known2 === void 0 ? void 0 : tree.refs.record(known2);
    return other === void 0 || other.ref === record.ref || other.first > record.last;
  };
  const alike = everywhere(pass, (root) => queryAll(root, escapeIdent(record.tag))).filter(
    (element2) => sameLook(record, element2, lookWithoutIds(element2, pass)) && isNew(element2)
  );
  const byId2 = alike.filter((element2) => ownId(element2) === record.look.stableId);
  const found = byId2.length > 0 ? byId2 : alike.filter((element2) => ownId(element2) === null || !hadOwnId(record));
  const [only] = found;
  if (found.length === 1 && only !== void 0) {
    tree.refs.rebind(record, only);
    tree.refs.give(record.ref, only, localName(only), lookOf(only, tree, pass), tree.version);
    return only;
  }
  if (found.length > 1) {
    throw new BridgeFault("TARGET_STALE", "The element was rendered again, and more than one new element looks like it.", {
      ref: record.ref,
      reason: "rerendered",
      matches: found.length,
      from: { role: record.look.role, name: record.look.name },
      candidates: found.slice(0, 10).map((element2) => candidate(element2, tree, pass))
    });
  }
  const heir = sameIdElement(record, pass);
  if (heir !== null && isNew(heir)) {
    const look2 = lookOf(heir, tree, pass);
    throw new BridgeFault("TARGET_STALE", "The element was rendered again as something that looks different.", {
      ref: record.ref,
      reason: "changed",
      from: { role: record.look.role, name: record.look.name },
      to: { role: look2.role, name: look2.name },
      candidates: [candidate(heir, tree, pass)]
    });
  }
  throw new BridgeFault("TARGET_STALE", "The element of this ref was removed from the page.", {
    ref: record.ref,
    reason: "removed",
    from: { role: record.look.role, name: record.look.name }
  });
}
function lookWithoutIds(element2, pass) {
  const role = pass.roles.role(element2) || "generic";
  return { role, name: pass.names.describe(element2).name, stableId: "", selector: "" };
}
function hadOwnId(record) {
  return !record.look.stableId.startsWith(`${record.look.role}:`);
}
function sameIdElement(record, pass) {
  if (!hadOwnId(record)) return null;
  const found = everywhere(pass, (root) => queryAll(root, "[data-testid],[id]")).filter(
    (element2) => (attr(element2, "data-testid") ?? attr(element2, "id")) === record.look.stableId
  );
  return found.length === 1 ? found[0] ?? null : null;
}

// src/page/locate/target.ts
function resolve(target, tree) {
  const pass = tree.pass();
  if (target.ref !== void 0 && target.ref !== "") return resolveRef(target.ref, tree, pass);
  const keys4 = [target.stableId, target.id].filter((key2) => key2 !== void 0 && key2 !== "");
  const searches = [];
  for (const key2 of keys4) {
    searches.push(() => everywhere(pass, (root) => queryAll(root, `[${TEST_ID}=${quote(key2 ?? "")}]`)));
    searches.push(() => everywhere(pass, (root) => idMatches(root, key2 ?? "")));
    searches.push(() => generated(tree, key2 ?? ""));
  }
  const { selector, role, name, text: text2 } = target;
  if (selector !== void 0 && selector !== "") searches.push(() => bySelector(selector, pass));
  if (role !== void 0 && role !== "") searches.push(() => byRole(role, name, pass));
  else if (name !== void 0 && name !== "") searches.push(() => byName(name, pass));
  if (text2 !== void 0 && text2 !== "") searches.push(() => byText(text2, pass));
  if (searches.length === 0) {
    throw new BridgeFault("VALIDATION_ERROR", "The target names nothing: give ref, stableId, selector, role and name, or text.");
  }
  for (const search of searches) {
    const found = search();
    const [only] = found;
    if (only === void 0) continue;
    if (found.length === 1) return only;
    throw ambiguous2(found, tree, pass);
  }
  const candidates = nearest(target, tree, pass);
  throw new BridgeFault("ELEMENT_NOT_FOUND", "No element matches the target.", { target: given(target), candidates });
}
function given(target) {
  const out = {};
  for (const [key2, value] of Object.entries(target)) if (typeof value === "string") out[key2] = fold(value).slice(0, 200).toWellFormed();
  return out;
}
function ambiguous2(found, tree, pass) {
  const candidates = found.slice(0, maxCandidates).map((element2) => candidate(element2, tree, pass));
  return new BridgeFault("TARGET_AMBIGUOUS", `${found.length} elements match the target.`, { matches: found.length, candidates });
}
function everywhere(pass, search) {
  const found = new Set(search(document));
  for (const root of shadowRoots(pass)) for (const element2 of search(root)) found.add(element2);
  return [...found];
}
var rootsOfPass = /* @__PURE__ */ new WeakMap();
function shadowRoots(pass) {
  const known2 = rootsOfPass.get(pass);
  if (known2 !== void 0) return known2;
  const roots = [];
  rootsOfPass.set(pass, roots);
  const top = pass.root;
  if (top === null) return roots;
  pass.flat.walk(top, true, (element2) => {
    const root = pass.flat.shadowRoot(element2);
    if (root !== null) roots.push(root);
    return opaque.has(localName(element2)) && root === null ? null : true;
  });
  return roots;
}
function idMatches(root, id) {
  return byId(root, id) === null ? [] : queryAll(root, `[id=${quote(id)}]`);
}
function generated(tree, id) {
  const element2 = tree.stable.find(id);
  return element2 !== null && isConnected(element2) ? [element2] : [];
}
function bySelector(selector, pass) {
  try {
    const parts2 = selector.split(">>>").map((part2) => part2.trim());
    const first = parts2[0] ?? "";
    if (parts2.length === 1) {
      const own5 = [...queryAll(document, first)];
      return own5.length > 0 ? own5 : everywhere(pass, (root) => queryAll(root, first));
    }
    let roots = [document];
    let found = [];
    for (const [index, part2] of parts2.entries()) {
      found = roots.flatMap((root) => [...inRoot(root, part2)]);
      if (index < parts2.length - 1) roots = found.map((host) => pass.flat.shadowRoot(host)).filter((root) => root !== null);
    }
    return [...new Set(found)];
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new BridgeFault("VALIDATION_ERROR", "The selector is not valid CSS.", { selector: selector.slice(0, 200).toWellFormed() });
  }
}
function inRoot(root, selector) {
  if (!selector.startsWith(":host > ") || !(root instanceof ShadowRoot)) return queryAll(root, selector);
  const path = selector.slice(":host > ".length);
  const steps = path.split(" > ").length;
  return [...queryAll(root, path)].filter((element2) => {
    let top = element2;
    for (let i = 0; i < steps; i += 1) top = top === null ? null : parentNode(top);
    return top === root;
  });
}
function elementsOf(pass) {
  const found = [];
  if (pass.root === null) return found;
  pass.flat.walk(pass.root, true, (element2) => {
    found.push(element2);
    return opaque.has(localName(element2)) ? null : true;
  });
  return found;
}
function shownFirst(found, pass) {
  if (found.length < 2) return found;
  const shown4 = found.filter((element2) => pass.layout.measure(element2).hidden === null);
  return shown4.length > 0 ? shown4 : found;
}
function byRole(role, name, pass) {
  const wanted = role.trim().toLowerCase() === "presentation" ? "none" : role.trim().toLowerCase();
  const named2 = elementsOf(pass).filter((element2) => pass.roles.role(element2) === wanted);
  if (name === void 0) return shownFirst(named2, pass);
  return shownFirst(matching2(named2, name, (element2) => pass.names.describe(element2).name), pass);
}
function byName(name, pass) {
  const items = elementsOf(pass).filter((element2) => isInteractive(element2, false, pass));
  return shownFirst(matching2(items, name, (element2) => pass.names.describe(element2).name), pass);
}
function matching2(elements, wanted, read2) {
  const exact = fold(wanted).toWellFormed();
  const found = elements.filter((element2) => sameText(read2(element2), exact));
  if (found.length > 0) return found;
  const lower = exact.toLowerCase();
  return elements.filter((element2) => sameText(read2(element2).toLowerCase(), lower));
}
function byText(text2, pass) {
  const wanted = fold(text2).toWellFormed();
  const lower = wanted.toLowerCase();
  const exact = /* @__PURE__ */ new Set();
  const folded = /* @__PURE__ */ new Set();
  for (const element2 of elementsOf(pass)) {
    if (opaque.has(localName(element2)) || !startsHere(element2, lower, pass)) continue;
    let at = element2;
    for (let level = 0; at !== null && level < maxClimb; level += 1) {
      const reads = readable(at, pass);
      if (sameText(reads, wanted)) exact.add(at);
      if (sameText(reads.toLowerCase(), lower)) {
        folded.add(at);
        break;
      }
      if (reads.length > wanted.length) break;
      at = pass.flat.parent(at);
    }
  }
  const found = [...exact.size > 0 ? exact : folded];
  const pick = (elements) => [...new Set(elements.map((element2) => operable2(element2, pass)))];
  const shown4 = found.filter((element2) => pass.layout.measure(element2).hidden === null);
  return inOrder(pick(shown4.length > 0 ? shown4 : found));
}
var maxClimb = 30;
function sameText(reads, wanted) {
  return reads === wanted || wanted.length > MAX_TEXT && reads.endsWith("\u2026") && wanted.startsWith(reads.slice(0, -1));
}
function startsHere(element2, lower, pass) {
  if (localName(element2) === "input") return pass.roles.role(element2) === "button";
  for (let node2 = firstChild(element2); node2 !== null; node2 = nextSibling(node2)) {
    if (nodeType(node2) !== Node.TEXT_NODE) continue;
    const data = textContent(node2) ?? "";
    if (data.length > lower.length * 4 + 1e3) continue;
    const own5 = fold(data).toWellFormed().toLowerCase();
    if (own5 !== "" && lower.startsWith(own5)) return true;
  }
  return false;
}
function readable(element2, pass) {
  const name = localName(element2);
  if (name === "input") return pass.roles.role(element2) === "button" ? pass.names.describe(element2).name : "";
  return pass.names.visibleText(element2);
}
function operable2(element2, pass) {
  const label2 = closest(element2, "label");
  for (let at = element2; at !== null; at = pass.flat.parent(at)) {
    if (isInteractive(at, false, pass)) return at;
    if (at === label2 && label2 instanceof HTMLLabelElement && label2.control !== null) return label2.control;
  }
  return element2;
}
function inOrder(elements) {
  return elements.sort((a, b) => {
    if (a === b || treeRoot(a) !== treeRoot(b)) return 0;
    return comparePosition(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  });
}

// src/page/execute/through.ts
async function through(params, tree) {
  const { index, url, x, y } = params;
  if (typeof index !== "number" || typeof x !== "number" || typeof y !== "number") throw new BridgeFault("VALIDATION_ERROR", "Give index, x and y.");
  const owner = ownerOf(index, typeof url === "string" ? url : "", tree);
  if (owner === void 0) throw new BridgeFault("TARGET_STALE", "The frame of the element is not in the page any more.", { check: "removed" });
  let point = outward(owner, { x, y });
  if (!shown2(point)) {
    scrollIntoView(owner, { block: "nearest", inline: "nearest", behavior: "instant" });
    point = outward(owner, { x, y });
    if (!shown2(point)) scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: "instant" });
    await settleFrame();
    await settleFrame();
    point = outward(owner, { x, y });
    if (!shown2(point)) throw new BridgeFault("TARGET_OUT_OF_VIEW", "Scrolling does not bring the element\u2019s frame into view.");
  }
  const hit2 = deepElementAt(point, tree);
  if (hit2 !== null && hit2 !== owner) {
    const { selector, role, name, ref } = candidate(hit2, tree, tree.pass());
    throw new BridgeFault("TARGET_OBSCURED", "Another element covers the frame that the target is in.", { coveredBy: { selector, role, name, ref } });
  }
  return { ...point, index: ownIndex() };
}
function ownerOf(index, url, tree) {
  const own5 = index < 0 ? null : window[index];
  const owners = [...everywhere(tree.pass(), (root) => queryAll(root, "iframe,frame,object,embed"))];
  if (own5 !== null) return owners.find((owner) => owner.contentWindow === own5);
  return owners.find((owner) => {
    const src = (attr(owner, "src") ?? attr(owner, "data") ?? "").replace(/^[./]+/, "");
    return src !== "" && url.endsWith(src);
  });
}
function outward(owner, inner) {
  const rect = rectOf(owner);
  const style = styleOf(owner);
  const width = owner.offsetWidth;
  const scale = width > 0 && rect.width > 0 ? rect.width / width : 1;
  return {
    x: rect.x + (clientLeft(owner) + (Number.parseFloat(style.paddingLeft) || 0) + inner.x) * scale,
    y: rect.y + (clientTop(owner) + (Number.parseFloat(style.paddingTop) || 0) + inner.y) * scale
  };
}
function shown2(point) {
  return point.x >= 0 && point.y >= 0 && point.x < innerWidth && point.y < innerHeight;
}

// src/page/execute/wait-for.ts
var mostWaitMs = 1e4;
var lookMs = 100;
async function waitFor(params, around, signal) {
  const limit = typeof params.waitMs === "number" ? Math.min(params.waitMs, mostWaitMs) : 0;
  const until = performance.now() + limit;
  let changedAt = performance.now();
  let wake;
  const observer = new MutationObserver(() => {
    changedAt = performance.now();
    wake?.();
  });
  const options = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, options);
  for (const root of around.roots()) observer.observe(root, options);
  const test = testOf(params, around, () => performance.now() - changedAt);
  try {
    for (; ; ) {
      check(signal);
      const seen4 = test();
      const left = until - performance.now();
      if (seen4.matched || left <= 0) return seen4;
      await new Promise((resolve2) => {
        const timer2 = startTimer(resolve2, Math.min(lookMs, left));
        wake = () => {
          stopTimer(timer2);
          resolve2();
        };
      });
      wake = void 0;
    }
  } finally {
    observer.disconnect();
  }
}
function testOf(params, around, quiet2) {
  const { text: text2, selector, quietMs } = params;
  const gone = params.gone === true;
  if (Array.isArray(text2)) return textTest(text2.filter((one3) => typeof one3 === "string"), gone, around);
  if (typeof selector === "string") return selectorTest(selector, params.state, around);
  if (typeof quietMs === "number") {
    return () => {
      const ms = Math.round(quiet2());
      return { matched: document.readyState === "complete" && ms >= quietMs, quietMs: ms, readyState: document.readyState };
    };
  }
  throw new BridgeFault("VALIDATION_ERROR", "Give text, selector or quietMs.");
}
function textTest(wanted, gone, around) {
  const needles = wanted.map(fold2);
  return () => {
    const shown4 = shownText(around);
    const found = needles.findIndex((needle) => shown4.includes(needle));
    if (gone) return { matched: found < 0, ...found < 0 ? {} : { text: wanted[found] ?? "" } };
    return found < 0 ? { matched: false } : { matched: true, text: wanted[found] ?? "" };
  };
}
function shownText(around) {
  const parts2 = [document.body?.innerText ?? "", document.title];
  for (const root of around.roots()) for (const child of root.children) if (child instanceof HTMLElement && child.localName !== "style") parts2.push(child.innerText);
  return fold2(parts2.join("\n"));
}
function fold2(text2) {
  return text2.replace(/\s+/g, " ").trim();
}
function selectorTest(selector, wanted, around) {
  const state = typeof wanted === "string" && wanted !== "" ? wanted : "visible";
  return () => {
    const found = bySelector(selector, around.uiTree.pass());
    const visible = found.filter((element2) => element2.checkVisibility({ visibilityProperty: true }) && element2.getClientRects().length > 0).length;
    const matched = { attached: found.length > 0, detached: found.length === 0, visible: visible > 0, hidden: visible === 0 }[state];
    if (matched === void 0) throw new BridgeFault("VALIDATION_ERROR", "state must be attached, detached, visible or hidden.");
    return { matched, count: found.length, visible };
  };
}

// src/page/execute/run.ts
var acting = /* @__PURE__ */ new Set(["click", "type", "hover", "focus", "select", "scroll", "navigate", "locate", "fill", "through", "press", "mouse", "drag", "layout_try", "foresee"]);
var inside = { ...stateCommands, ...componentCommands, ...toolCommands, ...recordCommands };
var openLimit = 3e3;
var Executor = class {
  #around;
  #pointer;
  #marks = new Marks();
  #gate = new Gate();
  #layout;
  #people;
  constructor(around) {
    this.#around = around;
    this.#pointer = new Pointer(around.targets.flat);
    this.#layout = new LayoutCommands(around.uiTree, around.targets);
    this.#people = new People(around.uiTree, around.post);
  }
  /** Runs up to the first wait synchronously: console_hook is done when this returns. */
  async execute(command, signal, acted) {
    const { type } = command;
    if (type === "console_hook") {
      this.#around.consoleHook(command.on === true);
      return { result: { on: command.on === true }, effect: "noop" };
    }
    check(signal);
    if (acting.has(type) && this.#around.level() === "observe") {
      throw new BridgeFault("CAPABILITY_MISSING", "The page is connected at level observe; this command acts.", { level: "act" });
    }
    switch (type) {
      case "click":
        return await this.#act(command, "click", signal, (found) => this.#click(found, command, acted));
      case "hover":
        return await this.#act(command, "hover", signal, (found) => this.#hover(found, acted));
      case "focus":
        return await this.#act(command, "focus", signal, (found) => this.#focus(found, acted));
      case "type":
        return await this.#type(command, signal, acted);
      case "select":
        return await this.#select(command, signal, acted);
      case "scroll":
        return await this.#scroll(command, signal, acted);
      case "navigate":
        return { result: navigate(command, acted), effect: "navigated" };
      case "evaluate":
        return await this.#evaluate(command, signal, acted);
      case "request_ui_tree":
        return { result: this.#tree(), effect: "noop" };
      case "page_state":
        return { result: readState(this.#around.uiTree), effect: "noop" };
      case "outline":
        return { result: await readOutline(command, this.#around.uiTree, this.#around.targets, signal), effect: "noop" };
      case "layout_measure":
        return { result: await this.#layout.measure({ ...command, changes: [] }, signal), effect: "noop" };
      case "layout_try":
        return { result: await this.#layout.measure(command, signal), effect: "noop" };
      case "highlight":
        return { result: this.#layout.highlight(command, this.#around.level()), effect: "noop" };
      case "layout_name":
        return { result: this.#layout.name(command), effect: "noop" };
      case "request_state":
        return { result: { states: await readStates(this.#around.state, scopeOf(command), signal) }, effect: "noop" };
      case "request_dom_snapshot":
        return { result: documentHtml(this.#around.targets.flat), effect: "noop" };
      case "ready":
        return { result: await ready(command, signal), effect: "noop" };
      case "frame_info":
        return { result: frameInfo(this.#around.uiTree), effect: "noop" };
      case "locate":
        return await this.#locate(command, signal);
      case "foresee":
        return { result: await this.#foresee(command, signal), effect: "noop" };
      case "settle":
        return await this.#settle(command, signal);
      case "fill":
        return await this.#fill(command, signal, acted);
      case "press":
        return await this.#watched(deepActive(), signal, async () => {
          await press(command, signal, acted);
          return { result: {} };
        });
      case "mouse":
        return await this.#mouse(command, signal, acted);
      case "drag":
        return await this.#act(command, "click", signal, (found) => this.#drag(found, command, signal, acted));
      case "watch":
        return { result: this.#watchAll(command), effect: "noop" };
      case "through":
        return { result: await through(command, this.#around.uiTree), effect: "noop" };
      case "dragging":
        return { result: { dragging: this.#marks.get(command.mark)?.watch.dragging ?? false }, effect: "noop" };
      case "landed":
        return this.#landed(command);
      case "hand":
        return await this.#hand(command, signal);
      case "wait":
        return { result: await waitFor(command, this.#around, signal), effect: "noop" };
      default:
        return await (this.#people.run(command, signal) ?? this.#inside(command, signal, acted));
    }
  }
  /** What looks inside the app. */
  async #inside(command, signal, acted) {
    const run3 = Object.hasOwn(inside, command.type) ? inside[command.type] : void 0;
    if (run3 === void 0) throw new BridgeFault("UNKNOWN_TYPE", "The bridge has no such command.");
    return await run3(command, this.#around, signal, acted);
  }
  #tree() {
    const tree = this.#around.tree();
    return { ...tree, frame: frameInfo(this.#around.uiTree, this.#around.uiTree.frames) };
  }
  dispose() {
    stopRecording();
    this.#marks.dispose();
    this.#gate.dispose();
    this.#layout.dispose();
    this.#people.dispose();
  }
  // --- acting --------------------------------------------------------------------
  /** Waits for the element, acts on it, waits for the page to be quiet. */
  async #act(params, action, signal, act2) {
    const found = await this.#around.targets.find(params, action, signal);
    return await this.#watched(found.element, signal, () => act2(found), void 0, params.words !== false);
  }
  async #watched(element2, signal, act2, verify, words = true) {
    const watch2 = new Watch(element2, this.#around, words);
    let done;
    try {
      done = await act2();
    } catch (error) {
      watch2.stop();
      throw error;
    }
    const settled = await watch2.settle(signal);
    verify?.();
    const effect = done.effect ?? settled;
    if (effect !== "noop") this.#around.state.poll();
    const after = this.#aftermath(watch2);
    if (element2 !== null && isConnected(element2)) {
      const { ref, role, name } = candidate(element2, this.#around.uiTree, this.#around.uiTree.pass());
      after.target = { ref, role, name };
    }
    return done.result === void 0 ? { effect, after } : { result: done.result, effect, after };
  }
  #click(found, params, acted) {
    const button2 = readButton(params.button);
    const count = readCount(params.count);
    this.#pointer.click(this.#pointer.receiver(found.stand, found.point), found.point, button2, count, readModifiers(params.modifiers));
    acted();
    return { result: { ref: found.ref } };
  }
  /** At a place instead of on an element. */
  async #mouse(params, signal, acted) {
    const { x, y } = params;
    if (typeof x !== "number" || typeof y !== "number") throw new BridgeFault("VALIDATION_ERROR", "Give x and y.");
    const at = deepElementAt({ x, y }, this.#around.uiTree);
    if (at === null) throw new BridgeFault("TARGET_OUT_OF_VIEW", "The place is outside of the viewport.", { x, y });
    return await this.#watched(at, signal, () => {
      if (params.do === "move") this.#pointer.move(at, { x, y }, noModifiers);
      else this.#pointer.click(at, { x, y }, readButton(params.button), readCount(params.count), readModifiers(params.modifiers));
      acted();
      return { result: {} };
    });
  }
  async #drag(found, params, signal, acted) {
    const { dx, dy, to } = params;
    const from = this.#pointer.receiver(found.stand, found.point);
    let goal = { x: found.point.x + (typeof dx === "number" ? dx : 0), y: found.point.y + (typeof dy === "number" ? dy : 0) };
    let over = deepElementAt(goal, this.#around.uiTree) ?? document.documentElement;
    if (to !== void 0) {
      const place2 = await this.#around.targets.find({ ...params, target: to }, "hover", signal);
      goal = place2.point;
      over = this.#pointer.receiver(place2.stand, place2.point);
    }
    await this.#pointer.drag(from, found.point, over, goal);
    acted();
    return { result: { ref: found.ref } };
  }
  #hover(found, acted) {
    this.#pointer.move(this.#pointer.receiver(found.stand, found.point), found.point, noModifiers);
    acted();
    return { result: { ref: found.ref } };
  }
  #focus(found, acted) {
    const { element: element2 } = found;
    const focused = (element2 instanceof HTMLElement || element2 instanceof SVGElement) && focus(element2);
    acted();
    if (!focused) throw new BridgeFault("TARGET_NOT_INTERACTABLE", "The element cannot have the focus.", { check: "focusable" });
    return { result: { ref: found.ref } };
  }
  async #type(params, signal, acted) {
    const { text: text2, clear } = params;
    if (typeof text2 !== "string") throw new BridgeFault("VALIDATION_ERROR", "text must be a string.");
    const found = await this.#around.targets.find(params, "type", signal);
    const control = classify(found.element);
    switch (control.kind) {
      case "select":
      case "toggle":
        return await this.#selectFound(found, control, [text2], signal, acted);
      case "other":
        throw new BridgeFault("TARGET_NOT_INTERACTABLE", "The element takes no text.", { check: "editable" });
      default:
        break;
    }
    const before = valueOf2(control.element);
    const result2 = { ref: found.ref };
    return await this.#watched(control.element, signal, async () => {
      await typeText(control, text2, clear === true, signal, acted);
      return { result: result2 };
    }, () => {
      Object.assign(result2, verifyTyped(control, before, text2, clear === true));
    });
  }
  /**
   * Makes a field of any kind hold a value. With `trusted` what is better done by real
   * input is only prepared: `pending` says by which, and settle verifies.
   */
  async #fill(params, signal, acted) {
    const { value } = params;
    if (typeof value !== "string") throw new BridgeFault("VALIDATION_ERROR", "value must be a string.");
    const trusted = params.trusted === true;
    const found = await this.#around.targets.find(params, "type", signal);
    const control = classify(found.element);
    const named2 = { ref: found.ref, role: found.role, name: found.name };
    switch (control.kind) {
      case "text":
      case "editable": {
        assertEditable(control);
        const before = valueOf2(control.element);
        const verify = () => verifyFilled(control, before, value);
        if (trusted) {
          const ready2 = this.#ready(found, control, false, verify);
          await place(control, true);
          return { result: { ...ready2, pending: before === "" && value === "" ? "nothing" : "text" }, effect: "noop" };
        }
        const result2 = { ...named2 };
        return await this.#watched(control.element, signal, async () => {
          await typeText(control, value, true, signal, acted);
          return { result: result2 };
        }, () => {
          Object.assign(result2, verify());
        });
      }
      case "whole": {
        const result2 = { ...named2 };
        const before = valueOf2(control.element);
        return await this.#watched(control.element, signal, async () => {
          await typeText(control, value, true, signal, acted);
          return { result: result2 };
        }, () => {
          Object.assign(result2, verifyFilled(control, before, value));
        });
      }
      default: {
        const on = isChecked(control.element);
        if (trusted && on !== void 0 && on !== wantedState(value) && !(isRadio(control.element) && on)) {
          const wanted = wantedState(value);
          const verify = () => {
            if (control.element.isConnected && isChecked(control.element) !== wanted) {
              throw new BridgeFault("ACTION_NO_EFFECT", "The control did not change its state.", { check: "checked", holds: !wanted });
            }
            return { checked: wanted };
          };
          const aimed = await this.#around.targets.ready(found.element, "click", signal);
          return { result: { ...this.#ready({ ...aimed, ref: found.ref }, control, true, verify), pending: "click" }, effect: "noop" };
        }
        const done = await this.#selectFound(found, control, [value], signal, acted);
        return { ...done, result: { ...done.result, ...named2 } };
      }
    }
  }
  async #select(params, signal, acted) {
    const wanted = readValues(params);
    const found = await this.#around.targets.find(params, "select", signal);
    return await this.#selectFound(found, classify(found.element), wanted, signal, acted);
  }
  async #selectFound(found, control, wanted, signal, acted) {
    if (control.kind === "select") {
      assertEditable(control);
      const { element: element2 } = control;
      let result2 = {};
      return await this.#watched(element2, signal, () => {
        result2 = chooseOptions(element2, wanted, acted);
        if (secretKind(element2) !== null) return { result: { redacted: secretKind(element2) } };
        return { result: result2 };
      }, () => verifyOptions(element2, result2));
    }
    if (isChecked(control.element) !== void 0) return await this.#toggle(found, control.element, wanted, signal, acted);
    if (control.kind === "text" && control.element.getAttribute("role") !== "combobox") {
      return await this.#type({ target: { ref: found.ref }, text: wanted[0] ?? "", clear: true }, signal, acted);
    }
    return await this.#chooseCustom(found, wanted, signal, acted);
  }
  async #toggle(found, element2, wanted, signal, acted) {
    if (wanted.length !== 1) throw new BridgeFault("VALIDATION_ERROR", "A checkbox or radio takes one value, true or false.");
    const on = wantedState(wanted[0] ?? "");
    if (isRadio(element2) && !on) {
      throw new BridgeFault("VALIDATION_ERROR", "A radio is switched off by choosing another one of its group.", { check: "value" });
    }
    if (isChecked(element2) === on) return { result: { ref: found.ref, checked: on }, effect: "noop" };
    return await this.#watched(element2, signal, () => {
      this.#click(found, {}, acted);
      return { result: { ref: found.ref, checked: on } };
    }, () => {
      if (element2.isConnected && isChecked(element2) !== on) {
        throw new BridgeFault("ACTION_NO_EFFECT", "The control did not change its state.", { check: "checked" });
      }
    });
  }
  /** Lists made by the page: opens them when they are closed, then clicks the options. */
  async #chooseCustom(found, wanted, signal, acted) {
    const { targets } = this.#around;
    const visible = () => customOptions(found.element).filter((option) => option.checkVisibility());
    return await this.#watched(found.element, signal, async () => {
      const labels = [];
      for (const name of wanted) {
        if (visible().length === 0) this.#click(found, {}, acted);
        const option = await retry(() => {
          const options = visible();
          if (options.length === 0) throw new BridgeFault("TARGET_NOT_INTERACTABLE", "The element is no list of options.", { check: "options" });
          return customOption(options, name, targets.nameOf);
        }, /* @__PURE__ */ new Set(["TARGET_NOT_INTERACTABLE", "ELEMENT_NOT_FOUND"]), openLimit, signal);
        const place2 = await targets.ready(option, "click", signal);
        this.#pointer.click(this.#pointer.receiver(place2.stand, place2.point), place2.point, "left", 1, noModifiers);
        acted();
        labels.push(targets.nameOf(option));
      }
      return { result: { ref: found.ref, labels } };
    });
  }
  async #scroll(params, signal, acted) {
    const request = readScroll(params);
    const { targets } = this.#around;
    const element2 = params.target === void 0 ? null : await targets.resolve(params, signal);
    return await this.#watched(element2, signal, async () => {
      const result2 = scroll2(element2, request, targets.flat, acted);
      await settleFrame();
      return { result: result2 };
    });
  }
  async #evaluate(params, signal, acted) {
    if (!this.#around.allowEval) throw new BridgeFault("EVAL_DISABLED", "Evaluating scripts is switched off for this page.");
    const code = typeof params.code === "string" ? params.code : params.expression;
    if (typeof code !== "string") throw new BridgeFault("VALIDATION_ERROR", "Give code.");
    return await this.#watched(null, signal, async () => {
      const result2 = await Promise.race([evaluate(code, acted), aborted(signal)]);
      return { result: result2 };
    });
  }
  // --- for trusted input over the debugger -----------------------------------------
  /** Finds and checks the element; a mark lets settle say what happened since. */
  async #locate(params, signal) {
    const action = typeof params.forAction === "string" && params.forAction !== "" ? params.forAction : "click";
    const found = await this.#around.targets.find(params, action, signal);
    const { element: element2 } = found;
    const control = classify(element2);
    if (action === "type" && (control.kind === "text" || control.kind === "editable")) {
      assertEditable(control);
      if (params.prepare === "append" || params.prepare === "clear") await place(control, params.prepare === "clear");
    }
    return { result: this.#ready(found, control, params.guard === true), effect: "noop" };
  }
  /** What a click (on a target, or at x, y) or a key (on a target, or where the focus is) would set off. */
  async #foresee(params, signal) {
    const { targets, uiTree } = this.#around;
    const { x, y, key: key2 } = params;
    let foreseen;
    if (key2 === "Enter" || key2 === " ") {
      const focused = params.target === void 0 ? deepActive() : (await targets.find(params, "type", signal)).element;
      foreseen = (key2 === "Enter" ? ofEnter : ofSpace)(focused, targets.flat);
    } else if (params.target !== void 0) {
      const found = await targets.find(params, "click", signal);
      foreseen = ofClick(deepElementAt(found.point, uiTree) ?? found.element, targets.flat);
    } else {
      foreseen = ofClick(typeof x === "number" && typeof y === "number" ? deepElementAt({ x, y }, uiTree) : null, targets.flat);
    }
    const { submit, download, by } = foreseen;
    const { role, name } = by === null ? {} : candidate(by, uiTree, uiTree.pass());
    return { submit, download, role, name };
  }
  /** What the debugger has to know of an element that is ready, and the mark of now. */
  #ready(found, control, guarded, verify) {
    const { element: element2 } = found;
    const guard = guarded ? this.#gate.guard(found, this.#around.uiTree) : void 0;
    return {
      ...this.#around.targets.describe(found),
      control: control.kind,
      secret: secretKind(element2) ?? void 0,
      frame: parent === window ? void 0 : ownIndex(),
      hidden: document.hidden || void 0,
      lands: guarded || void 0,
      mark: this.#marks.add({ watch: new Watch(element2, this.#around), guard, verify })
    };
  }
  /** For the debugger: an element of this frame, or only which frame this is. */
  async #hand(params, signal) {
    const element2 = params.target === void 0 ? null : await this.#around.targets.resolve(params, signal);
    hand(params.token, element2, this.#around.uiTree, params.of === void 0 ? [] : this.#layout.elements(params));
    return { result: {}, effect: "noop" };
  }
  /** Watches the page for input that is about no element. */
  #watchAll({ x, y }) {
    const active2 = typeof x === "number" && typeof y === "number" ? deepElementAt({ x, y }, this.#around.uiTree) : deepActive();
    const target = active2 === document.body ? null : active2;
    const named2 = target === null ? {} : candidate(target, this.#around.uiTree, this.#around.uiTree.pass());
    const { ref, role, name } = named2;
    const viewport = { width: innerWidth, height: innerHeight };
    return { ref, role, name, point: { x: 0, y: 0 }, viewport, hidden: document.hidden || void 0, mark: this.#marks.add({ watch: new Watch(target, this.#around) }) };
  }
  #landed(params) {
    this.#marks.get(params.mark)?.guard?.delivered();
    return { result: {}, effect: "noop" };
  }
  async #settle(params, signal) {
    const id = params.sinceMark ?? params.mark;
    const mark = this.#marks.get(id);
    if (mark === void 0) {
      await new Watch(null, this.#around).settle(signal);
      return { effect: "unknown" };
    }
    const keep = params.keep === true;
    try {
      const { watch: watch2, guard, verify } = mark;
      if (typeof params.landing === "number") await guard?.landed(params.landing, signal);
      if (guard?.missed !== void 0) {
        const { selector, role, name, ref } = candidate(guard.missed, this.#around.uiTree, this.#around.uiTree.pass());
        throw new BridgeFault("TARGET_OBSCURED", "Another element came over the target just before the press; nothing was pressed.", {
          coveredBy: { selector, role, name, ref },
          pressed: false
        });
      }
      const effect = await watch2.settle(signal, keep, params.again === true);
      if (effect !== "noop") this.#around.state.poll();
      return { result: { ...afterwards(watch2.target), ...verify?.() }, effect, after: this.#aftermath(watch2) };
    } finally {
      if (keep) this.#marks.keep(id);
      else this.#marks.end(id);
    }
  }
  #aftermath(watch2) {
    const told3 = watch2.words();
    const out = { mutations: watch2.mutations, batch: this.#around.cut(told3) };
    if (told3.changes.length > 0) out.changes = told3.changes;
    if (told3.more > 0) out.more = told3.more;
    const { focused, moved } = watch2;
    if (moved !== void 0) out.url = moved;
    if (focused !== null) {
      const { ref, role, name } = candidate(focused, this.#around.uiTree, this.#around.uiTree.pass());
      out.focused = { ref, role, name };
    }
    return out;
  }
};
function afterwards(element2) {
  if (element2 === null) return {};
  if (!element2.isConnected) return { connected: false };
  const control = classify(element2);
  const out = { connected: true };
  const checked = isChecked(element2);
  if (checked !== void 0) out.checked = checked;
  const secret = secretKind(element2);
  if (secret !== null) out.redacted = secret;
  else if (control.kind === "text" || control.kind === "whole" || control.kind === "editable") {
    const value = valueOf2(control.element);
    out.value = value.length > 1e3 ? `${value.slice(0, 1e3).toWellFormed()}\u2026` : value;
  } else if (control.kind === "select") out.values = Array.from(control.element.selectedOptions).map((option) => option.value);
  return out;
}
function aborted(signal) {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      try {
        check(signal);
      } catch (error) {
        reject(error);
      }
    }, { once: true });
  });
}

// src/page/execute/target.ts
var waitLimit = 5e3;
var maxWait = 3e5;
var passing2 = /* @__PURE__ */ new Set(["ELEMENT_NOT_FOUND", "TARGET_NOT_INTERACTABLE", "TARGET_OBSCURED", "TARGET_OUT_OF_VIEW"]);
var missing3 = /* @__PURE__ */ new Set(["ELEMENT_NOT_FOUND"]);
var actions = /* @__PURE__ */ new Set(["click", "hover", "type", "focus", "select", "scroll"]);
var onControl = /* @__PURE__ */ new Set(["type", "focus", "select"]);
var Targets = class {
  constructor(tree) {
    this.tree = tree;
    this.flat = tree.flat;
  }
  tree;
  flat;
  /** The element alone, without the checks of an action. */
  resolve(params, signal) {
    const target = readTarget(params.target);
    return retry(() => resolve(target, this.tree), missing3, limitOf(params), signal);
  }
  async find(params, action, signal) {
    const target = readTarget(params.target);
    const kind = readAction(action);
    return await retry(async () => {
      const named2 = resolve(target, this.tree);
      const found = await this.#ready(onControl.has(kind) ? controlOf(named2, this.flat) : named2, kind, signal, params.steady === true);
      const { offset } = params;
      if (typeof offset !== "object" || offset === null) return found;
      return { ...found, point: offsetPoint(found.stand, found.element, offset, this.tree) };
    }, passing2, limitOf(params), signal);
  }
  /** Checks of an element already known. */
  ready(element2, action, signal) {
    return retry(() => this.#ready(element2, action, signal), passing2, waitLimit, signal);
  }
  nameOf = (element2) => this.tree.pass().names.describe(element2).name;
  describe(found) {
    const { ref, role, name, point, bounds, checks } = found;
    return { ref, role, name, point, bounds, checks };
  }
  async #ready(element2, action, signal, steady = false) {
    const ready2 = await actionability(element2, action, this.tree, signal, steady);
    const { ref, role, name } = candidate(element2, this.tree, this.tree.pass());
    return { element: element2, stand: ready2.element, point: ready2.point, bounds: ready2.bounds, checks: ready2.checks, ref, role, name };
  }
};
function limitOf(params) {
  const { waitMs } = params;
  return typeof waitMs === "number" && waitMs >= 0 ? Math.min(waitMs, maxWait) : waitLimit;
}
function readAction(action) {
  if (!actions.has(action)) throw new BridgeFault("VALIDATION_ERROR", "forAction must be click, hover, type, focus, select or scroll.");
  return action;
}
var keys3 = ["ref", "stableId", "id", "selector", "text", "role", "name"];
function readTarget(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new BridgeFault("VALIDATION_ERROR", "Give a target.");
  const given2 = value;
  const target = {};
  for (const key2 of keys3) {
    const word = given2[key2];
    if (word === void 0) continue;
    if (typeof word !== "string") throw new BridgeFault("VALIDATION_ERROR", `target.${key2} must be a string.`);
    target[key2] = word;
  }
  return target;
}

// src/page/outbox.ts
var batchDelay2 = 50;
var batchBytes = 64 * 1024;
var batchMessages = 256;
var windowBytes = 2 * 1024 * 1024;
var keepMessages = 2e4;
var keepBytes = 16 * 1024 * 1024;
var busyMessages = 1e3;
var vital = /* @__PURE__ */ new Set(["ui_tree", "ui_tree_diff", "dom_snapshot", "dropped"]);
var isVital = ({ type, version }) => vital.has(type) || type === "state_update" && version !== void 0;
var Queue = class {
  items = [];
  head = 0;
  bytes = 0;
  get length() {
    return this.items.length - this.head;
  }
  add(entry) {
    this.items.push(entry);
    this.bytes += entry.bytes;
  }
  peek() {
    return this.items[this.head];
  }
  take() {
    const entry = this.items[this.head];
    if (entry === void 0) return void 0;
    this.items[this.head++] = void 0;
    this.bytes -= entry.bytes;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items.splice(0, this.head);
      this.head = 0;
    }
    return entry;
  }
  all() {
    return this.items.slice(this.head);
  }
  /** Takes out the oldest entries that drop() accepts until the rest fits. */
  thin(maxCount, maxBytes, drop) {
    const old = this.all();
    const kept3 = [];
    let count = old.length;
    let i = 0;
    for (; i < old.length && (count > maxCount || this.bytes > maxBytes); i++) {
      const entry = old[i];
      if (entry === void 0) continue;
      if (drop(entry)) {
        count--;
        this.bytes -= entry.bytes;
      } else kept3.push(entry);
    }
    this.items = kept3.concat(old.slice(i));
    this.head = 0;
  }
};
function createOutbox(channel, mask) {
  const waiting = new Queue();
  const sent = new Queue();
  let firstSent = 1;
  let dropped = /* @__PURE__ */ new Map();
  let lastFlush = -Infinity;
  let timer2;
  let soon = false;
  let disposed = false;
  const tick = new MessageChannel();
  tick.port1.onmessage = () => {
    if (soon) flush();
  };
  function lost(type, count) {
    if (count > 0) dropped.set(type, (dropped.get(type) ?? 0) + count);
  }
  function bound() {
    if (waiting.length <= keepMessages && waiting.bytes <= keepBytes) return;
    waiting.thin(keepMessages * 0.9, keepBytes * 0.9, (entry) => {
      if (isVital(entry.message)) return false;
      lost(entry.message.type, 1);
      return true;
    });
  }
  function push(message) {
    if (disposed) return;
    waiting.add({ message, bytes: weigh(message, mask) });
    bound();
    schedule();
  }
  function schedule() {
    const urgent = waiting.bytes >= batchBytes || waiting.length >= batchMessages || performance.now() - lastFlush >= batchDelay2 || document.hidden;
    if (urgent) {
      if (soon) return;
      soon = true;
      tick.port2.postMessage(0);
    } else timer2 ??= setTimeout(() => {
      timer2 = void 0;
      flush();
    }, batchDelay2);
  }
  function room(entry) {
    return sent.length === 0 || sent.bytes + entry.bytes <= windowBytes;
  }
  function flush() {
    if (disposed) return;
    soon = false;
    if (timer2 !== void 0) {
      clearTimeout(timer2);
      timer2 = void 0;
    }
    if (waiting.length === 0 && dropped.size === 0) return;
    let sentAny = false;
    for (; ; ) {
      const batch = nextBatch();
      if (batch.length === 0) break;
      sentAny = true;
      channel.send(firstSent + sent.length - batch.length, batch);
    }
    if (sentAny) lastFlush = performance.now();
  }
  function nextBatch() {
    const batch = [];
    let bytes = 0;
    if (dropped.size > 0) {
      const message = { type: "dropped", timestamp: Date.now(), counts: Object.fromEntries(dropped) };
      const entry = { message, bytes: 100 };
      if (!room(entry)) return batch;
      dropped = /* @__PURE__ */ new Map();
      sent.add(entry);
      batch.push(message);
    }
    while (batch.length < batchMessages && bytes < batchBytes) {
      const entry = waiting.peek();
      if (entry === void 0 || !room(entry)) break;
      waiting.take();
      sent.add(entry);
      batch.push(entry.message);
      bytes += entry.bytes;
    }
    return batch;
  }
  return {
    push,
    lost(type, count) {
      lost(type, count);
      schedule();
    },
    acknowledge(upTo) {
      while (firstSent <= upTo && sent.length > 0) {
        sent.take();
        firstSent++;
      }
      if (waiting.length > 0 || dropped.size > 0) flush();
    },
    resend() {
      const entries = sent.all();
      for (let i = 0; i < entries.length; i += batchMessages) {
        const batch = entries.slice(i, i + batchMessages).map((entry) => entry.message);
        channel.send(firstSent + i, batch);
      }
      flush();
    },
    flush,
    congested: () => waiting.length > busyMessages || sent.bytes > windowBytes / 2,
    dispose() {
      disposed = true;
      if (timer2 !== void 0) clearTimeout(timer2);
      tick.port1.onmessage = null;
      tick.port1.close();
      tick.port2.close();
    }
  };
}

// src/page/tree/compare.ts
var fields = [
  "stableId",
  "selector",
  "role",
  "name",
  "text",
  "label",
  "value",
  "disabled",
  "visible",
  "hidden",
  "checked",
  "expanded",
  "selected",
  "focused",
  "frameId"
];
function compare(old, now2, moved) {
  let changed2;
  for (const field of fields) {
    if (old[field] === now2[field]) continue;
    changed2 ??= { ref: now2.ref };
    Object.assign(changed2, { [field]: now2[field] ?? null });
  }
  if (moved) {
    changed2 ??= { ref: now2.ref };
    changed2.bounds = now2.bounds;
  }
  if (!sameMeta(old.meta, now2.meta)) {
    changed2 ??= { ref: now2.ref };
    changed2.meta = now2.meta ?? null;
  }
  return changed2;
}
function sameMeta(old, now2) {
  if (old === void 0 || now2 === void 0) return old === now2;
  const keys4 = Object.keys(now2);
  return keys4.length === Object.keys(old).length && keys4.every((key2) => old[key2] === now2[key2]);
}

// src/page/tree/dirt.ts
var own2 = new Set(
  "value checked href src srcset alt title placeholder type name autocomplete required readonly min max step maxlength accept target download rel data-testid aria-label aria-labelledby aria-describedby aria-checked aria-pressed aria-expanded aria-selected aria-valuenow aria-valuetext aria-valuemin aria-valuemax aria-haspopup aria-current aria-invalid aria-roledescription aria-owns aria-controls aria-activedescendant aria-live aria-busy aria-atomic aria-level aria-posinset aria-setsize onclick tabindex id for".split(" ")
);
var maxMarks = 2e3;
var Dirt = class {
  /** Everything has to be read again. */
  all = false;
  /** Elements were added, removed or renumbered: selectors by position may be others. */
  structure = false;
  /** An id or test id changed hands in a way that is not known in detail. */
  ids = false;
  roots = /* @__PURE__ */ new Set();
  chain = /* @__PURE__ */ new Set();
  /** Elements that left, with all that was in them. */
  removed = /* @__PURE__ */ new Set();
  touchedIds = /* @__PURE__ */ new Set();
  touchedTests = /* @__PURE__ */ new Set();
  /** Labels whose control may be called differently now. */
  labels = /* @__PURE__ */ new Set();
  get clean() {
    return !this.all && this.roots.size === 0 && this.chain.size === 0 && this.removed.size === 0 && !this.structure;
  }
  reset() {
    this.all = false;
    this.structure = false;
    this.ids = false;
    this.roots.clear();
    this.chain.clear();
    this.removed.clear();
    this.touchedIds.clear();
    this.touchedTests.clear();
    this.labels.clear();
  }
  observe(records) {
    if (this.all) return;
    for (const record of records) {
      const target = elementOf2(record.target);
      if (target === null) {
        const host = record.target instanceof ShadowRoot ? record.target.host : null;
        if (host === null) this.all = true;
        else if (record.type === "childList") this.#children(record, host, host);
        continue;
      }
      if (record.type === "characterData") this.chain.add(target);
      else if (record.type === "attributes") this.#attribute(target, record.attributeName ?? "");
      else this.#children(record, target, null);
      if (this.roots.size > maxMarks || this.chain.size > maxMarks || this.removed.size > maxMarks) {
        this.all = true;
        return;
      }
    }
  }
  #attribute(target, name) {
    const tag4 = localName(target);
    if (name === "id" || name === TEST_ID) {
      this.ids = true;
      this.structure = true;
    }
    if (tag4 === "label") this.labels.add(target);
    if (name === "media" || tag4 === "style" || tag4 === "link") this.all = true;
    else if (tag4 === "slot" || name === "slot") this.roots.add(hostAround(target, name === "slot") ?? target);
    else if (own2.has(name)) this.chain.add(target);
    else {
      this.roots.add(target);
      this.chain.add(target);
    }
  }
  #children(record, target, host) {
    if (localName(target) === "style") {
      this.all = true;
      return;
    }
    this.chain.add(target);
    for (const node2 of record.addedNodes) {
      if (!isElement(node2)) continue;
      this.structure = true;
      if (isSheet(node2)) this.all = true;
      this.roots.add(host ?? node2);
      this.#slots(node2, host ?? target);
      this.#ids(node2);
    }
    for (const node2 of record.removedNodes) {
      if (!isElement(node2)) continue;
      this.structure = true;
      if (isSheet(node2)) this.all = true;
      this.removed.add(node2);
      this.#slots(node2, host ?? target);
      this.#ids(node2);
    }
  }
  // A slot that came or went shows or hides children of the host.
  #slots(node2, around) {
    if (localName(node2) !== "slot" && queryAll(node2, "slot").length === 0) return;
    const host = hostAround(around, false) ?? around;
    this.roots.add(host);
  }
  #ids(node2) {
    this.#idsOf(node2);
    for (const inner of queryAll(node2, `[id],[${TEST_ID}],label,style,link`)) {
      if (isSheet(inner)) this.all = true;
      this.#idsOf(inner);
    }
  }
  #idsOf(element2) {
    const id = attr(element2, "id");
    if (id !== null && id !== "") this.touchedIds.add(id);
    const test = attr(element2, TEST_ID);
    if (test !== null && test !== "") this.touchedTests.add(test);
    if (localName(element2) === "label") this.labels.add(element2);
  }
};
function isSheet(element2) {
  const name = localName(element2);
  return name === "style" || name === "link" && (attr(element2, "rel") ?? "").includes("stylesheet");
}
function elementOf2(node2) {
  if (isElement(node2)) return node2;
  if (nodeType(node2) === Node.DOCUMENT_NODE || node2 instanceof ShadowRoot) return null;
  const up = parentNode(node2);
  return up !== null && isElement(up) ? up : up instanceof ShadowRoot ? up.host : null;
}
function hostAround(element2, ofChild) {
  if (ofChild) {
    const up = parentNode(element2);
    return up !== null && isElement(up) ? up : null;
  }
  const root = rootOf(element2);
  return root instanceof ShadowRoot ? root.host : null;
}

// src/page/tree/entry.ts
function hasMoved(before, now2) {
  return Math.abs(before.x - now2.x) > 0.01 || Math.abs(before.y - now2.y) > 0.01 || before.item.bounds.width !== now2.item.bounds.width || before.item.bounds.height !== now2.item.bounds.height;
}

// src/page/tree/listen.ts
var ownState = ["input", "change", "focusin", "focusout", "toggle", "invalid", "cancel", "close"];
var insideState = ["reset", "transitionend", "animationend", "slotchange", "load"];
function listenTo(root, listener) {
  const undo = new AbortController();
  const options = { capture: true, passive: true, signal: undo.signal };
  const own5 = (event) => {
    const target = targetOf(event);
    if (target !== null) listener.state(target);
  };
  const inside2 = (event) => {
    const target = targetOf(event);
    if (target !== null) listener.subtree(target);
  };
  for (const type of ownState) root.addEventListener(type, own5, options);
  for (const type of insideState) root.addEventListener(type, inside2, options);
  if (root instanceof Document) window.addEventListener("resize", () => listener.all(), { passive: true, signal: undo.signal });
  return () => undo.abort();
}
function targetOf(event) {
  const first = event.composedPath()[0];
  return first instanceof Node && isElement(first) ? first : null;
}

// src/page/aria/name.ts
var budget = 4e3;
var maxDepth3 = 60;
var blocks = new Set(
  "address article aside blockquote br dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol option p pre search section summary table tbody td tfoot th thead tr ul button input select textarea".split(" ")
);
var NameCache = class {
  #described = /* @__PURE__ */ new Map();
  #controls = /* @__PURE__ */ new Map();
  #bulk;
  #flat;
  #styles;
  #roles;
  constructor(flat, styles, roles2, bulk) {
    this.#bulk = bulk;
    this.#flat = flat;
    this.#styles = styles;
    this.#roles = roles2;
  }
  /** Name and visible text, both folded and cut. */
  describe(element2, sources) {
    const known2 = this.#described.get(element2);
    if (known2 !== void 0 && (known2.sourced || sources === void 0)) return known2;
    const tally = { left: budget, pure: true };
    const name = cut(fold(this.#name(element2, this.#start(element2, sources, tally))));
    const text2 = tally.pure && readsContent(this.#roles.role(element2)) ? name : this.visibleText(element2);
    const made = { name, text: text2, sourced: sources !== void 0 };
    this.#described.set(element2, made);
    return made;
  }
  /** The name alone: the text of a large table or section is not read for it. */
  nameOf(element2) {
    return this.#described.get(element2)?.name ?? cut(fold(this.#name(element2, this.#start(element2, void 0, { left: budget, pure: true }))));
  }
  #start(element2, sources, tally) {
    return {
      visited: void 0,
      start: element2,
      via: "root",
      followed: false,
      hidden: !shown3(element2),
      depth: 0,
      sources,
      tally
    };
  }
  /** What a person reads inside the element. */
  visibleText(element2) {
    const name = localName(element2);
    if (name === "input" || name === "select" || name === "textarea" || name === "img") return "";
    const walk2 = this.#start(element2, void 0, { left: budget, pure: true });
    return cut(fold(this.#plain(element2, walk2)));
  }
  #plain(element2, walk2) {
    const only = soleText(element2, this.#flat);
    if (only !== null) return take(only, walk2.tally);
    let out = "";
    for (const node2 of this.#flat.childNodes(element2)) {
      if (walk2.tally.left <= 0 || walk2.depth >= maxDepth3) break;
      if (nodeType(node2) === Node.TEXT_NODE) {
        out += take(textContent(node2) ?? "", walk2.tally);
      } else if (isElement(node2) && !this.#hiddenIn(node2, walk2) && !isControl(node2)) {
        const inner = this.#plain(node2, { ...walk2, depth: walk2.depth + 1 });
        out += this.#spaced(node2, inner);
      }
    }
    return out;
  }
  #name(element2, walk2) {
    if (!walk2.followed) {
      const labelled = this.#labelledBy(element2, walk2);
      if (labelled !== "") return labelled;
    }
    const nested = walk2.via !== "root";
    if (nested) {
      const embedded = this.#embedded(element2);
      if (embedded !== null) {
        walk2.tally.pure = false;
        return embedded;
      }
    }
    const label2 = attr(element2, "aria-label");
    if (label2 !== null && label2.trim() !== "") {
      walk2.tally.pure = false;
      return label2;
    }
    const native3 = this.#native(element2, walk2);
    if (native3 !== null && native3.trim() !== "") {
      walk2.tally.pure = false;
      return native3;
    }
    const role = this.#roles.role(element2);
    if (nested || readsContent(role)) {
      const content = this.#content(element2, walk2);
      if (content.trim() !== "") return content;
    }
    if (native3 === "" && role === "none") return "";
    walk2.tally.pure = false;
    return this.#tooltip(element2, walk2);
  }
  #labelledBy(element2, walk2) {
    if (!hasAttr(element2, "aria-labelledby")) return "";
    const found = this.referenced(element2, "aria-labelledby", walk2.sources);
    const parts2 = [];
    for (const target of found) {
      if (target !== element2) walk2.sources?.element(target);
      parts2.push(
        this.#name(target, { ...walk2, visited: /* @__PURE__ */ new Set([target]), via: "labelledby", followed: true, hidden: !shown3(target), depth: walk2.depth + 1 })
      );
    }
    const text2 = parts2.join(" ");
    if (text2.trim() === "") return "";
    walk2.tally.pure = false;
    return text2;
  }
  /** Elements that an id list (or the reflected property) names. */
  referenced(element2, attribute, sources) {
    const given2 = attr(element2, attribute) ?? "";
    if (given2 === "") {
      const set = attribute === "aria-labelledby" ? element2.ariaLabelledByElements : element2.ariaOwnsElements;
      return [...set ?? []];
    }
    const root = treeRoot(element2);
    if (root === null) return [];
    const found = [];
    for (const id of given2.split(/\s+/)) {
      if (id === "") continue;
      sources?.id(id);
      const target = byId(root, id);
      if (target !== null) found.push(target);
    }
    return found;
  }
  /** The value of a control inside a label or other content; null when it is no such control. */
  #embedded(element2) {
    const name = localName(element2);
    if (name === "input") {
      const input = element2;
      const role = this.#roles.role(element2);
      if (role === "button" || role === "checkbox" || role === "radio" || role === "switch") return null;
      if (inputType(input) === "hidden" || secretKind(element2) !== null) return "";
      return inputValue(input);
    }
    if (name === "textarea") return secretKind(element2) === null ? textareaValue(element2) : "";
    if (name === "select") {
      if (secretKind(element2) !== null) return "";
      return [...selectedOptions(element2)].map((option) => option.label).join(" ");
    }
    switch (hasAttr(element2, "role") ? explicitRole(element2) : null) {
      case "textbox":
      case "searchbox":
        return textContent(element2) ?? "";
      case "combobox":
      case "listbox":
        return [...queryAll(element2, "[role=option][aria-selected=true]")].map((option) => textContent(option) ?? "").join(" ");
      case "slider":
      case "spinbutton":
      case "scrollbar":
      case "progressbar":
      case "meter":
        return attr(element2, "aria-valuetext") ?? attr(element2, "aria-valuenow") ?? "";
      default:
        return null;
    }
  }
  /** The host language's own label; null when it has no say. */
  #native(element2, walk2) {
    const name = localName(element2);
    if (namespaceURI(element2) === SVG_NAMESPACE) return this.#svgTitle(element2);
    switch (name) {
      case "input": {
        const input = element2;
        const type = inputType(input);
        const labels = this.#labels(element2, walk2);
        if (labels !== null) return labels;
        if (type === "submit" || type === "reset" || type === "button") {
          const value = inputValue(input);
          if (value !== "") return value;
          return type === "submit" ? "Submit" : type === "reset" ? "Reset" : null;
        }
        if (type === "image") return nonEmpty(attr(element2, "alt")) ?? nonEmpty(attr(element2, "title")) ?? "Submit";
        return null;
      }
      case "button":
      case "select":
      case "textarea":
      case "meter":
      case "output":
      case "progress":
        return this.#labels(element2, walk2);
      case "img":
      case "area":
        return attr(element2, "alt");
      case "fieldset":
        return this.#firstChild(element2, "legend", walk2);
      case "table":
        return this.#firstChild(element2, "caption", walk2);
      case "figure":
        return this.#firstChild(element2, "figcaption", walk2);
      case "option":
      case "optgroup":
        return nonEmpty(attr(element2, "label"));
      default:
        return name.includes("-") ? this.#labels(element2, walk2) : null;
    }
  }
  #svgTitle(element2) {
    for (let child = firstElementChild(element2); child !== null; child = nextElementSibling(child)) {
      if (localName(child) === "title") return textContent(child);
    }
    return null;
  }
  #labels(element2, walk2) {
    if (walk2.via === "label" || walk2.via === "content") return null;
    const labels = this.#labelsOf(element2);
    if (labels.length === 0) return null;
    const parts2 = [];
    for (const label2 of labels) {
      walk2.sources?.element(label2);
      parts2.push(
        this.#name(label2, {
          ...walk2,
          visited: /* @__PURE__ */ new Set([element2, label2]),
          via: "label",
          hidden: !shown3(label2),
          depth: walk2.depth + 1
        })
      );
    }
    return parts2.join(" ");
  }
  // The `labels` of a control searches the whole page at every call: many are
  // found faster by asking each label once for its control.
  #labelsOf(element2) {
    const root = this.#flat.sawRoots ? treeRoot(element2) : document;
    if (root === null) return [];
    if (!this.#bulk && labelable.has(localName(element2))) return [...element2.labels ?? []];
    let byControl = this.#controls.get(root);
    if (byControl === void 0) {
      byControl = /* @__PURE__ */ new Map();
      for (const label2 of queryAll(root, "label")) {
        const control = label2 instanceof HTMLLabelElement ? label2.control : null;
        if (control === null) continue;
        const known2 = byControl.get(control);
        if (known2 === void 0) byControl.set(control, [label2]);
        else known2.push(label2);
      }
      this.#controls.set(root, byControl);
    }
    return byControl.get(element2) ?? [];
  }
  #firstChild(element2, wanted, walk2) {
    for (let child = firstElementChild(element2); child !== null; child = nextElementSibling(child)) {
      if (localName(child) !== wanted || this.#hiddenIn(child, walk2)) continue;
      return this.#name(child, { ...walk2, via: "label", depth: walk2.depth + 1 });
    }
    return null;
  }
  #content(element2, walk2) {
    const [before, after] = this.#styles.pseudoText(element2);
    if (before !== "" || after !== "") walk2.tally.pure = false;
    const only = before === "" && after === "" && !hasAttr(element2, "aria-owns") ? soleText(element2, this.#flat) : null;
    if (only !== null) return take(only, walk2.tally);
    let out = before;
    for (const node2 of this.#flat.childNodes(element2)) {
      if (walk2.tally.left <= 0 || walk2.depth >= maxDepth3) break;
      if (nodeType(node2) === Node.TEXT_NODE) out += take(textContent(node2) ?? "", walk2.tally);
      else if (isElement(node2)) out += this.#child(node2, walk2);
    }
    if (hasAttr(element2, "aria-owns")) {
      for (const owned of this.referenced(element2, "aria-owns", walk2.sources)) {
        walk2.sources?.element(owned);
        walk2.tally.pure = false;
        out += ` ${this.#child(owned, walk2)}`;
      }
    }
    return out + after;
  }
  #child(element2, walk2) {
    if (element2 === walk2.start && walk2.via !== "labelledby" || walk2.visited?.has(element2) === true || this.#hiddenIn(element2, walk2)) return "";
    if (attr(element2, "aria-hidden") === "true") {
      walk2.tally.pure = false;
      return "";
    }
    walk2.visited ??= /* @__PURE__ */ new Set();
    walk2.visited.add(element2);
    const inner = this.#name(element2, { ...walk2, via: walk2.via === "root" ? "content" : walk2.via, depth: walk2.depth + 1 });
    return this.#spaced(element2, inner);
  }
  // Words of different boxes do not run into each other.
  #spaced(element2, text2) {
    const name = localName(element2);
    if (name === "br") return " ";
    if (this.#styles.unstyled(element2) && !hasAttr(element2, "style")) return blocks.has(name) ? ` ${text2} ` : text2;
    const display = styleOf(element2).display;
    return display === "inline" || display === "contents" ? text2 : ` ${text2} `;
  }
  #hiddenIn(element2, walk2) {
    if (!walk2.hidden) return !shown3(element2) && !this.#styles.facts(element2).contents;
    if (hasAttr(element2, "hidden")) return true;
    return styleOf(element2).display === "none";
  }
  #tooltip(element2, walk2) {
    const title = attr(element2, "title");
    if (title !== null && title.trim() !== "") return title;
    if (walk2.via !== "root") return "";
    const name = localName(element2);
    if (name === "input" || name === "textarea" || hasAttr(element2, "aria-placeholder")) {
      return nonEmpty(attr(element2, "placeholder")) ?? attr(element2, "aria-placeholder") ?? "";
    }
    return "";
  }
};
var labelable = new Set("input button select textarea meter output progress".split(" "));
function readsContent(role) {
  return role === "" || role === "generic" || role === "none" || nameFromContent.has(role);
}
function shown3(element2) {
  return checkVisibility(element2, visibilityOnly2);
}
var visibilityOnly2 = { visibilityProperty: true };
function isControl(element2) {
  const name = localName(element2);
  return name === "select" || name === "textarea" || name === "input" || isEditingHost(element2);
}
function soleText(element2, flat) {
  if (firstElementChild(element2) !== null || localName(element2) === "slot" || flat.shadowRoot(element2) !== null) return null;
  const child = firstChild(element2);
  if (child === null) return "";
  if (nextSibling(child) === null && nodeType(child) === Node.TEXT_NODE) return textContent(child);
  return namespaceURI(element2) === HTML_NAMESPACE ? textContent(element2) : null;
}
function take(text2, tally) {
  const taken = text2.length > tally.left ? text2.slice(0, tally.left) : text2;
  tally.left -= taken.length;
  return taken;
}
function nonEmpty(text2) {
  return text2 === null || text2.trim() === "" ? null : text2;
}

// src/page/dom/style.ts
var plain2 = {
  position: "static",
  clipX: "no",
  clipY: "no",
  clippedAway: false,
  pointer: false,
  contents: false,
  contains: "none"
};
var plainPointer = { ...plain2, pointer: true };
var ReadFacts = class {
  #style;
  #position;
  #display;
  #clipX;
  #clipY;
  #clippedAway;
  #pointer;
  #contains;
  constructor(element2) {
    this.#style = styleOf(element2);
  }
  get position() {
    return this.#position ??= this.#style.position;
  }
  get clipX() {
    return this.#clipX ??= this.#clip(clipOf(this.#style.overflowX));
  }
  get clipY() {
    return this.#clipY ??= this.#clip(clipOf(this.#style.overflowY));
  }
  // Boxes of inline elements do not clip.
  #clip(found) {
    if (found === "no") return found;
    this.#display ??= this.#style.display;
    return this.#display === "inline" || this.#display === "contents" ? "no" : found;
  }
  get clippedAway() {
    return this.#clippedAway ??= clippedAway(this.#style, this.position);
  }
  get pointer() {
    return this.#pointer ??= this.#style.cursor === "pointer";
  }
  get contents() {
    this.#display ??= this.#style.display;
    return this.#display === "contents";
  }
  get contains() {
    return this.#contains ??= containsWhat(this.#style);
  }
};
var StyleCache = class {
  #facts = /* @__PURE__ */ new Map();
  #pseudo = /* @__PURE__ */ new Map();
  #sheetless;
  #flat;
  constructor(flat) {
    this.#flat = flat;
    this.#sheetless = !hasSheets(document);
  }
  /** True when only the browser's own style sheet can apply to the element. */
  unstyled(element2) {
    if (!this.#sheetless) return false;
    if (!this.#flat.sawRoots) return true;
    if (rootOf(element2) !== document) return false;
    const up = parentElement(element2);
    return this.#flat.shadowRoot(element2) === null && (up === null || this.#flat.shadowRoot(up) === null);
  }
  facts(element2) {
    if (this.#sheetless && !this.#flat.sawRoots && !hasAttrs(element2) && !ownBox.has(localName(element2))) return plain2;
    const known2 = this.#facts.get(element2);
    if (known2 !== void 0) return known2;
    const made = this.#make(element2);
    this.#facts.set(element2, made);
    return made;
  }
  #make(element2) {
    if (this.#sheetless && !hasAttr(element2, "style") && this.unstyled(element2)) {
      const name = localName(element2);
      if (name === "a" || name === "area") return hasAttr(element2, "href") ? plainPointer : plain2;
      if (!ownBox.has(name) && !hasAttr(element2, "popover")) return plain2;
    }
    return new ReadFacts(element2);
  }
  /** Text that ::before and ::after put around the element's content. */
  pseudoText(element2) {
    if (this.unstyled(element2)) return noText;
    const known2 = this.#pseudo.get(element2);
    if (known2 !== void 0) return known2;
    const made = [generated2(element2, "::before"), generated2(element2, "::after")];
    this.#pseudo.set(element2, made);
    return made;
  }
};
var noText = ["", ""];
var ownBox = new Set("dialog svg marquee slot details".split(" "));
function clipOf(overflow) {
  switch (overflow) {
    case "visible":
      return "no";
    case "auto":
    case "scroll":
      return "scroll";
    default:
      return "clip";
  }
}
function containsWhat(style) {
  if (style.transform !== "none" || style.filter !== "none" || style.perspective !== "none" || style.translate !== "none" || style.rotate !== "none" || style.scale !== "none") {
    return "fixed";
  }
  const contain = style.contain;
  if (contain !== "none" && /paint|layout|strict|content/.test(contain)) return "fixed";
  if (/transform|filter|perspective/.test(style.willChange)) return "fixed";
  return style.position === "static" ? "none" : "absolute";
}
function clippedAway(style, position) {
  if (position === "absolute" || position === "fixed") {
    const rect = /^rect\((.*)\)$/.exec(style.clip)?.[1]?.split(/[\s,]+/).map(Number.parseFloat);
    if (rect !== void 0 && rect.length === 4) {
      const [top = 0, right = 0, bottom = 0, left = 0] = rect;
      if (right - left <= 1 || bottom - top <= 1) return true;
    }
  }
  const path = style.clipPath;
  if (path === "none") return false;
  if (/^(?:circle|ellipse)\(0(?:px|%)?[\s)]/.test(path)) return true;
  const inset = /^inset\(([^)]*)\)$/.exec(path)?.[1];
  if (inset !== void 0) {
    const sides = (inset.split(" round ")[0] ?? "").trim().split(/\s+/);
    const percent = (i) => {
      const side = sides[i] ?? sides[i - 2] ?? sides[0] ?? "";
      return side.endsWith("%") ? Number.parseFloat(side) : 0;
    };
    return percent(0) + percent(2) >= 100 || percent(1) + percent(3) >= 100;
  }
  const polygon = /^polygon\((?:(?:evenodd|nonzero),\s*)?([^)]*)\)$/.exec(path)?.[1];
  if (polygon !== void 0) return new Set(polygon.split(",").map((point) => point.trim())).size < 3;
  return false;
}
function generated2(element2, which) {
  const style = styleOf(element2, which);
  const content = style.content;
  if (content === "none" || content === "normal" || content === "") return "";
  if (style.display === "none" || style.visibility === "hidden") return "";
  const text2 = contentText(content, element2);
  return style.display.startsWith("inline") && style.position !== "absolute" ? text2 : ` ${text2} `;
}
function contentText(content, element2) {
  const token = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|(\/)|url\("(?:[^"\\]|\\.)*"\)|[\w-]+\([^)]*\)/g;
  let text2 = "";
  for (const [, quoted, attribute, slash] of content.matchAll(token)) {
    if (slash !== void 0) text2 = "";
    else if (quoted !== void 0) text2 += quoted.replace(/\\(.)/g, "$1");
    else if (attribute !== void 0) text2 += attr(element2, attribute) ?? "";
  }
  return text2;
}
function isRightToLeft(root) {
  return matches(root, ":dir(rtl)");
}

// src/page/dom/visibility.ts
var noBox = { x: 0, y: 0, width: 0, height: 0 };
var all = { opacityProperty: true, visibilityProperty: true };
var opacityOnly = { opacityProperty: true };
var visibilityOnly3 = { visibilityProperty: true };
var Layout = class {
  width = innerWidth;
  height = innerHeight;
  scrollX = scrollX;
  scrollY = scrollY;
  #flat;
  #styles;
  #chains = /* @__PURE__ */ new Map();
  #viewportBoxes = /* @__PURE__ */ new Set();
  #lockX;
  #lockY;
  #rtl;
  constructor(flat, styles) {
    this.#flat = flat;
    this.#styles = styles;
    const root = documentElement(document);
    const body = bodyOf(document);
    let lockX = false;
    let lockY = false;
    if (root !== null) {
      this.#viewportBoxes.add(root);
      const rootFacts = styles.facts(root);
      const own5 = rootFacts.clipX !== "no" || rootFacts.clipY !== "no";
      const facts2 = own5 || body === null ? rootFacts : styles.facts(body);
      if (!own5 && body !== null) this.#viewportBoxes.add(body);
      lockX = facts2.clipX === "clip";
      lockY = facts2.clipY === "clip";
    }
    this.#lockX = lockX;
    this.#lockY = lockY;
    this.#rtl = root !== null && isRightToLeft(root);
  }
  /** aria-disabled that an ancestor hands down. */
  disabledAround(element2) {
    return this.#chainAbove(element2)?.disables ?? false;
  }
  /** Nothing in it can be operated. */
  isInert(element2) {
    return this.#chain(element2)?.inert ?? false;
  }
  measure(element2) {
    const above = this.#chainAbove(element2);
    const measured = {
      bounds: noBox,
      scrolledX: 0,
      scrolledY: 0,
      hidden: "display",
      disabledAround: above?.disables === true,
      inert: above?.inert === true || hasAttr(element2, "inert")
    };
    this.#place(element2, above, measured);
    return measured;
  }
  #place(element2, above, measured) {
    if (!checkVisibility(element2, all)) {
      this.#unrendered(element2, above, measured);
      return;
    }
    const rect = rectOf(element2);
    let bounds = { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
    let hidden = null;
    if (bounds.width <= 0 || bounds.height <= 0) {
      const spread = this.#contentBox(element2);
      if (spread === null) hidden = "size";
      else bounds = spread;
    }
    this.#result(element2, above, bounds, hidden, measured);
  }
  #unrendered(element2, above, measured) {
    if (this.#styles.facts(element2).contents && checkVisibility(element2, visibilityOnly3) === false) {
      const spread = this.#contentBox(element2);
      if (spread !== null) {
        this.#result(element2, above, spread, null, measured);
        return;
      }
    }
    if (!checkVisibility(element2)) return;
    const rect = rectOf(element2);
    const bounds = { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
    this.#result(element2, above, bounds, checkVisibility(element2, opacityOnly) ? "visibility" : "opacity", measured);
  }
  /** The box of what an element without a box of its own shows. */
  #contentBox(element2) {
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    let seen4 = 0;
    const add3 = (rect) => {
      if (rect.width <= 0 || rect.height <= 0) return;
      left = Math.min(left, rect.x);
      top = Math.min(top, rect.y);
      right = Math.max(right, rect.x + rect.width);
      bottom = Math.max(bottom, rect.y + rect.height);
    };
    if (this.#styles.facts(element2).contents) {
      const range2 = document.createRange();
      range2.selectNodeContents(element2);
      add3(range2.getBoundingClientRect());
    }
    this.#flat.walk(element2, true, (inner) => {
      seen4 += 1;
      if (seen4 > 50) return null;
      if (inner !== element2 && checkVisibility(inner, all)) {
        const facts2 = this.#styles.facts(element2);
        if (facts2.clipX !== "no" && facts2.clipY !== "no") return null;
        add3(rectOf(inner));
      }
      return true;
    });
    return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
  }
  #result(element2, above, bounds, known2, measured) {
    const facts2 = this.#styles.facts(element2);
    let hidden = known2;
    if (hidden === null && (facts2.clippedAway || above?.clippedAway === true)) hidden = "clip";
    if (hidden === null && facts2.clipX === "clip" && facts2.clipY === "clip" && bounds.width <= 1 && bounds.height <= 1) hidden = "size";
    let left = bounds.x;
    let top = bounds.y;
    let right = left + bounds.width;
    let bottom = top + bounds.height;
    let scrolledX = 0;
    let scrolledY = 0;
    const container = outside(facts2.position, above);
    for (let box2 = container?.flow ?? null; box2 !== null; box2 = outside(box2.facts.position, box2.up)?.flow ?? null) {
      const sx = scrollLeft(box2.element);
      const sy = scrollTop(box2.element);
      scrolledX += sx;
      scrolledY += sy;
      if (hidden !== null) continue;
      const clip = this.#clipOf(box2);
      if (box2.facts.clipX !== "no") {
        const from = Math.max(left, clip.left);
        const to = Math.min(right, clip.right);
        if (to > from) {
          left = from;
          right = to;
        } else if (box2.facts.clipX === "scroll" && (right - clip.left + sx > 0 || sx < 0 || isRightToLeft(box2.element))) {
          left = clip.left;
          right = Math.max(clip.right, clip.left + 1);
        } else hidden = "clip";
      }
      if (box2.facts.clipY !== "no" && hidden === null) {
        const from = Math.max(top, clip.top);
        const to = Math.min(bottom, clip.bottom);
        if (to > from) {
          top = from;
          bottom = to;
        } else if (box2.facts.clipY === "scroll" && bottom - clip.top + sy > 0) {
          top = clip.top;
          bottom = Math.max(clip.bottom, clip.top + 1);
        } else hidden = "clip";
      }
    }
    const pinned = isPinned(facts2.position, container);
    if (!pinned) {
      scrolledX += this.scrollX;
      scrolledY += this.scrollY;
    }
    if (hidden === null && !this.#reachable(left, top, right, bottom, pinned)) hidden = "offscreen";
    measured.bounds = bounds;
    measured.scrolledX = scrolledX;
    measured.scrolledY = scrolledY;
    measured.hidden = hidden;
  }
  #reachable(left, top, right, bottom, pinned) {
    if (pinned || this.#lockX) {
      if (right <= 0 || left >= this.width) return false;
    } else if (right + this.scrollX <= 0 && !this.#rtl) return false;
    if (pinned || this.#lockY) return bottom > 0 && top < this.height;
    return bottom + this.scrollY > 0;
  }
  #clipOf(box2) {
    if (box2.clip !== void 0) return box2.clip;
    const rect = rectOf(box2.element);
    const left = rect.x + clientLeft(box2.element);
    const top = rect.y + clientTop(box2.element);
    box2.clip = { left, top, right: left + clientWidth(box2.element), bottom: top + clientHeight(box2.element) };
    return box2.clip;
  }
  #chainAbove(element2) {
    const up = this.#flat.parent(element2);
    return up === null ? null : this.#chain(up);
  }
  #chain(element2) {
    const known2 = this.#chains.get(element2);
    if (known2 !== void 0) return known2;
    const parent2 = this.#flat.parent(element2);
    const above = parent2 === null ? null : this.#chains.get(parent2);
    if (above !== void 0) {
      const made = this.#link(element2, above);
      this.#chains.set(element2, made);
      return made;
    }
    const missing4 = [];
    let chain = null;
    for (let at = element2; at !== null; at = this.#flat.parent(at)) {
      const found = this.#chains.get(at);
      if (found !== void 0) {
        chain = found;
        break;
      }
      missing4.push(at);
    }
    for (let i = missing4.length - 1; i >= 0; i -= 1) {
      const at = missing4[i];
      if (at === void 0) continue;
      chain = this.#link(at, chain);
      this.#chains.set(at, chain);
    }
    return chain;
  }
  #link(element2, up) {
    const facts2 = this.#styles.facts(element2);
    if (up !== null && facts2 === plain2 && !hasAttrs(element2)) return up;
    const clips = (facts2.clipX !== "no" || facts2.clipY !== "no") && !this.#viewportBoxes.has(element2);
    const around = outside(facts2.position, up);
    const chain = {
      element: element2,
      up,
      facts: facts2,
      flow: around?.flow ?? null,
      pinned: isPinned(facts2.position, around),
      clippedAway: facts2.clippedAway || up?.clippedAway === true,
      disables: up?.disables === true || disablesInside(element2),
      inert: up?.inert === true || hasAttr(element2, "inert"),
      clip: void 0
    };
    if (clips) chain.flow = chain;
    return chain;
  }
};
function outside(position, above) {
  let box2 = above;
  if (position === "fixed") while (box2 !== null && box2.facts.contains !== "fixed") box2 = box2.up;
  else if (position === "absolute") while (box2 !== null && box2.facts.contains === "none") box2 = box2.up;
  return box2;
}
function isPinned(position, around) {
  return around === null ? position === "fixed" : around.pinned;
}

// src/page/tree/pass.ts
var Pass = class {
  flat;
  styles;
  roles;
  names;
  layout;
  selectors;
  focused;
  root = documentElement(document);
  body = bodyOf(document);
  /** `bulk`: most elements of the page will be asked about. */
  constructor(flat, bulk) {
    this.flat = flat;
    this.styles = new StyleCache(flat);
    this.roles = new RoleCache(flat);
    this.names = new NameCache(flat, this.styles, this.roles, bulk);
    this.layout = new Layout(flat, this.styles);
    this.selectors = new SelectorCache(bulk);
    this.focused = deepFocus(flat);
  }
};
function deepFocus(flat) {
  let at = activeElement(document);
  while (at !== null) {
    const root = flat.shadowRoot(at);
    const inner = root === null ? null : activeElement(root);
    if (inner === null) break;
    at = inner;
  }
  return at;
}

// src/page/tree/refs.ts
var maxRecords3 = 6e4;
var RefTable = class {
  #byElement = /* @__PURE__ */ new WeakMap();
  #records = /* @__PURE__ */ new Map();
  #next;
  /** `first` lets a host go on counting where the document before left off. */
  constructor(first = 1) {
    this.#next = first;
  }
  /** Number that the next new element gets. */
  get next() {
    return this.#next;
  }
  /** The element's ref, made at the first call. */
  refOf(element2) {
    const known2 = this.#byElement.get(element2);
    if (known2 !== void 0) return known2;
    const ref = `e${this.#next}`;
    this.#next += 1;
    this.#byElement.set(element2, ref);
    return ref;
  }
  known(element2) {
    return this.#byElement.get(element2);
  }
  record(ref) {
    return this.#records.get(ref);
  }
  /** Remember the look under which the ref is given to an agent now. */
  give(ref, element2, tag4, look2, version, first = version) {
    const old = this.#records.get(ref);
    if (old !== void 0) {
      if (old.element.deref() !== element2) old.element = new WeakRef(element2);
      old.tag = tag4;
      old.look = look2;
      old.last = version;
      return;
    }
    this.#records.set(ref, { ref, element: new WeakRef(element2), tag: tag4, look: look2, first, last: version });
    if (this.#records.size > maxRecords3) this.#prune();
  }
  /** The element was rendered anew: its ref goes on with the replacement. */
  rebind(record, element2) {
    record.element = new WeakRef(element2);
    if (!this.#byElement.has(element2)) this.#byElement.set(element2, record.ref);
  }
  #prune() {
    for (const [ref, record] of this.#records) {
      if (this.#records.size <= maxRecords3 / 2) return;
      if (record.element.deref()?.isConnected !== true) this.#records.delete(ref);
    }
  }
};

// src/page/tree/uitree.ts
var MAX_ITEMS = 2e4;
var measureAll = 1500;
var blockSize = 64;
var blocksInTurn = 4;
var UITree = class {
  flat;
  refs;
  stable = new StableIds();
  #limit;
  #dirt = new Dirt();
  #onRoot;
  #entries = /* @__PURE__ */ new Map();
  #order = [];
  #turn = 0;
  #version = 0;
  #truncated = 0;
  #focused = null;
  /** Elements whose content names others, and ids by which others are named. */
  #sources = /* @__PURE__ */ new Map();
  #ids = /* @__PURE__ */ new Map();
  /** Custom elements that have no shadow root yet: attaching one is no mutation. */
  #hosts = /* @__PURE__ */ new Set();
  #frames = [];
  #undo = [];
  #onChange;
  constructor(options = {}) {
    this.flat = new FlatTree(options.openClosedRoot);
    this.flat.onRoot = (root) => this.#foundRoot(root);
    this.refs = new RefTable(options.firstRef);
    this.#limit = options.limit ?? MAX_ITEMS;
    this.#onRoot = options.onRoot;
  }
  /** Version of the last list given out; 0 before the first. */
  get version() {
    return this.#version;
  }
  #foundRoot(root) {
    this.#onRoot?.(root);
    if (this.#onChange !== void 0) this.#undo.push(listenTo(root, this.#listener));
  }
  #listener = {
    state: (element2) => {
      this.mark(element2);
      this.#onChange?.();
    },
    subtree: (element2) => {
      this.#dirt.roots.add(element2);
      this.#dirt.chain.add(element2);
      this.#onChange?.();
    },
    all: () => {
      this.#dirt.all = true;
      this.#onChange?.();
    }
  };
  /** Listen to events that change states without mutations. Returns the undo. */
  listen(onChange) {
    this.#onChange = onChange;
    this.#undo.push(listenTo(document, this.#listener));
    return () => {
      this.#onChange = void 0;
      for (const undo of this.#undo) undo();
      this.#undo = [];
    };
  }
  observe(records) {
    if (records === "all") this.#dirt.all = true;
    else this.#dirt.observe(records);
  }
  /** The element's state (value, checked, focus, …) may have changed. */
  mark(element2) {
    this.#dirt.chain.add(element2);
    if (localName(element2) === "input" && inputType(element2) === "radio") {
      const root = treeRoot(element2);
      const name = attr(element2, "name");
      if (root !== null && name !== null) {
        for (const other of queryAll(root, `input[type=radio][name=${quote(name)}]`)) this.#dirt.chain.add(other);
      }
    }
  }
  /** A reading of the page for lookups outside of a tree. */
  pass(bulk = false) {
    return new Pass(this.flat, bulk);
  }
  /** All items of the page as it is now. */
  full() {
    const changes = this.#readAll();
    const baseVersion = this.#version;
    let diff2 = null;
    if (baseVersion === 0) this.#version = 1;
    else if (changes !== null) {
      this.#version += 1;
      const { added, removed, changed: changed2 } = changes;
      diff2 = { baseVersion, version: this.#version, added, removed, changed: changed2 };
    }
    for (const entry of this.#order) this.#remember(entry);
    return { items: this.#order.map((entry) => entry.item), version: this.#version, truncated: this.#truncated, diff: diff2 };
  }
  /** Elements that hold frames, as the last full reading met them. */
  get frames() {
    return this.#frames;
  }
  /** What changed since the last list or diff, null when nothing did. */
  diff() {
    if (this.#version === 0) throw new Error("no base: take a full tree first");
    this.#watchHosts();
    const whole2 = this.#dirt.all || this.#truncated > 0 || this.#entries.size >= this.#limit;
    const changes = whole2 ? this.#readAll() : this.#readDirty();
    if (changes === null) return null;
    const baseVersion = this.#version;
    this.#version += 1;
    const { touched, ...lists2 } = changes;
    for (const entry of touched) this.#remember(entry);
    return { baseVersion, version: this.#version, ...lists2 };
  }
  #remember(entry) {
    this.refs.give(entry.item.ref, entry.element, localName(entry.element), entry.item, this.#version);
  }
  /** The element whose name is being worked out. */
  #named = document.documentElement;
  #collector = {
    element: (source2) => add(this.#sources, source2, this.#named),
    id: (id) => add(this.#ids, id, this.#named)
  };
  // ---- reading everything
  #readAll() {
    const pass = new Pass(this.flat, true);
    const root = documentElement(document);
    const found = [];
    this.#sources = /* @__PURE__ */ new Map();
    this.#ids = /* @__PURE__ */ new Map();
    this.#hosts = /* @__PURE__ */ new Set();
    this.#frames = [];
    this.flat.surveyed = true;
    if (root !== null) this.#collect(root, false, pass, found);
    this.#truncated = Math.max(0, found.length - this.#limit);
    if (this.#truncated > 0) found.length = this.#limit;
    const old = this.#entries;
    const kept3 = new Set(found);
    const removed = [];
    for (const [element2, entry] of old) {
      if (kept3.has(element2)) continue;
      removed.push(entry.item.ref);
      this.stable.release(element2);
    }
    this.#entries = /* @__PURE__ */ new Map();
    this.#order = [];
    const added = [];
    const changed2 = [];
    const touched = [];
    for (const element2 of found) {
      const before = old.get(element2);
      const entry = this.#build(element2, pass);
      this.#entries.set(element2, entry);
      entry.at = this.#order.push(entry) - 1;
      if (before === void 0) {
        added.push(entry.item);
        touched.push(entry);
        continue;
      }
      const change = compare(before.item, entry.item, hasMoved(before, entry));
      if (change === void 0) continue;
      changed2.push(change);
      touched.push(entry);
    }
    this.#focused = pass.focused;
    this.#dirt.reset();
    return added.length + removed.length + changed2.length === 0 ? null : { added, removed, changed: changed2, touched };
  }
  #collect(start2, inside2, pass, found, visited) {
    this.flat.walk(start2, inside2, (element2, within3) => {
      visited?.add(element2);
      const name = localName(element2);
      if (name.includes("-") && openShadowRoot(element2) === null && this.#hosts.size < 1e3) this.#hosts.add(element2);
      const item = isInteractive(element2, within3, pass);
      if (item) found.push(element2);
      if (visited === void 0 && frameTags.has(name)) this.#frames.push({ element: element2, order: found.length });
      if (opaque.has(name)) return null;
      return within3 || item && swallows(element2, pass);
    });
  }
  #build(element2, pass, measured = pass.layout.measure(element2)) {
    this.#named = element2;
    const core = buildItem(element2, pass, measured, this.#collector);
    const selector = pass.selectors.selector(element2);
    const item = {
      ref: this.refs.refOf(element2),
      stableId: this.stable.of(element2, core.role, core.name),
      selector,
      ...core
    };
    return {
      element: element2,
      item,
      x: measured.bounds.x + measured.scrolledX,
      y: measured.bounds.y + measured.scrolledY,
      positional: isPositional(selector),
      gone: false,
      at: 0
    };
  }
  // ---- reading what is dirty
  #readDirty() {
    const dirt = this.#dirt;
    const pass = new Pass(this.flat, false);
    const again = /* @__PURE__ */ new Set();
    const fresh = /* @__PURE__ */ new Set();
    const lost = /* @__PURE__ */ new Set();
    this.#readRemoved(again);
    for (const root of this.#outermost(dirt.roots)) this.#readSubtree(root, pass, again, fresh, lost);
    this.#readChain(pass, again, fresh, lost);
    this.#readReferences(again);
    if (pass.focused !== this.#focused) {
      for (const element2 of [pass.focused, this.#focused]) if (element2 !== null) again.add(element2);
      this.#focused = pass.focused;
    }
    const removed = [];
    if (dirt.removed.size > 0 || lost.size > 0) {
      for (const entry of this.#order) {
        if (!isConnected(entry.element) || lost.has(entry.element)) this.#drop(entry, removed);
      }
    }
    this.#sweep(pass, again, removed);
    const changed2 = /* @__PURE__ */ new Map();
    for (const element2 of again) {
      const entry = this.#entries.get(element2);
      if (entry === void 0) continue;
      const now2 = this.#build(element2, pass);
      const change = compare(entry.item, now2.item, hasMoved(entry, now2));
      if (change !== void 0) changed2.set(change.ref, change);
      entry.item = now2.item;
      entry.x = now2.x;
      entry.y = now2.y;
      entry.positional = now2.positional;
    }
    const appended = /* @__PURE__ */ new Set();
    for (const element2 of fresh) {
      if (this.#entries.has(element2)) continue;
      const entry = this.#build(element2, pass);
      this.#entries.set(element2, entry);
      entry.at = this.#order.push(entry) - 1;
      appended.add(entry);
    }
    if (dirt.structure) this.#reselect(changed2, appended);
    if (removed.length > 0) {
      this.#order = this.#order.filter((entry) => !entry.gone);
      for (const [at, entry] of this.#order.entries()) entry.at = at;
    }
    dirt.reset();
    if (this.#entries.size > this.#limit) return this.#overflow([...appended].map((entry) => entry.item), removed, changed2);
    if (appended.size + removed.length + changed2.size === 0) return null;
    const touched = [...appended];
    for (const element2 of again) {
      const entry = this.#entries.get(element2);
      if (entry !== void 0 && changed2.has(entry.item.ref)) touched.push(entry);
    }
    if (touched.length < changed2.size + appended.size) {
      for (const entry of this.#order) if (changed2.has(entry.item.ref) && !again.has(entry.element)) touched.push(entry);
    }
    return { added: [...appended].map((entry) => entry.item), removed, changed: [...changed2.values()], touched };
  }
  // More than the limit: the whole list says what of this diff stays.
  #overflow(added, removed, changed2) {
    const fresh = new Set(added.map((item) => item.ref));
    const cutOff = this.#readAll();
    const gone = new Set(cutOff?.removed ?? []);
    return {
      added: [...added.filter((item) => !gone.has(item.ref)), ...cutOff?.added ?? []],
      removed: [...removed, ...[...gone].filter((ref) => !fresh.has(ref))],
      changed: [...[...changed2.values()].filter((change) => !gone.has(change.ref)), ...cutOff?.changed ?? []],
      touched: this.#order
    };
  }
  #drop(entry, removed) {
    if (entry.gone) return;
    entry.gone = true;
    this.#entries.delete(entry.element);
    this.stable.release(entry.element);
    removed.push(entry.item.ref);
  }
  #readRemoved(again) {
    if (this.#sources.size === 0) return;
    for (const node2 of this.#dirt.removed) {
      for (const element2 of [node2, ...queryAll(node2, "*")]) this.#dependents(element2, again);
    }
  }
  #dependents(element2, again) {
    for (const named2 of this.#sources.get(element2) ?? []) again.add(named2);
  }
  /** The marked roots that are in the page and not inside another one. */
  #outermost(marked) {
    const roots = /* @__PURE__ */ new Set();
    for (const root of marked) {
      if (!isConnected(root)) continue;
      const up = this.flat.composedParent(root);
      roots.add(up !== null && this.flat.shadowRoot(up) !== null && parentNode(root) === up ? up : root);
    }
    for (const root of roots) {
      for (let up = this.flat.composedParent(root); up !== null; up = this.flat.composedParent(up)) {
        if (!roots.has(up)) continue;
        roots.delete(root);
        break;
      }
    }
    return roots;
  }
  #readSubtree(root, pass, again, fresh, lost) {
    const visited = /* @__PURE__ */ new Set();
    const found = [];
    if (this.flat.inFlatTree(root) && !this.#inOpaque(root)) this.#collect(root, this.#inside(root, pass), pass, found, visited);
    for (const element2 of found) {
      if (this.#entries.has(element2)) again.add(element2);
      else fresh.add(element2);
    }
    const listed3 = new Set(found);
    for (const element2 of visited) {
      this.#dependents(element2, again);
      if (!listed3.has(element2) && this.#entries.has(element2)) lost.add(element2);
    }
    for (const element2 of [root, ...queryAll(root, "*")]) {
      if (!visited.has(element2) && this.#entries.has(element2)) lost.add(element2);
    }
  }
  #inOpaque(element2) {
    for (let up = this.flat.parent(element2); up !== null; up = this.flat.parent(up)) if (opaque.has(localName(up))) return true;
    return false;
  }
  #inside(element2, pass) {
    for (let up = this.flat.parent(element2); up !== null; up = this.flat.parent(up)) {
      if (swallows(up, pass) && isInteractive(up, false, pass)) return true;
    }
    return false;
  }
  /** The marked elements and all they are in: names and texts come from inside. */
  #readChain(pass, again, fresh, lost) {
    const seen4 = /* @__PURE__ */ new Set();
    for (const marked of this.#dirt.chain) {
      for (let at = marked; at !== null && !seen4.has(at); at = this.flat.composedParent(at)) {
        seen4.add(at);
        if (localName(at) === "label") this.#relabelled(at, again);
        else this.#dependents(at, again);
        if (!isConnected(at)) continue;
        const listed3 = this.#entries.has(at);
        if (listed3) again.add(at);
        else if (fresh.has(at) || lost.has(at)) continue;
        if (this.#inOpaque(at) || !this.flat.inFlatTree(at)) continue;
        const item = isInteractive(at, this.#inside(at, pass), pass);
        if (item && !listed3) fresh.add(at);
        else if (!item && listed3) lost.add(at);
      }
    }
  }
  #readReferences(again) {
    const dirt = this.#dirt;
    for (const id of dirt.touchedIds) {
      for (const named2 of this.#ids.get(id) ?? []) again.add(named2);
      this.#sharing(`#${escapeIdent(id)}`, again);
    }
    for (const id of dirt.touchedTests) this.#sharing(`[${TEST_ID}=${quote(id)}]`, again);
    for (const label2 of dirt.labels) this.#relabelled(label2, again);
    if (!dirt.ids) return;
    for (const named2 of [...this.#ids.values(), ...this.#sources.values()]) for (const element2 of named2) again.add(element2);
    for (const root of this.#rootsOfEntries()) for (const label2 of queryAll(root, "label[for]")) this.#relabelled(label2, again);
  }
  #relabelled(label2, again) {
    const control = label2 instanceof HTMLLabelElement ? label2.control : null;
    if (control !== null) again.add(control);
    this.#dependents(label2, again);
  }
  #rootsOfEntries() {
    const roots = /* @__PURE__ */ new Set([document]);
    if (!this.flat.sawRoots) return roots;
    for (const entry of this.#order) {
      const root = treeRoot(entry.element);
      if (root !== null) roots.add(root);
    }
    return roots;
  }
  // A selector by id is good as long as nobody else has the id.
  #sharing(selector, again) {
    const found = queryAll(document, selector);
    for (const element2 of found) if (this.#entries.has(element2)) again.add(element2);
    if (!this.flat.sawRoots) return;
    for (const entry of this.#order) if (entry.item.selector.endsWith(selector)) again.add(entry.element);
  }
  /** Selectors by position, after siblings came or went. */
  #reselect(changed2, appended) {
    let selectors;
    for (const entry of this.#order) {
      if (entry.gone || !(entry.positional || this.#dirt.ids)) continue;
      selectors ??= new SelectorCache(true);
      const selector = selectors.selector(entry.element);
      if (selector === entry.item.selector) continue;
      entry.item = { ...entry.item, selector };
      entry.positional = isPositional(selector);
      if (appended.has(entry)) continue;
      const change = changed2.get(entry.item.ref) ?? { ref: entry.item.ref };
      change.selector = selector;
      changed2.set(entry.item.ref, change);
    }
  }
  // ---- what moved or changed without a trace
  #sweep(pass, again, removed) {
    if (this.#order.length <= measureAll) {
      for (const entry of this.#order) this.#glance(entry, pass, again, removed);
      return;
    }
    const blocks2 = Math.ceil(this.#order.length / blockSize);
    const dirtyBlocks = /* @__PURE__ */ new Set();
    for (const element2 of again) {
      const entry = this.#entries.get(element2);
      if (entry !== void 0) dirtyBlocks.add(Math.floor(entry.at / blockSize));
    }
    for (let turn2 = 0; turn2 < blocksInTurn; turn2 += 1) dirtyBlocks.add((this.#turn + turn2) % blocks2);
    this.#turn = (this.#turn + blocksInTurn) % blocks2;
    for (let block = 0; block < blocks2; block += 1) {
      const from = block * blockSize;
      const to = Math.min(this.#order.length, from + blockSize);
      let whole2 = dirtyBlocks.has(block) && again.size < this.#order.length / 4;
      if (!whole2) {
        const first = this.#order[from];
        const last = this.#order[to - 1];
        const moved = first !== void 0 && this.#glance(first, pass, again, removed);
        whole2 = last !== void 0 && this.#glance(last, pass, again, removed) || moved;
      }
      if (!whole2) continue;
      for (let i = from; i < to; i += 1) {
        const entry = this.#order[i];
        if (entry !== void 0) this.#glance(entry, pass, again, removed);
      }
    }
  }
  /** Compare place, visibility and live state alone; true when something differs. */
  #glance(entry, pass, again, removed) {
    if (entry.gone || again.has(entry.element)) return false;
    const measured = pass.layout.measure(entry.element);
    const { item } = entry;
    if (measured.hidden === "display" && this.flat.sawRoots && !this.flat.inFlatTree(entry.element)) {
      this.#drop(entry, removed);
      return true;
    }
    const moved = (measured.hidden ?? void 0) !== item.hidden || Math.abs(measured.bounds.x + measured.scrolledX - entry.x) > 0.01 || Math.abs(measured.bounds.y + measured.scrolledY - entry.y) > 0.01 || round(measured.bounds.width) !== item.bounds.width || round(measured.bounds.height) !== item.bounds.height;
    if (moved || this.#livesDiffer(entry, pass)) {
      again.add(entry.element);
      return true;
    }
    const bounds = roundBox(measured);
    if (bounds.x !== item.bounds.x || bounds.y !== item.bounds.y) entry.item = { ...item, bounds };
    return false;
  }
  #livesDiffer(entry, pass) {
    const tag4 = localName(entry.element);
    if (tag4 !== "input" && tag4 !== "select" && tag4 !== "textarea") return false;
    const { item } = entry;
    if (checkedState(entry.element, item.role) !== item.checked) return true;
    if (item.value === void 0 || item.value.length >= 200) return false;
    return valueOf(entry.element, tag4, item.role, pass) !== item.value;
  }
  #watchHosts() {
    for (const host of this.#hosts) {
      if (openShadowRoot(host) === null && isConnected(host)) continue;
      this.#hosts.delete(host);
      if (isConnected(host)) this.#dirt.roots.add(host);
    }
  }
  /** The entry's item for an element in the tree. */
  itemOf(element2) {
    return this.#entries.get(element2)?.item;
  }
  /** Elements of the last list, in order. */
  *elements() {
    for (const entry of this.#order) if (!entry.gone) yield entry.element;
  }
  get focused() {
    return deepFocus(this.flat);
  }
};
function add(map, key2, value) {
  const known2 = map.get(key2);
  if (known2 === void 0) map.set(key2, /* @__PURE__ */ new Set([value]));
  else known2.add(value);
}

// src/page/bridge.ts
var loadingLimit = 1e3;
var large = /* @__PURE__ */ new Set(["request_ui_tree", "request_dom_snapshot", "outline", "layout_measure", "layout_try"]);
function createBridge(options) {
  let telemetry = options.telemetry;
  let level = options.level;
  let redact = options.redact;
  let mask = masker(redact);
  let hookWanted = true;
  let started = false;
  let disposed = false;
  const undo = [];
  const outbox = createOutbox(options.channel, (text2) => mask(text2));
  let leaving = false;
  const send = (message) => {
    outbox.push(message);
    if (leaving) outbox.flush();
  };
  const budget2 = new Budget();
  const roots = [];
  const observer = new MutationObserver(onRecords);
  const observing = () => started && !disposed && (telemetry.has("dom_mutations") || telemetry.has("ui_tree"));
  const tree = new UITree({
    openClosedRoot: options.openClosedRoot,
    onRoot: (root) => {
      roots.push(new WeakRef(root));
      if (observing() && !storm.resting) observer.observe(root, changeRecords);
    }
  });
  const mutations = new MutationCollector(send, budget2);
  const trees = new TreeCollector(tree, options.getUiTreeItems, send, () => outbox.congested(), () => {
    onRecords(observer.takeRecords());
    if (storm.resting) trees.missed();
  });
  const changes = new ChangeStream(tree, knownRoots, send, () => outbox.congested(), () => onRecords(observer.takeRecords()), budget2);
  const storm = new Storm(() => observer.disconnect(), () => {
    observe();
    hook?.rearm();
    trees.relisten();
    trees.missed();
  });
  const tellState = (message) => send(isMasking() ? structuredClone(message) : message);
  const app = options.appNonce === void 0 ? void 0 : new AppWorld(options.appNonce);
  const human = options.tellHuman === true ? new HumanCollector(send) : void 0;
  const tools2 = pageTools(app, options.tools, send);
  const state = new StateCollector(options.getCustomState, tellState, () => !outbox.congested(), app);
  function* knownRoots() {
    for (const known2 of roots) {
      const root = known2.deref();
      if (root !== void 0) yield root;
    }
  }
  function onRecords(seen4) {
    const records = seen4.some(isOwnRecord) ? seen4.filter((record) => !isOwnRecord(record)) : seen4;
    if (records.length === 0 || disposed) return;
    if (telemetry.has("dom_mutations")) mutations.add(records);
    if (telemetry.has("ui_tree")) {
      trees.observe(records);
      changes.add(records);
    }
    if (telemetry.has("state")) state.stir();
    storm.count(records.length);
    if (records.some((record) => record.target === document && record.removedNodes.length > 0)) {
      hook?.rearm();
      app?.rearm();
      human?.start();
      trees.relisten();
    }
  }
  function observe() {
    observer.disconnect();
    storm.end();
    if (!observing()) return;
    observer.observe(document, changeRecords);
    for (const root of knownRoots()) observer.observe(root, changeRecords);
  }
  const sink = {
    message(message) {
      if (telemetry.has(message.type === "console" ? "console" : "errors")) send(message);
    },
    lost(count) {
      if (telemetry.has("console")) outbox.lost("console", count);
    }
  };
  const hook = options.ownWorld === true ? ownWorldHook(sink) : options.hookNonce !== void 0 ? otherWorldHook(options.hookNonce, sink) : void 0;
  function switchHook() {
    if (hookWanted && (telemetry.has("console") || telemetry.has("errors"))) hook?.on();
    else hook?.off();
  }
  const targets = new Targets(tree);
  const executor = new Executor({
    targets,
    state,
    app,
    uiTree: tree,
    roots: knownRoots,
    allowEval: options.allowEval,
    level: () => level,
    tools: tools2.ask,
    tree: () => trees.full(),
    consoleHook(on) {
      hookWanted = on;
      switchHook();
    },
    cut(told3) {
      state.hurry();
      const batch = changes.cut(told3);
      outbox.flush();
      return batch;
    },
    post(message) {
      send(message);
      outbox.flush();
    },
    congested: () => outbox.congested()
  });
  const isMasking = () => (redact?.length ?? 0) > 0;
  function tidy(data) {
    if (typeof data === "object" && data !== null) weigh(data, mask);
  }
  function flush() {
    onRecords(observer.takeRecords());
    mutations.flush();
    outbox.flush();
  }
  function tell2(kinds2) {
    if (kinds2.has("ui_tree")) trees.tell();
    if (kinds2.has("dom_snapshot")) send({ type: "dom_snapshot", timestamp: Date.now(), ...documentHtml(tree.flat) });
  }
  function begin(kinds2) {
    if (disposed) return;
    tell2(kinds2);
    if (kinds2.has("ui_tree")) {
      trees.start();
      changes.start();
    }
    observe();
  }
  function followState() {
    if (telemetry.has("state")) {
      app?.start();
      state.start();
    } else {
      state.stop();
      app?.dispose();
    }
  }
  function apply4(next) {
    const added = new Set([...next].filter((kind) => !telemetry.has(kind)));
    telemetry = next;
    if (!telemetry.has("dom_mutations")) mutations.dispose();
    if (!telemetry.has("ui_tree")) {
      trees.stop();
      changes.stop();
    }
    followState();
    switchHook();
    begin(added);
  }
  return {
    start() {
      if (started || disposed) return;
      started = true;
      hook?.start();
      switchHook();
      followState();
      tools2.start();
      human?.start();
      if (options.onSdk !== void 0) undo.push(watchSdk(options.onSdk));
      const onHide = () => {
        leaving = true;
        flush();
      };
      const onShow = () => {
        leaving = false;
      };
      addEventListener("pagehide", onHide, true);
      addEventListener("pageshow", onShow, true);
      undo.push(() => {
        removeEventListener("pagehide", onHide, true);
        removeEventListener("pageshow", onShow, true);
      });
      observe();
      if (document.readyState !== "loading") {
        begin(telemetry);
        return;
      }
      const loaded = new AbortController();
      const now2 = () => {
        loaded.abort();
        clearTimeout(timer2);
        begin(telemetry);
      };
      const timer2 = setTimeout(now2, loadingLimit);
      document.addEventListener("DOMContentLoaded", now2, { signal: loaded.signal });
      undo.push(() => {
        loaded.abort();
        clearTimeout(timer2);
      });
    },
    configure(changes2) {
      if (disposed) return;
      if (changes2.level !== void 0) level = changes2.level;
      if (changes2.redact !== void 0) {
        redact = changes2.redact;
        mask = masker(redact);
      }
      if (changes2.telemetry === void 0) return;
      if (started) apply4(changes2.telemetry);
      else telemetry = changes2.telemetry;
    },
    async execute(command, signal, acted) {
      if (disposed) throw new BridgeFault("NOT_CONNECTED", "The bridge of this document has ended.");
      let told3 = false;
      try {
        const done = await executor.execute(command, signal, () => {
          if (!told3) acted();
          told3 = true;
        });
        if (isMasking() || !large.has(command.type)) tidy(done.result);
        return done;
      } catch (error) {
        if (error instanceof BridgeFault) tidy(error.details);
        throw error;
      } finally {
        if (!disposed) flush();
      }
    },
    acknowledge: (upTo) => outbox.acknowledge(upTo),
    resend: () => outbox.resend(),
    undraw: () => own.clear?.(),
    hookedAt: () => hook?.since(),
    again() {
      if (started && !disposed && telemetry.has("state")) state.repeat();
    },
    sendState(scope, value) {
      if (!disposed) state.push(scope, value, telemetry.has("state"));
    },
    refresh() {
      if (!started || disposed) return;
      tell2(telemetry);
      if (telemetry.has("state")) state.repeat();
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      observer.disconnect();
      storm.end();
      mutations.dispose();
      trees.stop();
      changes.stop();
      state.stop();
      executor.dispose();
      hook?.dispose();
      app?.dispose();
      tools2.dispose();
      human?.dispose();
      outbox.dispose();
      for (const one3 of undo) one3();
    }
  };
}

// src/app/sdk-tools.ts
var toolsChanged = "debug-bridge:tools";
var question = "debug-bridge:tools?";
function askTools(most3) {
  const out = [];
  const detail = {
    take(tool) {
      if (out.length < most3) out.push(tool);
    }
  };
  try {
    document.dispatchEvent(new CustomEvent(question, { detail }));
  } catch {
  }
  return out;
}
function offerTools(tools2) {
  const onAsked = (event) => {
    const detail = event.detail;
    const take2 = typeof detail === "object" && detail !== null && "take" in detail ? detail.take : void 0;
    if (typeof take2 === "function") for (const tool of tools2.values()) take2(tool);
  };
  document.addEventListener(question, onAsked);
  return () => document.removeEventListener(question, onAsked);
}
function tellTools() {
  document.dispatchEvent(new CustomEvent(toolsChanged));
}

// src/app/json.ts
var { defineProperty } = Reflect;
var escaped = { __proto__: null, n: "\n", t: "	", r: "\r", b: "\b", f: "\f", '"': '"', "\\": "\\", "/": "/" };
var { fromCharCode } = String;
function parseJSON(text2) {
  let at = 0;
  const wrong = () => {
    throw new SyntaxError(`no JSON at ${at}`);
  };
  const skip = () => {
    for (; at < text2.length; at++) {
      const c = text2[at];
      if (c !== " " && c !== "\n" && c !== "	" && c !== "\r") return;
    }
  };
  const word = (expected) => {
    for (let i = 0; i < expected.length; i++) if (text2[at++] !== expected[i]) wrong();
  };
  const put3 = (into, key2, value2) => {
    defineProperty(into, key2, { __proto__: null, value: value2, writable: true, enumerable: true, configurable: true });
  };
  const string = () => {
    let out = "";
    for (at++; at < text2.length; at++) {
      const c = text2[at];
      if (c === '"') {
        at++;
        return out;
      }
      if (c !== "\\") out += c;
      else if (text2[++at] === "u") {
        let digits2 = "0x";
        for (let i = 0; i < 4; i++) digits2 += text2[++at] ?? wrong();
        out += fromCharCode(+digits2);
      } else out += escaped[text2[at] ?? ""] ?? wrong();
    }
    return wrong();
  };
  const number = () => {
    let digits2 = "";
    for (; at < text2.length; at++) {
      const c = text2[at];
      if (!(c >= "0" && c <= "9") && c !== "-" && c !== "+" && c !== "." && c !== "e" && c !== "E") break;
      digits2 += c;
    }
    const value2 = +digits2;
    return digits2 === "" || value2 !== value2 ? wrong() : value2;
  };
  const value = () => {
    skip();
    switch (text2[at]) {
      case "{": {
        const out = {};
        at++;
        skip();
        if (text2[at] === "}") {
          at++;
          return out;
        }
        for (; ; ) {
          skip();
          if (text2[at] !== '"') wrong();
          const key2 = string();
          skip();
          word(":");
          put3(out, key2, value());
          skip();
          const c = text2[at++];
          if (c === "}") return out;
          if (c !== ",") wrong();
        }
      }
      case "[": {
        const out = [];
        at++;
        skip();
        if (text2[at] === "]") {
          at++;
          return out;
        }
        for (let i = 0; ; i++) {
          put3(out, i, value());
          skip();
          const c = text2[at++];
          if (c === "]") return out;
          if (c !== ",") wrong();
        }
      }
      case '"':
        return string();
      case "t":
        word("true");
        return true;
      case "f":
        word("false");
        return false;
      case "n":
        word("null");
        return null;
      default:
        return number();
    }
  };
  const whole2 = value();
  skip();
  return at < text2.length ? wrong() : whole2;
}

// src/app/peek.ts
var { getOwnPropertyDescriptor, getOwnPropertySymbols, hasOwn } = Object;
function mapped(list, to) {
  const out = [];
  for (let i = 0; i < list.length; i++) out[i] = to(list[i]);
  return out;
}

// src/app/values.ts
var followed = { size: 512 * 1024, depth: 16, items: 2e3, text: 2e4, time: 20 };
var asked = { size: 4 * 1024 * 1024, depth: 32, items: 2e4, text: 5e5, time: 300 };
var ofLines = { size: 6 * 1024 * 1024, depth: 64, items: 5e4, text: 2e6, time: 2e3 };
var Raw = class {
  constructor(json) {
    this.json = json;
  }
  json;
};
var { apply: apply2, ownKeys, getPrototypeOf, getOwnPropertyDescriptor: getOwnPropertyDescriptor2, get: get2 } = Reflect;
var { isArray } = Array;
var objectProto = Object.prototype;
var has = objectProto.hasOwnProperty;
var numberText = Number.prototype.toString;
var bigText = BigInt.prototype.toString;
var symbolText = Symbol.prototype.toString;
var cache = WeakMap;
var { get: cached, set: note } = WeakMap.prototype;
var now = performance.now.bind(performance);
var isView = ArrayBuffer.isView.bind(ArrayBuffer);
function getterOf(proto, name) {
  return proto === void 0 || proto === null ? void 0 : getOwnPropertyDescriptor2(proto, name)?.get;
}
var dateTime = Date.prototype.getTime;
var dateText = Date.prototype.toISOString;
var regexpSource = getterOf(RegExp.prototype, "source");
var regexpFlags = getterOf(RegExp.prototype, "flags");
var mapSize = getterOf(Map.prototype, "size");
var mapEach = Map.prototype.forEach;
var setSize = getterOf(Set.prototype, "size");
var setEach = Set.prototype.forEach;
var bufferLength = getterOf(ArrayBuffer.prototype, "byteLength");
var viewLength = getterOf(getPrototypeOf(Uint8Array.prototype), "byteLength");
var dataViewLength = getterOf(DataView.prototype, "byteLength");
var nodeName = getterOf(Node.prototype, "nodeName");
var elementId = getterOf(Element.prototype, "id");
var promiseThen = Promise.prototype;
var errorProto = Error.prototype;
function slot(read2, value) {
  if (read2 === void 0) return void 0;
  try {
    return apply2(read2, value, []);
  } catch {
    return void 0;
  }
}
var hex = "0123456789abcdef";
var escapes = { __proto__: null };
for (let i = 0; i < 32; i++) escapes[String.fromCharCode(i)] = `\\u00${i < 16 ? "0" : "1"}${hex[i % 16]}`;
escapes['"'] = '\\"';
escapes["\\"] = "\\\\";
escapes["\n"] = "\\n";
escapes["\r"] = "\\r";
escapes["	"] = "\\t";
function quote2(text2) {
  let i = 0;
  for (; i < text2.length; i++) {
    const c = text2[i];
    if (c < " " || c === '"' || c === "\\" || c >= "\uD800" && c <= "\uDFFF") break;
  }
  if (i === text2.length) return `"${text2}"`;
  let out = `"${start(text2, i)}`;
  for (; i < text2.length; i++) {
    const c = text2[i];
    if (c >= "\uD800" && c <= "\uDFFF") {
      const next = text2[i + 1] ?? "";
      if (c <= "\uDBFF" && next >= "\uDC00" && next <= "\uDFFF") {
        out += c + next;
        i++;
      } else out += "\uFFFD";
    } else out += escapes[c] ?? c;
  }
  return `${out}"`;
}
function start(text2, length) {
  let out = "";
  for (let i = 0; i < length && i < text2.length; i++) out += text2[i];
  return out;
}
function digits(value) {
  return value === value && value - value === 0 ? `${value}` : "";
}
var more = '"$more":';
var Writer = class {
  constructor(limits) {
    this.limits = limits;
    this.#until = now() + limits.time;
  }
  limits;
  cuts = 0;
  #size = 0;
  #until;
  #over = false;
  #steps = 0;
  /** Prototypes whose objects were looked at and found to be of no built-in kind. */
  #plain = new cache();
  value(value, key2, up, depth) {
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number": {
        const text2 = digits(value);
        this.#size += text2.length + 1;
        return text2 === "" ? `{"$number":"${apply2(numberText, value, [])}"}` : text2;
      }
      case "boolean":
        this.#size += 5;
        return value ? "true" : "false";
      case "undefined":
        return void 0;
      case "bigint":
        return this.#mark("bigint", apply2(bigText, value, []));
      case "symbol":
        return this.#mark("symbol", apply2(symbolText, value, []));
      case "function":
        return this.#mark("function", this.#nameOf(value));
      default:
        break;
    }
    if (value === null) {
      this.#size += 5;
      return "null";
    }
    const object = value;
    try {
      if (object instanceof Raw) {
        this.#size += object.json.length;
        return object.json;
      }
      for (let at = up; at !== null; at = at.up) {
        if (at.value === object) return this.#mark("cycle", pathOf2(at), 1);
      }
      if (this.#full()) return this.#cut('{"$more":true}');
      if (depth >= this.limits.depth) return this.#mark("deep", isArray(object) ? "Array" : this.#className(object) ?? "Object", 1);
      return this.#object(object, { value: object, key: key2, up }, depth);
    } catch {
      return this.#cut('{"$unreadable":true}');
    }
  }
  #cut(text2) {
    this.cuts++;
    this.#size += text2.length;
    return text2;
  }
  #text(value) {
    const { text: text2 } = this.limits;
    if (value.length <= text2) {
      this.#size += value.length + 3;
      return quote2(value);
    }
    this.#size += text2;
    this.cuts++;
    return quote2(`${start(value, text2)}\u2026 [${value.length - text2} more characters]`);
  }
  #mark(kind, text2, cuts = 0) {
    this.cuts += cuts;
    const out = `{"$${kind}":${quote2(text2.length > 500 ? `${start(text2, 500)}\u2026` : text2)}}`;
    this.#size += out.length;
    return out;
  }
  /** The bound of size or time is reached. */
  #full() {
    if (!this.#over && (this.#size > this.limits.size || ++this.#steps % 64 === 0 && now() > this.#until)) this.#over = true;
    return this.#over;
  }
  #object(value, here, depth) {
    if (isArray(value)) return this.#array(value, here, depth);
    const proto = getPrototypeOf(value);
    if (proto === null || proto === objectProto) return this.#fields(value, here, depth, "");
    if (apply2(cached, this.#plain, [proto]) !== true) {
      const built = this.#builtIn(value, here, depth);
      if (built !== void 0) return built;
      apply2(note, this.#plain, [proto, true]);
    }
    const name = this.#className(value);
    const plain3 = name === void 0 || name === "Object" && getPrototypeOf(proto) === null;
    return this.#fields(value, here, depth, plain3 ? "" : `"$class":${quote2(name)}`);
  }
  #array(value, here, depth) {
    const length = getOwnPropertyDescriptor2(value, "length")?.value;
    let out = "";
    for (let i = 0; i < length; i++) {
      if (i >= this.limits.items || this.#full()) {
        out += `${out === "" ? "" : ","}{${more}${length - i}}`;
        this.cuts++;
        break;
      }
      const found = getOwnPropertyDescriptor2(value, i);
      out += (i === 0 ? "" : ",") + (this.#member(value, i, found, `${i}`, here, depth) ?? "null");
    }
    return `[${out}]`;
  }
  #fields(value, here, depth, first) {
    let out = first;
    let told3 = 0;
    const keys4 = ownKeys(value);
    for (let i = 0; i < keys4.length; i++) {
      const key2 = keys4[i];
      if (typeof key2 !== "string") continue;
      if (told3 >= this.limits.items || this.#full()) {
        out += `${out === "" ? "" : ","}${more}${keys4.length - i}`;
        this.cuts++;
        break;
      }
      const found = getOwnPropertyDescriptor2(value, key2);
      if (found === void 0 || !own3(found, "enumerable")) continue;
      const text2 = this.#member(value, key2, found, key2, here, depth);
      if (text2 === void 0) continue;
      told3++;
      this.#size += key2.length + 4;
      out += `${out === "" ? "" : ","}${quote2(key2)}:${text2}`;
    }
    return `{${out}}`;
  }
  #member(holder2, key2, found, name, here, depth) {
    if (found === void 0) return void 0;
    if (apply2(has, found, ["value"])) return this.value(found.value, name, here, depth + 1);
    if (this.limits.getters !== true) {
      this.#size += 16;
      return '{"$getter":true}';
    }
    let value;
    try {
      value = get2(holder2, key2);
    } catch {
      return this.#cut('{"$unreadable":true}');
    }
    return this.value(value, name, here, depth + 1);
  }
  /** What has a slot of its own behind it; undefined for an object of the page's own class. */
  #builtIn(value, here, depth) {
    const time = slot(dateTime, value);
    if (typeof time === "number") return this.#mark("date", time === time ? slot(dateText, value) : "Invalid Date");
    const entries = slot(mapSize, value);
    if (typeof entries === "number") return this.#collection(value, here, depth, "map", mapEach, entries);
    const members3 = slot(setSize, value);
    if (typeof members3 === "number") return this.#collection(value, here, depth, "set", setEach, members3);
    const name = slot(nodeName, value);
    if (typeof name === "string") {
      const id = slot(elementId, value);
      return this.#mark("node", typeof id === "string" && id !== "" ? `${name}#${id}` : name);
    }
    if (isView(value)) return this.#bytes(value, slot(viewLength, value) ?? slot(dataViewLength, value));
    const length = slot(bufferLength, value);
    if (typeof length === "number") return this.#bytes(value, length);
    if (value instanceof RegExp && typeof slot(regexpFlags, value) === "string") {
      return this.#mark("regexp", `/${slot(regexpSource, value)}/${slot(regexpFlags, value)}`);
    }
    if (inherits(value, promiseThen)) return this.#mark("promise", "");
    if (inherits(value, errorProto)) {
      const message = getOwnPropertyDescriptor2(value, "message")?.value;
      return this.#mark("error", `${this.#className(value) ?? "Error"}: ${typeof message === "string" ? message : ""}`);
    }
    return void 0;
  }
  #bytes(value, length) {
    const of = this.#className(value) ?? "ArrayBuffer";
    return `{"$bytes":${typeof length === "number" ? digits(length) : 0},"of":${quote2(of)}}`;
  }
  #collection(value, here, depth, kind, each, length) {
    let named2 = kind === "map";
    if (named2) {
      apply2(each, value, [(_item, key2) => {
        named2 &&= typeof key2 === "string";
      }]);
    }
    let out = "";
    let i = 0;
    apply2(each, value, [(item, key2) => {
      if (i >= this.limits.items || this.#full()) return;
      const text2 = this.value(item, named2 ? key2 : `${i}`, here, depth + 1) ?? "null";
      const entry = kind === "set" ? text2 : named2 ? `${quote2(key2)}:${text2}` : `[${this.value(key2, `${i}`, here, depth + 1) ?? "null"},${text2}]`;
      out += (i++ === 0 ? "" : ",") + entry;
      if (named2) this.#size += key2.length + 4;
    }]);
    if (i < length) {
      this.cuts++;
      out += `${out === "" ? "" : ","}${named2 ? `${more}${length - i}` : `{${more}${length - i}}`}`;
    }
    this.#size += 12;
    return `{"$${kind}":${named2 ? `{${out}}` : `[${out}]`}}`;
  }
  #nameOf(value) {
    try {
      const name = getOwnPropertyDescriptor2(value, "name")?.value;
      return typeof name === "string" ? name : "";
    } catch {
      return "";
    }
  }
  /** The name of the class, by the data of its prototypes alone. */
  #className(value) {
    try {
      let at = getPrototypeOf(value);
      for (let i = 0; at !== null && i < 10; i++, at = getPrototypeOf(at)) {
        const maker = getOwnPropertyDescriptor2(at, "constructor")?.value;
        if (typeof maker === "function") {
          const name = this.#nameOf(maker);
          if (name !== "") return name.length > 100 ? start(name, 100) : name;
        }
      }
    } catch {
    }
    return void 0;
  }
};
function own3(found, field) {
  return apply2(has, found, [field]) && found[field] === true;
}
function inherits(value, proto) {
  let at = getPrototypeOf(value);
  for (let i = 0; at !== null && i < 20; i++, at = getPrototypeOf(at)) if (at === proto) return true;
  return false;
}
function part(key2) {
  let out = "";
  for (let i = 0; i < key2.length; i++) {
    const c = key2[i];
    out += c === "~" ? "~0" : c === "/" ? "~1" : c;
  }
  return out;
}
function pathOf2(at) {
  let out = "";
  for (let one3 = at; one3 !== null && one3.up !== null; one3 = one3.up) out = `/${part(one3.key)}${out}`;
  return out;
}
function encodeValue(value, limits) {
  const writer = new Writer(limits);
  const json = writer.value(value, "", null, 0) ?? "null";
  return { json, cuts: writer.cuts };
}
function encode(value) {
  return encodeValue(value, ofLines).json;
}

// src/app/tools.ts
var maxTools = 200;
var maxName2 = 200;
var maxDescription = 4e3;
var maxSchema = 32 * 1024;
var maxResult2 = 256 * 1024;
var listLimit = 2e3;
var lookEvery = 1e3;
var maxOwn = 50;
var { apply: apply3, ownKeys: ownKeys2 } = Reflect;
var { getOwnPropertyDescriptor: getOwnPropertyDescriptor3, getPrototypeOf: getPrototypeOf2 } = Object;
var { isArray: isArray2 } = Array;
var plainPrototype = Object.prototype;
var Maps = Map;
var eachOf = Map.prototype.forEach;
var { addEventListener: addEventListener2, removeEventListener: removeEventListener2 } = EventTarget.prototype;
var later = setTimeout.bind(window);
var never = clearTimeout.bind(window);
var Abort = AbortController;
var native2 = window.ModelContext;
function toolPart() {
  const running4 = /* @__PURE__ */ new Map();
  let stopWatching = () => void 0;
  return {
    operations: {
      async tools_list() {
        const { entries, unseen, left } = await find2();
        return { tools: mapped(entries, told2), unseen, left };
      },
      async tools_call({ name, input, call }) {
        const { entries } = await find2();
        const entry = entries.find((one3) => one3.name === name);
        if (entry === void 0) throw new Refusal("ELEMENT_NOT_FOUND", "no such tool");
        const abort = new Abort();
        if (typeof call === "number") running4.set(call, abort);
        try {
          const { value, cuts } = toPlain(await entry.call(input ?? {}, abort.signal), maxResult2);
          return { value: value ?? null, cut: cuts > 0 };
        } catch (error) {
          return { error: textOf(error) };
        } finally {
          if (typeof call === "number") running4.delete(call);
        }
      },
      tools_cancel({ call }) {
        if (typeof call === "number") running4.get(call)?.abort();
        return null;
      }
    },
    begin(tell2) {
      stopWatching();
      stopWatching = watch(tell2);
    },
    dispose() {
      stopWatching();
      for (const abort of running4.values()) abort.abort();
    }
  };
}
function told2({ name, description, schema, source: source2, readOnly }) {
  return { name, description, schema, source: source2, readOnly };
}
function contexts() {
  const out = [];
  for (const [at, holder2] of [["document", document], ["navigator", navigator]]) {
    const model = get3(holder2, "modelContext");
    if (typeof model === "object" && model !== null && !out.some((one3) => one3.model === model)) out.push({ at: `${at}.modelContext`, model });
  }
  return out;
}
async function find2() {
  const found = { entries: [], unseen: [], left: 0 };
  for (const tool of askTools(maxTools)) add2(found, tool, "sdk", (input) => tool.execute(input));
  for (const context of contexts()) {
    const source2 = isNative(context.model) ? "webmcp" : "polyfill";
    if (!await listed2(found, context.model, source2) && !await tested(found, source2) && !held(found, context.model)) {
      found.unseen.push(`${context.at} has no list of its tools`);
    }
  }
  return found;
}
function isNative(model) {
  try {
    return native2 !== void 0 && model instanceof native2;
  } catch {
    return false;
  }
}
async function listed2(found, model, source2) {
  for (const method of ["getTools", "listTools"]) {
    const list = await ask3(model, method, []);
    if (!isArray2(list)) continue;
    for (const item of bounded(found, list)) {
      const frame2 = get3(item, "window");
      if (frame2 !== void 0 && frame2 !== window) continue;
      add2(found, item, source2, (input, signal) => callListed(model, item, input, signal));
    }
    return true;
  }
  return false;
}
function callListed(model, item, input, signal) {
  if (typeof get3(model, "executeTool") === "function") return answered(invoke(model, "executeTool", [item, input, { signal }]));
  if (typeof get3(item, "execute") === "function") return invoke(item, "execute", [input, client]);
  return invoke(model, "callTool", [{ name: get3(item, "name"), arguments: input }]);
}
async function tested(found, source2) {
  const model = get3(navigator, "modelContextTesting");
  const list = await ask3(model, "listTools", []);
  if (!isArray2(list)) return false;
  for (const item of bounded(found, list)) {
    add2(found, item, source2, (input) => answered(invoke(model, "executeTool", [get3(item, "name"), encode(input)])));
  }
  return true;
}
function held(found, model) {
  let any2 = false;
  let fields2 = [];
  try {
    fields2 = ownKeys2(model).slice(0, maxOwn);
  } catch {
    return false;
  }
  for (const field of fields2) {
    for (const item of bounded(found, members2(own4(model, field)))) {
      if (typeof get3(item, "execute") !== "function" || typeof get3(item, "name") !== "string") continue;
      any2 = true;
      add2(found, item, "polyfill", (input) => invoke(item, "execute", [input, client]));
    }
  }
  return any2;
}
function members2(value) {
  try {
    if (value instanceof Maps) {
      const out = [];
      apply3(eachOf, value, [(member) => out.push(member)]);
      return out;
    }
    if (isArray2(value)) return value;
    if (typeof value === "object" && value !== null && getPrototypeOf2(value) === plainPrototype) {
      return ownKeys2(value).slice(0, maxTools).map((key2) => own4(value, key2));
    }
  } catch {
  }
  return [];
}
function bounded(found, list) {
  const out = [];
  const size = Number(get3(list, "length"));
  if (!(size > 0)) return out;
  if (size > maxTools) found.left += Math.min(size, 1e6) - maxTools;
  for (let i = 0; i < size && i < maxTools; i++) out.push(get3(list, String(i)));
  return out;
}
function add2(found, item, source2, call) {
  const name = get3(item, "name");
  if (typeof name !== "string" || name === "" || name.length > maxName2 || found.entries.length >= maxTools) {
    found.left++;
    return;
  }
  if (found.entries.some((one3) => one3.name === name)) return;
  const description = get3(item, "description");
  found.entries.push({
    name,
    source: source2,
    call,
    description: typeof description === "string" ? description.slice(0, maxDescription) : "",
    schema: schemaOf(get3(item, "inputSchema")),
    readOnly: get3(get3(item, "annotations"), "readOnlyHint") === true
  });
}
function schemaOf(value) {
  try {
    const whole2 = typeof value === "string" ? parseJSON(value.slice(0, maxSchema + 1)) : value;
    const plain3 = toPlain(whole2, maxSchema);
    return plain3.cuts === 0 && typeof plain3.value === "object" ? plain3.value : null;
  } catch {
    return null;
  }
}
function watch(tell2) {
  let last = encode([[], []]);
  let over = false;
  let timer2;
  let looking = false;
  let again = false;
  let heard = [];
  const look2 = async () => {
    const { entries, unseen } = await find2();
    if (over) return;
    const key2 = encode([mapped(entries, told2), unseen]);
    if (key2 === last) return;
    last = key2;
    tell2("tools", { names: mapped(entries, ({ name }) => name), unseen: unseen.length });
  };
  const soon = () => {
    again = true;
    if (over || looking) return;
    never(timer2);
    timer2 = later(round3, 20);
  };
  const round3 = () => {
    looking = true;
    again = false;
    look2().catch(() => void 0).finally(() => {
      looking = false;
      if (!over) timer2 = again ? later(round3, 20) : later(idle, lookEvery);
    });
  };
  const idle = () => {
    const now2 = mapped(contexts(), ({ model }) => model);
    if (now2.length === heard.length && now2.every((model) => heard.includes(model))) {
      timer2 = later(idle, lookEvery);
      return;
    }
    listen(now2);
    round3();
  };
  const listen = (now2) => {
    unlisten();
    heard = now2.filter(isNative);
    for (const model of heard) apply3(addEventListener2, model, ["toolchange", soon]);
  };
  const unlisten = () => {
    for (const model of heard) apply3(removeEventListener2, model, ["toolchange", soon]);
    heard = [];
  };
  apply3(addEventListener2, document, [toolsChanged, soon]);
  listen(mapped(contexts(), ({ model }) => model));
  round3();
  return () => {
    over = true;
    never(timer2);
    unlisten();
    apply3(removeEventListener2, document, [toolsChanged, soon]);
  };
}
var client = { requestUserInteraction: async (run3) => await run3() };
function get3(value, key2) {
  try {
    return typeof value === "object" && value !== null || typeof value === "function" ? value[key2] : void 0;
  } catch {
    return void 0;
  }
}
function own4(value, key2) {
  return getOwnPropertyDescriptor3(value, key2)?.value;
}
function invoke(value, method, args) {
  const run3 = get3(value, method);
  if (typeof run3 !== "function") throw new TypeError(`the tool has no ${method}`);
  return apply3(run3, value, args);
}
async function ask3(value, method, args) {
  if (typeof get3(value, method) !== "function") return void 0;
  try {
    return await new Promise((done, fail) => {
      const timer2 = later(() => done(void 0), listLimit);
      Promise.resolve(invoke(value, method, args)).then(done, fail).finally(() => never(timer2));
    });
  } catch {
    return void 0;
  }
}
async function answered(given2) {
  const value = await given2;
  if (typeof value !== "string") return value;
  try {
    return parseJSON(value);
  } catch {
    return value;
  }
}
function textOf(error) {
  try {
    const text2 = error instanceof Error || error instanceof DOMException ? `${error.name}: ${error.message}` : String(error);
    return text2.slice(0, 2e3).toWellFormed();
  } catch {
    return "the tool threw something that cannot be read";
  }
}

// src/page/random.ts
function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// src/sdk/link.ts
var firstDelay = 500;
var maxDelay = 3e4;
var refusals2 = 3;
var fullBuffer = 256 * 1024;
var drainCheck = 20;
var welcomeLimit = 5e3;
var Socket = WebSocket;
var probe = fetch.bind(window);
var warn = console.warn.bind(console);
var Link = class {
  #options;
  #handlers;
  #socket;
  #ready = false;
  // welcomed
  #attempts = 0;
  #refused = 0;
  #closed = false;
  #last = 0;
  // number of the newest message handed to the socket
  #retry;
  #drain;
  constructor(options, handlers) {
    this.#options = options;
    this.#handlers = handlers;
  }
  /** True when trying again was given up. */
  get stopped() {
    return this.#closed;
  }
  open() {
    if (this.#closed || this.#socket !== void 0) return;
    let socket;
    try {
      socket = new Socket(address(this.#options), protocols(this.#options.token));
    } catch {
      this.#stop("the url or the token cannot be used here (a WebSocket could not be made)");
      return;
    }
    this.#socket = socket;
    let opened = false;
    const patience = setTimeout(() => socket.close(), welcomeLimit);
    socket.onopen = () => {
      opened = true;
      for (const message of this.#handlers.greeting()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event) => {
      const message = parse(event.data);
      if (message === void 0 || socket !== this.#socket) return;
      if (message.type !== "welcome") {
        if (this.#ready) this.#handlers.message(message);
        return;
      }
      clearTimeout(patience);
      this.#ready = true;
      this.#attempts = 0;
      this.#refused = 0;
      this.#handlers.welcomed(message);
    };
    socket.onclose = (event) => {
      clearTimeout(patience);
      if (socket !== this.#socket) return;
      this.#socket = void 0;
      this.#ready = false;
      if (!this.#closed) void this.#lost(event.code, opened);
    };
  }
  close() {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#drain);
    const socket = this.#socket;
    this.#socket = void 0;
    this.#ready = false;
    socket?.close(1e3);
  }
  /** Dropped while away: the outbox keeps telemetry, and an unanswered command is the host's to report. */
  send(message) {
    if (!this.#ready || this.#socket?.readyState !== Socket.OPEN) return;
    this.#socket.send(JSON.stringify(message));
  }
  /** Messages up to this number were handed over; tells when the socket has room again. */
  sent(upTo) {
    if (!this.#ready) return;
    this.#last = upTo;
    if (this.#drain === void 0) this.#checkDrain();
  }
  #checkDrain() {
    this.#drain = void 0;
    const socket = this.#socket;
    if (socket === void 0 || !this.#ready) return;
    if (socket.bufferedAmount > fullBuffer) {
      this.#drain = setTimeout(() => this.#checkDrain(), drainCheck);
      return;
    }
    const upTo = this.#last;
    queueMicrotask(() => {
      if (this.#ready) this.#handlers.drained(upTo);
    });
  }
  async #lost(code, opened) {
    if (code === 4401) return this.#stop("its token was revoked");
    if (!opened || code === 1008) {
      if (code === 1008 || await this.#alive()) this.#refused++;
      if (this.#refused >= refusals2) {
        return this.#stop(`the daemon refuses this page. Check the token (dbridge token new NAME --role app) and allow the origin: dbridge app allow ${location.origin}`);
      }
    }
    if (!opened && await denied()) {
      return this.#stop(`${location.origin} may not reach programs on this computer: it was denied. Allow "apps on device" (or local network access) in the site's settings`);
    }
    if (this.#closed) return;
    const delay = Math.min(maxDelay, firstDelay * 2 ** this.#attempts++) * (0.5 + Math.random());
    this.#retry = setTimeout(() => this.open(), delay);
  }
  async #alive() {
    const url = new URL(this.#options.url);
    url.protocol = url.protocol === "wss:" ? "https:" : "http:";
    url.pathname = "/";
    url.search = "";
    try {
      await probe(url.href, { mode: "no-cors", cache: "no-store", credentials: "omit", redirect: "manual", referrerPolicy: "no-referrer" });
      return true;
    } catch {
      return false;
    }
  }
  #stop(why) {
    this.#closed = true;
    this.#handlers.stopped();
    warn(`[debug-bridge] stopped: ${why}. Call connect() again after putting it right.`);
  }
};
async function denied() {
  for (const name of ["loopback-network", "local-network-access"]) {
    try {
      if ((await navigator.permissions.query({ name })).state === "denied") return true;
    } catch {
    }
  }
  return false;
}
function address(options) {
  const url = new URL(options.url, location.href);
  if (url.protocol === "http:") url.protocol = "ws:";
  if (url.protocol === "https:") url.protocol = "wss:";
  if (url.pathname === "/") url.pathname = "/debug";
  url.searchParams.set("role", "app");
  url.searchParams.set("sessionId", options.sessionId);
  url.searchParams.delete("token");
  return url.href;
}
function protocols(token) {
  return token === void 0 ? ["debug-bridge.v1"] : ["debug-bridge.v1", `debug-bridge.token.${token}`];
}
function parse(data) {
  if (typeof data !== "string") return void 0;
  try {
    const value = JSON.parse(data);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : void 0;
  } catch {
    return void 0;
  }
}

// src/sdk/production.ts
function whyOff() {
  try {
    if (process.env.NODE_ENV === "production") return "this is a production build (NODE_ENV)";
  } catch {
  }
  const { protocol, hostname } = location;
  if (protocol === "https:" && !isLocal(hostname)) return `${location.origin} is a public site`;
  return void 0;
}
function isLocal(host) {
  if (/(^|\.)(localhost|local|test|internal|home\.arpa)$/.test(host) || host === "[::1]") return true;
  const parts2 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (parts2 === null) return false;
  const [first, second] = [Number(parts2[1]), Number(parts2[2])];
  return first === 127 || first === 10 || first === 192 && second === 168 || first === 172 && second >= 16 && second <= 31;
}

// src/sdk/index.ts
var toolName = /^[A-Za-z0-9_-]{1,64}$/;
var freshFor = 3e3;
var retryable = /* @__PURE__ */ new Set(["TIMEOUT", "BUSY", "NAVIGATION_INTERRUPTED"]);
function createDebugBridge(options) {
  const telemetry = kindsOf(options);
  const states2 = [];
  const appId2 = randomName();
  let running4;
  const tools2 = /* @__PURE__ */ new Map();
  function disconnect() {
    const ending = running4;
    running4 = void 0;
    if (ending === void 0) return;
    for (const command of ending.commands.values()) command.abort();
    ending.end();
    ending.link.close();
  }
  function connect() {
    if (running4?.link.stopped === true) disconnect();
    if (running4 !== void 0) return;
    const reason = options.production === true ? void 0 : whyOff();
    if (reason !== void 0) {
      console.info(`[debug-bridge] off: ${reason}. Pass production: true to run it here all the same.`);
      return;
    }
    running4 = run2(options, appId2, telemetry, tools2);
    for (const [scope, state] of states2.splice(0)) running4.bridge.sendState(scope, state);
  }
  return {
    connect,
    disconnect,
    sendCustomState(scope, state) {
      if (running4 !== void 0) running4.bridge.sendState(scope, state);
      else if (states2.length < 100) states2.push([scope, state]);
    },
    registerTool(name, schema, execute) {
      if (!toolName.test(name)) throw new TypeError("[debug-bridge] a tool has a name of 1 to 64 letters, digits, _ and -.");
      if (tools2.has(name)) throw new TypeError(`[debug-bridge] there is a tool ${name} already.`);
      const { description } = schema;
      const tool = { name, description: typeof description === "string" ? description : "", inputSchema: schema, execute: (input) => execute(input) };
      tools2.set(name, tool);
      tellTools();
      return () => {
        if (tools2.get(name) !== tool) return;
        tools2.delete(name);
        tellTools();
      };
    }
  };
}
function kindsOf(options) {
  const switches = [
    ["dom_snapshot", options.enableDomSnapshot],
    ["dom_mutations", options.enableDomMutations],
    ["ui_tree", options.enableUiTree],
    ["console", options.enableConsole],
    ["errors", options.enableErrors],
    ["state", true]
  ];
  return new Set(switches.filter(([, on]) => on !== false).map(([kind]) => kind));
}
function run2(options, appId2, telemetry, tools2) {
  const sessionId = options.sessionId ?? "default";
  const commands = /* @__PURE__ */ new Map();
  const begun = performance.now();
  let epoch = "";
  const base = (type) => ({ protocolVersion: 1, type, sessionId, origin: "app", timestamp: Date.now() });
  const handlers = {
    greeting: () => [
      {
        ...base("hello"),
        appId: appId2,
        url: location.href,
        title: document.title,
        userAgent: navigator.userAgent,
        source: "sdk",
        level: options.enableEval === true ? "control" : "act",
        ...options.appName === void 0 ? {} : { appName: options.appName },
        ...options.appVersion === void 0 ? {} : { appVersion: options.appVersion }
      },
      { ...base("capabilities"), capabilities: [...telemetry, "input", ...options.enableEval === true ? ["eval"] : []] }
    ],
    welcomed(welcome) {
      const given2 = typeof welcome.epoch === "string" ? welcome.epoch : "";
      const isNew = given2 !== epoch;
      const since = performance.now() - begun;
      epoch = given2;
      bridge.resend();
      if (isNew && since > freshFor) bridge.refresh();
    },
    message(message) {
      const { type, requestId } = message;
      if (type === "cancel") {
        if (typeof requestId === "string") commands.get(requestId)?.abort(new BridgeFault("CANCELLED", "The command was cancelled."));
      } else if (type === "sdk_quiet") {
        const quiet2 = new Set(Array.isArray(message.telemetry) ? message.telemetry : []);
        bridge.configure({ telemetry: new Set([...telemetry].filter((kind) => !quiet2.has(kind))) });
      } else if (typeof type === "string" && typeof requestId === "string") void command(type, requestId, message);
    },
    drained: (upTo) => bridge.acknowledge(upTo),
    stopped() {
      bridge.dispose();
      unannounce();
      withdraw();
    }
  };
  async function command(type, requestId, message) {
    if (commands.has(requestId)) return;
    const abort = new AbortController();
    commands.set(requestId, abort);
    const limit = typeof message.timeoutMs === "number" && message.timeoutMs > 0 ? message.timeoutMs : 3e4;
    const timer2 = setTimeout(() => abort.abort(), limit);
    const start2 = performance.now();
    const answer = (fields2) => {
      clearTimeout(timer2);
      commands.delete(requestId);
      link.send({ ...base("command_result"), requestType: type, requestId, ...fields2, durationMs: Math.round(performance.now() - start2) });
    };
    try {
      const { result: result2, effect } = await bridge.execute({ ...message, type }, abort.signal, () => void 0);
      answer({ success: true, effect, ...result2 === void 0 ? {} : { result: result2 } });
    } catch (error) {
      const fault = error instanceof BridgeFault ? error : new BridgeFault("INTERNAL_ERROR", error instanceof Error ? error.message : String(error));
      answer({
        success: false,
        effect: "unknown",
        error: {
          code: fault.code,
          message: fault.message,
          suggestions: fault.suggestions ?? [],
          retryable: retryable.has(fault.code),
          ...fault.details === void 0 ? {} : { details: fault.details }
        }
      });
    }
  }
  const link = new Link({ url: options.url, sessionId, token: tokenOf(options) }, handlers);
  const bridge = createBridge({
    channel: {
      send(first, messages) {
        for (const message of messages) link.send({ protocolVersion: 1, sessionId, origin: "app", ...message });
        link.sent(first + messages.length - 1);
      }
    },
    telemetry,
    level: options.enableEval === true ? "control" : "act",
    allowEval: options.enableEval === true,
    isTop: window === window.top,
    ownWorld: true,
    tools: toolPart(),
    ...options.getCustomState === void 0 ? {} : { getCustomState: () => options.getCustomState?.() ?? {} },
    ...options.getUiTreeItems === void 0 ? {} : { getUiTreeItems: () => options.getUiTreeItems?.() ?? [] },
    ...options.redact === void 0 ? {} : { redact: options.redact }
  });
  const withdraw = offerTools(tools2);
  bridge.start();
  const unannounce = announceSdk(appId2);
  link.open();
  return {
    bridge,
    link,
    commands,
    end() {
      unannounce();
      withdraw();
      bridge.dispose();
    }
  };
}
function tokenOf(options) {
  if (options.token !== void 0) return options.token;
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    const match = name.toLowerCase() === "authorization" ? /^Bearer\s+(\S+)$/i.exec(value) : null;
    if (match !== null) return match[1];
  }
  return void 0;
}
export {
  createDebugBridge
};
