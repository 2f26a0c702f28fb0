/** What the person set in the options page: storage.local, read strictly, changed in one place. */
import type { TelemetryKind } from '../page/api.ts';
import { isLevel, isSessionName, LEVELS, TELEMETRY } from './levels.ts';
import type { Level } from './levels.ts';
import { covers, normalEntry } from './site.ts';

export type DebuggerMode = 'auto' | 'always' | 'never';

export interface AlwaysSite {
  site: string;
  level: Level;
  /** The person pressed Cancel on the debugger bar here: held until they connect by hand again. */
  suspended: boolean;
}

export interface Settings {
  alwaysSites: AlwaysSite[];
  /** When not empty, only these sites can be connected. */
  allow: string[];
  /** Never connected; wins over everything. */
  deny: string[];
  debuggerMode: DebuggerMode;
  idleSeconds: number;
  redact: string[];
  telemetry: Record<TelemetryKind, boolean>;
  installName: string;
  sessionDefault: string;
  levelDefault: Level;
  /** Minutes until a connection ends by itself; 0 means until the tab or the browser closes. */
  grantMinutes: number;
  /** What happens to the tabs that an agent opened when it is done. */
  agentTabs: 'keep' | 'close';
  /** At always-connect sites the daemon keeps the last minute in memory, for a recording after the fact. */
  ring: boolean;
  /** Stop everything was pressed: no site connects by itself until the person connects one. */
  halted: boolean;
}

export const IDLE_SECONDS = { min: 5, max: 3600, usual: 30 };
const MAX_GRANT_MINUTES = 7 * 24 * 60;
const MAX_LIST = 500;
const MAX_SECRET = 500;

/** Whatever is stored, made into valid settings; nothing in storage can break the worker. */
export function readSettings(stored: Record<string, unknown>): Settings {
  const telemetry = isRecord(stored.telemetry) ? stored.telemetry : {};
  return {
    alwaysSites: list(stored.alwaysSites).flatMap((entry) => {
      if (!isRecord(entry) || typeof entry.site !== 'string' || !isLevel(entry.level)) return [];
      const site = normalEntry(entry.site);
      return site === null ? [] : [{ site, level: entry.level, suspended: entry.suspended === true }];
    }),
    allow: entries(stored.allow),
    deny: entries(stored.deny),
    debuggerMode: stored.debuggerMode === 'always' || stored.debuggerMode === 'never' ? stored.debuggerMode : 'auto',
    idleSeconds: within(stored.idleSeconds, IDLE_SECONDS.min, IDLE_SECONDS.max, IDLE_SECONDS.usual),
    redact: list(stored.redact).filter((secret): secret is string => typeof secret === 'string' && secret.length > 0 && secret.length <= MAX_SECRET),
    telemetry: {
      dom_snapshot: telemetry.dom_snapshot !== false,
      dom_mutations: telemetry.dom_mutations !== false,
      ui_tree: telemetry.ui_tree !== false,
      console: telemetry.console !== false,
      errors: telemetry.errors !== false,
      state: telemetry.state !== false,
    },
    installName: typeof stored.installName === 'string' ? stored.installName.slice(0, 64) : '',
    sessionDefault: isSessionName(stored.sessionDefault) ? stored.sessionDefault : 'default',
    levelDefault: LEVELS.find((level) => level === stored.levelDefault) ?? 'act',
    grantMinutes: within(stored.grantMinutes, 0, MAX_GRANT_MINUTES, 0),
    agentTabs: stored.agentTabs === 'close' ? 'close' : 'keep',
    ring: stored.ring !== false,
    halted: stored.halted === true,
  };
}

/** The settings in memory, kept equal to storage.local. */
export class SettingsStore {
  #current: Settings = readSettings({});
  readonly #changed: (now: Settings, before: Settings) => void;

  constructor(changed: (now: Settings, before: Settings) => void) {
    this.#changed = changed;
  }

  get current(): Settings {
    return this.#current;
  }

  async load(): Promise<void> {
    this.#current = readSettings(await chrome.storage.local.get(null));
  }

  /** Storage told of a change, made here or in the options page. */
  async reload(): Promise<void> {
    const before = this.#current;
    await this.load();
    this.#changed(this.#current, before);
  }

  async save(part: Partial<Settings>): Promise<void> {
    this.#current = { ...this.#current, ...part };
    await chrome.storage.local.set(part);
  }

  enabledTelemetry(): TelemetryKind[] {
    return TELEMETRY.filter((kind) => this.#current.telemetry[kind]);
  }

  /** Why the lists forbid an address, in the person's words; null when they do not. Deny wins over allow. */
  forbidden(url: string | undefined): string | null {
    if (this.#current.deny.some((entry) => covers(entry, url))) return 'You put this site on the deny list.';
    if (this.#current.allow.length > 0 && !this.#current.allow.some((entry) => covers(entry, url))) {
      return 'This site is not on your allow list.';
    }
    return null;
  }

  /** The always-connect entry of an address, unless it is held. */
  always(url: string | undefined): AlwaysSite | null {
    if (this.#current.halted || this.forbidden(url) !== null) return null;
    return this.#current.alwaysSites.find((entry) => !entry.suspended && covers(entry.site, url)) ?? null;
  }
}

/** The random id of this install, made once: it tells two profiles of one person apart. */
export async function installId(): Promise<string> {
  const stored = await chrome.storage.local.get('installId');
  if (typeof stored.installId === 'string' && stored.installId !== '') return stored.installId;
  const made = crypto.randomUUID();
  await chrome.storage.local.set({ installId: made });
  return made;
}

/** What an install is called whose person gave it no name. */
export function usualName(id: string): string {
  return 'Browser ' + id.slice(0, 4);
}

function entries(value: unknown): string[] {
  const found = new Set<string>();
  for (const entry of list(value)) {
    const normal = typeof entry === 'string' ? normalEntry(entry) : null;
    if (normal !== null) found.add(normal);
  }
  return [...found];
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_LIST) : [];
}

function within(value: unknown, min: number, max: number, usual: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : usual;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
