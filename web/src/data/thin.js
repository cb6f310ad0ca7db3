// Fewer points of a long curve that look the same.

const DRAWN = 1000; // runs: more than a card has pixels, nearly

/**
 * Of each of `buckets` runs of points the first, the lowest, the highest and the last: a line through them is what a
 * line through all is, wherever a run is narrower than a pixel. The curve's ends are ends of runs, and stay.
 */
export function thinned(points, buckets = DRAWN) {
  if (points.length <= 4 * buckets) return points;
  const kept = [];
  for (let bucket = 0; bucket < buckets; ++bucket) {
    const from = Math.floor((bucket * points.length) / buckets);
    const to = Math.floor(((bucket + 1) * points.length) / buckets) - 1;
    let [low, high] = [from, from];
    for (let i = from; i <= to; ++i) {
      if (points[i][1] < points[low][1]) low = i;
      if (points[i][1] > points[high][1]) high = i;
    }
    for (const i of [...new Set([from, low, high, to])].sort((a, b) => a - b)) kept.push(points[i]);
  }
  return kept;
}
