// The page of a comparison: a waterfall from one time to the other.
import assert from 'node:assert/strict';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {cairn, near, optionOf, pageOf, temporaryFolder, withPage} from './support.mjs';
import {VERBS} from './verbs.mjs';

const LONG = 'a-transformer-of-24-blocks-with-a-long-name-on-64-devices-joined-as-a-torus-of-three-dimensions';

/** Two results whose names are long, and many settings differ. */
function made() {
  const parts = ['compute', 'communication exposed', 'memory exposed', 'idle'];
  const by = [0.2, -0.9, 0.45, -0.05];
  return {
    verb: 'compare',
    a: {name: `${LONG}-with-offload`, step_time_s: 1.5, bound_by: 'compute'},
    b: {name: `${LONG}-without-offload`, step_time_s: 1.2},
    differences: parts.map((part, index) => ({part, a_s: 1, b_s: 1 + by[index], difference_s: by[index]})),
    settings: [
      {key: 'device', a: 'h100', b: 'a100'},
      {key: 'size_B', a: '65536', b: '10000000'},
      ...Array.from({length: 60}, (_, index) => ({key: `device.levels[${index}].line_s`, a: `${index} GB/s`, b: ''})),
    ],
  };
}

/** Texts and bars of a chart as they are drawn. */
function drawnIn(page, id) {
  return page.evaluate((name) => {
    const boxes = (type) =>
      window.cairn.charts[name]
        .getZr()
        .storage.getDisplayList(true)
        .filter(({type: kind, ignore, style}) => kind === type && !ignore && style.fill && style.fill !== 'transparent')
        .map((element) => {
          const box = element.getBoundingRect().clone();
          element.transform && box.applyTransform(element.transform);
          return {text: element.style.text ?? 'bar', x: box.x, y: box.y, w: box.width, h: box.height};
        })
        .filter(({w, h}) => w > 0 && h > 0);
    return {texts: boxes('tspan'), bars: boxes('rect')};
  }, id);
}

function overlap(a, b) {
  const slack = 1; // pixels, of the height of letters
  return (
    a.x + slack < b.x + b.w && b.x + slack < a.x + a.w && a.y + slack < b.y + b.h && b.y + slack < a.y + a.h
  );
}

test('compare: the parts lead from one step time to the other', async () => {
  await withPage(VERBS.compare(), async (page) => {
    const result = await page.evaluate(() => window.cairn.result);
    const [below, bars] = (await optionOf(page, 'breakdown-of-the-difference')).series.map((series) =>
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
    const option = await optionOf(page, 'breakdown-of-the-difference');
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
        const option = await optionOf(page, 'breakdown-of-the-difference');
        assert.equal(option.xAxis[0].axisLabel.rotate, upright);
        assert.equal(option.series[1].label.rotate ?? 0, upright);
      },
      {width},
    );
});

test('compare: names and numbers of the waterfall overlap neither each other nor bars, at any width', async () => {
  for (const width of [1280, 760, 640, 390])
    for (const page of [VERBS.compare, () => pageOf(made())])
      await withPage(
        page(),
        async (opened) => {
          const {texts, bars} = await drawnIn(opened, 'breakdown-of-the-difference');
          assert.ok(bars.length >= 3 && texts.length > 12, `${bars.length} bars, ${texts.length} texts`);
          for (const [index, text] of texts.entries())
            for (const other of [...texts.slice(index + 1), ...bars])
              assert.ok(!overlap(text, other), `${width}: ${JSON.stringify(text)} on ${JSON.stringify(other)}`);
          for (const {text, x, y, w} of texts)
            assert.ok(x >= 0 && y >= -1 && x + w <= width, `${text} is cut at ${width}`);
        },
        {width},
      );
});

test('compare: long names are broken into lines, beside each other in the headline and in tables', async () => {
  await withPage(pageOf(made()), async (page) => {
    const tops = await page.evaluate(() =>
      [...document.querySelectorAll('#headline > div')].map((part) => part.getBoundingClientRect().top),
    );
    assert.equal(new Set(tops).size, 1);
    for (const id of ['side-by-side', 'design-differences'])
      assert.equal(await page.locator(`#${id} .scroll-frame.more-right`).count(), 0, id);
  });
});

test('compare: values of designs are listed by their keys, and do not swamp the page', async () => {
  const result = made();
  await withPage(pageOf(result), async (page) => {
    const card = page.locator('#design-differences');
    assert.ok((await card.boundingBox()).height < 800);
    assert.deepEqual((await card.locator('tbody tr').first().locator('td').allTextContents()), [
      'device.levels[0].line_s',
      '0 GB/s',
      '–',
    ]);
    await card.locator('.copy').click();
    await card.locator('.copy', {hasText: 'Copied'}).waitFor();
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
    assert.equal(copied.length, 61);
    assert.equal(copied[60], 'device.levels[59].line_s,59 GB/s,');
    // What results say in short stays with what was found.
    const side = await page.locator('#side-by-side').innerText();
    assert.match(side, /device\s+h100\s+a100/);
    assert.match(side, /size\s+65\.54 kB\s+10 MB/);
    assert.doesNotMatch(side, /levels/);
  });
});

test('compare: numbers beside the bars of compute lie on no name and on no bar', async () => {
  const by = {'fully connected': -0.354, normalization: -0.021, convolution: 0.0367, concat: -0.0031};
  const compute = Object.entries(by).map(([part, difference_s]) => ({part, a_s: 1, b_s: 1 + difference_s, difference_s}));
  for (const width of [1280, 390])
    await withPage(
      pageOf({...made(), compute}),
      async (page) => {
        const {texts, bars} = await drawnIn(page, 'compute-by-kind-of-operator');
        assert.ok(bars.length >= 4 && texts.length > 8);
        for (const [index, text] of texts.entries())
          for (const other of [...texts.slice(index + 1), ...bars])
            assert.ok(!overlap(text, other), `${width}: ${JSON.stringify(text)} on ${JSON.stringify(other)}`);
      },
      {width},
    );
});
