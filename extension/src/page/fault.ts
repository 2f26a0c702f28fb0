/**
 * Failure of a command inside the page, with a code of docs/errors.md.
 * Page text goes into details only, never into message or suggestions: those
 * are read by an agent as our own words.
 */
export class BridgeFault extends Error {
  readonly code: string;
  readonly details?: Record<string, unknown>;
  readonly suggestions?: string[];

  constructor(code: string, message: string, details?: Record<string, unknown>, suggestions?: string[]) {
    super(message);
    this.name = 'BridgeFault';
    this.code = code;
    if (details !== undefined) this.details = details;
    if (suggestions !== undefined) this.suggestions = suggestions;
  }
}
