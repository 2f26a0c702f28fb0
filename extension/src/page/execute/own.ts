/** What only the SDK does, in the page's own world: evaluate and navigate. */
import { BridgeFault } from '../fault.ts';
import { toPlain } from '../plain.ts';
import { startTimer } from '../dom/primordials.ts';

const maxResult = 8 * 1024 * 1024;
// The result leaves before the document does.
const leaveDelay = 30; // ms

const indirectEval = globalThis.eval;
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (body: string) => () => Promise<unknown>;

/** Runs code as the console would: its value, awaited. */
export async function evaluate(code: string, acted: () => void): Promise<unknown> {
  let value: unknown;
  try {
    const started = run(code);
    acted();
    value = await started;
  } catch (error) {
    if (error instanceof BridgeFault) throw error;
    throw thrown(error);
  }
  const { value: plain } = toPlain(value, maxResult);
  const size = JSON.stringify(plain)?.length ?? 0;
  if (size > maxResult) throw new BridgeFault('RESULT_TOO_LARGE', 'The result is larger than the limit.', { limit: maxResult });
  return plain ?? null;
}

function run(code: string): unknown {
  try {
    if (/\bawait\b/.test(code)) {
      const body = compile(`return (${code}\n)`) ?? compile(code);
      if (body !== undefined) return body();
    }
    return indirectEval(code);
  } catch (error) {
    if (error instanceof EvalError) {
      throw new BridgeFault('EVAL_DISABLED', "The page's Content-Security-Policy forbids evaluating scripts.", undefined,
        ['Connect the tab with the extension at level control: evaluate then works past the policy.']);
    }
    throw error;
  }
}

/** Compiled without being run, so that a wrong guess costs nothing. */
function compile(body: string): (() => Promise<unknown>) | undefined {
  try {
    return new AsyncFunction(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function thrown(error: unknown): BridgeFault {
  const details: Record<string, unknown> = { exception: toPlain(error, 10_240).value ?? 'undefined' };
  if (error instanceof Error && typeof error.stack === 'string') details.stack = error.stack.slice(0, 10_240).toWellFormed();
  return new BridgeFault('VALIDATION_ERROR', 'The code threw an exception.', details, ['See `details.exception`, and correct the code.']);
}

/** Leaves for another address just after the result was sent. */
export function navigate(params: Record<string, unknown>, acted: () => void): Record<string, unknown> {
  const ways = [typeof params.url === 'string' && params.url !== '', params.back === true, params.forward === true, params.reload === true];
  if (ways.filter(Boolean).length !== 1) throw new BridgeFault('VALIDATION_ERROR', 'Give exactly one of url, back, forward and reload.');
  let go: () => void;
  let url = location.href;
  if (typeof params.url === 'string' && params.url !== '') {
    let address: URL;
    try {
      address = new URL(params.url, document.baseURI);
    } catch {
      throw new BridgeFault('VALIDATION_ERROR', 'url is no address.');
    }
    if (!['http:', 'https:'].includes(address.protocol) && address.href !== 'about:blank') {
      throw new BridgeFault('POLICY_DENIED', 'Only http and https addresses can be loaded.', { protocol: address.protocol });
    }
    url = address.href;
    go = () => location.assign(url);
  } else if (params.back === true) go = () => history.back();
  else if (params.forward === true) go = () => history.forward();
  else go = () => location.reload();
  acted();
  startTimer(go, leaveDelay);
  return { url };
}
