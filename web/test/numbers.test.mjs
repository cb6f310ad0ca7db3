// Numbers that are not finite, or not there, are said to be so, and the page is drawn.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {cairn, getBrowser, optionOf, pageOf, template, withPage} from './support.mjs';

/** Each number in turn becomes one that cannot be drawn; half of them stay. */
function damaged(value, count = {at: 0}) {
  if (typeof value === 'number') {
    count.at += 1;
    return [value, 'NaN', value, 'Infinity', value, null, value, '-Infinity'][count.at % 8];
  }
  if (Array.isArray(value)) return value.map((entry) => damaged(entry, count));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, damaged(entry, count)]));
}

/** Positions in the graph stay: they are no measurements. */
function damagedResult(result) {
  const graph = result.platform_graph;
  return {
    ...damaged({...result, platform_graph: undefined}),
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

for (const [verb, make] of Object.entries(RESULTS)) {
  test(`${verb}: the page stands with half of its numbers broken`, async () => {
    await withPage(
      pageOf({...damagedResult(make()), verb}),
      async (page) => {
        assert.ok((await page.locator('.card').count()) > 0);
      },
      {broken: true},
    );
  });
}

test('numbers that are not finite are named in the headline, and left out of charts', async () => {
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
