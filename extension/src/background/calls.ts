/**
 * Commands on their way into a page: bridge.call to the right frame's port, with a
 * deadline, and an honest answer when the document dies under them.
 */
import type { FromContent } from '../content/messages.ts';
import { Fault } from './fault.ts';
import type { Frame, FrameGone, Frames } from './frames.ts';
import type { Grants } from './grants.ts';
import type { Questions } from './questions.ts';
import type { Level } from './levels.ts';

/** Commands that a bridge runs for an agent, with the level each needs. */
const LEVELS = new Map<string, Level>([
  ['request_ui_tree', 'observe'],
  ['outline', 'observe'],
  ['page_state', 'observe'],
  ['layout_measure', 'observe'],
  ['layout_name', 'observe'],
  ['layout_try', 'act'], // puts styles on the page and takes them away
  ['request_state', 'observe'],
  ['state_list', 'observe'],
  ['state_get', 'observe'],
  ['state_again', 'observe'],
  ['state_set', 'control'],
  ['state_dispatch', 'control'],
  ['component_tree', 'observe'],
  ['component_inspect', 'observe'],
  ['component_of', 'observe'],
  ['request_dom_snapshot', 'observe'],
  ['frame_info', 'observe'],
  ['ready', 'observe'],
  ['settle', 'observe'],
  ['hand', 'observe'],
  ['wait', 'observe'],
  ['locate', 'act'], // scrolls the element into view
  ['foresee', 'act'], // scrolls the element into view
  ['click', 'act'],
  ['type', 'act'],
  ['hover', 'act'],
  ['focus', 'act'],
  ['select', 'act'],
  ['scroll', 'act'],
  ['fill', 'act'],
  ['press', 'act'],
  ['watch', 'observe'],
  ['mouse', 'act'],
  ['drag', 'act'],
  ['through', 'act'], // scrolls the frame into view
  ['dragging', 'act'],
  ['highlight', 'observe'],
  ['ask', 'observe'],
  ['tools_list', 'observe'],
  ['tools_call', 'act'],
  ['record_start', 'observe'],
  ['record_flush', 'observe'],
  ['record_secret', 'observe'],
  ['record_stop', 'observe'],
]);

/** A page that is just loading gets this long to bring up its bridge. */
const BRIDGE_WAIT_MS = 5_000;
/** An aborted bridge gets this long to say what it did. */
const ABORT_GRACE_MS = 250;

interface Pending {
  frame: Frame;
  acted: boolean;
  resolve(result: unknown): void;
  reject(fault: Fault): void;
}

export interface BridgeCall {
  tabId: number;
  frameId: number;
  documentId?: string;
  command: { type: string; [param: string]: unknown };
  timeoutMs: number;
}

export class Calls {
  readonly #pending = new Map<number, Pending>();
  readonly #grants: Grants;
  readonly #frames: () => Frames;
  readonly #asked: () => void;
  readonly #questions: Questions;
  #last = 0;

  /** asked: the person has something to answer. */
  constructor(grants: Grants, frames: () => Frames, questions: Questions, asked: () => void) {
    this.#questions = questions;
    this.#asked = asked;
    this.#grants = grants;
    this.#frames = frames;
  }

  async run(call: BridgeCall): Promise<unknown> {
    const level = LEVELS.get(call.command.type);
    if (level === undefined) {
      throw new Fault('UNKNOWN_TYPE', `A page bridge has no command ${JSON.stringify(call.command.type)}.`);
    }
    this.#grants.require(call.tabId, level);
    const deadline = performance.now() + call.timeoutMs;
    const frame = await this.#frame(call, deadline);
    this.#grants.require(call.tabId, level); // it may have ended while we waited
    if (call.command.type === 'tools_call') this.#requireTools(call.tabId, frame);
    const answer = this.#send(frame, call.command, deadline);
    return call.command.type === 'ask' ? this.#questions.round(call.tabId, call.command, answer) : answer;
  }

  #requireTools(tabId: number, frame: Frame): void {
    try {
      this.#grants.requireTools(tabId, frame.info.url);
    } catch (error) {
      this.#asked();
      throw error;
    }
  }

  /** A command of the worker's own, for the person; no agent can send it. signal ends it early. */
  ask(frame: Frame, command: BridgeCall['command'], ms: number, signal?: AbortSignal): Promise<unknown> {
    this.#grants.require(frame.info.tabId, 'observe');
    return this.#send(frame, command, performance.now() + ms, signal);
  }

  #send(frame: Frame, command: BridgeCall['command'], deadline: number, signal?: AbortSignal): Promise<unknown> {
    const id = ++this.#last;
    return new Promise<unknown>((resolve, reject) => {
      let grace: ReturnType<typeof setTimeout> | undefined;
      const abort = (): void => {
        frame.post({ kind: 'abort', id });
        grace = setTimeout(() => {
          this.#settle(id)?.reject(timeout(pending.acted));
        }, ABORT_GRACE_MS);
      };
      const timer = setTimeout(abort, Math.max(0, deadline - performance.now()));
      signal?.addEventListener('abort', abort, { once: true });
      const finish = (): void => {
        signal?.removeEventListener('abort', abort);
        clearTimeout(timer);
        clearTimeout(grace);
      };
      const pending: Pending = {
        frame,
        acted: false,
        resolve: (result) => {
          finish();
          resolve(result);
        },
        reject: (fault) => {
          finish();
          reject(fault);
        },
      };
      this.#pending.set(id, pending);
      frame.post({ kind: 'call', id, command });
    });
  }

  /** The frame's bridge. A page that is loading is waited for, a document that is gone is not. */
  async #frame(call: BridgeCall, deadline: number): Promise<Frame> {
    const until = Math.min(deadline, performance.now() + BRIDGE_WAIT_MS);
    for (;;) {
      const frame = this.#frames().get(call.tabId, call.frameId);
      if (frame && (call.documentId === undefined || frame.info.documentId === call.documentId)) return frame;
      if (frame) throw documentGone(call, false);
      this.#grants.require(call.tabId, 'observe');
      const left = until - performance.now();
      if (left <= 0) break;
      await this.#frames().change(left);
    }
    if (call.documentId !== undefined) throw documentGone(call, false);
    throw new Fault('NOT_CONNECTED', 'No bridge runs in that frame: the page is still loading, failed to load, or lets no extension in.', {
      details: { tabId: call.tabId, frameId: call.frameId, reason: 'no_bridge' },
      suggestions: ['Wait for the page to load, or send navigate with reload.'],
    });
  }

  /** A message about a call from the frame that it went to. */
  answer(frame: Frame, message: Extract<FromContent, { kind: 'result' | 'fault' | 'acted' }>): void {
    const pending = this.#pending.get(message.id);
    if (!pending || pending.frame !== frame) return;
    switch (message.kind) {
      case 'acted':
        pending.acted = true;
        return;
      case 'result':
        this.#settle(message.id)?.resolve(message.result);
        return;
      case 'fault': {
        const details = pending.acted ? { ...message.details, acted: true } : message.details;
        this.#settle(message.id)?.reject(
          new Fault(message.code, message.message, {
            ...(details ? { details } : {}),
            ...(message.suggestions ? { suggestions: message.suggestions } : {}),
          }),
        );
        return;
      }
    }
  }

  /** The frame's bridge is gone: what waited for it fails now, saying whether it had acted. */
  gone(frame: Frame, reason: FrameGone): void {
    for (const [id, pending] of this.#pending) {
      if (pending.frame !== frame) continue;
      this.#settle(id)?.reject(documentGone({ ...frame.info }, pending.acted, reason));
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

function timeout(acted: boolean): Fault {
  return new Fault('TIMEOUT', 'The page did not answer in time.', { details: { acted } });
}

function documentGone(where: { tabId: number; frameId: number; documentId?: string }, acted: boolean, how?: FrameGone): Fault {
  return new Fault('NAVIGATION_INTERRUPTED', 'The document was replaced or removed before the command was done.', {
    details: { reason: 'DOCUMENT_GONE', acted, tabId: where.tabId, frameId: where.frameId, documentId: where.documentId, ...(how ? { how } : {}) },
    suggestions: ['Take a fresh tree with request_ui_tree and look at the page.'],
  });
}
