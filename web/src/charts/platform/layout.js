// Where the nodes of a platform are drawn, so that a person recognizes it: a ring is round, a torus a grid, a tree has
// its leaves below. Coordinates are free; the drawing scales them. Returns {points: [{x, y}], bends, wraps}: the pairs
// whose link is bent, and those that leave the drawing at one edge and come back at the other.

const CIRCLE_MOST = 200;

export function layout(platform, graph) {
  return {bends: new Set(), wraps: new Set(), ...shape(platform, graph)};
}

function shape(platform, graph) {
  const kinds = new Set(graph.nodes.map((node) => node.kind));
  const onlyDevices = kinds.size === 1 && kinds.has('device');
  return (
    (onlyDevices && grid(platform, graph)) ||
    (onlyDevices && cubeMesh(platform, graph)) ||
    ring(graph) ||
    (kinds.has('switch') || kinds.has('PCIe switch') || kinds.has('host socket') ? switched(graph) : null) ||
    (kinds.has('memory-node') ? withMemories(graph) : null) ||
    (graph.nodes.length <= CIRCLE_MOST ? circle(graph) : square(graph))
  );
}

function onCircle(part, radius) {
  const angle = part * 2 * Math.PI - Math.PI / 2;
  return {x: radius * Math.cos(angle), y: radius * Math.sin(angle)};
}

function circle(graph) {
  return {points: graph.nodes.map((_, at) => onCircle(at / graph.nodes.length, 1))};
}

function square(graph) {
  const columns = Math.ceil(Math.sqrt(graph.nodes.length));
  return {points: graph.nodes.map((_, at) => ({x: at % columns, y: Math.floor(at / columns)}))};
}

/** Every node has two neighbours, and the walk from the first comes by all of them. */
function ring(graph) {
  const {near} = graph;
  if (near.length < 3 || near.some((neighbours) => neighbours.length !== 2)) return null;
  const order = [0];
  let before = -1;
  for (let at = 0; ;) {
    const next = near[at][0] === before ? near[at][1] : near[at][0];
    if (next === 0) break;
    order.push(next);
    before = at;
    at = next;
  }
  if (order.length !== near.length) return null;
  const points = [];
  order.forEach((node, place) => {
    points[node] = onCircle(place / order.length, 1);
  });
  return {points};
}

function coordinates(at, dims) {
  return dims.map((size) => {
    const value = at % size;
    at = Math.floor(at / size);
    return value;
  });
}

/** Rows and columns of a torus or mesh, layers aslant; links around the edge leave it. Checked against the links. */
function grid(platform, graph) {
  const given = (platform.dims ?? []).filter((size) => size > 1);
  if (given.length < 2 || given.reduce((product, size) => product * size, 1) !== graph.nodes.length)
    return null;
  for (const dims of [given, [...given].reverse()]) {
    const places = graph.nodes.map((_, at) => coordinates(at, dims));
    const wraps = new Set();
    const fits = graph.pairs.every((pair) => {
      const apart = dims.map((size, d) => Math.abs(places[pair.a][d] - places[pair.b][d]));
      const moved = apart.filter((distance) => distance > 0);
      const d = apart.findIndex((distance) => distance > 0);
      if (moved.length === 1 && moved[0] === dims[d] - 1 && dims[d] > 2) wraps.add(pair);
      return moved.length === 1 && (moved[0] === 1 || moved[0] === dims[d] - 1);
    });
    if (fits) return {points: places.map((place) => project(place, dims)), wraps};
  }
  return null;
}

/** x to the right, y down, z aslant; a fourth dimension beside, a fifth below. */
function project(place, dims) {
  const [x, y, z = 0, u = 0, v = 0] = place;
  const [width, height, depth = 1] = dims;
  // The layers' nodes fall between each other.
  const slant = depth > 1 ? {x: 1.24 / depth, y: -0.88 / depth} : {x: 0, y: 0};
  const wide = width + depth * slant.x + 0.6;
  const tall = height - depth * slant.y + 0.6;
  return {x: x + z * slant.x + u * wide, y: y + z * slant.y + v * tall};
}

/** DGX-1V: two squares, one within the other. */
function cubeMesh(platform, graph) {
  if (graph.nodes.length !== 8 || !/dgx1|cube/i.test(platform.topology ?? '')) return null;
  const corner = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  return {
    points: graph.nodes.map((_, at) => {
      const size = at < 4 ? 1 : 0.45;
      return {x: corner[at % 4][0] * size, y: corner[at % 4][1] * size};
    }),
  };
}

/** Devices in a circle; memory-nodes outside, near those they serve. */
function withMemories(graph) {
  const devices = graph.nodes.filter((node) => node.kind === 'device');
  const points = [];
  devices.forEach((node, place) => {
    points[node.at] = onCircle(place / devices.length, 0.62);
  });
  const memories = graph.nodes
    .filter((node) => node.kind !== 'device')
    .map((node) => {
      const served = graph.near[node.at].filter((other) => points[other]);
      const x = served.reduce((total, other) => total + points[other].x, 0);
      const y = served.reduce((total, other) => total + points[other].y, 0);
      return {node, angle: (Math.atan2(y, x) / (2 * Math.PI) + 1.25) % 1};
    });
  // In the order of whom they serve, evenly.
  memories
    .sort((a, b) => a.angle - b.angle || a.node.at - b.node.at)
    .forEach(({node}, place) => {
      points[node.at] = onCircle((place + ((memories[0].angle * memories.length) % 1)) / memories.length, 1);
    });
  return {points};
}

const BELOW = {'memory-node': -1, device: 0};

/** Rank of each node: devices 0, memory-nodes below, switches by how far they are from devices. */
function ranks(graph) {
  const rank = graph.nodes.map((node) => BELOW[node.kind] ?? null);
  let edge = graph.nodes.filter((node) => node.kind === 'device').map((node) => node.at);
  for (let level = 1; edge.length > 0; ++level) {
    const next = new Set();
    for (const at of edge) for (const other of graph.near[at]) if (rank[other] === null) next.add(other);
    for (const at of next) rank[at] = level;
    edge = [...next];
  }
  return rank.map((level) => level ?? 1);
}

/** A tree with its leaves below; where switches of one rank are joined (dragonfly), those in a circle. */
function switched(graph) {
  const rank = ranks(graph);
  const routers = graph.nodes.filter((node) => rank[node.at] === 1);
  const beside = graph.pairs.filter(({a, b}) => rank[a] === 1 && rank[b] === 1).length;
  if (routers.length > 8 && beside >= routers.length) return routersInCircle(graph, routers);
  return layers(graph, rank);
}

function routersInCircle(graph, routers) {
  const points = [];
  routers.forEach((node, place) => {
    points[node.at] = onCircle(place / routers.length, 0.72);
  });
  routers.forEach((node, place) => {
    const leaves = graph.near[node.at].filter(
      (other) => graph.nodes[other].kind !== 'switch' && !points[other],
    );
    leaves.forEach((leaf, index) => {
      points[leaf] = onCircle((place + (index + 0.5) / leaves.length - 0.5) / routers.length, 1);
    });
  });
  return {points: graph.nodes.map((_, at) => points[at] ?? {x: 0, y: 0})};
}

const WIDTH = 2.4;

function layers(graph, rank) {
  const levels = [...new Set(rank)].sort((a, b) => a - b);
  const points = [];
  const rows = [];
  for (const level of levels) {
    const members = graph.nodes.filter((node) => rank[node.at] === level);
    // Switches of one island are below those that join islands.
    const split = level > 0 ? byReach(members, graph, points) : [members];
    for (const row of split) {
      rows.push(row);
      spread(row, graph, rank, points);
    }
  }
  let below = 0;
  for (const row of rows) {
    const tall = Math.max(...row.map((node) => points[node.at].up));
    for (const node of row) points[node.at] = {x: points[node.at].x, y: below - points[node.at].up};
    below -= tall + Math.max(0.34, 1.3 / rows.length);
  }
  // Links between devices of one row are bent below it.
  const bends = new Set(graph.pairs.filter(({a, b}) => rank[a] === rank[b]));
  return {points, bends};
}

/** In the order of what is below them; in two rows if some join all that lies below and others a few of it. */
function byReach(members, graph, points) {
  const placed = members.map((node) => {
    const xs = graph.near[node.at].filter((other) => points[other]).map((other) => points[other].x);
    const sum = xs.reduce((total, x) => total + x, 0);
    const [from, to] = [Math.min(...xs), Math.max(...xs)];
    const under = points.filter((point) => point && point.x >= from && point.x <= to).length;
    return {node, middle: xs.length > 0 ? sum / xs.length : 0, sparse: xs.length < under / 2};
  });
  placed.sort((a, b) => a.middle - b.middle || a.node.at - b.node.at);
  const [dense, sparse] = [placed.filter((entry) => !entry.sparse), placed.filter((entry) => entry.sparse)];
  const rows = dense.length > 1 && sparse.length > 0 ? [dense, sparse] : [placed];
  return rows.map((row) => row.map((entry) => entry.node));
}

/** Places the nodes of a row side by side, in blocks by what they hang from; `up` is how far above the row's ground. */
function spread(members, graph, rank, points) {
  const parent = (node) =>
    Math.min(...graph.near[node.at].filter((other) => rank[other] > rank[node.at]), Infinity);
  const blocks = new Map();
  for (const node of members) {
    const key = rank[node.at] <= 0 ? parent(node) : node.at;
    if (!blocks.has(key)) blocks.set(key, []);
    blocks.get(key).push(node);
  }
  const ordered = [...blocks.values()];
  const largest = Math.max(...ordered.map((block) => block.length));
  const columns =
    members.length <= 40 ? largest : Math.max(1, Math.min(largest, Math.floor(96 / ordered.length)));
  ordered.forEach((block, index) =>
    block.forEach((node, place) => {
      const across = (index + (((place % columns) + 0.5) / columns) * 0.86 + 0.07) / ordered.length;
      points[node.at] = {x: across * WIDTH, up: Math.floor(place / columns) * 0.07};
    }),
  );
}
