/**
 * A mutation storm: so many changes that the browser's telling of them costs the page
 * more than they are worth, whatever is done with them. Then nobody looks for a while.
 */
const span = 1000; // ms
const most = 20_000; // records in a span
const rest = 900; // ms

export class Storm {
  #began = 0;
  #seen = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly off: () => void,
    private readonly on: () => void,
  ) {}

  get resting(): boolean {
    return this.#timer !== undefined;
  }

  count(records: number): void {
    const now = performance.now();
    if (now - this.#began > span) {
      this.#began = now;
      this.#seen = 0;
    }
    this.#seen += records;
    if (this.#seen <= most || this.resting) return;
    this.off();
    this.#timer = setTimeout(() => {
      this.end();
      this.on();
    }, rest);
  }

  end(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#seen = 0;
  }
}
