// Text as it leaves the page: folded, bounded, well formed.

/** Strings longer than this are cut, with an ellipsis as the last character. */
export const MAX_TEXT = 200;

const space = /[\s\u00a0]+/g;

/** Fold white space as a person reads it. */
export function fold(text: string): string {
  return text.replace(space, ' ').trim();
}

/** Cut to the limit, never inside a surrogate pair; lone surrogates become U+FFFD. */
export function cut(text: string, limit: number = MAX_TEXT): string {
  if (text.length <= limit) return text.toWellFormed();
  let end = limit - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end).toWellFormed()}…`;
}

/** Fold, then cut. Long texts are cut before folding too, so that a 10 MB text node costs little. */
export function foldCut(text: string, limit: number = MAX_TEXT): string {
  return cut(fold(text.length > limit * 20 ? text.slice(0, limit * 20) : text), limit);
}
