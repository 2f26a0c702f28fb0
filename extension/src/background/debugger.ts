/**
 * The CDP lane: chrome.debugger on the tabs granted at control, attached when a command
 * needs it and let go when idle, because Chrome shows a bar while it is attached.
 *
 * Chrome keeps attachments when the worker dies, so a new worker looks for its own
 * before anything else, adopts what a live grant still covers and detaches the rest.
 */
import { ConsoleLane } from './console-lane.ts';
import { checkMethod, KEPT_ON } from './cdp-policy.ts';
import { attachFault, commandFault, dialogBlocking, disconnected, NOT_ATTACHED } from './debugger-faults.ts';
import type { Dialog } from './debugger-faults.ts';
import { Fault, messageOf, withDeadline } from './fault.ts';
import type { Frames } from './frames.ts';
import type { Grants } from './grants.ts';
import type { Outbound } from './outbound.ts';
import type { SettingsStore } from './settings.ts';

const PROTOCOL = '1.3';
const ATTACH_MS = 5_000;
/** A page that does not take the first commands within this has a dialog open, or spins. */
const ENABLE_MS = 3_000;
const ADOPT_MS = 2_000;
/** After Chrome dropped us from a living tab, the next attach waits this long. */
const REATTACH_AFTER_MS = 3_000;
/** Commands that a dialog caught get this long to finish by themselves. */
const DIALOG_GRACE_MS = 300;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Above this many waiting bytes console events are dropped and counted, so that no page can fill our memory. */
const DROP_ABOVE = 48 << 20;

export type DetachReason = 'target_closed' | 'canceled_by_user' | 'replaced_with_devtools' | 'idle' | 'own';

export interface CdpSend {
  tabId: number;
  sessionId?: string;
  method: string;
  params: Record<string, unknown>;
  timeoutMs?: number;
  /** A step of an operation of the link, not a command that somebody named: the policy for those does not judge it. */
  own?: boolean;
  /** Of a DevTools client: a dialog does not fail it, it waits as in Chrome. */
  patient?: boolean;
}

/** A child target of a tab, a cross-process frame, with the session it was told in. */
interface Child {
  sessionId: string;
  parentSessionId: string | undefined;
  targetInfo: Record<string, unknown>;
}

interface Inflight {
  method: string;
  patient: boolean;
  reject(fault: Fault): void;
}

interface Attachment {
  tabId: number;
  /** The enable sequence. It never rejects; on failure the attachment is gone. */
  ready: Promise<void>;
  lane: ConsoleLane;
  inflight: Set<Inflight>;
  dialog: Dialog | null;
  crashed: boolean;
  /** By performance.now(): a wall clock that is set must not hold the debugger for an hour. */
  lastUsed: number;
  /** By session. */
  children: Map<string, Child>;
  /** Set while it is being let go. */
  leaving: Promise<void> | null;
  dropped: Map<string, number>;
}

interface Hooks {
  /** Chrome detached us; the tabs know what became of the tab. */
  detached(tabId: number, reason: DetachReason): void;
  crashed(tabId: number): void;
  /** How a navigation under way wants the page's "leave?" answered. */
  leaving(tabId: number): boolean | undefined;
  /** The page asked whether to leave it, and the answer was no. */
  stayed(tabId: number, url: string): void;
  /** The main frame committed an address; comes before any event of the new document. */
  committed(tabId: number, url: string): void;
  /** Throws when an agent may not load this address in the tab. */
  checkNavigation(tabId: number, url: string): void;
}

export class DebuggerLane {
  readonly #attachments = new Map<number, Attachment>();
  readonly #attaching = new Map<number, Promise<Attachment>>();
  readonly #notBefore = new Map<number, number>();
  /** When the debugger last left a tab: lines of before are told already. */
  readonly #letGo = new Map<number, number>();
  /** A command found these tabs without the debugger before Chrome told of it. */
  readonly #untold = new Set<number>();
  readonly #grants: Grants;
  readonly #frames: () => Frames;
  readonly #settings: SettingsStore;
  readonly #out: Outbound;
  readonly #hooks: Hooks;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #adopted: Promise<void> = Promise.resolve();
  #daemon = '';

  constructor(grants: Grants, frames: () => Frames, settings: SettingsStore, out: Outbound, hooks: Hooks) {
    this.#grants = grants;
    this.#frames = frames;
    this.#settings = settings;
    this.#out = out;
    this.#hooks = hooks;
  }

  /** Finds what an earlier life of the worker left attached. */
  start(): Promise<void> {
    this.#adopted = this.#adopt();
    return this.#adopted;
  }

  async #adopt(): Promise<void> {
    const targets = await chrome.debugger.getTargets().catch(() => []);
    await Promise.all(
      targets.map(async (target) => {
        if (!target.attached || target.tabId === undefined) return;
        const tabId = target.tabId;
        const grant = this.#grants.get(tabId);
        if (grant?.level === 'control' && grant.paused === null && this.#settings.current.debuggerMode !== 'never') {
          // DevTools counts as attached too: only our own attachment takes a command.
          const attachment = this.#attachment(tabId, true);
          this.#attachments.set(tabId, attachment);
          try {
            await withDeadline(sendCommand({ tabId }, 'Inspector.enable', {}), ADOPT_MS, () => new Error('slow'));
          } catch (error) {
            if (messageOf(error) !== 'slow') {
              this.#attachments.delete(tabId);
              return;
            }
          }
          attachment.ready = this.#enable(attachment, true);
          await withDeadline(attachment.ready, ADOPT_MS, () => new Error('slow')).catch(() => undefined);
          return;
        }
        await chrome.debugger.detach({ tabId }).catch(() => undefined);
      }),
    );
    this.#watchIdle();
  }

  /** Whether documents of the tab leave their console to the debugger; waits until the worker knows. */
  async consoleByCdp(tabId: number): Promise<boolean> {
    await this.#adopted;
    return this.#attachments.get(tabId)?.lane.active ?? false;
  }

  attached(tabId: number): boolean {
    return this.#attachments.has(tabId);
  }

  /** One CDP command of an agent. */
  async send(call: CdpSend): Promise<unknown> {
    const { tabId, method, params } = call;
    this.#grants.require(tabId, 'control');
    if (call.own !== true) checkMethod(method, params, (url) => this.#hooks.checkNavigation(tabId, url));
    const deadline = performance.now() + (call.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    try {
      return await this.#sendOnce(call, deadline);
    } catch (error) {
      // Chrome took the debugger away without a word; nothing of the command ran.
      if (!(error instanceof Fault) || error.details?.reason !== NOT_ATTACHED) throw error;
      return this.#sendOnce(call, deadline);
    }
  }

  async #sendOnce({ tabId, sessionId, method, params, patient = false }: CdpSend, deadline: number): Promise<unknown> {
    const attachment = await this.acquire(tabId);
    this.#grants.require(tabId, 'control');
    if (sessionId !== undefined) this.#checkChild(attachment, sessionId);
    if (attachment.crashed) throw disconnected('The page crashed.', 'crashed');
    if (attachment.dialog && !patient && method !== 'Page.handleJavaScriptDialog') throw dialogBlocking(attachment.dialog, false);
    if (KEPT_ON.has(method)) return {};
    if (method === 'Runtime.enable') {
      const contexts = attachment.lane.contexts(sessionId);
      if (contexts) {
        for (const context of contexts) this.#out.emit('cdp.event', event(tabId, sessionId, 'Runtime.executionContextCreated', context));
        return {};
      }
    }
    return this.#run(attachment, { sessionId, method, params, patient }, deadline);
  }

  /** The tab's attachment, made if there is none, with its domains enabled. */
  async acquire(tabId: number): Promise<Attachment> {
    await this.#adopted;
    for (;;) {
      const attachment = this.#attachments.get(tabId) ?? (await this.#attach(tabId));
      if (attachment.leaving) {
        await attachment.leaving;
        continue;
      }
      attachment.lastUsed = performance.now();
      await withDeadline(attachment.ready, ENABLE_MS, () =>
        attachment.dialog
          ? dialogBlocking(attachment.dialog, false)
          : new Fault('DIALOG_BLOCKING', 'The page does not take commands: a dialog that opened before the debugger came is waiting, or a script never ends.', {
              details: { tabId, dispatched: false, openedBeforeAttach: true },
              suggestions: ['Ask the person to dismiss the dialog in that tab by hand.', 'If there is none, the page is stuck: reload it with navigate.'],
            }),
      );
      if (this.#attachments.get(tabId) === attachment && !attachment.leaving) return attachment;
      if (!this.#attachments.has(tabId)) throw disconnected('The debugger was detached.', 'detached');
    }
  }

  #attach(tabId: number): Promise<Attachment> {
    let attaching = this.#attaching.get(tabId);
    if (!attaching) {
      attaching = this.#attachOnce(tabId).finally(() => this.#attaching.delete(tabId));
      this.#attaching.set(tabId, attaching);
    }
    return attaching;
  }

  async #attachOnce(tabId: number): Promise<Attachment> {
    if (this.#settings.current.debuggerMode === 'never') {
      throw new Fault('CAPABILITY_MISSING', 'The person switched the debugger off in the options of Debug Bridge.', {
        details: { debuggerMode: 'never' },
        suggestions: ['Use the commands that need no debugger (click, type, request_ui_tree, …).'],
      });
    }
    const wait = (this.#notBefore.get(tabId) ?? 0) - performance.now();
    if (wait > 0) {
      throw disconnected('Chrome took the debugger off this tab a moment ago.', 'cooldown', { retryAfterMs: wait }, true);
    }
    try {
      await withDeadline(chrome.debugger.attach({ tabId }, PROTOCOL), ATTACH_MS, () => new Error('Chrome did not attach the debugger in time.'));
    } catch (error) {
      // One that an earlier life of the worker left is as good as a new one.
      const ours = /already attached/i.test(messageOf(error)) && (await answers(tabId));
      if (!ours) throw attachFault(error);
      const adopted = this.#attachment(tabId, true);
      this.#attachments.set(tabId, adopted);
      adopted.ready = this.#enable(adopted, true);
      return adopted;
    }
    const attachment = this.#attachment(tabId, false);
    this.#attachments.set(tabId, attachment);
    const grant = this.#grants.get(tabId);
    if (grant?.level !== 'control' || grant.paused !== null) {
      await this.detach(tabId, 'own'); // revoked while Chrome attached
      this.#grants.require(tabId, 'control');
    }
    attachment.ready = this.#enable(attachment, false);
    this.#watchIdle();
    return attachment;
  }

  #attachment(tabId: number, adopted: boolean): Attachment {
    const attachment: Attachment = {
      tabId,
      ready: Promise.resolve(),
      lane: new ConsoleLane({
        send: (sessionId, method, params) => sendCommand(debuggee(tabId, sessionId), method, params),
        forward: ({ sessionId, method, params }) => this.#forward(attachment, sessionId, method, params),
        bornByCdp: (nonce) => this.#frames().byNonce(tabId, nonce)?.bornByCdp ?? false,
        grantedAt: () => this.#grants.get(tabId)?.since ?? Infinity,
        installHooks: async () => {
          await Promise.all(this.#frames().of(tabId).map((frame) => this.#frames().installHook(frame)));
        },
      }, this.#letGo.get(tabId) ?? 0, adopted),
      inflight: new Set(),
      dialog: null,
      crashed: false,
      lastUsed: performance.now(),
      children: new Map(),
      leaving: null,
      dropped: new Map(),
    };
    return attachment;
  }

  /** What every attachment has on: crashes, dialogs and child frames are told, the console is taken over. */
  async #enable(attachment: Attachment, adopted: boolean): Promise<void> {
    const target = { tabId: attachment.tabId };
    try {
      // Children that an earlier life attached are told of only when attached anew.
      if (adopted) await sendCommand(target, 'Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
      await Promise.all([
        sendCommand(target, 'Inspector.enable', {}),
        sendCommand(target, 'Page.enable', {}),
        sendCommand(target, 'Target.setAutoAttach', AUTO_ATTACH),
        this.#wantsConsole() ? attachment.lane.take(undefined) : Promise.resolve(),
      ]);
    } catch (error) {
      // Detached meanwhile (onDetach tells), or the target went: the next command finds out.
      console.debug('debugger domains not enabled', attachment.tabId, messageOf(error));
    }
  }

  #wantsConsole(): boolean {
    const { console: lines, errors } = this.#settings.current.telemetry;
    return lines || errors;
  }

  #run(attachment: Attachment, call: { sessionId: string | undefined; method: string; params: Record<string, unknown>; patient: boolean }, deadline: number): Promise<unknown> {
    const { sessionId, method, params, patient } = call;
    return new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        inflight.reject(new Fault('TIMEOUT', `${method} did not answer in time.`, { details: { method, dispatched: true } }));
      }, Math.max(0, deadline - performance.now()));
      const done = (): void => {
        clearTimeout(timer);
        attachment.inflight.delete(inflight);
        attachment.lastUsed = performance.now();
      };
      const inflight: Inflight = {
        method,
        patient,
        reject: (fault) => {
          done();
          reject(fault);
        },
      };
      attachment.inflight.add(inflight);
      sendCommand(debuggee(attachment.tabId, sessionId), method, params).then(
        (result) => {
          done();
          resolve(result ?? {});
        },
        (error: unknown) => {
          const fault = commandFault(method, error);
          inflight.reject(fault);
          if (fault.details?.reason !== NOT_ATTACHED || this.#attachments.get(attachment.tabId) !== attachment) return;
          this.#untold.add(attachment.tabId);
          this.#drop(attachment.tabId, 'target_closed');
        },
      );
    });
  }

  /** An event from Chrome. */
  onEvent(source: chrome.debugger.DebuggerSession, method: string, raw: object | undefined): void {
    if (source.tabId === undefined) return;
    const attachment = this.#attachments.get(source.tabId);
    if (!attachment) return;
    const params = (raw ?? {}) as Record<string, unknown>;
    const { tabId } = attachment;
    switch (method) {
      case 'Page.frameNavigated': {
        const frame = (params.frame ?? {}) as Record<string, unknown>;
        // Before any event of the new document gets out: it may be beyond the grant.
        // Chrome's own page about a load that failed counts as what was to be loaded.
        const url = text(frame.unreachableUrl) || text(frame.url);
        if (source.sessionId === undefined && frame.parentId === undefined && url !== '') this.#hooks.committed(tabId, url);
        break;
      }
      case 'Inspector.targetCrashed':
        if (source.sessionId === undefined) {
          attachment.crashed = true;
          this.#failAll(attachment, disconnected('The page crashed.', 'crashed'));
          this.#hooks.crashed(tabId);
        }
        break;
      case 'Inspector.targetReloadedAfterCrash':
        attachment.crashed = false;
        break;
      case 'Page.javascriptDialogOpening':
        this.#dialogOpened(attachment, { kind: text(params.type), message: text(params.message), url: text(params.url) });
        break;
      case 'Page.javascriptDialogClosed':
        if (attachment.dialog?.kind === 'beforeunload' && params.result === false) this.#hooks.stayed(tabId, attachment.dialog.url);
        attachment.dialog = null;
        break;
      case 'Target.attachedToTarget':
        this.#childAttached(attachment, source.sessionId, params);
        break;
      case 'Target.targetInfoChanged': {
        const info = (params.targetInfo ?? {}) as Record<string, unknown>;
        for (const child of attachment.children.values()) if (child.targetInfo.targetId === info.targetId) child.targetInfo = info;
        break;
      }
      case 'Target.detachedFromTarget':
        attachment.children.delete(text(params.sessionId));
        attachment.lane.sessionGone(text(params.sessionId));
        break;
    }
    if (this.#grants.get(tabId)?.paused !== null) return;
    if (attachment.lane.onEvent(source.sessionId, method, params)) return;
    this.#forward(attachment, source.sessionId, method, params);
  }

  #forward(attachment: Attachment, sessionId: string | undefined, method: string, params: Record<string, unknown>): void {
    const { tabId } = attachment;
    const telemetry = this.#settings.current.telemetry;
    if (method === 'Runtime.consoleAPICalled' && !telemetry.console) return;
    if (method === 'Runtime.exceptionThrown' && !telemetry.errors) return;
    if (!VITAL.has(method) && this.#out.queued > DROP_ABOVE) {
      attachment.dropped.set(method, (attachment.dropped.get(method) ?? 0) + 1);
      return;
    }
    if (attachment.dropped.size > 0) {
      this.#out.emit('cdp.event', event(tabId, undefined, 'DebugBridge.dropped', { counts: Object.fromEntries(attachment.dropped) }));
      attachment.dropped.clear();
    }
    this.#out.emit('cdp.event', event(tabId, sessionId, method, params));
  }

  #childAttached(attachment: Attachment, parentSessionId: string | undefined, params: Record<string, unknown>): void {
    const sessionId = text(params.sessionId);
    const targetInfo = (params.targetInfo ?? {}) as Record<string, unknown>;
    attachment.children.set(sessionId, { sessionId, parentSessionId, targetInfo });
    const target = debuggee(attachment.tabId, sessionId);
    void Promise.all([
      sendCommand(target, 'Target.setAutoAttach', AUTO_ATTACH),
      attachment.lane.active && this.#wantsConsole() ? attachment.lane.take(sessionId) : Promise.resolve(),
    ]).catch((error: unknown) => console.debug('child frame not enabled', messageOf(error)));
  }

  #checkChild(attachment: Attachment, sessionId: string): void {
    const child = attachment.children.get(sessionId);
    if (!child) throw new Fault('CDP_ERROR', 'No such CDP session in this tab.', { details: { cdp: { code: -32001, message: 'Session with given id not found.' } } });
    const url = text(child.targetInfo.url);
    const why = this.#settings.forbidden(url);
    if (why !== null) throw new Fault('POLICY_DENIED', 'The person forbids agents on the site of this frame.', { details: { url } });
  }

  #dialogOpened(attachment: Attachment, dialog: Dialog): void {
    attachment.dialog = dialog;
    const leave = dialog.kind === 'beforeunload' ? this.#hooks.leaving(attachment.tabId) : undefined;
    if (leave !== undefined) {
      sendCommand({ tabId: attachment.tabId }, 'Page.handleJavaScriptDialog', { accept: leave }).catch((error: unknown) => console.debug('dialog not answered', messageOf(error)));
      return;
    }
    const caught = [...attachment.inflight];
    setTimeout(() => {
      if (attachment.dialog !== dialog) return;
      for (const inflight of caught) {
        if (attachment.inflight.has(inflight) && !inflight.patient && inflight.method !== 'Page.handleJavaScriptDialog') inflight.reject(dialogBlocking(dialog, true));
      }
    }, DIALOG_GRACE_MS);
  }

  /** Chrome detached us: the tab closed, the person pressed Cancel, or something it will not say. */
  onDetach(source: chrome.debugger.Debuggee, reason: string): void {
    const tabId = source.tabId;
    if (tabId === undefined || (!this.#untold.delete(tabId) && !this.#attachments.has(tabId))) return;
    const known: DetachReason = reason === 'canceled_by_user' || reason === 'replaced_with_devtools' ? reason : 'target_closed';
    this.#drop(tabId, known);
    this.#hooks.detached(tabId, known);
  }

  /** Chrome dropped us from a living tab and will again: the next attach waits. */
  coolDown(tabId: number): void {
    this.#notBefore.set(tabId, performance.now() + REATTACH_AFTER_MS);
  }

  /** A new document: what closed us out of the last one may be gone. */
  warmUp(tabId: number): void {
    this.#notBefore.delete(tabId);
  }

  /** Lets go of a tab. handOver gives the console back to the page's hook first. */
  async detach(tabId: number, reason: 'idle' | 'own', handOver = false): Promise<void> {
    const attachment = this.#attachments.get(tabId);
    if (!attachment) return;
    attachment.leaving ??= (async () => {
      if (handOver) await withDeadline(attachment.lane.giveBack(), ENABLE_MS, () => new Error('slow')).catch(() => undefined);
      const off = chrome.debugger.detach({ tabId }).catch(() => undefined);
      this.#drop(tabId, reason); // Chrome tells nobody of our own detach
      await off;
      // Frames that the exact switch did not reach hear it over their port.
      if (handOver) for (const frame of this.#frames().of(tabId)) frame.post({ kind: 'console', byCdp: false });
    })();
    await attachment.leaving;
  }

  async detachAll(): Promise<void> {
    await Promise.all([...this.#attachments.keys()].map((tabId) => this.detach(tabId, 'own')));
  }

  /** The tab closed or changed its id: Chrome ends the attachment by itself. */
  forget(tabId: number): void {
    this.#notBefore.delete(tabId);
    this.#untold.delete(tabId);
    this.#letGo.delete(tabId);
    if (this.#attachments.has(tabId)) this.#drop(tabId, 'target_closed');
  }

  #drop(tabId: number, reason: DetachReason): void {
    const attachment = this.#attachments.get(tabId);
    if (!attachment) return;
    this.#attachments.delete(tabId);
    this.#letGo.set(tabId, Date.now());
    attachment.lane.dispose();
    for (const frame of this.#frames().of(tabId)) frame.bornByCdp = false;
    this.#failAll(attachment, disconnected('The debugger was detached while the command ran.', reason, { dispatched: true }));
    this.#out.emit('cdp.detached', { tabId, reason });
  }

  #failAll(attachment: Attachment, fault: Fault): void {
    for (const inflight of [...attachment.inflight]) inflight.reject(fault);
  }

  /** cdp.hold {tabId, on}: while it is held the debugger stays, idle or not. */
  async hold(tabId: number, on: boolean): Promise<void> {
    this.#grants.require(tabId, 'control');
    await this.#grants.update(tabId, { held: on ? this.#daemon : '' });
    if (on) await this.acquire(tabId);
    this.#watchIdle();
  }

  /** The daemon that is there, by its epoch; none when it is not and will not come. What another one held nobody else lets go. */
  async daemonIs(epoch: string): Promise<void> {
    this.#daemon = epoch;
    const orphans = this.#grants.all().filter(({ held }) => held && held !== epoch);
    await Promise.all(orphans.map(({ tabId }) => this.#grants.update(tabId, { held: '' })));
    if (epoch === '') for (const tabId of this.#attachments.keys()) void this.detach(tabId, 'own', true);
    else this.#watchIdle();
  }

  /** cdp.targets {tabId}: Chrome's id of the tab's target, and the children that it is attached to. Attaches nothing. */
  async targets(tabId: number): Promise<{ targetId: string; children: Child[] }> {
    this.#grants.require(tabId, 'control');
    const target = (await chrome.debugger.getTargets()).find((candidate) => candidate.tabId === tabId);
    if (!target) throw disconnected('The tab has no target.', 'target_closed');
    return { targetId: target.id, children: [...(this.#attachments.get(tabId)?.children.values() ?? [])] };
  }

  /** Modes and telemetry may have changed. */
  settingsChanged(): void {
    const { debuggerMode } = this.#settings.current;
    if (debuggerMode === 'never') for (const tabId of this.#attachments.keys()) void this.detach(tabId, 'own', true);
    this.#watchIdle();
  }

  /** Lets go of what nobody used for the set time; also called by the alarm. */
  #watchIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    if (this.#attachments.size === 0 || this.#settings.current.debuggerMode === 'always') return;
    const idleMs = this.#settings.current.idleSeconds * 1000;
    let next = idleMs;
    for (const attachment of this.#attachments.values()) {
      const left = attachment.inflight.size > 0 ? idleMs : attachment.lastUsed + idleMs - performance.now();
      if (this.#grants.get(attachment.tabId)?.held) continue;
      if (left <= 0) void this.detach(attachment.tabId, 'idle', true);
      else next = Math.min(next, left);
    }
    this.#idleTimer = setTimeout(() => this.#watchIdle(), next + 10);
  }

  tick(): void {
    this.#watchIdle();
  }
}

/** Cross-process frames of the tab, and nothing else, become child sessions. */
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: [{ type: 'iframe', exclude: false }] };

/** Events that are never dropped. */
const VITAL = new Set(['Page.javascriptDialogOpening', 'Page.javascriptDialogClosed', 'Inspector.targetCrashed', 'Target.attachedToTarget', 'Target.detachedFromTarget']);

function debuggee(tabId: number, sessionId: string | undefined): chrome.debugger.DebuggerSession {
  return sessionId === undefined ? { tabId } : { tabId, sessionId };
}

async function sendCommand(target: chrome.debugger.DebuggerSession, method: string, params: Record<string, unknown>): Promise<unknown> {
  return chrome.debugger.sendCommand(target, method, params);
}

/** Whether the attachment that Chrome speaks of is our own. */
async function answers(tabId: number): Promise<boolean> {
  try {
    await withDeadline(sendCommand({ tabId }, 'Inspector.enable', {}), ADOPT_MS, () => new Error('slow'));
    return true;
  } catch {
    return false;
  }
}

function event(tabId: number, sessionId: string | undefined, method: string, params: unknown): Record<string, unknown> {
  return sessionId === undefined ? { tabId, method, params } : { tabId, sessionId, method, params };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
