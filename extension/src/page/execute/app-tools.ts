/** Commands about tools that the page declares, by the inspector in the page's own world. */
import type { InsideCommand } from './run.ts';

export const toolCommands: Readonly<Record<string, InsideCommand>> = {};
