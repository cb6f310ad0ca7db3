// A collective on a platform, of one size or several.
import {barsHeight, barsOption} from '../charts/bars.js';
import {chartCard} from '../charts/chart.js';
import {designCard} from '../charts/design.js';
import {linksCard} from '../charts/links.js';
import {platformCard} from '../charts/platform/platform.js';
import {sizesCards} from '../charts/sizes.js';
import {startUpOf, timelineCard} from '../charts/timeline/timeline.js';
import {greatest, number} from '../data/number.js';
import {percent, show} from '../data/units.js';
import {card} from '../ui/card.js';
import {frame} from '../ui/frame.js';
import {headline} from '../ui/headline.js';
import {dataTable} from '../ui/table.js';

const REACHED = 5e-5; // relative to the bound: smaller differences are rounding

/** A time relative to its lower bound, as text. */
export function againstBound(time, bound) {
  const over = number(time) / number(bound) - 1;
  if (Math.abs(over) < REACHED) return 'reaches the lower bound';
  if (over > 0 && over < 0.1) return `${show(over * 100, '', 2)} % above the lower bound`;
  return `${show(over + 1, '', 3)} times the lower bound`;
}

/** For a table: enough digits to differ from 1. */
function timesBound({time_s: time, lower_bound_s: bound}) {
  const times = number(time) / number(bound);
  return `${show(times, '', Math.abs(times - 1) < 0.1 ? 5 : 3)} ×`;
}

function boundCard(page, result) {
  const rows = [
    {name: 'time', value: result.time_s, colour: (colours) => colours.accent},
    {name: 'lower bound', value: result.lower_bound_s, colour: (colours) => colours.idle},
  ];
  chartCard(page, {
    title: 'Time against lower bound',
    note: result.chosen_because ? `${result.algorithm}, ${result.chosen_because}.` : null,
    height: barsHeight(rows.length),
    table: {
      columns: [
        {title: 'what', value: (row) => row.name},
        {title: 'time', unit: 's', value: (row) => row.value},
      ],
      rows,
    },
    option: (colours) => barsOption(colours, rows, {name: 'time', unit: 's', of: 'what', min: 0}),
  });
}

function resultsCard(page, results) {
  card(page, {title: 'Sizes', wide: true}, (body) =>
    body.append(
      dataTable(
        [
          {title: 'size', unit: 'B', value: (entry) => entry.size_B},
          {title: 'time', unit: 's', value: (entry) => entry.time_s},
          {
            title: 'time / lower bound',
            value: (entry) => entry.time_s / entry.lower_bound_s,
            text: timesBound,
            numeric: true,
          },
          {title: 'bus bandwidth', unit: 'B/s', value: (entry) => entry.bus_bandwidth_Bps},
          {title: 'algorithm', value: (entry) => entry.algorithm},
          {title: 'bound by', value: (entry) => entry.bound_by, wide: true},
          {title: 'chosen because', value: (entry) => entry.chosen_because ?? '', wide: true},
        ],
        results,
        {label: 'sizes', first: 40},
      ),
    ),
  );
}

/** Links only: memories and engines are listed with the other resources below. */
function busiestLink(resources) {
  const links = (resources ?? []).filter((link) => link.kind === 'link');
  if (links.length === 0) return null;
  const most = greatest(
    links.map((link) => link.utilization),
    null,
  );
  const busiest = links.find((link) => number(link.utilization) === most);
  return {label: 'busiest link', value: percent(most), detail: busiest ? `utilization: ${busiest.name}` : null};
}

export function collectivePage(root, result) {
  const results = result.results ?? [result];
  const last = results[results.length - 1] ?? {};
  const several = results.length > 1;
  const timed = last.timeline ? last : result;
  const startUp = startUpOf(timed, last.time_s);
  const page = frame(root, {
    verb: 'collective',
    title: result.name || `${last.op} on ${last.platform}`,
    facts: [
      `${show(last.devices)} devices`,
      several ? `${show(results[0].size_B, 'B')} to ${show(last.size_B, 'B')}` : show(last.size_B, 'B'),
      several ? null : `algorithm ${last.algorithm}`,
      last.endpoint ? `endpoint ${last.endpoint.executor}` : null,
    ],
    version: result.cairn_version ?? '',
  });
  headline(page, [
    {
      label: several ? `time of ${show(last.size_B, 'B')}` : 'time',
      value: show(last.time_s, 's'),
      detail: `${againstBound(last.time_s, last.lower_bound_s)}${startUp > 0 ? `; ${show(startUp, 's')} before the first message` : ''}`,
    },
    {label: 'bus bandwidth', value: show(last.bus_bandwidth_Bps, 'B/s')},
    {label: 'bound by', value: last.bound_by ?? '–'},
    {
      label: 'algorithm',
      value: last.algorithm ?? '–',
      detail: last.chunks ? `${show(last.chunks)} ${last.chunks === 1 ? 'chunk' : 'chunks'}` : null,
    },
    busiestLink(last.links),
  ]);
  if (several) sizesCards(page, results);
  else boundCard(page, last);
  platformCard(page, last.platform_graph, last.platform);
  linksCard(page, last.links);
  timelineCard(page, timed, {length: last.time_s, linksFirst: true, startUp});
  if (several) resultsCard(page, results);
  designCard(page, result.design ?? last.design);
}
