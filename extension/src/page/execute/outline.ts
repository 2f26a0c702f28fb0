/** The outline of the frame as a command. */
import { frameInfo } from '../dom/frames.ts';
import { candidate } from '../locate/candidates.ts';
import { matcher, outline } from '../tree/outline.ts';
import type { Pass } from '../tree/pass.ts';
import type { UITree } from '../tree/uitree.ts';
import type { Targets } from './target.ts';

/** Parameters: root (a target), inView, all, text (limit of a text), match (what gets a ref though it is no control). */
export async function readOutline(params: Record<string, unknown>, tree: UITree, targets: Targets, signal: AbortSignal): Promise<Record<string, unknown>> {
  const root = params.root === undefined ? undefined : await targets.resolve({ target: params.root, waitMs: params.waitMs }, signal);
  const { text, truncated, frames } = outline(tree, tree.pass(true), {
    root,
    inView: params.inView === true,
    all: params.all === true,
    match: matcher(params.match),
    ...(typeof params.text === 'number' ? { text: params.text } : {}),
  });
  return { text, truncated, refs: tree.refs.next - 1, frame: frameInfo(tree, frames), url: location.href, title: document.title.slice(0, 300).toWellFormed() };
}

/** Where the frame stands: what a person would say of it at a glance. */
export function readState(tree: UITree): Record<string, unknown> {
  const pass = tree.pass();
  const { focused } = pass;
  const root = document.scrollingElement;
  return {
    url: location.href,
    title: document.title.slice(0, 300).toWellFormed(),
    readyState: document.readyState,
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { x: Math.round(scrollX), y: Math.round(scrollY) },
    content: { width: root?.scrollWidth ?? innerWidth, height: root?.scrollHeight ?? innerHeight },
    pixelRatio: devicePixelRatio,
    hidden: document.visibilityState === 'hidden',
    ...(focused === null || focused === document.body || focused === document.documentElement ? {} : { focused: named(focused, tree, pass) }),
  };
}

function named(element: Element, tree: UITree, pass: Pass): Record<string, unknown> {
  const { ref, role, name } = candidate(element, tree, pass);
  return { ref, role, name };
}
