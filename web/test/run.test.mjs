// The page of a run holds the numbers of its result, and its parts can be used.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {cairn, copiedTable, near, openPage, optionOf, startBrowser} from './support.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

test('the breakdown shows the numbers of the result, and so does the table behind it', async () => {
  const result = {verb: 'run', ...cairn('run', 'vgg-e-on-mc-dla', '--detail')};
  const {page, troubles, close} = await openPage(browser, result);

  const option = await optionOf(page, 'where-the-time-goes');
  const step = option.series.filter((series) => series.name !== 'hidden').map((series) => series.data[0] ?? 0);
  near(step.reduce((a, b) => a + b), result.step_time_s, 1e-6);
  assert.equal(step[0], result.breakdown.compute_s);
  const copied = await copiedTable(page, 'where-the-time-goes');
  assert.match(copied, /^part,alone \(s\),exposed \(s\),of the step \(1\)\n/);
  assert.ok(copied.includes(`memory,${result.breakdown.memory_s},${result.breakdown.memory_exposed_s}`));

  assert.deepEqual(troubles, []);
  await close();
});

test('the timeline zooms by mouse, keys and buttons', async () => {
  const result = {verb: 'run', ...cairn('run', 'vgg-e-on-mc-dla', '--detail')};
  const {page, troubles, close} = await openPage(browser, result);
  const seen = () => page.evaluate(() => ({...window.cairn.charts.timeline.window}));
  const canvas = page.locator('.timeline-canvas');

  near((await seen()).to, result.step_time_s, 1e-6);
  await page.locator('#timeline').getByRole('button', {name: 'Zoom in'}).click();
  near((await seen()).to - (await seen()).from, result.step_time_s / 2, 1e-6);
  await canvas.focus();
  await page.keyboard.press('+');
  near((await seen()).to - (await seen()).from, result.step_time_s / 4, 1e-6);
  await page.keyboard.press('0');
  near((await seen()).to, result.step_time_s, 1e-6);

  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 50, {steps: 4});
  await page.mouse.up();
  const zoomed = await seen();
  near(zoomed.to - zoomed.from, result.step_time_s * 0.2 * box.width / (box.width - 200), 0.02);

  assert.deepEqual(troubles, []);
  await close();
});
