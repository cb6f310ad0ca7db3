// Breakdown of a step: exposed times add up to the step; hidden times overlap with compute.
import {drawable} from '../data/number.js';
import {percent, show} from '../data/units.js';
import {base, categoryAxis, legend, tooltip, valueAxis} from './axes.js';
import {chartCard} from './chart.js';

/** [{name, exposed, alone, colour}] */
export function parts(breakdown) {
  return [
    {name: 'compute', colour: 'compute', exposed: breakdown.compute_s, alone: breakdown.compute_s},
    {
      name: 'communication',
      colour: 'communication',
      exposed: breakdown.communication_exposed_s,
      alone: breakdown.communication_s,
    },
    {name: 'memory', colour: 'memory', exposed: breakdown.memory_exposed_s, alone: breakdown.memory_s},
    {name: 'idle', colour: 'idle', exposed: breakdown.idle_s, alone: null},
  ];
}

export function breakdownCard(page, result) {
  const found = parts(result.breakdown ?? {});
  if (!result.breakdown) return null;
  const step = result.step_time_s;
  const categories = ['one step', ...found.filter((part) => part.name !== 'idle').map((part) => part.name)];
  const hidden = (part) => Math.max(0, (drawable(part.alone) ?? 0) - (drawable(part.exposed) ?? 0));
  return chartCard(page, {
    title: 'Where the time goes',
    note: 'Solid: exposed, adding up to the step. Pale: hidden (overlapped).',
    height: 250,
    table: {
      columns: [
        {title: 'part', value: (part) => part.name},
        {title: 'alone', unit: 's', value: (part) => part.alone, numeric: true},
        {title: 'exposed', unit: 's', value: (part) => part.exposed, numeric: true},
        {
          title: 'share of step',
          unit: '%',
          value: (part) => part.exposed / step,
          text: (part) => percent(part.exposed / step),
          numeric: true,
        },
      ],
      rows: found,
    },
    option: (colours) => ({
      ...base(colours, {withLegend: true}),
      tooltip: tooltip(colours, ({dataIndex, seriesName, color, value}) =>
        value === null
          ? null
          : {
              title: categories[dataIndex],
              lines: [
                [seriesName, show(value, 's'), color],
                ['share of step', percent(value / step)],
              ],
            },
      ),
      legend: legend(colours, {data: found.map((part) => part.name)}),
      xAxis: valueAxis('x', colours, {
        name: 'time',
        unit: 's',
        values: [step, ...found.map((part) => part.alone)],
      }),
      yAxis: categoryAxis('y', colours, {
        name: 'part',
        categories,
        more: {inverse: true, axisTick: {show: false}},
      }),
      series: [
        ...found.map((part) => ({
          name: part.name,
          type: 'bar',
          stack: 'time',
          barMaxWidth: 26,
          itemStyle: {color: colours[part.colour]},
          data: categories.map((category, index) =>
            index === 0 || category === part.name ? drawable(part.exposed) : null,
          ),
        })),
        {
          name: 'hidden',
          type: 'bar',
          stack: 'time',
          barMaxWidth: 26,
          data: categories.map((category) => {
            const part = found.find((candidate) => candidate.name === category);
            return part && hidden(part) > 0
              ? {value: hidden(part), itemStyle: {color: colours[part.colour], opacity: 0.3}}
              : null;
          }),
        },
      ],
    }),
  });
}
