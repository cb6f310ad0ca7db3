// Numbers of a result. JSON has no NaN and no infinity: they come as texts.

const WORDS = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/** A number (maybe not finite), or null for what is absent or is no number. */
export function number(value) {
  if (typeof value === 'number') return value;
  return WORDS.has(value) ? WORDS.get(value) : null;
}

export function isFinite(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

/** For charts, which leave a gap where there is nothing to draw. */
export function drawable(value) {
  const found = number(value);
  return isFinite(found) ? found : null;
}

/** On a log axis there is nothing at or below 0. */
export function positive(value) {
  const found = drawable(value);
  return found !== null && found > 0 ? found : null;
}

/** Numbers that are there but cannot be drawn: NaN and infinities. */
export function countUndrawable(values) {
  return values.filter((value) => number(value) !== null && !isFinite(number(value))).length;
}

export function sum(values) {
  return values.reduce((total, value) => total + (drawable(value) ?? 0), 0);
}

/** The greatest that can be drawn; `otherwise` if there is none. No spread: lists may be long. */
export function greatest(values, otherwise = 0) {
  let best = -Infinity;
  for (const value of values) {
    const found = drawable(value);
    if (found !== null && found > best) best = found;
  }
  return best === -Infinity ? otherwise : best;
}

export function least(values, otherwise = 0) {
  return -greatest(
    values.map((value) => {
      const found = drawable(value);
      return found === null ? null : -found;
    }),
    -otherwise,
  );
}
