/** A command's parameters, checked. */
import { BridgeFault } from '../fault.ts';
import { noModifiers, type Button, type Modifiers } from './pointer.ts';

export type Params = Record<string, unknown>;

export function scopeOf(params: Params): string | undefined {
  return typeof params.scope === 'string' && params.scope !== '' ? params.scope : undefined;
}

export function readButton(value: unknown): Button {
  if (value === undefined || value === '') return 'left';
  if (value === 'left' || value === 'middle' || value === 'right') return value;
  throw new BridgeFault('VALIDATION_ERROR', 'button must be left, middle or right.');
}

export function readCount(value: unknown): number {
  if (value === undefined || value === 0) return 1;
  if (value === 1 || value === 2 || value === 3) return value;
  throw new BridgeFault('VALIDATION_ERROR', 'count must be 1, 2 or 3.');
}

export function readModifiers(value: unknown): Modifiers {
  const out = { ...noModifiers };
  if (value === undefined || value === null) return out;
  if (!Array.isArray(value)) throw new BridgeFault('VALIDATION_ERROR', 'modifiers must be a list.');
  for (const name of value as unknown[]) {
    switch (name) {
      case 'Alt': out.altKey = true; break;
      case 'Control': out.ctrlKey = true; break;
      case 'Meta': out.metaKey = true; break;
      case 'Shift': out.shiftKey = true; break;
      default: throw new BridgeFault('VALIDATION_ERROR', 'A modifier is Alt, Control, Meta or Shift.');
    }
  }
  return out;
}

export function readValues(params: Params): string[] {
  const { value, values } = params;
  if (Array.isArray(values) && values.length > 0) {
    if (values.every((item): item is string => typeof item === 'string')) return values;
    throw new BridgeFault('VALIDATION_ERROR', 'values must be strings.');
  }
  if (value === undefined) return [''];
  if (typeof value !== 'string') throw new BridgeFault('VALIDATION_ERROR', 'value must be a string.');
  return [value];
}
