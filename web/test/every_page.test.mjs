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
          assert.ok(axis.name, `${id}: an axis without a name`);
        }
        for (const axis of option.parallelAxis ?? []) assert.notEqual(axis.name, '');
      }
    });
  });

  test(`${verb}: links to its parts can be told apart`, async () => {
    await withPage(make(), async (page) => {
      const words = await page.locator('nav.parts a').allTextContents();
      assert.equal(words.length, await page.locator('.card').count());
      assert.equal(new Set(words).size, words.length, words.join(' | '));
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
        await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
      },
      {dark: true},
    );
  });
}

/** What stands on paper: cells whose number is on several lines, tables beyond the paper, the height of all. */
function onPaper(page) {
  return page.evaluate(() => {
    const lines = (cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.bottom)))
        .size;
    };
    const seen = (element) => element.getClientRects().length > 0;
    const cells = [...document.querySelectorAll('td.number')].filter(seen);
    return {
      cells: cells.length,
      broken: cells.filter((cell) => !cell.querySelector('.share') && lines(cell) > 1).map((cell) => cell.textContent),
      beyond: [...document.querySelectorAll('table, canvas')]
        .filter((element) => seen(element) && element.getBoundingClientRect().right > 718 + 1)
        .map((element) => element.closest('.card').id),
      height: document.documentElement.scrollHeight,
    };
  });
}

const PAPER = {width: 718, height: 1045}; // A4 at 96 dots an inch, less the margins that Chromium leaves

for (const [verb, make] of Object.entries(VERBS)) {
  test(`${verb}: on A4 numbers are whole, nothing is cut off, and pages are filled`, async () => {
    await withPage(
      make(),
      async (page) => {
        // All tables, those behind charts too.
        await page.evaluate(() => {
          for (const button of document.querySelectorAll('.card-bar button[aria-expanded=false]')) button.click();
          for (const details of document.querySelectorAll('details')) details.open = true;
        });
        await page.emulateMedia({media: 'print'});
        await page.setViewportSize(PAPER);
        await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
        const {cells, broken, beyond, height} = await onPaper(page);
        assert.ok(cells > 0);
        assert.deepEqual(broken, []);
        assert.deepEqual(beyond, []);
        await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
        await page.emulateMedia({media: null});
        await page.setViewportSize({width: 1280, height: 900});

        const margin = '0.4in';
        const pdf = await page.pdf({format: 'A4', margin: {top: margin, bottom: margin, left: margin, right: margin}});
        const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g).length;
        // All of it is printed; a part that does not fit on the rest of a page may leave that empty.
        assert.ok(pages >= Math.floor(height / PAPER.height), `${pages} pages of ${height} px`);
        assert.ok(pages <= Math.ceil((height / PAPER.height) * 1.7) + 1, `${pages} pages of ${height} px`);
        // Afterwards the screen is as it was.
        assert.equal(await page.locator('.paper-blocks').count(), 0);
        assert.equal(await page.evaluate(() => document.documentElement.className), '');
      },
      {dark: true},
    );
  });

  test(`${verb}: as it is, it is printed without a page that has next to nothing on it`, async () => {
    await withPage(make(), async (page) => {
      await page.emulateMedia({media: 'print'});
      await page.setViewportSize(PAPER);
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      // Below the last part nothing takes room, and who made it stands at the top.
      const [end, last, foot] = await page.evaluate(() => [
        document.documentElement.scrollHeight,
        [...document.querySelectorAll('.card')].at(-1).getBoundingClientRect().bottom + window.scrollY,
        document.querySelector('.bottom').getBoundingClientRect().bottom + window.scrollY,
      ]);
      assert.ok(end - last <= 2 || end <= PAPER.height, `${end - last} px below the last part`);
      assert.ok(foot < 60, `${foot}`);
    });
  });

  test(`${verb}: what can be scrolled sideways says so until its end`, async () => {
    for (const dark of [false, true])
      await withPage(
        make(),
        async (page) => {
          const hints = () =>
            page.evaluate(() =>
              [...document.querySelectorAll('.table-scroll')]
                .filter((element) => element.getClientRects().length > 0)
                .map((element) => {
                  const frame = element.parentElement;
                  const word = frame.querySelector('.scroll-more');
                  return {
                    more: element.scrollWidth - element.clientWidth - element.scrollLeft > 2,
                    shadow: getComputedStyle(frame, '::after').opacity,
                    word: getComputedStyle(word).opacity,
                  };
                }),
            );
          const settled = () => page.evaluate(() => new Promise((done) => setTimeout(done, 60)));
          await settled();
          for (const {more, shadow, word} of await hints()) {
            assert.equal(shadow, more ? '1' : '0');
            assert.equal(word, more ? '1' : '0');
          }
          const wide = (await hints()).filter((hint) => hint.more).length;
          if (['run', 'study', 'search', 'validate'].includes(verb)) assert.ok(wide > 0, 'this case tells nothing');
          await page.evaluate(() => {
            for (const element of document.querySelectorAll('.table-scroll')) element.scrollLeft = 1e6;
          });
          await settled();
          for (const {more, shadow, word} of await hints()) assert.deepEqual([more, shadow, word], [false, '0', '0']);
        },
        {width: 390, dark},
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
