// Boxes and labels over elements, for people and for pictures. They live in a closed
// shadow root of one element of ours in the top layer, take no pointer and follow their
// elements; the page's script sees that element and nothing in it.
import { dropOwn, own, putOwn } from '../dom/own.ts';
import { documentElement, HTML_NAMESPACE, isConnected, nextFrame, cancelFrame, rectOf, scrollIntoView, startTimer, stopTimer } from '../dom/primordials.ts';
import type { FlatTree } from '../dom/flat.ts';

export interface Drawn {
  element: Element;
  label: string;
  /** high, medium, low, info, or cause. */
  kind: string;
}

const life = 10 * 60_000; // ms; for when nobody is left to take it away
const tag = 'debug-bridge-highlight';
const labelHeight = 18;
// White words are legible on each, and each stands out on light and on dark pages.
const colours: Readonly<Record<string, string>> = { high: '#c61e4d', medium: '#9a4a00', low: '#1f5fc9', info: '#1b7a3d', cause: '#7a2fb5' };

interface Box {
  drawn: Drawn;
  box: HTMLElement;
  label: HTMLElement;
}

export class Drawing {
  #host: HTMLElement | undefined;
  #boxes: Box[] = [];
  #frame = 0;
  #timer = 0;
  #scrolled: { element: Element; left: number; top: number }[] = [];

  constructor(private readonly flat: FlatTree) {}

  /** Draws these instead of what was drawn. With scroll the first is brought into view until clear. */
  show(marks: readonly Drawn[], scroll: boolean): void {
    this.clear();
    const first = marks[0];
    if (scroll && first !== undefined) this.#intoView(first.element);
    const root = documentElement(document);
    if (root === null) return;
    const host = styled(create(tag), {
      all: 'initial', position: 'absolute', display: 'block', margin: '0', padding: '0', border: '0', background: 'none', overflow: 'clip',
      'pointer-events': 'none', 'z-index': '2147483647', contain: 'strict', 'max-width': 'none', 'max-height': 'none', direction: 'ltr',
    });
    host.setAttribute('aria-hidden', 'true');
    const inside = host.attachShadow({ mode: 'closed' });
    this.#boxes = marks.map((drawn) => {
      const colour = colours[drawn.kind] ?? '#1f5fc9';
      const box = styled(create('div'), {
        position: 'absolute', 'box-sizing': 'border-box', border: `2px ${drawn.kind === 'cause' ? 'dashed' : 'solid'} ${colour}`, 'min-width': '4px', 'min-height': '4px',
      });
      const label = styled(create('div'), {
        position: 'absolute', background: colour, color: '#fff', font: `12px/${labelHeight}px system-ui, sans-serif`, padding: '0 5px', 'white-space': 'nowrap',
      });
      label.textContent = drawn.label;
      inside.append(box, label);
      return { drawn, box, label };
    });
    this.#host = host;
    putOwn(host);
    own.clear = this.#end;
    root.append(host);
    // Above modal dialogs and open popovers too.
    host.setAttribute('popover', 'manual');
    host.showPopover();
    this.#follow();
    this.#timer = startTimer(this.#end, life);
    addEventListener('pagehide', this.#end, true);
  }

  /** Takes it away, and scrolls back. */
  clear(): void {
    if (this.#host !== undefined) {
      cancelFrame(this.#frame);
      stopTimer(this.#timer);
      removeEventListener('pagehide', this.#end, true);
      this.#host.remove();
      dropOwn(this.#host);
      this.#host = undefined;
      this.#boxes = [];
      own.clear = undefined;
    }
    for (const { element, left, top } of this.#scrolled.reverse()) element.scrollTo({ left, top, behavior: 'instant' });
    this.#scrolled = [];
  }

  readonly #end = (): void => this.clear();

  readonly #follow = (): void => {
    if (this.#host === undefined) return;
    if (!isConnected(this.#host)) {
      this.clear(); // the page emptied its document
      return;
    }
    this.#place(this.#host);
    this.#frame = nextFrame(this.#follow);
  };

  #place(host: HTMLElement): void {
    // As large as what can be scrolled to, so that it never adds to it.
    const area = document.scrollingElement ?? document.documentElement;
    const { scrollWidth, scrollHeight, clientWidth } = area;
    const left = styleDirection() === 'rtl' ? Math.min(0, clientWidth - scrollWidth) : 0;
    styled(host, { left: `${left}px`, top: '0px', right: 'auto', bottom: 'auto', width: `${scrollWidth}px`, height: `${scrollHeight}px` });
    const origin = rectOf(host);
    for (const { drawn, box, label } of this.#boxes) {
      const rect = isConnected(drawn.element) ? rectOf(drawn.element) : null;
      const shown = rect !== null && (rect.width > 0 || rect.height > 0);
      const display = shown ? 'block' : 'none';
      styled(box, { display });
      styled(label, { display });
      if (!shown) continue;
      const x = rect.x - origin.x;
      const y = rect.y - origin.y;
      styled(box, { left: `${x}px`, top: `${y}px`, width: `${rect.width}px`, height: `${rect.height}px` });
      // Above the box, or in it at the page's top; never beyond the page's edges.
      const width = label.offsetWidth;
      const at = Math.max(0, Math.min(x, scrollWidth - width));
      const over = y >= labelHeight ? y - labelHeight : Math.max(0, y);
      styled(label, { left: `${at}px`, top: `${Math.min(over, Math.max(0, scrollHeight - labelHeight))}px` });
    }
  }

  #intoView(element: Element): void {
    const { x, y, right, bottom } = rectOf(element);
    if (x >= 0 && y >= 0 && right <= innerWidth && bottom <= innerHeight) return;
    for (let at: Element | null = element; at !== null; at = this.flat.parent(at)) {
      this.#scrolled.push({ element: at, left: at.scrollLeft, top: at.scrollTop });
    }
    const area = document.scrollingElement;
    if (area !== null) this.#scrolled.push({ element: area, left: area.scrollLeft, top: area.scrollTop });
    scrollIntoView(element, { block: 'center', inline: 'center', behavior: 'instant' });
  }
}

function styleDirection(): string {
  const root = documentElement(document);
  return root === null ? 'ltr' : getComputedStyle(root).direction;
}

// Documents may be of another kind than HTML.
export function create(name: string): HTMLElement {
  return document.createElementNS(HTML_NAMESPACE, name) as HTMLElement;
}

export function styled(element: HTMLElement, values: Readonly<Record<string, string>>): HTMLElement {
  const { style } = element;
  for (const [property, value] of Object.entries(values)) {
    if (style.getPropertyValue(property) !== value) style.setProperty(property, value, 'important');
  }
  return element;
}
