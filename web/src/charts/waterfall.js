// Waterfall of the difference between two times, part by part.
import {shortNames} from '../data/names.js';
import {drawable, greatest, least} from '../data/number.js';
import {percent, show} from '../data/units.js';
import {base, categoryAxis, tooltip, valueAxis} from './axes.js';
import {chartCard} from './chart.js';

const NARROW = 600; // pixels: names and numbers stand upright
const SIDES = 70; // pixels, beside the bars
const LETTER = 6.2; // pixels
const LINES = 3; // of a name
const UPRIGHT_LETTERS = 20;

/** A run has a step time, a collective a time. */
export function timeOf(side) {
  return side.step_time_s ?? side.time_s;
}

export function timeName(side) {
  return side.step_time_s === undefined && side.time_s !== undefined ? 'time' : 'step time';
}

/** [{name, from, to, total}]: the first and last bar stand on the ground, the others hang between. */
export function steps(a, b, differences) {
  const bars = [{name: a.name, from: 0, to: drawable(timeOf(a)) ?? 0, total: true}];
  let at = bars[0].to;
  for (const entry of differences) {
    const by = drawable(entry.difference_s) ?? 0;
    bars.push({name: entry.part, from: at, to: at + by, entry});
    at += by;
  }
  bars.push({name: b.name, from: 0, to: drawable(timeOf(b)) ?? 0, total: true});
  return bars;
}

export function waterfallCard(page, result) {
  const differences = result.differences ?? [];
  const bars = steps(result.a, result.b, differences);
  const colour = (bar, colours) =>
    bar.total ? colours.series[0] : bar.to > bar.from ? colours.bad : colours.good;
  // Small steps on top of large bars: the axis begins where something happens, if that is far up.
  const lowest = least(bars.map((bar) => (bar.total ? bar.to : Math.min(bar.from, bar.to))));
  const highest = greatest(bars.map((bar) => Math.max(bar.from, bar.to)));
  const floor = lowest > highest * 0.7 ? lowest - (highest - lowest) * 1.5 : 0;
  const ground = Math.max(0, floor);
  return chartCard(page, {
    title: 'Breakdown of the difference',
    note: `Parts that take longer (orange, up) or shorter (green, down).${ground > 0 ? ' The axis does not begin at 0.' : ''}`,
    wide: true,
    height: 380,
    table: {
      columns: [
        {title: 'part', value: (entry) => entry.part, wide: true},
        {title: result.a.name, unit: 's', value: (entry) => entry.a_s, numeric: true},
        {title: result.b.name, unit: 's', value: (entry) => entry.b_s, numeric: true},
        {title: 'difference', unit: 's', value: (entry) => entry.difference_s, numeric: true},
      ],
      rows: differences,
    },
    option: (colours, width) => {
      const narrow = width < NARROW;
      const column = (width - SIDES) / bars.length;
      const room = Math.max(40, Math.floor(column - 5));
      const names = shortNames(
        bars.map((bar) => String(bar.name)),
        narrow ? UPRIGHT_LETTERS : Math.floor((room / LETTER) * LINES * 0.8),
      );
      return {
        ...base(colours),
        tooltip: tooltip(colours, ({dataIndex}) => {
          const bar = bars[dataIndex];
          return bar.total
            ? {title: bar.name, lines: [[timeName(result.a), show(bar.to, 's')]]}
            : {
                title: bar.name,
                lines: [
                  ['before', show(bar.entry.a_s, 's')],
                  ['after', show(bar.entry.b_s, 's')],
                  ['difference', show(bar.entry.difference_s, 's')],
                  [`of the first ${timeName(result.a)}`, percent(bar.entry.difference_s / bars[0].to)],
                ],
              };
        }),
        xAxis: categoryAxis('x', colours, {
          name: 'part',
          categories: bars.map((bar) => bar.name),
          more: {
            axisLabel: {
              color: colours.text,
              fontSize: 11,
              interval: 0,
              lineHeight: 14,
              formatter: (_, index) => names[index],
              // Side by side there is no room for them on a phone.
              rotate: narrow ? 90 : 0,
              ...(narrow ? {} : {width: room, overflow: 'break'}),
            },
          },
        }),
        yAxis: valueAxis('y', colours, {
          name: timeName(result.a),
          unit: 's',
          values: [highest],
          min: ground,
          // Room for the numbers above the highest bar; on a phone they stand upright.
          ...(highest > ground
            ? {max: ground + (highest - ground) * (narrow ? 1.4 : 1.08), label: {showMaxLabel: false}}
            : {}),
        }),
        series: [
          {
            name: 'below',
            type: 'bar',
            stack: 'w',
            silent: true,
            itemStyle: {color: 'transparent'},
            barMaxWidth: 64,
            data: bars.map((bar) => (bar.total ? 0 : Math.min(bar.from, bar.to))),
          },
          {
            name: 'time',
            type: 'bar',
            stack: 'w',
            barMaxWidth: 64,
            data: bars.map((bar) => ({
              value: bar.total ? bar.to : Math.abs(bar.to - bar.from),
              itemStyle: {color: colour(bar, colours), borderRadius: 2},
            })),
            label: {
              show: true,
              position: 'top',
              color: colours.text,
              fontSize: 11,
              // Lines of the grid end beside them.
              textBorderColor: colours.panel,
              textBorderWidth: 3,
              ...(narrow ? {rotate: 90, align: 'left', verticalAlign: 'middle'} : {}),
              formatter: ({dataIndex}) => {
                const bar = bars[dataIndex];
                if (bar.total) return show(bar.to, 's');
                // Below a millionth of the whole it is rounding.
                return Math.abs(bar.to - bar.from) < highest * 1e-6
                  ? 'same'
                  : `${bar.to > bar.from ? '+' : ''}${show(bar.to - bar.from, 's')}`;
              },
            },
          },
        ],
      };
    },
  });
}
