// A collective over sizes: time against lower bound, and bandwidth.
import {positive} from '../data/number.js';
import {show} from '../data/units.js';
import {base, legend, tooltip, valueAxis} from './axes.js';
import {chartCard} from './chart.js';

function columns() {
  return [
    {title: 'size', unit: 'B', value: (entry) => entry.size_B},
    {title: 'time', unit: 's', value: (entry) => entry.time_s},
    {title: 'lower bound', unit: 's', value: (entry) => entry.lower_bound_s},
    {title: 'bus bandwidth', unit: 'B/s', value: (entry) => entry.bus_bandwidth_Bps},
    {title: 'algorithm bandwidth', unit: 'B/s', value: (entry) => entry.algorithm_bandwidth_Bps},
    {title: 'algorithm', value: (entry) => entry.algorithm},
    {title: 'bound by', value: (entry) => entry.bound_by},
  ];
}

function sizeCard(page, results, {title, note, unit, name, lines}) {
  return chartCard(page, {
    title,
    note,
    height: 320,
    table: {columns: columns(), rows: results},
    option: (colours) => ({
      ...base(colours, {withLegend: true}),
      legend: legend(colours),
      tooltip: tooltip(
        colours,
        (points) =>
          points.length === 0
            ? null
            : {
                title: `${show(points[0].value[0], 'B')}: ${results[points[0].dataIndex]?.algorithm ?? ''}`,
                lines: points.map((point) => [point.seriesName, show(point.value[1], unit), point.color]),
              },
        {trigger: 'axis'},
      ),
      xAxis: valueAxis('x', colours, {name: 'size', unit: 'B', log: true}),
      yAxis: valueAxis('y', colours, {name, unit, log: true}),
      series: lines.map(([label, key], index) => ({
        name: label,
        type: 'line',
        symbolSize: 6,
        lineStyle: {width: 2, type: index === 0 ? 'solid' : 'dashed'},
        itemStyle: {color: index === 0 ? colours.accent : colours.muted},
        data: results.map((entry) => [positive(entry.size_B), positive(entry[key])]),
      })),
    }),
  });
}

export function sizesCards(page, results) {
  sizeCard(page, results, {
    title: 'Time over size',
    note: 'With its lower bound.',
    name: 'time',
    unit: 's',
    lines: [
      ['time', 'time_s'],
      ['lower bound', 'lower_bound_s'],
    ],
  });
  sizeCard(page, results, {
    title: 'Bandwidth over size',
    note: 'Bus bandwidth as defined by nccl-tests.',
    name: 'bandwidth',
    unit: 'B/s',
    lines: [
      ['bus bandwidth', 'bus_bandwidth_Bps'],
      ['algorithm bandwidth', 'algorithm_bandwidth_Bps'],
    ],
  });
}
