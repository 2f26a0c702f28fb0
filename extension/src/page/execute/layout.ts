/** The measuring of layout as commands: the host keeps the rules. */
import type { BridgeLevel } from '../api.ts';
import { BridgeFault } from '../fault.ts';
import type { Change, Measurement } from '../layout/apply.ts';
import { measure, nameMeasured } from '../layout/measure.ts';
import { Drawing, type Drawn } from './drawing.ts';
import type { UITree } from '../tree/uitree.ts';
import type { Params } from './params.ts';
import type { Targets } from './target.ts';

const kept = 8; // measurements whose elements can be named
const maxDrawn = 600; // twice the findings of one answer, about

export class LayoutCommands {
  readonly #measured = new Map<number, Measurement>();
  readonly #drawing: Drawing;
  #next = 1;

  constructor(
    private readonly tree: UITree,
    private readonly targets: Targets,
  ) {
    this.#drawing = new Drawing(tree.flat);
  }

  /** Parameters: target?, end (as when animations have ended), changes (tried for this measurement), of (the measurement they are of). */
  async measure(params: Params, signal: AbortSignal): Promise<Record<string, unknown>> {
    const target = params.target === undefined ? undefined : await this.targets.resolve({ target: params.target, waitMs: params.waitMs }, signal);
    const { snapshot, measurement, frame } = measure(
      { ...(target === undefined ? {} : { target }), end: params.end === true, changes: readChanges(params.changes), before: this.#measured.get(Number(params.of)) },
      this.tree,
    );
    // What was tried is over: only the page as it is has elements to name.
    if (params.of !== undefined) return { id: 0, snapshot, frame };
    const id = this.#next;
    this.#next += 1;
    this.#measured.set(id, measurement);
    this.#measured.delete(id - kept);
    return { id, snapshot, frame };
  }

  /** Parameters: of, nodes (indices). */
  name(params: Params): Record<string, unknown> {
    return { nodes: nameMeasured(readNodes(params), this.#of(params), this.tree), refs: this.tree.refs.next - 1 };
  }

  /** The same parameters: the elements themselves, for the debugger. */
  elements(params: Params): Element[] {
    const measurement = this.#of(params);
    return readNodes(params).map((index) => measurement.at(Number(index)));
  }

  /** Parameters: of, marks (node, label, kind), scroll; or off. */
  highlight(params: Params, level: BridgeLevel): Record<string, unknown> {
    if (params.off === true) {
      this.#drawing.clear();
      return {};
    }
    if (params.scroll === true && level === 'observe') throw new BridgeFault('CAPABILITY_MISSING', 'The page is connected at level observe; scrolling acts.', { level: 'act' });
    const { marks } = params;
    if (!Array.isArray(marks) || marks.length > maxDrawn) throw new BridgeFault('VALIDATION_ERROR', 'marks must be a list.');
    const measurement = this.#of(params);
    const drawn = marks.map((given: Record<string, unknown>): Drawn => ({
      element: measurement.at(Number(given.node)),
      label: String(given.label).slice(0, 120).toWellFormed(),
      kind: String(given.kind),
    }));
    this.#drawing.show(drawn, params.scroll === true);
    return { shown: drawn.length };
  }

  dispose(): void {
    this.#drawing.clear();
  }

  #of(params: Params): Measurement {
    const measurement = this.#measured.get(Number(params.of));
    if (measurement === undefined) throw new BridgeFault('TARGET_STALE', 'What was measured is forgotten; measure again.', { reason: 'measurement' });
    return measurement;
  }
}

function readNodes(params: Params): unknown[] {
  if (!Array.isArray(params.nodes)) throw new BridgeFault('VALIDATION_ERROR', 'nodes must be a list.');
  return params.nodes;
}

function readChanges(value: unknown): Change[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new BridgeFault('VALIDATION_ERROR', 'changes must be a list.');
  return value.map((given: Partial<Change>) => {
    const { index, property, value: to, attribute } = given;
    if (typeof index !== 'number' || typeof property !== 'string' || typeof to !== 'string') throw new BridgeFault('VALIDATION_ERROR', 'A change needs index, property and value.');
    return { index, property, value: to, attribute: attribute === true };
  });
}
