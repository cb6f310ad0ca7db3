// Tables as comma-separated values (RFC 4180): numbers in full and in SI units.
import {number} from './number.js';

function cell(value) {
  const text = value === null || value === undefined ? '' : String(number(value) ?? value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** columns: [{title, unit?, value(row)}] */
export function toCsv(columns, rows) {
  const head = columns.map((column) =>
    cell(column.unit ? `${column.title} (${column.unit === '%' ? '1' : column.unit})` : column.title),
  );
  const body = rows.map((row) => columns.map((column) => cell(column.value(row))).join(','));
  return [head.join(','), ...body].join('\n') + '\n';
}
