// The graph of a platform: nodes, and links between pairs of them with the traffic in each direction.
import {number} from '../../data/number.js';

/**
 * {nodes: [{id, kind, name, at}], pairs: [{a, b, ways: [there, back]}], near: neighbours of each node}
 * A way is {count, bandwidth, utilization (the greatest), carried} of all links from a to b; indices instead of ids.
 */
export function graphOf(platform) {
  const nodes = platform.nodes.map((node, at) => ({...node, kind: kindOf(node.kind), at}));
  const position = new Map(nodes.map((node) => [node.id ?? node.at, node.at]));
  const pairs = new Map();
  for (const link of platform.links) {
    const from = position.get(link.from);
    const to = position.get(link.to);
    if (from === undefined || to === undefined || from === to) continue;
    const [a, b] = from < to ? [from, to] : [to, from];
    const key = a * nodes.length + b;
    if (!pairs.has(key)) pairs.set(key, {a, b, ways: [way(), way()]});
    add(pairs.get(key).ways[from === a ? 0 : 1], link);
  }
  const near = nodes.map(() => []);
  for (const {a, b} of pairs.values()) {
    near[a].push(b);
    near[b].push(a);
  }
  return {nodes, pairs: [...pairs.values()], near};
}

/** As the page calls them; other writings are accepted. */
function kindOf(kind) {
  const word = String(kind ?? 'device')
    .toLowerCase()
    .replaceAll('_', ' ');
  if (word.startsWith('memory')) return 'memory-node';
  if (word.startsWith('pcie')) return 'PCIe switch';
  if (word.startsWith('host')) return 'host socket';
  return word === 'switch' ? 'switch' : 'device';
}

function way() {
  return {count: 0, bandwidth: 0, utilization: null, carried: 0};
}

function add(way, link) {
  const used = number(link.utilization);
  way.count += 1;
  way.bandwidth += number(link.bandwidth_Bps) ?? 0;
  way.carried += number(link.carried_B) ?? 0;
  if (Number.isFinite(used)) way.utilization = Math.max(way.utilization ?? 0, used);
}
