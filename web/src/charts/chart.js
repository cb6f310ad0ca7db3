// A card with a chart of ECharts: drawn again in the other theme's colours, as wide as its card.
import {card} from '../ui/card.js';
import {make} from '../ui/dom.js';
import {onThemeChange} from '../ui/theme.js';
import {init} from './echarts.js';
import {palette} from './palette.js';

/** All charts of the page by the id of their card, for tests and debugging. */
export const charts = {};

/**
 * chartCard(page, {title, note?, wide?, table, height? (or height(width)), option(colours, width in pixels) -> option of ECharts, ready?(chart, draw, bar)})
 */
export function chartCard(page, {height = 320, option, ready, ...about}) {
  return card(page, about, (body, bar) => {
    const id = body.parentElement.id;
    charts[id] = chartIn(body, {
      label: about.note ? `${about.title}. ${about.note}` : about.title,
      height,
      option,
      ready,
      bar,
    });
  });
}

export function chartIn(body, {label, height = 320, option, ready, bar}) {
  const place = make('div', {class: 'chart', role: 'img', 'aria-label': label});
  const fit = () => {
    place.style.height = `${typeof height === 'function' ? height(place.clientWidth) : height}px`;
  };
  body.append(place);
  fit();
  const chart = init(place, null, {renderer: 'canvas'});
  const draw = () => chart.setOption(option(palette(), place.clientWidth), {notMerge: true});
  const resize = () => {
    if (place.clientWidth === 0) return;
    fit();
    chart.resize();
    if (option.length > 1) draw(); // it depends on the width
  };
  draw();
  onThemeChange(() => {
    resize(); // paper has another width, and is not waited for
    draw();
  });
  new ResizeObserver(resize).observe(place);
  ready?.(chart, draw, bar);
  return chart;
}
