// Change of the step time by +1 % in each parameter, as cairn sensitivity prints it.
import {number} from '../data/number.js';
import {show} from '../data/units.js';
import {axisEnds, barsHeight, barsOption} from './bars.js';
import {chartCard} from './chart.js';

const SHOWN = 20;
const SMALLEST = 1e-5; // of the step time: resolution of inPercent

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
  // Changes that round to 0 are only in the table.
  const moving = sorted.filter((entry) => !(Math.abs(number(change(entry))) < SMALLEST / 2));
  const rows = (moving.length > 0 ? moving.slice(0, SHOWN) : sorted.slice(0, 1)).map((entry) => ({
    name: entry.parameter,
    value: change(entry),
    colour: (colours) => (number(change(entry)) <= 0 ? colours.good : colours.bad),
    lines: [
      ...(entry.is ? [['value', entry.is]] : []),
      ...(entry.relieves ? [['mainly through', entry.relieves]] : []),
    ],
  }));
  return chartCard(page, {
    title: 'What to change',
    note: `Change of the step time by +1 % in a parameter. Bars to the left: faster.${unseen(moving.length - rows.length, 'have a smaller effect')}${unseen(sorted.length - Math.max(moving.length, rows.length), 'have no noticeable effect')}`,
    height: barsHeight(rows.length),
    table: {
      columns: [
        {title: 'key', value: (entry) => entry.parameter, wide: true},
        {title: 'value', value: (entry) => entry.is ?? ''},
        {title: '+1 %', unit: '%', value: change, text: (entry) => inPercent(change(entry)), numeric: true},
        {title: 'mainly through', value: (entry) => entry.relieves ?? '', wide: true},
      ],
      rows: sorted,
    },
    option: (colours, width) =>
      barsOption(colours, rows, {
        name: 'step time at +1 %',
        unit: '%',
        of: 'key',
        text: inPercent,
        ...axisEnds(rows, width),
      }),
  });
}

function unseen(count, what) {
  return count > 0 ? ` ${count} more ${what}.` : '';
}

/** To a thousandth of a percent, with its sign. */
function inPercent(part) {
  const value = number(part);
  return value === null ? show(part) : `${value > 0 ? '+' : ''}${(value * 100).toFixed(3).replace('-', '−')} %`;
}
