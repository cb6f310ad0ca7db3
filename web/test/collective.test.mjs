// The page of a collective: its time against the bound, links on the platform's drawing, sizes as curves.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {cairn, optionOf, pageOf, reportOf, withPage} from './support.mjs';

test("collective: a torus is drawn as one, its busiest links are the result's", async () => {
  const asked = ['collective', '--platform', 'torus:4x4@25GB/s,500ns', '--size', '10 MB'];
  const result = cairn(...asked);
  await withPage(reportOf(...asked), async (page) => {
    const {points, busiest} = await page.evaluate(() => {
      const {points: places, graph} = window.cairn.charts['links-of-the-platform'];
      return {
        points: places,
        busiest: Math.max(...graph.pairs.flatMap((pair) => pair.ways.map((way) => way.utilization))),
      };
    });
    // Rows and columns.
    assert.equal(new Set(points.map((point) => point.x)).size, 4);
    assert.equal(new Set(points.map((point) => point.y)).size, 4);
    assert.equal(
      busiest,
      Math.max(...result.links.filter((link) => link.kind === 'link').map((link) => link.utilization)),
    );
    const bars = (await optionOf(page, 'time-against-lower-bound')).series[0].data.map((bar) => bar.value);
    assert.deepEqual(bars, [result.time_s, result.lower_bound_s]);
  });
});

test('collective: a tree has its devices below its switches', async () => {
  await withPage(reportOf('collective', '--platform', 'fat-tree-256', '--size', '1 MB'), async (page) => {
    const {devices, switches} = await page.evaluate(() => {
      const {points, graph} = window.cairn.charts['links-of-the-platform'];
      const of = (kind) => graph.nodes.filter((node) => node.kind === kind).map((node) => points[node.at].y);
      return {devices: of('device'), switches: of('switch')};
    });
    assert.ok(Math.min(...devices) > Math.max(...switches));
    assert.equal(new Set(switches.map((y) => y.toFixed(6))).size, 2);
  });
});

test('collective: several sizes are curves of the same numbers', async () => {
  const asked = ['collective', '--platform', 'dgx1v', '--size', '1 KiB..1 MiB'];
  const {results} = cairn(...asked);
  await withPage(reportOf(...asked), async (page) => {
    assert.deepEqual(
      (await optionOf(page, 'time-over-size')).series[0].data,
      results.map((entry) => [entry.size_B, entry.time_s]),
    );
    assert.deepEqual(
      (await optionOf(page, 'bandwidth-over-size')).series[0].data,
      results.map((entry) => [entry.size_B, entry.bus_bandwidth_Bps]),
    );
  });
});

test('collective: many devices around a switch are drawn as a few representatives', async () => {
  const asked = ['collective', '--platform', 'switch:512@25GB/s,500ns', '--size', '1 MB'];
  await withPage(reportOf(...asked), async (page) => {
    const {nodes, points} = await page.evaluate(() => {
      const {graph, points: places} = window.cairn.charts['links-of-the-platform'];
      return {nodes: graph.nodes.map((node) => node.kind), points: places};
    });
    assert.equal(nodes.filter((kind) => kind === 'device').length, 16);
    assert.equal(nodes.filter((kind) => kind === 'switch').length, 1);
    const centre = points[nodes.indexOf('switch')];
    for (const [at, point] of points.entries()) if (nodes[at] === 'device') assert.ok(point.y > centre.y);
    assert.match(
      await page.locator('#links-of-the-platform').textContent(),
      /512 devices.*16 of the 512 devices are drawn, each representing 32/,
    );
  });
});

test('collective: the headline names the endpoint and the busiest link, not a busier memory', async () => {
  const asked = ['collective', '--platform', 'ring:8@200GB/s,500ns', '--endpoint', 'cores', '--size', '10 MB'];
  const result = cairn(...asked);
  const most = (all) => Math.max(...all.map((entry) => entry.utilization));
  const links = result.links.filter((link) => link.kind === 'link');
  assert.ok(most(links) < most(result.links), 'this case tells nothing');
  await withPage(reportOf(...asked), async (page) => {
    assert.match(await page.locator('.facts').innerText(), new RegExp(`endpoint ${result.endpoint.executor}`));
    const words = await page.locator('#headline').textContent();
    assert.ok(words.includes(`busiest link${(most(links) * 100).toFixed(1)} %utilization: ${links[0].name}`), words);
  });
});

test('collective: the timeline shows links first, then a row a phase, which opens into its lanes', async () => {
  const asked = ['collective', '--platform', 'ace-4x4x4', '--size', '10 MB'];
  const {timeline, links} = cairn(...asked, '--detail');
  const lanes = new Set(timeline.filter((span) => span.kind !== 'link').map((span) => span.row));
  const phases = new Set([...lanes].map((row) => row.replace(/ \(\d+\)$/, '')));
  assert.ok(phases.size < lanes.size / 10, 'this case tells nothing');
  await withPage(reportOf(...asked), async (page) => {
    const rows = () =>
      page.evaluate(() =>
        window.cairn.charts.timeline.rows
          .filter((row) => !row.header)
          .map((row) => ({label: row.label, spans: row.spans.length, lanes: row.lanes?.length ?? 0})),
      );
    const shown = await rows();
    // Busiest first, as the result has them.
    assert.deepEqual(
      shown.slice(0, links.length).map((row) => row.label),
      links.map((link) => link.name),
    );
    assert.equal(shown.length, links.length + phases.size);
    assert.equal(
      shown.reduce((total, row) => total + row.spans, 0),
      timeline.length,
    );
    const most = await page.evaluate(() =>
      window.cairn.charts.timeline.rows
        .filter((row) => row.lanes)
        .map((row) => [Math.max(...row.busy.count), row.lanes.length, row.busy.count.at(-1)]),
    );
    // Spans of a lane do not overlap, and a lane is there because all others were busy.
    for (const [busy, count, last] of most) {
      assert.equal(busy, count);
      assert.equal(last, 0);
    }
    // A click on the first name below the links and the two headings.
    const canvas = page.locator('.timeline-canvas');
    await canvas.scrollIntoViewIfNeeded();
    await canvas.click({position: {x: 60, y: 24 + 20 * (links.length + 2) + 10}});
    await page.waitForFunction((before) => window.cairn.charts.timeline.rows.length > before, shown.length + 2);
    assert.equal((await rows()).length, shown.length + shown[links.length].lanes);
    const button = page.locator('#timeline').getByRole('button', {name: 'Lanes'});
    await button.press('Enter');
    await page.waitForFunction((all) => window.cairn.charts.timeline.rows.length > all, lanes.size);
    await button.press('Enter');
    await page.waitForFunction((few) => window.cairn.charts.timeline.rows.length <= few, shown.length + 2);
  });
});

test('collective: start-up before the first message is a row, if there is any', async () => {
  const asked = ['collective', '--platform', 'dgx-a100', '--size', '10 MB'];
  const {timeline} = cairn(...asked, '--detail');
  const first = Math.min(...timeline.map((span) => span.begin_s));
  assert.ok(first > 0, 'this case tells nothing');
  const waits = (page) =>
    page.evaluate(() =>
      window.cairn.charts.timeline.rows
        .filter((row) => row.label === 'before the first message')
        .map((row) => [row.begin[0], row.end[0]]),
    );
  await withPage(reportOf(...asked), async (page) => {
    assert.deepEqual(await waits(page), [[0, first]]);
    assert.match(await page.locator('#timeline .keys').textContent(), /start-up/);
    assert.match(await page.locator('#headline').textContent(), /108\.9 us before the first message/);
  });
  await withPage(reportOf('collective', '--platform', 'ring:8@25GB/s,500ns'), async (page) => {
    assert.deepEqual(await waits(page), []);
  });
});

test('collective: the design is a table', async () => {
  const asked = ['collective', '--platform', 'dgx1v', '--size', '1 MB'];
  const design = {platform: 'dgx1v', 'platform.bandwidth': '25 GB/s'};
  await withPage(pageOf({...cairn(...asked), design}), async (page) => {
    await page.locator('#the-design summary').click();
    await page.locator('#the-design td').first().waitFor();
    assert.deepEqual(await page.locator('#the-design tbody td').allTextContents(), Object.entries(design).flat());
  });
});

test('collective: the timeline note counts the links with rows', async () => {
  for (const platform of ['dgx1v', 'fat-tree-256']) {
    const result = cairn('collective', '--platform', platform, '--size', '1 MB', '--detail');
    const rows = [...new Set(result.timeline.filter((span) => span.kind === 'link').map((span) => span.row))];
    assert.deepEqual(new Set(rows), new Set(result.links.map((link) => `link: ${link.name}`)));
    await withPage(pageOf(result), async (page) => {
      assert.match(await page.locator('#timeline .note').textContent(), /All links with traffic have rows/);
    });
    const timeline = result.timeline.filter((span) => span.row !== rows[0]);
    await withPage(pageOf({...result, timeline}), async (page) => {
      const words = new RegExp(`Only the busiest ${rows.length - 1} of ${rows.length} links have rows`);
      assert.match(await page.locator('#timeline .note').textContent(), words);
    });
  }
});

test('collective: the headline compares the time with its lower bound', async () => {
  const result = cairn('collective', '--platform', 'dgx1v', '--size', '1 MB');
  for (const [times, words, in_table] of [
    [1, 'reaches the lower bound', '1 ×'],
    [1.00004, 'reaches the lower bound', '1 ×'],
    [1.00006, '0.006 % above the lower bound', '1.0001 ×'],
    [1.0021, '0.21 % above the lower bound', '1.0021 ×'],
    [1.5, '1.5 times the lower bound', '1.5 ×'],
  ]) {
    const entry = {...result, time_s: result.lower_bound_s * times};
    await withPage(pageOf({verb: 'collective', results: [entry, entry]}), async (page) => {
      assert.equal(await page.locator('#headline .detail').first().textContent(), words);
      assert.equal(await page.locator('#sizes tbody tr').first().locator('td').nth(2).textContent(), in_table);
    });
  }
});
