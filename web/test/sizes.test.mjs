// Pages stay small; the time to open them is a benchmark (npm run bench), not a test.
import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import {test} from 'node:test';

import {reportOf, withPage} from './support.mjs';
import {VERBS} from './verbs.mjs';

test('a page of 100,000 spans is under 15 MB, and can be zoomed', async () => {
  const made = reportOf('run', 'gpt-on-dgx-a100', '--set', 'steps=7');
  assert.ok(statSync(made.path).size < 15e6, `${statSync(made.path).size} B`);
  await withPage(made, async (page) => {
    const spans = await page.evaluate(() => window.cairn.result.timeline.length);
    assert.ok(spans >= 100000, `only ${spans} spans`);
    await page.locator('#timeline').getByRole('button', {name: 'Zoom in'}).click();
    await page.locator('#timeline').filter({hasText: /\d m?s to \d/}).waitFor(); // drawn in the next frame
  });
});

test('a page of a study is under 2 MB', () => {
  const {size} = statSync(VERBS.study().path);
  assert.ok(size < 2e6, `${size} B`);
});
