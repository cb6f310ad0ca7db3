// The page of a search: all trials, the front, how it converged, brushing, the best side by side.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {cairn, optionOf, pageOf, withPage} from './support.mjs';

const result = cairn(
  'search',
  'language-model-chip',
  '--set',
  'algorithm.starts=1',
  '--set',
  'algorithm.steps=8',
  '--detail',
);
const feasible = result.trials.filter((trial) => trial.feasible);

test('search: every possible design is a point, and the front joins those that none beats', async () => {
  await withPage(pageOf(result), async (page) => {
    const option = await optionOf(page, 'trade-offs');
    const [all, front] = option.series.map((series) => series.data.map((point) => point.value));
    assert.equal(all.length, feasible.length);
    for (const [x, y] of front)
      assert.ok(!all.some(([u, v]) => (u < x && v <= y) || (u <= x && v < y)), `${x}, ${y} is beaten`);
    await page.locator('#trade-offs select').first().selectOption('memory');
    assert.match((await optionOf(page, 'trade-offs')).xAxis[0].name, /^memory \(.?B\)$/);
  });
});

test('search: the selectors show what is drawn', async () => {
  // Objectives that are not the first metrics, which a selector shows when nothing is chosen.
  const objectives = Object.keys(result.best.metrics).slice(-2);
  await withPage(pageOf({...result, objectives}), async (page) => {
    const option = await optionOf(page, 'trade-offs');
    const shown = await page
      .locator('#trade-offs select')
      .evaluateAll((selects) => selects.map((select) => select.selectedOptions[0].textContent));
    assert.equal(shown.length, 2);
    assert.notEqual(shown[0], shown[1]);
    [option.xAxis[0].name, option.yAxis[0].name].forEach((name, index) =>
      assert.equal(name.replace(/ \([^()]*\)$/, ''), shown[index]),
    );
  });
});

test('search: convergence ends at the best', async () => {
  await withPage(pageOf(result), async (page) => {
    const line = (await optionOf(page, 'convergence')).series[1].data;
    assert.equal(line[line.length - 1][1], result.best.metrics.step_time_s);
    for (let index = 1; index < line.length; ++index) assert.ok(line[index][1] <= line[index - 1][1]);
  });
});

test('search: brushing an axis keeps the designs within', async () => {
  await withPage(pageOf(result), async (page) => {
    const card = page.locator('#designs-in-parallel');
    const chart = card.locator('.chart');
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    // The first axis: its upper part.
    const [key] = Object.keys(result.best.settings);
    const {left, top} = (await optionOf(page, 'designs-in-parallel')).parallel[0];
    const x = box.x + left;
    await page.mouse.move(x, box.y + top + 2);
    await page.mouse.down();
    await page.mouse.move(x, box.y + top + 160, {steps: 8});
    await page.mouse.up();
    await card.locator('[role=status]', {hasText: 'kept'}).first().waitFor();
    const interval = await page.evaluate(
      () =>
        window.cairn.charts['designs-in-parallel'].getModel().getComponent('parallelAxis', 0)
          .activeIntervals[0],
    );
    const within = feasible.filter(
      (trial) => Number(trial.settings[key]) >= interval[0] && Number(trial.settings[key]) <= interval[1],
    ).length;
    assert.ok(within > 0 && within < feasible.length, `${within} of ${feasible.length}`);
    assert.ok(
      (await card.locator('[role=status]').first().textContent()).startsWith(
        `${within} of ${feasible.length}`,
      ),
    );
    assert.match(await card.locator('.behind').textContent(), new RegExp(`${within} rows`));
  });
});

test('search: the best designs stand side by side, differences marked', async () => {
  await withPage(pageOf(result), async (page) => {
    const card = page.locator('#best-designs');
    const shown = () => card.locator('tbody tr:visible').count();
    const marked = await card.locator('tr.changed').count();
    assert.ok(marked > 0 && marked < (await shown()));
    await card.getByRole('checkbox').check();
    assert.equal(await shown(), marked);
  });
});

test('search: designs can be kept by keys alone', async () => {
  await withPage(pageOf(result), async (page) => {
    const card = page.locator('#designs-in-parallel');
    const [key] = Object.keys(result.best.settings);
    const values = feasible.map((trial) => Number(trial.settings[key]));
    const half = (Math.min(...values) + Math.max(...values)) / 2;
    const last = card.getByLabel('to', {exact: true});
    await last.focus();
    await page.keyboard.press('Control+A');
    const factor = Number(await card.locator('.ends').getAttribute('data-factor'));
    await page.keyboard.type(String(half / factor));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await card.locator('[role=status]', {hasText: 'kept'}).first().waitFor();
    const within = values.filter((value) => value <= half).length;
    assert.ok(within > 0 && within < feasible.length);
    assert.match(await card.locator('[role=status]').first().textContent(), new RegExp(`^${within} of`));
    await card.getByRole('button', {name: 'All', exact: true}).press('Enter');
    await card.locator('[role=status]', {hasText: `${feasible.length} designs`}).first().waitFor();
  });
});

test('search: words along an axis have room, and keys are words', async () => {
  const strategies = cairn('search', 'language-model-strategies', '--detail');
  await withPage(pageOf(strategies), async (page) => {
    const [axis] = (await optionOf(page, 'designs-in-parallel')).parallelAxis;
    assert.ok(axis.data.length > 18);
    assert.ok(axis.data.length / (axis.axisLabel.interval + 1) <= 18);
    const facts = await page.locator('.facts').textContent();
    assert.ok(facts.includes(strategies.description));
    assert.match(facts, /minimize step time/);
    assert.doesNotMatch(facts, /step_time/);
  });
});

test('search: on paper a table of many columns is printed in blocks, none of its numbers left out', async () => {
  await withPage(pageOf(result), async (page) => {
    const cells = (which) =>
      page.evaluate(
        (selector) =>
          [...document.querySelectorAll(selector)]
            .filter((cell) => cell.getClientRects().length > 0)
            .map((cell) => cell.textContent),
        which,
      );
    const before = await cells('#trials tbody td');
    await page.emulateMedia({media: 'print'});
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const blocks = await page.locator('#trials .paper-blocks table').count();
    assert.ok(blocks > 1);
    // Each block repeats the number of the row.
    const after = await cells('#trials tbody td');
    const rows = await page.locator('#trials .paper-blocks table').first().locator('tbody tr').count();
    const numbers = Array.from({length: rows}, (_, row) => String(row + 1));
    assert.deepEqual([...after].sort(), [...before, ...Array(blocks).fill(numbers).flat()].sort());
  });
});

test('search: columns of the best designs begin below their headings', async () => {
  await withPage(pageOf(result), async (page) => {
    const columns = await page.evaluate(() => {
      const leftOf = (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().left;
      };
      const rows = [...document.querySelectorAll('#best-designs tr')].map((row) => [...row.cells].slice(1).map(leftOf));
      return rows[0].map((_, column) => rows.map((row) => Math.round(row[column])));
    });
    assert.ok(columns.length > 1 && columns[0].length > 5);
    for (const lefts of columns) assert.equal(new Set(lefts).size, 1, lefts.join(' '));
  });
});

test('search: axes in parallel can be told apart and do not overlap, at every width', async () => {
  for (const width of [1280, 768, 390])
    await withPage(
      pageOf(result),
      async (page) => {
        const {names, boxes, height} = await page.evaluate(() => {
          const chart = window.cairn.charts['designs-in-parallel'];
          const written = chart.getOption().parallelAxis.map((axis) => axis.name);
          // Names as they are drawn, cut or not.
          const drawn = chart
            .getZr()
            .storage.getDisplayList(true)
            .filter((element) => element.type === 'tspan' && written.includes(element.style.text));
          return {
            names: written,
            boxes: drawn.map((element) => {
              const box = element.getBoundingRect().clone();
              element.transform && box.applyTransform(element.transform);
              return {text: element.style.text, x: box.x, y: box.y, w: box.width, h: box.height};
            }),
            height: chart.getHeight(),
          };
        });
        assert.equal(new Set(names).size, names.length, names.join(' | '));
        assert.ok(names.includes('levels[0].area') && names.includes('levels[0].power'));
        assert.deepEqual(new Set(boxes.map((box) => box.text)), new Set(names), 'a name is cut');
        for (const {text, x, y, w, h} of boxes)
          assert.ok(x >= 0 && y >= 0 && x + w <= width && y + h <= height, `${text} at ${width}`);
        // Axes under each other: names too. Side by side, slanted names are a line's height apart.
        const apart = (a, b) =>
          a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y || Math.abs(a.x - b.x) > 24;
        for (const [index, box] of boxes.entries())
          for (const other of boxes.slice(index + 1)) assert.ok(apart(box, other), `${box.text}, ${other.text}`);
      },
      {width},
    );
});

test('search: the page says why designs are infeasible, and of each trial', async () => {
  const infeasible = [
    {limit: 'strategy', detail: 'block0.attention: 8 KV heads < 16 tensor shards', designs: 70},
    {limit: 'device memory', detail: '96 GB are needed, 16 GB more than the 80 GB of a device', designs: 12},
  ];
  const [first] = result.trials;
  const failed = {settings: first.settings, feasible: false, metrics: {}, ...infeasible[0]};
  await withPage(pageOf({...result, infeasible, trials: [failed, ...result.trials]}), async (page) => {
    assert.match(await page.locator('#headline').textContent(), /infeasible82/);
    const option = await optionOf(page, 'why-designs-are-infeasible');
    assert.deepEqual(
      option.yAxis[0].data,
      infeasible.map(({limit, detail}) => `${limit}: ${detail}`),
    );
    assert.deepEqual(
      option.series[0].data.map((bar) => bar.value),
      [70, 12],
    );
    assert.match(
      await page.locator('#trials tbody').first().textContent(),
      /infeasible: strategy: block0.attention: 8 KV heads < 16 tensor shards/,
    );
  });
});

test('search: one that was stopped says so, and nothing of a store that it may not have', async () => {
  await withPage(pageOf({...result, stopped: true, not_tried: 34}), async (page) => {
    assert.match(await page.locator('#headline').textContent(), /stoppedbefore the end34 designs not tried/);
    assert.doesNotMatch(await page.locator('body').innerText(), /resume/);
  });
});
