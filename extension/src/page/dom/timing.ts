// Waiting for a frame also where frames do not come: background tabs, occluded windows.
import { cancelFrame, nextFrame, startTimer, stopTimer } from './primordials.ts';

// Longer than a frame of a slow screen, short enough not to be noticed.
const noFrame = 60;

/** Resolves at the next animation frame, or by timer when none comes. */
export function settleFrame(): Promise<void> {
  return new Promise((done) => {
    const timer = startTimer(() => {
      cancelFrame(frame);
      done();
    }, noFrame);
    const frame = nextFrame(() => {
      stopTimer(timer);
      done();
    });
  });
}
