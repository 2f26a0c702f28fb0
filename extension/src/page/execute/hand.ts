/**
 * Hands an element over to the debugger: it is left in the isolated world's own
 * global object, where page script cannot see it, under a token that the daemon made
 * up. The debugger finds the world that holds the token, and the element in it.
 */
import { BridgeFault } from '../fault.ts';

const HAND = '__debugBridgeHand';
const HOLD_MS = 10_000;

const world = globalThis as unknown as Record<string, unknown>;
let timer: ReturnType<typeof setTimeout> | undefined;

export function hand(token: unknown, element: Element | null): void {
  if (typeof token !== 'string' || token === '') throw new BridgeFault('VALIDATION_ERROR', 'Give a token.');
  clearTimeout(timer);
  world[HAND] = { token, element };
  timer = setTimeout(() => delete world[HAND], HOLD_MS);
}
