// A result without charts: its fields and tables, as printed.
import {card} from '../ui/card.js';
import {frame} from '../ui/frame.js';
import {make} from '../ui/dom.js';
import {dataTable} from '../ui/table.js';

/** All scalar values, for a page without metadata. */
function plainFields(result) {
  return Object.entries(result)
    .filter(([, value]) => typeof value !== 'object')
    .map(([label, value]) => ({label, text: String(value), note: ''}));
}

/** Repeated titles are numbered. */
function titleOf({title, columns}, taken) {
  const name = title || columns[0].label || 'Table';
  let all = name;
  for (let number = 2; taken.has(all); ++number) all = `${name} (${number})`;
  taken.add(all);
  return all;
}

export function otherPage(root, result, about = {}) {
  const {fields = plainFields(result), tables = [], notes = []} = about.shown ?? {};
  const page = frame(root, {
    verb: result.verb ?? 'result',
    title: about.title || result.name || 'Result',
    facts: [result.description],
    version: result.cairn_version ?? '',
  });
  const taken = new Set(['Summary', 'Notes']);
  if (fields.length > 0) {
    const columns = [
      {title: 'field', value: (field) => field.label},
      {title: 'value', value: (field) => field.text, numeric: false},
      {title: 'note', value: (field) => field.note, wide: true},
    ];
    card(page, {title: 'Summary', wide: true}, (body) =>
      body.append(dataTable(columns, fields, {label: 'Summary', first: fields.length})),
    );
  }
  for (const table of tables) {
    const title = titleOf(table, taken);
    const columns = table.columns.map(({label, unit}, index) => ({
      title: label || (unit ?? ''),
      unit,
      value: (row) => row[index] ?? '',
    }));
    card(page, {title, wide: true}, (body) =>
      body.append(dataTable(columns, table.rows, {label: title, filter: table.rows.length > 10})),
    );
  }
  if (notes.length > 0)
    card(page, {title: 'Notes', wide: true}, (body) => body.append(...notes.map((note) => make('p', {}, note))));
}
