/**
 * What each insight of DevTools' engine found, as rows that an agent can act on:
 * addresses, nodes, source lines, milliseconds and bytes. The engine's own models
 * point into the trace and are far too large to hand out.
 */
import * as Trace from '@paulirish/trace_engine/models/trace/trace.js';

type Models = Trace.Insights.Types.InsightModels;
type Request = Trace.Types.Events.SyntheticNetworkRequest;
type Event = Trace.Types.Events.Event;
type Data = Trace.Handlers.Types.HandlerData;

/** One fact. Lines and columns count from 1, as editors do; times are milliseconds. */
export interface Row {
  what?: string;
  depth?: number;
  url?: string;
  line?: number;
  column?: number;
  function?: string;
  node?: string;
  nodeId?: number;
  startMs?: number;
  ms?: number;
  bytes?: number;
  value?: number;
  ok?: boolean;
  text?: string;
}

type Place = Pick<Row, 'url' | 'line' | 'column' | 'function'>;

export interface Context {
  data: Data;
  set: Trace.Insights.Types.InsightSet;
}

/** A page chooses its addresses and names; none of them may fill an agent's window. */
const TEXT_LIMIT = 300;

/** Rows in the order of weight: the first ones are worth reading. Unlisted insights have no evidence. */
const TABLE: { [Name in keyof Models]-?: (model: NonNullable<Models[Name]>, context: Context) => Row[] } = {
  LCPBreakdown: (m, c) => [
    ...lcpElement(m.lcpEvent, m.lcpRequest, c),
    ...(m.subparts
      ? (['ttfb', 'loadDelay', 'loadDuration', 'renderDelay'] as const).flatMap((part) => {
          const span = m.subparts?.[part];
          return span ? [{ what: part, startMs: since(span.min, c), ms: milli(span.range) }] : [];
        })
      : []),
  ],
  LCPDiscovery: (m, c) => [
    ...lcpElement(m.lcpEvent, m.lcpRequest, c),
    ...checklist(m.checklist),
    ...(m.lcpRequest && m.earliestDiscoveryTimeTs !== undefined
      ? [{ what: 'discoveryDelay', startMs: since(m.earliestDiscoveryTimeTs, c), ms: milli(m.lcpRequest.ts - m.earliestDiscoveryTimeTs) }]
      : []),
  ],
  INPBreakdown: (m, c) => {
    const longest = m.longestInteractionEvent;
    if (!longest) return [];
    return [
      { what: longest.type, startMs: since(longest.ts, c), ms: milli(longest.dur) },
      { what: 'inputDelay', ms: milli(longest.inputDelay) },
      { what: 'processing', ms: milli(longest.mainThreadHandling) },
      { what: 'presentationDelay', ms: milli(longest.presentationDelay) },
    ];
  },
  CLSCulprits: (m, c) => {
    const rows: Row[] = [];
    const clusters = [...m.clusters].sort((a, b) => b.clusterCumulativeScore - a.clusterCumulativeScore);
    for (const cluster of clusters) {
      rows.push({ what: 'cluster', startMs: since(cluster.ts, c), value: score(cluster.clusterCumulativeScore) });
      const culprits = (m.topCulpritsByCluster.get(cluster) ?? []).map((culprit): Row => ({
        what: 'culprit', depth: 1, text: message(culprit.description),
        ...('url' in culprit ? { url: address(culprit.url, c), nodeId: culprit.backendNodeId } : {}),
      }));
      rows.push(...new Map(culprits.map((row) => [JSON.stringify(row), row])).values());
      const shifts = [...cluster.events].sort((a, b) => weight(b) - weight(a));
      for (const shift of shifts) rows.push(...shiftRows(shift, m.shifts.get(shift), c));
    }
    return rows;
  },
  RenderBlocking: (m, c) =>
    m.renderBlockingRequests.map((r) => {
      const wasted = m.requestIdToWastedMs?.get(r.args.data.requestId);
      return { ...request(r, c), ...(wasted === undefined ? {} : { text: `delays the first paint by about ${Math.round(wasted)} ms` }) };
    }),
  NetworkDependencyTree: (m, c) => {
    const rows: Row[] = [];
    const walk = (nodes: typeof m.rootNodes, depth: number): void => {
      for (const node of [...nodes].sort((a, b) => Number(b.isLongest ?? false) - Number(a.isLongest ?? false))) {
        rows.push({
          ...request(node.request, c), ms: milli(node.timeFromInitialRequest), depth,
          ...(node.isLongest ? { what: 'longestChain' } : { what: 'chain' }),
        });
        walk(node.children, depth + 1);
      }
    };
    walk(m.rootNodes, 0);
    for (const origin of m.preconnectCandidates) rows.push({ what: 'preconnectCandidate', url: address(origin.origin, c), ms: round(origin.wastedMs) });
    for (const origin of m.preconnectedOrigins) {
      if (origin.unused || origin.crossorigin) {
        rows.push({ what: 'preconnect', url: address(origin.url, c), ok: false, text: origin.unused ? 'unused' : 'check the crossorigin attribute' });
      }
    }
    return rows;
  },
  ImageDelivery: (m, c) =>
    m.optimizableImages.map((image) => ({
      what: image.optimizations.map((o) => o.type.toLowerCase()).join(', '),
      url: address(image.request.args.data.url, c),
      bytes: image.byteSavings,
      nodeId: image.largestImagePaint.args.data.nodeId,
      ...texts(image.optimizations.flatMap((o) =>
        'fileDimensions' in o
          ? [`${o.fileDimensions.width}x${o.fileDimensions.height} shown at ${o.displayDimensions.width}x${o.displayDimensions.height}`]
          : [])),
    })),
  DocumentLatency: (m, c) => {
    if (!m.data) return [];
    return [
      ...(m.data.documentRequest ? [request(m.data.documentRequest, c)] : []),
      ...checklist(m.data.checklist),
      { what: 'serverResponse', ms: round(m.data.serverResponseTime) },
      ...(m.data.redirectDuration > 0 ? [{ what: 'redirects', ms: round(m.data.redirectDuration) }] : []),
      ...(m.data.uncompressedResponseBytes > 0 ? [{ what: 'uncompressed', bytes: m.data.uncompressedResponseBytes }] : []),
    ];
  },
  FontDisplay: (m, c) =>
    m.fonts.map((font) => ({
      what: font.display, url: address(font.request.args.data.url, c), ms: round(font.wastedTime),
      ...(font.name ? { text: cut(font.name) } : {}),
    })),
  Viewport: (m, c) => [
    { what: 'mobileOptimized', ...(m.mobileOptimized === null ? {} : { ok: m.mobileOptimized }) },
    ...(m.viewportEvent ? [{ what: 'viewport', nodeId: m.viewportEvent.args.data.node_id, text: cut(m.viewportEvent.args.data.content) }] : []),
    ...(m.longPointerInteractions ?? []).map((e) => ({ what: e.type, startMs: since(e.ts, c), ms: milli(e.dur) })),
  ],
  DOMSize: (m, c) => {
    const stats = m.maxDOMStats?.args.data;
    return [
      ...(stats
        ? [
            { what: 'elements', value: stats.totalElements },
            ...(stats.maxDepth ? [{ what: 'maxDepth', value: stats.maxDepth.depth, node: cut(stats.maxDepth.nodeName), nodeId: stats.maxDepth.nodeId }] : []),
            ...(stats.maxChildren ? [{ what: 'maxChildren', value: stats.maxChildren.numChildren, node: cut(stats.maxChildren.nodeName), nodeId: stats.maxChildren.nodeId }] : []),
          ]
        : []),
      ...[...m.largeUpdates]
        .sort((a, b) => b.duration - a.duration)
        .map((u) => ({ what: message(u.label), startMs: since(u.event.ts, c), ms: round(u.duration), value: u.size })),
    ];
  },
  ThirdParties: (m) =>
    m.entitySummaries
      .filter((s) => s.entity !== m.firstPartyEntity)
      .sort((a, b) => b.mainThreadTime - a.mainThreadTime || b.transferSize - a.transferSize)
      .map((s) => ({ what: cut(s.entity.name), ms: round(s.mainThreadTime), bytes: Math.round(s.transferSize) })),
  DuplicatedJavaScript: (m, c) =>
    [...m.duplicationGroupedByNodeModules].map(([source, d]) => ({
      what: cut(source), bytes: Math.round(d.estimatedDuplicateBytes), ...texts(d.duplicates.map((copy) => address(copy.script.url ?? '', c))),
    })),
  SlowCSSSelector: (m) => [
    { what: 'matching', ms: round(m.totalElapsedMs), value: m.totalMatchAttempts },
    ...(m.topSelectorElapsedMs ? [{ what: 'slowest', text: cut(m.topSelectorElapsedMs.selector), ms: milli(m.topSelectorElapsedMs['elapsed (us)']) }] : []),
    ...(m.topSelectorMatchAttempts ? [{ what: 'mostAttempts', text: cut(m.topSelectorMatchAttempts.selector), value: m.topSelectorMatchAttempts.match_attempts }] : []),
  ],
  ForcedReflow: (m, c) => {
    const top = m.topLevelFunctionCallData;
    const call = top?.topLevelFunctionCallEvents[0];
    return [
      ...(top && call ? [{ what: 'calledFrom', ...source(call, c), ...named(top.topLevelFunctionCall.functionName), ms: milli(top.totalReflowTime) }] : []),
      ...[...m.aggregatedBottomUpData]
        .sort((a, b) => b.totalTime - a.totalTime)
        .map(({ bottomUpData: frame, totalTime }) => ({
          what: 'reflow',
          ...(frame ? frameOf(frame, c) : { text: 'no source known' }),
          ms: milli(totalTime),
        })),
    ];
  },
  Cache: (m, c) =>
    m.requests.map((r) => ({ ...request(r.request, c), bytes: Math.round(r.wastedBytes), text: r.ttl > 0 ? `cached for ${r.ttl} s` : 'not cached' })),
  CharacterSet: (m) => (m.data ? checklist(m.data.checklist) : []),
  ModernHTTP: (m, c) => m.http1Requests.map((r) => request(r, c)),
  LegacyJavaScript: (m, c) =>
    [...m.legacyJavaScriptResults].flatMap(([script, result]) => {
      const first = result.matches[0];
      return [{
        url: address(script.url ?? '', c), bytes: Math.round(result.estimatedByteSavings),
        ...(first ? { line: first.line + 1, column: first.column + 1 } : {}),
        ...texts([...new Set(result.matches.map((match) => match.name))]),
      }];
    }),
};

export function evidence(name: keyof Models, model: unknown, context: Context): Row[] {
  const rows = TABLE[name] as ((model: unknown, context: Context) => Row[]) | undefined;
  return rows ? rows(model, context) : [];
}

/** The engine's texts are templates with values beside them. */
export function message(text: unknown): string {
  if (typeof text === 'string') return text;
  const { i18nId = '', values = {} } = (text ?? {}) as { i18nId?: string; values?: Record<string, unknown> };
  return i18nId.replace(/\{(\w+)\}/g, (whole, key: string) => worded(values[key]) ?? whole);
}

/** Without DevTools' formatters the engine leaves numbers marked with their unit. */
function worded(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return value === undefined ? undefined : String(value);
  const [unit, amount] = Object.entries(value)[0] ?? ['', ''];
  if (typeof amount !== 'number') return JSON.stringify(value);
  return unit === '__i18nBytes' ? `${(amount / 1024).toFixed(1)} KiB` : `${String(round(amount))} ms`;
}

/** Where an event of script is in the sources. */
export function source(event: Event, c: Context): Place {
  if (Trace.Types.Events.isProfileCall(event)) return frameOf(event.callFrame, c);
  const data = event.args?.['data'] as { url?: string; functionName?: string } | undefined;
  const { lineNumber: line = -1, columnNumber: column = -1 } = Trace.Helpers.Trace.getZeroIndexedLineAndColumnForEvent(event);
  return {
    ...(data?.url ? { url: address(data.url, c) } : {}),
    ...(line < 0 ? {} : { line: line + 1 }),
    ...(column < 0 ? {} : { column: column + 1 }),
    ...named(data?.functionName),
  };
}

/** A frame of a stack counts from 0. */
export function frameOf(frame: { url: string; functionName: string; lineNumber: number; columnNumber: number }, c: Context): Place {
  return {
    ...named(frame.functionName),
    ...(frame.url ? { url: address(frame.url, c) } : {}),
    ...(frame.lineNumber < 0 ? {} : { line: frame.lineNumber + 1, column: frame.columnNumber + 1 }),
  };
}

/** An address as short as it can be told: without the origin of the page. */
export function address(url: string, { set }: Context): string {
  const { origin } = set.url;
  return cut(origin !== 'null' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url);
}

export function cut(text: string): string {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}\u2026` : text;
}

export function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

export function milli(micros: number): number {
  return round(micros / 1000);
}

export function score(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

export function since(ts: number, { set }: Context): number {
  return milli(ts - set.bounds.min);
}

function named(name: string | undefined): Pick<Row, 'function'> {
  return name ? { function: cut(name) } : {};
}

function texts(all: string[]): Pick<Row, 'text'> {
  return all.length > 0 ? { text: cut(all.join(', ')) } : {};
}

function request(r: Request, c: Context): Row {
  return { url: address(r.args.data.url, c), startMs: since(r.ts, c), ms: milli(r.dur), bytes: r.args.data.encodedDataLength };
}

function lcpElement(event: Trace.Types.Events.AnyLargestContentfulPaintCandidate | undefined, r: Request | undefined, c: Context): Row[] {
  const data = event?.args.data;
  if (!data) return [];
  return [{
    what: 'element',
    ...(data.nodeName ? { node: cut(data.nodeName) } : {}),
    nodeId: data.nodeId,
    ...(r ? { url: address(r.args.data.url, c), bytes: r.args.data.encodedDataLength } : {}),
  }];
}

function checklist(list: Record<string, { label: unknown; value: boolean }> | undefined): Row[] {
  return Object.entries(list ?? {}).map(([what, check]) => ({ what, ok: check.value, text: cut(message(check.label)) }));
}

function weight(shift: Trace.Types.Events.SyntheticLayoutShift): number {
  return shift.args.data?.weighted_score_delta ?? 0;
}

function shiftRows(
  shift: Trace.Types.Events.SyntheticLayoutShift,
  causes: Trace.Insights.Models.CLSCulprits.LayoutShiftRootCausesData | undefined,
  c: Context,
): Row[] {
  const data = shift.args.data;
  const rows: Row[] = [{ what: 'shift', depth: 1, startMs: since(shift.ts, c), value: score(weight(shift)) }];
  for (const node of data?.impacted_nodes ?? []) {
    rows.push({ what: 'moved', depth: 2, nodeId: node.node_id, ...(node.debug_name ? { node: cut(node.debug_name) } : {}) });
  }
  for (const font of causes?.webFonts ?? []) rows.push({ what: 'webFont', depth: 2, url: address(font.args.data.url, c) });
  for (const frame of causes?.iframes ?? []) rows.push({ what: 'iframe', depth: 2, ...(frame.url ? { url: address(frame.url, c) } : {}) });
  for (const image of causes?.unsizedImages ?? []) {
    const paint = image.paintImageEvent.args.data;
    rows.push({ what: 'unsizedImage', depth: 2, nodeId: image.backendNodeId, ...(paint.url ? { url: address(paint.url, c) } : {}) });
  }
  for (const animation of causes?.nonCompositedAnimations ?? []) {
    rows.push({ what: 'animation', depth: 2, ...texts([animation.name ?? '', ...animation.failureReasons].filter(Boolean)) });
  }
  return rows;
}
