// Figures of the pages: how large they are, how long the largest takes to open and to draw while it is zoomed.
//
//   npm run bench            (CAIRN_PROGRAM: another program than build/dev/bin/cairn)
import {statSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

import {closeBrowser, getBrowser, reportOf} from '../test/support.mjs';

function line(what, figure, budget) {
  console.log(`${what.padEnd(52)} ${figure.padStart(12)}   ${budget}`);
}

function megabytes(path) {
  return `${(statSync(path).size / 1e6).toFixed(2)} MB`;
}

const study = reportOf('study', 'mc-dla');
line('page of the study mc-dla', megabytes(study.path), 'under 2 MB');
study.remove();

const run = reportOf('run', 'gpt-on-dgx-a100', '--set', 'steps=7');
const browser = await getBrowser();
const page = await browser.newPage({viewport: {width: 1280, height: 900}});
const opened = [];
for (let round = 0; round < 3; ++round) {
  await page.goto('about:blank');
  await page.goto(pathToFileURL(run.path).href);
  // When the script ended, everything was drawn; a frame later it is on the screen.
  opened.push(
    await page.evaluate(
      () =>
        new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))),
    ),
  );
}
const spans = await page.evaluate(() => window.cairn.result.timeline.length);
line(`page of ${spans.toLocaleString('en-US')} spans`, megabytes(run.path), 'under 15 MB');
line('opens, median of 3', `${(opened.sort((a, b) => a - b)[1] / 1000).toFixed(2)} s`, 'under 3 s');

const frames = await page.evaluate(() => {
  const {window: seen, draw, rows} = window.cairn.charts.timeline;
  const length = rows.reduce((latest, row) => Math.max(latest, row.reach[row.reach.length - 1] ?? 0), 0);
  const times = [];
  for (let step = 0; step < 60; ++step) {
    seen.from = (length * step) / 130;
    seen.to = seen.from + length * 0.9 ** step;
    const begin = performance.now();
    draw();
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b);
});
line('one frame of its timeline while zooming, median', `${frames[30].toFixed(1)} ms`, 'under 16 ms');
line('the slowest of 60', `${frames[59].toFixed(1)} ms`, '');
run.remove();
await closeBrowser();
