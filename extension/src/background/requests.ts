/** What the daemon asks and tells, decoded in one place; the work is done elsewhere. */
import type { Calls } from './calls.ts';
import type { Confirms } from './confirm.ts';
import type { DebuggerLane } from './debugger.ts';
import { Fault } from './fault.ts';
import type { Frames } from './frames.ts';
import type { Grants } from './grants.ts';
import { readAgent } from './group-state.ts';
import type { Groups } from './groups.ts';
import type { Health } from './health.ts';
import type { Navigation } from './navigate.ts';
import type { Recordings } from './recordings.ts';
import type { SettingsStore } from './settings.ts';
import { restriction, siteOf } from './site.ts';
import { isLevel, isSessionName } from './levels.ts';
import type { Tabs } from './tabs.ts';
import type { Windows } from './windows.ts';
import { traceEngine } from './trace.ts';

interface RequestDeps {
  calls: Calls;
  lane: DebuggerLane;
  navigation: Navigation;
  grants: Grants;
  settings: SettingsStore;
  windows: Windows;
  frames: Frames;
  recordings: Recordings;
  confirms: Confirms;
}

interface EventDeps {
  frames: Frames;
  health: Health;
  tabs: Tabs;
  groups: Groups;
  recordings: Recordings;
  confirms: Confirms;
  changed(): void;
}

const DEFAULT_TIMEOUT_MS = 30_000;

export async function answerRequest(op: string, payload: unknown, deps: RequestDeps): Promise<unknown> {
  const fields = record(payload);
  switch (op) {
    case 'bridge.call': {
      const command = record(fields.command);
      if (typeof command.type !== 'string') throw invalid('command.type');
      const documentId = optionalText(fields, 'documentId');
      return deps.calls.run({
        tabId: integer(fields, 'tabId'),
        frameId: integer(fields, 'frameId'),
        ...(documentId === undefined ? {} : { documentId }),
        command: { ...command, type: command.type },
        timeoutMs: optionalInteger(fields, 'timeoutMs') ?? DEFAULT_TIMEOUT_MS,
      });
    }
    case 'cdp.send': {
      const method = fields.method;
      if (typeof method !== 'string' || !/^[A-Za-z]+\.[A-Za-z]+$/.test(method)) throw invalid('method');
      const sessionId = optionalText(fields, 'sessionId');
      return deps.lane.send({
        tabId: integer(fields, 'tabId'),
        ...(sessionId === undefined ? {} : { sessionId }),
        method,
        params: fields.params === undefined ? {} : record(fields.params),
        timeoutMs: optionalInteger(fields, 'timeoutMs') ?? DEFAULT_TIMEOUT_MS,
        patient: fields.patient === true,
      });
    }
    case 'cdp.targets':
      return deps.lane.targets(integer(fields, 'tabId'));
    case 'cdp.batch': { // input in one go: nothing waits for the answer of what is before it
      const tabId = integer(fields, 'tabId');
      const timeoutMs = optionalInteger(fields, 'timeoutMs') ?? DEFAULT_TIMEOUT_MS;
      const sends = Array.isArray(fields.sends) ? fields.sends.map(record) : [];
      await Promise.all(sends.map(({ method, params }) => {
        if (typeof method !== 'string' || !method.startsWith('Input.')) throw invalid('method');
        return deps.lane.send({ tabId, method, params: record(params), timeoutMs });
      }));
      return {};
    }
    case 'files.set': { // element upload: the daemon checked who asks for which files
      const sessionId = optionalText(fields, 'sessionId');
      const { objectId, files } = fields;
      if (typeof objectId !== 'string') throw invalid('objectId');
      if (!Array.isArray(files) || !files.every((file): file is string => typeof file === 'string')) throw invalid('files');
      return deps.lane.send({
        tabId: integer(fields, 'tabId'),
        ...(sessionId === undefined ? {} : { sessionId }),
        method: 'DOM.setFileInputFiles',
        params: { files, objectId },
        timeoutMs: optionalInteger(fields, 'timeoutMs') ?? DEFAULT_TIMEOUT_MS,
        own: true,
      });
    }
    case 'cdp.detach': {
      await deps.lane.detach(integer(fields, 'tabId'), 'own', true);
      return {};
    }
    case 'tab.navigate': {
      const url = optionalText(fields, 'url');
      return deps.navigation.run({
        tabId: integer(fields, 'tabId'),
        ...(url === undefined ? {} : { url }),
        back: fields.back === true,
        forward: fields.forward === true,
        reload: fields.reload === true,
        ignoreCache: fields.ignoreCache === true,
        ...optionalLeave(fields),
        timeoutMs: optionalInteger(fields, 'timeoutMs') ?? DEFAULT_TIMEOUT_MS,
      });
    }
    case 'trace.add':
    case 'trace.report':
    case 'trace.drop':
      deps.grants.require(integer(fields, 'tabId'), 'control');
      return traceEngine(op, fields);
    case 'cdp.hold': {
      await deps.lane.hold(integer(fields, 'tabId'), fields.on === true);
      return {};
    }
    case 'tabs.open': {
      const url = optionalText(fields, 'url');
      if (url === undefined) throw invalid('url');
      const { sessionId, level } = fields;
      if (sessionId !== undefined && !isSessionName(sessionId)) throw invalid('sessionId');
      if (level !== undefined && !isLevel(level)) throw invalid('level');
      const openerTabId = optionalInteger(fields, 'openerTabId');
      const agent = readAgent(fields.agent);
      return deps.windows.open({
        url,
        background: fields.background === true,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(level === undefined ? {} : { level }),
        ...(openerTabId === undefined || openerTabId === 0 ? {} : { openerTabId }),
        ...(agent === null ? {} : { agent }),
        timeoutMs: optionalInteger(fields, 'timeoutMs') ?? DEFAULT_TIMEOUT_MS,
      });
    }
    case 'tabs.close':
      await deps.windows.close(integer(fields, 'tabId'));
      return {};
    case 'tabs.activate':
      await deps.windows.activate(integer(fields, 'tabId'));
      return {};
    case 'recorder.inject':
      await deps.frames.record(integer(fields, 'tabId'));
      return {};
    case 'tab.picture':
      return deps.recordings.picture(integer(fields, 'tabId'));
    case 'confirm.ask': {
      const { id, act, agent, what } = fields;
      for (const [name, text] of Object.entries({ id, act, agent, what })) if (typeof text !== 'string') throw invalid(name);
      return deps.confirms.ask({
        id: String(id), tabId: integer(fields, 'tabId'), act: String(act), agent: String(agent), what: String(what),
        timeoutMs: optionalInteger(fields, 'timeoutMs') ?? DEFAULT_TIMEOUT_MS,
      });
    }
    case 'window.resize':
      return deps.windows.resize(integer(fields, 'tabId'), integer(fields, 'width'), integer(fields, 'height'));
    case 'tabs.list':
      return { tabs: await listTabs(deps) };
    case 'diag.echo':
      return { at: Date.now() };
    default:
      throw new Fault('UNKNOWN_TYPE', `The extension knows no ${JSON.stringify(op)}.`);
  }
}

export async function heedEvent(op: string, payload: unknown, deps: EventDeps): Promise<void> {
  const fields = record(payload);
  switch (op) {
    case 'bridge.ack': {
      const documentId = optionalText(fields, 'documentId');
      if (documentId === undefined) throw invalid('documentId');
      deps.frames.acknowledge({ tabId: integer(fields, 'tabId'), frameId: integer(fields, 'frameId'), documentId, upTo: integer(fields, 'upTo') });
      return;
    }
    case 'agents':
      deps.health.agentsChanged(payload);
      deps.changed();
      return;
    case 'confirm.off':
      deps.confirms.withdraw(optionalText(fields, 'id') ?? '');
      return;
    case 'recording':
      deps.recordings.heed(payload);
      return;
    case 'tab.disconnect':
      await deps.tabs.disconnect(integer(fields, 'tabId'), 'detached_by_user', true);
      return;
    case 'agent.left': {
      const key = optionalText(fields, 'key');
      if (key === undefined) throw invalid('key');
      await deps.groups.left(key);
      return;
    }
    default:
      console.debug('event of an unknown kind', op);
  }
}

/** All tabs that could be connected. Of those that are not, an agent learns the site, not the page or its title. */
async function listTabs({ grants, settings }: RequestDeps): Promise<unknown[]> {
  const all = await chrome.tabs.query({});
  return all.flatMap((tab) => {
    if (tab.id === undefined || tab.incognito) return [];
    const grant = grants.get(tab.id);
    if (grant) return [{ tabId: tab.id, url: grant.url, title: grant.title, connected: grant.paused === null, level: grant.level }];
    if (restriction(tab.url) !== null || settings.forbidden(tab.url) !== null || siteOf(tab.url) === null) return [];
    return [{ tabId: tab.id, url: new URL(tab.url ?? '').origin + '/', title: '', connected: false, level: '' }];
  });
}

function optionalLeave(fields: Record<string, unknown>): { initScript?: string; beforeunload?: 'accept' | 'dismiss' } {
  const initScript = optionalText(fields, 'initScript');
  const { beforeunload } = fields;
  if (beforeunload !== undefined && beforeunload !== '' && beforeunload !== 'accept' && beforeunload !== 'dismiss') throw invalid('beforeunload');
  return {
    ...(initScript === undefined || initScript === '' ? {} : { initScript }),
    ...(beforeunload === undefined || beforeunload === '' ? {} : { beforeunload }),
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function integer(fields: Record<string, unknown>, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw invalid(name);
  return value;
}

function optionalInteger(fields: Record<string, unknown>, name: string): number | undefined {
  return fields[name] === undefined ? undefined : integer(fields, name);
}

function optionalText(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(name);
  return value;
}

function invalid(field: string): Fault {
  return new Fault('VALIDATION_ERROR', `The field ${field} is missing or not valid.`, { details: { field } });
}
