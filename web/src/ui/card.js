// A card of the page: title, one-line note, content, and its table.
import {idOf, make} from './dom.js';
import {dataTable} from './table.js';

/**
 * card({title, note?, id?, wide?, table?: {columns, rows, ...options of dataTable}}, (body) => ...)
 * An error in one card is shown there; other cards are still drawn.
 */
export function card(page, {title, note, id = idOf(title), wide = false, table = null}, draw) {
  const body = make('div', {class: 'card-body'});
  const bar = make('div', {class: 'card-bar'});
  const section = make(
    'section',
    {class: wide ? 'card wide' : 'card', id, 'aria-labelledby': `${id}-title`},
    make(
      'header',
      {class: 'card-head'},
      make('div', {}, make('h2', {id: `${id}-title`}, title), note ? make('p', {class: 'note'}, note) : null),
      bar,
    ),
    body,
  );
  page.append(section);
  try {
    if (table) bar.append(tableButton(section, title, table));
    draw(body, bar);
  } catch (error) {
    console.error(error);
    body.append(make('p', {class: 'failed'}, `This part could not be drawn: ${error.message}`));
  }
  return section;
}

/** The table is built on first use: it may be long. */
function tableButton(section, title, {columns, rows, ...options}) {
  let holder = null;
  const button = make(
    'button',
    {
      type: 'button',
      'aria-expanded': 'false',
      'aria-label': `Table of ${title}`,
      onclick: () => {
        if (holder === null) {
          holder = make(
            'div',
            {class: 'behind'},
            dataTable(columns, typeof rows === 'function' ? rows() : rows, {
              label: title,
              filter: true,
              first: 10,
              ...options,
            }),
          );
          section.append(holder);
        } else {
          holder.hidden = !holder.hidden;
        }
        button.setAttribute('aria-expanded', String(!holder.hidden));
      },
    },
    'Table',
  );
  return button;
}
