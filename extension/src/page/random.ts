/** A name nobody can guess. crypto.randomUUID is missing on plain http sites (Secure Contexts). */
export function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
