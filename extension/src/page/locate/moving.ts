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

/** The animations and transitions of it, or of what it is in, that move or resize it. */
export function movers(element: Element, flat: FlatTree): Animation[] {
  return running.call(document).filter(({ effect, playState, timeline }) => {
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || !(timeline instanceof DocumentTimeline)) return false;
    const { target } = effect;
    if (target === null || !(target === element || flat.composedContains(target, element))) return false;
    return effect.getKeyframes().some((frame) => Object.keys(frame).some((name) => !inPlace.has(name)));
  });
}
