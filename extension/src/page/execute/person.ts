/** Questions to the person in front of the page, and the note to what they pointed at. */
import { BridgeFault } from '../fault.ts';
import { startTimer, stopTimer } from '../dom/primordials.ts';
import type { BridgeResult } from '../api.ts';
import type { Params } from './params.ts';
import { Panel, type Said } from './panel.ts';

const maxText = 2000; // characters
const maxChoices = 8;
const maxChoice = 80; // characters
const maxRound = 10_000; // ms
/** A question that nobody asks again for so long has lost its asker, ms. */
const orphaned = 20_000;
const keptAnswers = 8;
const cornerOf = { ask: 0, note: 3 };

interface Asked {
  id: string;
  panel: Panel;
  orphan: number;
}

export class Person {
  #asked: Asked | undefined;
  readonly #answers = new Map<string, Said>(); // given while nobody was asking
  readonly #notes = new Set<Panel>();

  /**
   * One round of a question. Parameters: id, text, choices?, waitMs (of this round); or id
   * and off. A page that comes in between is asked anew, so a question outlives its document.
   */
  async ask(params: Params, signal: AbortSignal): Promise<BridgeResult> {
    const id = readText(params.id, 'id', 64);
    if (params.off === true) {
      this.#answers.delete(id);
      if (this.#asked?.id === id) this.#end(this.#asked);
      return { result: {}, effect: 'noop' };
    }
    const text = readText(params.text, 'text', maxText);
    const choices = readChoices(params.choices);
    const limit = typeof params.waitMs === 'number' ? Math.min(Math.max(params.waitMs, 0), maxRound) : 0;
    const early = this.#answers.get(id);
    if (early !== undefined) {
      this.#answers.delete(id);
      return { result: early, effect: 'noop' };
    }
    const other = this.#asked;
    if (other !== undefined && other.id !== id) { // one question at a time
      await within(other.panel.said, limit, signal);
      return { result: { queued: true }, effect: 'noop' };
    }
    const asked = other ?? this.#begin(id, text, choices);
    asked.panel.show();
    stopTimer(asked.orphan);
    asked.orphan = startTimer(() => this.#end(asked), limit + orphaned);
    await within(asked.panel.said, limit, signal);
    const said = this.#answers.get(id);
    this.#answers.delete(id);
    return { result: said ?? { visible: asked.panel.visible }, effect: 'noop' };
  }

  /** Asks what is to be said of an element. Parameters: text. */
  async note(params: Params, signal: AbortSignal): Promise<BridgeResult> {
    const panel = new Panel({
      heading: 'Show this to the agent', text: readText(params.text, 'text', maxText), placeholder: 'What should the agent know? (optional)',
      buttons: [{ label: 'Send', says: { answer: 'done' } }, { label: 'Cancel', says: { answer: 'cannot' } }],
      enter: true, escape: { answer: 'cannot' }, focus: true, corner: cornerOf.note,
    });
    this.#notes.add(panel);
    const abort = (): void => panel.close();
    signal.addEventListener('abort', abort);
    const said = await panel.said;
    signal.removeEventListener('abort', abort);
    this.#notes.delete(panel);
    return { result: said ?? { answer: 'cannot' }, effect: 'noop' };
  }

  dispose(): void {
    if (this.#asked !== undefined) this.#end(this.#asked);
    for (const panel of this.#notes) panel.close();
  }

  #begin(id: string, text: string, choices: readonly string[]): Asked {
    const buttons: { label: string; says: Said }[] = choices.map((choice) => ({ label: choice, says: { answer: 'choice', choice } }));
    if (buttons.length === 0) buttons.push({ label: 'Done', says: { answer: 'done' } });
    buttons.push({ label: 'Can’t', says: { answer: 'cannot' } });
    const panel = new Panel({
      heading: 'An agent asks you', text, buttons, placeholder: 'Answer (optional)', enter: choices.length === 0, focus: false, corner: cornerOf.ask,
    });
    const asked: Asked = { id, panel, orphan: 0 };
    this.#asked = asked;
    void panel.said.then((said) => {
      stopTimer(asked.orphan);
      if (this.#asked === asked) this.#asked = undefined;
      if (said === null) return;
      this.#answers.set(id, said);
      for (const oldest of this.#answers.keys()) if (this.#answers.size > keptAnswers) this.#answers.delete(oldest);
    });
    return asked;
  }

  #end(asked: Asked): void {
    stopTimer(asked.orphan);
    if (this.#asked === asked) this.#asked = undefined;
    asked.panel.close();
  }
}

/** Waits for what was said, ms at most. */
async function within(said: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  let over: (() => void) | undefined;
  const time = new Promise<void>((done) => {
    const timer = startTimer(done, ms);
    over = () => {
      stopTimer(timer);
      done();
    };
    signal.addEventListener('abort', over);
  });
  await Promise.race([said, time]);
  if (over === undefined) return;
  signal.removeEventListener('abort', over);
  over();
}

function readText(value: unknown, name: string, most: number): string {
  if (typeof value !== 'string' || value === '') throw new BridgeFault('VALIDATION_ERROR', `${name} must be a text.`);
  return value.slice(0, most).toWellFormed();
}

function readChoices(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > maxChoices) throw new BridgeFault('VALIDATION_ERROR', `choices must be a list of ${maxChoices} at most.`);
  return value.map((choice) => readText(choice, 'a choice', maxChoice));
}
