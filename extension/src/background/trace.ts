/**
 * The analysis of a trace, in an offscreen page: it takes seconds of one thread, which
 * this worker does not have. The page is made when it is needed and closed after.
 */
import { Fault, messageOf } from './fault.ts';
import type { FromEngine, ToEngine } from '../trace/messages.ts';

const PAGE = 'trace.html';

let making: Promise<void> | undefined;

export async function traceEngine(op: ToEngine['op'], fields: Record<string, unknown>): Promise<unknown> {
  const { id, data = '' } = fields;
  if (typeof id !== 'string' || typeof data !== 'string') {
    throw new Fault('VALIDATION_ERROR', 'The field id or data is missing or not valid.', { details: { field: typeof id === 'string' ? 'data' : 'id' } });
  }
  await page();
  const message: ToEngine = { to: 'trace-engine', op, id, data };
  let answer: FromEngine | undefined;
  try {
    answer = await chrome.runtime.sendMessage<ToEngine, FromEngine | undefined>(message);
  } catch (error) {
    throw failed(messageOf(error));
  }
  if (answer?.idle !== false) await chrome.offscreen.closeDocument().catch(() => undefined); // another request may have closed it
  if (answer === undefined) throw failed('its page is gone');
  if (answer.error !== undefined) throw failed(answer.error);
  return answer.result;
}

/** Makes the page once, however many ask. */
async function page(): Promise<void> {
  making ??= open().finally(() => (making = undefined));
  await making;
}

async function open(): Promise<void> {
  if (await chrome.offscreen.hasDocument()) return;
  await chrome.offscreen.createDocument({
    url: PAGE,
    reasons: [chrome.offscreen.Reason.BLOBS],
    justification: 'Reads a performance trace that was recorded for an agent.',
  });
}

function failed(reason: string): Fault {
  return new Fault('RESULT_TOO_LARGE', `the trace was recorded but cannot be analysed: ${reason}`, {
    suggestions: ['Open the trace file in the Performance panel of DevTools.', 'Record a shorter time: dbridge trace start --reload --auto-stop'],
  });
}
