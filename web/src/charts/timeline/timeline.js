// The timeline of a step: every span, with zoom, in rows that scroll.
import {shortNames} from '../../data/names.js';
import {least, number} from '../../data/number.js';
import {show} from '../../data/units.js';
import {card} from '../../ui/card.js';
import {make} from '../../ui/dom.js';
import {onThemeChange} from '../../ui/theme.js';
import {tip} from '../axes.js';
import {charts} from '../chart.js';
import {palette} from '../palette.js';
import {drawSpans, drawTimeline, HEAD, kindColours, rowHeight} from './draw.js';
import {keyGestures, pointerGestures} from './gestures.js';
import {linksNote} from './links_note.js';
import {firstAbove, rowOf, shownRows, spanAt, START_UP, timelineRows} from './rows.js';
import {timeWindow} from './window.js';

const TALLEST = 440;
const NARROW = 520; // pixels: names stand above their rows
const LETTER = 6; // pixels of a name, about
const BESIDE = 0.3; // of the width, for names beside their rows, at most

function columns() {
  return [
    {title: 'name', value: (span) => span.name, wide: true},
    {title: 'kind', value: (span) => span.kind},
    {title: 'device', value: (span) => span.device_class ?? span.device ?? 0},
    {title: 'row', value: rowOf},
    {title: 'begin', unit: 's', value: (span) => span.begin_s ?? span.start_s},
    {title: 'end', unit: 's', value: (span) => span.end_s},
    {title: 'transferred', unit: 'B', value: (span) => span.moved_B ?? null, numeric: true},
  ];
}

/** Start-up time of endpoints before the first message. */
export function startUpOf(result, length) {
  const first = least(
    (result.timeline ?? []).map((span) => span.begin_s ?? span.start_s),
    0,
  );
  return first > (number(length) || 0) * 1e-6 ? first : 0;
}

/** options: {length, linksFirst?, startUp?: time before the first message} */
export function timelineCard(page, result, {title = 'Timeline', length, linksFirst = false, startUp = 0} = {}) {
  const given = result.timeline ?? [];
  if (given.length === 0) return null;
  const wait = {name: 'start-up', kind: 'start-up', row: START_UP, device_class: -1, begin_s: 0, end_s: startUp};
  const spans = startUp > 0 ? [wait, ...given] : given;
  const rows = timelineRows({...result, timeline: spans}, {linksFirst});
  const kinds = [...new Set(spans.map((span) => span.kind))];
  const folded = rows.filter((row) => row.lanes);
  const within = folded.reduce((total, row) => total + row.lanes.length, 0).toLocaleString('en-US');
  const shown = rows
    .filter((row) => !row.header && row.label !== START_UP)
    .reduce((total, row) => total + (row.named ? row.lanes.length : 1), 0)
    .toLocaleString('en-US');
  const note = [
    `${given.length.toLocaleString('en-US')} spans in ${shown} rows, over time. Drag to zoom in; arrows and + − 0 work too.`,
    folded.length > 0
      ? ` Rows with ▸ hold ${within} ${folded.every((row) => row.named) ? 'rows' : 'lanes'}, with height by how many are active: click a name to open it.`
      : '',
    linksNote(given, result.links),
  ].join('');
  return card(page, {title, note, wide: true, table: {columns: columns(), rows: given}}, (body, bar) => {
    const end = rows.reduce((latest, row) => Math.max(latest, row.reach[row.reach.length - 1] ?? 0), 0);
    charts[body.parentElement.id] = view(body, bar, {
      all: rows,
      spans,
      kinds,
      length: Math.max(end, number(length) || 0) || 1,
    });
  });
}

function view(body, bar, {all, spans, kinds, length}) {
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
  const state = {selection: null, asked: false, arranged: 0};
  const open = new Set();
  let rows = [];
  let names = new Map();
  let height = 0;

  const above = () => scroller.clientWidth < NARROW;
  const longest = Math.max(...all.filter((row) => !row.header).map((row) => row.label.length));
  const left = () => (above() ? 10 : Math.min(canvas.clientWidth * BESIDE, 30 + longest * LETTER));

  /** After rows were opened or folded, or the width changed. */
  function arrange() {
    state.arranged = scroller.clientWidth;
    rows = shownRows(all, open).map((row) => ({...row, open: open.has(row.key)}));
    const needs = HEAD + rows.length * rowHeight(above()) + 2;
    height = Math.min(needs, TALLEST);
    spacer.style.height = `${needs - height}px`;
    scroller.style.height = `${height}px`;
    names = namesOf();
  }

  /** Names by label, as many letters as there is room for. */
  function namesOf() {
    const short = (some, pixels) => {
      const labels = [...new Set(some.map((row) => row.label))];
      const cut = shortNames(labels, Math.floor(pixels / LETTER));
      return labels.map((label, index) => [label, cut[index]]);
    };
    return new Map([
      ...short(
        rows.filter((row) => row.header),
        canvas.clientWidth - 4,
      ),
      ...short(
        rows.filter((row) => !row.header),
        (above() ? canvas.clientWidth : left()) - 16,
      ),
    ]);
  }

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
    if (state.arranged !== scroller.clientWidth) arrange();
    const colours = palette();
    const context = fit(canvas, height);
    const shown = {
      ...window.seen,
      top: scroller.scrollTop,
      width: canvas.clientWidth,
      height,
      left: left(),
      above: above(),
    };
    const of = {rows, spans, kinds: kindColours(colours), names};
    drawTimeline(context, shown, of, colours);
    if (state.selection) {
      context.fillStyle = colours.accent;
      context.globalAlpha = 0.18;
      context.fillRect(state.selection[0], HEAD, state.selection[1] - state.selection[0], height);
      context.globalAlpha = 1;
    }
    drawOverview(fit(overview, 28), of, colours);
    seen.textContent = window.isWhole()
      ? `time: whole, ${show(length, 's')}`
      : `time: ${show(window.seen.from, 's')} to ${show(window.seen.to, 's')}`;
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
        null,
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

  function rowAt(event) {
    return event.offsetY < HEAD
      ? undefined
      : rows[Math.floor((event.offsetY - HEAD + scroller.scrollTop) / rowHeight(above()))];
  }

  /** The pointer is on the name of a row with lanes. */
  function lanesAt(event) {
    const row = rowAt(event);
    const within = (event.offsetY - HEAD + scroller.scrollTop) % rowHeight(above());
    const onName = above() ? within < rowHeight(true) / 2 : event.offsetX < left();
    return row?.lanes && onName ? row : null;
  }

  function toggle(keys, now) {
    for (const key of keys) {
      if (now) open.add(key);
      else open.delete(key);
    }
    arrange();
    changed();
  }

  function describe(event) {
    const row = rowAt(event);
    if (!row || row.header || event.offsetX < left()) return null;
    const perPixel = (window.seen.to - window.seen.from) / (canvas.clientWidth - left());
    const found = spanAt(row, window.seen.from + (event.offsetX - left()) * perPixel, 3 * perPixel);
    return found < 0
      ? null
      : {row, span: spans[row.spans[found]], begin: row.begin[found], end: row.end[found]};
  }

  canvas.addEventListener('click', (event) => {
    const row = lanesAt(event);
    if (row) toggle([row.key], !open.has(row.key));
  });
  canvas.addEventListener('pointermove', (event) => {
    canvas.style.cursor = lanesAt(event) ? 'pointer' : '';
    const found = describe(event);
    pointed.hidden = found === null;
    if (!found) return;
    const {row, span, begin, end} = found;
    const lines = [
      ['kind', span.kind],
      ['on', `${row.group}, ${row.named ? rowOf(span) : row.label}`],
      ['duration', show(end - begin, 's')],
      ['begin', show(begin, 's', 6)],
    ];
    if (span.moved_B !== undefined) lines.push(['transferred', show(span.moved_B, 'B')]);
    if (row.lanes) {
      const at = firstAbove(row.busy.at, begin) - 1;
      lines.push(['concurrent', `${row.busy.count[at]}, in ${row.lanes.length} ${row.named ? 'rows' : 'lanes'}`]);
    }
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
  const foldedRows = all.filter((row) => row.lanes);
  if (foldedRows.length > 0) {
    const keys = foldedRows.map((row) => row.key);
    const lanes = make(
      'button',
      {
        type: 'button',
        'aria-pressed': 'false',
        onclick: () => {
          const now = lanes.getAttribute('aria-pressed') !== 'true';
          lanes.setAttribute('aria-pressed', String(now));
          toggle(keys, now);
        },
      },
      foldedRows.every((row) => row.named) ? 'Links' : 'Lanes',
    );
    bar.prepend(lanes);
  }
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
  return {
    window: window.seen,
    draw,
    get rows() {
      return rows;
    },
    /** What stands beside or above each row, and how much of the width is beside them. */
    get names() {
      return rows.map((row) => names.get(row.label));
    },
    get left() {
      return left();
    },
  };
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
