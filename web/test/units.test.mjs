// Units chosen for people.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {show} from '../src/data/units.js';

test('a prefix has one to three digits before the point', () => {
  assert.equal(show(0.05635, 's'), '56.35 ms');
  assert.equal(show(0.9999996, 's'), '1 s');
  assert.equal(show(1.981e9, 'B'), '1.981 GB');
});

test('a prefix of an area is squared with it', () => {
  assert.equal(show(815e-6, 'm²'), '815 mm²');
  assert.equal(show(2, 'm²'), '2 m²');
  assert.equal(show(3e-12, 'm²'), '3 um²');
});
