// Sortable table of all operators of the step.
import {drawable, greatest, sum} from '../data/number.js';
import {percent} from '../data/units.js';
import {card} from '../ui/card.js';
import {make} from '../ui/dom.js';
import {dataTable} from '../ui/table.js';

/** Identical operators are one row; a pipeline repeats them for each micro-batch. */
export function mergeIdentical(operators) {
  const rows = new Map();
  for (const operator of operators) {
    const key = [
      operator.name,
      operator.kind,
      operator.pass,
      operator.layer,
      operator.time_s,
      operator.macs,
      operator.memory_B,
      operator.bound_by,
    ].join('\n');
    if (rows.has(key)) rows.get(key).times += 1;
    else rows.set(key, {...operator, times: 1});
  }
  return [...rows.values()].map((row) => ({...row, all_s: (drawable(row.time_s) ?? 0) * row.times}));
}

function share(row, total, most) {
  const bar = make('i', {class: 'share'});
  bar.style.width = `${Math.round((row.all_s / most) * 60) || 0}px`;
  return make('span', {class: 'share-cell'}, bar, percent(row.all_s / total));
}

export function operatorsCard(page, operators) {
  if (!operators?.length) return null;
  const rows = mergeIdentical(operators);
  const total = sum(rows.map((row) => row.all_s));
  const most = greatest(
    rows.map((row) => row.all_s),
    1,
  );
  const repeated = rows.length < operators.length;
  const columns = [
    {title: 'operator', value: (row) => row.name, wide: true},
    {title: 'kind', value: (row) => row.kind},
    {title: 'pass', value: (row) => row.pass ?? ''},
    {title: 'layer', value: (row) => row.layer ?? null, numeric: true},
    ...(repeated ? [{title: 'count', value: (row) => row.times}] : []),
    {title: 'time', unit: 's', value: (row) => row.time_s, numeric: true},
    {
      title: 'share of kernels',
      unit: '%',
      value: (row) => row.all_s / total,
      cell: (row) => share(row, total, most),
      numeric: true,
    },
    {title: 'work', unit: 'MAC', value: (row) => row.macs, numeric: true},
    {title: 'memory traffic', unit: 'B', value: (row) => row.memory_B, numeric: true},
    {
      title: 'utilization',
      unit: '%',
      value: (row) => row.utilization,
      text: (row) => percent(row.utilization),
      numeric: true,
    },
    {title: 'bound by', value: (row) => row.bound_by ?? ''},
  ];
  const shareColumn = columns.findIndex((column) => column.title === 'share of kernels');
  return card(
    page,
    {
      title: 'Operators',
      note: `Each alone on its device${repeated ? '; identical ones are one row' : ''}. Click a heading to sort.`,
      wide: true,
    },
    (body) =>
      body.append(
        dataTable(columns, rows, {
          label: 'operators',
          filter: true,
          sort: {column: shareColumn, descending: true},
          first: 15,
        }),
      ),
  );
}
