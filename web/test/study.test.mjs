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
      .getByRole('button', {name: /^not reproduced/})
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

test('study: what the paper published is marked on the figures of it', async () => {
  const {figures, claims} = cairn(...asked);
  const stated = claims.map((claim) => claim.published).filter((value) => value !== null);
  await withPage(VERBS.study(), async (page) => {
    let marks = 0;
    for (const figure of figures) {
      const option = await optionOf(page, `figure-${figure.id.replace(/[^a-z0-9]+/g, '-')}`);
      for (const {name, published} of figure.series) {
        if (!published) continue;
        const drawn = option.series.find((series) => series.type === 'custom' && series.name === name);
        assert.deepEqual(
          drawn.data.map((point) => point[1]),
          published,
          figure.id,
        );
        for (const value of published.filter((candidate) => candidate !== null)) {
          assert.ok(stated.includes(value), `${figure.id}: ${value} is of no claim`);
          marks += 1;
        }
      }
      const lines = option.series.flatMap((series) => series.markLine?.data ?? []);
      for (const level of figure.levels ?? [])
        assert.ok(lines.some((line) => line.yAxis === level.value));
    }
    assert.ok(marks >= 13, `${marks} marks`);
    assert.match(await page.locator('#figure-fig13a').textContent(), /Diamonds: as published/);
  });
});

test('study: a study of our own claims nothing of a paper', async () => {
  const study = {
    verb: 'study',
    study: 'made',
    description: 'what nobody has asked',
    source: 'a question of ours',
    claims: [{id: '1', what: 'how long', published: null, ours: 1.5, ratio: null, tolerance: '', holds: null}],
    figures: [],
  };
  await withPage(pageOf(study), async (page) => {
    const text = await page.locator('body').innerText();
    assert.doesNotMatch(text, /paper|published number|0 of 0/);
    assert.match(text, /what nobody has asked/);
    assert.match(text, /a question of ours/);
    assert.match(await page.locator('#questions').innerText(), /how long\s+1\.5/);
  });
});

test('study: a title stands for one figure', () => {
  for (const name of ['mc-dla', 'deepflow-intensity', 'deepflow-technology']) {
    const titles = cairn('study', name).figures.map((figure) => figure.title);
    assert.equal(new Set(titles).size, titles.length, name);
  }
});

test('study: figures whose titles begin alike have links of their own', async () => {
  const figure = (title) => ({
    id: title,
    title,
    kind: 'bars',
    x: {name: 'x', values: ['a']},
    y: {name: 'y'},
    series: [{name: 's', values: [1]}],
  });
  const titles = ['Network bandwidth driven on 16 NPUs, by memory', 'Network bandwidth driven on 16 NPUs, by cores'];
  await withPage(pageOf({verb: 'study', study: 's', claims: [], figures: titles.map(figure)}), async (page) => {
    const words = await page.locator('nav.parts a').allTextContents();
    assert.equal(words.filter((word) => word.startsWith('Network')).length, 2);
    assert.equal(new Set(words).size, words.length, words.join(' | '));
  });
});

test('study: closed tables are open on paper, and closed again afterwards', async () => {
  const {findings} = cairn(...asked);
  await withPage(VERBS.study(), async (page) => {
    const seen = () => page.locator('#tables td:visible').count();
    assert.equal(await seen(), 0);
    await page.emulateMedia({media: 'print'});
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.ok((await seen()) >= 50, 'tables are closed');
    const count = Object.keys(findings).length;
    assert.ok(count > 50, 'this case tells nothing');
    assert.match(await page.locator('#tables').innerText(), new RegExp(`The first 50 of ${count} rows; the page has all rows`));
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({media: null});
    assert.equal(await seen(), 0);
  });
});
