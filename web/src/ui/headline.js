// The main result in large type, and a few figures beside it.
import {make} from './dom.js';

/** figures: [{label, value, detail?}], the first one is the answer. */
export function headline(page, figures) {
  page.append(
    make(
      'dl',
      {class: 'headline', id: 'headline'},
      figures
        .filter(Boolean)
        .map(({label, value, detail}) =>
          make(
            'div',
            {},
            make('dt', {}, label),
            make(
              'dd',
              {},
              make('span', {class: 'value'}, value),
              detail ? make('span', {class: 'detail'}, detail) : null,
            ),
          ),
        ),
    ),
  );
}
