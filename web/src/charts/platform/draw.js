// Draws a platform: links coloured by utilization, nodes shaped by kind.
import {mix} from '../palette.js';

const FEW = 40;
const MANY = 400;

/** Points on the screen: {x, y} of each node, all within the canvas. */
export function fit(points, width, height, margin) {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (width - 2 * margin) / (right - left || 1),
    (height - 2 * margin) / (bottom - top || 1),
  );
  return points.map((point) => ({
    x: width / 2 + (point.x - (left + right) / 2) * scale,
    y: height / 2 + (point.y - (top + bottom) / 2) * scale,
  }));
}

export function radius(count) {
  return count <= FEW ? 11 : count <= MANY ? 5 : 2.2;
}

/** The middle of a bent link; null for a straight one. */
export function bendOf(from, to, bent) {
  if (!bent) return null;
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const side = from.y === to.y ? Math.sign(to.x - from.x) : 1;
  const depth = Math.min(48, 6 + length * 0.16);
  return {
    x: (from.x + to.x) / 2 - ((to.y - from.y) / length) * depth * side,
    y: (from.y + to.y) / 2 + ((to.x - from.x) / length) * depth * side,
  };
}

/** A link that leaves the drawing: a short way outwards at both ends, as pairs of points. */
export function stubsOf(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const out = Math.min(22, length * 0.16);
  const dx = ((to.x - from.x) / length) * out;
  const dy = ((to.y - from.y) / length) * out;
  return [
    [from, {x: from.x - dx, y: from.y - dy}],
    [{x: to.x + dx, y: to.y + dy}, to],
  ];
}

export function drawPlatform(context, {graph, places, bends, wraps, top}, colours) {
  const apart = graph.pairs.length <= 1500 ? 1.7 : 0;
  const thick = graph.pairs.length <= 200 ? 2.2 : graph.pairs.length <= 1500 ? 1.3 : 0.8;
  // The busiest last, on top.
  const ways = graph.pairs
    .flatMap((pair) => pair.ways.map((way, index) => ({pair, way, back: index === 1})))
    .filter(({way}) => way.count > 0);
  ways.sort((a, b) => (a.way.utilization ?? 0) - (b.way.utilization ?? 0));
  for (const {pair, way, back} of ways) {
    const [from, to] = back ? [places[pair.b], places[pair.a]] : [places[pair.a], places[pair.b]];
    context.strokeStyle = mix(colours.heat, (way.utilization ?? 0) / top);
    context.lineWidth = thick * Math.min(2, Math.sqrt(way.count));
    const aside = apart * Math.min(2, Math.sqrt(way.count));
    const bend = back ? bendOf(to, from, bends.has(pair)) : bendOf(from, to, bends.has(pair));
    if (wraps.has(pair)) for (const [a, b] of stubsOf(from, to)) line(context, a, b, aside, null);
    else line(context, from, to, aside, bend);
  }
  const size = radius(graph.nodes.length);
  for (const node of graph.nodes)
    drawNode(context, node, places[node.at], size, colours, graph.nodes.length <= FEW);
}

/** Each direction on its own side. */
function line(context, from, to, apart, bend) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const dx = (-(to.y - from.y) / length) * apart;
  const dy = ((to.x - from.x) / length) * apart;
  context.beginPath();
  context.moveTo(from.x + dx, from.y + dy);
  if (bend)
    context.quadraticCurveTo(
      2 * bend.x - (from.x + to.x) / 2 + dx,
      2 * bend.y - (from.y + to.y) / 2 + dy,
      to.x + dx,
      to.y + dy,
    );
  else context.lineTo(to.x + dx, to.y + dy);
  context.stroke();
}

export const SHAPES = {
  device: (context, x, y, r) => context.arc(x, y, r, 0, 2 * Math.PI),
  'memory-node': (context, x, y, r) => context.rect(x - r * 0.95, y - r * 0.95, 1.9 * r, 1.9 * r),
  switch: (context, x, y, r) => polygon(context, x, y, r * 1.25, 4, 0),
  'PCIe switch': (context, x, y, r) => polygon(context, x, y, r * 1.15, 3, -Math.PI / 2),
  'host socket': (context, x, y, r) => polygon(context, x, y, r * 1.15, 6, 0),
};

export function nodeColour(kind, colours) {
  return {
    device: colours.compute,
    'memory-node': colours.memory,
    switch: colours.text,
    'PCIe switch': colours.muted,
    'host socket': colours.series[5],
  }[kind];
}

function polygon(context, x, y, r, corners, turn) {
  for (let k = 0; k < corners; ++k) {
    const angle = turn + (k * 2 * Math.PI) / corners;
    context[k === 0 ? 'moveTo' : 'lineTo'](x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  context.closePath();
}

function drawNode(context, node, {x, y}, size, colours, words) {
  context.beginPath();
  SHAPES[node.kind](context, x, y, size);
  context.fillStyle = nodeColour(node.kind, colours);
  context.fill();
  context.lineWidth = size > 4 ? 1.5 : 0.5;
  context.strokeStyle = colours.panel;
  context.stroke();
  if (!words) return;
  const number = /\d+$/.exec(node.name ?? '')?.[0];
  context.textAlign = 'center';
  if (number !== undefined && number.length <= 3) {
    context.fillStyle = colours.panel;
    context.fillText(number, x, y + 0.5);
  } else {
    context.fillStyle = colours.muted;
    context.fillText(shorter(node.name), x, y + size + 9);
  }
  context.textAlign = 'left';
}

function shorter(name) {
  const text = String(name ?? '');
  return text.length > 16 ? `${text.slice(0, 15)}…` : text;
}
