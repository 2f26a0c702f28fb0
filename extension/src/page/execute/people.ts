/** What the person in front of the page is asked, shows and answers: as commands. */
import type { BridgeCommand, BridgeResult, TelemetryMessage } from '../api.ts';
import type { UITree } from '../tree/uitree.ts';
import { Person } from './person.ts';
import { Picker } from './pick.ts';

type Run = (command: BridgeCommand, signal: AbortSignal) => BridgeResult | Promise<BridgeResult>;

export class People {
  readonly #person = new Person();
  readonly #picker: Picker;
  readonly #commands: ReadonlyMap<string, Run>;

  constructor(tree: UITree, tell: (message: TelemetryMessage) => void) {
    this.#picker = new Picker(tree, tell);
    this.#commands = new Map<string, Run>([
      ['ask', (command, signal) => this.#person.ask(command, signal)],
      ['note', (command, signal) => this.#person.note(command, signal)],
      ['pick', (_, signal) => this.#picker.pick(signal)],
      ['pick_here', () => this.#picker.here()],
      ['pick_tell', (command) => this.#picker.tell(command)],
    ]);
  }

  /** Runs a command about the person; undefined when it is none. */
  run(command: BridgeCommand, signal: AbortSignal): BridgeResult | Promise<BridgeResult> | undefined {
    return this.#commands.get(command.type)?.(command, signal);
  }

  dispose(): void {
    this.#person.dispose();
    this.#picker.dispose();
  }
}
