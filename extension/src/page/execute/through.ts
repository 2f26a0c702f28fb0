/** A point of a child frame as this frame sees it: brought into view, and not covered. */
import { BridgeFault } from '../fault.ts';
import { ownIndex } from '../dom/frames.ts';
import { attr, clientLeft, clientTop, queryAll, rectOf, scrollIntoView, styleOf } from '../dom/primordials.ts';
import { settleFrame } from '../dom/timing.ts';
import { deepElementAt, type Point } from '../locate/actionability.ts';
import { candidate } from '../locate/candidates.ts';
import { everywhere } from '../locate/target.ts';
import type { UITree } from '../tree/uitree.ts';

export async function through(params: Record<string, unknown>, tree: UITree): Promise<Record<string, unknown>> {
  const { index, url, x, y } = params;
  if (typeof index !== 'number' || typeof x !== 'number' || typeof y !== 'number') throw new BridgeFault('VALIDATION_ERROR', 'Give index, x and y.');
  const owner = ownerOf(index, typeof url === 'string' ? url : '', tree);
  if (owner === undefined) throw new BridgeFault('TARGET_STALE', 'The frame of the element is not in the page any more.', { check: 'removed' });
  let point = outward(owner, { x, y });
  if (!shown(point)) {
    scrollIntoView(owner, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
    point = outward(owner, { x, y });
    if (!shown(point)) scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: 'instant' });
    // Input finds frames of other processes by what was drawn last.
    await settleFrame();
    await settleFrame();
    point = outward(owner, { x, y });
    if (!shown(point)) throw new BridgeFault('TARGET_OUT_OF_VIEW', 'Scrolling does not bring the element’s frame into view.');
  }
  const hit = deepElementAt(point, tree);
  if (hit !== null && hit !== owner) {
    const { selector, role, name, ref } = candidate(hit, tree, tree.pass());
    throw new BridgeFault('TARGET_OBSCURED', 'Another element covers the frame that the target is in.', { coveredBy: { selector, role, name, ref } });
  }
  return { ...point, index: ownIndex() };
}

function ownerOf(index: number, url: string, tree: UITree): Element | undefined {
  const own = index < 0 ? null : window[index];
  const owners = [...everywhere(tree.pass(), (root) => queryAll(root, 'iframe,frame,object,embed'))] as HTMLIFrameElement[];
  if (own !== null) return owners.find((owner) => owner.contentWindow === own);
  return owners.find((owner) => {
    const src = (attr(owner, 'src') ?? attr(owner, 'data') ?? '').replace(/^[./]+/, '');
    return src !== '' && url.endsWith(src);
  });
}

function outward(owner: Element, inner: Point): Point {
  const rect = rectOf(owner);
  const style = styleOf(owner);
  const width = (owner as HTMLElement).offsetWidth;
  const scale = width > 0 && rect.width > 0 ? rect.width / width : 1;
  return {
    x: rect.x + (clientLeft(owner) + (Number.parseFloat(style.paddingLeft) || 0) + inner.x) * scale,
    y: rect.y + (clientTop(owner) + (Number.parseFloat(style.paddingTop) || 0) + inner.y) * scale,
  };
}

function shown(point: Point): boolean {
  return point.x >= 0 && point.y >= 0 && point.x < innerWidth && point.y < innerHeight;
}
