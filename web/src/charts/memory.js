// Memory in use over time, against the capacity of a device.
import {drawable, greatest} from '../data/number.js';
import {thinned} from '../data/thin.js';
import {percent, show} from '../data/units.js';
import {make} from '../ui/dom.js';
import {base, tooltip, valueAxis} from './axes.js';
import {chartCard} from './chart.js';

/** Device classes, such as pipeline stages, differ in memory: names the class shown. */
function whose(result) {
  return result.device_classes?.length > 1 && result.memory_of
    ? ` Shown for ${result.memory_of}, which has the highest peak.`
    : '';
}

export function memoryCard(page, result) {
  const memory = result.memory ?? [];
  if (memory.length === 0) return null;
  const capacity = drawable(result.capacity_B);
  const peak = greatest(memory.map((point) => point.in_use_B));
  let toCapacity = capacity !== null && peak > capacity * 0.05;

  return chartCard(page, {
    title: 'Memory over time',
    note: `Peak ${show(peak, 'B')}${result.peak_at ? `, at ${result.peak_at}` : ''}${capacity ? `: ${percent(peak / capacity)} of ${show(capacity, 'B')}` : ''}.${whose(result)}`,
    height: 250,
    table: {
      columns: [
        {title: 'at', unit: 's', value: (point) => point.at_s},
        {title: 'in use', unit: 'B', value: (point) => point.in_use_B},
      ],
      rows: memory,
    },
    option: (colours) => ({
      ...base(colours),
      tooltip: tooltip(
        colours,
        (points) =>
          points.length === 0
            ? null
            : {
                title: `at ${show(points[0].value[0], 's')}`,
                lines: points.map((point) => [point.seriesName, show(point.value[1], 'B'), point.color]),
              },
        {trigger: 'axis'},
      ),
      xAxis: valueAxis('x', colours, {
        name: 'time',
        unit: 's',
        values: [result.step_time_s],
        min: 0,
        max: drawable(result.step_time_s) ?? undefined,
        label: {showMaxLabel: false},
        more: {splitLine: {show: false}},
      }),
      yAxis: valueAxis('y', colours, {
        name: 'memory',
        unit: 'B',
        values: [toCapacity ? capacity : peak],
        min: 0,
        max: toCapacity ? Math.max(capacity, peak) * 1.05 : undefined,
        label: {showMaxLabel: !toCapacity},
        more: {axisTick: {show: false}},
      }),
      series: [
        {
          name: 'in use',
          type: 'line',
          step: 'end',
          symbol: 'none',
          lineStyle: {width: 1.5},
          itemStyle: {color: colours.series[2]},
          areaStyle: {opacity: 0.15},
          data: thinned(memory.map((point) => [drawable(point.at_s), drawable(point.in_use_B)])),
          markLine:
            capacity === null
              ? undefined
              : {
                  silent: true,
                  symbol: 'none',
                  data: [
                    {
                      yAxis: capacity,
                      lineStyle: {color: colours.bad, type: 'dashed'},
                      label: {
                        formatter: `capacity ${show(capacity, 'B')}`,
                        color: colours.bad,
                        position: 'insideEndTop',
                        fontSize: 11,
                      },
                    },
                  ],
                },
        },
      ],
    }),
    ready: (chart, draw, bar) => {
      if (capacity === null) return;
      const button = make(
        'button',
        {
          type: 'button',
          'aria-pressed': String(toCapacity),
          onclick: () => {
            toCapacity = !toCapacity;
            button.setAttribute('aria-pressed', String(toCapacity));
            draw();
          },
        },
        'Up to capacity',
      );
      bar.prepend(button);
    },
  });
}
