// The page of a validation: every case is a point, errors are counted, the worst come first.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {cairn, copiedTable, optionOf, withPage} from './support.mjs';
import {VERBS} from './verbs.mjs';

const asked = ['validate', 'data/measurements/h200/gemm.csv', '--device', 'h200'];

test('validate: every case is a point on log axes, with the band of 10 %', async () => {
  const {cases} = cairn(...asked);
  await withPage(VERBS.validate(), async (page) => {
    const option = await optionOf(page, 'predicted-against-measured');
    const points = option.series.filter((series) => series.type === 'scatter');
    const within = points
      .filter((series) => series.name.endsWith('within 10 %'))
      .reduce((total, series) => total + series.data.length, 0);
    assert.equal(
      points.reduce((total, series) => total + series.data.length, 0),
      cases.length,
    );
    assert.equal(within, cases.filter((entry) => Math.abs(entry.error) <= 0.1).length);
    assert.deepEqual([option.xAxis[0].type, option.yAxis[0].type], ['log', 'log']);
    const band = option.series
      .filter((series) => series.name === 'band' && series.type === 'line')
      .map((series) => series.data[0][1] / series.data[0][0]);
    assert.deepEqual(
      band.map((factor) => Number(factor.toFixed(6))),
      [1, 1.1, 0.9],
    );
    assert.equal(
      (await copiedTable(page, 'predicted-against-measured')).trim().split('\n').length,
      cases.length + 1,
    );
  });
});

test('validate: the histogram counts all cases, the table begins with the worst', async () => {
  const result = cairn(...asked);
  await withPage(VERBS.validate(), async (page) => {
    const bins = (await optionOf(page, 'errors')).series[0].data.map((bar) => bar.value[1]);
    assert.equal(
      bins.reduce((a, b) => a + b),
      result.cases.length,
    );
    const first = await page.locator('#worst-cases tbody tr').first().textContent();
    assert.ok(first.includes(`${(result.max_abs_error * 100).toFixed(1)} %`), first);
  });
});
