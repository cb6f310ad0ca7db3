// A page of each verb, as a user asks for it; made once.
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after} from 'node:test';

import {cairn, reportOf, temporaryFolder} from './support.mjs';

function compared() {
  const folder = temporaryFolder();
  const [before, afterwards] = [join(folder, 'before.json'), join(folder, 'after.json')];
  writeFileSync(before, JSON.stringify(cairn('run', 'vgg-e-on-dc-dla', '--detail')));
  writeFileSync(afterwards, JSON.stringify(cairn('run', 'vgg-e-on-mc-dla', '--detail')));
  const made = reportOf('compare', before, afterwards);
  rmSync(folder, {recursive: true});
  return made;
}

const kept = [];
after(() => {
  for (const made of kept) made.remove();
});

function once(make) {
  let made = null;
  return () => {
    if (made === null) {
      made = make();
      kept.push(made);
    }
    return {path: made.path, remove: () => {}};
  };
}

export const VERBS = {
  run: once(() => reportOf('run', 'vgg-e-on-mc-dla')),
  collective: once(() => reportOf('collective', '--platform', 'ace-4x4x4', '--size', '10 MB')),
  collectives: once(() => reportOf('collective', '--platform', 'dgx1v', '--size', '1 KiB..1 MiB')),
  study: once(() => reportOf('study', 'mc-dla')),
  search: once(() => reportOf('search', 'language-model-strategies')),
  validate: once(() => reportOf('validate', 'data/measurements/h200/gemm.csv', '--device', 'h200')),
  compare: once(compared),
};
