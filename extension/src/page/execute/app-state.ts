/** Commands about the app's state, by the inspector in the page's own world. */
import type { InsideCommand } from './run.ts';

export const stateCommands: Readonly<Record<string, InsideCommand>> = {};
