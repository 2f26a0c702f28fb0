/** Commands about the app's components, by the inspector in the page's own world. */
import type { InsideCommand } from './run.ts';

export const componentCommands: Readonly<Record<string, InsideCommand>> = {};
