/**
 * axe-core in one frame, run by the debugger in the bridge's isolated world. Each frame
 * is asked for its part, the top one makes the whole of the parts: frames tell each other
 * nothing that the page could see or forge.
 *
 * Nothing of the page is changed: no global of its world, no attribute, no request, no listener.
 */
import axe from 'axe-core/axe.min.js';
import type { FrameContext, PartialResults, RunOptions } from 'axe-core';
import { borrow, Elements, type Tools } from './tools.ts';

// axe leaves itself in the global object, and listens for messages of other frames.
delete (globalThis as { axe?: unknown }).axe;
axe.frameMessenger({ open: () => undefined, post: () => false });
axe.configure({ noHtml: true }); // the sources of elements are not in the report

/** What of axe's own types is not declared. */
interface Spec {
  selector: unknown[];
  ancestry: unknown[];
  xpath: unknown[];
  source: string;
  nodeIndexes: number[];
  /** Which frame's element, and its number there. */
  at: [string, number];
}
interface DqElement {
  element: Element;
  ancestry: string[];
  nodeIndexes: number[];
}
interface Check {
  id: string;
  relatedNodes?: unknown[];
  result?: boolean;
  message?: string;
}
interface NodeResult {
  node: Spec;
  any: Check[];
  all: Check[];
  none: Check[];
  impact?: string | null;
}
interface RuleResult {
  id: string;
  impact?: string | null;
  help: string;
  helpUrl: string;
  tags: string[];
  nodes: NodeResult[];
  violations: NodeResult[];
  incomplete: NodeResult[];
  passes: NodeResult[];
  error?: unknown;
}
interface Internals {
  _audit: { rules: { id: string; any: unknown[]; all: unknown[]; none: unknown[] }[]; checks: Record<string, { after?: unknown } | undefined> };
  utils: {
    nodeSerializer: { update(serializer: { toSpec(element: DqElement): Spec; mergeSpecs(child: Spec, parent: Spec): Spec }): void };
    getFrameContexts(context: unknown, options: unknown): { frameContext: FrameContext }[];
  };
}
const internals = axe as unknown as Internals;

const maxSummary = 600;

/** One of the daemon's wishes. */
interface Wish {
  tags: string[];
  rules: string[];
}

interface Found {
  id: string;
  impact: string;
  help: string;
  helpUrl: string;
  tags: string[];
  nodes: { at: [string, number]; impact: string; summary: string }[];
}

class Audit {
  readonly #elements: Elements;

  constructor(
    private readonly key: string,
    private readonly tools: Tools,
  ) {
    this.#elements = new Elements(tools);
  }

  /** This frame's part. root is an element to start at; context what the parent frame says of this one. */
  async part(wish: string, context: string, root?: Element): Promise<string> {
    const options = runOptions(JSON.parse(wish) as Wish);
    const given = JSON.parse(context) as Record<string, unknown>;
    const around = { include: [root ?? document], ...given };
    const restore = openRoots(this.tools);
    try {
      this.#serialize();
      const contexts = internals.utils.getFrameContexts(around, options).map(({ frameContext }) => frameContext);
      const partial = (await axe.runPartial(around as unknown as Parameters<typeof axe.runPartial>[0], options)) as unknown as { results: RuleResult[]; frames: Spec[] };
      const needed = rulesWithAfter();
      for (const result of partial.results) if (!needed.has(result.id)) result.nodes = withoutPasses(result.nodes).map(alone);
      return JSON.stringify({ partial, frames: partial.frames.map(({ at }, i) => ({ element: at[1], context: contexts[i] ?? {} })) });
    } finally {
      restore();
    }
  }

  /** The report of all parts: in the order of the frames, each before those in it; null for one that was not heard. */
  async whole(wish: string, ...parts: string[]): Promise<string> {
    const partials = parts.map((part) => (JSON.parse(part) as { partial: unknown } | null)?.partial ?? null);
    const options = runOptions(JSON.parse(wish) as Wish);
    this.#serialize();
    const results = await new Promise<RuleResult[]>((resolve, reject) => {
      const reporter = (raw: RuleResult[], _: unknown, done: (results: unknown) => void): void => {
        resolve(raw);
        done(raw);
      };
      axe.finishRun(partials as PartialResults, { ...options, reporter: reporter as unknown as 'raw' }).then(undefined, reject);
    });
    return JSON.stringify({
      version: axe.version,
      violations: results.filter(({ violations }) => violations.length > 0).map((result) => found(result, result.violations)),
      incomplete: results.filter(({ incomplete }) => incomplete.length > 0).map((result) => found(result, result.incomplete)),
      passes: results.filter(({ violations, incomplete, passes }) => violations.length + incomplete.length === 0 && passes.length > 0).length,
      errors: results.filter(({ error }) => error !== undefined).map(({ id }) => id),
    });
  }

  /** The rules that there are, by id. */
  rules(): string {
    return JSON.stringify(internals._audit.rules.map(({ id }) => id));
  }

  element(number: number): Element | undefined {
    return this.#elements.get(number);
  }

  describe(numbers: string): string {
    return this.#elements.describe(JSON.parse(numbers) as number[]);
  }

  /** Elements by number: axe's own paths take most of the time on a page of long lists, and nobody reads them. */
  #serialize(): void {
    internals.utils.nodeSerializer.update({
      toSpec: (node) => {
        const { element, nodeIndexes } = node;
        const number = this.#elements.add(element);
        const path = matched(element) ? node.ancestry : [`#${number}`];
        return { selector: path, ancestry: path, xpath: path, source: '', nodeIndexes, at: [this.key, number] };
      },
      mergeSpecs: (child, parent) => ({
        ...child,
        selector: [...parent.selector, ...child.selector],
        ancestry: [...parent.ancestry, ...child.ancestry],
        xpath: [...parent.xpath, ...child.xpath],
        nodeIndexes: [...parent.nodeIndexes, ...child.nodeIndexes],
        fromFrame: true,
      }),
    });
  }
}

/** Elements whose paths axe compares: headings across frames, frames with what is in them. */
function matched(element: Element): boolean {
  return /^(h[1-6]|i?frame|html)$/.test(element.localName) || element.getAttribute('role') === 'heading';
}

function runOptions({ tags, rules }: Wish): RunOptions {
  return {
    runOnly: rules.length > 0 ? { type: 'rule', values: rules } : { type: 'tag', values: tags },
    // It would fetch the page's style sheets once more, and wait for its films.
    preload: false,
  };
}

function found({ id, impact, help, helpUrl, tags }: RuleResult, nodes: NodeResult[]): Found {
  return { id, impact: impact ?? 'minor', help, helpUrl, tags, nodes: nodes.map((node) => ({ at: node.node.at, impact: node.impact ?? impact ?? 'minor', summary: summary(node) })) };
}

/** What has to be mended, in one line: all of `none` and `all`, one of `any`. */
function summary(node: NodeResult): string {
  const words = (checks: Check[]): string[] => checks.flatMap(({ message }) => (message === undefined || message === '' ? [] : [message.replace(/\s+/g, ' ').trim()]));
  const must = words([...node.none, ...node.all]);
  const either = words(node.any);
  const line = [...must, ...(either.length > 0 ? [either.join(' or ')] : [])].join('; ');
  return (line.length > maxSummary ? `${line.slice(0, maxSummary)}…` : line).toWellFormed();
}

/** Rules that look at the whole page at the end need what passed, too. */
function rulesWithAfter(): ReadonlySet<string> {
  const { rules, checks } = internals._audit;
  const late = (check: unknown): boolean => {
    const id = typeof check === 'string' ? check : (check as { id: string }).id;
    return typeof checks[id]?.after === 'function';
  };
  return new Set(rules.filter((rule) => [rule.any, rule.all, rule.none].some((checks) => checks.some(late))).map(({ id }) => id));
}

/** Nodes that passed, but for one that shows that the rule did. */
function withoutPasses(nodes: NodeResult[]): NodeResult[] {
  let one = false;
  return nodes.filter(({ any: some, all, none }) => {
    const passed = (some.length === 0 || some.some(({ result }) => result === true)) && all.every(({ result }) => result === true) && none.every(({ result }) => result === false);
    const keep = !passed || !one;
    one ||= passed;
    return keep;
  });
}

/** Elements beside the one that is found are not in the report. */
function alone(node: NodeResult): NodeResult {
  for (const check of [...node.any, ...node.all, ...node.none]) check.relatedNodes = [];
  return node;
}

/** Makes closed shadow roots open for scripts of this world alone, until it is called off. */
function openRoots(tools: Tools): () => void {
  const own = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot');
  if (own?.get === undefined) return () => undefined;
  Object.defineProperty(Element.prototype, 'shadowRoot', {
    ...own,
    get(this: Element) {
      return tools.shadowRoot(this);
    },
  });
  return () => Object.defineProperty(Element.prototype, 'shadowRoot', own);
}

/** key names the frame in the report. */
export function open(key: string, token: string): Audit {
  return new Audit(key, borrow(token));
}
