// A browser without a network, results and pages of the program, and pages of results made by hand.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {chromium} from 'playwright-core';

import {writePage} from './fill.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const program = process.env.CAIRN_PROGRAM ?? join(root, 'build', 'dev', 'bin', 'cairn');
export const template = process.env.CAIRN_PAGE ?? join(root, 'build', 'dev', 'web', 'page.html');
const screenshots = process.env.CAIRN_SCREENSHOTS ?? join(root, 'build', 'dev', 'web', 'screenshots');

function run(words) {
  return execFileSync(program, words, {cwd: root, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe']});
}

const printed = new Map();

/** What the program prints with --json; asked once. */
export function cairn(...words) {
  const key = words.join('\n');
  if (!printed.has(key)) printed.set(key, run([...words, '--json']));
  return JSON.parse(printed.get(key));
}

/** What the program prints for people. */
export function printedBy(...words) {
  return String(run(words));
}

export function temporaryFolder() {
  return mkdtempSync(join(tmpdir(), 'cairn-page-'));
}

/** The page that the program writes: {path, remove}. */
export function reportOf(...words) {
  const folder = temporaryFolder();
  const path = join(folder, 'page.html');
  run([...words, '--report', path]);
  return {path, remove: () => rmSync(folder, {recursive: true})};
}

/** The page of a result that no program made. */
export function pageOf(result) {
  const folder = temporaryFolder();
  const path = join(folder, 'page.html');
  writePage(template, {cairn_version: '0.1.0', ...result}, path);
  return {path, remove: () => rmSync(folder, {recursive: true})};
}

let browser = null;

export async function getBrowser() {
  if (browser === null) {
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    assert.ok(existsSync(executablePath), `${executablePath} is not there; tools/bootstrap installs it`);
    // Chromium's sandbox does not work for root.
    browser = await chromium.launch({executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : []});
  }
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  browser = null;
}

/**
 * Opens a page from the file system, the network off, and does something with it. Afterwards nothing may have been
 * asked for, the console must be empty, every part drawn, and nothing printed that only a program could mean; a result
 * whose numbers are `broken` may have texts such as "NaN".
 */
export async function withPage(made, act, {width = 1280, height = 900, dark = false, broken = false} = {}) {
  const context = await (
    await getBrowser()
  ).newContext({
    viewport: {width, height},
    colorScheme: dark ? 'dark' : 'light',
    offline: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const troubles = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) troubles.push(`asked for ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  try {
    await page.goto(pathToFileURL(made.path).href);
    await page.waitForSelector('.card');
    await act(page);
    assert.deepEqual(troubles, []);
    if (!broken) assert.doesNotMatch(await page.locator('body').innerText(), /\[object|undefined|NaN\b/);
    assert.equal(await page.locator('.failed').count(), 0, 'a part could not be drawn');
  } finally {
    await context.close();
    made.remove();
  }
}

/** The option of a chart, as ECharts has it. */
export function optionOf(page, id) {
  return page.evaluate((name) => {
    const option = window.cairn.charts[name].getOption();
    return JSON.parse(
      JSON.stringify(option, (key, value) =>
        typeof value === 'function' || key === 'entry' || key === 'point' ? undefined : value,
      ),
    );
  }, id);
}

export async function screenshot(page, name) {
  mkdirSync(screenshots, {recursive: true});
  await page.screenshot({path: join(screenshots, `${name}.png`), fullPage: true});
}

/** The table behind a chart, as it is copied. */
export async function copiedTable(page, id) {
  const card = page.locator(`#${id}`);
  await card.locator('.card-bar button', {hasText: 'Table'}).click();
  await card.locator('.copy').click();
  await card.locator('.copy', {hasText: 'Copied'}).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

export function near(actual, expected, relative = 1e-9) {
  assert.ok(
    Math.abs(actual - expected) <= relative * Math.max(Math.abs(expected), 1e-300),
    `${actual} is not ${expected}`,
  );
}
