/** The answer about a trace: per navigation the metrics, the long tasks and all insights, each in a few lines. */
import * as Trace from '@paulirish/trace_engine/models/trace/trace.js';

import { cut, evidence, message, milli, round, score, since, source } from './evidence.ts';
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

export async function analyze(events: Events, metadata: Trace.Types.File.MetaData | undefined): Promise<Report> {
  const model = Trace.TraceModel.Model.createWithAllHandlers();
  await model.parse(events, { isFreshRecording: true, ...(metadata ? { metadata } : {}) });
  const trace = model.parsedTrace();
  if (!trace) throw new Error('The trace holds nothing that the engine can read.');
  const sets = [...(trace.insights?.values() ?? [])];
  return {
    events: events.length,
    durationMs: milli(trace.data.Meta.traceBounds.range),
    sets: sets.map((set) => setReport(trace, { data: trace.data, set })),
  };
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
  const rows = evidence(name, insight, context);
  const savings = savingsOf(insight);
  return {
    name,
    title: message(insight.title),
    description: message(insight.description),
    docs: insight.docs,
    category: insight.category,
    state: measured(name, context) ? insight.state : 'unmeasured',
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
    ...(by?.LCP ? { lcpMs: round(by.LCP) } : {}),
    ...(by?.FCP ? { fcpMs: round(by.FCP) } : {}),
    ...(by?.INP ? { inpMs: round(by.INP) } : {}),
    ...(by?.TBT ? { tbtMs: round(by.TBT) } : {}),
    ...(by?.CLS ? { cls: score(by.CLS) } : {}),
    ...(wastedBytes ? { bytes: Math.round(wastedBytes) } : {}),
  };
  return Object.keys(savings).length > 0 ? savings : undefined;
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
  });
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

/** A task with the innermost thing in it that took more than half of its time. */
function taskRow({ data }: ParsedTrace, task: Event, context: Context): Row {
  let node = data.Renderer.entryToNode.get(task);
  let what = '';
  let where: Row = {};
  while (node) {
    node = node.children.find((child) => (child.entry.dur ?? 0) > (task.dur ?? 0) / 2);
    if (!node) break;
    const at = source(node.entry);
    if (at.url) where = at;
    if (!Trace.Types.Events.isProfileCall(node.entry)) what = node.entry.name;
  }
  return { ...(what ? { what } : {}), ...where, startMs: since(task.ts, context), ms: milli(task.dur ?? 0) };
}
