// Waiting for a frame also where frames do not come: background tabs, occluded windows.
import { cancelFrame, nextFrame, startTimer, stopTimer } from './primordials.ts';

// Longer than a frame of a slow screen, short enough not to be noticed.
const noFrame = 60;

const Channel = MessageChannel;

/** One turn of the event loop; not held back in background tabs, as timers are (a second and more). */
export function turn(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new Channel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
}

/** Resolves at the next animation frame (true), or when one could have been where none are drawn. */
export async function settleFrame(): Promise<boolean> {
  if (document.hidden) {
    await turn();
    await turn();
    return false;
  }
  return await new Promise<boolean>((done) => {
    const timer = startTimer(() => {
      cancelFrame(frame);
      done(false);
    }, noFrame);
    const frame = nextFrame(() => {
      stopTimer(timer);
      done(true);
    });
  });
}
