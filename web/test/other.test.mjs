// Pages without charts of their own show what the program prints; every page offers its result.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import {cairn, pageOf, reportOf, withPage} from './support.mjs';

const MADE = {
  platform: ['platform', 'dgx1v'],
  chip: ['chip', 'v100'],
  kernel: ['kernel', 'gemm', '--device', 'h200', '--m', '64', '--n', '64', '--k', '64'],
  sensitivity: ['sensitivity', 'vgg-e-on-mc-dla'],
  compare: ['compare', 'vgg-e-on-dc-dla', 'vgg-e-on-hc-dla', 'vgg-e-on-mc-dla'],
};

for (const [verb, words] of Object.entries(MADE)) {
  test(`${verb}: shows fields and tables, and its command`, async () => {
    await withPage(reportOf(...words), async (page) => {
      assert.ok((await page.locator('.card table').count()) >= 1);
      assert.equal(await page.locator('.failed').count(), 0);
      assert.match(await page.locator('footer .command').textContent(), new RegExp(`^cairn ${verb} `));
      assert.match(await page.locator('footer .date').textContent(), /^\d{4}-\d{2}-\d{2}$/);
    });
  });
}

test('the result can be downloaded as --json --detail prints it', async () => {
  const words = ['collective', '--platform', 'dgx1v', '--size', '1 MB'];
  await withPage(reportOf(...words), async (page) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('button.download').click()]);
    assert.equal(download.suggestedFilename(), 'cairn-collective.json');
    assert.deepEqual(JSON.parse(readFileSync(await download.path(), 'utf8')), cairn(...words, '--detail'));
  });
});

test('a result without metadata shows its values', async () => {
  await withPage(pageOf({verb: 'unknown', time_s: 2}), async (page) => {
    assert.match(await page.locator('.card table').textContent(), /time_s/);
  });
});
