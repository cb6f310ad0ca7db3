// Parallel coordinates: one line per design through its settings and metrics. Brush an axis to filter.
import {shortNames} from '../../data/names.js';
import {drawable, greatest, least} from '../../data/number.js';
import {scaleFor, show} from '../../data/units.js';
import {card} from '../../ui/card.js';
import {make} from '../../ui/dom.js';
import {dataTable} from '../../ui/table.js';
import {tooltip} from '../axes.js';
import {charts, chartIn} from '../chart.js';
import {mix} from '../palette.js';
import {axesOf, isFeasible, metricsOf, objectivesOf, settingOf, trialColumns, trialsOf} from './trials.js';

const MOST_AXES = 18;
const CATEGORIES = 18; // that are named along an axis
const CATEGORIES_ACROSS = 3;
const APART = 46; // pixels between axes side by side, at least
const ROW = 52; // of axes under each other, with a name above and numbers below
const SIDES = 70 + 90;
const LETTERS = 24; // of an axis's name
const LETTER = 6.2; // pixels
const SLOPE = (35 * Math.PI) / 180; // of names that are longer than their axes are apart

/** Where there is no room for them side by side, axes lie under each other. */
function areStacked(axes, width) {
  return width < 560 || (width - SIDES) / axes.length < APART;
}

/** Pixels between axes side by side. */
function distance(axes, width) {
  return (width - SIDES) / Math.max(1, axes.length - 1);
}

/** Pixels above the axes. */
function headOf(names, axes, width) {
  const longest = Math.max(...names.map((name) => name.length)) * LETTER;
  return longest > distance(axes, width) - 8 ? 34 + longest * Math.sin(SLOPE) : 44;
}

/** Settings, then metrics that vary, the objectives last: their colour is seen where the lines end. */
function dimensions(result, trials) {
  const objectives = objectivesOf(result).map((metric) => metric.key);
  const varying = metricsOf(result).filter(
    (metric) => new Set(trials.map((trial) => trial.metrics?.[metric.key])).size > 1,
  );
  // Time per sample and step time are the same axis, if all designs have one batch.
  const telling = varying.filter(
    (metric) =>
      !varying.some(
        (other) =>
          other !== metric &&
          (objectives.includes(other.key) || varying.indexOf(other) < varying.indexOf(metric)) &&
          !objectives.includes(metric.key) &&
          proportional(trials, metric.key, other.key),
      ),
  );
  const metrics = [
    ...telling.filter((metric) => !objectives.includes(metric.key)),
    ...telling.filter((metric) => objectives.includes(metric.key)).reverse(),
  ];
  const settings = axesOf(result).map((axis) => ({
    name: axis.name,
    categories: axis.categories,
    value: (trial) => settingOf(trial, axis),
  }));
  const found = metrics.map((metric) => ({
    name: metric.name,
    unit: metric.unit,
    value: (trial) => drawable(trial.metrics?.[metric.key]),
  }));
  const room = Math.max(0, MOST_AXES - found.length);
  return {axes: [...settings.slice(0, room), ...found], left: Math.max(0, settings.length - room)};
}

function proportional(trials, key, other) {
  const ratio = trials[0].metrics?.[key] / trials[0].metrics?.[other];
  return trials.every((trial) => Math.abs(trial.metrics?.[key] / trial.metrics?.[other] / ratio - 1) < 1e-9);
}

export function parallelCard(page, result) {
  const trials = trialsOf(result).filter(isFeasible);
  if (trials.length < 2) return null;
  const {axes, left} = dimensions(result, trials);
  const [objective] = objectivesOf(result);
  const values = trials.map((trial) => drawable(trial.metrics?.[objective.key]));
  const ranked = [...values].filter((value) => value !== null).sort((a, b) => a - b);
  const table = {columns: trialColumns(result), rows: trials};
  const names = shortNames(
    axes.map((axis) => axis.name),
    LETTERS,
  );
  return card(
    page,
    {
      title: 'Designs in parallel',
      id: 'designs-in-parallel',
      wide: true,
      table,
      note: `One line per design; warmer colours have a smaller ${objective.name}. Drag along an axis to filter, click it to reset, or choose below.${left > 0 ? ` ${left} more settings are only in the table.` : ''}`,
    },
    (body, bar) => {
      const state = make(
        'p',
        {class: 'note', role: 'status'},
        `${trials.length.toLocaleString('en-US')} designs`,
      );
      const chosen = make('div', {class: 'behind', hidden: true});
      const chart = chartIn(body, {
        label: 'Parallel coordinates of all designs; the table has the same numbers',
        height: (width) => (areStacked(axes, width) ? 44 + axes.length * ROW : 340 + headOf(names, axes, width)),
        option: (colours, width) => option(colours, {axes, names, trials, values, ranked, width}),
      });
      charts['designs-in-parallel'] = chart;
      const kept = () => {
        const model = chart.getModel().getSeriesByIndex(0);
        return [...new Set(model.getRawIndicesByActiveState('active'))].map((index) => trials[index]);
      };
      chart.on('axisareaselected', () => {
        const found = kept();
        const all =
          found.length === 0 && !chart.getOption().parallelAxis.some((axis) => axis.activeIntervals?.length);
        state.textContent = all
          ? `${trials.length.toLocaleString('en-US')} designs`
          : `${found.length.toLocaleString('en-US')} of ${trials.length.toLocaleString('en-US')} designs kept`;
        chosen.hidden = all;
        chosen.replaceChildren(
          ...(all ? [] : [dataTable(trialColumns(result), found, {label: 'designs kept', first: 10})]),
        );
      });
      body.append(keeper(chart, axes, trials), state, chosen);
    },
  );
}

/** The same as brushing, by keys: an axis, from where to where. */
function keeper(chart, axes, trials) {
  const place = make('span', {class: 'ends'});
  const axisOf = make(
    'select',
    {'aria-label': 'Axis along which designs are kept', onchange: () => fill()},
    axes.map((axis, index) => make('option', {value: index}, axis.name)),
  );
  let ends = [];
  const chosen = () => axes[Number(axisOf.value)];
  function fill() {
    const axis = chosen();
    const values = trials.map((trial) => axis.value(trial)).filter((value) => value !== null);
    const scale = axis.categories ? null : scaleFor(greatest(values.map(Math.abs)), axis.unit ?? '');
    const rounded = (value, round) => round((value / scale.factor) * 1e4) / 1e4;
    ends = ['from', 'to'].map((word, last) =>
      axis.categories
        ? make(
            'select',
            {'aria-label': word},
            axis.categories.map((category, index) =>
              make(
                'option',
                {value: index, ...(last && index === axis.categories.length - 1 ? {selected: true} : {})},
                category,
              ),
            ),
          )
        : make('input', {
            type: 'number',
            step: 'any',
            'aria-label': word,
            value: last ? rounded(greatest(values), Math.ceil) : rounded(least(values), Math.floor),
          }),
    );
    place.replaceChildren(' from ', ends[0], ' to ', ends[1], scale?.unit ? ` ${scale.unit}` : '');
    place.dataset.factor = scale?.factor ?? 1;
  }
  function keep(intervals) {
    axes.forEach((_, index) => {
      const here = index === Number(axisOf.value);
      if (here || intervals.length === 0)
        chart.dispatchAction({type: 'axisAreaSelect', parallelAxisIndex: index, intervals});
    });
  }
  const within = () => {
    const numbers = ends.map((end) => Number(end.value) * Number(place.dataset.factor));
    keep([numbers.sort((a, b) => a - b)]);
  };
  fill();
  return make(
    'p',
    {class: 'keeper'},
    'Keep designs by ',
    axisOf,
    place,
    ' ',
    make('button', {type: 'button', onclick: within}, 'Keep'),
    ' ',
    make('button', {type: 'button', onclick: () => keep([])}, 'All'),
  );
}

function option(colours, {axes, names, trials, values, ranked, width}) {
  const place = (value) => {
    const at = ranked.indexOf(value);
    return ranked.length > 1 ? at / (ranked.length - 1) : 0;
  };
  const opacity = Math.max(0.12, Math.min(0.8, 60 / trials.length));
  const stacked = areStacked(axes, width);
  const head = headOf(names, axes, width);
  // The best are drawn last, over the others.
  const order = trials
    .map((_, index) => index)
    .sort((a, b) => (values[b] ?? Infinity) - (values[a] ?? Infinity));
  const rank = new Map(order.map((index, at) => [index, at]));
  return {
    animation: false,
    tooltip: tooltip(colours, ({dataIndex}) => ({
      title: `design ${dataIndex + 1}`,
      lines: axes.map((axis) => [
        axis.name,
        axis.categories
          ? String(axis.value(trials[dataIndex]) ?? '–')
          : show(axis.value(trials[dataIndex]), axis.unit ?? ''),
      ]),
    })),
    parallel: stacked
      ? {layout: 'vertical', left: 30, right: 34, top: 24, bottom: 26}
      : {left: 70, right: 90, top: head, bottom: 24},
    parallelAxis: axes.map((axis, dim) => ({
      dim,
      name: names[dim],
      type: axis.categories ? 'category' : 'value',
      data: axis.categories ?? undefined,
      scale: true,
      splitNumber: stacked ? 4 : axes.length > 9 ? 2 : 5,
      nameTextStyle: {
        color: colours.text,
        fontSize: 11,
        textBorderColor: colours.panel,
        textBorderWidth: 3,
        ...(stacked ? {align: 'left', verticalAlign: 'bottom', padding: [0, 0, 4, 0]} : {}),
      },
      nameGap: stacked ? 0 : 16,
      nameLocation: stacked ? 'start' : 'end',
      nameTruncate: {maxWidth: LETTERS * LETTER * 2}, // they are short already, and told apart
      nameRotate: !stacked && head > 44 ? 35 : 0,
      axisLine: {lineStyle: {color: colours.muted}},
      axisTick: {lineStyle: {color: colours.line}},
      axisLabel: {
        color: colours.muted,
        fontSize: 10,
        textBorderColor: colours.panel,
        textBorderWidth: 3,
        width: 84,
        overflow: 'truncate',
        // As many names as have room; a line's others are in its tooltip.
        interval: axis.categories
          ? Math.ceil(axis.categories.length / (stacked ? CATEGORIES_ACROSS : CATEGORIES)) - 1
          : 'auto',
        formatter: axis.categories ? undefined : (value) => show(value, axis.unit ?? '', 3),
      },
      areaSelectStyle: {width: 16, color: colours.accent, opacity: 0.25, borderColor: colours.accent},
    })),
    series: [
      {
        type: 'parallel',
        inactiveOpacity: 0.03,
        activeOpacity: 0.9,
        progressive: 0,
        smooth: false,
        data: trials.map((trial, index) => ({
          value: axes.map((axis) => axis.value(trial) ?? '-'),
          lineStyle: {
            color: values[index] === null ? colours.muted : mix(colours.heat, 1 - place(values[index])),
            opacity: place(values[index]) < 0.05 ? Math.max(opacity, 0.7) : opacity,
            width: place(values[index]) < 0.05 ? 2 : 1,
          },
          z: rank.get(index),
        })),
      },
    ],
  };
}
