/** Any value of the page as JSON text: bounded, without cycles, whatever the page did to its objects. */
import { toPlain } from '../page/plain.ts';

const { stringify } = JSON;

/** The text of a line. */
export function encode(value: unknown): string {
  return stringify(toPlain(value).value) ?? 'null';
}
