// Frame of every page: name, command, links to cards, theme and print.
import {shortNames} from '../data/names.js';
import {make, makeSvg} from './dom.js';
import {scrollHint} from './scroll.js';
import {toggleTheme} from './theme.js';

const LETTERS = 32; // of a link to a part

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

/** Adds date, command and a download of the result. Call after the page is built. */
export function addOrigin(root, {command, date}, download) {
  root.querySelector('.tools').prepend(download);
  root
    .querySelector('footer.bottom')
    .append(
      ...[date && make('span', {class: 'date'}, date), command && make('code', {class: 'command'}, command)].filter(
        Boolean,
      ),
    );
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

/** After the cards are there: a link to each, the long ones cut where they do not differ. */
export function linkParts(root) {
  const cards = [...root.querySelectorAll('.card')];
  const titles = cards.map((section) => section.querySelector('h2').textContent);
  // "Fig. 2: one step on one device" -> "Fig. 2", unless another begins so too.
  const starts = titles.map((title) => title.split(': ')[0]);
  const names = shortNames(
    titles.map((title, at) => (starts.indexOf(starts[at]) === starts.lastIndexOf(starts[at]) ? starts[at] : title)),
    LETTERS,
  );
  root.querySelector('nav.parts').append(
    ...cards.map((section, at) => make('a', {href: `#${section.id}`}, names[at])),
  );
}
