// Reads the result and draws the page of its command.
import {charts} from './charts/chart.js';
import {readAbout, readResult, wholeResult} from './data/read.js';
import {collectivePage} from './pages/collective.js';
import {comparePage} from './pages/compare.js';
import {otherPage} from './pages/other.js';
import {runPage} from './pages/run.js';
import {searchPage} from './pages/search.js';
import {studyPage} from './pages/study.js';
import {validatePage} from './pages/validate.js';
import {make} from './ui/dom.js';
import {downloadButton} from './ui/download.js';
import {addOrigin, fillRows, linkParts} from './ui/frame.js';
import {startPaper} from './ui/paper.js';
import {startTheme} from './ui/theme.js';

const PAGES = {
  run: runPage,
  collective: collectivePage,
  study: studyPage,
  search: searchPage,
  validate: validatePage,
  compare: (root, result, about) => (result.c ? otherPage : comparePage)(root, result, about),
};

function start() {
  const root = document.getElementById('page');
  startTheme();
  const json = document.getElementById('cairn-result').textContent;
  let result = null;
  let about = {};
  try {
    result = readResult(json);
    about = readAbout(document.getElementById('cairn-about').textContent);
  } catch (error) {
    console.error(error);
  }
  if (result === null || typeof result !== 'object') {
    root.append(make('p', {class: 'failed'}, 'This page holds no result, or one that cannot be read.'));
    return;
  }
  (PAGES[result.verb] ?? otherPage)(root, result, about);
  addOrigin(root, about, downloadButton(`cairn-${result.verb ?? 'result'}.json`, () => wholeResult(json)));
  fillRows(root);
  linkParts(root);
  startPaper(root);
  window.cairn = {result, charts};
}

start();
