/** The measuring of layout as commands: the host keeps the rules. */
import { BridgeFault } from '../fault.ts';
import { measure, nameMeasured, type Change, type Measurement } from '../layout/measure.ts';
import type { UITree } from '../tree/uitree.ts';
import type { Params } from './params.ts';
import type { Targets } from './target.ts';

const kept = 4; // measurements whose elements can be named

export class LayoutCommands {
  readonly #measured = new Map<number, Measurement>();
  #next = 1;

  constructor(
    private readonly tree: UITree,
    private readonly targets: Targets,
  ) {}

  /** Parameters: target?, end (as when animations have ended), changes (tried for this measurement), of (the measurement they are of). */
  async measure(params: Params, signal: AbortSignal): Promise<Record<string, unknown>> {
    const target = params.target === undefined ? undefined : await this.targets.resolve({ target: params.target, waitMs: params.waitMs }, signal);
    const { snapshot, measurement, frame } = measure(
      { ...(target === undefined ? {} : { target }), end: params.end === true, changes: readChanges(params.changes), before: this.#measured.get(Number(params.of)) },
      this.tree,
    );
    const id = this.#next;
    this.#next += 1;
    this.#measured.set(id, measurement);
    this.#measured.delete(id - kept);
    return { id, snapshot, frame };
  }

  /** Parameters: of, nodes (indices). */
  name(params: Params): Record<string, unknown> {
    const measurement = this.#measured.get(Number(params.of));
    if (measurement === undefined || !Array.isArray(params.nodes)) throw new BridgeFault('TARGET_STALE', 'What was measured is forgotten; measure again.', { reason: 'measurement' });
    return { nodes: nameMeasured(params.nodes, measurement, this.tree), refs: this.tree.refs.next - 1 };
  }
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
