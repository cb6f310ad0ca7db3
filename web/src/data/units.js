// Units chosen for people: 56.35 ms, 1.981 GB, 52.2 %. Four significant digits, and us for microseconds, as the program
// prints.
import {number} from './number.js';

const PREFIXES = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'u'],
  [1e-9, 'n'],
  [1e-12, 'p'],
];

// A prefix of an area is squared with it: 1 mm² is 1e-6 m².
const SQUARED = [
  [1, ''],
  [1e-6, 'm'],
  [1e-12, 'u'],
];

// What has no small or no large prefixes: nobody says kiloseconds or millibytes.
const RANGE = {
  s: [1e-12, 1],
  B: [1, 1e18],
  'B/s': [1, 1e18],
  'flop/s': [1, 1e18],
  flop: [1, 1e18],
  MAC: [1, 1e18],
  '': [1, 1e18],
  USD: [1, 1e9],
};

/** By the end of a key: step_time_s is in seconds. */
const SUFFIXES = [
  ['_Bps', 'B/s'],
  ['_per_s', '1/s'],
  ['_per_J', '1/J'],
  ['_flops', 'flop/s'],
  ['_USD', 'USD'],
  ['_m2', 'm²'],
  ['_Hz', 'Hz'],
  ['_s', 's'],
  ['_B', 'B'],
  ['_J', 'J'],
  ['_W', 'W'],
  ['_V', 'V'],
];

export function unitOfKey(key) {
  const found = SUFFIXES.find(([suffix]) => key.endsWith(suffix));
  return found ? found[1] : '';
}

/** "step_time_s" -> "step time". */
export function nameOfKey(key) {
  const found = SUFFIXES.find(([suffix, unit]) => key.endsWith(suffix) && !unit.startsWith('1/'));
  return (found ? key.slice(0, -found[0].length) : key).replaceAll('_', ' ');
}

function digits(value, significant) {
  return Number(value.toPrecision(significant)).toString().replace('-', '−');
}

function notFinite(value) {
  if (Number.isNaN(value)) return 'not a number';
  return value > 0 ? 'infinite' : '−infinite';
}

/** The prefix in which `value` has one to three digits before its point: {factor, unit}. */
export function scaleFor(value, unit) {
  const [low, high] = RANGE[unit] ?? [1e-12, 1e18];
  const size = Math.abs(value);
  const prefixes = unit === 'm²' ? SQUARED : PREFIXES;
  const usable = prefixes.filter(([factor]) => factor >= low && factor <= high);
  // 0.9999996 s is 1 s, not 1000 ms.
  const found = usable.find(([factor]) => size >= factor * 0.9999995) ?? usable[usable.length - 1];
  const [factor, prefix] = size > 0 && Number.isFinite(size) ? found : [1, ''];
  return {factor, unit: prefix + unit};
}

/** "56.35 ms"; "–" for what is absent. */
export function show(value, unit = '', significant = 4) {
  const found = number(value);
  if (found === null) return '–';
  if (!Number.isFinite(found)) return notFinite(found);
  if (unit === '%') return percent(found);
  if (unit === '' || unit === '1/s' || unit === '1/J') {
    const size = Math.abs(found);
    const text =
      size !== 0 && (size >= 1e9 || size < 1e-4)
        ? found.toExponential(significant - 1).replace('-', '−')
        : digits(found, significant);
    const grouped =
      size >= 1e4 && size < 1e9 ? Math.round(found).toLocaleString('en-US').replace('-', '−') : text;
    return unit === '' ? grouped : `${grouped} ${unit}`;
  }
  const scale = scaleFor(found, unit);
  return `${digits(found / scale.factor, significant)} ${scale.unit}`;
}

/** A ratio as percents: "52.2 %". */
export function percent(value, places = 1) {
  const found = number(value);
  if (found === null) return '–';
  if (!Number.isFinite(found)) return notFinite(found);
  // What rounds to 0 has no sign.
  const text = (found * 100).toFixed(places);
  return `${Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−')} %`;
}
