// The roofline of a device and its operators, by memory level: performance over operational intensity
// (Williams et al., CACM 2009).
import {greatest, number, positive} from '../data/number.js';
import {percent, show} from '../data/units.js';
import {base, legend, tooltip, valueAxis} from './axes.js';
import {chartCard} from './chart.js';

const LARGEST = 22; // pixels across, of a point

function flopsOf(operator) {
  return positive(operator.flops) ?? 0;
}

/** Identical operators are one point. */
function pointsOf(operators) {
  const points = new Map();
  for (const operator of operators) {
    const flops = flopsOf(operator);
    const time = positive(operator.time_s);
    if (!(flops > 0) || time === null) continue;
    for (const {level, bytes_B} of operator.traffic ?? []) {
      const bytes = positive(bytes_B);
      if (bytes === null) continue;
      const key = [level, flops, bytes, time].join(' ');
      const found = points.get(key);
      if (found) {
        found.count += 1;
      } else {
        points.set(key, {
          level,
          flops,
          bytes,
          time,
          intensity: flops / bytes,
          rate: flops / time,
          count: 1,
          name: operator.name,
          pass: operator.pass,
          bound: operator.bound_by,
        });
      }
    }
  }
  return [...points.values()];
}

/** {throughput, levels: [{name, bandwidth, stated}]}; values of 0 and below cannot be on a log axis. */
function roofsOf(roofline) {
  return {
    throughput: positive(roofline?.throughput_flops),
    levels: (roofline?.levels ?? []).map((level) => ({
      name: level.name,
      bandwidth: positive(level.bandwidth_Bps),
      stated: number(level.bandwidth_Bps) !== null,
    })),
  };
}

function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}` : names[0];
}

/** Explains which levels have no roof, and why. */
function withoutRoof(roofs) {
  if (roofs.throughput === null) return ' No roof is drawn: the throughput of the device is unknown.';
  const without = roofs.levels.filter((level) => level.bandwidth === null);
  const [broken, unlimited] = [true, false].map((stated) =>
    without.filter((level) => level.stated === stated).map((level) => level.name),
  );
  const them = unlimited.length > 1;
  return [
    unlimited.length > 0
      ? ` No slanted roof is drawn for ${listed(unlimited)}: the device states no bandwidth for ${them ? 'them' : 'it'}, so ${them ? 'they limit' : 'it limits'} no kernel.`
      : '',
    broken.length > 0
      ? ` No slanted roof can be drawn for ${listed(broken)}: the bandwidth is not a positive finite number.`
      : '',
  ].join('');
}

export function rooflineCard(page, result) {
  const operators = result.operators ?? [];
  if (operators.length === 0) return null;
  const points = pointsOf(operators);
  if (points.length === 0) return null;
  const roofs = roofsOf(result.roofline);
  const levels = [
    ...new Set([...points.map((point) => point.level), ...roofs.levels.map((level) => level.name)]),
  ];
  const silent = operators.filter((operator) => !(flopsOf(operator) > 0)).length;
  const most = greatest(points.map((point) => point.time * point.count));
  const low = 10 ** Math.floor(Math.log10(Math.min(...points.map((point) => point.intensity))));
  const high =
    10 **
    Math.ceil(
      Math.log10(
        Math.max(
          ...points.map((point) => point.intensity),
          ...roofs.levels.map((level) => roofs.throughput / level.bandwidth).filter(Number.isFinite),
        ),
      ),
    );

  return chartCard(page, {
    title: 'Roofline',
    note: `Kernels by operational intensity at each memory level; larger points took longer.${silent ? ` ${silent} operators without flops are not shown.` : ''}${withoutRoof(roofs)}`,
    height: 360,
    table: {
      columns: [
        {title: 'operator', value: (point) => point.name, wide: true},
        {title: 'pass', value: (point) => point.pass ?? ''},
        {title: 'count', value: (point) => point.count},
        {title: 'level', value: (point) => point.level},
        {
          title: 'intensity',
          unit: 'flop/B',
          value: (point) => point.intensity,
          text: (point) => `${show(point.intensity)} flop/B`,
        },
        {title: 'performance', unit: 'flop/s', value: (point) => point.rate},
        {title: 'time each', unit: 's', value: (point) => point.time},
        {title: 'bound by', value: (point) => point.bound ?? ''},
      ],
      rows: points,
    },
    option: (colours) => {
      const colourOf = (level) => colours.series[[0, 1, 2, 3, 5, 6][levels.indexOf(level) % 6]];
      return {
        ...base(colours, {withLegend: true}),
        tooltip: tooltip(
          colours,
          ({data, seriesName}) =>
            data?.point
              ? {
                  title: data.point.name,
                  lines: [
                    ['level', seriesName, colourOf(data.point.level)],
                    ['intensity', `${show(data.point.intensity)} flop/B`],
                    ['performance', show(data.point.rate, 'flop/s')],
                    ...(roofs.throughput
                      ? [['of the peak', percent(data.point.rate / roofs.throughput)]]
                      : []),
                    [
                      'time',
                      `${show(data.point.time, 's')}${data.point.count > 1 ? `, ${data.point.count} times` : ''}`,
                    ],
                    ['bound by', data.point.bound ?? '–'],
                  ],
                }
              : null,
          {trigger: 'item'},
        ),
        legend: legend(colours, {data: levels}),
        xAxis: valueAxis('x', colours, {
          name: 'operational intensity (flop/B)',
          log: true,
          min: low,
          max: high,
          more: {minorSplitLine: {show: false}},
        }),
        yAxis: valueAxis('y', colours, {
          name: 'performance',
          unit: 'flop/s',
          log: true,
          // Room above the peak for its name.
          max: roofs.throughput === null ? undefined : 10 ** Math.ceil(Math.log10(roofs.throughput * 6)),
        }),
        series: [
          ...levels.map((level) => ({
            name: level,
            type: 'scatter',
            itemStyle: {color: colourOf(level), opacity: 0.65},
            data: points
              .filter((point) => point.level === level)
              .map((point) => ({
                value: [point.intensity, point.rate],
                point,
                symbolSize: 5 + (LARGEST - 5) * Math.sqrt((point.time * point.count) / most),
              })),
          })),
          ...roofs.levels
            .filter((level) => level.bandwidth && roofs.throughput)
            .map((level) => ({
              name: level.name,
              type: 'line',
              symbol: 'none',
              silent: true,
              lineStyle: {color: colourOf(level.name), width: 1.5},
              data: roof(level.bandwidth, roofs.throughput, low, high),
            })),
          ...(roofs.throughput
            ? [
                {
                  name: 'peak',
                  type: 'line',
                  symbol: 'none',
                  silent: true,
                  lineStyle: {color: colours.muted, width: 1.5},
                  data: [
                    [low, roofs.throughput],
                    [high, roofs.throughput],
                  ].slice(roofs.levels.length > 0 ? 1 : 0),
                  markLine: {
                    silent: true,
                    symbol: 'none',
                    lineStyle: {color: colours.muted, type: 'dashed', opacity: 0.6},
                    data: [
                      {
                        yAxis: roofs.throughput,
                        label: {
                          formatter: `peak ${show(roofs.throughput, 'flop/s')}`,
                          position: 'insideEndTop',
                          distance: LARGEST / 2 + 2, // no point is above the peak
                          color: colours.muted,
                          opacity: 1,
                          fontSize: 11,
                        },
                      },
                    ],
                  },
                },
              ]
            : []),
        ],
      };
    },
  });
}

/** Up along the bandwidth until the ridge, then flat. */
function roof(bandwidth, throughput, low, high) {
  const ridge = throughput / bandwidth;
  return ridge <= low
    ? [
        [low, throughput],
        [high, throughput],
      ]
    : [
        [low, low * bandwidth],
        [Math.min(ridge, high), Math.min(ridge, high) * bandwidth],
        [high, Math.min(throughput, high * bandwidth)],
      ];
}
