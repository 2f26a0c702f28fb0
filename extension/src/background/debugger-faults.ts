/** What Chrome says when the debugger cannot be had, or a command fails, in our codes. */
import { Fault, messageOf } from './fault.ts';

/** details.reason of a command that found no debugger on its tab. */
export const NOT_ATTACHED = 'not_attached';

/** An open dialog. */
export interface Dialog {
  kind: string;
  message: string;
  url: string;
}

export function disconnected(message: string, reason: string, details: Record<string, unknown> = {}, retryable = false): Fault {
  return new Fault('CDP_DISCONNECTED', message, { details: { reason, ...details }, ...(retryable ? { retryable } : {}) });
}

export function dialogBlocking(dialog: Dialog, dispatched: boolean): Fault {
  return new Fault('DIALOG_BLOCKING', `The page shows a ${dialog.kind} dialog; nothing runs until it is handled.`, {
    details: { dialog: { kind: dialog.kind, message: dialog.message, url: dialog.url }, dispatched },
    suggestions: ['Handle it with Page.handleJavaScriptDialog, or ask the person to.'],
  });
}

export function attachFault(error: unknown): Fault {
  const message = messageOf(error);
  if (/already attached/i.test(message)) {
    return new Fault('BUSY', 'Another debugger holds this tab.', { details: { reason: 'debugger_busy', chrome: message }, retryable: true });
  }
  if (/different extension/i.test(message)) {
    return new Fault('CAPABILITY_MISSING', 'Another extension put a frame into this page (password managers do), and Chrome then lets nobody debug it.', {
      details: { reason: 'foreign_extension_frame' },
      suggestions: ['The commands without debugger still work: click, type, request_ui_tree, …', 'Or ask the person to switch the other extension off for this site.'],
    });
  }
  if (/Cannot (access|attach)/i.test(message)) {
    return new Fault('CAPABILITY_MISSING', 'Chrome lets no debugger onto this page.', { details: { reason: 'restricted', chrome: message } });
  }
  return new Fault('CDP_DISCONNECTED', 'The debugger could not be attached.', { details: { reason: 'attach_failed', chrome: message } });
}

/** Chrome gives a CDP error as JSON text in the message. */
export function commandFault(method: string, error: unknown): Fault {
  const message = messageOf(error);
  if (/not attached to the tab/i.test(message)) return disconnected('The debugger is not attached any more.', NOT_ATTACHED, { method, dispatched: false });
  if (/Detached while handling|No tab with given id|Target closed/i.test(message)) {
    return disconnected('The debugger was detached while the command ran.', 'detached', { method, dispatched: true });
  }
  let cdp: unknown;
  try {
    cdp = JSON.parse(message);
  } catch {
    cdp = null;
  }
  const known = typeof cdp === 'object' && cdp !== null && 'message' in cdp ? cdp : { code: -32000, message };
  if ('code' in known && known.code === -32601) {
    return new Fault('CAPABILITY_MISSING', `Chrome gives ${method} to no extension.`, {
      details: { method, cdp: known },
      suggestions: ['Check the name of the method, or use a managed or remote browser, which has all of CDP.'],
    });
  }
  return new Fault('CDP_ERROR', `${method} failed.`, { details: { method, cdp: known } });
}
