/**
 * "Show this to the agent": the person points at an element of a connected tab, in any of
 * its frames, and may write a note. The bridges lay the sheets; here is who comes first.
 */
import type { Calls } from './calls.ts';
import { messageOf } from './fault.ts';
import type { Frame, Frames } from './frames.ts';
import type { Grants } from './grants.ts';

/** As long may the person point, and as long write. */
const PATIENCE_MS = 5 * 60_000;
const TELL_MS = 10_000;

interface Picked {
  picked?: boolean;
  label?: string;
}

interface Noted {
  answer?: string;
  words?: string;
}

export class Picks {
  readonly #running = new Map<number, AbortController>();
  readonly #calls: Calls;
  readonly #frames: Frames;
  readonly #grants: Grants;

  constructor(calls: Calls, frames: Frames, grants: Grants) {
    this.#calls = calls;
    this.#frames = frames;
    this.#grants = grants;
  }

  /** Whether there is a connected page to point at. */
  possible(tabId: number): boolean {
    return this.#grants.get(tabId)?.paused === null;
  }

  /** Lets the person point. A second start begins anew. */
  async start(tabId: number): Promise<void> {
    await this.#once(tabId, async (signal) => {
      const others = new AbortController();
      const stop = AbortSignal.any([signal, others.signal]);
      const frames = this.#frames.of(tabId);
      // Only the first that the person did something in counts; frames may also go away meanwhile.
      const first = await Promise.any(frames.map(async (frame) => {
        const done = await this.#ask<Picked>(frame, { type: 'pick' }, PATIENCE_MS, stop);
        if (stop.aborted) throw new Error('over');
        return { frame, done };
      })).catch(() => null);
      others.abort();
      if (first?.done.picked === true) await this.#tell(first.frame, first.done.label ?? '', signal);
    });
  }

  /** Takes the element that the context menu was opened on. */
  async here(tabId: number, frameId: number): Promise<void> {
    await this.#once(tabId, async (signal) => {
      const frame = this.#frames.get(tabId, frameId);
      if (frame === undefined) return;
      const done = await this.#ask<Picked>(frame, { type: 'pick_here' }, TELL_MS, signal);
      if (done.picked === true) await this.#tell(frame, done.label ?? '', signal);
    });
  }

  /** Asks for the note, in the main frame: a child may be too small for it. */
  async #tell(frame: Frame, label: string, signal: AbortSignal): Promise<void> {
    const main = this.#frames.get(frame.info.tabId, 0);
    let noted: Noted = { answer: 'done' };
    try {
      if (main !== undefined) noted = await this.#ask<Noted>(main, { type: 'note', text: label || 'element' }, PATIENCE_MS, signal);
    } catch (error) {
      noted = { answer: 'cannot' };
      console.debug('no note', messageOf(error));
    }
    const off = noted.answer !== 'done' || signal.aborted;
    await this.#ask(frame, { type: 'pick_tell', off, note: noted.words ?? '' }, TELL_MS);
  }

  async #once(tabId: number, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running.get(tabId)?.abort();
    if (!this.possible(tabId)) return;
    const own = new AbortController();
    this.#running.set(tabId, own);
    try {
      await run(own.signal);
    } catch (error) {
      console.debug('nothing picked', messageOf(error)); // the page went away
    } finally {
      if (this.#running.get(tabId) === own) this.#running.delete(tabId);
    }
  }

  async #ask<T>(frame: Frame, command: { type: string; [param: string]: unknown }, ms: number, signal?: AbortSignal): Promise<T> {
    const answer = (await this.#calls.ask(frame, command, ms, signal)) as { result?: T };
    return answer.result ?? ({} as T);
  }
}
