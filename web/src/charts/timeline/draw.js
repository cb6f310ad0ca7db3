// Draws the part of a timeline that is seen. What is narrower than a pixel is drawn once for that pixel, so a frame
// costs as much as the screen is wide, however many spans there are.
import {show} from '../../data/units.js';
import {firstAbove} from './rows.js';

export const ROW = 20;
export const HEAD = 24;

export function kindColours(colours) {
  return {
    kernel: colours.compute,
    recomputation: colours.series[4],
    collective: colours.communication,
    offload: colours.memory,
    prefetch: colours.series[6],
    background: colours.idle,
    link: colours.series[5],
  };
}

/** view: {from, to, top, width, height, left}; of: {rows, spans, kinds} */
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

function drawRows(context, view, {rows, spans, kinds}, colours) {
  const first = Math.max(0, Math.floor(view.top / ROW));
  const last = Math.min(rows.length, Math.ceil((view.top + view.height - HEAD) / ROW));
  for (let r = first; r < last; ++r) {
    const y = HEAD + r * ROW - view.top;
    context.fillStyle = colours.line;
    if (r > 0 && rows[r].header) context.fillRect(0, y, view.width, 1);
    context.save();
    context.beginPath();
    context.rect(view.left, Math.max(y, HEAD), view.width - view.left, ROW);
    context.clip();
    drawSpans(context, view, {row: rows[r], spans, kinds}, y + 2, ROW - 4, true);
    context.restore();
    drawLabel(context, view, rows[r], y, colours);
  }
}

/** Of one row, at y and so tall; with names where there is room for them. */
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
        span.name,
        Math.max(x, view.left),
        y + tall / 2,
        Math.min(x + w, view.width) - Math.max(x, view.left),
      );
    // Past all that ends within this pixel.
    i = w >= 1 ? i + 1 : Math.max(i + 1, firstAbove(row.reach, row.begin[i] + 1 / scale, i));
  }
}

function drawName(context, name, x, y, room) {
  const letters = Math.floor((room - 8) / 6.2);
  if (letters < 3) return;
  const text = String(name ?? '');
  context.fillStyle = '#fff';
  context.fillText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text, x + 4, y + 0.5);
}

function drawLabel(context, view, row, y, colours) {
  if (y < HEAD - ROW / 2) return;
  context.fillStyle = row.header ? colours.text : colours.muted;
  const text = row.header ? row.label : shortened(context, row.label, view.left - 22);
  context.fillText(text, row.header ? 2 : 12, y + ROW / 2);
}

/** The end tells rows apart, so the middle goes. */
function shortened(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let kept = Math.max(6, Math.floor((text.length * room) / context.measureText(text).width) - 1);
  const cut = () =>
    `${text.slice(0, Math.ceil(kept * 0.4))}…${text.slice(text.length - Math.floor(kept * 0.6))}`;
  while (kept > 6 && context.measureText(cut()).width > room) --kept;
  return cut();
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
  context.fillText('time', 2, HEAD / 2);
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
