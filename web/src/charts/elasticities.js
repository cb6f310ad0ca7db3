// What 1 % more of each number buys: the change of the step time, as cairn sensitivity prints it.
import {greatest, least, number} from '../data/number.js';
import {show} from '../data/units.js';
import {barsHeight, barsOption, isNarrow} from './bars.js';
import {chartCard} from './chart.js';

const SHOWN = 20;

/** T(1.01 p) / T(p) - 1. */
function change(entry) {
  const ratio = number(entry.step_time_ratio);
  return ratio === null ? entry.step_time_ratio : ratio - 1;
}

export function elasticitiesCard(page, elasticities) {
  if (!elasticities?.length) return null;
  const sorted = [...elasticities].sort(
    (a, b) => Math.abs(number(change(b)) || 0) - Math.abs(number(change(a)) || 0),
  );
  // What moves the step by less than a millionth of itself is not drawn; the table has it.
  const moving = sorted.filter((entry) => !(Math.abs(number(change(entry))) < 1e-8)).slice(0, SHOWN);
  const rows = (moving.length > 0 ? moving : sorted.slice(0, 1)).map((entry) => ({
    name: entry.parameter,
    value: change(entry),
    colour: (colours) => (number(change(entry)) <= 0 ? colours.good : colours.bad),
    lines: [
      ...(entry.is ? [['is', entry.is]] : []),
      ...(entry.relieves ? [['mostly', entry.relieves]] : []),
    ],
  }));
  return chartCard(page, {
    title: 'What to change',
    note: `How the step time changes by 1 % more of a number. To the left, more makes it faster.${sorted.length > rows.length ? ` ${sorted.length - rows.length} more change nothing to speak of.` : ''}`,
    height: barsHeight(rows.length),
    table: {
      columns: [
        {title: 'key', value: (entry) => entry.parameter, wide: true},
        {title: 'is', value: (entry) => entry.is ?? ''},
        {title: '1 % more', unit: '%', value: change, text: (entry) => inPercent(change(entry)), numeric: true},
        {title: 'mostly', value: (entry) => entry.relieves ?? '', wide: true},
      ],
      rows: sorted,
    },
    option: (colours) =>
      barsOption(colours, rows, {name: 'step time, 1 % more', unit: '%', text: inPercent, ...room(rows)}),
  });
}

/** To a thousandth of a percent, with its sign. */
function inPercent(part) {
  const value = number(part);
  return value === null ? show(part) : `${value > 0 ? '+' : ''}${(value * 100).toFixed(3).replace('-', '−')} %`;
}

/** Space for the numbers beside the bars; on a phone all of them stand to the right. */
function room(rows) {
  const low = least(rows.map((row) => row.value));
  const high = greatest(rows.map((row) => row.value));
  const reach = Math.max(high, 0) - Math.min(low, 0);
  if (isNarrow()) return {min: Math.min(low, 0), max: Math.max(high, 0) + reach};
  const space = reach * 0.25;
  return {min: low < 0 ? low - space : 0, max: high > 0 ? high + space : 0};
}
