// A figure of a study: bars, lines, points or boxes, with published values as marks.
import {countUndrawable, drawable, greatest, number, positive} from '../data/number.js';
import {show} from '../data/units.js';
import {base, categoryAxis, legend, tooltip, valueAxis} from './axes.js';
import {chartCard} from './chart.js';

const BY_CATEGORY = new Set(['bars', 'grouped_bars', 'stacked_bars', 'profiles', 'boxes']);

/** Whether x is a list of words. */
function hasCategories(figure) {
  return BY_CATEGORY.has(figure.kind) || (figure.x?.values ?? []).some((value) => typeof value === 'string');
}

function xOf(figure, series, index) {
  return (series.x?.length ? series.x : (figure.x?.values ?? []))[index];
}

/** One row for each value: what is drawn, in full. */
function rowsOf(figure) {
  const rows = [];
  for (const series of figure.series) {
    const count = Math.max(series.values?.length ?? 0, series.boxes?.length ?? 0);
    for (let index = 0; index < count; ++index) {
      const x = xOf(figure, series, index);
      const value = series.values?.[index];
      if (x === '' || (value === null && !series.boxes)) continue;
      rows.push({
        series: series.name,
        x,
        value,
        published: series.published?.[index] ?? null,
        box: series.boxes?.[index],
      });
    }
  }
  return rows;
}

function columnsOf(figure) {
  const boxes = figure.kind === 'boxes';
  const published = figure.series.some((series) => series.published?.length);
  return [
    {title: 'series', value: (row) => row.series},
    {title: nameOfX(figure), value: (row) => row.x},
    ...(boxes
      ? ['least', 'lower', 'median', 'upper', 'most'].map((key) => ({
          title: key,
          value: (row) => row.box?.[key] ?? null,
          numeric: true,
        }))
      : [{title: titleOf(figure.y, 'y'), value: (row) => row.value, numeric: true}]),
    ...(published ? [{title: 'published', value: (row) => row.published, numeric: true}] : []),
  ];
}

/** "time (ms)": the numbers of a figure are in its unit already, whichever that is. */
function titleOf(axis, otherwise = '') {
  return axis?.unit ? `${axis.name || otherwise} (${axis.unit})` : axis?.name || otherwise;
}

/** Every axis has a name, also where a study gives none. */
function nameOfX(figure) {
  return titleOf(figure.x, hasCategories(figure) ? 'case' : 'x');
}

function withUnit(value, axis) {
  const text = show(value);
  return axis?.unit && /^[\p{L}%/²µ]+$/u.test(axis.unit) && number(value) !== null
    ? `${text} ${axis.unit}`
    : text;
}

export function figureCard(page, figure) {
  const many =
    hasCategories(figure) &&
    (figure.x?.values?.length ?? 0) * (figure.kind === 'stacked_bars' ? 1 : figure.series.length) > 36;
  const lost = countUndrawable(figure.series.flatMap((series) => series.values ?? []));
  const published =
    figure.series.some((series) => series.published?.length) || figure.published_totals?.length;
  const notes = [
    figure.note,
    published ? 'Diamonds: as published.' : null,
    lost && figure.kind !== 'stacked_bars' ? `${lost} values are not finite and not drawn.` : null,
  ];
  return chartCard(page, {
    title: figure.title || figure.id,
    id: `figure-${String(figure.id ?? figure.title)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')}`,
    note: notes.filter(Boolean).join(' ') || null,
    wide: many,
    height: 320,
    table: {columns: columnsOf(figure), rows: rowsOf(figure)},
    option: (colours) => figureOption(figure, colours),
  });
}

function figureOption(figure, colours) {
  const categories = hasCategories(figure);
  const grounded = ground(figure);
  const y = {
    name: titleOf(figure.y, 'value'),
    log: figure.y?.log,
    ...grounded,
    more: {...grounded.more, max: upToLevels(figure)},
  };
  const x = {name: nameOfX(figure)};
  const all = figure.series.flatMap((series) =>
    (series.values ?? []).map((_, index) => xOf(figure, series, index)),
  );
  return {
    ...base(colours, {withLegend: true}),
    tooltip: figureTooltip(figure, colours, categories),
    legend: legend(colours, {data: figure.series.map((series) => series.name)}),
    xAxis: categories
      ? categoryAxis('x', colours, {
          name: x.name,
          categories: figure.x?.values ?? [],
          more: {axisLabel: wordLabels(figure, colours)},
        })
      : valueAxis('x', colours, {...x, log: figure.x?.log, more: {scale: true}}),
    yAxis: valueAxis('y', colours, y),
    series: [
      ...figure.series.flatMap((series, index) => seriesOf(figure, series, index, colours, categories)),
      ...totals(figure, colours),
      ...levelsOf(figure, colours),
      ...(figure.band > 0 ? bandOf(figure, all, colours) : []),
    ],
  };
}

/** A bar on a log axis begins below the smallest value. */
function ground(figure) {
  const values = figure.series
    .flatMap((series) => series.values ?? [])
    .map(positive)
    .filter((value) => value !== null);
  if (!figure.y?.log || !/bars/.test(figure.kind) || values.length === 0) return {};
  const min = 10 ** Math.floor(Math.log10(values.reduce((a, b) => Math.min(a, b)) * 0.99));
  return {min, more: {startValue: min}};
}

/** A line above all values is still on the chart. */
function upToLevels(figure) {
  const highest = greatest((figure.levels ?? []).map((level) => drawable(level.value ?? level.y)));
  return ({max}) => (highest > max ? highest * 1.02 : null);
}

/** All of a few, broken into lines; many lie aslant. */
function wordLabels(figure, colours) {
  const count = figure.x?.values?.length ?? 1;
  const style = {color: colours.muted, fontSize: 11};
  return crowded(figure)
    ? {...style, rotate: 40, width: 150, overflow: 'truncate', hideOverlap: true}
    : {
        ...style,
        interval: 0,
        lineHeight: 14,
        width: Math.floor((window.innerWidth < 900 ? 280 : 470) / count),
        overflow: 'break',
      };
}

function crowded(figure) {
  const words = figure.x?.values ?? [];
  return words.length * greatest(words.map((word) => String(word).length)) > 110;
}

function data(figure, series, values, categories) {
  const keep = figure.y?.log ? positive : drawable;
  return values.map((value, index) =>
    categories
      ? keep(value)
      : [
          figure.x?.log ? positive(xOf(figure, series, index)) : drawable(xOf(figure, series, index)),
          keep(value),
        ],
  );
}

function seriesOf(figure, series, index, colours, categories) {
  const colour = colours.series[index % colours.series.length];
  const common = {name: series.name, itemStyle: {color: colour}};
  if (figure.kind === 'boxes') {
    const boxes = (series.boxes ?? []).map((box) =>
      ['least', 'lower', 'median', 'upper', 'most'].map((key) => drawable(box?.[key])),
    );
    return [
      {...common, type: 'boxplot', itemStyle: {color: colours.panel, borderColor: colour}, data: boxes},
    ];
  }
  const values = data(figure, series, series.values ?? [], categories);
  const bars = ['bars', 'grouped_bars', 'stacked_bars'].includes(figure.kind);
  const ours = bars
    ? {
        ...common,
        type: 'bar',
        barMaxWidth: 26,
        stack: figure.kind === 'stacked_bars' ? 'all' : undefined,
        data: values,
      }
    : {
        ...common,
        type: figure.kind === 'points' ? 'scatter' : 'line',
        symbolSize: figure.kind === 'points' ? 7 : 6,
        step: figure.kind === 'steps' ? 'end' : false,
        showSymbol: values.length <= 60,
        lineStyle: {width: 2, color: colour},
        data: values,
      };
  if (!series.published?.length) return [ours];
  return [
    ours,
    published(figure, series, index, data(figure, series, series.published, categories), bars, colours),
  ];
}

/** A diamond on each bar or point: the published value. On grouped bars it must sit over its own bar. */
function published(figure, series, index, values, bars, colours) {
  const look = {fill: colours.panel, stroke: colours.text, lineWidth: 1.5};
  return {
    name: series.name,
    type: 'custom',
    z: 5,
    tooltip: {show: true},
    encode: {x: 0, y: 1},
    data: bars || hasCategories(figure) ? values.map((value, at) => [at, value]) : values,
    renderItem: (parameters, api) => {
      const value = api.value(1);
      if (!Number.isFinite(value)) return null;
      let [x, y] = api.coord([api.value(0), value]);
      if (bars) {
        const places = api.barLayout({
          count: figure.series.length,
          barMaxWidth: 26,
          barGap: '30%',
          barCategoryGap: '20%',
        });
        x += places[index].offsetCenter;
      }
      return {
        type: 'polygon',
        shape: {
          points: [
            [x, y - 5],
            [x + 5, y],
            [x, y + 5],
            [x - 5, y],
          ],
        },
        style: look,
      };
    },
  };
}

function totals(figure, colours) {
  if (!figure.published_totals?.length) return [];
  return [
    {
      name: 'published',
      type: 'scatter',
      symbol: 'diamond',
      symbolSize: 10,
      z: 5,
      itemStyle: {color: colours.panel, borderColor: colours.text, borderWidth: 1.5},
      data: figure.published_totals.map(drawable),
    },
  ];
}

function levelsOf(figure, colours) {
  const levels = (figure.levels ?? []).filter((level) => drawable(level.value ?? level.y) !== null);
  if (levels.length === 0) return [];
  return [
    {
      name: 'levels',
      type: 'line',
      data: [],
      silent: true,
      markLine: {
        silent: true,
        symbol: 'none',
        lineStyle: {color: colours.bad, type: 'dashed'},
        data: levels.map((level) => ({
          yAxis: drawable(level.value ?? level.y),
          label: {formatter: String(level.name), position: 'insideEndTop', color: colours.bad, fontSize: 11},
        })),
      },
    },
  ];
}

/** The line y = x, and the band around it. */
function bandOf(figure, all, colours) {
  const ends = [Math.min(...all.map((value) => drawable(value) ?? Infinity)), greatest(all)];
  const line = (factor, type) => ({
    name: 'band',
    type: 'line',
    symbol: 'none',
    silent: true,
    lineStyle: {color: colours.muted, width: 1, type},
    data: ends.map((end) => [end, end * factor]),
  });
  return [line(1, 'solid'), line(1 + figure.band, 'dashed'), line(1 - figure.band, 'dashed')];
}

function figureTooltip(figure, colours, categories) {
  const grouped = categories && figure.kind !== 'boxes';
  return tooltip(
    colours,
    (parameters) => {
      if (!grouped) return one(figure, Array.isArray(parameters) ? parameters[0] : parameters);
      const at = parameters[0]?.dataIndex;
      if (at === undefined || !figure.x?.values?.[at]) return null;
      return {
        title: String(figure.x.values[at]),
        lines: figure.series.flatMap((series, index) => [
          [
            series.name,
            withUnit(series.values?.[at], figure.y),
            colours.series[index % colours.series.length],
          ],
          ...(drawable(series.published?.[at]) !== null
            ? [['  published', withUnit(series.published[at], figure.y)]]
            : []),
        ]),
      };
    },
    {
      trigger: grouped ? 'axis' : 'item',
      axisPointer: {type: 'shadow', shadowStyle: {color: colours.muted, opacity: 0.08}},
    },
  );
}

function one(figure, point) {
  if (!point) return null;
  if (figure.kind === 'boxes') {
    const [, ...numbers] = point.value;
    return {
      title: `${point.seriesName}, ${point.name}`,
      lines: ['minimum', 'lower quartile', 'median', 'upper quartile', 'maximum'].map((word, index) => [
        word,
        withUnit(numbers[index], figure.y),
      ]),
    };
  }
  return {
    title: point.seriesName,
    lines: [
      [figure.x?.name || 'x', withUnit(point.value[0], figure.x)],
      [figure.y?.name || 'y', withUnit(point.value[1], figure.y), point.color],
    ],
  };
}
