// Names that are cut for want of room can still be told apart.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {numbered, shortNames} from '../src/data/names.js';

function expectApart(names, letters) {
  const short = shortNames(names, letters);
  for (const text of short) assert.ok(text.length <= letters, `${text} has more than ${letters} letters`);
  assert.equal(new Set(short).size, new Set(names).size, short.join(' | '));
  return short;
}

test('names that fit stay as they are', () => {
  assert.deepEqual(shortNames(['compute', 'copy in'], 10), ['compute', 'copy in']);
});

test('equal names are numbered from the second on', () => {
  assert.deepEqual(numbered(['a', 'b', 'a', 'a']), ['a', 'b', 'a (2)', 'a (3)']);
});

test('names that differ at their ends, at their beginnings or within stay different', () => {
  expectApart(['levels[0].area', 'levels[0].power', 'levels[1].area'], 10);
  const middle = ['d', 'k1', 'k2'].map(
    (axis) => `down of stage 0, the collectives over ${axis} in the stage 0 of device class 0`,
  );
  expectApart(middle, 16);
  expectApart(['first of all the links there are', 'second of all the links there are'], 12);
});

test('names that differ in one letter anywhere stay different', () => {
  const base = 'abcdefghijklmnopqrstuvwxyz'.repeat(2);
  const changed = [...base].map((_, at) => `${base.slice(0, at)}#${base.slice(at + 1)}`);
  expectApart([base, ...changed], 14);
});
