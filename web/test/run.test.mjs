// The page of a run holds the numbers of its result, and its parts can be used.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {cairn, copiedTable, near, optionOf, pageOf, printedBy, reportOf, withPage} from './support.mjs';
import {VERBS} from './verbs.mjs';

const asked = ['run', 'vgg-e-on-mc-dla'];

test('run: the headline says step time, bound and utilization', async () => {
  const result = cairn(...asked);
  await withPage(VERBS.run(), async (page) => {
    const words = await page.locator('#headline').textContent();
    assert.ok(words.includes(`${(result.step_time_s * 1e3).toPrecision(4)} ms`), words);
    assert.ok(words.includes(result.bound_by));
    assert.ok(result.description.length > 10);
    assert.ok((await page.locator('.facts').textContent()).includes(result.description));
    assert.ok(words.includes(`${(result.utilization * 100).toFixed(1)} %`));
  });
});

test('run: the breakdown adds up to the step, in the chart and in the table', async () => {
  const result = cairn(...asked);
  await withPage(VERBS.run(), async (page) => {
    const option = await optionOf(page, 'where-the-time-goes');
    const step = option.series
      .filter((series) => series.name !== 'hidden')
      .map((series) => series.data[0] ?? 0);
    near(
      step.reduce((a, b) => a + b),
      result.step_time_s,
      1e-6,
    );
    assert.equal(step[0], result.breakdown.compute_s);
    const copied = await copiedTable(page, 'where-the-time-goes');
    assert.match(copied, /^part,alone \(s\),exposed \(s\),share of step \(1\)\n/);
    assert.ok(
      copied.includes(`memory,${result.breakdown.memory_s},${result.breakdown.memory_exposed_s}`),
      copied,
    );
  });
});

test('run: memory over time has every point, and the capacity', async () => {
  const result = cairn(...asked, '--detail');
  await withPage(VERBS.run(), async (page) => {
    const option = await optionOf(page, 'memory-over-time');
    assert.deepEqual(
      option.series[0].data,
      result.memory.map((point) => [point.at_s, point.in_use_B]),
    );
    assert.equal(option.series[0].markLine.data[0].yAxis, result.capacity_B);
    assert.ok(option.yAxis[0].max >= result.capacity_B);
    await page.getByRole('button', {name: 'Up to capacity'}).click();
    assert.equal((await optionOf(page, 'memory-over-time')).yAxis[0].max ?? null, null);
  });
});

test('run: the timeline has every span, in rows by device, stream and link', async () => {
  const result = cairn(...asked, '--detail');
  await withPage(VERBS.run(), async (page) => {
    const rows = await page.evaluate(() =>
      window.cairn.charts.timeline.rows.map((row) => ({label: row.label, spans: row.spans.length})),
    );
    assert.equal(
      rows.reduce((total, row) => total + row.spans, 0),
      result.timeline.length,
    );
    const labels = rows.map((row) => row.label);
    for (const label of ['compute', 'copy in', 'copy out']) assert.ok(labels.includes(label), label);
    assert.ok(
      labels.some((label) => label.includes('->')),
      'no row of a link',
    );
  });
});

test('run: the timeline zooms by mouse, keys and buttons', async () => {
  const {step_time_s: step} = cairn(...asked);
  await withPage(VERBS.run(), async (page) => {
    const seen = () => page.evaluate(() => ({...window.cairn.charts.timeline.window}));
    const size = async () => {
      const {from, to} = await seen();
      return to - from;
    };
    const canvas = page.locator('.timeline-canvas');
    const whole = await size();
    near(whole, step, 1e-6);

    await page.locator('#timeline').getByRole('button', {name: 'Zoom in'}).click();
    near(await size(), whole / 2);
    await canvas.focus();
    await page.keyboard.press('+');
    near(await size(), whole / 4);
    const {from} = await seen();
    await page.keyboard.press('ArrowRight');
    near((await seen()).from, from + (whole / 4) * 0.2);
    await page.keyboard.press('0');
    near(await size(), whole);

    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 50, {steps: 4});
    await page.mouse.up();
    // The rows' names take some of the width.
    assert.ok((await size()) > whole * 0.1 && (await size()) < whole * 0.2, `${await size()} of ${whole}`);
    await page.mouse.dblclick(box.x + box.width * 0.6, box.y + 50);
    near(await size(), whole);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await page.waitForFunction((all) => {
      const {window: now} = window.cairn.charts.timeline;
      return now.to - now.from < all * 0.9;
    }, whole);
  });
});

test('run: the tooltip names the span under the mouse', async () => {
  await withPage(VERBS.run(), async (page) => {
    const canvas = page.locator('.timeline-canvas');
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + box.width - 30, box.y + 24 + 20 + 10);
    const words = await page.locator('#timeline .tip-box').textContent();
    assert.match(words, /kernel/);
    assert.match(words, /duration/);
  });
});

test('run: links of the platform show the traffic of the result; memory-nodes are drawn as such', async () => {
  const result = cairn(...asked, '--detail');
  await withPage(VERBS.run(), async (page) => {
    const graph = await page.evaluate(() => {
      const {graph: drawn, points} = window.cairn.charts['links-of-the-platform'];
      return {
        kinds: drawn.nodes.map((node) => node.kind),
        ways: drawn.pairs.flatMap((pair) => pair.ways),
        points,
      };
    });
    assert.equal(
      graph.ways.reduce((total, way) => total + way.count, 0),
      result.platform_graph.links.length,
    );
    near(
      Math.max(...graph.ways.map((way) => way.utilization)),
      Math.max(...result.platform_graph.links.map((link) => link.utilization)),
    );
    assert.equal(graph.kinds.filter((kind) => kind === 'memory-node').length, 8);
    // Devices and memory-nodes by turns on a circle.
    for (const {x, y} of graph.points) near(Math.hypot(x, y), 1, 1e-6);
    assert.match(await page.locator('#links-of-the-platform .keys').textContent(), /device.*memory-node/);
  });
});

for (const design of ['vgg-e-on-mc-dla', 'gpt-on-dgx-a100'])
  test(`run: the roofline of ${design} has every operator that computes, under the roof of each level`, async () => {
    const result = cairn('run', design, '--detail');
    await withPage(reportOf('run', design), async (page) => {
      const option = await optionOf(page, 'roofline');
      const levels = new Set(
        result.operators.flatMap((operator) => operator.traffic.map((entry) => entry.level)),
      );
      const points = option.series.filter((series) => series.type === 'scatter');
      assert.deepEqual(new Set(points.map((series) => series.name)), levels);
      const computing = result.operators.filter((operator) => operator.flops > 0).length;
      const copied = (await copiedTable(page, 'roofline')).trim().split('\n').slice(1);
      const [count, level] = [(row) => Number(row.split(',')[2]), (row) => row.split(',')[3]];
      const memory = copied.filter((row) => level(row) === 'memory').reduce((total, row) => total + count(row), 0);
      assert.equal(memory, computing);

      // P <= min(peak, I B), of the level that moves the bytes.
      const peak = result.roofline.throughput_flops;
      for (const {name, bandwidth_Bps: bandwidth} of result.roofline.levels) {
        const drawn = points.find((series) => series.name === name)?.data ?? [];
        assert.ok(drawn.length > 0, name);
        for (const {value} of drawn) {
          const [intensity, rate] = value;
          const limit = bandwidth === null ? peak : Math.min(peak, intensity * bandwidth);
          assert.ok(rate <= limit * (1 + 1e-6), `${name}: ${rate} of ${limit} flop/s at ${intensity} flop/B`);
        }
        // The line is that limit, to the ends and at the ridge between them.
        const line = option.series.find((series) => series.type === 'line' && series.name === name)?.data;
        if (bandwidth === null) assert.equal(line, undefined);
        else for (const [intensity, rate] of line) near(rate, Math.min(peak, intensity * bandwidth));
        if (bandwidth !== null && peak / bandwidth > line[0][0] && peak / bandwidth < line.at(-1)[0])
          near(line[1][0], peak / bandwidth);
      }
    });
  });

test('run: a note explains which levels have no roof', async () => {
  const {roofline} = cairn(...asked, '--detail');
  const silent = roofline.levels.filter((level) => level.bandwidth_Bps === null).map((level) => level.name);
  assert.deepEqual(silent, ['sram']);
  await withPage(VERBS.run(), async (page) => {
    assert.match(
      await page.locator('#roofline .note').textContent(),
      /No slanted roof is drawn for sram: the device states no bandwidth for it, so it limits no kernel\./,
    );
  });
  const given = {...roofline, levels: roofline.levels.map((level) => ({...level, bandwidth_Bps: 1e12}))};
  await withPage(pageOf({...cairn(...asked, '--detail'), roofline: given}), async (page) => {
    assert.doesNotMatch(await page.locator('#roofline .note').textContent(), /roof is drawn/);
  });
});

test('run: operators can be sorted and filtered', async () => {
  const result = cairn(...asked, '--detail');
  await withPage(VERBS.run(), async (page) => {
    const table = page.locator('#operators');
    const column = async (index) => table.locator(`tbody tr td:nth-child(${index})`).allTextContents();
    await table.getByRole('button', {name: 'operator', exact: true}).click();
    const names = await column(1);
    assert.deepEqual(
      names,
      [...names].sort((a, b) => a.localeCompare(b, 'en', {numeric: true})),
    );
    assert.equal(await table.locator('th').first().getAttribute('aria-sort'), 'ascending');
    await table.getByRole('button', {name: 'operator', exact: true}).click();
    assert.equal(await table.locator('th').first().getAttribute('aria-sort'), 'descending');
    await table.getByRole('searchbox').fill('conv1_1');
    assert.ok((await column(1)).every((name) => name.includes('conv1_1')));
    const found = result.operators.filter((operator) => operator.name.includes('conv1_1')).length;
    assert.match(await table.locator('[role=status]').textContent(), new RegExp(`^${found} of`));
  });
});

test('run: elasticities are drawn if the result has them', async () => {
  const {elasticities} = cairn('sensitivity', 'vgg-e-on-mc-dla');
  await withPage(reportOf(...asked, '--sensitivity'), async (page) => {
    const option = await optionOf(page, 'what-to-change');
    const changeOf = (entry) => entry.step_time_ratio - 1;
    const greatest = [...elasticities].sort((a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)))[0];
    assert.equal(option.yAxis[0].data[0], greatest.parameter);
    const change = changeOf(greatest);
    near(option.series[0].data[0].value, change);
    // The number that the terminal has.
    const printed = printedBy('sensitivity', 'vgg-e-on-mc-dla');
    const shown = `${change > 0 ? '+' : ''}${(change * 100).toFixed(3)} %`;
    assert.ok(printed.includes(shown), `${shown} is not in\n${printed}`);
    const copied = await copiedTable(page, 'what-to-change');
    assert.match(copied, /^key,value,\+1 % \(1\),mainly through\n/);
  });
});

test('run: changes that round to 0 are not drawn, and numbers fit beside their bars', async () => {
  await withPage(reportOf(...asked, '--sensitivity'), async (page) => {
    const option = await optionOf(page, 'what-to-change');
    const values = option.series[0].data.map((bar) => bar.value);
    for (const value of values) assert.notEqual((Math.abs(value) * 100).toFixed(3), '0.000');
    const {min, max, interval} = option.xAxis[0];
    for (const end of [min, max]) assert.ok(Math.abs(end / interval - Math.round(end / interval)) < 1e-6, `${end}`);
    // In pixels, from the end of the longest bar to the end of the axis.
    const room = await page.evaluate(
      ([low, end]) => {
        const chart = window.cairn.charts['what-to-change'];
        return chart.convertToPixel({xAxisIndex: 0}, low) - chart.convertToPixel({xAxisIndex: 0}, end);
      },
      [Math.min(...values), min],
    );
    assert.ok(room >= 50, `${room} px`);
  });
});

test('run: memory names its device class if classes differ', async () => {
  const pipeline = ['run', 'gpt-on-dgx-a100'];
  const result = cairn(...pipeline, '--detail');
  assert.equal(result.device_classes.filter((each) => each.name === result.memory_of).length, 1);
  assert.match(result.memory_of, /of stage \d/);
  await withPage(reportOf(...pipeline), async (page) => {
    const words = await page.locator('#memory-over-time').textContent();
    assert.ok(words.includes(`Shown for ${result.memory_of}, which has the highest peak`), words);
    const drawn = (await optionOf(page, 'memory-over-time')).series[0].data;
    const points = result.memory.map((point) => [point.at_s, point.in_use_B]);
    assert.deepEqual(drawn[0], points[0]);
    assert.deepEqual(drawn.at(-1), points.at(-1));
  });
});

test('run: on paper numbers are not broken', async () => {
  await withPage(VERBS.run(), async (page) => {
    await page.emulateMedia({media: 'print'});
    const [number, words] = await page.evaluate(() =>
      ['td.number', 'td.wide'].map((which) => getComputedStyle(document.querySelector(which)).overflowWrap),
    );
    assert.deepEqual([number, words], ['normal', 'anywhere']);
  });
});

test('run: without detail the page still shows the summary', async () => {
  await withPage(pageOf(cairn(...asked)), async (page) => {
    assert.equal(await page.locator('#timeline').count(), 0);
    assert.equal(await page.locator('#where-the-time-goes').count(), 1);
  });
});

test('run: parallel links have unique names, in the chart and in its table', async () => {
  const {links} = cairn(...asked, '--detail');
  assert.ok(new Set(links.map((link) => link.name)).size < links.length, 'this case tells nothing');
  for (const width of [1280, 390])
    await withPage(
      VERBS.run(),
      async (page) => {
        const drawn = await page.evaluate(() => {
          const axis = window.cairn.charts['busiest-resources'].getOption().yAxis[0];
          return axis.data.map((name, index) => axis.axisLabel.formatter(name, index));
        });
        assert.equal(new Set(drawn).size, drawn.length, drawn.join(' | '));
        const copied = (await copiedTable(page, 'busiest-resources')).trim().split('\n').slice(1);
        assert.equal(copied.length, links.length);
        assert.equal(new Set(copied.map((row) => row.split(',')[0])).size, links.length);
        // Numbered as the timeline numbers them.
        const rows = await page.evaluate(() => window.cairn.charts.timeline.rows.map((row) => row.label));
        assert.ok(rows.some((row) => row.startsWith('device 0 -> memory-node 0 (2)')));
        assert.ok(copied.some((row) => row.startsWith('device 0 -> memory-node 0 (2),')));
      },
      {width},
    );
});

test('run: names of rows leave the width of a phone to the rows, and stay apart', async () => {
  for (const width of [1280, 390])
    await withPage(
      reportOf('run', 'gpt-on-dgx-a100'),
      async (page) => {
        const {names, labels, left} = await page.evaluate(() => {
          const {names: shown, rows, left: taken} = window.cairn.charts.timeline;
          return {names: shown, labels: rows.map((row) => row.label), left: taken};
        });
        assert.ok(labels.some((label) => label.length > 50), 'this case tells nothing');
        assert.equal(new Set(names).size, new Set(labels).size, names.join(' | '));
        const all = (await page.locator('.timeline-canvas').boundingBox()).width;
        assert.ok(left <= (width < 640 ? 0.05 : 0.31) * all, `${left} of ${all} px`);
        // Enough of each to be read.
        labels.forEach((label, index) => assert.ok(names[index].length >= Math.min(label.length, 45), names[index]));
      },
      {width},
    );
});

test('run: the design is a table of keys and texts, closed at first, and none where there is no design', async () => {
  const values = Array.from({length: 150}, (_, index) => [`device.levels[${index}].bandwidth`, `${index} GB/s`]);
  const design = {...Object.fromEntries(values), 'model.name': '</script><b>x', 'strategy.batch': '512'};
  await withPage(pageOf({...cairn(...asked), design}), async (page) => {
    const card = page.locator('#the-design');
    assert.ok((await card.boundingBox()).height < 200, 'it takes too much of the page');
    assert.equal(await card.locator('td').count(), 0);
    await card.locator('summary').click();
    await card.locator('td').first().waitFor();
    const cells = await card.locator('tbody td').allTextContents();
    assert.deepEqual(cells, Object.entries(design).flat());
    assert.equal(await card.locator('td b').count(), 0);
    assert.ok((await card.boundingBox()).height < 800, 'it takes too much of the page');
    await card.locator('.copy').click();
    await card.locator('.copy', {hasText: 'Copied'}).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.deepEqual(
      copied.trim().split('\n'),
      ['key,value', ...Object.entries(design).map((entry) => entry.join(','))],
    );
  });
  await withPage(pageOf({...cairn(...asked), design: undefined}), async (page) => {
    assert.equal(await page.locator('#the-design').count(), 0);
  });
});

/** A run whose timeline has rows of so many links, of which the result has `all`. */
function withLinks(rows, all) {
  const result = cairn(...asked, '--detail');
  const names = Array.from({length: all}, (_, index) => `device ${index} -> switch ${index % 16}`);
  const span = (row, k) => ({name: 'x', kind: 'link', row, device_class: 0, begin_s: k * 1e-3, end_s: (k + 0.5) * 1e-3});
  return {
    ...result,
    links: names.map((name) => ({name, kind: 'link', members: 1, carried_B: 1, bandwidth_Bps: 1, utilization: 0.5})),
    timeline: [
      ...result.timeline.filter(({kind}) => kind !== 'link'),
      ...names.slice(0, rows).flatMap((name) => [0, 1, 2].map((k) => span(`link: ${name}, copy out`, k))),
    ],
  };
}

test('run: hundreds of links are one row that opens, and a note counts them', async () => {
  for (const [rows, all, words] of [
    [300, 300, /All links with traffic have rows/],
    [300, 512, /Only the busiest 300 of 512 links have rows/],
    [8, 12, /Only the busiest 8 of 12 links have rows/],
  ])
    await withPage(pageOf(withLinks(rows, all)), async (page) => {
      const card = page.locator('#timeline');
      assert.match(await card.locator('.note').textContent(), words);
      const shown = () => page.evaluate(() => window.cairn.charts.timeline.rows.map((row) => row.label));
      const links = async () => (await shown()).filter((label) => label.includes('->'));
      if (rows > 24) {
        assert.deepEqual(await links(), []);
        assert.ok((await shown()).includes(`${rows} rows of links`));
        await card.getByRole('button', {name: 'Links'}).click();
      }
      // The busiest first, as the result has them.
      assert.deepEqual(
        await links(),
        Array.from({length: rows}, (_, index) => `device ${index} -> switch ${index % 16}, copy out`),
      );
      assert.ok((await card.boundingBox()).height < 800);
      // All of them can be scrolled to.
      const hidden = await page.evaluate(() => {
        const scroller = document.querySelector('.timeline-scroll');
        return scroller.scrollHeight - scroller.clientHeight;
      });
      const height = 24 + 20 * (await shown()).length + 2;
      assert.equal(hidden, Math.max(0, height - 440));
    });
});

test('run: the table of the timeline names every row as the chart does', async () => {
  const result = cairn(...asked, '--detail');
  await withPage(pageOf(result), async (page) => {
    const labels = await page.evaluate(() => window.cairn.charts.timeline.rows.map((row) => row.label));
    const copied = (await copiedTable(page, 'timeline')).trim().split('\n').slice(1);
    assert.equal(copied.length, result.timeline.length);
    // Names may have commas; then they are quoted.
    const rows = copied.map((line) => /^(?:"(?:[^"]|"")*"|[^,]*),[^,]*,[^,]*,("(?:[^"]|"")*"|[^,]*),/.exec(line)[1].replaceAll('"', ''));
    for (const row of rows) assert.ok(labels.includes(row), `${row} is no row`);
    result.timeline.forEach((span, index) => {
      if (['kernel', 'recomputation'].includes(span.kind)) assert.equal(rows[index], 'compute');
      if (span.kind === 'offload') assert.equal(rows[index], 'copy out');
    });
  });
});

test('run: a level with an invalid bandwidth has no roof, and a note explains it', async () => {
  const result = cairn(...asked, '--detail');
  for (const bandwidth_Bps of ['NaN', 'Infinity', 0, -1]) {
    const levels = result.roofline.levels.map((level) => (level.name === 'memory' ? {...level, bandwidth_Bps} : level));
    await withPage(pageOf({...result, roofline: {...result.roofline, levels}}), async (page) => {
      const words = await page.locator('#roofline .note').textContent();
      assert.match(words, /No slanted roof is drawn for sram: the device states no bandwidth/);
      assert.match(words, /No slanted roof can be drawn for memory: the bandwidth is not a positive finite number\./);
      const {series} = await optionOf(page, 'roofline');
      assert.equal(series.filter(({name, type}) => type === 'line' && name === 'memory').length, 0);
    });
  }
});

test('run: operators without flops or traffic, or no roofline at all, leave the page whole', async () => {
  const result = cairn(...asked, '--detail');
  const bare = result.operators.map((operator, index) => ({
    ...operator,
    flops: index % 2 ? undefined : operator.flops,
    traffic: index % 3 ? operator.traffic : undefined,
  }));
  await withPage(pageOf({...result, operators: bare, roofline: undefined}), async (page) => {
    assert.match(await page.locator('#roofline .note').textContent(), /No roof is drawn/);
  });
});

test('run: the name of the peak lies on no point, whatever the peak is', async () => {
  const result = cairn(...asked, '--detail');
  for (const times of [1, 1e15 / result.roofline.throughput_flops, 1.7])
    for (const width of [1280, 390]) {
      const faster = (operator) => ({...operator, time_s: operator.time_s / times});
      const roofline = {...result.roofline, throughput_flops: result.roofline.throughput_flops * times};
      const made = pageOf({...result, operators: result.operators.map(faster), roofline});
      await withPage(
        made,
        async (page) => {
          const {label, points, top} = await page.evaluate(() => {
            const chart = window.cairn.charts.roofline;
            const name = chart.getZr().storage.getDisplayList(true).find((element) => /^peak /.test(element.style.text));
            const box = name.getBoundingRect().clone();
            name.transform && box.applyTransform(name.transform);
            const series = chart.getOption().series.filter((each) => each.type === 'scatter');
            return {
              label: {x: box.x, y: box.y, w: box.width, h: box.height},
              points: series.flatMap((each) =>
                each.data.map((point) => [...chart.convertToPixel('grid', point.value), point.symbolSize / 2]),
              ),
              top: chart.convertToPixel('grid', [1, chart.getOption().yAxis[0].max])[1],
            };
          });
          assert.ok(label.y >= top, 'it stands above the chart');
          for (const [x, y, radius] of points) {
            const away = Math.hypot(
              Math.max(label.x - x, x - label.x - label.w, 0),
              Math.max(label.y - y, y - label.y - label.h, 0),
            );
            assert.ok(away >= radius, `${x}, ${y} lies under the name at ${JSON.stringify(label)}`);
          }
        },
        {width},
      );
    }
});
