/** Components: the tree, one of them, and which one owns an element. */
import type { Component, Details } from './adapter.ts';
import { instances } from './adapters.ts';
import { Refusal, type At, type Part } from './part.ts';
import { Room, summary } from './summary.ts';

const maxVisited = 50_000; // components of one walk
const maxRows = 1000; // of one tree
const maxNearest = 8; // names proposed
const maxOwners = 30;
const maxName = 120; // characters
const beside = /^use(?:Context|Callback|\w*Effect)/; // hooks whose value is rarely what is looked for
const room = 16_000; // characters of one component's values, about

export function componentPart(): Part {
  return {
    operations: {
      'component.tree': (args, at) => tree(args, at),
      'component.inspect': (args, at) => inspect(args, at),
      'component.of': (_args, at) => owners(chosen(at), at),
    },
    dispose: () => undefined,
  };
}

// --- the tree ----------------------------------------------------------------------

/** A component with what is under it. shape is the same for those that look the same. */
interface Branch {
  component: Component;
  name: string;
  children: Branch[];
  shape: number;
  /** Components in it, itself included. */
  size: number;
}

interface Row {
  depth: number;
  name: string;
  /** Alike components in a row that this one stands for. */
  count?: number;
  key?: string;
  /** Components in it that are not told. */
  hidden?: number;
  /** Names of the components around it, where the tree is filtered. */
  path?: string;
  element?: number;
}

function tree(args: Record<string, unknown>, at: At): unknown {
  const depth = typeof args.depth === 'number' ? args.depth : Infinity;
  const limit = Math.min(typeof args.limit === 'number' ? args.limit : 200, maxRows);
  const filter = typeof args.name === 'string' ? args.name.toLowerCase() : '';
  const [element] = at.elements;
  const top = element === undefined ? roots() : [ofElement(element)].filter((found) => found !== undefined);
  const { branches, visited, cut } = grow(top);
  const rows = filter === '' ? told(branches, depth, limit, at) : matching(branches, filter, limit, at);
  const frameworks = branches.length === 0 ? present() : [...new Set(branches.map(({ component }) => component.framework))];
  return { frameworks, looked: looked(), build: branches[0] === undefined ? undefined : buildOf(branches[0].component), components: visited, ...(cut ? { more: true } : {}), ...rows };
}

/** Walks everything under the roots, without recursion: pages nest as deep as they like. */
function grow(top: Iterable<Component>): { branches: Branch[]; visited: number; cut: boolean } {
  const shapes = new Map<string, number>();
  const branches: Branch[] = [];
  const open: { branch: Branch; rest: Iterator<Component> }[] = [];
  const first = iterate(top);
  let visited = 0;
  for (;;) {
    const here = open.at(-1);
    const component = visited >= maxVisited ? undefined : next(here === undefined ? first : here.rest);
    if (component !== undefined) {
      visited++;
      const branch: Branch = { component, name: nameOf(component), children: [], shape: 0, size: 1 };
      (here === undefined ? branches : here.branch.children).push(branch);
      open.push({ branch, rest: iterate(childrenOf(component)) });
      continue;
    }
    if (here === undefined) break;
    open.pop();
    const { branch } = here;
    let text = branch.name;
    let last = -1;
    for (const { shape, size } of branch.children) {
      if (shape !== last) text += ` ${shape}`;
      last = shape;
      branch.size += size;
    }
    branch.shape = shapes.get(text) ?? shapes.size;
    shapes.set(text, branch.shape);
  }
  return { branches, visited, cut: visited >= maxVisited };
}

/** The rows in order; alike siblings in a row are one. */
function told(branches: readonly Branch[], depth: number, limit: number, at: At): { rows: Row[]; hidden?: number } {
  const rows: Row[] = [];
  const stack = folded(branches).reverse().map((run) => ({ ...run, depth: 0 }));
  let hidden = 0;
  for (let run = stack.pop(); run !== undefined; run = stack.pop()) {
    const { branch, count } = run;
    if (rows.length >= limit) {
      hidden += branch.size * count;
      continue;
    }
    const below = run.depth >= depth ? [] : branch.children;
    const key = keyOf(branch.component);
    const row: Row = {
      depth: run.depth, name: branch.name, ...(count > 1 ? { count } : {}), ...(key === undefined ? {} : { key }),
      ...(below.length === 0 && branch.size > 1 ? { hidden: branch.size - 1 } : {}),
    };
    rows.push(row);
    // An element stands for the innermost component that it is the first one of.
    const element = elementOf(branch.component);
    if (element !== undefined && (below[0] === undefined || elementOf(below[0].component) !== element)) row.element = at.give(element);
    for (const inner of folded(below).reverse()) stack.push({ ...inner, depth: run.depth + 1 });
  }
  return hidden > 0 ? { rows, hidden } : { rows };
}

/** The components of a name, with those around them. */
function matching(branches: readonly Branch[], filter: string, limit: number, at: At): { rows: Row[]; hidden?: number } {
  const rows: Row[] = [];
  const stack = folded(branches).reverse().map((run) => ({ ...run, around: [] as readonly string[] }));
  let hidden = 0;
  for (let run = stack.pop(); run !== undefined; run = stack.pop()) {
    const { branch, count, around } = run;
    if (branch.name.toLowerCase().includes(filter)) {
      if (rows.length >= limit) hidden += count;
      else {
        const element = elementOf(branch.component);
        const key = keyOf(branch.component);
        rows.push({
          depth: 0, name: branch.name, ...(count > 1 ? { count } : {}), ...(key === undefined ? {} : { key }),
          ...(around.length > 0 ? { path: around.slice(-6).join(' > ') } : {}), ...(element === undefined ? {} : { element: at.give(element) }),
        });
      }
    }
    const inside = around.length >= maxOwners ? around : [...around, branch.name];
    for (const inner of folded(branch.children).reverse()) stack.push({ ...inner, around: inside });
  }
  return hidden > 0 ? { rows, hidden } : { rows };
}

function folded(branches: readonly Branch[]): { branch: Branch; count: number }[] {
  const out: { branch: Branch; count: number }[] = [];
  for (const branch of branches) {
    const last = out.at(-1);
    if (last !== undefined && last.branch.shape === branch.shape) last.count++;
    else out.push({ branch, count: 1 });
  }
  return out;
}

// --- one component --------------------------------------------------------------------

function inspect(args: Record<string, unknown>, at: At): unknown {
  const found = typeof args.name === 'string' ? byName(args.name) : chosen(at);
  if (!('component' in found)) return found;
  const { component, alike } = found;
  const { props, state, hooks, ...rest } = detailsOf(component);
  const left = new Room(room);
  const element = elementOf(component);
  return {
    name: nameOf(component), framework: component.framework, ...plain(rest),
    ...(alike !== undefined && alike > 1 ? { alike } : {}),
    ...(element === undefined ? {} : { element: at.give(element) }),
    ...(props === undefined ? {} : { props: summary(props, left) }),
    ...(state === undefined ? {} : { state: summary(state, left) }),
    ...(hooks === undefined ? {} : { hooks: hooks.slice(0, 100).map(({ name, value }) => ({ name: name.slice(0, maxName), value: summary(value, left, beside.test(name) ? 2 : 1) })) }),
  };
}

function plain({ owners: around, key, source, written, build }: Details): Record<string, unknown> {
  return { key: key?.slice(0, maxName), owners: around?.slice(0, maxOwners).map((name) => name.slice(0, maxName)), source, written, build };
}

/** The component and those around it, each with where it is used. */
function owners(found: Found | Missing, at: At): unknown {
  if (!('component' in found)) return found;
  const chain: unknown[] = [];
  for (let component: Component | null = found.component; component !== null && chain.length < maxOwners; component = parentOf(component)) {
    const element = elementOf(component);
    const { key, source, written } = plain(detailsOf(component));
    chain.push({ name: nameOf(component), key, source, written, ...(element === undefined || chain.length > 0 ? {} : { element: at.give(element) }) });
  }
  return { framework: found.component.framework, build: buildOf(found.component), chain };
}

interface Found {
  component: Component;
  /** Components of the same name. */
  alike?: number;
}

/** Frameworks that are there and names near to the one asked for. */
interface Missing {
  missing: true;
  frameworks: string[];
  looked: string[];
  nearest: string[];
}

function missing(nearest: string[], frameworks: string[]): Missing {
  return { missing: true, frameworks, looked: looked(), nearest };
}

function chosen(at: At): Found | Missing {
  const [element] = at.elements;
  if (element === undefined) throw new Refusal('VALIDATION_ERROR', 'no element came with it');
  const component = ofElement(element);
  return component === undefined ? missing([], present()) : { component };
}

/** NAME, or NAME#2 for the second of that name in the tree's order. */
function byName(given: string): Found | Missing {
  const [, name = given, number] = /^(.+)#(\d+)$/.exec(given) ?? [];
  const wanted = number === undefined ? 1 : Number(number);
  const names = new Map<string, number>();
  let exact: Component | undefined;
  let alike = 0;
  let visited = 0;
  const stack: Iterator<Component>[] = [iterate(roots())];
  for (let top = stack.at(-1); top !== undefined && visited < maxVisited; top = stack.at(-1)) {
    const component = next(top);
    if (component === undefined) {
      stack.pop();
      continue;
    }
    visited++;
    const own = nameOf(component);
    names.set(own, (names.get(own) ?? 0) + 1);
    if (own === name && ++alike === wanted) exact = component;
    stack.push(iterate(childrenOf(component)));
  }
  if (exact !== undefined) return { component: exact, alike };
  const near = [...names.keys()].map((own) => ({ own, score: likeness(own.toLowerCase(), name.toLowerCase()) })).sort((a, b) => b.score - a.score);
  return missing(near.slice(0, maxNearest).map(({ own }) => (own === name ? `${own}#1 to #${alike}` : own)), present());
}

/** How much of a name is in the other: letter pairs in common. */
function likeness(a: string, b: string): number {
  const pairs = new Set<string>();
  for (let i = 0; i < b.length - 1; i++) pairs.add(b.slice(i, i + 2));
  let common = 0;
  for (let i = 0; i < a.length - 1; i++) if (pairs.has(a.slice(i, i + 2))) common++;
  return common / (a.length + b.length);
}

// --- adapters, of which any may stumble over its page -----------------------------------

function attempt<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}

function looked(): string[] {
  return instances().filter((adapter) => adapter.roots !== undefined).map((adapter) => adapter.framework);
}

/** Frameworks with a component on the page. */
function present(): string[] {
  return instances().filter((adapter) => next(iterate(attempt(() => adapter.roots?.() ?? [], []))) !== undefined).map((adapter) => adapter.framework);
}

function* roots(): Iterable<Component> {
  for (const adapter of instances()) {
    const found = iterate(attempt(() => adapter.roots?.() ?? [], []));
    for (let component = next(found); component !== undefined; component = next(found)) yield component;
  }
}

/** The nearest one, where more than one framework is around the element. */
function ofElement(element: Element): Component | undefined {
  let nearest: Component | undefined;
  for (const adapter of instances()) {
    const component = attempt(() => adapter.of?.(element) ?? undefined, undefined);
    if (component === undefined) continue;
    const inner = elementOf(component);
    const outer = nearest === undefined ? undefined : elementOf(nearest);
    if (nearest === undefined || (inner !== undefined && outer !== undefined && inner !== outer && outer.contains(inner))) nearest = component;
  }
  return nearest;
}

function iterate(list: Iterable<Component>): Iterator<Component> {
  return attempt(() => list[Symbol.iterator](), [][Symbol.iterator]());
}

function next(iterator: Iterator<Component>): Component | undefined {
  return attempt(() => {
    const { done, value } = iterator.next();
    return done === true ? undefined : (value as Component);
  }, undefined);
}

const childrenOf = (component: Component): Iterable<Component> => attempt(() => component.children(), []);
const parentOf = (component: Component): Component | null => attempt(() => component.parent(), null);
const elementOf = (component: Component): Element | undefined => attempt(() => component.element() ?? undefined, undefined);
const detailsOf = (component: Component): Details => attempt(() => component.details(), {});
const buildOf = (component: Component): string | undefined => detailsOf(component).build;
const nameOf = (component: Component): string => attempt(() => component.name.slice(0, maxName), '') || 'Anonymous';
const keyOf = (component: Component): string | undefined => attempt(() => component.listKey?.slice(0, maxName), undefined);
