/**
 * The bridges in the pages: one content script, one port, one frame.
 *
 * Nothing here needs to survive the worker: content scripts reconnect by themselves
 * and say who they are. Chrome, not the script, says which tab, frame and document
 * a port belongs to.
 */
import { decode } from '../content/messages.ts';
import type { FromContent, ToContent } from '../content/messages.ts';
import { installMainHook } from '../page/mainworld/hook.ts';
import { Fault, messageOf, withDeadline } from './fault.ts';
import type { Level } from './levels.ts';
import { PAUSE_ABOVE, RESUME_BELOW } from './outbound.ts';
import type { Outbound } from './outbound.ts';
import type { Grant, Grants } from './grants.ts';
import type { SettingsStore } from './settings.ts';

export interface FrameInfo {
  tabId: number;
  frameId: number;
  parentFrameId: number;
  documentId: string;
  url: string;
}

export type FrameGone = 'navigated' | 'removed' | 'gone';

/** One bridge: where it is and how to reach it. */
export class Frame {
  info: FrameInfo;
  readonly nonce: string;
  readonly port: chrome.runtime.Port;
  /** The console hook was put into the page's own world. */
  hooked = false;
  /** So was the inspector. */
  inspected = false;
  /** The link came back: until the page starts over, what comes may leave a hole. */
  resending = false;
  /** The console came from the debugger ever since this bridge began. */
  bornByCdp: boolean;

  constructor(info: FrameInfo, nonce: string, port: chrome.runtime.Port, bornByCdp: boolean) {
    this.info = info;
    this.nonce = nonce;
    this.port = port;
    this.bornByCdp = bornByCdp;
  }

  post(message: ToContent): void {
    try {
      this.port.postMessage(message);
    } catch {
      // Closed; onDisconnect follows.
    }
  }
}

interface Hooks {
  /** A main document that the navigation events have not told of yet. */
  mainDocument(tabId: number, documentId: string, url: string): Promise<void>;
  /** Settles when a connection of the tab that is being made is made. */
  connecting(tabId: number): Promise<unknown>;
  /** Whether the tab's console comes from the debugger now. Settles when the worker knows. */
  consoleByCdp(tabId: number): Promise<boolean>;
  /** A call's answer, or a step of one. */
  answer(frame: Frame, message: Extract<FromContent, { kind: 'result' | 'fault' | 'acted' }>): void;
  /** The frame is gone, with everything that waited for it. */
  gone(frame: Frame, reason: FrameGone): void;
  /** The main frame's bridge fell silent without a navigation. */
  mainLost(tabId: number, documentId: string): void;
}

const FLOW_POLL_MS = 100;
/** A page that takes longer for the hook is busy; its bridge need not wait. */
const HOOK_MS = 1_000;

export class Frames {
  readonly #frames = new Map<number, Map<number, Frame>>();
  readonly #waiting = new Set<() => void>();
  readonly #grants: Grants;
  readonly #settings: SettingsStore;
  readonly #out: Outbound;
  readonly #hooks: Hooks;
  #flowTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(grants: Grants, settings: SettingsStore, out: Outbound, hooks: Hooks) {
    this.#grants = grants;
    this.#settings = settings;
    this.#out = out;
    this.#hooks = hooks;
  }

  get(tabId: number, frameId: number): Frame | undefined {
    return this.#frames.get(tabId)?.get(frameId);
  }

  of(tabId: number): Frame[] {
    return [...(this.#frames.get(tabId)?.values() ?? [])];
  }

  byNonce(tabId: number, nonce: string): Frame | undefined {
    return this.of(tabId).find((frame) => frame.nonce === nonce);
  }

  /** Resolves when a bridge comes or goes, or after ms. */
  change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(done);
    });
  }

  /** Puts the content script into a tab's frames; where it already is, nothing happens. */
  async inject(target: chrome.scripting.InjectionTarget): Promise<void> {
    try {
      await chrome.scripting.executeScript({ target, files: ['content.js'], injectImmediately: true });
    } catch (error) {
      // Frames come and go, and some (error pages, other extensions) refuse: the bridge
      // that is missing there is reported by its absence.
      console.debug('content script not injected', target, messageOf(error));
    }
  }

  /** Brings the recorder beside the bridge of a tab's main frame. */
  async record(tabId: number): Promise<void> {
    if (this.#grants.get(tabId)?.paused !== null) throw new Fault('NOT_CONNECTED', 'The tab is not connected.', { details: { tabId } });
    try {
      await chrome.scripting.executeScript({ target: { tabId, frameIds: [0] }, files: ['recorder.js'], injectImmediately: true });
    } catch (error) {
      throw new Fault('NAVIGATION_INTERRUPTED', messageOf(error), { details: { tabId } });
    }
  }

  /** A port from a content script. ready settles once the worker has its state back. */
  accept(port: chrome.runtime.Port, ready: Promise<void>): void {
    const backlog: unknown[] = [];
    let frame: Frame | null = null;
    let open = true;
    port.onMessage.addListener((message: unknown) => {
      if (frame) this.#receive(frame, message);
      else if (backlog.push(message) === 1) void ready.then(adopt);
    });
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError; // read: a page entering the back/forward cache is no error
      open = false;
      if (frame) this.#lost(frame);
    });
    const adopt = async (): Promise<void> => {
      const first = decode(backlog[0]);
      const adopted = first?.kind === 'ready' ? await this.#adopt(port, first.nonce, () => open) : null;
      if (!adopted) {
        if (open) refuse(port);
        return;
      }
      frame = adopted;
      for (const message of backlog.splice(0).slice(1)) this.#receive(frame, message);
    };
  }

  async #adopt(port: chrome.runtime.Port, nonce: string, open: () => boolean): Promise<Frame | null> {
    const { tab, frameId, documentId } = port.sender ?? {};
    if (tab?.id === undefined || frameId === undefined || documentId === undefined) return null;
    const tabId = tab.id;
    const facts = await chrome.webNavigation.getFrame({ tabId, frameId, documentId }).catch(() => null);
    if (!facts || facts.documentLifecycle !== 'active' || !open()) return null;
    if (frameId === 0) await this.#hooks.mainDocument(tabId, documentId, facts.url);
    else await this.#hooks.connecting(tabId);
    if (!this.#grants.get(tabId)) return null;
    const byCdp = await this.#hooks.consoleByCdp(tabId);
    const grant = this.#admitted(tabId, facts.url, open);
    if (!grant) return null;
    const frame = new Frame({ tabId, frameId, parentFrameId: facts.parentFrameId, documentId, url: facts.url }, nonce, port, byCdp);
    frame.post(this.#startMessage(frame, grant.level, byCdp));
    // A bridge is ready when it hears the console; until then its messages wait in accept().
    if (!byCdp) await withDeadline(this.installHook(frame), HOOK_MS, () => new Error('slow')).catch(() => undefined);
    void this.installApp(frame);
    const still = this.#admitted(tabId, facts.url, open);
    if (!still) return null;
    if (still.level !== grant.level) frame.post(this.#startMessage(frame, still.level, byCdp));

    const earlier = this.get(tabId, frameId);
    if (earlier) this.#remove(earlier, earlier.info.documentId === documentId ? 'gone' : 'navigated');
    let tabFrames = this.#frames.get(tabId);
    if (!tabFrames) this.#frames.set(tabId, (tabFrames = new Map<number, Frame>()));
    tabFrames.set(frameId, frame);
    this.#out.emit('frame.added', frame.info);
    if (this.#paused) frame.post({ kind: 'flow', paused: true });
    this.#notify();
    return frame;
  }

  /** The tab's grant, if a frame may still be let in: everything may change while we wait. */
  #admitted(tabId: number, url: string, open: () => boolean): Grant | null {
    const grant = this.#grants.get(tabId);
    return open() && grant && grant.paused === null && this.#settings.forbidden(url) === null ? grant : null;
  }

  #startMessage(frame: Frame, level: Level, consoleByCdp: boolean): ToContent {
    return {
      kind: 'start',
      telemetry: this.#settings.enabledTelemetry(),
      level,
      redact: this.#settings.current.redact,
      consoleByCdp,
      earlyHook: this.#settings.always(frame.info.url) !== null,
    };
  }

  /** Puts the console hook into the page's own world, once a document; it starts switched as the bridge says. */
  async installHook(frame: Frame): Promise<void> {
    const { console: lines, errors } = this.#settings.current.telemetry;
    if (frame.hooked || (!lines && !errors)) return;
    frame.hooked = true;
    try {
      await chrome.scripting.executeScript({
        target: { tabId: frame.info.tabId, documentIds: [frame.info.documentId] },
        world: 'MAIN',
        injectImmediately: true,
        // The hook's control object stays in the page; there is nothing to bring back.
        func: installMainHook as (nonce: string) => void,
        args: [frame.nonce],
      });
    } catch (error) {
      frame.hooked = false;
      console.debug('console hook not installed', frame.info.url, messageOf(error));
    }
  }

  /** Puts the inspector into the page's own world, once a document; it finds its bridge by itself. */
  async installApp(frame: Frame): Promise<void> {
    const { state } = this.#settings.current.telemetry;
    if (!state) frame.inspected = false; // its bridge takes it out
    if (frame.inspected || !state) return;
    frame.inspected = true;
    try {
      await chrome.scripting.executeScript({
        target: { tabId: frame.info.tabId, documentIds: [frame.info.documentId] },
        world: 'MAIN',
        injectImmediately: true,
        files: ['app.js'],
      });
    } catch (error) {
      frame.inspected = false;
      console.debug('inspector not installed', frame.info.url, messageOf(error));
    }
  }

  #receive(frame: Frame, raw: unknown): void {
    const message = decode(raw);
    if (!message || this.get(frame.info.tabId, frame.info.frameId) !== frame) return;
    const { tabId, frameId, documentId } = frame.info;
    switch (message.kind) {
      case 'telemetry': {
        // Not connected: the page's outbox keeps it and is asked again.
        if (!this.#out.connected || frame.resending || this.#grants.get(tabId)?.paused !== null) return;
        this.#out.emit('bridge.event', { tabId, frameId, documentId, first: message.first, messages: message.messages });
        if (!this.#paused && this.#out.queued > PAUSE_ABOVE) this.#holdFlow();
        return;
      }
      case 'resending':
        frame.resending = false;
        return;
      case 'sdk':
        this.#out.emit('frame.sdk', { tabId, frameId, documentId, appId: message.appId });
        return;
      case 'result':
      case 'fault':
      case 'acted':
        this.#hooks.answer(frame, message);
        return;
      case 'ready':
        return;
    }
  }

  get #paused(): boolean {
    return this.#flowTimer !== undefined;
  }

  /** Tells all pages to hold their telemetry until the daemon took what waits. */
  #holdFlow(): void {
    this.#broadcast({ kind: 'flow', paused: true });
    const look = (): void => {
      if (this.#out.connected && this.#out.queued > RESUME_BELOW) {
        this.#flowTimer = setTimeout(look, FLOW_POLL_MS);
        return;
      }
      this.#flowTimer = undefined;
      this.#broadcast({ kind: 'flow', paused: false });
    };
    this.#flowTimer = setTimeout(look, FLOW_POLL_MS);
  }

  #broadcast(message: ToContent): void {
    for (const tab of this.#frames.values()) for (const frame of tab.values()) frame.post(message);
  }

  /** The link is back: whatever was not acknowledged comes again. */
  resendAll(): void {
    for (const tab of this.#frames.values()) {
      for (const frame of tab.values()) {
        frame.resending = true;
        frame.post({ kind: 'resend' });
      }
    }
  }

  acknowledge(payload: { tabId: number; frameId: number; documentId: string; upTo: number }): void {
    const frame = this.get(payload.tabId, payload.frameId);
    if (frame?.info.documentId === payload.documentId) frame.post({ kind: 'ack', upTo: payload.upTo });
  }

  /** Settings or the level changed: the bridges of a tab, or of all, are told. */
  reconfigure(tabId?: number): void {
    for (const [id, frames] of this.#frames) {
      if (tabId !== undefined && id !== tabId) continue;
      const grant = this.#grants.get(id);
      if (!grant) continue;
      void this.#hooks.consoleByCdp(id).then((byCdp) => {
        for (const frame of frames.values()) {
          frame.post(this.#startMessage(frame, grant.level, byCdp));
          if (!byCdp) void this.installHook(frame);
          void this.installApp(frame);
        }
      });
    }
  }

  /** A new main document: the bridges of the one before are gone, told or not. */
  navigated(tabId: number, documentId: string): void {
    for (const frame of this.of(tabId)) {
      if (frame.info.frameId === 0 && frame.info.documentId === documentId) return; // its bridge was faster than the event
    }
    for (const frame of this.of(tabId)) this.#remove(frame, 'navigated');
  }

  /** The URL of a document changed in place. */
  moved(tabId: number, frameId: number, url: string): void {
    const frame = this.get(tabId, frameId);
    if (frame) frame.info = { ...frame.info, url };
  }

  /** The tab's id changed; its documents are new, or say so themselves. */
  forget(tabId: number): void {
    for (const frame of this.of(tabId)) this.#remove(frame, 'gone');
  }

  /** Undoes the bridges of a tab. */
  stop(tabId: number): void {
    for (const frame of this.of(tabId)) {
      frame.post({ kind: 'stop' });
      this.#remove(frame, 'gone');
    }
  }

  /** Undoes the bridges in frames that the lists now forbid. */
  enforceLists(): void {
    for (const tab of this.#frames.values()) {
      for (const frame of tab.values()) {
        if (this.#settings.forbidden(frame.info.url) === null) continue;
        frame.post({ kind: 'stop' });
        this.#remove(frame, 'gone');
      }
    }
  }

  #lost(frame: Frame): void {
    if (this.get(frame.info.tabId, frame.info.frameId) !== frame) return;
    this.#remove(frame, 'gone');
    if (frame.info.frameId === 0) this.#hooks.mainLost(frame.info.tabId, frame.info.documentId);
  }

  #remove(frame: Frame, reason: FrameGone): void {
    const { tabId, frameId, documentId } = frame.info;
    const frames = this.#frames.get(tabId);
    if (frames?.get(frameId) !== frame) return;
    frames.delete(frameId);
    if (frames.size === 0) this.#frames.delete(tabId);
    this.#hooks.gone(frame, reason);
    this.#out.emit('frame.removed', { tabId, frameId, documentId, reason });
    this.#notify();
  }

  #notify(): void {
    for (const done of [...this.#waiting]) done();
  }
}

/** Tells a content script that it has no business here. */
function refuse(port: chrome.runtime.Port): void {
  try {
    const stop: ToContent = { kind: 'stop' };
    port.postMessage(stop);
  } catch {
    // It is gone already.
  }
}
