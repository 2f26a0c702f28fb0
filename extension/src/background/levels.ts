/** Levels of consent and the telemetry kinds, as the whole extension uses them. */
import type { BridgeLevel, TelemetryKind } from '../page/api.ts';

export type Level = BridgeLevel;

export const LEVELS: readonly Level[] = ['observe', 'act', 'control'];

export const TELEMETRY: readonly TelemetryKind[] = ['dom_snapshot', 'dom_mutations', 'ui_tree', 'console', 'errors', 'state'];

/** Each level holds the one before. */
export function allows(level: Level, needed: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(needed);
}

export function isLevel(value: unknown): value is Level {
  return LEVELS.some((level) => level === value);
}

/** Names of bridge sessions, as in protocol v1. */
export function isSessionName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value);
}
