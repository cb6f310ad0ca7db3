// Axes with names and units, grids and tooltips shared by all charts.
import {greatest} from '../data/number.js';
import {scaleFor, show} from '../data/units.js';
import {make} from '../ui/dom.js';

const TOP = 6;
const LEGEND = 28;

/** With a legend, which is above the name of the y axis. */
export function base(colours, {withLegend = false} = {}) {
  return {
    animation: false,
    textStyle: {fontFamily: getComputedStyle(document.body).fontFamily, color: colours.text},
    color: colours.series,
    grid: {
      left: 12,
      right: 24,
      top: withLegend ? TOP + LEGEND : TOP,
      bottom: 8,
      outerBoundsMode: 'same',
      outerBoundsContain: 'all',
    },
  };
}

function look(colours) {
  return {
    axisLine: {lineStyle: {color: colours.line}},
    axisTick: {lineStyle: {color: colours.line}},
    axisLabel: {color: colours.muted, fontSize: 11, hideOverlap: true},
    splitLine: {lineStyle: {color: colours.line, opacity: 0.6}},
    nameTextStyle: {color: colours.muted, fontSize: 11},
  };
}

function place(side) {
  return side === 'x' ? {nameLocation: 'middle', nameGap: 26} : {nameLocation: 'end', nameGap: 14};
}

function nameWith(name, unit) {
  return unit ? `${name} (${unit})` : name;
}

function nameStyle(side, colours) {
  return {
    color: colours.muted,
    fontSize: 11,
    align: side === 'y' ? 'left' : 'center',
    padding: side === 'y' ? [0, 0, 0, -34] : 0,
  };
}

/** Numeric axis: data stay in SI units, labels use the prefix of the largest value. */
export function valueAxis(
  side,
  colours,
  {name, unit = '', values = [], log = false, min, max, label = {}, more = {}},
) {
  const scale =
    log || unit === '%'
      ? {factor: unit === '%' ? 0.01 : 1, unit}
      : scaleFor(greatest(values.map(absolute), 0), unit);
  return {
    type: log ? 'log' : 'value',
    name: nameWith(name, scale.unit),
    min,
    max,
    ...look(colours),
    ...place(side),
    nameTextStyle: nameStyle(side, colours),
    axisLabel: {
      ...look(colours).axisLabel,
      formatter: (value) =>
        log ? show(value, unit, 3) : String(Number((value / scale.factor).toPrecision(6))).replace('-', '−'),
      ...label,
    },
    ...more,
  };
}

function absolute(value) {
  return typeof value === 'number' ? Math.abs(value) : value;
}

/** Beside rows, the first of which is at the top, the name stands above theirs. */
export function categoryAxis(side, colours, {name, categories, more = {}}) {
  const above = side === 'y' ? {nameLocation: 'start', nameGap: 8} : {};
  return {
    type: 'category',
    name,
    data: categories,
    ...look(colours),
    ...place(side),
    ...above,
    nameTextStyle: {...nameStyle(side, colours), ...(side === 'y' ? {align: 'right', padding: [0, 8, 0, 0]} : {})},
    splitLine: {show: false},
    ...more,
  };
}

export function legend(colours, more = {}) {
  return {
    type: 'scroll',
    top: 0,
    right: 8,
    left: 8,
    align: 'left',
    icon: 'roundRect',
    itemWidth: 12,
    itemHeight: 8,
    itemGap: 14,
    textStyle: {color: colours.muted, fontSize: 11},
    pageIconColor: colours.accent,
    pageTextStyle: {color: colours.muted},
    inactiveColor: colours.line,
    ...more,
  };
}

/** Tooltips are text elements: a name can never become markup. */
export function tooltip(colours, describe, more = {}) {
  return {
    confine: true,
    backgroundColor: colours.panel,
    borderColor: colours.line,
    padding: [8, 10],
    textStyle: {color: colours.text, fontSize: 12},
    formatter: (parameters) => {
      const lines = describe(parameters);
      return lines ? tip(lines) : '';
    },
    ...more,
  };
}

/** {title, lines: [[label, text, colour?]]} */
export function tip({title, lines = []}) {
  return make(
    'div',
    {class: 'tip'},
    make('strong', {}, title),
    lines.map(([label, text, swatch]) => {
      const dot = make('i', {});
      if (swatch) dot.style.background = swatch;
      return make('div', {}, make('span', {}, swatch ? dot : null, label), make('b', {}, text));
    }),
  );
}
