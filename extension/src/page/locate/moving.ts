// Whether style is moving an element just now. What scripts move is found out at the
// deed itself (execute/guard.ts).
import type { FlatTree } from '../dom/flat.ts';

/** Properties whose change leaves every box where it is. */
const inPlace: ReadonlySet<string> = new Set(
  ('offset computedOffset easing composite opacity color backgroundColor backgroundImage backgroundPosition borderColor ' +
    'borderTopColor borderRightColor borderBottomColor borderLeftColor boxShadow textShadow outlineColor outlineOffset outlineWidth ' +
    'textDecorationColor fill stroke strokeDashoffset filter backdropFilter visibility caretColor accentColor').split(' '),
);

const running = (Document.prototype.getAnimations as (() => Animation[]) | undefined) ?? (() => []);

/** An animation or transition of it, or of what it is in, moves or resizes it. */
export function isMoving(element: Element, flat: FlatTree): boolean {
  for (const animation of running.call(document)) {
    const { effect, playState, timeline } = animation;
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || !(timeline instanceof DocumentTimeline)) continue;
    const { target } = effect;
    if (target === null || !(target === element || flat.composedContains(target, element))) continue;
    if (effect.getKeyframes().some((frame) => Object.keys(frame).some((name) => !inPlace.has(name)))) return true;
  }
  return false;
}
