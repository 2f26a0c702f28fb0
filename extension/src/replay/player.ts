// The page as it was, played by rrweb. Time here is that of the timeline: ms since the
// recording began, which may be before the page's first event.

import { Replayer } from '@rrweb/replay';
import type { eventWithTime } from '@rrweb/types';

export class Player {
  /** Where the recording ends. */
  readonly length: number;
  readonly seen: boolean;
  playing = false;
  private replayer?: Replayer;
  private readonly shift: number;
  private readonly span: number;
  private at = 0;
  private size = { width: 0, height: 0 };

  constructor(
    private readonly stage: HTMLElement,
    events: eventWithTime[],
    started: number,
    length: number,
    private readonly moved: () => void,
  ) {
    events.sort((a, b) => a.timestamp - b.timestamp);
    const first = events[0]?.timestamp ?? started;
    this.shift = first - started;
    this.span = (events.at(-1)?.timestamp ?? first) - first;
    this.length = Math.max(length, this.shift + this.span, 1);
    this.seen = events.length > 1;
    if (!this.seen) return;
    this.replayer = new Replayer(events, {
      root: stage,
      showWarning: false,
      showDebug: false,
      triggerFocus: false, // the keys are this page's
      mouseTail: { strokeStyle: '#3a4fc4' },
      loadTimeout: 1000, // style sheets of the network never come
    });
    this.replayer.iframe.title = 'The page as it was';
    this.replayer.iframe.tabIndex = -1;
    this.replayer.on('resize', (size) => {
      this.size = size as { width: number; height: number };
      this.fit();
    });
    this.replayer.on('finish', () => this.stop());
    new ResizeObserver(() => this.fit()).observe(stage);
    this.seek(0);
  }

  get time(): number {
    if (!this.playing || !this.replayer) return this.at;
    return Math.min(this.length, Math.max(this.at, this.replayer.getCurrentTime() + this.shift));
  }

  play(): void {
    if (!this.replayer) return;
    if (this.at >= this.shift + this.span) this.at = 0;
    this.playing = true;
    this.replayer.play(this.offset(this.at));
    this.tick();
  }

  pause(): void {
    this.at = this.time;
    this.playing = false;
    this.replayer?.pause();
    this.moved();
  }

  seek(at: number): void {
    this.at = Math.min(this.length, Math.max(0, at));
    if (this.playing) this.replayer?.play(this.offset(this.at));
    else this.replayer?.pause(this.offset(this.at));
    this.moved();
  }

  speed(times: number): void {
    this.replayer?.setConfig({ speed: times });
  }

  skip(pauses: boolean): void {
    this.replayer?.setConfig({ skipInactive: pauses });
  }

  private offset(at: number): number {
    return Math.min(this.span, Math.max(0, at - this.shift));
  }

  private stop(): void {
    this.at = this.length;
    this.playing = false;
    this.moved();
  }

  private tick(): void {
    if (!this.playing) return;
    this.moved();
    requestAnimationFrame(() => this.tick());
  }

  /** The page keeps its size; the stage shows all of it. */
  private fit(): void {
    const wrapper = this.replayer?.wrapper;
    const { width, height } = this.size;
    if (!wrapper || !width || !height) return;
    const scale = Math.min(1, this.stage.clientWidth / width, this.stage.clientHeight / height);
    const left = Math.max(0, (this.stage.clientWidth - width * scale) / 2);
    const top = Math.max(0, (this.stage.clientHeight - height * scale) / 2);
    wrapper.style.cssText = `position: absolute; transform-origin: 0 0; transform: translate(${left}px, ${top}px) scale(${scale}); width: ${width}px; height: ${height}px`;
  }
}
