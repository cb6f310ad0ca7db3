// Horizontal bars, one per row, with names as long as fit: utilizations, elasticities, differences.
import {shortNames} from '../data/names.js';
import {drawable, greatest, least} from '../data/number.js';
import {show} from '../data/units.js';
import {base, categoryAxis, tooltip, valueAxis} from './axes.js';

const ROW = 22;
const LETTERS = 36; // of a name
const NARROW_LETTERS = 19;
const LETTER = 6.2; // pixels
const SIDES = 12 + 64;
const LABEL = 64; // pixels, of a number beside its bar

export function isNarrow() {
  return window.innerWidth < 640;
}

export function barsHeight(count) {
  return 88 + Math.max(2, count) * ROW;
}

/** What is left for bars beside their names, in pixels, about. */
function barsWidth(rows, width) {
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

/**
 * Round ends of an axis for bars of either sign in a chart of this width, with room for the numbers beside them; on a
 * phone all of these stand to the right.
 */
export function axisEnds(rows, width) {
  const values = rows.map((row) => row.value);
  const [from, to] = [Math.min(least(values), 0), Math.max(greatest(values), 0)];
  if (from === to) return {};
  const narrow = isNarrow();
  const pixels = barsWidth(rows, width);
  const left = from < 0 && !narrow ? LABEL : 0;
  const right = to > 0 || narrow ? LABEL : 0;
  const each = (to - from) / Math.max(pixels - left - right, LABEL);
  const [min, max] = [from - left * each, to + right * each];
  const interval = roundStep((max - min) / (narrow ? 3 : 6));
  return {
    min: Math.floor(min / interval) * interval,
    max: Math.ceil(max / interval) * interval,
    more: {interval},
  };
}

/** 1, 2 or 5 times a power of ten, not below `step`. */
function roundStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5].map((times) => times * power).find((round) => round >= step) ?? 10 * power;
}
