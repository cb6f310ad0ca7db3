// The busiest links and memories, by class.
import {numbered} from '../data/names.js';
import {number} from '../data/number.js';
import {percent, show} from '../data/units.js';
import {barsHeight, barsOption} from './bars.js';
import {chartCard} from './chart.js';

const SHOWN = 14;

function linkColumns() {
  return [
    {title: 'resource', value: (link) => link.name, wide: true},
    {title: 'kind', value: (link) => link.kind},
    {title: 'count', value: (link) => link.members},
    {title: 'bandwidth', unit: 'B/s', value: (link) => link.bandwidth_Bps},
    {title: 'traffic', unit: 'B', value: (link) => link.carried_B},
    {
      title: 'utilization',
      unit: '%',
      value: (link) => link.utilization,
      text: (link) => percent(link.utilization),
    },
  ];
}

/** Parallel links share a name in a result; here, as in the timeline, the second is "(2)". */
export function toldApart(links) {
  const names = numbered(links.map((link) => link.name));
  return links.map((link, index) => ({...link, name: names[index]}));
}

export function linksCard(page, links) {
  if (!links?.length) return null;
  const sorted = toldApart(links).sort((a, b) => (number(b.utilization) || 0) - (number(a.utilization) || 0));
  const rows = sorted.slice(0, SHOWN).map((link) => ({
    name: link.name,
    value: link.utilization,
    colour: (colours) => (link.kind === 'link' ? colours.communication : colours.memory),
    lines: [
      ['count', show(link.members)],
      ['bandwidth', show(link.bandwidth_Bps, 'B/s')],
      ['traffic', show(link.carried_B, 'B')],
    ],
  }));
  const beside = new Set(links.map((link) => link.name)).size < links.length;
  return chartCard(page, {
    title: 'Busiest resources',
    note: `Utilization${links.length > SHOWN ? `; the first ${SHOWN} of ${links.length}, the table has all` : ''}. Orange: links. Green: memories and others.${beside ? ' (2), (3): parallel links between the same two nodes.' : ''}`,
    height: barsHeight(rows.length),
    table: {columns: linkColumns(), rows: sorted},
    option: (colours) => barsOption(colours, rows, {
        name: 'utilization',
        unit: '%',
        of: 'resource',
        min: 0,
        max: 1,
      }),
  });
}
