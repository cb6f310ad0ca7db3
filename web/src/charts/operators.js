// Every operator of the step, to be sorted.
import {greatest, sum} from '../data/number.js';
import {percent} from '../data/units.js';
import {card} from '../ui/card.js';
import {make} from '../ui/dom.js';
import {dataTable} from '../ui/table.js';

function share(operator, total, most) {
  const bar = make('i', {class: 'share'});
  bar.style.width = `${Math.round(operator.time_s / most * 60) || 0}px`;
  return make('span', {class: 'share-cell'}, bar, percent(operator.time_s / total));
}

export function operatorsCard(page, operators) {
  if (!operators?.length) return null;
  const total = sum(operators.map((operator) => operator.time_s));
  const most = greatest(operators.map((operator) => operator.time_s), 1);
  const columns = [
    {title: 'operator', value: (operator) => operator.name, wide: true},
    {title: 'kind', value: (operator) => operator.kind},
    {title: 'pass', value: (operator) => operator.pass ?? ''},
    {title: 'layer', value: (operator) => operator.layer ?? null, numeric: true},
    {title: 'time', unit: 's', value: (operator) => operator.time_s, numeric: true},
    {title: 'of all kernels', unit: '%', value: (operator) => operator.time_s / total, cell: (operator) => share(operator, total, most), numeric: true},
    {title: 'work', unit: 'MAC', value: (operator) => operator.macs, numeric: true},
    {title: 'memory traffic', unit: 'B', value: (operator) => operator.memory_B, numeric: true},
    {title: 'utilization', unit: '%', value: (operator) => operator.utilization, text: (operator) => percent(operator.utilization), numeric: true},
    {title: 'bound by', value: (operator) => operator.bound_by ?? ''},
  ];
  return card(page, {title: 'Operators', note: 'Each alone on its device. Click a heading to sort.', wide: true}, (body) => body.append(
    dataTable(columns, operators, {label: 'operators', filter: true, sort: {column: 4, descending: true}, first: 15})));
}
