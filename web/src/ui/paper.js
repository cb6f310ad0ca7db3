// Tables on paper, where nothing can be scrolled: one that is too wide is printed in blocks of columns, each beginning
// with the first column, or with numbers of rows where that one names nothing. No number is broken into lines; half of
// one is another.
import {make} from './dom.js';
import {closeAfterPaper, openForPaper} from './folded.js';

const PAPER = 680; // pixels: A4 and Letter less margins and the card's border
const WIDEST = 170; // of a column of words, which may be broken into lines
const COUNT = 26; // of numbers of rows

/** Pixels that each column takes on paper. */
function columnWidths(table) {
  const place = make('div', {class: 'paper-measure'}, table.cloneNode(true));
  document.body.append(place);
  const head = place.querySelector('tr');
  const widths = [...head.cells].map((cell) => cell.getBoundingClientRect().width);
  place.remove();
  const body = table.tBodies[0]?.rows[0];
  return widths.map((width, index) =>
    body?.cells[index]?.classList.contains('number') ? width : Math.min(width, WIDEST),
  );
}

/** Columns by block, from `first` on: as many as have room beside what is repeated. */
function blocksOf(widths, first, repeated) {
  const blocks = [];
  let room = -1;
  for (let column = first; column < widths.length; ++column) {
    if (widths[column] > room || blocks.length === 0) {
      blocks.push([]);
      room = PAPER - repeated;
    }
    blocks[blocks.length - 1].push(column);
    room -= widths[column];
  }
  return blocks;
}

/** `lead` gives the first cell of a row by its section and its place there. */
function part(table, columns, lead) {
  const copy = table.cloneNode(false);
  for (const section of [table.tHead, ...table.tBodies]) {
    const rows = make(section.tagName.toLowerCase());
    [...section.rows].forEach((row, index) => {
      const line = row.cloneNode(false);
      const cells = columns.map((column) => row.cells[column]?.cloneNode(true));
      line.append(...[lead(section, row, index), ...cells].filter(Boolean));
      rows.append(line);
    });
    copy.append(rows);
  }
  return copy;
}

function split(table) {
  const widths = columnWidths(table);
  if (widths.reduce((total, width) => total + width, 0) <= PAPER) return;
  const names = !table.tBodies[0]?.rows[0]?.cells[0]?.classList.contains('number');
  const blocks = names ? blocksOf(widths, 1, widths[0]) : blocksOf(widths, 0, COUNT);
  const lead = names
    ? (_, row) => row.cells[0].cloneNode(true)
    : (section, _, index) =>
        section === table.tHead ? make('th', {}, '#') : make('td', {}, String(index + 1));
  const parts = blocks.map((columns) => part(table, columns, lead));
  table.classList.add('in-blocks');
  table.after(make('div', {class: 'paper-blocks'}, parts));
}

export function startPaper(root) {
  window.addEventListener('beforeprint', () => {
    openForPaper();
    for (const table of root.querySelectorAll('.table-scroll > table:not(.in-blocks)')) {
      if (table.getClientRects().length > 0) split(table);
    }
  });
  window.addEventListener('afterprint', () => {
    for (const blocks of root.querySelectorAll('.paper-blocks')) blocks.remove();
    for (const table of root.querySelectorAll('.in-blocks')) table.classList.remove('in-blocks');
    closeAfterPaper();
  });
}
