"use strict";
(() => {
  // src/background/levels.ts
  var LEVELS = ["observe", "act", "control"];

  // src/popup/messages.ts
  var POPUP_PORT = "popup";

  // src/popup/popup.ts
  var RECONNECT_MS = 100;
  var COPIED_MS = 1500;
  var LETTERS = { observe: "O", act: "A", control: "C" };
  var HOP_NAMES = { extension: "Extension", host: "Host", daemon: "Daemon", agents: "Agents" };
  var HOP_WORDS = { ok: "working", wait: "connecting", warn: "needs attention", fail: "broken", unknown: "not known yet" };
  var PAUSES = {
    left_site: "Paused: this is another site",
    navigated_to_restricted: "Paused: no extension may enter this page",
    crashed: "Paused: the page crashed",
    discarded: "Paused: Chrome put the tab to sleep"
  };
  function byId(id, type) {
    const element = document.getElementById(id);
    if (!(element instanceof type)) throw new Error(`no #${id} in popup.html`);
    return element;
  }
  var ui = {
    letter: byId("tab-letter", HTMLElement),
    title: byId("tab-title", HTMLElement),
    status: byId("tab-status", HTMLElement),
    error: byId("tab-error", HTMLElement),
    form: byId("form", HTMLFormElement),
    levels: byId("levels", HTMLFieldSetElement),
    session: byId("session", HTMLInputElement),
    anySite: byId("any-site", HTMLInputElement),
    onlySite: byId("only-site", HTMLElement),
    connect: byId("connect", HTMLButtonElement),
    disconnect: byId("disconnect", HTMLButtonElement),
    connected: byId("connected", HTMLElement),
    tabCount: byId("tab-count", HTMLElement),
    agents: byId("agents", HTMLElement),
    agentCount: byId("agent-count", HTMLElement),
    hops: byId("hops", HTMLElement),
    fixText: byId("fix-text", HTMLElement),
    fixBox: byId("fix-box", HTMLElement),
    fixCommand: byId("fix-command", HTMLElement),
    copy: byId("copy", HTMLButtonElement),
    retry: byId("retry", HTMLButtonElement),
    stop: byId("stop", HTMLButtonElement),
    options: byId("options", HTMLButtonElement)
  };
  var port = null;
  var tabId = -1;
  var state = null;
  var touched = false;
  var filledFor = "";
  function send(request) {
    port?.postMessage(request);
  }
  function open() {
    port = chrome.runtime.connect({ name: POPUP_PORT });
    port.onMessage.addListener((next) => {
      state = next;
      draw(next);
    });
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError;
      setTimeout(open, RECONNECT_MS);
    });
    send({ kind: "watch", tabId });
  }
  function chosenLevel() {
    const value = new FormData(ui.form).get("level");
    return LEVELS.find((level) => level === value) ?? "act";
  }
  function chooseLevel(level) {
    for (const input of ui.levels.querySelectorAll("input")) input.checked = input.value === level;
  }
  function draw(next) {
    drawTab(next);
    drawConnected(next);
    drawAgents(next);
    drawHops(next.hops);
    ui.stop.disabled = next.connected.length === 0;
  }
  function drawTab({ tab, defaults, error, halted }) {
    const grant = tab?.grant ?? null;
    const basis = JSON.stringify(grant ? [grant.level, grant.sessionId, grant.anySite] : [defaults, "none"]);
    if (!touched || basis !== filledFor) {
      chooseLevel(grant?.level ?? defaults.level);
      ui.session.value = grant?.sessionId ?? defaults.sessionId;
      ui.anySite.checked = grant?.anySite ?? false;
      filledFor = basis;
      touched = false;
    }
    const title = tab ? tab.title || tab.url : "This tab is closed";
    setText(ui.title, title);
    ui.title.title = title;
    setText(ui.letter, grant ? grant.paused ? "II" : LETTERS[grant.level] : "\u2013");
    ui.letter.className = `letter ${grant && !grant.paused ? grant.level : "paused"}`;
    setText(ui.onlySite, tab?.site ? `(not only ${tab.site})` : "");
    const problem = tab?.obstacle ?? null;
    if (ui.error.textContent !== (error ?? "")) ui.error.textContent = error ?? "";
    ui.status.className = problem ? "problem" : "muted";
    setText(ui.status, problem ?? statusWords(tab, halted));
    const blocked = tab === null || tab.obstacle !== null;
    ui.levels.disabled = blocked;
    ui.session.disabled = blocked;
    ui.anySite.disabled = blocked;
    ui.disconnect.hidden = grant === null;
    drawButton();
  }
  function statusWords(tab, halted) {
    if (!tab) return "";
    const { grant, site } = tab;
    if (!grant) return halted ? `${site ?? ""} \xB7 not connected. Everything is stopped.` : `${site ?? ""} \xB7 not connected`;
    if (grant.paused === "left_site") return `${PAUSES.left_site} than ${grant.site}. Connect here to go on.`;
    if (grant.paused) return `${PAUSES[grant.paused]}.`;
    const parts = [grant.anySite ? `${site ?? ""} (any site)` : grant.site, `connected at ${grant.level}`, `session ${grant.sessionId}`];
    if (grant.origin === "always") parts.push("always-connect site");
    if (grant.group !== null) parts.push(`group ${grant.group}`);
    if (grant.debugging) parts.push("debugger attached");
    return parts.join(" \xB7 ");
  }
  function drawButton() {
    const grant = state?.tab?.grant ?? null;
    const live = grant !== null && grant.paused === null;
    const same = live && grant.level === chosenLevel() && grant.sessionId === ui.session.value && grant.anySite === ui.anySite.checked;
    setText(ui.connect, live ? same ? "Connected" : "Apply changes" : grant ? "Connect here" : "Connect");
    ui.connect.disabled = state?.tab == null || state.tab.obstacle !== null || same || !ui.form.checkValidity();
  }
  function drawConnected({ connected }) {
    setText(ui.tabCount, connected.length > 0 ? String(connected.length) : "");
    fill(ui.connected, connected, (tab) => {
      const item = document.createElement("li");
      const letter = document.createElement("span");
      letter.className = `letter ${tab.paused ? "paused" : tab.level}`;
      letter.textContent = tab.paused ? "II" : LETTERS[tab.level];
      letter.title = tab.paused ? PAUSES[tab.paused] : `${tab.level}, session ${tab.sessionId}`;
      const show = button("show clip", tab.title || tab.site, `Show ${tab.title || tab.site} (${tab.paused ? "paused" : tab.level})`);
      show.addEventListener("click", () => send({ kind: "show", tabId: tab.tabId }));
      const end = button("icon", "\xD7", `Disconnect ${tab.title || tab.site}`);
      end.addEventListener("click", () => send({ kind: "disconnect", tabId: tab.tabId }));
      item.append(letter, show, end);
      return item;
    });
  }
  function drawAgents({ agents }) {
    setText(ui.agentCount, agents.length > 0 ? String(agents.length) : "");
    fill(ui.agents, agents, (agent) => {
      const item = document.createElement("li");
      const name = document.createElement("span");
      name.className = "clip";
      name.textContent = agent.name;
      name.title = `${agent.name}, session ${agent.sessionId}`;
      item.append(name);
      return item;
    });
  }
  function drawHops(hops) {
    for (const hop of hops) {
      const item = ui.hops.querySelector(`[data-hop="${hop.name}"]`);
      if (!item) continue;
      item.dataset.state = hop.state;
      item.title = `${HOP_NAMES[hop.name]}: ${hop.text}`;
      item.setAttribute("aria-label", `${HOP_NAMES[hop.name]}: ${HOP_WORDS[hop.state]}. ${hop.text}`);
    }
    const broken = hops.find((hop) => hop.state === "fail") ?? hops.find((hop) => hop.state === "warn");
    const shown = broken ?? hops.find((hop) => hop.name === "daemon") ?? hops[0];
    setText(ui.fixText, shown ? `${HOP_NAMES[shown.name]}: ${shown.text}` : "");
    ui.fixText.title = ui.fixText.textContent ?? "";
    ui.fixBox.hidden = broken?.command === void 0;
    setText(ui.fixCommand, broken?.command ?? "");
    ui.retry.hidden = broken?.state !== "fail";
  }
  function fill(list, items, make) {
    const version = JSON.stringify(items);
    if (list.dataset.version === version) return;
    list.dataset.version = version;
    if (items.length > 0) {
      list.replaceChildren(...items.map(make));
      return;
    }
    const none = document.createElement("li");
    none.className = "muted empty";
    none.textContent = "None";
    list.replaceChildren(none);
  }
  function button(className, text, label) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = className;
    made.textContent = text;
    made.title = label;
    made.setAttribute("aria-label", label);
    return made;
  }
  function setText(element, text) {
    const shown = text === "" ? "\xA0" : text;
    if (element.textContent !== shown) element.textContent = shown;
  }
  ui.form.addEventListener("input", () => {
    touched = true;
    drawButton();
  });
  ui.form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (ui.connect.disabled) return;
    touched = false;
    send({ kind: "connect", tabId, level: chosenLevel(), sessionId: ui.session.value, anySite: ui.anySite.checked });
  });
  ui.disconnect.addEventListener("click", () => send({ kind: "disconnect", tabId }));
  ui.stop.addEventListener("click", () => send({ kind: "stopEverything" }));
  ui.retry.addEventListener("click", () => send({ kind: "retry" }));
  ui.options.addEventListener("click", () => void chrome.runtime.openOptionsPage());
  ui.copy.addEventListener("click", () => {
    void navigator.clipboard.writeText(ui.fixCommand.textContent ?? "").then(() => {
      ui.copy.textContent = "Copied";
      setTimeout(() => ui.copy.textContent = "Copy", COPIED_MS);
    });
  });
  async function meantTab() {
    const named = new URLSearchParams(location.search).get("tab");
    if (named !== null && /^\d+$/.test(named)) return Number(named);
    const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
    return active?.id ?? -1;
  }
  void meantTab().then((id) => {
    tabId = id;
    open();
  });
})();
