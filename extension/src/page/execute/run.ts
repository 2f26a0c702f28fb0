/** The commands of a bridge: from a command's parameters to its result and effect. */
import type { Aftermath, BridgeCommand, BridgeLevel, BridgeResult, Effect, TelemetryMessage } from '../api.ts';
import type { AppWorld } from '../collect/app.ts';
import type { Told } from '../collect/changes.ts';
import type { AskTools } from '../collect/tools.ts';
import type { StateCollector } from '../collect/state.ts';
import { documentHtml } from '../collect/html.ts';
import { frameInfo, ownIndex } from '../dom/frames.ts';
import { isConnected } from '../dom/primordials.ts';
import { secretKind } from '../dom/secret.ts';
import { settleFrame } from '../dom/timing.ts';
import { BridgeFault } from '../fault.ts';
import { componentCommands } from './app-components.ts';
import { recordCommands, stopRecording } from './app-record.ts';
import { readStates, stateCommands } from './app-state.ts';
import { toolCommands } from './app-tools.ts';
import {
  chooseOptions, customOption, customOptions, isChecked, isRadio, verifyOptions, wantedState,
} from './choose.ts';
import { assertEditable, classify, type Control } from './control.ts';
import { deepActive, Watch } from './effect.ts';
import { ofClick, ofEnter, ofSpace } from './foresee.ts';
import { Gate } from './guard.ts';
import { readOutline, readState } from './outline.ts';
import { evaluate, navigate } from './own.ts';
import { hand } from './hand.ts';
import { press } from './keyboard.ts';
import { LayoutCommands } from './layout.ts';
import { Marks } from './marks.ts';
import { readButton, readCount, readModifiers, readValues, scopeOf, type Params } from './params.ts';
import { People } from './people.ts';
import { focus, noModifiers, Pointer } from './pointer.ts';
import { ready } from './ready.ts';
import { readScroll, scroll } from './scroll.ts';
import type { Found, Targets } from './target.ts';
import { through } from './through.ts';
import { place, typeText, valueOf, verifyFilled, verifyTyped, type TextControl } from './typing.ts';
import { check, retry } from './wait.ts';
import { waitFor } from './wait-for.ts';
import { deepElementAt } from '../locate/actionability.ts';
import { candidate, type Candidate } from '../locate/candidates.ts';
import type { UITree } from '../tree/uitree.ts';

export interface Surroundings {
  targets: Targets;
  uiTree: UITree;
  state: StateCollector;
  /** The inspector in the page's own world; undefined where this bridge lives there itself. */
  app: AppWorld | undefined;
  roots(): Iterable<ShadowRoot>;
  level(): BridgeLevel;
  allowEval: boolean;
  /** Asks whoever knows the tools that the page declares. */
  tools: AskTools;
  tree(): Record<string, unknown>;
  consoleHook(on: boolean): void;
  /** An action is over and told so much: gives the number of the last ui_change that goes with it. */
  cut(told: Told): number;
  /** Tells a message of telemetry. */
  post(message: TelemetryMessage): void;
  /** The reader of telemetry is behind. */
  congested(): boolean;
}

type Acted = () => void;
/** A command about the inside of the app. */
export type InsideCommand = (command: BridgeCommand, around: Surroundings, signal: AbortSignal, acted: Acted) => Promise<BridgeResult>;
/** What a command gives; effect only where settling would tell less. */
interface Done { result?: unknown; effect?: Effect }

// locate scrolls and may focus: it acts too.
const acting: ReadonlySet<string> = new Set(['click', 'type', 'hover', 'focus', 'select', 'scroll', 'navigate', 'locate', 'fill', 'through', 'press', 'mouse', 'drag', 'layout_try', 'foresee']);
const inside: Readonly<Record<string, InsideCommand>> = { ...stateCommands, ...componentCommands, ...toolCommands, ...recordCommands };
const openLimit = 3000; // ms for a custom list to open

export class Executor {
  readonly #around: Surroundings;
  readonly #pointer: Pointer;
  readonly #marks = new Marks();
  readonly #gate = new Gate();
  readonly #layout: LayoutCommands;
  readonly #people: People;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#pointer = new Pointer(around.targets.flat);
    this.#layout = new LayoutCommands(around.uiTree, around.targets);
    this.#people = new People(around.uiTree, around.post);
  }

  /** Runs up to the first wait synchronously: console_hook is done when this returns. */
  async execute(command: BridgeCommand, signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    const { type } = command;
    if (type === 'console_hook') {
      this.#around.consoleHook(command.on === true);
      return { result: { on: command.on === true }, effect: 'noop' };
    }
    check(signal);
    if (acting.has(type) && this.#around.level() === 'observe') {
      throw new BridgeFault('CAPABILITY_MISSING', 'The page is connected at level observe; this command acts.', { level: 'act' });
    }
    switch (type) {
      case 'click': return await this.#act(command, 'click', signal, (found) => this.#click(found, command, acted));
      case 'hover': return await this.#act(command, 'hover', signal, (found) => this.#hover(found, acted));
      case 'focus': return await this.#act(command, 'focus', signal, (found) => this.#focus(found, acted));
      case 'type': return await this.#type(command, signal, acted);
      case 'select': return await this.#select(command, signal, acted);
      case 'scroll': return await this.#scroll(command, signal, acted);
      case 'navigate': return { result: navigate(command, acted), effect: 'navigated' };
      case 'evaluate': return await this.#evaluate(command, signal, acted);
      case 'request_ui_tree': return { result: this.#tree(), effect: 'noop' };
      case 'page_state': return { result: readState(this.#around.uiTree), effect: 'noop' };
      case 'outline': return { result: await readOutline(command, this.#around.uiTree, this.#around.targets, signal), effect: 'noop' };
      case 'layout_measure': return { result: await this.#layout.measure({ ...command, changes: [] }, signal), effect: 'noop' };
      case 'layout_try': return { result: await this.#layout.measure(command, signal), effect: 'noop' };
      case 'highlight': return { result: this.#layout.highlight(command, this.#around.level()), effect: 'noop' };
      case 'layout_name': return { result: this.#layout.name(command), effect: 'noop' };
      case 'request_state': return { result: { states: await readStates(this.#around.state, scopeOf(command), signal) }, effect: 'noop' };
      case 'request_dom_snapshot': return { result: documentHtml(this.#around.targets.flat), effect: 'noop' };
      case 'ready': return { result: await ready(command, signal), effect: 'noop' };
      case 'frame_info': return { result: frameInfo(this.#around.uiTree), effect: 'noop' };
      case 'locate': return await this.#locate(command, signal);
      case 'foresee': return { result: await this.#foresee(command, signal), effect: 'noop' };
      case 'settle': return await this.#settle(command, signal);
      case 'fill': return await this.#fill(command, signal, acted);
      case 'press': return await this.#watched(deepActive(), signal, async () => {
        await press(command, signal, acted);
        return { result: {} };
      });
      case 'mouse': return await this.#mouse(command, signal, acted);
      case 'drag': return await this.#act(command, 'click', signal, (found) => this.#drag(found, command, signal, acted));
      case 'watch': return { result: this.#watchAll(command), effect: 'noop' };
      case 'through': return { result: await through(command, this.#around.uiTree), effect: 'noop' };
      case 'dragging': return { result: { dragging: this.#marks.get(command.mark)?.watch.dragging ?? false }, effect: 'noop' };
      case 'landed': return this.#landed(command);
      case 'hand': return await this.#hand(command, signal);
      case 'wait': return { result: await waitFor(command, this.#around, signal), effect: 'noop' };
      default: return await (this.#people.run(command, signal) ?? this.#inside(command, signal, acted));
    }
  }

  /** What looks inside the app. */
  async #inside(command: BridgeCommand, signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    const run = Object.hasOwn(inside, command.type) ? inside[command.type] : undefined;
    if (run === undefined) throw new BridgeFault('UNKNOWN_TYPE', 'The bridge has no such command.');
    return await run(command, this.#around, signal, acted);
  }

  #tree(): Record<string, unknown> {
    const tree = this.#around.tree();
    return { ...tree, frame: frameInfo(this.#around.uiTree, this.#around.uiTree.frames) };
  }

  dispose(): void {
    stopRecording();
    this.#marks.dispose();
    this.#gate.dispose();
    this.#layout.dispose();
    this.#people.dispose();
  }

  // --- acting --------------------------------------------------------------------

  /** Waits for the element, acts on it, waits for the page to be quiet. */
  async #act(params: Params, action: string, signal: AbortSignal, act: (found: Found) => Done | Promise<Done>): Promise<BridgeResult> {
    const found = await this.#around.targets.find(params, action, signal);
    return await this.#watched(found.element, signal, () => act(found), undefined, params.words !== false);
  }

  async #watched(element: Element | null, signal: AbortSignal, act: () => Done | Promise<Done>, verify?: () => void, words: boolean = true): Promise<BridgeResult> {
    const watch = new Watch(element, this.#around, words);
    let done: Done;
    try {
      done = await act();
    } catch (error) {
      watch.stop();
      throw error;
    }
    const settled = await watch.settle(signal);
    verify?.();
    const effect = done.effect ?? settled;
    if (effect !== 'noop') this.#around.state.poll();
    const after = this.#aftermath(watch);
    if (element !== null && isConnected(element)) {
      const { ref, role, name } = candidate(element, this.#around.uiTree, this.#around.uiTree.pass());
      after.target = { ref, role, name };
    }
    return done.result === undefined ? { effect, after } : { result: done.result, effect, after };
  }

  #click(found: Found, params: Params, acted: Acted): Done {
    const button = readButton(params.button);
    const count = readCount(params.count);
    this.#pointer.click(this.#pointer.receiver(found.stand, found.point), found.point, button, count, readModifiers(params.modifiers));
    acted();
    return { result: { ref: found.ref } };
  }

  /** At a place instead of on an element. */
  async #mouse(params: Params, signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    const { x, y } = params;
    if (typeof x !== 'number' || typeof y !== 'number') throw new BridgeFault('VALIDATION_ERROR', 'Give x and y.');
    const at = deepElementAt({ x, y }, this.#around.uiTree);
    if (at === null) throw new BridgeFault('TARGET_OUT_OF_VIEW', 'The place is outside of the viewport.', { x, y });
    return await this.#watched(at, signal, () => {
      if (params.do === 'move') this.#pointer.move(at, { x, y }, noModifiers);
      else this.#pointer.click(at, { x, y }, readButton(params.button), readCount(params.count), readModifiers(params.modifiers));
      acted();
      return { result: {} };
    });
  }

  async #drag(found: Found, params: Params, signal: AbortSignal, acted: Acted): Promise<Done> {
    const { dx, dy, to } = params;
    const from = this.#pointer.receiver(found.stand, found.point);
    let goal = { x: found.point.x + (typeof dx === 'number' ? dx : 0), y: found.point.y + (typeof dy === 'number' ? dy : 0) };
    let over = deepElementAt(goal, this.#around.uiTree) ?? document.documentElement;
    if (to !== undefined) {
      const place = await this.#around.targets.find({ ...params, target: to }, 'hover', signal);
      goal = place.point;
      over = this.#pointer.receiver(place.stand, place.point);
    }
    await this.#pointer.drag(from, found.point, over, goal);
    acted();
    return { result: { ref: found.ref } };
  }

  #hover(found: Found, acted: Acted): Done {
    this.#pointer.move(this.#pointer.receiver(found.stand, found.point), found.point, noModifiers);
    acted();
    return { result: { ref: found.ref } };
  }

  #focus(found: Found, acted: Acted): Done {
    const { element } = found;
    const focused = (element instanceof HTMLElement || element instanceof SVGElement) && focus(element);
    acted();
    if (!focused) throw new BridgeFault('TARGET_NOT_INTERACTABLE', 'The element cannot have the focus.', { check: 'focusable' });
    return { result: { ref: found.ref } };
  }

  async #type(params: Params, signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    const { text, clear } = params;
    if (typeof text !== 'string') throw new BridgeFault('VALIDATION_ERROR', 'text must be a string.');
    const found = await this.#around.targets.find(params, 'type', signal);
    const control = classify(found.element);
    switch (control.kind) {
      case 'select':
      case 'toggle': return await this.#selectFound(found, control, [text], signal, acted);
      case 'other': throw new BridgeFault('TARGET_NOT_INTERACTABLE', 'The element takes no text.', { check: 'editable' });
      default: break;
    }
    const before = valueOf(control.element);
    const result: Record<string, unknown> = { ref: found.ref };
    return await this.#watched(control.element, signal, async () => {
      await typeText(control, text, clear === true, signal, acted);
      return { result };
    }, () => {
      // After settling: a page that sets its field back is found out.
      Object.assign(result, verifyTyped(control, before, text, clear === true));
    });
  }

  /**
   * Makes a field of any kind hold a value. With `trusted` what is better done by real
   * input is only prepared: `pending` says by which, and settle verifies.
   */
  async #fill(params: Params, signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    const { value } = params;
    if (typeof value !== 'string') throw new BridgeFault('VALIDATION_ERROR', 'value must be a string.');
    const trusted = params.trusted === true;
    const found = await this.#around.targets.find(params, 'type', signal);
    const control = classify(found.element);
    const named = { ref: found.ref, role: found.role, name: found.name };
    switch (control.kind) {
      case 'text':
      case 'editable': {
        assertEditable(control);
        const before = valueOf(control.element);
        const verify = (): Record<string, unknown> => verifyFilled(control, before, value);
        if (trusted) {
          const ready = this.#ready(found, control, false, verify);
          await place(control, true);
          return { result: { ...ready, pending: before === '' && value === '' ? 'nothing' : 'text' }, effect: 'noop' };
        }
        const result: Record<string, unknown> = { ...named };
        return await this.#watched(control.element, signal, async () => {
          await typeText(control, value, true, signal, acted);
          return { result };
        }, () => {
          Object.assign(result, verify());
        });
      }
      case 'whole': {
        const result: Record<string, unknown> = { ...named };
        const before = valueOf(control.element);
        return await this.#watched(control.element, signal, async () => {
          await typeText(control, value, true, signal, acted);
          return { result };
        }, () => {
          Object.assign(result, verifyFilled(control, before, value));
        });
      }
      default: {
        const on = isChecked(control.element);
        if (trusted && on !== undefined && on !== wantedState(value) && !(isRadio(control.element) && on)) {
          const wanted = wantedState(value);
          const verify = (): Record<string, unknown> => {
            if (control.element.isConnected && isChecked(control.element) !== wanted) {
              throw new BridgeFault('ACTION_NO_EFFECT', 'The control did not change its state.', { check: 'checked', holds: !wanted });
            }
            return { checked: wanted };
          };
          const aimed = await this.#around.targets.ready(found.element, 'click', signal);
          return { result: { ...this.#ready({ ...aimed, ref: found.ref }, control, true, verify), pending: 'click' }, effect: 'noop' };
        }
        const done = await this.#selectFound(found, control, [value], signal, acted);
        return { ...done, result: { ...(done.result as Record<string, unknown>), ...named } };
      }
    }
  }

  async #select(params: Params, signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    const wanted = readValues(params);
    const found = await this.#around.targets.find(params, 'select', signal);
    return await this.#selectFound(found, classify(found.element), wanted, signal, acted);
  }

  async #selectFound(found: Found, control: Control, wanted: string[], signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    if (control.kind === 'select') {
      assertEditable(control);
      const { element } = control;
      let result: Record<string, unknown> = {};
      return await this.#watched(element, signal, () => {
        result = chooseOptions(element, wanted, acted);
        if (secretKind(element) !== null) return { result: { redacted: secretKind(element) } };
        return { result };
      }, () => verifyOptions(element, result));
    }
    if (isChecked(control.element) !== undefined) return await this.#toggle(found, control.element, wanted, signal, acted);
    if (control.kind === 'text' && control.element.getAttribute('role') !== 'combobox') {
      // A field with suggestions: choosing is typing.
      return await this.#type({ target: { ref: found.ref }, text: wanted[0] ?? '', clear: true }, signal, acted);
    }
    return await this.#chooseCustom(found, wanted, signal, acted);
  }

  async #toggle(found: Found, element: Element, wanted: string[], signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    if (wanted.length !== 1) throw new BridgeFault('VALIDATION_ERROR', 'A checkbox or radio takes one value, true or false.');
    const on = wantedState(wanted[0] ?? '');
    if (isRadio(element) && !on) {
      throw new BridgeFault('VALIDATION_ERROR', 'A radio is switched off by choosing another one of its group.', { check: 'value' });
    }
    if (isChecked(element) === on) return { result: { ref: found.ref, checked: on }, effect: 'noop' };
    return await this.#watched(element, signal, () => {
      this.#click(found, {}, acted);
      return { result: { ref: found.ref, checked: on } };
    }, () => {
      if (element.isConnected && isChecked(element) !== on) {
        throw new BridgeFault('ACTION_NO_EFFECT', 'The control did not change its state.', { check: 'checked' });
      }
    });
  }

  /** Lists made by the page: opens them when they are closed, then clicks the options. */
  async #chooseCustom(found: Found, wanted: string[], signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    const { targets } = this.#around;
    const visible = (): Element[] => customOptions(found.element).filter((option) => option.checkVisibility());
    return await this.#watched(found.element, signal, async () => {
      const labels: string[] = [];
      for (const name of wanted) {
        if (visible().length === 0) this.#click(found, {}, acted);
        const option = await retry(() => {
          const options = visible();
          if (options.length === 0) throw new BridgeFault('TARGET_NOT_INTERACTABLE', 'The element is no list of options.', { check: 'options' });
          return customOption(options, name, targets.nameOf);
        }, new Set(['TARGET_NOT_INTERACTABLE', 'ELEMENT_NOT_FOUND']), openLimit, signal);
        const place = await targets.ready(option, 'click', signal);
        this.#pointer.click(this.#pointer.receiver(place.stand, place.point), place.point, 'left', 1, noModifiers);
        acted();
        labels.push(targets.nameOf(option));
      }
      return { result: { ref: found.ref, labels } };
    });
  }

  async #scroll(params: Params, signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    const request = readScroll(params);
    const { targets } = this.#around;
    const element = params.target === undefined ? null : await targets.resolve(params, signal);
    return await this.#watched(element, signal, async () => {
      const result = scroll(element, request, targets.flat, acted);
      await settleFrame(); // the events of it come with the frame
      return { result };
    });
  }

  async #evaluate(params: Params, signal: AbortSignal, acted: Acted): Promise<BridgeResult> {
    if (!this.#around.allowEval) throw new BridgeFault('EVAL_DISABLED', 'Evaluating scripts is switched off for this page.');
    const code = typeof params.code === 'string' ? params.code : params.expression;
    if (typeof code !== 'string') throw new BridgeFault('VALIDATION_ERROR', 'Give code.');
    return await this.#watched(null, signal, async () => {
      const result = await Promise.race([evaluate(code, acted), aborted(signal)]);
      return { result };
    });
  }

  // --- for trusted input over the debugger -----------------------------------------

  /** Finds and checks the element; a mark lets settle say what happened since. */
  async #locate(params: Params, signal: AbortSignal): Promise<BridgeResult> {
    const action = typeof params.forAction === 'string' && params.forAction !== '' ? params.forAction : 'click';
    const found = await this.#around.targets.find(params, action, signal);
    const { element } = found;
    const control = classify(element);
    if (action === 'type' && (control.kind === 'text' || control.kind === 'editable')) {
      assertEditable(control);
      if (params.prepare === 'append' || params.prepare === 'clear') await place(control, params.prepare === 'clear');
    }
    return { result: this.#ready(found, control, params.guard === true), effect: 'noop' };
  }

  /** What a click (on a target, or at x, y) or a key (on a target, or where the focus is) would set off. */
  async #foresee(params: Params, signal: AbortSignal): Promise<Record<string, unknown>> {
    const { targets, uiTree } = this.#around;
    const { x, y, key } = params;
    let foreseen;
    if (key === 'Enter' || key === ' ') {
      const focused = params.target === undefined ? deepActive() : (await targets.find(params, 'type', signal)).element;
      foreseen = (key === 'Enter' ? ofEnter : ofSpace)(focused, targets.flat);
    } else if (params.target !== undefined) {
      const found = await targets.find(params, 'click', signal);
      foreseen = ofClick(deepElementAt(found.point, uiTree) ?? found.element, targets.flat);
    } else {
      foreseen = ofClick(typeof x === 'number' && typeof y === 'number' ? deepElementAt({ x, y }, uiTree) : null, targets.flat);
    }
    const { submit, download, by } = foreseen;
    const { role, name } = by === null ? {} as Partial<Candidate> : candidate(by, uiTree, uiTree.pass());
    return { submit, download, role, name };
  }

  /** What the debugger has to know of an element that is ready, and the mark of now. */
  #ready(found: Found, control: Control, guarded: boolean, verify?: () => Record<string, unknown>): Record<string, unknown> {
    const { element } = found;
    const guard = guarded ? this.#gate.guard(found, this.#around.uiTree) : undefined;
    return {
      ...this.#around.targets.describe(found), control: control.kind, secret: secretKind(element) ?? undefined,
      frame: parent === window ? undefined : ownIndex(), hidden: document.hidden || undefined, lands: guarded || undefined,
      mark: this.#marks.add({ watch: new Watch(element, this.#around), guard, verify }),
    };
  }

  /** For the debugger: an element of this frame, or only which frame this is. */
  async #hand(params: Params, signal: AbortSignal): Promise<BridgeResult> {
    const element = params.target === undefined ? null : await this.#around.targets.resolve(params, signal);
    hand(params.token, element, this.#around.uiTree, params.of === undefined ? [] : this.#layout.elements(params));
    return { result: {}, effect: 'noop' };
  }

  /** Watches the page for input that is about no element. */
  #watchAll({ x, y }: Params): Record<string, unknown> {
    const active = typeof x === 'number' && typeof y === 'number' ? deepElementAt({ x, y }, this.#around.uiTree) : deepActive();
    const target = active === document.body ? null : active;
    const named = target === null ? {} : candidate(target, this.#around.uiTree, this.#around.uiTree.pass());
    const { ref, role, name } = named as Partial<Candidate>;
    const viewport = { width: innerWidth, height: innerHeight };
    return { ref, role, name, point: { x: 0, y: 0 }, viewport, hidden: document.hidden || undefined, mark: this.#marks.add({ watch: new Watch(target, this.#around) }) };
  }

  #landed(params: Params): BridgeResult {
    this.#marks.get(params.mark)?.guard?.delivered();
    return { result: {}, effect: 'noop' };
  }

  async #settle(params: Params, signal: AbortSignal): Promise<BridgeResult> {
    const id = params.sinceMark ?? params.mark;
    const mark = this.#marks.get(id);
    if (mark === undefined) {
      await new Watch(null, this.#around).settle(signal);
      return { effect: 'unknown' };
    }
    const keep = params.keep === true;
    try {
      const { watch, guard, verify } = mark;
      if (typeof params.landing === 'number') await guard?.landed(params.landing, signal);
      if (guard?.missed !== undefined) {
        const { selector, role, name, ref } = candidate(guard.missed, this.#around.uiTree, this.#around.uiTree.pass());
        throw new BridgeFault('TARGET_OBSCURED', 'Another element came over the target just before the press; nothing was pressed.', {
          coveredBy: { selector, role, name, ref }, pressed: false,
        });
      }
      const effect = await watch.settle(signal, keep, params.again === true);
      if (effect !== 'noop') this.#around.state.poll();
      return { result: { ...afterwards(watch.target), ...verify?.() }, effect, after: this.#aftermath(watch) };
    } finally {
      if (keep) this.#marks.keep(id);
      else this.#marks.end(id);
    }
  }

  #aftermath(watch: Watch): Aftermath {
    const told = watch.words();
    const out: Aftermath = { mutations: watch.mutations, batch: this.#around.cut(told) };
    if (told.changes.length > 0) out.changes = told.changes;
    if (told.more > 0) out.more = told.more;
    const { focused, moved } = watch;
    if (moved !== undefined) out.url = moved;
    if (focused !== null) {
      const { ref, role, name } = candidate(focused, this.#around.uiTree, this.#around.uiTree.pass());
      out.focused = { ref, role, name };
    }
    return out;
  }
}

/** What may be told of the control after the deed. */
function afterwards(element: Element | null): Record<string, unknown> {
  if (element === null) return {};
  if (!element.isConnected) return { connected: false };
  const control = classify(element);
  const out: Record<string, unknown> = { connected: true };
  const checked = isChecked(element);
  if (checked !== undefined) out.checked = checked;
  const secret = secretKind(element);
  if (secret !== null) out.redacted = secret;
  else if (control.kind === 'text' || control.kind === 'whole' || control.kind === 'editable') {
    const value = valueOf((control as TextControl).element);
    out.value = value.length > 1000 ? `${value.slice(0, 1000).toWellFormed()}…` : value;
  } else if (control.kind === 'select') out.values = Array.from(control.element.selectedOptions).map((option) => option.value);
  return out;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      try {
        check(signal);
      } catch (error) {
        reject(error);
      }
    }, { once: true });
  });
}
