// What the tests of this folder reach in the page: the parts of the bridge under
// test and a few shorthands, as one global of an isolated world.
import { Pass } from '../../../extension/src/page/tree/pass.ts';
import { applyDiff, compare } from '../../../extension/src/page/tree/compare.ts';
import type { UITreeOptions } from '../../../extension/src/page/tree/shapes.ts';
import { matcher, outline, type OutlineOptions } from '../../../extension/src/page/tree/outline.ts';
import { UITree } from '../../../extension/src/page/tree/uitree.ts';
import { actionability, type ActionKind } from '../../../extension/src/page/locate/actionability.ts';
import { bySelector, resolve, type Target } from '../../../extension/src/page/locate/target.ts';
import { frameInfo } from '../../../extension/src/page/dom/frames.ts';
import { secretKind } from '../../../extension/src/page/dom/secret.ts';
import { cut } from '../../../extension/src/page/dom/text.ts';
import { BridgeFault } from '../../../extension/src/page/fault.ts';

let tree = new UITree();
let observer: MutationObserver | undefined;

/** A new tree, with its observer when diffs are wanted. */
function start(options: UITreeOptions = {}): UITree {
  observer?.disconnect();
  const watch = { subtree: true, childList: true, attributes: true, characterData: true } as const;
  const records = new MutationObserver((list) => tree.observe(list));
  observer = records;
  tree = new UITree({ ...options, onRoot: (root) => records.observe(root, watch) });
  records.observe(document, watch);
  tree.listen(() => {});
  return tree;
}

function diff(): ReturnType<UITree['diff']> {
  tree.observe(observer?.takeRecords() ?? []);
  return tree.diff();
}

function fail(error: unknown): unknown {
  if (error instanceof BridgeFault) return { code: error.code, message: error.message, details: error.details };
  return { code: 'THROWN', message: String(error instanceof Error ? error.stack : error) };
}

function label(element: Element): string {
  return element.getAttribute('data-t') ?? element.id;
}

/** Role and name of each element with data-t, by its value. */
function roleNames(): Record<string, [string, string]> {
  const pass: Pass = tree.pass(true);
  const out: Record<string, [string, string]> = {};
  pass.flat.walk<true>(document.documentElement, true, (element) => {
    const key = element.getAttribute('data-t');
    if (key !== null) out[key] = [pass.roles.role(element), pass.names.describe(element).name];
    return true;
  });
  return out;
}

function locate(target: Target): unknown {
  try {
    return label(resolve(target, tree));
  } catch (error) {
    return fail(error);
  }
}

async function act(selector: string, action: ActionKind): Promise<unknown> {
  try {
    const [element] = bySelector(selector, tree.pass());
    if (element === undefined) throw new Error('no element');
    const got = await actionability(element, action, tree);
    return { at: label(got.element), point: got.point, checks: got.checks };
  } catch (error) {
    return fail(error);
  }
}

Object.assign(globalThis, {
  T: {
    start,
    diff,
    full: () => tree.full(),
    outline: (options: OutlineOptions & { find?: unknown } = {}) => {
      const { text, truncated, frames } = outline(tree, tree.pass(true), { ...options, match: matcher(options.find) });
      return { text, truncated, frames: frames.map(({ order }) => order) };
    },
    get tree() {
      return tree;
    },
    roleNames,
    locate,
    act,
    applyDiff,
    compare,
    bySelector: (selector: string) => bySelector(selector, tree.pass()).map(label),
    frameInfo: () => frameInfo(tree),
    secretKind,
    cut,
    label,
    Pass,
  },
});
start();
