/**
 * How the tools that an app gives to the embedded SDK are found by an inspector in the
 * same world: it asks with an event, and each SDK hands its tools to the event's detail.
 */

/** The SDK's list has changed. */
export const toolsChanged = 'debug-bridge:tools';
const question = 'debug-bridge:tools?';

/** A tool of the app. */
export interface SdkTool {
  name: string;
  description: string;
  inputSchema: unknown;
  execute(input: unknown): unknown;
}

interface Question {
  take(tool: SdkTool): void;
}

/** All tools of the document's SDKs. */
export function askTools(most: number): SdkTool[] {
  const out: SdkTool[] = [];
  const detail: Question = {
    take(tool) {
      if (out.length < most) out.push(tool);
    },
  };
  try {
    document.dispatchEvent(new CustomEvent(question, { detail }));
  } catch {
    // A page that made these its own has no SDK that could be asked.
  }
  return out;
}

/** The SDK's side: answers the question. */
export function offerTools(tools: ReadonlyMap<string, SdkTool>): () => void {
  const onAsked = (event: Event): void => {
    const detail: unknown = (event as CustomEvent).detail;
    const take = typeof detail === 'object' && detail !== null && 'take' in detail ? detail.take : undefined;
    if (typeof take === 'function') for (const tool of tools.values()) take(tool);
  };
  document.addEventListener(question, onAsked);
  return () => document.removeEventListener(question, onAsked);
}

export function tellTools(): void {
  document.dispatchEvent(new CustomEvent(toolsChanged));
}
