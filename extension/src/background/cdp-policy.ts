/**
 * What no agent may do through the debugger, whatever the daemon allows: a short list
 * of methods that reach beyond the granted tab. The full table is the daemon's; this
 * one holds even if the daemon is wrong.
 */
import { Fault } from './fault.ts';

/** Method, or DOMAIN.*, with the reason. */
const DENIED = new Map<string, string>([
  // Cookies of every site are one call away from any attached tab (httpOnly ones too).
  ['Network.getAllCookies', 'it reads the cookies of every site'],
  ['Network.getCookies', 'it reads cookies of any site it is asked for'],
  ['Network.setCookie', 'it writes cookies of any site'],
  ['Network.setCookies', 'it writes cookies of any site'],
  ['Network.deleteCookies', 'it deletes cookies of any site'],
  ['Network.clearBrowserCookies', 'it deletes the cookies of the whole browser'],
  ['Network.clearBrowserCache', 'it empties the cache of the whole browser'],
  ['Network.loadNetworkResource', 'it loads any address with the person’s credentials'],
  ['Page.getCookies', 'it reads cookies of any site it is asked for'],
  ['Page.deleteCookie', 'it deletes cookies of any site'],
  ['Storage.*', 'it reaches the storage and the cookies of any site'],
  ['CacheStorage.*', 'it reaches the caches of any site'],
  ['IndexedDB.*', 'it reaches the databases of any site'],
  // Files and downloads.
  ['DOM.setFileInputFiles', 'it gives files of this computer to the page'],
  ['Page.setDownloadBehavior', 'it decides where downloads go'],
  ['Page.handleFileChooser', 'it gives files of this computer to the page'],
  // Other tabs and the browser.
  ['Target.*', 'it reaches targets outside this tab'],
  ['Browser.*', 'it reaches the whole browser'],
  ['SystemInfo.*', 'it tells of the person’s computer'],
  // Credentials.
  ['Fetch.continueWithAuth', 'it answers sign-in prompts'],
  ['WebMCP.invokeTool', 'the person allows a page’s tools by site; use tools call'],
  ['WebAuthn.*', 'it replaces the person’s security keys'],
]);

/** Methods that load an address, with the name of the parameter. */
const NAVIGATES = new Map<string, string>([
  ['Page.navigate', 'url'],
]);

/** Switching these off would blind the extension itself; they answer without effect. */
export const KEPT_ON = new Set(['Inspector.disable', 'Page.disable', 'Runtime.disable']);

/** Domain.method as Chrome writes it: another spelling must not pass a list that knows the right one alone. */
const METHOD = /^[A-Z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;

/** Throws POLICY_DENIED for what is on the list. checkURL judges addresses. */
export function checkMethod(method: string, params: Record<string, unknown>, checkURL: (url: string) => void): void {
  if (!METHOD.test(method)) {
    throw new Fault('CDP_ERROR', `'${method}' wasn't found`, { details: { method, cdp: { code: -32601, message: `'${method}' wasn't found` } } });
  }
  const domain = method.slice(0, method.indexOf('.') + 1);
  const reason = DENIED.get(method) ?? DENIED.get(domain + '*');
  if (reason !== undefined) {
    throw new Fault('POLICY_DENIED', `${method} is not allowed through the extension: ${reason}.`, {
      details: { method },
      suggestions: ['Use a managed browser (its own profile) for this, or a command that stays within the page.'],
    });
  }
  if (method === 'Input.dispatchDragEvent' && dragsFiles(params)) {
    throw new Fault('POLICY_DENIED', 'A drag gives no files of this computer to the page.', { details: { method } });
  }
  const parameter = NAVIGATES.get(method);
  if (parameter === undefined) return;
  const url = params[parameter];
  if (typeof url === 'string') checkURL(url);
}

function dragsFiles({ data }: Record<string, unknown>): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const { files } = data as { files?: unknown };
  return files !== undefined && !(Array.isArray(files) && files.length === 0);
}
