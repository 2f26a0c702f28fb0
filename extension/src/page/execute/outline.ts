/** The outline of the frame as a command. */
import { frameInfo } from '../dom/frames.ts';
import { matcher, outline } from '../tree/outline.ts';
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
