// The page of a study: the figures' numbers, published values beside them, a mark on every claim.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {cairn, copiedTable, optionOf, pageOf, withPage} from './support.mjs';
import {VERBS} from './verbs.mjs';

const asked = ['study', 'mc-dla'];

test('study: every figure is a chart of the same numbers', async () => {
  const {figures} = cairn(...asked);
  await withPage(VERBS.study(), async (page) => {
    assert.ok(figures.length > 10);
    for (const figure of figures) {
      const option = await optionOf(page, `figure-${figure.id.replace(/[^a-z0-9]+/g, '-')}`);
      for (const series of figure.series) {
        const drawn = option.series.find((candidate) => candidate.name === series.name).data;
        const values = series.values.map((value) => (typeof value === 'number' ? value : null));
        assert.deepEqual(
          drawn.map((value) => (Array.isArray(value) ? value[1] : value)),
          values,
          figure.id,
        );
      }
    }
  });
});

test('study: each claim is marked, and can be chosen by its mark', async () => {
  const {claims} = cairn(...asked);
  const count = (holds) => claims.filter((claim) => claim.holds === holds).length;
  await withPage(VERBS.study(), async (page) => {
    const rows = page.locator('#claims tbody tr');
    assert.equal(await rows.count(), claims.length);
    assert.equal(await page.locator('#claims .mark-holds').count(), count(true));
    assert.equal(await page.locator('#claims .mark-fails').count(), count(false));
    assert.equal(await page.locator('#claims .mark-unstated').count(), count(null));
    await page
      .locator('#claims')
      .getByRole('button', {name: /^does not hold/})
      .click();
    assert.equal(await rows.count(), count(false));
    assert.ok(
      (await page.locator('#headline').textContent()).includes(
        `${count(true)} of ${count(true) + count(false)}`,
      ),
    );
  });
});

test('study: published values are marked on bars and lines', async () => {
  const figure = (kind, values) => ({
    id: kind,
    title: `of ${kind}`,
    kind,
    x: {name: 'batch', values},
    y: {name: 'time', unit: 'ms'},
    series: [
      {name: 'ours', values: [1, 2, 3], published: [1.5, null, 2.5]},
      {name: 'other', values: [2, 3, 4]},
    ],
  });
  const study = {
    verb: 'study',
    study: 'made',
    claims: [],
    figures: [figure('bars', ['a', 'b', 'c']), figure('lines', [1, 2, 4])],
  };
  await withPage(pageOf(study), async (page) => {
    for (const kind of ['bars', 'lines']) {
      const option = await optionOf(page, `figure-${kind}`);
      assert.deepEqual(
        option.series.find((series) => series.type === 'custom').data.map((point) => point[1]),
        [1.5, null, 2.5],
      );
      assert.equal(option.yAxis[0].name, 'time (ms)');
      assert.match(
        await copiedTable(page, `figure-${kind}`),
        /^series,batch,time \(ms\),published\nours,(a|1),1,1.5\n/,
      );
    }
  });
});
