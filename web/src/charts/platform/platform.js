// The platform's drawing with its links as a heat map.
import {greatest} from '../../data/number.js';
import {percent, show} from '../../data/units.js';
import {card} from '../../ui/card.js';
import {make} from '../../ui/dom.js';
import {onThemeChange} from '../../ui/theme.js';
import {tip} from '../axes.js';
import {charts} from '../chart.js';
import {palette} from '../palette.js';
import {bendOf, drawPlatform, fit, nodeColour, radius, SHAPES, stubsOf} from './draw.js';
import {graphOf} from './graph.js';
import {layout} from './layout.js';
import {starOfFew} from './star.js';

/** The scale ends at a round number above the busiest. */
function roundUp(part) {
  return [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1].find((limit) => part <= limit) ?? 1;
}

export function platformCard(page, platform, name) {
  if (platform?.too_large) {
    return card(page, {title: 'Links of the platform'}, (body) =>
      body.append(make('p', {class: 'muted'}, platform.too_large)),
    );
  }
  if (!platform?.nodes?.length || !platform.links) return null;
  const drawn = starOfFew(platform, graphOf(platform));
  const graph = drawn.graph;
  const whole = graphOf(platform);
  const ways = whole.pairs
    .flatMap((pair) => [
      [pair.a, pair.b, pair.ways[0]],
      [pair.b, pair.a, pair.ways[1]],
    ])
    .filter(([, , way]) => way.count > 0)
    .map(([from, to, way]) => ({from: nameOf(whole.nodes[from]), to: nameOf(whole.nodes[to]), ...way}));
  const top = roundUp(greatest(ways.map((way) => way.utilization)));
  return card(
    page,
    {
      title: 'Links of the platform',
      note: `${name ? `${name}: ` : ''}${counts(whole)}, ${platform.links.length.toLocaleString('en-US')} links. The colour is the link utilization.${drawn.note}`,
      table: {
        columns: [
          {title: 'from', value: (way) => way.from},
          {title: 'to', value: (way) => way.to},
          {title: 'links', value: (way) => way.count},
          {title: 'bandwidth', unit: 'B/s', value: (way) => way.bandwidth},
          {
            title: 'utilization',
            unit: '%',
            value: (way) => way.utilization,
            text: (way) => percent(way.utilization),
            numeric: true,
          },
        ],
        rows: ways,
      },
    },
    (body) => {
      charts[body.parentElement.id] = drawing(body, drawn.platform, graph, top);
    },
  );
}

function nameOf(node) {
  return node.name ?? `${node.kind} ${node.id}`;
}

function counts(graph) {
  const found = new Map();
  for (const node of graph.nodes) found.set(node.kind, (found.get(node.kind) ?? 0) + 1);
  return [...found]
    .map(
      ([kind, count]) =>
        `${count.toLocaleString('en-US')} ${kind}${count === 1 ? '' : kind.endsWith('switch') ? 'es' : 's'}`,
    )
    .join(', ');
}

function drawing(body, platform, graph, top) {
  const {points, bends, wraps} = layout(platform, graph);
  const canvas = make('canvas', {
    class: 'platform',
    role: 'img',
    'aria-label': `Drawing of the platform: ${counts(graph)}`,
  });
  const pointed = make('div', {class: 'tip-box', hidden: true});
  const keys = make('div', {class: 'keys'});
  const height = 360;
  let places = [];

  function draw() {
    const width = canvas.clientWidth;
    if (width === 0) return;
    const ratio = globalThis.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const colours = palette();
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = `10px ${getComputedStyle(document.body).fontFamily}`;
    context.textBaseline = 'middle';
    context.clearRect(0, 0, width, height);
    places = fit(points, width, height, 30);
    drawPlatform(context, {graph, places, bends, wraps, top}, colours);
    drawKeys(keys, graph, top, colours);
  }

  canvas.addEventListener('pointermove', (event) => {
    const lines = describe({graph, places, bends, wraps}, event.offsetX, event.offsetY);
    pointed.hidden = lines === null;
    if (!lines) return;
    pointed.replaceChildren(tip(lines));
    const right = event.offsetX > canvas.clientWidth / 2;
    pointed.style.left = right ? '' : `${event.offsetX + 14}px`;
    pointed.style.right = right ? `${canvas.clientWidth - event.offsetX + 14}px` : '';
    pointed.style.top = `${event.offsetY + 14}px`;
  });
  canvas.addEventListener('pointerleave', () => {
    pointed.hidden = true;
  });
  canvas.style.height = `${height}px`;
  body.append(keys, make('div', {class: 'platform-box'}, canvas, pointed));
  onThemeChange(draw);
  new ResizeObserver(draw).observe(canvas);
  draw();
  return {graph, points, draw};
}

function drawKeys(keys, graph, top, colours) {
  const kinds = [...new Set(graph.nodes.map((node) => node.kind))].map((kind) => {
    const swatch = make('canvas', {width: 28, height: 28, class: 'shape'});
    const context = swatch.getContext('2d');
    context.beginPath();
    SHAPES[kind](context, 14, 14, 9);
    context.fillStyle = nodeColour(kind, colours);
    context.fill();
    return make('span', {}, swatch, kind);
  });
  const scale = make('i', {class: 'scale'});
  scale.style.background = `linear-gradient(to right, ${colours.heat.join(', ')})`;
  keys.replaceChildren(...kinds, make('span', {}, 'link utilization 0 %', scale, percent(top, 0)));
}

/** What is under the pointer: a node, else the nearest link. */
function describe({graph, places, bends, wraps}, x, y) {
  const size = Math.max(6, radius(graph.nodes.length) + 2);
  const node = graph.nodes.find(({at}) => Math.hypot(places[at].x - x, places[at].y - y) <= size);
  if (node)
    return {
      title: nameOf(node),
      lines: [
        ['kind', node.kind],
        ['neighbours', show(graph.near[node.at].length)],
      ],
    };
  let best = null;
  let distance = 6;
  for (const pair of graph.pairs) {
    const [from, to] = [places[pair.a], places[pair.b]];
    const away = wraps.has(pair)
      ? Math.min(...stubsOf(from, to).map(([a, b]) => toSegment(a, b, x, y)))
      : distanceTo(from, to, bendOf(from, to, bends.has(pair)), x, y);
    if (away < distance) {
      best = pair;
      distance = away;
    }
  }
  if (!best) return null;
  const [a, b] = [nameOf(graph.nodes[best.a]), nameOf(graph.nodes[best.b])];
  return {
    title: `${a} – ${b}`,
    lines: best.ways.flatMap((way, index) =>
      way.count === 0
        ? []
        : [
            [
              `to ${index === 0 ? b : a}`,
              `${percent(way.utilization)} of ${way.count > 1 ? `${way.count} × ` : ''}${show(way.bandwidth / way.count, 'B/s')}`,
            ],
          ],
    ),
  };
}

function toSegment(from, to, x, y) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const part = Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
}

function distanceTo(from, to, bend, x, y) {
  return bend ? Math.min(toSegment(from, bend, x, y), toSegment(bend, to, x, y)) : toSegment(from, to, x, y);
}
