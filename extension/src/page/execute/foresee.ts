/**
 * What a press or a key would set off, before it is made: whether a form goes out or a
 * file is downloaded. Where that cannot be known (another frame), it is taken for likely.
 */
import { attr, closest, hasAttr, localName } from '../dom/primordials.ts';
import type { FlatTree } from '../dom/flat.ts';

export interface Foreseen {
  submit: boolean;
  download: boolean;
  /** What would set it off. */
  by: Element | null;
}

const frames: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);
const nothing: Foreseen = { submit: false, download: false, by: null };

/** A click that reaches an element. */
export function ofClick(element: Element | null, flat: FlatTree): Foreseen {
  for (let at = element; at !== null; at = flat.parent(at)) {
    if (frames.has(localName(at))) return unknown(at);
    if (at instanceof HTMLButtonElement || at instanceof HTMLInputElement) return ofButton(at);
    if ((at instanceof HTMLAnchorElement || at instanceof HTMLAreaElement) && hasAttr(at, 'href')) return ofLink(at);
    if (at instanceof HTMLLabelElement) {
      const { control } = at;
      if (control instanceof HTMLButtonElement || control instanceof HTMLInputElement) return ofButton(control);
    }
  }
  return nothing;
}

/** Enter, with the focus on an element: fields of a form send it, as a button's own press does. */
export function ofEnter(element: Element | null, flat: FlatTree): Foreseen {
  if (element === null) return nothing;
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) {
    return element.form === null ? nothing : { submit: true, download: false, by: element };
  }
  if (element instanceof HTMLTextAreaElement) return nothing;
  return ofFocused(element, flat);
}

/** Space, with the focus on an element. */
export function ofSpace(element: Element | null, flat: FlatTree): Foreseen {
  return element instanceof HTMLAnchorElement ? nothing : ofFocused(element, flat);
}

function ofFocused(element: Element | null, flat: FlatTree): Foreseen {
  const owns = element !== null && (frames.has(localName(element)) || closest(element, 'button,input,a[href],area[href]') === element);
  return owns ? ofClick(element, flat) : nothing;
}

function ofButton(button: HTMLButtonElement | HTMLInputElement): Foreseen {
  const sends = button.form !== null && (button.type === 'submit' || button.type === 'image');
  return sends ? { submit: true, download: false, by: button } : nothing;
}

function ofLink(link: HTMLAnchorElement | HTMLAreaElement): Foreseen {
  const script = /^\s*javascript:/i.test(attr(link, 'href') ?? '');
  const download = hasAttr(link, 'download');
  return script || download ? { submit: script, download, by: link } : nothing;
}

function unknown(by: Element): Foreseen {
  return { submit: true, download: true, by };
}
