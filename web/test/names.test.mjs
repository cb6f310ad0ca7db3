// Whatever a user calls things, names are texts: on the page, in tooltips, in tables.
import assert from 'node:assert/strict';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {cairn, pageOf, reportOf, temporaryFolder, withPage} from './support.mjs';

const NASTY = '</script><b>x<img src=y onerror=alert(1)> & "\u2028';
// What the page reads as words of its own, not as names.
const KEPT = new Set(['verb', 'kind', 'holds', 'energy_from', 'topology', 'NaN']);

/** Every name of a result, with `more` at its end. */
function renamedBy(value, more, key = '') {
  if (typeof value === 'string') return KEPT.has(key) ? value : `${value}${more}`;
  if (Array.isArray(value)) return value.map((entry) => renamedBy(entry, more, key === 'levels' ? '' : key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, renamedBy(entry, more, name)]));
}

/** No element that the page did not make itself; every chart shows its tooltips first. */
async function expectTexts(page) {
  await page.evaluate(() => {
    for (const chart of Object.values(window.cairn.charts)) {
      if (!chart.getOption) continue;
      // Lines of parallel coordinates have no place that a tooltip could be asked for at.
      if (chart.getOption().parallelAxis) continue;
      chart
        .getOption()
        .series.forEach((_, seriesIndex) =>
          chart.dispatchAction({type: 'showTip', seriesIndex, dataIndex: 0}),
        );
    }
    for (const button of document.querySelectorAll('.card-bar button[aria-expanded=false]')) button.click();
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  for (const selector of ['.timeline-canvas', '.platform']) {
    const canvas = page.locator(selector);
    if ((await canvas.count()) === 0) continue;
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    for (const part of [0.35, 0.5, 0.7]) await page.mouse.move(box.x + box.width * part, box.y + 54);
  }
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(
    await page.evaluate(
      () =>
        [...document.querySelectorAll('b')].filter((element) => element.textContent.startsWith('x')).length,
    ),
    0,
  );
  assert.ok(
    (await page.locator('#page').textContent()).includes('</script><b>x<img src=y onerror=alert(1)> & "'),
  );
}

const RESULTS = {
  run: () => ({
    ...cairn('run', 'vgg-e-on-mc-dla', '--detail'),
    elasticities: cairn('sensitivity', 'vgg-e-on-mc-dla').elasticities,
  }),
  collective: () => cairn('collective', '--platform', 'dgx1v', '--detail'),
  study: () => cairn('study', 'deepflow-intensity'),
  search: () => cairn('search', 'language-model-strategies', '--detail'),
  validate: () => cairn('validate', 'data/measurements/h200/gemm.csv', '--device', 'h200'),
  compare: () => ({
    verb: 'compare',
    a: {name: 'a', step_time_s: 2, bound_by: 'compute'},
    b: {name: 'b', step_time_s: 1},
    differences: [{part: 'compute', a_s: 2, b_s: 1, difference_s: -1}],
  }),
};

for (const [verb, make] of Object.entries(RESULTS)) {
  test(`${verb}: names that look like markup are texts`, async () => {
    await withPage(pageOf({...renamedBy(make(), NASTY), verb}), expectTexts);
  });
}

test('names from a YAML file reach the page as texts', async () => {
  const folder = temporaryFolder();
  const design = join(folder, 'design.yaml');
  writeFileSync(
    design,
    `
name: '</script><b>x<img src=y onerror=alert(1)> & "'
model:
  name: '<b>x</b>'
  input: {channels: 3, height: 32, width: 32}
  layers:
    - {type: convolution, name: '</script><b>x', channels: 8, kernel: 3}
    - {type: fully_connected, name: '<img src=y onerror=alert(1)>', features: 10}
device: mc-dla
platform:
  topology: graph
  nodes: [{name: '</script><b>x', count: 4}]
  links: [{from: '</script><b>x', join: ring, bandwidth: 25 GB/s, latency: 1 us}]
strategy: {parallelism: data, batch: 64}
`,
  );
  try {
    await withPage(reportOf('run', design), async (page) => {
      assert.equal(await page.locator('h1').textContent(), '</script><b>x<img src=y onerror=alert(1)> & "');
      await expectTexts(page);
      assert.match(await page.locator('#operators').textContent(), /<\/script><b>x/);
      assert.match(await page.locator('#links-of-the-platform').textContent(), /<\/script><b>x0/);
    });
  } finally {
    rmSync(folder, {recursive: true});
  }
});

test('names with letters that turn text leave their neighbours as they are, in charts too', async () => {
  const turned = '\u202egnp.exe\u2066';
  const result = renamedBy(cairn('run', 'vgg-e-on-mc-dla', '--detail'), turned);
  await withPage(pageOf({...result, verb: 'run', name: `a${turned}`, design: {'model.name': turned}}), async (page) => {
    await page.evaluate(() => {
      for (const button of document.querySelectorAll('.card-bar button[aria-expanded=false]')) button.click();
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await page.locator('#the-design td').first().waitFor();
    assert.equal(await page.locator('h1').textContent(), 'a\\u202egnp.exe\\u2066');
    const texts = await page.evaluate(() => {
      const drawn = Object.values(window.cairn.charts).flatMap((chart) =>
        chart.getZr
          ? chart.getZr().storage.getDisplayList(true).map((element) => String(element.style.text ?? ''))
          : (chart.names ?? []),
      );
      return [document.title, document.getElementById('page').textContent, ...drawn];
    });
    assert.ok(texts.length > 50 && texts.filter((text) => text.includes('gnp.exe')).length > 10);
    for (const text of texts) assert.doesNotMatch(text, /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  });
});
