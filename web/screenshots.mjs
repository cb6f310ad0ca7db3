// Pictures of report pages, for README and docs:  node screenshots.mjs < LIST
//
// LIST is JSON: [{page, picture, card?}], paths of files. A picture shows the page from its top down to the last row
// of parts that ends above LONGEST pixels, or only the part named by `card`. A page that does not open without a
// network and with an empty console, or has a part that cannot be drawn, is an error, as it is in the tests.
import {readFileSync} from 'node:fs';

import {closeBrowser, withPage} from './test/support.mjs';

const WIDTH = 1200;
const LONGEST = 1400;
const MARGIN = 16;

/** Where the last row of parts ends that fits; a first row that does not fit is cut. */
function wholeRows(page) {
  return page.evaluate(([longest, margin]) => {
    const cards = [...document.querySelectorAll('.card')];
    const ends = cards.map((card) => card.getBoundingClientRect().bottom + window.scrollY + margin);
    return Math.round(Math.max(...ends.filter((end) => end <= longest), 0)) || longest;
  }, [LONGEST, MARGIN]);
}

async function take({page: path, picture, card}) {
  const act = async (page) => {
    if (card) {
      await page.locator(`#${card}`).screenshot({path: picture});
    } else {
      const clip = {x: 0, y: 0, width: WIDTH, height: await wholeRows(page)};
      await page.screenshot({path: picture, fullPage: true, clip});
    }
  };
  await withPage({path, remove: () => {}}, act, {width: WIDTH, height: 800});
}

try {
  for (const entry of JSON.parse(readFileSync(0, 'utf8'))) {
    try {
      await take(entry);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${entry.page}: ${error.message}`);
    }
  }
} finally {
  await closeBrowser();
}
