// Best objective over designs tried.
import {drawable} from '../../data/number.js';
import {show} from '../../data/units.js';
import {base, legend, tooltip, valueAxis} from '../axes.js';
import {chartCard} from '../chart.js';
import {isFeasible, objectivesOf} from './trials.js';

function bestSoFar(trials, key) {
  let best = Infinity;
  return trials.map((trial, index) => {
    const value = isFeasible(trial) ? drawable(trial.metrics?.[key]) : null;
    if (value !== null) best = Math.min(best, value);
    return {tried: index + 1, value, best: Number.isFinite(best) ? best : null};
  });
}

export function convergenceCard(page, result) {
  const trials = result.trials ?? [];
  if (trials.length < 2) return null;
  const [objective] = objectivesOf(result);
  const rows = bestSoFar(trials, objective.key);
  const known = rows.filter((row) => row.value !== null);
  if (known.length === 0) return null;
  const spread = Math.max(...known.slice(0, 5000).map((row) => row.value)) / known[known.length - 1].best;
  return chartCard(page, {
    title: 'Convergence',
    note: `The best ${objective.name} over designs tried; ${(trials.length - known.length).toLocaleString('en-US')} of ${trials.length.toLocaleString('en-US')} were infeasible.`,
    height: 360,
    table: {
      columns: [
        {title: 'tried', value: (row) => row.tried},
        {title: objective.name, unit: objective.unit, value: (row) => row.value, numeric: true},
        {title: 'best so far', unit: objective.unit, value: (row) => row.best, numeric: true},
      ],
      rows,
    },
    option: (colours) => ({
      ...base(colours, {withLegend: true}),
      legend: legend(colours),
      tooltip: tooltip(colours, ({seriesName, value, color}) => ({
        title: `design ${show(value[0])}`,
        lines: [[seriesName, show(value[1], objective.unit), color]],
      })),
      xAxis: valueAxis('x', colours, {
        name: 'designs tried',
        min: 0,
        max: rows.length,
        more: {splitLine: {show: false}},
      }),
      yAxis: valueAxis('y', colours, {
        name: objective.name,
        unit: objective.unit,
        log: spread > 20,
        values: known.map((row) => row.value),
        more: {scale: true},
      }),
      series: [
        {
          name: 'tried',
          type: 'scatter',
          symbolSize: 4,
          itemStyle: {color: colours.muted, opacity: 0.4},
          data: known.map((row) => [row.tried, row.value]),
          large: known.length > 5000,
        },
        {
          name: 'best so far',
          type: 'line',
          step: 'end',
          symbol: 'none',
          triggerLineEvent: true,
          lineStyle: {color: colours.accent, width: 2},
          itemStyle: {color: colours.accent},
          data: rows.filter((row) => row.best !== null).map((row) => [row.tried, row.best]),
        },
      ],
    }),
  });
}
