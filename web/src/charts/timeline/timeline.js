// The timeline of a step: every span, with zoom, in rows that scroll.
import {number} from '../../data/number.js';
import {show} from '../../data/units.js';
import {card} from '../../ui/card.js';
import {make} from '../../ui/dom.js';
import {onThemeChange} from '../../ui/theme.js';
import {tip} from '../axes.js';
import {charts} from '../chart.js';
import {palette} from '../palette.js';
import {drawSpans, drawTimeline, HEAD, kindColours, ROW} from './draw.js';
import {keyGestures, pointerGestures} from './gestures.js';
import {spanAt, timelineRows} from './rows.js';
import {timeWindow} from './window.js';

const TALLEST = 440;

function columns() {
  return [
    {title: 'name', value: (span) => span.name, wide: true},
    {title: 'kind', value: (span) => span.kind},
    {title: 'device', value: (span) => span.device_class ?? span.device ?? 0},
    {title: 'row', value: (span) => span.row ?? span.channel ?? ''},
    {title: 'begin', unit: 's', value: (span) => span.begin_s ?? span.start_s},
    {title: 'end', unit: 's', value: (span) => span.end_s},
    {title: 'moved', unit: 'B', value: (span) => span.moved_B ?? null, numeric: true},
  ];
}

export function timelineCard(page, result, {title = 'Timeline', length} = {}) {
  const spans = result.timeline ?? [];
  if (spans.length === 0) return null;
  const rows = timelineRows(result);
  const kinds = [...new Set(spans.map((span) => span.kind))];
  const note = `${spans.length.toLocaleString('en-US')} spans in ${rows.filter((row) => !row.header).length} rows, over time. Drag to look closer; arrows and + − 0 work too.`;
  return card(page, {title, note, wide: true, table: {columns: columns(), rows: spans}}, (body, bar) => {
    const end = rows.reduce((latest, row) => Math.max(latest, row.reach[row.reach.length - 1] ?? 0), 0);
    charts[body.parentElement.id] = view(body, bar, {
      rows,
      spans,
      kinds,
      length: Math.max(end, number(length) || 0) || 1,
    });
  });
}

function view(body, bar, {rows, spans, kinds, length}) {
  const window = timeWindow(length);
  const canvas = make('canvas', {
    class: 'timeline-canvas',
    tabindex: '0',
    role: 'img',
    'aria-label': `Timeline of ${spans.length} spans; arrow keys move, + and - zoom, 0 shows all`,
  });
  const spacer = make('div', {class: 'timeline-spacer'});
  const scroller = make('div', {class: 'timeline-scroll'}, canvas, spacer);
  const overview = make('canvas', {class: 'timeline-overview', 'aria-hidden': 'true'});
  const pointed = make('div', {class: 'tip-box', hidden: true});
  const seen = make('span', {class: 'muted', role: 'status'});
  const legend = make('div', {class: 'keys'});
  const height = Math.min(HEAD + rows.length * ROW + 2, TALLEST);
  spacer.style.height = `${Math.max(0, HEAD + rows.length * ROW + 2 - height)}px`;
  scroller.style.height = `${height}px`;
  const state = {selection: null, asked: false};

  const longest = Math.max(...rows.filter((row) => !row.header).map((row) => row.label.length));
  const left = () => Math.min(canvas.clientWidth < 520 ? 110 : 270, 30 + longest * 6.6);

  function fit(target, tall) {
    const ratio = globalThis.devicePixelRatio || 1;
    const width = target.clientWidth;
    if (target.width !== Math.round(width * ratio) || target.height !== Math.round(tall * ratio)) {
      target.width = Math.round(width * ratio);
      target.height = Math.round(tall * ratio);
      target.style.height = `${tall}px`;
    }
    const context = target.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    context.textBaseline = 'middle';
    return context;
  }

  function draw() {
    state.asked = false;
    if (scroller.clientWidth === 0) return;
    const colours = palette();
    const context = fit(canvas, height);
    const shown = {...window.seen, top: scroller.scrollTop, width: canvas.clientWidth, height, left: left()};
    const of = {rows, spans, kinds: kindColours(colours)};
    drawTimeline(context, shown, of, colours);
    if (state.selection) {
      context.fillStyle = colours.accent;
      context.globalAlpha = 0.18;
      context.fillRect(state.selection[0], HEAD, state.selection[1] - state.selection[0], height);
      context.globalAlpha = 1;
    }
    drawOverview(fit(overview, 28), of, colours);
    seen.textContent = window.isWhole()
      ? `whole: ${show(length, 's')}`
      : `${show(window.seen.from, 's')} to ${show(window.seen.to, 's')}`;
  }

  function drawOverview(context, of, colours) {
    const width = overview.clientWidth;
    const at = (time) => left() + (time / length) * (width - left());
    const few = of.rows.filter((row) => !row.header).slice(0, 4);
    context.clearRect(0, 0, width, 28);
    few.forEach((row, index) =>
      drawSpans(
        context,
        {from: 0, to: length, left: left(), width},
        {...of, row},
        2 + (index * 24) / few.length,
        23 / few.length,
        false,
      ),
    );
    context.fillStyle = colours.panel;
    context.globalAlpha = 0.7;
    context.fillRect(left(), 0, at(window.seen.from) - left(), 28);
    context.fillRect(at(window.seen.to), 0, width - at(window.seen.to), 28);
    context.globalAlpha = 1;
    context.strokeStyle = colours.accent;
    context.strokeRect(
      at(window.seen.from) + 0.5,
      0.5,
      Math.max(2, at(window.seen.to) - at(window.seen.from) - 1),
      27,
    );
  }

  function changed() {
    if (!state.asked) {
      state.asked = true;
      requestAnimationFrame(draw);
    }
  }

  function describe(event) {
    const row = rows[Math.floor((event.offsetY - HEAD + scroller.scrollTop) / ROW)];
    if (!row || row.header || event.offsetX < left() || event.offsetY < HEAD) return null;
    const perPixel = (window.seen.to - window.seen.from) / (canvas.clientWidth - left());
    const found = spanAt(row, window.seen.from + (event.offsetX - left()) * perPixel, 3 * perPixel);
    return found < 0
      ? null
      : {row, span: spans[row.spans[found]], begin: row.begin[found], end: row.end[found]};
  }

  canvas.addEventListener('pointermove', (event) => {
    const found = describe(event);
    pointed.hidden = found === null;
    if (!found) return;
    const {row, span, begin, end} = found;
    const lines = [
      ['kind', span.kind],
      ['on', `${row.group}, ${row.label}`],
      ['takes', show(end - begin, 's')],
      ['begins', show(begin, 's', 6)],
    ];
    if (span.moved_B !== undefined) lines.push(['moves', show(span.moved_B, 'B')]);
    pointed.replaceChildren(tip({title: span.name, lines}));
    const right = event.offsetX > canvas.clientWidth * 0.6;
    pointed.style.left = right ? '' : `${event.offsetX + 14}px`;
    pointed.style.right = right ? `${canvas.clientWidth - event.offsetX + 14}px` : '';
    pointed.style.top = `${event.offsetY + 14}px`;
  });
  canvas.addEventListener('pointerleave', () => {
    pointed.hidden = true;
  });

  pointerGestures(canvas, {
    window,
    left,
    changed,
    selecting: (from, to) => {
      state.selection = from === null ? null : [Math.max(from, left()), to];
      changed();
    },
  });
  keyGestures(canvas, {window, changed});
  overviewGestures(overview, {window, left, changed});
  scroller.addEventListener('scroll', changed);
  const zoom = (text, label, act) =>
    make(
      'button',
      {
        type: 'button',
        'aria-label': label,
        onclick: () => {
          act();
          changed();
        },
      },
      text,
    );
  bar.prepend(
    zoom('−', 'Zoom out', () => window.zoom(0.5)),
    zoom('+', 'Zoom in', () => window.zoom(2)),
    zoom('All', 'Show all', window.whole),
  );

  body.append(legend, make('div', {class: 'timeline'}, scroller, pointed), overview, seen);
  const colourKeys = () => {
    const colourOf = kindColours(palette());
    legend.replaceChildren(
      ...kinds.map((kind) => {
        const swatch = make('i');
        swatch.style.background = colourOf[kind] ?? colourOf.background;
        return make('span', {}, swatch, kind);
      }),
    );
  };
  colourKeys();
  onThemeChange(() => {
    colourKeys();
    draw();
  });
  new ResizeObserver(draw).observe(scroller);
  draw();
  return {window: window.seen, rows, draw};
}

/** The window follows the pointer; outside of it, it jumps there. */
function overviewGestures(overview, {window, left, changed}) {
  let held = false;
  const centre = (event) => {
    const at = ((event.offsetX - left()) / (overview.clientWidth - left())) * window.length;
    const half = (window.seen.to - window.seen.from) / 2;
    window.show(at - half, at + half);
    changed();
  };
  overview.addEventListener('pointerdown', (event) => {
    held = true;
    overview.setPointerCapture(event.pointerId);
    centre(event);
  });
  overview.addEventListener('pointermove', (event) => {
    if (held) centre(event);
  });
  overview.addEventListener('pointerup', () => {
    held = false;
  });
  overview.addEventListener('pointercancel', () => {
    held = false;
  });
}
