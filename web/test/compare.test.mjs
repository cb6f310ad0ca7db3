// The page of a comparison: a waterfall from one step time to the other.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {near, optionOf, withPage} from './support.mjs';
import {VERBS} from './verbs.mjs';

test('compare: the parts lead from one step time to the other', async () => {
  await withPage(VERBS.compare(), async (page) => {
    const result = await page.evaluate(() => window.cairn.result);
    const [below, bars] = (await optionOf(page, 'from-one-to-the-other')).series.map((series) =>
      series.data.map((bar) => bar.value ?? bar),
    );
    assert.equal(bars[0], result.a.step_time_s);
    assert.equal(bars[bars.length - 1], result.b.step_time_s);
    let at = result.a.step_time_s;
    result.differences.forEach(({difference_s: by}, index) => {
      // What is smaller than rounding of the step time cannot be told.
      assert.ok(Math.abs(bars[index + 1] - Math.abs(by)) < 1e-9 * result.a.step_time_s);
      near(below[index + 1], Math.min(at, at + by), 1e-6);
      at += by;
    });
    near(at, result.b.step_time_s, 1e-6);
    assert.ok((await page.locator('#side-by-side tr.changed', {hasText: 'dc-dla'}).count()) > 0);
  });
});
