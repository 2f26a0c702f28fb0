// Elements by hand. Texts become text nodes, whatever is in them.

type Child = Node | string | undefined | false;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, about: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) element.setAttribute(name, value);
  for (const child of children) if (child) element.append(child);
  return element;
}

const svg = 'http://www.w3.org/2000/svg';

/** A shape of 16 by 16. */
export function icon(path: string): SVGSVGElement {
  const element = document.createElementNS(svg, 'svg');
  element.setAttribute('viewBox', '0 0 16 16');
  element.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(svg, 'path');
  shape.setAttribute('d', path);
  element.append(shape);
  return element;
}

export function clock(ms: number): string {
  const tenths = Math.max(0, Math.round(ms / 100));
  return `${Math.floor(tenths / 600)}:${String(Math.floor((tenths % 600) / 10)).padStart(2, '0')}.${tenths % 10}`;
}
