/** Where a component stands in the code: only development builds know. */
import { get, isObject } from '../peek.ts';
import { fibers, type Fiber } from './fiber.ts';

export interface Place {
  file: string;
  line?: number;
  column?: number;
}

const maxStack = 20_000; // characters
const maxOwned = 200; // fibers looked at for one that the component wrote

/** Where the component is used: the JSX that its owner wrote. */
export function usedAt(fiber: Fiber): Place | undefined {
  const { _debugSource: before19 } = fiber;
  const file = get(before19, 'fileName');
  if (typeof file === 'string') {
    const line = get(before19, 'lineNumber');
    const column = get(before19, 'columnNumber');
    return { file, ...(typeof line === 'number' ? { line } : {}), ...(typeof column === 'number' ? { column } : {}) };
  }
  return placeIn(get(fiber._debugStack, 'stack'));
}

/** Where the component itself is written: the first JSX that it owns. */
export function writtenAt(fiber: Fiber): Place | undefined {
  if (fiber.child === null) return undefined;
  for (const below of fibers(fiber, maxOwned)) {
    const owner = below._debugOwner;
    if (below !== fiber && isObject(owner) && (owner === fiber || owner === fiber.alternate)) return usedAt(below);
  }
  return undefined;
}

/** The second line of a stack that React took: the first is React's own. */
function placeIn(stack: unknown): Place | undefined {
  if (typeof stack !== 'string') return undefined;
  const lines = stack.slice(0, maxStack).split('\n').filter((line) => /^\s*at /.test(line));
  const match = /\(?([^\s()]+):(\d+):(\d+)\)?$/.exec(lines[1] ?? '');
  if (match === null) return undefined;
  return { file: match[1] ?? '', line: Number(match[2]), column: Number(match[3]) };
}
