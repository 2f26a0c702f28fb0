/** What the audits have from the bridge in whose isolated world they run (page/execute/hand.ts). */
import type { Tools } from '../page/execute/hand.ts';

export type { Tools };

/** Elements that a report names, by number: the daemon asks for the refs of those it shows. */
export class Elements {
  readonly #list: Element[] = [];
  readonly #numbers = new Map<Element, number>();

  constructor(private readonly tools: Tools) {}

  add(element: Element): number {
    let number = this.#numbers.get(element);
    if (number === undefined) {
      number = this.#list.push(element) - 1;
      this.#numbers.set(element, number);
    }
    return number;
  }

  get(number: number): Element | undefined {
    return this.#list[number];
  }

  /** Refs and selectors, in the order asked for; null where the element is gone. */
  describe(numbers: readonly number[]): string {
    const there = numbers.flatMap((number) => {
      const element = this.#list[number];
      return element?.isConnected === true ? [{ number, element }] : [];
    });
    const described = this.tools.describe(there.map(({ element }) => element));
    const found = new Map(there.map(({ number }, i) => [number, described[i]]));
    return JSON.stringify(numbers.map((number) => found.get(number) ?? null));
  }
}

/** The bridge's tools, as it left them a moment ago under the token. */
export function borrow(token: string): Tools {
  const hand = (globalThis as unknown as { __debugBridgeHand?: { token: string; tools: Tools } }).__debugBridgeHand;
  if (hand?.token !== token) throw new Error('the bridge of the frame is gone');
  return hand.tools;
}
