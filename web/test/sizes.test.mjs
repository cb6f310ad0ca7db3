// Pages stay small; the time to open them is a benchmark (npm run bench), not a test.
import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import {test} from 'node:test';

import {reportOf, withPage} from './support.mjs';

test('a page of 100,000 spans is under 15 MB, and can be zoomed', async () => {
  const made = reportOf('run', 'gpt-on-dgx-a100', '--set', 'steps=4');
  assert.ok(statSync(made.path).size < 15e6, `${statSync(made.path).size} B`);
  await withPage(made, async (page) => {
    const spans = await page.evaluate(() => window.cairn.result.timeline.length);
    assert.ok(spans >= 100000, `only ${spans} spans`);
    await page.locator('#timeline').getByRole('button', {name: 'Zoom in'}).click();
    assert.match(await page.locator('#timeline').textContent(), /ms to .*s/);
  });
});

test('a page of a study is under 2 MB', () => {
  const made = reportOf('study', 'mc-dla');
  assert.ok(statSync(made.path).size < 2e6, `${statSync(made.path).size} B`);
  made.remove();
});
