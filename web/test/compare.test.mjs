// The page of a comparison: a waterfall from one time to the other.
import assert from 'node:assert/strict';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {cairn, near, optionOf, pageOf, temporaryFolder, withPage} from './support.mjs';
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

test('compare: collectives have a time instead of a step time', async () => {
  const folder = temporaryFolder();
  const files = ['25GB/s', '50GB/s'].map((bandwidth, index) => {
    const path = join(folder, `${'ab'[index]}.json`);
    const asked = ['collective', '--platform', `ring:8@${bandwidth},500ns`, '--size', '100MB'];
    writeFileSync(path, JSON.stringify(cairn(...asked)));
    return path;
  });
  const result = cairn('compare', ...files);
  rmSync(folder, {recursive: true});
  assert.ok(result.a.time_s > result.b.time_s && result.b.time_s > 0);
  await withPage(pageOf(result), async (page) => {
    const option = await optionOf(page, 'from-one-to-the-other');
    const bars = option.series[1].data.map((bar) => bar.value);
    assert.equal(bars[0], result.a.time_s);
    assert.equal(bars[bars.length - 1], result.b.time_s);
    assert.match(option.yAxis[0].name, /^time \(.?s\)$/);
    const words = await page.locator('#headline').textContent();
    assert.match(words, /^time−49\.9 %1\.996 times as fast/);
    assert.ok(words.includes('3.507 ms') && words.includes('1.757 ms'), words);
  });
});

test('compare: names and numbers lie flat where there is room, and stand upright on a phone', async () => {
  for (const [width, upright] of [
    [1280, 0],
    [390, 90],
  ])
    await withPage(
      VERBS.compare(),
      async (page) => {
        const option = await optionOf(page, 'from-one-to-the-other');
        assert.equal(option.xAxis[0].axisLabel.rotate, upright);
        assert.equal(option.series[1].label.rotate ?? 0, upright);
      },
      {width},
    );
});
