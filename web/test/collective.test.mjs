// The page of a collective: its time against the bound, links on the platform's drawing, sizes as curves.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {cairn, optionOf, reportOf, withPage} from './support.mjs';

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
    const bars = (await optionOf(page, 'time-against-its-bound')).series[0].data.map((bar) => bar.value);
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

test('collective: many devices around a switch are drawn as a few of them', async () => {
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
      /512 devices.*16 of the 512 devices are drawn, each for 32/,
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
    assert.ok(words.includes(`busiest link${(most(links) * 100).toFixed(1)} %of the time: ${links[0].name}`), words);
  });
});
