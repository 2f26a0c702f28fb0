// Changes that are tried for the time of one measurement, and what was measured before.
import { attr, documentElement, rectOf, styleOf } from '../dom/primordials.ts';
import { BridgeFault } from '../fault.ts';

/** A change for the time of one measurement. */
export interface Change {
  index: number; // in the measurement before
  property: string;
  value: string; // of an attribute, null takes it away
  attribute: boolean;
}

export interface Order {
  target?: Element;
  /** As it will be when the animations have ended. */
  end: boolean;
  changes: readonly Change[];
  /** The measurement whose indices the changes are of. */
  before: Measurement | undefined;
}

/** What an agent may ask about after a measurement. */
export class Measurement {
  constructor(readonly elements: readonly WeakRef<Element>[]) {}

  at(index: number): Element {
    const element = this.elements[index]?.deref();
    if (element === undefined || !element.isConnected) throw new BridgeFault('TARGET_STALE', 'The element that was measured is gone.', { reason: 'removed' });
    return element;
  }
}

/** Puts the changes on the page for as long as nothing else runs in it. Returns the undo. */
export function apply(order: Order): () => void {
  const undo: (() => void)[] = [];
  const back = (): void => {
    for (const step of undo.reverse()) step();
  };
  try {
    if (order.end) {
      for (const animation of document.getAnimations()) {
        if (!(animation.effect instanceof KeyframeEffect) || !(animation.timeline instanceof DocumentTimeline) || animation.playState !== 'running') continue;
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
      // Values must be there at once, and be gone at once.
      const still = new CSSStyleSheet();
      still.replaceSync('*,*::before,*::after{transition:none!important}');
      const sheets = document.adoptedStyleSheets;
      document.adoptedStyleSheets = [...sheets, still];
      const root = documentElement(document);
      undo.push(() => {
        if (root !== null) void rectOf(root); // the styles of everything, while nothing may begin to move
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
      });
      for (const change of order.changes) undo.push(put(change, order.before));
    }
  } catch (error) {
    back();
    throw error;
  }
  return back;
}

/** Transitions that run go on while no new one may start. Returns the undo. */
function keepTransitions(changed: ReadonlySet<Element | undefined>): () => void {
  const styled = new Map<HTMLElement | SVGElement, string | null>();
  for (const { effect } of document.getAnimations().filter((animation) => animation instanceof CSSTransition)) {
    if (!(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) continue;
    const { target } = effect;
    if (!(target instanceof HTMLElement || target instanceof SVGElement) || changed.has(target) || styled.has(target)) continue;
    styled.set(target, attr(target, 'style'));
    target.style.setProperty('transition', styleOf(target).transition, 'important');
  }
  return () => {
    for (const [element, style] of styled) {
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
    }
  };
}

function put({ index, property, value, attribute }: Change, before: Measurement | undefined): () => void {
  if (before === undefined) throw new BridgeFault('TARGET_STALE', 'What was measured is forgotten; measure again.', { reason: 'measurement' });
  const element = before.at(index);
  const name = attribute ? property : 'style';
  const old = attr(element, name);
  if (attribute) {
    // Nothing that runs or loads.
    if (!['hidden', 'inert', 'open', 'aria-hidden', 'tabindex', 'width', 'height', 'class', 'slot'].includes(property)) {
      throw new BridgeFault('VALIDATION_ERROR', 'This attribute cannot be tried.', { attribute: property });
    }
    if (value === '(remove)') element.removeAttribute(property);
    else element.setAttribute(property, value);
  } else if (element instanceof HTMLElement || element instanceof SVGElement) element.style.setProperty(property, value, 'important');
  return () => {
    if (old === null) element.removeAttribute(name);
    else element.setAttribute(name, old);
  };
}

