/**
 * Tools that the page declares itself: to the browser or to its own stand-in for it
 * (document.modelContext, earlier navigator.modelContext), and to the embedded SDK.
 *
 * Each of them is asked for its list, so tools of before and after us are the same and
 * nothing of the page is wrapped. What has no list is told as unseen. Lists, schemas and
 * results are the page's own: they are made plain and bounded here and judged by nobody.
 */
import { toPlain } from '../page/plain.ts';
import { parseJSON } from './json.ts';
import { Refusal, type Part, type Tell } from './part.ts';
import { mapped } from './peek.ts';
import { askTools, toolsChanged } from './sdk-tools.ts';
import { encode } from './values.ts';

const maxTools = 200;
const maxName = 200; // characters; longer ones are counted, not listed
const maxDescription = 4000;
const maxSchema = 32 * 1024; // characters of JSON
const maxResult = 256 * 1024; // bytes
const listLimit = 2000; // ms that a list may take
const lookEvery = 1000; // ms; for what tells no changes itself
const maxOwn = 50; // properties of a stand-in that are looked at

/** Where a tool was declared: the browser's own interface, a script's stand-in for it, or the SDK. */
type Source = 'webmcp' | 'polyfill' | 'sdk';

interface Entry {
  name: string;
  description: string;
  schema: unknown;
  source: Source;
  readOnly: boolean;
  call(input: unknown, signal: AbortSignal): unknown;
}

interface Found {
  entries: Entry[];
  /** What has tools that cannot be listed. */
  unseen: string[];
  /** Left out: too many, or with names that are none. */
  left: number;
}

type Bag = Record<string, unknown>;

const { apply, ownKeys } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { isArray } = Array;
const plainPrototype = Object.prototype;
const Maps = Map;
const eachOf = Map.prototype.forEach;
const { addEventListener, removeEventListener } = EventTarget.prototype;
const later = setTimeout.bind(window);
const never = clearTimeout.bind(window);
const Abort = AbortController;
const native = (window as unknown as { ModelContext?: new () => object }).ModelContext;

export function toolPart(): Part {
  const running = new Map<number, AbortController>();
  let stopWatching = (): void => undefined;
  return {
    operations: {
      async tools_list() {
        const { entries, unseen, left } = await find();
        return { tools: mapped(entries, told), unseen, left };
      },
      async tools_call({ name, input, call }) {
        const { entries } = await find();
        const entry = entries.find((one) => one.name === name);
        if (entry === undefined) throw new Refusal('ELEMENT_NOT_FOUND', 'no such tool');
        const abort = new Abort();
        if (typeof call === 'number') running.set(call, abort);
        try {
          const { value, cuts } = toPlain(await entry.call(input ?? {}, abort.signal), maxResult);
          return { value: value ?? null, cut: cuts > 0 };
        } catch (error) {
          return { error: textOf(error) };
        } finally {
          if (typeof call === 'number') running.delete(call);
        }
      },
      tools_cancel({ call }) {
        if (typeof call === 'number') running.get(call)?.abort();
        return null;
      },
    },
    begin(tell) {
      stopWatching();
      stopWatching = watch(tell);
    },
    dispose() {
      stopWatching();
      for (const abort of running.values()) abort.abort();
    },
  };
}

function told({ name, description, schema, source, readOnly }: Entry): Bag {
  return { name, description, schema, source, readOnly };
}

// --- finding ------------------------------------------------------------------------

interface Context {
  at: string;
  model: object;
}

/** The page's model contexts; the properties may be the page's own getters. */
function contexts(): Context[] {
  const out: Context[] = [];
  for (const [at, holder] of [['document', document], ['navigator', navigator]] as const) {
    const model = get(holder, 'modelContext');
    if (typeof model === 'object' && model !== null && !out.some((one) => one.model === model)) out.push({ at: `${at}.modelContext`, model });
  }
  return out;
}

async function find(): Promise<Found> {
  const found: Found = { entries: [], unseen: [], left: 0 };
  for (const tool of askTools(maxTools)) add(found, tool, 'sdk', (input) => tool.execute(input));
  for (const context of contexts()) {
    const source: Source = isNative(context.model) ? 'webmcp' : 'polyfill';
    if (!(await listed(found, context.model, source)) && !(await tested(found, source)) && !held(found, context.model)) {
      found.unseen.push(`${context.at} has no list of its tools`);
    }
  }
  return found;
}

function isNative(model: object): boolean {
  try {
    return native !== undefined && model instanceof native;
  } catch {
    return false;
  }
}

/** A context that lists its tools. */
async function listed(found: Found, model: object, source: Source): Promise<boolean> {
  for (const method of ['getTools', 'listTools']) {
    const list = await ask(model, method, []);
    if (!isArray(list)) continue;
    for (const item of bounded(found, list)) {
      const frame = get(item, 'window');
      if (frame !== undefined && frame !== window) continue; // another frame's, which tells of it itself
      add(found, item, source, (input, signal) => callListed(model, item, input, signal));
    }
    return true;
  }
  return false;
}

/** A stand-in's list may hold the tools, or describe what the context runs by name. */
function callListed(model: object, item: unknown, input: unknown, signal: AbortSignal): unknown {
  if (typeof get(model, 'executeTool') === 'function') return answered(invoke(model, 'executeTool', [item, input, { signal }]));
  if (typeof get(item, 'execute') === 'function') return invoke(item, 'execute', [input, client]);
  return invoke(model, 'callTool', [{ name: get(item, 'name'), arguments: input }]);
}

/** The interface for tests, of browsers and stand-ins whose context has no list. */
async function tested(found: Found, source: Source): Promise<boolean> {
  const model = get(navigator, 'modelContextTesting');
  const list = await ask(model, 'listTools', []);
  if (!isArray(list)) return false;
  for (const item of bounded(found, list)) {
    add(found, item, source, (input) => answered(invoke(model, 'executeTool', [get(item, 'name'), encode(input)])));
  }
  return true;
}

/** Stand-ins that keep their tools where they can be seen: in a Map, a list or an object of their own. */
function held(found: Found, model: object): boolean {
  let any = false;
  let fields: (string | symbol)[] = [];
  try {
    fields = ownKeys(model).slice(0, maxOwn);
  } catch {
    return false;
  }
  for (const field of fields) {
    for (const item of bounded(found, members(own(model, field)))) {
      if (typeof get(item, 'execute') !== 'function' || typeof get(item, 'name') !== 'string') continue;
      any = true;
      add(found, item, 'polyfill', (input) => invoke(item, 'execute', [input, client]));
    }
  }
  return any;
}

function members(value: unknown): unknown[] {
  try {
    if (value instanceof Maps) {
      const out: unknown[] = [];
      apply(eachOf, value, [(member: unknown) => out.push(member)]);
      return out;
    }
    if (isArray(value)) return value as unknown[];
    if (typeof value === 'object' && value !== null && getPrototypeOf(value) === plainPrototype) {
      return ownKeys(value).slice(0, maxTools).map((key) => own(value, key));
    }
  } catch {
    // A proxy that will not be looked at.
  }
  return [];
}

/** By index: a page's list may have an iterator, or a slice, of its own. */
function bounded(found: Found, list: readonly unknown[]): unknown[] {
  const out: unknown[] = [];
  const size = Number(get(list, 'length'));
  if (!(size > 0)) return out;
  if (size > maxTools) found.left += Math.min(size, 1e6) - maxTools;
  for (let i = 0; i < size && i < maxTools; i++) out.push(get(list, String(i)));
  return out;
}

function add(found: Found, item: unknown, source: Source, call: Entry['call']): void {
  const name = get(item, 'name');
  if (typeof name !== 'string' || name === '' || name.length > maxName || found.entries.length >= maxTools) {
    found.left++;
    return;
  }
  if (found.entries.some((one) => one.name === name)) return; // two names of one interface
  const description = get(item, 'description');
  found.entries.push({
    name, source, call,
    description: typeof description === 'string' ? description.slice(0, maxDescription) : '',
    schema: schemaOf(get(item, 'inputSchema')),
    readOnly: get(get(item, 'annotations'), 'readOnlyHint') === true,
  });
}

/** null where it says nothing, or too much. */
function schemaOf(value: unknown): unknown {
  try {
    const whole: unknown = typeof value === 'string' ? parseJSON(value.slice(0, maxSchema + 1)) : value;
    const plain = toPlain(whole, maxSchema);
    return plain.cuts === 0 && typeof plain.value === 'object' ? plain.value : null;
  } catch {
    return null;
  }
}

// --- following ----------------------------------------------------------------------

function watch(tell: Tell): () => void {
  let last = encode([[], []]);
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = false;
  let again = false;
  let heard: object[] = []; // native contexts that tell their changes
  const look = async (): Promise<void> => {
    const { entries, unseen } = await find();
    if (over) return;
    const key = encode([mapped(entries, told), unseen]);
    if (key === last) return;
    last = key;
    tell('tools', { names: mapped(entries, ({ name }) => name), unseen: unseen.length });
  };
  const soon = (): void => {
    again = true;
    if (over || looking) return;
    never(timer);
    timer = later(round, 20);
  };
  const round = (): void => {
    looking = true;
    again = false;
    look().catch(() => undefined).finally(() => {
      looking = false;
      if (!over) timer = again ? later(round, 20) : later(idle, lookEvery);
    });
  };
  /** The browser's own context tells its changes; a new context, or a script's, is looked at. */
  const idle = (): void => {
    const now = mapped(contexts(), ({ model }) => model);
    if (now.length === heard.length && now.every((model) => heard.includes(model))) {
      timer = later(idle, lookEvery);
      return;
    }
    listen(now);
    round();
  };
  const listen = (now: object[]): void => {
    unlisten();
    heard = now.filter(isNative);
    for (const model of heard) apply(addEventListener, model, ['toolchange', soon]);
  };
  const unlisten = (): void => {
    for (const model of heard) apply(removeEventListener, model, ['toolchange', soon]);
    heard = [];
  };
  apply(addEventListener, document, [toolsChanged, soon]);
  listen(mapped(contexts(), ({ model }) => model));
  round();
  return () => {
    over = true;
    never(timer);
    unlisten();
    apply(removeEventListener, document, [toolsChanged, soon]);
  };
}

// --- the page's objects -------------------------------------------------------------

/** A tool may ask for the person; who called it has their consent. */
const client = { requestUserInteraction: async (run: () => unknown): Promise<unknown> => await run() };

function get(value: unknown, key: string): unknown {
  try {
    return (typeof value === 'object' && value !== null) || typeof value === 'function' ? (value as Bag)[key] : undefined;
  } catch {
    return undefined;
  }
}

/** A data property, without running a getter. */
function own(value: object, key: string | symbol): unknown {
  return getOwnPropertyDescriptor(value, key)?.value as unknown;
}

function invoke(value: unknown, method: string, args: unknown[]): unknown {
  const run = get(value, method);
  if (typeof run !== 'function') throw new TypeError(`the tool has no ${method}`);
  return apply(run, value, args) as unknown;
}

/** A method's answer in time; undefined where there is none. */
async function ask(value: unknown, method: string, args: unknown[]): Promise<unknown> {
  if (typeof get(value, method) !== 'function') return undefined;
  try {
    return await new Promise((done, fail) => {
      const timer = later(() => done(undefined), listLimit);
      Promise.resolve(invoke(value, method, args)).then(done, fail).finally(() => never(timer));
    });
  } catch {
    return undefined;
  }
}

/** Both interfaces give a tool's answer as JSON. */
async function answered(given: unknown): Promise<unknown> {
  const value = await given;
  if (typeof value !== 'string') return value;
  try {
    return parseJSON(value) as unknown;
  } catch {
    return value;
  }
}

function textOf(error: unknown): string {
  try {
    const text = error instanceof Error || error instanceof DOMException ? `${error.name}: ${error.message}` : String(error);
    return text.slice(0, 2000).toWellFormed();
  } catch {
    return 'the tool threw something that cannot be read';
  }
}
