// What is around every page: name, what was asked, ways to its parts, theme and print.
import {make, makeSvg} from './dom.js';
import {scrollHint} from './scroll.js';
import {toggleTheme} from './theme.js';

/** Three stones. */
function mark() {
  return makeSvg(
    'svg',
    {viewBox: '0 0 24 24', class: 'mark', 'aria-hidden': 'true'},
    makeSvg('ellipse', {cx: 12, cy: 19, rx: 10, ry: 3.6}),
    makeSvg('ellipse', {cx: 12.6, cy: 12, rx: 7, ry: 3.1}),
    makeSvg('ellipse', {cx: 11.6, cy: 6, rx: 4.2, ry: 2.6}),
  );
}

/** Returns the element that takes the cards. */
export function frame(root, {verb, title, facts, version}) {
  document.title = `${title} · cairn ${verb}`;
  const cards = make('main', {id: 'main', class: 'cards', tabindex: '-1'});
  root.append(
    make('a', {class: 'skip', href: '#main'}, 'Skip to the result'),
    make(
      'header',
      {class: 'top'},
      make('div', {class: 'brand'}, mark(), make('span', {}, 'cairn'), make('span', {class: 'muted'}, verb)),
      make(
        'div',
        {class: 'tools'},
        make('button', {type: 'button', onclick: toggleTheme}, 'Light / dark'),
        make('button', {type: 'button', onclick: () => window.print()}, 'Print'),
      ),
    ),
    make(
      'div',
      {class: 'heading'},
      make('h1', {}, title),
      make(
        'p',
        {class: 'facts'},
        facts.filter(Boolean).map((fact) => make('span', {}, fact)),
      ),
    ),
    scrollHint(make('nav', {class: 'parts', 'aria-label': 'Parts of this page'})),
    cards,
    make('footer', {class: 'bottom'}, make('span', {}, `Predicted by cairn ${version}.`)),
  );
  return cards;
}

/** No holes: a card that would stand alone in its row takes all of it. */
export function fillRows(root) {
  let half = null;
  for (const section of [...root.querySelectorAll('.card'), null]) {
    if (section === null || section.classList.contains('wide')) {
      half?.classList.add('wide');
      half = null;
    } else {
      half = half === null ? section : null;
    }
  }
}

/** After the cards are there: a link to each. */
export function linkParts(root) {
  const links = [...root.querySelectorAll('.card')].map((section) =>
    make('a', {href: `#${section.id}`}, shortTitle(section.querySelector('h2').textContent)),
  );
  root.querySelector('nav.parts').append(...links);
}

/** "Fig. 2: one step on one device" -> "Fig. 2". */
function shortTitle(title) {
  const [start] = title.split(': ');
  return start.length > 32 ? `${start.slice(0, 31)}…` : start;
}
