// Numbers that are not finite, or not there, are said to be so, and the page is drawn.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {cairn, getBrowser, optionOf, pageOf, template, withPage} from './support.mjs';

/** Half of the numbers, as if by chance, become ones that cannot be drawn: no key is spared, none is always broken. */
function damaged(value, dice = {seed: 6, all: false}) {
  if (typeof value === 'number') {
    dice.seed = (dice.seed * 1103515245 + 12345) % 2147483648;
    const face = (dice.seed >> 16) % 8;
    return dice.all || face < 4 ? ['NaN', 'Infinity', null, '-Infinity'][face % 4] : value;
  }
  if (Array.isArray(value)) return value.map((entry) => damaged(entry, dice));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, damaged(entry, dice)]));
}

/** Positions in the graph stay: they are no measurements. */
function damagedResult(result, all = false) {
  const graph = result.platform_graph;
  return {
    ...damaged({...result, platform_graph: undefined}, {seed: 6, all}),
    platform_graph: graph && {
      ...graph,
      links: graph.links.map((link, index) => ({...link, utilization: index % 2 ? 'NaN' : link.utilization})),
    },
  };
}

const RESULTS = {
  run: () => cairn('run', 'vgg-e-on-mc-dla', '--detail'),
  collective: () => cairn('collective', '--platform', 'dgx1v', '--detail'),
  study: () => cairn('study', 'mc-dla'),
  search: () => cairn('search', 'language-model-strategies', '--detail'),
  validate: () => cairn('validate', 'data/measurements/h200/gemm.csv', '--device', 'h200'),
  compare: () => ({
    verb: 'compare',
    a: {name: 'a', step_time_s: 'NaN'},
    b: {name: 'b', step_time_s: 1},
    differences: [{part: 'compute', a_s: 'Infinity', b_s: 1, difference_s: '-Infinity'}],
  }),
};

function numbersIn(value) {
  if (typeof value === 'number') return 1;
  if (value === null || typeof value !== 'object') return 0;
  return Object.values(value).reduce((total, entry) => total + numbersIn(entry), 0);
}

/** What is drawn: the parts of a page, and all numbers of its charts that no axis has a place for. */
function drawn(page) {
  return page.evaluate(() => {
    const misfits = [];
    const check = (id, value) => {
      if (typeof value === 'number' && !Number.isFinite(value)) misfits.push(`${id}: ${value}`);
      if (['NaN', 'Infinity', '-Infinity'].includes(value)) misfits.push(`${id}: ${value}`);
      if (Array.isArray(value)) for (const entry of value) check(id, entry);
    };
    for (const [id, chart] of Object.entries(window.cairn.charts)) {
      for (const series of chart.getOption?.().series ?? [])
        for (const point of series.data ?? []) check(id, point?.value ?? point);
      for (const row of chart.rows ?? []) check(id, [...row.begin, ...row.end]);
    }
    return {cards: [...document.querySelectorAll('.card')].map((card) => card.id), misfits};
  });
}

for (const [verb, make] of Object.entries(RESULTS)) {
  test(`${verb}: with half of its numbers broken the page has all parts that it can draw, and says what is broken`, async () => {
    const whole = {...make(), verb};
    const broken = {...damagedResult(whole), verb};
    if (verb !== 'compare') {
      const {platform_graph: graph, ...rest} = whole;
      const left = numbersIn({...broken, platform_graph: undefined}) / numbersIn(rest);
      assert.ok(left > 0.45 && left < 0.55, `${left} of its numbers are left`);
    }
    let parts = [];
    await withPage(
      pageOf(whole),
      async (page) => {
        parts = (await drawn(page)).cards;
      },
      {broken: verb === 'compare'},
    );
    const expectWords = async (page) => {
      const words = await page.locator('body').innerText();
      assert.match(words, /not a number|infinite/);
      assert.doesNotMatch(words, /\[object|undefined|NaN|Infinity/);
      assert.deepEqual((await drawn(page)).misfits, []);
    };
    await withPage(
      pageOf(broken),
      async (page) => {
        assert.deepEqual((await drawn(page)).cards, parts);
        await expectWords(page);
      },
      {broken: true},
    );
    // None left: fewer parts, and none that fails.
    await withPage(pageOf({...damagedResult(whole, true), verb}), expectWords, {broken: true});
  });
}

test('non-finite numbers are shown in the headline and omitted from charts', async () => {
  const result = cairn('run', 'vgg-e-on-mc-dla', '--detail');
  const broken = {
    ...result,
    step_time_s: 'NaN',
    energy_J: 'Infinity',
    samples_per_s: null,
    breakdown: {...result.breakdown, compute_s: '-Infinity'},
  };
  await withPage(pageOf(broken), async (page) => {
    const words = await page.locator('#headline').textContent();
    assert.match(words, /step timenot a number/);
    assert.match(words, /energyinfinite/);
    assert.match(words, /throughput–/);
    assert.equal((await optionOf(page, 'where-the-time-goes')).series[0].data[0], null);
  });
});

test('a page without a result says so', async () => {
  const page = await (await getBrowser()).newPage();
  await page.goto(pathToFileURL(template).href);
  assert.match(await page.locator('#page').textContent(), /holds no result/);
  await page.close();
});
