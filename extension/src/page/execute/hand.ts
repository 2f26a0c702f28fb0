/**
 * Hands an element over to the debugger: it is left in the isolated world's own
 * global object, where page script cannot see it, under a token that the daemon made
 * up. The debugger finds the world that holds the token, and the element in it.
 * Tools lie beside it: what a script that the debugger runs in this world asks of the bridge.
 */
import { candidate, type Candidate } from '../locate/candidates.ts';
import type { UITree } from '../tree/uitree.ts';
import { BridgeFault } from '../fault.ts';

const HAND = '__debugBridgeHand';
const HOLD_MS = 10_000;

const world = globalThis as unknown as Record<string, unknown>;
/** What the bridge knows and a script beside it does not. */
export interface Tools {
  /** Open or closed. */
  shadowRoot(element: Element): ShadowRoot | null;
  /** Refs that commands take; the daemon makes them the page's (Tab.WireRef). */
  describe(elements: readonly Element[]): Candidate[];
}

let timer: ReturnType<typeof setTimeout> | undefined;

export function hand(token: unknown, element: Element | null, tree: UITree, elements: readonly Element[] = []): void {
  if (typeof token !== 'string' || token === '') throw new BridgeFault('VALIDATION_ERROR', 'Give a token.');
  clearTimeout(timer);
  world[HAND] = { token, element, elements, tools: tools(tree) };
  timer = setTimeout(() => delete world[HAND], HOLD_MS);
}

function tools(tree: UITree): Tools {
  return {
    shadowRoot: (element) => tree.flat.shadowRoot(element),
    describe(elements) {
      const pass = tree.pass(elements.length > 8);
      return elements.map((element) => candidate(element, tree, pass));
    },
  };
}
