// A browser without a network, results of the program, and pages made of them.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {chromium} from 'playwright-core';

import {writePage} from './fill.mjs';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', '..');
const program = process.env.CAIRN_PROGRAM ?? join(root, 'build', 'dev', 'bin', 'cairn');
const template = process.env.CAIRN_PAGE ?? join(root, 'build', 'dev', 'web', 'page.html');
const screenshots = process.env.CAIRN_SCREENSHOTS ?? join(root, 'build', 'dev', 'web', 'screenshots');

/** What the program prints with --json. */
export function cairn(...words) {
  const printed = execFileSync(program, [...words, '--json'], {cwd: root, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe']});
  return JSON.parse(printed);
}

export async function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  assert.ok(existsSync(executablePath), `${executablePath} is not there; tools/bootstrap installs it`);
  const asRoot = process.getuid?.() === 0;
  return chromium.launch({executablePath, args: asRoot ? ['--no-sandbox'] : []});
}

/** Opens the page of a result from the file system, the network off; `troubles` gathers what the console says. */
export async function openPage(browser, result, {width = 1280, height = 900, dark = false} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-page-'));
  const path = join(folder, 'page.html');
  writePage(template, {cairn_version: '0.1.0', ...result}, path);
  const context = await browser.newContext({viewport: {width, height}, colorScheme: dark ? 'dark' : 'light', offline: true, permissions: ['clipboard-read', 'clipboard-write']});
  const page = await context.newPage();
  const troubles = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) troubles.push(message.text()); });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) troubles.push(`asked for ${request.url()}`); });
  page.on('dialog', (dialog) => { troubles.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('.card');
  return {page, troubles, close: async () => { await context.close(); rmSync(folder, {recursive: true}); }};
}

/** The option of a chart, as ECharts has it. */
export function optionOf(page, id) {
  return page.evaluate((name) => {
    const option = window.cairn.charts[name].getOption();
    return JSON.parse(JSON.stringify(option, (key, value) => typeof value === 'function' ? undefined : value));
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
  assert.ok(Math.abs(actual - expected) <= relative * Math.max(Math.abs(expected), 1e-300), `${actual} is not ${expected}`);
}
