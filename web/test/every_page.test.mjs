// What holds for the pages of all verbs: they open without a network, at every width, in both themes, on paper and
// without a mouse; each chart has a title, names on its axes, and a table that can be copied.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {copiedTable, optionOf, screenshot, withPage} from './support.mjs';
import {VERBS} from './verbs.mjs';

const WIDTHS = {wide: 1280, phone: 390};

for (const [verb, make] of Object.entries(VERBS)) {
  test(`${verb}: opens from the file system, wide and narrow, light and dark`, async () => {
    for (const [name, width] of Object.entries(WIDTHS)) {
      await withPage(
        make(),
        async (page) => {
          const [needs, has] = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            document.documentElement.clientWidth,
          ]);
          assert.ok(needs <= has, `${needs} px are needed, ${has} are there`);
          await screenshot(page, `${verb}-${name}`);
        },
        {width, dark: name === 'phone'},
      );
    }
  });

  test(`${verb}: every chart has a title, names on its axes and a table behind it`, async () => {
    await withPage(make(), async (page) => {
      const ids = await page.evaluate(() => Object.keys(window.cairn.charts));
      assert.ok(ids.length > 0);
      for (const id of ids) {
        assert.notEqual((await page.locator(`#${id} h2`).textContent()).trim(), '');
        assert.match(await copiedTable(page, id), /^.+\n.+\n/);
        if (!(await page.evaluate((name) => Boolean(window.cairn.charts[name].getOption), id))) continue;
        const option = await optionOf(page, id);
        assert.equal(option.tooltip?.length ?? (option.parallelAxis ? 1 : 0), 1, `${id}: no tooltip`);
        for (const axis of [...(option.xAxis ?? []), ...(option.yAxis ?? [])]) {
          if (axis.type !== 'category') assert.notEqual(axis.name, '', `${id}: an axis without a name`);
        }
        for (const axis of option.parallelAxis ?? []) assert.notEqual(axis.name, '');
      }
    });
  });

  test(`${verb}: keys reach its parts`, async () => {
    await withPage(make(), async (page) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the result');
      const reached = new Set();
      for (let step = 0; step < 60; ++step) {
        await page.keyboard.press('Tab');
        reached.add(
          await page.evaluate(
            () => document.activeElement.closest('.card')?.id ?? document.activeElement.className,
          ),
        );
      }
      const first = await page.evaluate(() =>
        [...document.querySelectorAll('.card')].slice(0, 3).map((card) => card.id),
      );
      for (const id of first) assert.ok(reached.has(id), `${id} was not reached`);
    });
  });

  test(`${verb}: on paper it is light, and has no buttons`, async () => {
    await withPage(
      make(),
      async (page) => {
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
        await page.emulateMedia({media: 'print'});
        await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
        assert.equal(
          await page.locator('button:not(.sort):visible, input:visible, select:visible').count(),
          0,
        );
        assert.ok((await page.pdf()).length > 10000);
        await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
      },
      {dark: true},
    );
  });
}

test('the reader chooses the theme', async () => {
  await withPage(VERBS.run(), async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', {name: 'Light / dark'}).click();
    assert.notEqual(await background(), light);
    await page.getByRole('button', {name: 'Light / dark'}).click();
    assert.equal(await background(), light);
  });
});
