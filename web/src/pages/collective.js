// One collective on one platform, of one size or of several.
import {barsHeight, barsOption} from '../charts/bars.js';
import {chartCard} from '../charts/chart.js';
import {linksCard} from '../charts/links.js';
import {platformCard} from '../charts/platform/platform.js';
import {sizesCards} from '../charts/sizes.js';
import {timelineCard} from '../charts/timeline/timeline.js';
import {percent, show} from '../data/units.js';
import {card} from '../ui/card.js';
import {frame} from '../ui/frame.js';
import {headline} from '../ui/headline.js';
import {dataTable} from '../ui/table.js';
import {platformGraph, platformName} from './run.js';

function boundCard(page, result) {
  const rows = [
    {name: 'time', value: result.time_s, colour: (colours) => colours.accent},
    {name: 'lower bound', value: result.lower_bound_s, colour: (colours) => colours.idle},
  ];
  chartCard(page, {
    title: 'Time against its bound',
    note: result.chosen_because ? `${result.algorithm}, ${result.chosen_because}.` : null,
    height: barsHeight(rows.length),
    table: {
      columns: [
        {title: 'what', value: (row) => row.name},
        {title: 'time', unit: 's', value: (row) => row.value},
      ],
      rows,
    },
    option: (colours) => barsOption(colours, rows, {name: 'time', unit: 's', min: 0}),
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
            title: 'over the bound',
            value: (entry) => entry.time_s / entry.lower_bound_s,
            text: (entry) => `${show(entry.time_s / entry.lower_bound_s, '', 3)} ×`,
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

export function collectivePage(root, result) {
  const results = result.results ?? [result];
  const last = results[results.length - 1] ?? {};
  const several = results.length > 1;
  const page = frame(root, {
    verb: 'collective',
    title: result.name || `${last.op} on ${platformName(last)}`,
    facts: [
      `${show(last.devices)} devices`,
      several ? `${show(results[0].size_B, 'B')} to ${show(last.size_B, 'B')}` : show(last.size_B, 'B'),
      several ? null : `algorithm ${last.algorithm}`,
      last.endpoint ? `endpoint ${last.endpoint}` : null,
    ],
    version: result.cairn_version ?? '',
    command: result.command,
  });
  headline(page, [
    {
      label: several ? `time of ${show(last.size_B, 'B')}` : 'time',
      value: show(last.time_s, 's'),
      detail: `${show(last.time_s / last.lower_bound_s, '', 3)} times the lower bound`,
    },
    {label: 'bus bandwidth', value: show(last.bus_bandwidth_Bps, 'B/s')},
    {label: 'bound by', value: last.bound_by ?? '–'},
    {
      label: 'algorithm',
      value: last.algorithm ?? '–',
      detail: last.chunks ? `${show(last.chunks)} ${last.chunks === 1 ? 'chunk' : 'chunks'}` : null,
    },
    {
      label: 'busiest link',
      value: percent(Math.max(...(last.links ?? []).map((link) => link.utilization), 0)),
      detail: 'of the time',
    },
  ]);
  if (several) sizesCards(page, results);
  else boundCard(page, last);
  platformCard(page, platformGraph(last) ?? platformGraph(result), platformName(last));
  linksCard(page, last.links);
  timelineCard(page, last.timeline ? last : result, {length: last.time_s});
  if (several) resultsCard(page, results);
}
