// Many identical devices around one switch are drawn as a few representatives.
import {graphOf} from './graph.js';

const MOST = 64; // devices that are drawn individually
const DRAWN = 16;

/** {platform, graph, note}: what is drawn, and its note. */
export function starOfFew(platform, graph) {
  const centre = graph.nodes.filter((node) => node.kind !== 'device');
  const devices = graph.nodes.filter((node) => node.kind === 'device');
  if (centre.length !== 1 || devices.length <= MOST || !alike(graph, centre[0].at))
    return {platform, graph, note: ''};
  const every = Math.ceil(devices.length / DRAWN);
  const kept = new Set([centre[0].at, ...devices.filter((_, index) => index % every === 0).map((node) => node.at)]);
  const nodes = platform.nodes.filter((_, at) => kept.has(at));
  const ids = new Set(nodes.map((node) => node.id));
  const few = {...platform, nodes, links: platform.links.filter((link) => ids.has(link.from) && ids.has(link.to))};
  return {
    platform: few,
    graph: graphOf(few),
    note: ` ${nodes.length - 1} of the ${devices.length.toLocaleString('en-US')} devices are drawn, each representing ${every} with the same traffic.`,
  };
}

/** Whether each pair connects a device to the centre, with equal utilization. */
function alike(graph, centre) {
  const [first] = graph.pairs;
  const used = (pair) => (pair.a === centre ? pair.ways : [...pair.ways].reverse()).map((way) => way.utilization ?? 0);
  return graph.pairs.every(
    (pair) =>
      (pair.a === centre || pair.b === centre) &&
      used(pair).every((part, way) => Math.abs(part - used(first)[way]) < 1e-6),
  );
}
