// All tests of the pages, in one browser:  node test/all.mjs
import {after} from 'node:test';

import {closeBrowser} from './support.mjs';

after(closeBrowser);

await import('./collective.test.mjs');
await import('./compare.test.mjs');
await import('./every_page.test.mjs');
await import('./names.test.mjs');
await import('./numbers.test.mjs');
await import('./other.test.mjs');
await import('./read.test.mjs');
await import('./run.test.mjs');
await import('./search.test.mjs');
await import('./short_names.test.mjs');
await import('./sizes.test.mjs');
await import('./study.test.mjs');
await import('./thin.test.mjs');
await import('./units.test.mjs');
await import('./validate.test.mjs');
