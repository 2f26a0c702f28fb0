/** What the popup and the options page say to the worker, and what they are shown. */
import type { Level } from '../background/levels.ts';
import type { PauseReason } from '../background/grants.ts';

/** Name of the popup's port. */
export const POPUP_PORT = 'popup';

export type HopName = 'extension' | 'host' | 'daemon' | 'agents';

export interface Hop {
  name: HopName;
  state: 'ok' | 'wait' | 'warn' | 'fail' | 'unknown';
  /** One line for the person. */
  text: string;
  /** What to type to repair it. */
  command?: string;
}

export interface AgentView {
  id: string;
  name: string;
  sessionId: string;
}

export interface ConnectedTab {
  tabId: number;
  title: string;
  site: string;
  level: Level;
  sessionId: string;
  paused: PauseReason | null;
}

/** Whether agents may call the tools that a site declares; there once one has asked. */
export interface ToolsAsked {
  site: string;
  allowed: boolean;
}

/** What of a tab is recorded. */
export interface RecordingView {
  on: boolean;
  /** The person asked for it, not an agent. */
  person: boolean;
  since: number; // ms since 1970
  /** The last minute is kept. */
  ring: boolean;
  /** The file that was written last. */
  path: string;
  warning: string;
}

/** What an agent may do only if the person says yes. */
export interface QuestionView {
  id: string;
  tabId: number;
  agent: string;
  /** wants to submit a form on example.com */
  wants: string;
  what: string;
  /** It is about the tab that the popup is for. */
  here: boolean;
}

export interface PopupState {
  tab: {
    tabId: number;
    title: string;
    url: string;
    /** Registrable domain or host; null where there is none. */
    site: string | null;
    /** Why this page cannot be connected; null when it can. */
    obstacle: string | null;
    grant: { level: Level; sessionId: string; anySite: boolean; site: string; paused: PauseReason | null; debugging: boolean; origin: 'click' | 'always'; group: string | null; tools: ToolsAsked | null } | null;
  } | null;
  recording: RecordingView | null;
  /** Waiting for an answer, of this tab first. */
  questions: QuestionView[];
  defaults: { level: Level; sessionId: string };
  debuggerMode: 'auto' | 'always' | 'never';
  halted: boolean;
  connected: ConnectedTab[];
  agents: AgentView[];
  hops: Hop[];
  /** Shown once: why the last request failed. */
  error: string | null;
}

export type PopupRequest =
  | { kind: 'watch'; tabId: number }
  | { kind: 'connect'; tabId: number; level: Level; sessionId: string; anySite: boolean }
  | { kind: 'disconnect'; tabId: number }
  | { kind: 'show'; tabId: number }
  | { kind: 'pick'; tabId: number }
  | { kind: 'confirm'; id: string; allow: boolean }
  | { kind: 'tools'; tabId: number; site: string; allow: boolean }
  | { kind: 'record'; tabId: number; deed: 'start' | 'mark' | 'stop' | 'save'; note: string }
  | { kind: 'stopEverything' }
  | { kind: 'retry' };
