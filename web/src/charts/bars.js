// Horizontal bars, one a row, the longest names that fit: utilizations, elasticities, differences.
import {shortNames} from '../data/names.js';
import {drawable} from '../data/number.js';
import {show} from '../data/units.js';
import {base, categoryAxis, tooltip, valueAxis} from './axes.js';

const ROW = 22;
const LETTERS = 36; // of a name
const NARROW_LETTERS = 19;
const LETTER = 6.2; // pixels
const SIDES = 12 + 64;

export function isNarrow() {
  return window.innerWidth < 640;
}

export function barsHeight(count) {
  return 88 + Math.max(2, count) * ROW;
}

/** What is left for bars beside their names, in pixels, about. */
export function barsWidth(rows, width) {
  const letters = Math.max(...namesOf(rows).map((name) => name.length));
  return width - SIDES - letters * LETTER;
}

/** As they stand beside the bars; tooltips have them in full. */
function namesOf(rows) {
  return shortNames(
    rows.map((row) => String(row.name)),
    isNarrow() ? NARROW_LETTERS : LETTERS,
  );
}

/**
 * rows: [{name, value, lines?: [[label, text]], colour?(colours)}]; axis: {name, unit, of: what the rows are,
 * min?, max?, text?(value)}
 */
export function barsOption(colours, rows, axis) {
  const narrow = isNarrow();
  const names = namesOf(rows);
  const text = axis.text ?? ((value, digits) => show(value, axis.unit ?? '', digits));
  return {
    ...base(colours),
    grid: {left: 12, right: 64, top: 8, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'all'},
    tooltip: tooltip(colours, ({dataIndex}) => ({
      title: rows[dataIndex].name,
      lines: [[axis.name, text(rows[dataIndex].value)], ...(rows[dataIndex].lines ?? [])],
    })),
    xAxis: valueAxis('x', colours, {...axis, values: rows.map((row) => row.value)}),
    yAxis: categoryAxis('y', colours, {
      name: axis.of,
      categories: rows.map((row) => row.name),
      more: {
        inverse: true,
        axisTick: {show: false},
        axisLine: {show: false, onZero: false},
        axisLabel: {
          color: colours.text,
          fontSize: 11,
          formatter: (_, index) => names[index],
          interval: 0,
        },
      },
    }),
    series: [
      {
        name: axis.name,
        type: 'bar',
        barMaxWidth: 14,
        label: {
          show: true,
          position: 'right',
          color: colours.muted,
          fontSize: 11,
          formatter: ({dataIndex}) => text(rows[dataIndex].value, 3),
        },
        data: rows.map((row) => ({
          value: drawable(row.value),
          itemStyle: {color: row.colour?.(colours) ?? colours.series[0], borderRadius: 2},
          label: {position: drawable(row.value) < 0 && !narrow ? 'left' : 'right'},
        })),
      },
    ],
  };
}
