// A table that can be sorted, filtered and copied as CSV. Long ones show a part and offer the rest.
import {toCsv} from '../data/csv.js';
import {number} from '../data/number.js';
import {show} from '../data/units.js';
import {copyButton} from './copy.js';
import {make} from './dom.js';
import {scrollHint} from './scroll.js';

const FIRST = 25;
const MORE = 500;
const LONG = 24; // letters of a heading

/**
 * columns: [{title, value(row), unit?, text?(row), cell?(row), numeric?, wide?, code?}]
 *   value gives what is sorted and copied, text what is shown, cell an element instead of a text; code is monospaced.
 * options: {label, sort?: {column, descending}, filter?: bool, first?: rows shown at once, copy?: bool}
 */
export function dataTable(columns, rows, options = {}) {
  const state = {sort: options.sort ?? null, words: '', shown: options.first ?? FIRST};
  const body = make('tbody');
  const count = make('span', {class: 'muted', role: 'status'});
  const more = make('button', {
    type: 'button',
    onclick: () => {
      state.shown += MORE;
      fill();
    },
  });
  const paperNote = make('p', {class: 'note paper-note'});
  const heads = columns.map((column, index) => head(column, index));
  const numeric = columns.map((column) => isNumeric(column, rows));

  function head(column, index) {
    const button = make(
      'button',
      {type: 'button', class: 'sort', onclick: () => sortBy(index)},
      column.title,
    );
    return make('th', {scope: 'col', 'aria-sort': 'none', class: longHead(column.title)}, button);
  }

  function sortBy(index) {
    const again = state.sort?.column === index;
    state.sort = {column: index, descending: again ? !state.sort.descending : numeric[index]};
    fill();
  }

  function chosen() {
    const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
    const matching =
      words.length === 0
        ? rows
        : rows.filter((row) => {
            const text = columns
              .map((column) => textOf(column, row))
              .join(' ')
              .toLowerCase();
            return words.every((word) => text.includes(word));
          });
    return state.sort ? sorted(matching, columns[state.sort.column], state.sort.descending) : matching;
  }

  function fill() {
    const found = chosen();
    const visible = found.slice(0, state.shown);
    body.replaceChildren(
      ...visible.map((row) =>
        make(
          'tr',
          {},
          columns.map((column, index) =>
            make(
              'td',
              {class: classOf(column, numeric[index])},
              column.cell ? column.cell(row) : textOf(column, row),
            ),
          ),
        ),
      ),
    );
    heads.forEach((element, index) =>
      element.setAttribute(
        'aria-sort',
        state.sort?.column !== index ? 'none' : state.sort.descending ? 'descending' : 'ascending',
      ),
    );
    const rest = found.length - visible.length;
    paperNote.textContent =
      rest > 0
        ? `The first ${visible.length.toLocaleString('en-US')} of ${found.length.toLocaleString('en-US')} rows; the page has all rows.`
        : '';
    more.hidden = rest <= 0;
    more.textContent = `Show ${Math.min(rest, MORE).toLocaleString('en-US')} more`;
    count.textContent =
      found.length === rows.length
        ? `${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? 'row' : 'rows'}`
        : `${found.length.toLocaleString('en-US')} of ${rows.length.toLocaleString('en-US')} rows`;
  }

  heads.forEach((element, index) => numeric[index] && element.classList.add('number'));
  const filter =
    options.filter &&
    make('input', {
      type: 'search',
      placeholder: 'Filter',
      'aria-label': `Filter ${options.label ?? 'rows'}`,
      oninput: (event) => {
        state.words = event.target.value;
        state.shown = options.first ?? FIRST;
        fill();
      },
    });
  fill();

  const element = make(
    'div',
    {class: 'table'},
    make(
      'div',
      {class: 'table-bar'},
      filter || null,
      count,
      make('span', {class: 'spring'}),
      copyButton(() => toCsv(columns, chosen())),
    ),
    scrollHint(
      make(
        'div',
        {class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': options.label ?? 'table'},
        make('table', {}, make('thead', {}, make('tr', {}, heads)), body),
      ),
    ),
    more,
    paperNote,
  );
  return element;
}

/** A heading that is a long name is broken into lines. */
export function longHead(title) {
  return String(title).length > LONG ? 'long' : null;
}

function classOf(column, numeric) {
  return [numeric && 'number', column.wide && 'wide', column.code && 'code'].filter(Boolean).join(' ') || null;
}

function textOf(column, row) {
  if (column.text) return column.text(row);
  const value = column.value(row);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return number(value) !== null ? show(value, column.unit ?? '') : String(value ?? '–');
}

function isNumeric(column, rows) {
  return column.numeric ?? rows.slice(0, 50).some((row) => typeof column.value(row) === 'number');
}

/** Stable; what is no number comes last, whichever way. */
function sorted(rows, column, descending) {
  const sign = descending ? -1 : 1;
  const keyed = rows.map((row) => {
    const value = column.value(row);
    const found = number(value);
    return {
      row,
      value: found ?? value,
      missing: found === null ? value === null || value === undefined || value === '' : Number.isNaN(found),
    };
  });
  keyed.sort((a, b) => {
    if (a.missing || b.missing) return Number(a.missing) - Number(b.missing);
    if (typeof a.value === 'number' && typeof b.value === 'number')
      return a.value === b.value ? 0 : sign * (a.value < b.value ? -1 : 1);
    return sign * String(a.value).localeCompare(String(b.value), 'en', {numeric: true});
  });
  return keyed.map((entry) => entry.row);
}
