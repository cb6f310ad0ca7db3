// Designs or results beside each other, a column each; rows in which they differ stand out.
import {number} from '../data/number.js';
import {toCsv} from '../data/csv.js';
import {show} from '../data/units.js';
import {card} from './card.js';
import {copyButton} from './copy.js';
import {make} from './dom.js';
import {scrollHint} from './scroll.js';
import {longHead} from './table.js';

/** rows: [{name, unit?, values: one for each column}] */
export function sideBySideCard(page, {title, note, columns, rows}) {
  const text = (row, value) => (number(value) !== null ? show(value, row.unit ?? '') : String(value ?? '–'));
  // Compared as shown: differences in the last bits are ignored.
  const differs = (row) => new Set(row.values.map((value) => text(row, value))).size > 1;
  const count = rows.filter(differs).length;
  // No number is broken into lines.
  const isNumber = (value) =>
    number(value) !== null || (typeof value === 'string' && /\d/.test(value) && Number.isFinite(Number(value)));
  const classOf = (value) => (isNumber(value) ? 'number' : null);
  return card(
    page,
    {title, note: note ?? `${count} of ${rows.length} rows differ and are marked.`, wide: columns.length > 2},
    (body, bar) => {
      const lines = rows.map((row) =>
        make(
          'tr',
          {class: differs(row) ? 'changed' : 'same'},
          make('th', {scope: 'row'}, row.name),
          row.values.map((value) => make('td', {class: classOf(value)}, text(row, value))),
        ),
      );
      const only = make('input', {
        type: 'checkbox',
        onchange: () => {
          for (const line of lines) line.hidden = only.checked && line.classList.contains('same');
        },
      });
      if (count > 0 && count < rows.length) bar.append(make('label', {}, only, 'differences only'));
      const csv = [
        {title: 'value', value: (row) => (row.unit ? `${row.name} (${row.unit})` : row.name)},
        ...columns.map((column, index) => ({title: column, value: (row) => row.values[index]})),
      ];
      bar.append(copyButton(() => toCsv(csv, rows)));
      const table = make(
        'table',
        {class: 'side'},
        make(
          'thead',
          {},
          make(
            'tr',
            {},
            make('td'),
            columns.map((column) => make('th', {scope: 'col', class: longHead(column)}, column)),
          ),
        ),
        make('tbody', {}, lines),
      );
      body.append(
        scrollHint(make('div', {class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': title}, table)),
      );
    },
  );
}
