/** Commands about the app's components, by the inspector in the page's own world. */
import type { BridgeResult } from '../api.ts';
import { BridgeFault } from '../fault.ts';
import { candidate } from '../locate/candidates.ts';
import type { InsideCommand, Surroundings } from './run.ts';

export const componentCommands: Readonly<Record<string, InsideCommand>> = {
  /** Parameters: target? (the tree in its component), name? (a filter), depth?, limit?. */
  component_tree: async ({ target, name, depth, limit }, around, signal) => await ask('component.tree', { name, depth, limit }, target, around, signal),

  /** Parameters: name, or target. */
  component_inspect: async ({ target, name }, around, signal) => await ask('component.inspect', { name }, target, around, signal),

  /** Parameters: target. */
  component_of: async ({ target }, around, signal) => await ask('component.of', {}, target, around, signal),
};

async function ask(op: string, args: Record<string, unknown>, target: unknown, around: Surroundings, signal: AbortSignal): Promise<BridgeResult> {
  if (around.app === undefined) throw new BridgeFault('CAPABILITY_MISSING', 'The components of a page that embeds the SDK are seen with the extension only.', undefined, ['Connect the tab: dbridge connect']);
  const element = target === undefined ? [] : [await around.targets.resolve({ target, waitMs: 0 }, signal)];
  const { value, elements } = await around.app.ask(op, args, element, signal);
  return { result: withRefs(value, elements, around), effect: 'noop' };
}

/** Makes refs of the elements that the answer, its rows or its chain name by number. */
function withRefs(value: unknown, elements: readonly Element[], around: Surroundings): unknown {
  const pass = around.uiTree.pass();
  const name = (item: unknown): void => {
    if (typeof item !== 'object' || item === null || !('element' in item)) return;
    const element = elements[Number(item.element)];
    delete item.element;
    if (element?.isConnected === true) Object.assign(item, { ref: candidate(element, around.uiTree, pass).ref });
  };
  name(value);
  if (typeof value !== 'object' || value === null) return value;
  for (const list of [Reflect.get(value, 'rows'), Reflect.get(value, 'chain')] as unknown[]) if (Array.isArray(list)) list.forEach(name);
  return value;
}
