/** What the inspector is made of: parts with operations that the bridge can ask for. */

/** What an operation gets beside its arguments, and how it names elements in its answer. */
export interface At {
  /** Elements that came with the request, in order. */
  readonly elements: readonly Element[];
  /** Hands an element over with the answer: put the number that this gives into it. */
  give(element: Element): number;
}

/** The value becomes the answer (values.ts makes it plain); a thrown Refusal becomes its fault. */
export type Operation = (args: Record<string, unknown>, at: At) => unknown;

export interface Part {
  readonly operations: Readonly<Record<string, Operation>>;
  /** The bridge is there: news may be told from now on. */
  begin?(tell: Tell): void;
  /** Leaves the page as it was. */
  dispose(): void;
}

/** Tells the bridge news. */
export type Tell = (kind: string, value: unknown) => void;

/** An operation's no, with a code of the fault table. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}
