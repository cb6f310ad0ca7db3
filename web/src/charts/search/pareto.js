// Feasible designs by two metrics, and their Pareto front.
import {drawable} from '../../data/number.js';
import {show} from '../../data/units.js';
import {make} from '../../ui/dom.js';
import {base, legend, tooltip, valueAxis} from '../axes.js';
import {chartCard} from '../chart.js';
import {axesOf, front, isFeasible, metricsOf, objectivesOf, trialColumns, trialsOf} from './trials.js';

/** Two objectives; else the objective against the metric that varies. */
function firstChoice(result, metrics, trials) {
  const objectives = objectivesOf(result);
  const varies = (metric) => new Set(trials.map((trial) => trial.metrics?.[metric.key])).size > 1;
  const second =
    objectives[1] ??
    metrics.find(
      (metric) => metric.key !== objectives[0].key && !/per_sample/.test(metric.key) && varies(metric),
    ) ??
    metrics[1] ??
    metrics[0];
  return {x: objectives[0], y: second};
}

export function paretoCard(page, result) {
  const trials = trialsOf(result).filter(isFeasible);
  const metrics = metricsOf(result);
  if (trials.length === 0 || metrics.length < 2) return null;
  const axes = axesOf(result);
  const chosen = firstChoice(result, metrics, trials);

  const points = () =>
    trials
      .map((trial) => ({
        trial,
        x: drawable(trial.metrics?.[chosen.x.key]),
        y: drawable(trial.metrics?.[chosen.y.key]),
      }))
      .filter((point) => point.x !== null && point.y !== null);
  const describe = (point) => ({
    title: axes
      .slice(0, 6)
      .map((axis) => `${axis.name} ${point.trial.settings?.[axis.key] ?? '–'}`)
      .join(', '),
    lines: metrics.map((metric) => [metric.name, show(point.trial.metrics?.[metric.key], metric.unit)]),
  });
  return chartCard(page, {
    title: 'Trade-offs',
    note: 'Every feasible design; lower and further left is better. Connected points: the Pareto front of these two metrics.',
    height: 360,
    table: {columns: trialColumns(result), rows: () => points().map((point) => point.trial)},
    option: (colours) => {
      const all = points();
      const edge = front(all);
      return {
        ...base(colours, {withLegend: true}),
        legend: legend(colours),
        tooltip: tooltip(colours, ({data}) => (data?.point ? describe(data.point) : null)),
        xAxis: valueAxis('x', colours, {
          name: chosen.x.name,
          unit: chosen.x.unit,
          values: all.map((point) => point.x),
          more: {scale: true},
        }),
        yAxis: valueAxis('y', colours, {
          name: chosen.y.name,
          unit: chosen.y.unit,
          values: all.map((point) => point.y),
          more: {scale: true},
        }),
        series: [
          {
            name: 'designs',
            type: 'scatter',
            symbolSize: 6,
            itemStyle: {color: colours.muted, opacity: 0.45},
            data: all.map((point) => ({value: [point.x, point.y], point})),
          },
          {
            name: 'Pareto front',
            type: 'line',
            step: 'end',
            symbol: 'circle',
            symbolSize: 8,
            lineStyle: {color: colours.accent, width: 1.5},
            itemStyle: {color: colours.accent},
            data: edge.map((point) => ({value: [point.x, point.y], point})),
          },
        ],
      };
    },
    ready: (chart, draw, bar) =>
      bar.prepend(
        ...['x', 'y'].map((side) =>
          make(
            'label',
            {},
            side,
            make(
              'select',
              {
                onchange: (event) => {
                  chosen[side] = metrics[event.target.selectedIndex];
                  draw();
                },
              },
              metrics.map((metric) => make('option', {selected: metric.key === chosen[side].key}, metric.name)),
            ),
          ),
        ),
      ),
  });
}
