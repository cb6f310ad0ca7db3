// Units chosen for people.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {percent, show} from '../src/data/units.js';

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

test('what rounds to 0 has no sign', () => {
  assert.equal(percent(-0.0001), '0.0 %');
  assert.equal(percent(-0.001), '−0.1 %');
});

test('prefixes of bytes are decimal: 64 KiB are 65.54 kB', () => {
  assert.equal(show(64 * 1024, 'B'), '65.54 kB');
  assert.equal(show(16 * 1024 ** 3, 'B'), '17.18 GB');
  assert.equal(show(1e6, 'B'), '1 MB');
  assert.equal(show(900e9, 'B/s'), '900 GB/s');
});
