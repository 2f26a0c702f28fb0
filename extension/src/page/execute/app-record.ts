/** Recording: what the recorder beside the bridge (src/recorder) gathers goes out as telemetry. */
import { RECORDER } from '../../recorder/messages.ts';
import type { Recording, StartRecording } from '../../recorder/messages.ts';
import { masksText, secretKind } from '../dom/secret.ts';
import { BridgeFault } from '../fault.ts';
import { lookOf } from '../locate/candidates.ts';
import type { Pass } from '../tree/pass.ts';
import { deepActive } from './effect.ts';
import type { InsideCommand, Surroundings } from './run.ts';

const usualCheckout = 30_000; // ms

let running: Recording | undefined;

function describer(around: Surroundings): (element: Element) => { role: string; name: string; selector: string } {
  let pass: Pass | undefined;
  return (element) => {
    if (pass === undefined) {
      pass = around.uiTree.pass();
      // What it has worked out holds as long as no other code has run.
      queueMicrotask(() => {
        pass = undefined;
      });
    }
    const { role, name, selector } = lookOf(element, around.uiTree, pass);
    return { role, name, selector };
  };
}

function isSecret(element: Element): boolean {
  return secretKind(element) !== null || (element instanceof HTMLInputElement && masksText(element));
}

export function stopRecording(): void {
  running?.stop();
  running = undefined;
}

export const recordCommands: Readonly<Record<string, InsideCommand>> = {
  record_start: async (command, around) => {
    const start = (globalThis as unknown as Record<string, StartRecording | undefined>)[RECORDER];
    if (around.allowEval || typeof start !== 'function') { // the SDK lives among page scripts
      throw new BridgeFault('CAPABILITY_MISSING', 'The recorder is not in the page.', { recorder: 'missing' });
    }
    stopRecording();
    const { checkoutMs } = command;
    running = start({ checkoutMs: typeof checkoutMs === 'number' && checkoutMs >= 1000 ? checkoutMs : usualCheckout }, {
      post: around.post,
      congested: around.congested,
      secret: isSecret,
      describe: describer(around),
    });
    const { innerWidth, innerHeight, devicePixelRatio } = window;
    return {
      result: { at: Date.now(), width: innerWidth, height: innerHeight, scale: devicePixelRatio, title: document.title.slice(0, 500), strangers: running.strangers() },
      effect: 'noop',
    };
  },
  record_flush: async (command) => {
    if (command.checkout === true) running?.checkout();
    running?.flush();
    return { result: { recording: running !== undefined, strangers: running?.strangers() ?? 0 }, effect: 'noop' };
  },
  record_secret: async (command, around) => {
    const values = Array.isArray(command.values) ? command.values.map(String).slice(0, 200) : [];
    const secret = values.map(() => false);
    const roots: (Document | ShadowRoot)[] = [document, ...around.roots()];
    for (const root of roots) {
      for (const field of root.querySelectorAll('input,textarea,select')) {
        if (!isSecret(field)) continue;
        const { value } = field as HTMLInputElement;
        values.forEach((text, i) => {
          if (text !== '' && value.includes(text)) secret[i] = true;
        });
      }
    }
    const active = deepActive();
    return { result: { active: active !== null && isSecret(active), secret }, effect: 'noop' };
  },
  record_stop: async () => {
    const was = running !== undefined;
    stopRecording();
    return { result: { recording: was }, effect: 'noop' };
  },
};
