/**
 * Tells that somebody uses the page: that they did, and how often, never what they typed.
 * The debugger's input is trusted as the person's is; the host knows which was an agent's.
 */
import type { TelemetryMessage } from '../api.ts';

const kinds: Readonly<Record<string, string>> = { keydown: 'keys', pointerdown: 'pointer', wheel: 'wheel' };
const pause = 1000; // ms between two messages

export class HumanCollector {
  readonly #send: (message: TelemetryMessage) => void;
  readonly #seen = new Set<string>();
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (message: TelemetryMessage) => void) {
    this.#send = send;
  }

  /** Again after document.open(), which takes listeners off the window. */
  start(): void {
    for (const type of Object.keys(kinds)) addEventListener(type, this.#on, { capture: true, passive: true });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const type of Object.keys(kinds)) removeEventListener(type, this.#on, { capture: true });
  }

  readonly #on = (event: Event): void => {
    if (!event.isTrusted) return;
    this.#seen.add(kinds[event.type] ?? event.type);
    this.#count++;
    // The first is told at once, the rest of a second together.
    if (this.#timer === undefined) this.#tell();
  };

  #tell(): void {
    this.#timer = undefined;
    if (this.#count === 0) return;
    this.#send({ type: 'human_activity', timestamp: Date.now(), kinds: [...this.#seen], count: this.#count });
    this.#seen.clear();
    this.#count = 0;
    this.#timer = setTimeout(() => this.#tell(), pause);
  }
}
