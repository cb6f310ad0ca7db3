// Claims of a paper and our results: a table with verdicts, and a chart of the ratios.
import {number, positive} from '../data/number.js';
import {show} from '../data/units.js';
import {card} from '../ui/card.js';
import {make} from '../ui/dom.js';
import {dataTable} from '../ui/table.js';
import {base, categoryAxis, legend, tooltip, valueAxis} from './axes.js';
import {chartCard} from './chart.js';

const MARKS = {
  holds: {sign: '✓', words: 'holds'},
  fails: {sign: '✗', words: 'not reproduced'},
  unstated: {sign: '○', words: 'not stated'},
  absent: {sign: '–', words: 'absent'},
};

function markOf(claim) {
  if (claim.holds === true) return 'holds';
  if (claim.holds === false) return 'fails';
  return number(claim.ours) === null ? 'absent' : 'unstated';
}

export function countMarks(claims) {
  const counts = {holds: 0, fails: 0, unstated: 0, absent: 0};
  for (const claim of claims) counts[markOf(claim)] += 1;
  return counts;
}

function markCell(claim) {
  const mark = markOf(claim);
  return make(
    'span',
    {class: `mark-${mark}`},
    make('b', {'aria-hidden': 'true'}, MARKS[mark].sign),
    ` ${MARKS[mark].words}`,
  );
}

/** The unit is at the end of the description of a claim: "bandwidth of a device to its memory-nodes, B/s". */
const UNIT_AT_END = /, (s|B|B\/s|J|W)$/;

function inUnit(key) {
  return (claim) => show(claim[key], UNIT_AT_END.exec(claim.what ?? '')?.[1] ?? '');
}

export function claimsCard(page, claims) {
  const columns = [
    {title: 'claim', value: (claim) => claim.id, numeric: false},
    {title: 'verdict', value: (claim) => MARKS[markOf(claim)].words, cell: markCell},
    {title: 'what', value: (claim) => claim.what, wide: true},
    {title: 'where', value: (claim) => claim.where ?? ''},
    {title: 'published', value: (claim) => claim.published, text: inUnit('published'), numeric: true},
    {title: 'ours', value: (claim) => claim.ours, text: inUnit('ours'), numeric: true},
    {title: 'ratio', value: (claim) => claim.ratio, numeric: true},
    {title: 'tolerance', value: (claim) => claim.tolerance ?? ''},
    {title: 'why', value: (claim) => claim.reason || claim.moved_by || '', wide: true},
  ];
  return card(page, {title: 'Claims', note: 'Published numbers and our results.', wide: true}, (body) => {
    const counts = countMarks(claims);
    const chips = make('div', {class: 'chips', role: 'group', 'aria-label': 'Show claims that'});
    const place = make('div');
    const fill = (only) => {
      place.replaceChildren(
        dataTable(columns, only ? claims.filter((claim) => markOf(claim) === only) : claims, {
          label: 'claims',
          filter: true,
          first: 100,
        }),
      );
      for (const chip of chips.children)
        chip.setAttribute('aria-pressed', String(chip.dataset.only === (only ?? '')));
    };
    const chip = (only, words, count) =>
      make(
        'button',
        {type: 'button', 'data-only': only ?? '', onclick: () => fill(only)},
        `${words} ${count}`,
      );
    chips.append(
      chip(null, 'all', claims.length),
      ...Object.entries(MARKS)
        .filter(([mark]) => counts[mark] > 0)
        .map(([mark, {words}]) => chip(mark, words, counts[mark])),
    );
    body.append(chips, place);
    fill(null);
  });
}

/** For a study without published numbers. */
export function answersCard(page, claims) {
  const columns = [
    {title: 'question', value: (claim) => claim.id, numeric: false},
    {title: 'what', value: (claim) => claim.what, wide: true},
    {title: 'answer', value: (claim) => claim.ours, numeric: true},
    {title: 'why', value: (claim) => claim.reason || '', wide: true},
  ];
  return card(page, {title: 'Questions', note: 'Questions of the study and our results.', wide: true}, (body) =>
    body.append(dataTable(columns, claims, {label: 'questions', first: 100})),
  );
}

export function ratiosCard(page, claims) {
  const stated = claims.filter((claim) => positive(claim.ratio) !== null);
  if (stated.length < 2) return null;
  const left = claims.length - stated.length;
  // As far up as down, so that 1 is in the middle.
  const reach = 2 ** Math.ceil(Math.max(0.5, ...stated.map((claim) => Math.abs(Math.log2(claim.ratio)))));
  const group = (mark) =>
    stated.map((claim, index) => (markOf(claim) === mark ? [index, claim.ratio] : null)).filter(Boolean);
  return chartCard(page, {
    title: 'Ours over published',
    note: `1 is the published number. Diamonds are outside the tolerance.${
      left > 0
        ? ` ${left} of ${claims.length} claims ${left === 1 ? 'has' : 'have'} no ratio above 0 and ${left === 1 ? 'is' : 'are'} only in the table of claims.`
        : ''
    }`,
    wide: stated.length > 24,
    height: 260,
    table: {
      columns: [
        {title: 'claim', value: (claim) => claim.id, numeric: false},
        {title: 'what', value: (claim) => claim.what, wide: true},
        {title: 'ours over published', value: (claim) => claim.ratio},
      ],
      rows: stated,
    },
    option: (colours) => ({
      ...base(colours, {withLegend: true}),
      legend: legend(colours, {icon: null}),
      tooltip: tooltip(colours, ({data}) => {
        const claim = stated[data[0]];
        return {
          title: `${claim.id}: ${claim.what}`,
          lines: [
            ['published', show(claim.published)],
            ['ours', show(claim.ours)],
            ['ratio', show(claim.ratio)],
            ['tolerance', claim.tolerance || '–'],
          ],
        };
      }),
      xAxis: categoryAxis('x', colours, {name: 'claim', categories: stated.map((claim) => claim.id)}),
      yAxis: valueAxis('y', colours, {
        name: 'ours / published',
        min: 1 / reach,
        max: reach,
        log: true,
        label: {formatter: (value) => String(Number(value.toPrecision(2)))},
        more: {logBase: 2},
      }),
      series: [
        {
          name: MARKS.holds.words,
          type: 'scatter',
          symbol: 'circle',
          symbolSize: 8,
          itemStyle: {color: colours.good},
          data: group('holds'),
          markLine: {
            silent: true,
            symbol: 'none',
            label: {show: false},
            lineStyle: {color: colours.muted, type: 'solid'},
            data: [{yAxis: 1}],
          },
        },
        {
          name: MARKS.fails.words,
          type: 'scatter',
          symbol: 'diamond',
          symbolSize: 11,
          itemStyle: {color: colours.bad},
          data: group('fails'),
        },
      ],
    }),
  });
}
