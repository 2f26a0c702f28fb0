// One entry in full: a request with its bodies, a console line, what a state changed.

import { recording, type Entry } from './data.ts';
import { make } from './dom.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function body(title: string, part: unknown): Node | undefined {
  const found = typeof part === 'string' ? recording.bodies[part] : undefined;
  if (!found) return undefined;
  const text = found.text === undefined ? `${found.bytes} bytes that are no text` : pretty(found.text) + (found.cut ? '\n…' : '');
  return make('section', {}, make('h3', {}, title), make('pre', { tabindex: '0' }, text));
}

/** Operations of a patch, one a line. */
function patch(ops: unknown[]): Node {
  const list = make('ul', { class: 'patch' });
  for (const op of ops) {
    const { op: name, path, value, from } = op as Record<string, unknown>;
    list.append(
      make(
        'li',
        { class: String(name) },
        make('span', { class: 'op' }, String(name)),
        ' ',
        make('code', {}, String(path) || '/'),
        from !== undefined && ` from ${String(from)}`,
        value !== undefined && make('pre', {}, asText(value)),
      ),
    );
  }
  return list;
}

// Members that have a line of their own in the head, or a section.
const told = new Set(['at', 'kind', 'text', 'state', 'patch', 'requestBody', 'responseBody', 'picture', 'params']);
const names: Record<string, string> = { ms: 'took, ms', by: 'by', id: 'id' };

export function detail(entry: Entry): Node[] {
  const { whole } = entry;
  const facts = make('dl');
  for (const [name, value] of Object.entries(whole)) {
    if (told.has(name) || value === '' || value === null) continue;
    facts.append(make('dt', {}, names[name] ?? name), make('dd', {}, typeof value === 'number' ? String(Math.round(value * 10) / 10) : asText(value)));
  }
  const out: (Node | undefined)[] = [facts];
  if (whole['text']) out.push(make('pre', { tabindex: '0' }, asText(whole['text'])));
  const params = whole['params'] as object | undefined;
  if (params && Object.keys(params).length) out.push(make('section', {}, make('h3', {}, 'Parameters'), make('pre', { tabindex: '0' }, asText(params))));
  if (Array.isArray(whole['patch'])) out.push(make('section', {}, make('h3', {}, 'What changed'), patch(whole['patch'])));
  if (whole['state'] !== undefined) out.push(make('section', {}, make('h3', {}, 'State'), make('pre', { tabindex: '0' }, asText(whole['state']))));
  out.push(body('Request body', whole['requestBody']), body('Response body', whole['responseBody']));
  const picture = recording.pictures[String(whole['picture'] ?? '')];
  if (picture) out.push(make('img', { src: picture, alt: 'The page at the mark' }));
  return out.filter((node) => node !== undefined);
}
