// The page that shows a recording to a person. It has all that it shows inside itself and
// loads nothing; the page as it was stands in a frame where no script runs.

import rrwebStyle from '@rrweb/replay/dist/style.css';

import theme from '../popup/theme.css';
import { events, recording, type Entry } from './data.ts';
import { detail } from './detail.ts';
import { clock, icon, make } from './dom.ts';
import { Timeline } from './list.ts';
import { Player } from './player.ts';
import style from './replay.css';

const playShape = 'M4 2.5v11l9-5.5z';
const pauseShape = 'M4 2.5h3v11H4zM9 2.5h3v11H9z';
const stepMs = 1000;

function head(): HTMLElement {
  const { url, title, note } = recording;
  const when = new Date(recording.started);
  const facts = [Number.isNaN(when.getTime()) ? '' : when.toLocaleString(), `${clock(recording.length)} long`];
  if (recording.redacted) facts.push(`secrets masked: ${recording.redacted}`);
  for (const [what, n] of Object.entries(recording.leftOut ?? {})) facts.push(`not recorded: ${what} (${n})`);
  if (recording.damaged) facts.push(`damaged lines: ${recording.damaged}`);
  return make(
    'header',
    {},
    make('div', { class: 'what' }, make('h1', { class: 'clip' }, title || url), make('span', { class: 'url clip', title: url }, url)),
    note ? make('p', { class: 'note' }, note) : undefined,
    make('p', { class: 'facts', title: [recording.browser, recording.made].filter(Boolean).join(' · ') }, facts.filter(Boolean).join(' · ')),
  );
}

/** Marks on the time line: what somebody looks for. */
function ticks(length: number): HTMLElement {
  const layer = make('div', { class: 'ticks', 'aria-hidden': 'true' });
  for (const entry of recording.entries) {
    const kind = entry.bad ? 'bad' : entry.kind;
    if (!['bad', 'mark', 'navigation', 'action'].includes(kind)) continue;
    const tick = make('span', { class: `tick ${kind}` });
    tick.style.left = `${(100 * Math.min(entry.at, length)) / length}%`;
    layer.append(tick);
  }
  return layer;
}

function start(): void {
  for (const text of [theme, rrwebStyle, style]) document.head.append(make('style', {}, text));
  const stage = make('div', { class: 'stage' });
  const button = make('button', { type: 'button', class: 'play', 'aria-label': 'Play', title: 'Play or pause (space)' }, icon(playShape));
  const range = make('input', { type: 'range', min: '0', step: '1', value: '0', 'aria-label': 'Time' });
  const now = make('output', { class: 'now' }, clock(0));
  const speed = make('select', { class: 'speed', 'aria-label': 'Speed', title: 'Speed' });
  for (const times of ['0.5', '1', '2', '4', '8']) speed.append(new Option(`${times}×`, times, times === '1', times === '1'));
  const pauses = make('input', { type: 'checkbox' });
  const panel = make('section', { class: 'detail', 'aria-label': 'Details', hidden: '' });

  let player: Player | undefined;
  let scrolls = false; // the list goes with the time while it plays or is dragged
  let wasPlaying = false;
  const show = () => {
    if (!player) return;
    const at = player.time;
    range.value = String(at);
    range.style.setProperty('--done', `${(100 * at) / player.length}%`);
    range.setAttribute('aria-valuetext', clock(at));
    now.textContent = clock(at);
    timeline.follow(at, scrolls || player.playing);
    if (player.playing !== wasPlaying) {
      wasPlaying = player.playing;
      button.replaceChildren(icon(wasPlaying ? pauseShape : playShape));
      button.setAttribute('aria-label', wasPlaying ? 'Pause' : 'Play');
    }
  };
  const close = () => {
    timeline.clear();
    panel.hidden = true;
  };
  const open = (entry: Entry) => {
    player?.pause();
    player?.seek(entry.at);
    const shut = make('button', { type: 'button', class: 'shut', 'aria-label': 'Close the details' }, '×');
    shut.addEventListener('click', close);
    panel.replaceChildren(make('div', { class: 'top' }, make('h2', {}, entry.words), shut), make('div', { class: 'inside' }, ...detail(entry)));
    panel.hidden = false;
  };
  const timeline = new Timeline(recording.entries, open);
  const track = make('div', { class: 'track' }, range);
  const controls = make(
    'div',
    { class: 'controls' },
    button,
    make('span', { class: 'clock' }, now, make('span', { class: 'muted' }, ` / ${clock(recording.length)}`)),
    track,
    speed,
    make('label', { class: 'pauses', title: 'Go quickly over times when nothing happens' }, pauses, 'Skip pauses'),
  );
  document.body.append(
    head(),
    make('main', {}, make('div', { class: 'left' }, stage, controls), make('aside', {}, timeline.filters, timeline.element, panel)),
  );

  try {
    player = new Player(stage, events, recording.started, recording.length, show);
  } catch (error) {
    stage.append(make('p', { class: 'none' }, `The page cannot be shown: ${String(error)}`));
  }
  if (!player?.seen) {
    for (const control of [button, range, speed, pauses]) control.disabled = true;
    if (!stage.firstChild) stage.append(make('p', { class: 'none' }, 'What the page looked like is not in this recording.'));
  }
  range.max = String(player?.length ?? recording.length);
  track.append(ticks(player?.length ?? recording.length));
  show();

  const toggle = () => (player?.playing ? player.pause() : player?.play());
  const go = (at: number) => {
    scrolls = true;
    player?.seek(at);
    scrolls = false;
  };
  button.addEventListener('click', toggle);
  range.addEventListener('input', () => go(Number(range.value)));
  speed.addEventListener('change', () => player?.speed(Number(speed.value)));
  pauses.addEventListener('change', () => player?.skip(pauses.checked));
  const keys: Record<string, () => void> = {
    ' ': toggle,
    ArrowLeft: () => go((player?.time ?? 0) - stepMs),
    ArrowRight: () => go((player?.time ?? 0) + stepMs),
    ArrowUp: () => timeline.step(-1),
    ArrowDown: () => timeline.step(1),
    Home: () => go(0),
    End: () => go(player?.length ?? 0),
    Escape: close,
  };
  document.addEventListener('keydown', (event) => {
    const on = event.target as Element;
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || on.localName === 'select' || on.localName === 'pre') return;
    if (event.key === ' ' && on.localName !== 'body' && on !== range) return; // presses what has the focus
    event.preventDefault();
    act();
  });
}

start();
