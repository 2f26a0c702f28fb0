/** From a command's target to an element that can be acted on, within the waiting time. */
import { BridgeFault } from '../fault.ts';
import type { FlatTree } from '../dom/flat.ts';
import { actionability, offsetPoint, type ActionKind, type Actionable } from '../locate/actionability.ts';
import { candidate } from '../locate/candidates.ts';
import { resolve, type Target } from '../locate/target.ts';
import type { UITree } from '../tree/uitree.ts';
import { controlOf } from './control.ts';
import type { Point } from './pointer.ts';
import { retry } from './wait.ts';

const waitLimit = 5000; // ms for the element to be there and ready, when the command says nothing
const maxWait = 300_000; // ms

export interface Found {
  element: Element;
  /** What takes the pointer: the element, or the label of a control that style hides. */
  stand: Element;
  point: Point;
  bounds: Actionable['bounds'];
  checks: Actionable['checks'];
  ref: string;
  role: string;
  name: string;
}

// What may pass by itself while the page goes on.
const passing: ReadonlySet<string> = new Set(['ELEMENT_NOT_FOUND', 'TARGET_NOT_INTERACTABLE', 'TARGET_OBSCURED', 'TARGET_OUT_OF_VIEW']);
const missing: ReadonlySet<string> = new Set(['ELEMENT_NOT_FOUND']);
const actions: ReadonlySet<string> = new Set<ActionKind>(['click', 'hover', 'type', 'focus', 'select', 'scroll']);
// A label stands for its control here; a click goes where it was aimed.
const onControl: ReadonlySet<string> = new Set(['type', 'focus', 'select']);

export class Targets {
  readonly flat: FlatTree;

  constructor(private readonly tree: UITree) {
    this.flat = tree.flat;
  }

  /** The element alone, without the checks of an action. */
  resolve(params: Record<string, unknown>, signal: AbortSignal): Promise<Element> {
    const target = readTarget(params.target);
    return retry(() => resolve(target, this.tree), missing, limitOf(params), signal);
  }

  async find(params: Record<string, unknown>, action: string, signal: AbortSignal): Promise<Found> {
    const target = readTarget(params.target);
    const kind = readAction(action);
    return await retry(async () => {
      const named = resolve(target, this.tree);
      const found = await this.#ready(onControl.has(kind) ? controlOf(named, this.flat) : named, kind, signal, params.steady === true);
      const { offset } = params;
      if (typeof offset !== 'object' || offset === null) return found;
      return { ...found, point: offsetPoint(found.stand, found.element, offset, this.tree) };
    }, passing, limitOf(params), signal);
  }

  /** Checks of an element already known. */
  ready(element: Element, action: ActionKind, signal: AbortSignal): Promise<Found> {
    return retry(() => this.#ready(element, action, signal), passing, waitLimit, signal);
  }

  readonly nameOf = (element: Element): string => this.tree.pass().names.describe(element).name;

  describe(found: Found): Record<string, unknown> {
    const { ref, role, name, point, bounds, checks } = found;
    return { ref, role, name, point, bounds, checks };
  }

  async #ready(element: Element, action: ActionKind, signal: AbortSignal, steady: boolean = false): Promise<Found> {
    const ready = await actionability(element, action, this.tree, signal, steady);
    const { ref, role, name } = candidate(element, this.tree, this.tree.pass());
    return { element, stand: ready.element, point: ready.point, bounds: ready.bounds, checks: ready.checks, ref, role, name };
  }
}

function limitOf(params: Record<string, unknown>): number {
  const { waitMs } = params;
  return typeof waitMs === 'number' && waitMs >= 0 ? Math.min(waitMs, maxWait) : waitLimit;
}

function readAction(action: string): ActionKind {
  if (!actions.has(action)) throw new BridgeFault('VALIDATION_ERROR', 'forAction must be click, hover, type, focus, select or scroll.');
  return action as ActionKind;
}

const keys = ['ref', 'stableId', 'id', 'selector', 'text', 'role', 'name'] as const;

function readTarget(value: unknown): Target {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BridgeFault('VALIDATION_ERROR', 'Give a target.');
  const given = value as Record<string, unknown>;
  const target: Target = {};
  for (const key of keys) {
    const word = given[key];
    if (word === undefined) continue;
    if (typeof word !== 'string') throw new BridgeFault('VALIDATION_ERROR', `target.${key} must be a string.`);
    target[key] = word;
  }
  return target;
}
