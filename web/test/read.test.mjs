// Letters that turn the direction of text are shown as escapes, however JSON has them.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {readResult, withoutTurns} from '../src/data/read.js';

const TURNS = ['061c', '200e', '200f', '202a', '202b', '202c', '202d', '202e', '2066', '2067', '2068', '2069'];

test('direction-changing characters become escapes', () => {
  for (const code of TURNS) {
    const name = `a${String.fromCharCode(parseInt(code, 16))}b`;
    for (const json of [JSON.stringify({name}), `{"name": "a\\u${code}b"}`, `{"name": "a\\u${code.toUpperCase()}b"}`])
      assert.deepEqual(readResult(json), {name: `a\\u${code}b`});
  }
});

test('other text is unchanged, also text that looks like an escape', () => {
  for (const name of ['plain', 'שלום', 'a\n"b"\\', '\\u202e', '\\\\u202e', '\u2028', 'C:\\u202']) {
    assert.deepEqual(readResult(JSON.stringify({name})), {name});
    const both = {name: `${name}\u202e`};
    assert.deepEqual(readResult(JSON.stringify(both)), {name: `${name}\\u202e`});
  }
  const json = JSON.stringify({name: 'plain'});
  assert.equal(withoutTurns(json), json);
});
