// Predictions against measurements: parity plot, distribution of errors, worst cases.
import {greatest, number, positive} from '../data/number.js';
import {percent, show} from '../data/units.js';
import {card} from '../ui/card.js';
import {dataTable} from '../ui/table.js';
import {base, legend, tooltip, valueAxis} from './axes.js';
import {chartCard} from './chart.js';

const BAND = 0.1;

function caseColumns() {
  return [
    {title: 'case', value: (entry) => entry.name, wide: true},
    {title: 'group', value: (entry) => entry.group ?? ''},
    {title: 'line', value: (entry) => entry.line ?? null, numeric: true},
    {title: 'measured', unit: 's', value: (entry) => entry.measured_s, numeric: true},
    {title: 'predicted', unit: 's', value: (entry) => entry.predicted_s, numeric: true},
    {
      title: 'error',
      unit: '%',
      value: (entry) => entry.error,
      text: (entry) => percent(entry.error),
      numeric: true,
    },
    {title: 'held out', value: (entry) => entry.held_out ?? null},
    {title: 'bound by', value: (entry) => entry.bound_by ?? ''},
  ];
}

export function parityCard(page, cases) {
  const drawn = cases.filter(
    (entry) => positive(entry.measured_s) !== null && positive(entry.predicted_s) !== null,
  );
  const lost = cases.length - drawn.length;
  const inside = (entry) => Math.abs(number(entry.error)) <= BAND;
  const within = drawn.filter(inside).length;
  let low = Infinity;
  for (const entry of drawn) low = Math.min(low, entry.measured_s, entry.predicted_s);
  const high = greatest(drawn.flatMap((entry) => [entry.measured_s, entry.predicted_s]));
  const ends = drawn.length > 0 ? [low / 1.5, high * 1.5] : [1e-3, 1];
  const range = {min: 10 ** Math.floor(Math.log10(ends[0])), max: 10 ** Math.ceil(Math.log10(ends[1]))};
  const kinds = [
    {
      name: 'within 10 %',
      symbol: 'circle',
      colour: (colours) => colours.series[0],
      of: (entry) => inside(entry) && !entry.held_out,
    },
    {
      name: 'outside',
      symbol: 'circle',
      colour: (colours) => colours.bad,
      of: (entry) => !inside(entry) && !entry.held_out,
    },
    {
      name: 'held out, within 10 %',
      symbol: 'triangle',
      colour: (colours) => colours.series[0],
      of: (entry) => inside(entry) && entry.held_out,
    },
    {
      name: 'held out, outside',
      symbol: 'triangle',
      colour: (colours) => colours.bad,
      of: (entry) => !inside(entry) && entry.held_out,
    },
  ]
    .map((kind) => ({...kind, members: drawn.filter(kind.of)}))
    .filter((kind) => kind.members.length > 0);
  return chartCard(page, {
    title: 'Predicted against measured',
    note: `${within} of ${drawn.length} within 10 % of the measurement (the band).${lost ? ` ${lost} cannot be drawn: not a positive number.` : ''}`,
    height: 420,
    table: {columns: caseColumns(), rows: cases},
    option: (colours) => ({
      ...base(colours, {withLegend: true}),
      legend: legend(colours, {icon: null, data: kinds.map((kind) => kind.name)}),
      tooltip: tooltip(colours, ({data}) =>
        data?.entry
          ? {
              title: data.entry.name,
              lines: [
                ['measured', show(data.entry.measured_s, 's')],
                ['predicted', show(data.entry.predicted_s, 's')],
                ['error', percent(data.entry.error)],
                ...(data.entry.group ? [['group', data.entry.group]] : []),
                ['bound by', data.entry.bound_by ?? '–'],
              ],
            }
          : null,
      ),
      xAxis: valueAxis('x', colours, {name: 'measured', unit: 's', log: true, ...range}),
      yAxis: valueAxis('y', colours, {name: 'predicted', unit: 's', log: true, ...range}),
      series: [
        ...band(range, colours),
        ...kinds.map((kind) => ({
          name: kind.name,
          type: 'scatter',
          symbol: kind.symbol,
          symbolSize: 6,
          itemStyle: {color: kind.colour(colours), opacity: 0.7},
          data: kind.members.map((entry) => ({value: [entry.measured_s, entry.predicted_s], entry})),
        })),
      ],
    }),
  });
}

/** On log axes, a relative band is a stripe along the diagonal. */
function band({min, max}, colours) {
  const line = (factor, style) => ({
    name: 'band',
    type: 'line',
    symbol: 'none',
    silent: true,
    z: 1,
    lineStyle: {color: colours.muted, width: 1, ...style},
    data: [
      [min, min * factor],
      [max, max * factor],
    ],
    clip: true,
  });
  return [
    {
      name: 'band',
      type: 'custom',
      silent: true,
      z: 0,
      clip: true,
      data: [[min, min]],
      renderItem: (parameters, api) => ({
        type: 'polygon',
        style: {fill: colours.muted, opacity: 0.12},
        shape: {
          points: [
            [min, min * (1 - BAND)],
            [max, max * (1 - BAND)],
            [max, max * (1 + BAND)],
            [min, min * (1 + BAND)],
          ].map((point) => api.coord(point)),
        },
      }),
    },
    line(1, {}),
    line(1 + BAND, {type: 'dashed'}),
    line(1 - BAND, {type: 'dashed'}),
  ];
}

/** Bins of equal width around 0; the last on each side take what is beyond. */
function histogram(errors, width = 0.02, limit = 0.5) {
  const count = Math.round(limit / width);
  const bins = Array.from({length: 2 * count}, (_, index) => ({
    from: (index - count) * width,
    to: (index - count + 1) * width,
    count: 0,
  }));
  for (const error of errors)
    bins[Math.min(Math.max(Math.floor(error / width + 1e-12) + count, 0), 2 * count - 1)].count += 1;
  const used = bins.map((bin) => bin.count > 0);
  const reach = Math.max(
    count - used.indexOf(true),
    used.lastIndexOf(true) - count + 1,
    Math.round(BAND / width) + 1,
  );
  return bins.slice(count - reach, count + reach);
}

export function errorsCard(page, result) {
  const errors = result.cases.map((entry) => number(entry.error)).filter(Number.isFinite);
  if (errors.length === 0) return null;
  const bins = histogram(errors);
  return chartCard(page, {
    title: 'Errors',
    note: 'Cases by error: right of 0 predicted too slow, left too fast. Blue: within 10 %.',
    height: 420,
    table: {
      columns: [
        {title: 'from', unit: '%', value: (bin) => bin.from, text: (bin) => percent(bin.from)},
        {title: 'to', unit: '%', value: (bin) => bin.to, text: (bin) => percent(bin.to)},
        {title: 'cases', value: (bin) => bin.count},
      ],
      rows: bins,
    },
    option: (colours) => ({
      ...base(colours),
      tooltip: tooltip(colours, ({dataIndex}) => ({
        title: `${percent(bins[dataIndex].from, 0)} to ${percent(bins[dataIndex].to, 0)}`,
        lines: [['cases', show(bins[dataIndex].count)]],
      })),
      xAxis: valueAxis('x', colours, {
        name: 'error',
        unit: '%',
        min: bins[0].from,
        max: bins[bins.length - 1].to,
        more: {splitLine: {show: false}},
      }),
      yAxis: valueAxis('y', colours, {name: 'cases', more: {minInterval: 1, axisTick: {show: false}}}),
      series: [
        {
          name: 'cases',
          type: 'bar',
          barWidth: '96%',
          data: bins.map((bin) => ({
            value: [(bin.from + bin.to) / 2, bin.count],
            itemStyle: {
              color: bin.from >= -BAND - 1e-9 && bin.to <= BAND + 1e-9 ? colours.series[0] : colours.bad,
            },
          })),
          markLine: {
            silent: true,
            symbol: 'none',
            label: {show: false},
            lineStyle: {color: colours.muted, type: 'solid'},
            data: [{xAxis: 0}],
          },
        },
      ],
    }),
  });
}

export function worstCard(page, cases) {
  const size = (entry) => {
    const error = number(entry.error);
    return error === null ? -1 : Number.isFinite(error) ? Math.abs(error) : Infinity;
  };
  const worst = [...cases].sort((a, b) => size(b) - size(a));
  return card(page, {title: 'Worst cases', note: 'Sorted by absolute error.', wide: true}, (body) =>
    body.append(dataTable(caseColumns(), worst, {label: 'cases', filter: true, first: 15})),
  );
}
