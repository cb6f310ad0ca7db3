// A long curve is drawn with fewer points, and looks the same.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {thinned} from '../src/data/thin.js';

const curve = (count) => Array.from({length: count}, (_, i) => [i, Math.sin(i) * (1 + i / count)]);

test('a short curve stays as it is', () => {
  const points = curve(400);
  assert.equal(thinned(points, 100), points);
});

test('a long curve keeps its ends, its extremes and its order', () => {
  const points = curve(5955);
  const fewer = thinned(points, 100);
  assert.ok(fewer.length <= 400 && fewer.length >= 200, String(fewer.length));
  assert.deepEqual(fewer[0], points[0]);
  assert.deepEqual(fewer.at(-1), points.at(-1));
  const heights = (all) => all.map((point) => point[1]);
  assert.equal(Math.max(...heights(fewer)), Math.max(...heights(points)));
  assert.equal(Math.min(...heights(fewer)), Math.min(...heights(points)));
  for (let i = 1; i < fewer.length; ++i) assert.ok(fewer[i - 1][0] < fewer[i][0]);
});

test('no peak is lost, wherever it is', () => {
  for (const at of [0, 1, 59, 60, 3000, 5954]) {
    const points = Array.from({length: 5955}, (_, i) => [i, i === at ? 1 : 0]);
    assert.deepEqual(
      thinned(points, 100).filter((point) => point[1] === 1),
      [[at, 1]],
    );
  }
});
