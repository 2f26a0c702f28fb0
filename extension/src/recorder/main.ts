/**
 * The recorder: rrweb and a listener for what the person does, in the bridge's isolated
 * world. It is put there when a recording begins, and does nothing until it is started.
 *
 * Styles that page script inserts by rules (insertRule, adoptedStyleSheets) are not seen
 * from this world when they come; each full snapshot has them.
 */
import { record } from '@rrweb/record';
import { PersonActions } from './actions.ts';
import { RECORDER } from './messages.ts';
import type { RecorderOptions, RecorderTools, Recording, StartRecording } from './messages.ts';

const batchDelay = 1000; // ms
const batchLength = 512 * 1024; // characters; then at once
const maxEvent = 12 * 1024 * 1024; // characters of one event
const hidden = '••••••••'; // of any secret, whatever its length

const start: StartRecording = (options: RecorderOptions, tools: RecorderTools): Recording => {
  let lines: string[] = [];
  let length = 0;
  let lost = 0;
  let whole = true; // false after a loss: what follows makes no sense before the next full snapshot
  let leaving = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const done = actions.take();
    if (lines.length === 0 && done.length === 0 && lost === 0) return;
    tools.post({ type: 'recording', timestamp: Date.now(), page: lines.join('\n'), actions: done, lost });
    lines = [];
    length = lost = 0;
  };
  const soon = (): void => {
    if (leaving || length > batchLength) flush();
    else timer ??= setTimeout(flush, batchDelay);
  };
  const actions = new PersonActions(tools, flush); // at once: it may be what ends the document

  const stopPage = record({
    emit(event) {
      if (stopped) return;
      const anew = event.type === 4 || event.type === 2; // Meta, FullSnapshot
      if (!anew && (!whole || tools.congested())) {
        lost += 1;
        whole = false;
        return;
      }
      let line: string;
      try {
        line = JSON.stringify(event);
      } catch {
        line = '';
      }
      if (line === '' || line.length > maxEvent) {
        lost += 1;
        whole = false;
        return;
      }
      if (event.type === 2) whole = true;
      lines.push(line);
      length += line.length;
      soon();
    },
    checkoutEveryNms: options.checkoutMs,
    recordAfter: 'DOMContentLoaded',
    maskAllInputs: true, // so that each goes through maskInputFn
    maskInputFn: (text, element) => (element instanceof Element && tools.secret(element) ? hidden : text),
    slimDOMOptions: 'all',
    inlineStylesheet: true,
    inlineImages: false,
    recordCanvas: false,
    recordCrossOriginIframes: false,
    collectFonts: false,
    sampling: { mousemove: 100, mousemoveCallback: 1000, scroll: 250, media: 1000, input: 'last' },
    errorHandler: () => true, // the page's console is not ours
  });

  const settle = (): void => {
    actions.settle();
    flush();
  };
  const onHide = (): void => {
    leaving = true;
    settle();
  };
  const onShow = (): void => {
    leaving = false;
  };
  addEventListener('pagehide', onHide, true);
  // Over DevTools nothing that is said while a document goes is heard: this comes before.
  addEventListener('beforeunload', settle, true);
  addEventListener('pageshow', onShow, true);

  return {
    flush: settle,
    checkout() {
      if (stopped) return;
      try {
        record.takeFullSnapshot(true);
      } catch {
        // The document has not got so far; its first snapshot is to come.
      }
      flush();
    },
    strangers() {
      let count = 0;
      for (const frame of document.querySelectorAll('iframe')) if (frame.contentDocument === null) count += 1;
      return count;
    },
    stop() {
      if (stopped) return;
      settle();
      stopped = true;
      stopPage?.();
      actions.stop();
      removeEventListener('pagehide', onHide, true);
      removeEventListener('beforeunload', settle, true);
      removeEventListener('pageshow', onShow, true);
    },
  };
};

Object.defineProperty(globalThis, RECORDER, { value: start, configurable: true });
