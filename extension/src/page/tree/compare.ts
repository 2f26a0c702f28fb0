// What changed between two looks at the same element.
import type { UITreeItem } from '../../protocol/generated.ts';

export type Changed = { ref: string } & { [K in keyof UITreeItem]?: UITreeItem[K] | null };

const fields = [
  'stableId',
  'selector',
  'role',
  'name',
  'text',
  'label',
  'value',
  'disabled',
  'visible',
  'hidden',
  'checked',
  'expanded',
  'selected',
  'focused',
  'frameId',
] as const;

/** Fields that differ, null for those that are gone; undefined when nothing does. */
export function compare(old: UITreeItem, now: UITreeItem, moved: boolean): Changed | undefined {
  let changed: Changed | undefined;
  for (const field of fields) {
    if (old[field] === now[field]) continue;
    changed ??= { ref: now.ref };
    Object.assign(changed, { [field]: now[field] ?? null });
  }
  if (moved) {
    changed ??= { ref: now.ref };
    changed.bounds = now.bounds;
  }
  if (!sameMeta(old.meta, now.meta)) {
    changed ??= { ref: now.ref };
    changed.meta = now.meta ?? null;
  }
  return changed;
}

function sameMeta(old: UITreeItem['meta'], now: UITreeItem['meta']): boolean {
  if (old === undefined || now === undefined) return old === now;
  const keys = Object.keys(now);
  return keys.length === Object.keys(old).length && keys.every((key) => old[key] === now[key]);
}

/** Apply a diff to a list: what an agent does. Order is that of arrival. */
export function applyDiff(
  items: readonly UITreeItem[],
  diff: { added: readonly UITreeItem[]; removed: readonly string[]; changed: readonly Changed[] },
): UITreeItem[] {
  const byRef = new Map(items.map((item) => [item.ref, { ...item }]));
  for (const ref of diff.removed) byRef.delete(ref);
  for (const change of diff.changed) {
    const item = byRef.get(change.ref);
    if (item === undefined) continue;
    for (const [key, value] of Object.entries(change)) {
      if (value === null) Reflect.deleteProperty(item, key);
      else Object.assign(item, { [key]: value });
    }
  }
  for (const item of diff.added) byRef.set(item.ref, { ...item });
  return [...byRef.values()];
}
