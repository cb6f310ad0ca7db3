// Draws the part of a timeline that is seen. What is narrower than a pixel is drawn once for that pixel, so a frame
// costs as much as the screen is wide, however many spans there are.
import {show} from '../../data/units.js';
import {firstAbove} from './rows.js';

export const HEAD = 24;
const ROW = 20;
const TEXT = 15; // of a name above its row

/** How tall a row is; where there is no room beside it, its name stands above. */
export function rowHeight(above) {
  return above ? TEXT + 15 : ROW;
}

export function kindColours(colours) {
  return {
    kernel: colours.compute,
    recomputation: colours.series[4],
    collective: colours.communication,
    offload: colours.memory,
    prefetch: colours.series[6],
    background: colours.idle,
    link: colours.series[5],
    'start-up': colours.idle,
  };
}

/** view: {from, to, top, width, height, left, above}; of: {rows, spans, kinds, names: of rows by label} */
export function drawTimeline(context, view, of, colours) {
  const {width, height, left} = view;
  context.clearRect(0, 0, width, height);
  const scale = (width - left) / (view.to - view.from);
  const ticks = ticksOf(view, scale);
  // Spans hide the grid; the head hides labels that are scrolled under it.
  drawGrid(context, view, colours, ticks);
  drawRows(context, view, of, colours);
  drawHead(context, view, colours, ticks);
}

function drawRows(context, view, {rows, spans, kinds, names}, colours) {
  const tall = rowHeight(view.above);
  const first = Math.max(0, Math.floor(view.top / tall));
  const last = Math.min(rows.length, Math.ceil((view.top + view.height - HEAD) / tall));
  for (let r = first; r < last; ++r) {
    const row = rows[r];
    const y = HEAD + r * tall - view.top;
    context.fillStyle = colours.line;
    if (r > 0 && row.header) context.fillRect(0, y, view.width, 1);
    context.save();
    context.beginPath();
    context.rect(view.left, Math.max(y, HEAD), view.width - view.left, tall);
    context.clip();
    const from = y + (view.above ? TEXT : 2);
    const high = view.above ? tall - TEXT - 2 : tall - 4;
    if (row.lanes) drawBusy(context, view, {row, spans, kinds}, from, high);
    else drawSpans(context, view, {row, spans, kinds}, from, high, colours.panel);
    context.restore();
    drawLabel(context, view, row, names.get(row.label) ?? row.label, y, colours);
  }
}

/** A row with lanes: height by the number of active lanes. */
function drawBusy(context, view, {row, spans, kinds}, y, tall) {
  const scale = (view.width - view.left) / (view.to - view.from);
  const {at, count} = row.busy;
  context.fillStyle = kinds[spans[row.spans[0]].kind] ?? kinds.background;
  let i = Math.max(0, firstAbove(at, view.from) - 1);
  while (i < at.length && at[i] < view.to) {
    const x = view.left + (at[i] - view.from) * scale;
    // What begins within this pixel is drawn once, as tall as the most of it.
    let most = count[i];
    const next = Math.max(i + 1, firstAbove(at, at[i] + 0.75 / scale, i));
    for (let k = i + 1; k < next; ++k) most = Math.max(most, count[k]);
    const end = next < at.length ? view.left + (at[next] - view.from) * scale : x;
    const high = most === 0 ? 0 : Math.max(2, (tall * most) / row.lanes.length);
    context.fillRect(x, y + tall - high, Math.max(end - x, 0.75), high);
    i = next;
  }
}

/** Of one row, at y and so tall; with names, in a colour or none, where there is room for them. */
export function drawSpans(context, view, {row, spans, kinds}, y, tall, names) {
  const scale = (view.width - view.left) / (view.to - view.from);
  let i = firstAbove(row.reach, view.from);
  while (i < row.begin.length && row.begin[i] < view.to) {
    const span = spans[row.spans[i]];
    const x = view.left + (row.begin[i] - view.from) * scale;
    const w = (row.end[i] - row.begin[i]) * scale;
    context.fillStyle = kinds[span.kind] ?? kinds.background;
    // A gap of half a pixel tells neighbours apart where there is room for one.
    context.fillRect(x, y, w > 3 ? w - 0.5 : Math.max(w, 0.75), tall);
    if (names && w > 34)
      drawName(
        context,
        {text: String(span.name ?? ''), colour: names},
        Math.max(x, view.left),
        y + tall / 2,
        Math.min(x + w, view.width) - Math.max(x, view.left),
      );
    // Past all that ends within this pixel.
    i = w >= 1 ? i + 1 : Math.max(i + 1, firstAbove(row.reach, row.begin[i] + 1 / scale, i));
  }
}

function drawName(context, {text, colour}, x, y, room) {
  const letters = Math.floor((room - 8) / 6.2);
  if (letters < 3) return;
  context.fillStyle = colour;
  context.fillText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text, x + 4, y + 0.5);
}

function drawLabel(context, view, row, name, y, colours) {
  const middle = y + (view.above && !row.header ? TEXT / 2 : rowHeight(view.above) / 2);
  if (middle < HEAD) return;
  context.fillStyle = row.header ? colours.text : colours.muted;
  const mark = row.lanes ? (row.open ? '▾' : '▸') : '';
  if (mark) context.fillText(mark, 2, middle);
  context.fillText(name, row.header ? 2 : row.lane ? 24 : 12, middle);
}

/** 1, 2 or 5 times a power of ten, about `count` of them in `length`. */
function tickStep(length, count) {
  const rough = length / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((times) => times * power >= rough) ?? 10);
}

/** [{x, text}] */
function ticksOf(view, scale) {
  const step = tickStep(view.to - view.from, Math.max(2, (view.width - view.left) / 110));
  // As many digits as tell neighbours apart.
  const digits = Math.min(15, Math.max(3, Math.ceil(Math.log10(view.to / step)) + 1));
  const ticks = [];
  for (let k = Math.ceil(view.from / step); k * step <= view.to; ++k)
    ticks.push({
      x: view.left + (k * step - view.from) * scale,
      text: k === 0 ? '0' : show(k * step, 's', digits),
    });
  return ticks;
}

function drawGrid(context, view, colours, ticks) {
  context.fillStyle = colours.line;
  context.globalAlpha = 0.7;
  for (const {x} of ticks) context.fillRect(x, HEAD, 1, view.height - HEAD);
  context.globalAlpha = 1;
}

function drawHead(context, view, colours, ticks) {
  context.fillStyle = colours.panel;
  context.fillRect(0, 0, view.width, HEAD - 1);
  context.fillStyle = colours.muted;
  if (view.left > 40) context.fillText('time', 2, HEAD / 2);
  for (const {x, text} of ticks) {
    context.fillStyle = colours.line;
    context.fillRect(x, HEAD - 6, 1, 6);
    context.fillStyle = colours.muted;
    const half = context.measureText(text).width / 2;
    context.textAlign = 'center';
    context.fillText(text, Math.min(Math.max(x, view.left + half), view.width - half), HEAD / 2 - 2);
    context.textAlign = 'left';
  }
  context.fillStyle = colours.line;
  context.fillRect(0, HEAD - 1, view.width, 1);
}
