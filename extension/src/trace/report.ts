/** The answer about a trace: per navigation the metrics, the long tasks and all insights, each in a few lines. */
import * as Trace from '@paulirish/trace_engine/models/trace/trace.js';

import { address, cut, evidence, frameOf, message, milli, round, score, since, source } from './evidence.ts';
import type { Context, Row } from './evidence.ts';

type ParsedTrace = Trace.TraceModel.ParsedTrace;
type Event = Trace.Types.Events.Event;

export interface Report {
  events: number;
  durationMs: number;
  sets: SetReport[];
}

export interface SetReport {
  id: string;
  url: string;
  navigation: boolean;
  durationMs: number;
  metrics: Metrics;
  longTasks: Row[];
  longTaskCount: number;
  insights: InsightReport[];
}

/** Milliseconds since the navigation, but for the score `cls`. What did not happen is not there. */
export interface Metrics {
  ttfbMs?: number;
  fcpMs?: number;
  lcpMs?: number;
  cls?: number;
  inpMs?: number;
  /** What the long tasks took above 50 ms each, from the first paint on. */
  blockingMs: number;
  domContentLoadedMs?: number;
  loadMs?: number;
  lcp?: LCPParts;
  inp?: INPParts;
}

/** What the largest paint was, and what its time went into. */
export interface LCPParts {
  node?: string;
  nodeId?: number;
  url?: string;
  ttfbMs?: number;
  loadDelayMs?: number;
  loadDurationMs?: number;
  renderDelayMs?: number;
}

export interface INPParts {
  type: string;
  inputDelayMs: number;
  processingMs: number;
  presentationMs: number;
}

/** `unmeasured`: this recording lacks what the insight looks at, so that it says nothing either way. */
export type State = 'fail' | 'informative' | 'pass' | 'unmeasured' | 'error';

export interface InsightReport {
  name: string;
  title: string;
  description: string;
  docs: string;
  category: string;
  state: State;
  savings?: { lcpMs?: number; fcpMs?: number; inpMs?: number; tbtMs?: number; cls?: number; bytes?: number };
  warnings?: string[];
  evidence: Row[];
  evidenceCount: number;
}

const ROW_LIMIT = 40;
const LONG_TASK_LIMIT = 10;
const LONG_TASK_MICROS = 50_000;

type Events = readonly Event[];
type Node = Trace.Helpers.TreeHelpers.TraceEntryNode;

/** Of a task, from which on one function is worth naming. */
const HOT_SHARE = 0.2;

export async function analyze(events: Events, metadata: Trace.Types.File.MetaData | undefined): Promise<Report> {
  const model = Trace.TraceModel.Model.createWithAllHandlers();
  await model.parse(events, { isFreshRecording: true, ...(metadata ? { metadata } : {}) });
  const trace = model.parsedTrace();
  if (!trace) throw new Error('The trace holds nothing that the engine can read.');
  const sets = [...(trace.insights?.values() ?? [])];
  if (sets.length === 0) sets.push(...quiet(trace));
  return {
    events: events.length,
    durationMs: milli(trace.data.Meta.traceBounds.range),
    sets: sets.map((set) => setReport(trace, { data: trace.data, set })),
  };
}

/** The engine leaves a short stretch without a finding out; its long tasks are worth a word all the same. */
function quiet({ data }: ParsedTrace): Trace.Insights.Types.InsightSet[] {
  const { mainFrameURL, mainFrameId, traceBounds } = data.Meta;
  if (!URL.canParse(mainFrameURL)) return [];
  return [{
    id: Trace.Types.Events.NO_NAVIGATION, url: new URL(mainFrameURL), frameId: mainFrameId, bounds: traceBounds, model: {}, modelErrors: {},
  }];
}

function setReport(trace: ParsedTrace, context: Context): SetReport {
  const { set } = context;
  const tasks = longTasks(trace, context);
  return {
    id: set.id,
    url: cut(set.url.href),
    navigation: set.navigation !== undefined,
    durationMs: milli(set.bounds.range),
    metrics: metrics(context, tasks),
    longTasks: tasks.slice(0, LONG_TASK_LIMIT).map((task) => taskRow(trace, task, context)),
    longTaskCount: tasks.length,
    insights: [
      ...Object.entries(set.model).map(([name, insight]) => insightReport(name as InsightName, insight, context)),
      ...Object.entries(set.modelErrors).map(([name, error]) => failed(name, error)),
    ],
  };
}

type InsightName = keyof Trace.Insights.Types.InsightModels;

function insightReport(name: InsightName, insight: Trace.Insights.Types.InsightModel, context: Context): InsightReport {
  const known = measured(name, context);
  const rows = known ? evidence(name, insight, context) : [];
  const savings = savingsOf(insight);
  return {
    name,
    title: message(insight.title),
    description: message(insight.description),
    docs: insight.docs,
    category: insight.category,
    state: known ? insight.state : 'unmeasured',
    ...(savings ? { savings } : {}),
    ...(insight.warnings?.length ? { warnings: [...insight.warnings] } : {}),
    evidence: rows.slice(0, ROW_LIMIT),
    evidenceCount: rows.length,
  };
}

/** Two insights pass when what they look at was not recorded, which would be a false all-clear. */
function measured(name: InsightName, { data }: Context): boolean {
  switch (name) {
    case 'SlowCSSSelector':
      return data.SelectorStats.dataForRecalcStyleEvent.size > 0;
    case 'DuplicatedJavaScript':
      return data.Scripts.scripts.some((script) => script.sourceMap !== undefined);
    case 'LegacyJavaScript':
      return data.Scripts.scripts.length === 0 || data.Scripts.scripts.some((script) => script.content !== undefined);
    default:
      return true;
  }
}

function failed(name: string, error: Error): InsightReport {
  return { name, title: name, description: cut(String(error.message)), docs: '', category: '', state: 'error', evidence: [], evidenceCount: 0 };
}

function savingsOf({ metricSavings: by, wastedBytes }: Trace.Insights.Types.InsightModel): InsightReport['savings'] {
  const savings = {
    ...gain('lcpMs', by?.LCP, round),
    ...gain('fcpMs', by?.FCP, round),
    ...gain('inpMs', by?.INP, round),
    ...gain('tbtMs', by?.TBT, round),
    ...gain('cls', by?.CLS, score),
    ...gain('bytes', wastedBytes, Math.round),
  };
  return Object.keys(savings).length > 0 ? savings : undefined;
}

/** The engine also says -Infinity: the largest of no gains. */
function gain(name: string, value: number | undefined, rounded: (value: number) => number): Record<string, number> {
  return value !== undefined && Number.isFinite(value) && rounded(value) > 0 ? { [name]: rounded(value) } : {};
}

function metrics(context: Context, tasks: Event[]): Metrics {
  const { data, set } = context;
  const { MetricName } = Trace.Handlers.ModelHandlers.PageLoadMetrics;
  const found = set.navigation ? data.PageLoadMetrics.metricScoresByFrameId.get(set.frameId)?.get(set.navigation) : undefined;
  const at = (name: Trace.Handlers.ModelHandlers.PageLoadMetrics.MetricName): number | undefined => {
    const timing = found?.get(name)?.timing;
    return timing === undefined ? undefined : milli(timing);
  };
  const inp = Trace.Insights.Common.getINP(set);
  const from = found?.get(MetricName.FCP)?.event?.ts ?? set.bounds.min;
  const document = data.NetworkRequests.byId.get(set.navigation?.args.data?.navigationId ?? '');
  const firstByte = document ? Trace.Insights.Common.calculateDocFirstByteTs(document) : null;
  return defined({
    ttfbMs: firstByte === null ? undefined : since(firstByte, context),
    fcpMs: at(MetricName.FCP),
    lcpMs: at(MetricName.LCP),
    cls: score(Trace.Insights.Common.getCLS(set).value),
    inpMs: inp ? milli(inp.value) : undefined,
    blockingMs: milli(tasks.reduce((sum, task) => sum + (task.ts + (task.dur ?? 0) > from ? (task.dur ?? 0) - LONG_TASK_MICROS : 0), 0)),
    domContentLoadedMs: at(MetricName.DCL),
    loadMs: at(MetricName.L),
    lcp: lcpParts(context),
    inp: inp
      ? {
          type: inp.event.type,
          inputDelayMs: milli(inp.event.inputDelay),
          processingMs: milli(inp.event.mainThreadHandling),
          presentationMs: milli(inp.event.presentationDelay),
        }
      : undefined,
  });
}

function lcpParts(context: Context): LCPParts | undefined {
  const { lcpEvent, lcpRequest, subparts } = context.set.model.LCPBreakdown ?? {};
  const data = lcpEvent?.args.data;
  if (!data) return undefined;
  return {
    ...(data.nodeName ? { node: cut(data.nodeName) } : {}),
    nodeId: data.nodeId,
    ...(lcpRequest ? { url: address(lcpRequest.args.data.url, context) } : {}),
    ...(subparts
      ? {
          ttfbMs: milli(subparts.ttfb.range),
          ...(subparts.loadDelay ? { loadDelayMs: milli(subparts.loadDelay.range) } : {}),
          ...(subparts.loadDuration ? { loadDurationMs: milli(subparts.loadDuration.range) } : {}),
          renderDelayMs: milli(subparts.renderDelay.range),
        }
      : {}),
  };
}

function defined(all: { [Key in keyof Metrics]: Metrics[Key] | undefined }): Metrics {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as Metrics;
}

/** Tasks above 50 ms on the page's own main thread, the longest first. */
function longTasks({ data }: ParsedTrace, { set }: Context): Event[] {
  const processes = data.Meta.rendererProcessesByFrame.get(set.frameId);
  const onMain = (event: Event): boolean =>
    (processes?.has(event.pid) ?? false) && data.Meta.threadsInProcess.get(event.pid)?.get(event.tid)?.args.name === 'CrRendererMain';
  return (data.Warnings.perWarning.get('LONG_TASK') ?? [])
    .filter((event) => event.ts >= set.bounds.min && event.ts < set.bounds.max && onMain(event))
    .sort((a, b) => (b.dur ?? 0) - (a.dur ?? 0));
}

/** Script with a place in the sources tells more than what ran it, if it took the time. */
function better(event: Event, than: Event | undefined, context: Context): boolean {
  if (!than) return true;
  const [dur, other] = [event.dur ?? 0, than.dur ?? 0];
  const [placed, otherPlaced] = [source(event, context).url !== undefined, source(than, context).url !== undefined];
  return placed === otherPlaced ? dur > other : placed ? dur > other / 2 : dur / 2 > other;
}

/** A task: what it was, and which function took most of it. */
function taskRow(trace: ParsedTrace, task: Event, context: Context): Row {
  const row: Row = { startMs: since(task.ts, context), ms: milli(task.dur ?? 0) };
  const selfTime = new Map<string, { frame: Parameters<typeof frameOf>[0]; micros: number }>();
  let entry: Event | undefined;
  const walk = (node: Node): void => {
    for (const child of node.children) {
      const { entry: event } = child;
      if (Trace.Types.Events.isProfileCall(event)) {
        const { callFrame: frame } = event;
        const key = `${frame.scriptId}:${frame.lineNumber}:${frame.columnNumber}:${frame.functionName}`;
        const seen = selfTime.get(key) ?? { frame, micros: 0 };
        seen.micros += child.selfTime ?? 0;
        selfTime.set(key, seen);
      } else if (better(event, entry, context)) {
        entry = event;
      }
      walk(child);
    }
  };
  const root = trace.data.Renderer.entryToNode.get(task);
  if (root) walk(root);
  if (entry) Object.assign(row, { what: entry.name }, source(entry, context));
  const [hot] = [...selfTime.values()].sort((a, b) => b.micros - a.micros);
  if (hot && hot.micros > (task.dur ?? 0) * HOT_SHARE) {
    const { function: name = '(anonymous)', url = '', line } = frameOf(hot.frame, context);
    row.text = `${milli(hot.micros)} ms in ${name}${url ? ` ${url}:${line}` : ''}`;
  }
  return row;
}
