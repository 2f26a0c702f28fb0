/**
 * The person points at an element, to show it to the agent: a sheet over the frame takes
 * the pointer, so the page hears of nothing; what is under it is outlined and named. Each
 * frame has a sheet of its own, and lets the pointer through to those of the frames in it.
 */
import type { BridgeResult, TelemetryMessage } from '../api.ts';
import { dropOwn, putOwn } from '../dom/own.ts';
import { cancelFrame, documentElement, isConnected, localName, nextFrame, rectOf, styleOf } from '../dom/primordials.ts';
import { BridgeFault } from '../fault.ts';
import { deepElementAt } from '../locate/actionability.ts';
import { candidate, lookOf } from '../locate/candidates.ts';
import type { UITree } from '../tree/uitree.ts';
import { create, styled } from './drawing.ts';
import type { Params } from './params.ts';

type End = 'picked' | 'cancelled';

const tag = 'debug-bridge-pick';
const colour = '#1f5fc9';
const labelHeight = 20;
const maxNote = 4000; // characters
const maxValue = 160; // characters of a style's value
const pointer = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', 'pointermove', 'mousemove', 'pointerover', 'mouseover', 'pointerout', 'mouseout', 'dragstart', 'selectstart'] as const;
const keys = ['keydown', 'keypress', 'keyup'] as const;
/** Whose content has a bridge of its own. */
const frames: ReadonlySet<string> = new Set(['iframe', 'frame']);

/** What tells most of an element's looks, and the values that tell nothing. */
const telling: readonly (readonly [property: string, ...plain: string[]])[] = [
  ['display'], ['position', 'static'], ['z-index', 'auto'], ['color'], ['background-color', 'rgba(0, 0, 0, 0)'], ['background-image', 'none'],
  ['font-family'], ['font-size'], ['font-weight', '400'], ['line-height', 'normal'], ['text-align', 'start'], ['margin', '0px'], ['padding', '0px'],
  ['border', '0px none rgb(0, 0, 0)'], ['border-radius', '0px'], ['box-shadow', 'none'], ['opacity', '1'], ['visibility', 'visible'],
  ['overflow', 'visible'], ['transform', 'none'], ['cursor', 'auto'], ['pointer-events', 'auto'],
];
const flexing: readonly (readonly [string, ...string[]])[] = [
  ['flex-direction', 'row'], ['justify-content', 'normal'], ['align-items', 'normal'], ['gap', 'normal'], ['grid-template-columns', 'none'],
];

export class Picker {
  readonly #tree: UITree;
  readonly #tell: (message: TelemetryMessage) => void;
  #menu: WeakRef<Element> | undefined; // what the context menu was opened on last
  #host: HTMLElement | undefined;
  #box = create('div');
  #label = create('div');
  #element: Element | null = null;
  #chosen = false;
  #frame = 0;
  #end: ((how: End) => void) | undefined;

  constructor(tree: UITree, tell: (message: TelemetryMessage) => void) {
    this.#tree = tree;
    this.#tell = tell;
    // From the start: ahead of the page's own listeners.
    for (const type of pointer) addEventListener(type, this.#onPointer, true);
    for (const type of keys) addEventListener(type, this.#onKey, true);
  }

  /** Lets the person point. Ends when they have, or gave up. */
  async pick(signal: AbortSignal): Promise<BridgeResult> {
    this.#finish('cancelled');
    this.#clear();
    this.#lay(true);
    const how = await new Promise<End>((done) => {
      this.#end = done;
      signal.addEventListener('abort', () => {
        this.#clear();
        done('cancelled');
      });
    });
    this.#end = undefined;
    if (how === 'cancelled' || this.#element === null) {
      this.#clear();
      return { result: { picked: false }, effect: 'noop' };
    }
    return { result: { picked: true, label: this.#words(this.#element) }, effect: 'noop' };
  }

  /** Takes the element that the context menu was opened on. */
  here(): BridgeResult {
    const element = this.#menu?.deref();
    if (element === undefined || !isConnected(element)) throw new BridgeFault('ELEMENT_NOT_FOUND', 'The element is not in the page any more.');
    this.#finish('cancelled');
    this.#clear();
    this.#lay(false);
    this.#element = element;
    this.#follow();
    return { result: { picked: true, label: this.#words(element) }, effect: 'noop' };
  }

  /** Tells the agent of what was picked. Parameters: note?, or off. */
  tell(params: Params): BridgeResult {
    const element = this.#element;
    this.#clear();
    if (params.off === true) return { result: {}, effect: 'noop' };
    if (element === null || !isConnected(element)) throw new BridgeFault('ELEMENT_NOT_FOUND', 'The element is not in the page any more.');
    const note = typeof params.note === 'string' ? params.note.slice(0, maxNote).toWellFormed() : '';
    const { x, y, width, height } = rectOf(element);
    this.#tell({
      type: 'picked', timestamp: Date.now(), ...candidate(element, this.#tree, this.#tree.pass()), tag: localName(element),
      ...(note === '' ? {} : { note }), bounds: { x, y, width, height }, styles: stylesOf(element),
    });
    return { result: {}, effect: 'noop' };
  }

  dispose(): void {
    for (const type of pointer) removeEventListener(type, this.#onPointer, true);
    for (const type of keys) removeEventListener(type, this.#onKey, true);
    this.#finish('cancelled');
    this.#clear();
  }

  #finish(how: End): void {
    this.#end?.(how);
    this.#end = undefined;
  }

  #lay(sheet: boolean): void {
    const root = documentElement(document);
    if (root === null) throw new BridgeFault('ELEMENT_NOT_FOUND', 'The document is empty.');
    const host = styled(create(tag), {
      all: 'initial', position: 'fixed', display: 'block', inset: '0', margin: '0', padding: '0', border: '0', background: 'none', overflow: 'clip',
      width: '100%', height: '100%', 'max-width': 'none', 'max-height': 'none', 'z-index': '2147483647', direction: 'ltr', cursor: 'crosshair',
      'pointer-events': sheet ? 'auto' : 'none',
    });
    host.setAttribute('aria-hidden', 'true');
    this.#box = styled(create('div'), {
      position: 'absolute', 'box-sizing': 'border-box', display: 'none', border: `2px solid ${colour}`, background: 'rgb(31 95 201 / 14%)', 'pointer-events': 'none',
    });
    this.#label = styled(create('div'), {
      position: 'absolute', display: 'none', background: colour, color: '#fff', font: `12px/${labelHeight}px system-ui, sans-serif`, padding: '0 6px',
      'white-space': 'nowrap', 'max-width': '90%', overflow: 'hidden', 'text-overflow': 'ellipsis', 'pointer-events': 'none',
    });
    host.attachShadow({ mode: 'closed' }).append(this.#box, this.#label);
    putOwn(host);
    root.append(host);
    host.setAttribute('popover', 'manual');
    host.showPopover();
    this.#host = host;
    this.#chosen = !sheet;
    this.#element = null;
  }

  #clear(): void {
    cancelFrame(this.#frame);
    this.#element = null;
    this.#chosen = false;
    if (this.#host === undefined) return;
    this.#host.remove();
    dropOwn(this.#host);
    this.#host = undefined;
  }

  /** The person is pointing now. */
  get #pointing(): boolean {
    return this.#host !== undefined && !this.#chosen;
  }

  readonly #onPointer = (event: Event): void => {
    if (!event.isTrusted || !(event instanceof MouseEvent)) return;
    if (event.type === 'contextmenu' && !this.#pointing) {
      const at = deepElementAt({ x: event.clientX, y: event.clientY }, this.#tree) ?? event.target;
      this.#menu = at instanceof Element ? new WeakRef(at) : undefined;
      return;
    }
    if (!this.#pointing) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    switch (event.type) {
      case 'pointermove': this.#point(event); break;
      case 'pointerout': if (event.relatedTarget === null) this.#outline(null); break;
      case 'click':
        this.#point(event);
        this.#choose();
        break;
      default: break;
    }
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (!this.#pointing || !event.isTrusted) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (event.type !== 'keydown') return;
    switch (event.key) {
      case 'Escape': this.#finish('cancelled'); break;
      case 'Enter': this.#choose(); break;
      // What is around it, when it cannot be pointed at.
      case 'ArrowUp': if (this.#element !== null) this.#outline(this.#tree.flat.composedParent(this.#element) ?? this.#element); break;
      default: break;
    }
  };

  #point({ clientX: x, clientY: y }: MouseEvent): void {
    const host = this.#host;
    if (host === undefined) return;
    styled(host, { 'pointer-events': 'none' });
    const under = deepElementAt({ x, y }, this.#tree);
    const through = under !== null && frames.has(localName(under));
    if (!through) styled(host, { 'pointer-events': 'auto' });
    this.#outline(through ? null : under);
  }

  #choose(): void {
    if (this.#element === null || this.#host === undefined) return;
    this.#chosen = true;
    styled(this.#host, { 'pointer-events': 'none' });
    this.#finish('picked');
  }

  #outline(element: Element | null): void {
    if (element === this.#element) return;
    this.#element = element;
    this.#label.textContent = element === null ? '' : this.#words(element);
    cancelFrame(this.#frame);
    this.#follow();
  }

  readonly #follow = (): void => {
    if (this.#host === undefined) return;
    const rect = this.#element !== null && isConnected(this.#element) ? rectOf(this.#element) : null;
    const display = rect === null ? 'none' : 'block';
    styled(this.#box, { display });
    styled(this.#label, { display });
    if (rect === null) return;
    if (this.#label.textContent === '' && this.#element !== null) this.#label.textContent = this.#words(this.#element);
    styled(this.#box, { left: `${rect.x}px`, top: `${rect.y}px`, width: `${Math.max(rect.width, 4)}px`, height: `${Math.max(rect.height, 4)}px` });
    const over = rect.y >= labelHeight ? rect.y - labelHeight : Math.min(rect.bottom, innerHeight - labelHeight);
    styled(this.#label, { left: `${Math.max(0, Math.min(rect.x, innerWidth - this.#label.offsetWidth))}px`, top: `${Math.max(0, over)}px` });
    this.#frame = nextFrame(this.#follow);
  };

  #words(element: Element): string {
    const { role, name } = lookOf(element, this.#tree, this.#tree.pass());
    const { width, height } = rectOf(element);
    const what = role === 'generic' ? localName(element) : role;
    return `${what}${name === '' ? '' : ` "${name.slice(0, 60).toWellFormed()}"`} ${Math.round(width)} × ${Math.round(height)}`;
  }
}

function stylesOf(element: Element): Record<string, string> {
  const computed = styleOf(element);
  const found: Record<string, string> = {};
  const lays = /flex|grid/.test(computed.getPropertyValue('display'));
  for (const [property, ...plain] of lays ? [...telling, ...flexing] : telling) {
    const value = computed.getPropertyValue(property);
    if (value !== '' && !plain.includes(value) && !value.startsWith('0px none')) found[property] = value.slice(0, maxValue).toWellFormed();
  }
  return found;
}
