// Why two results differ.
import {waterfallCard} from '../charts/waterfall.js';
import {number} from '../data/number.js';
import {nameOfKey, percent, show, unitOfKey} from '../data/units.js';
import {frame} from '../ui/frame.js';
import {headline} from '../ui/headline.js';
import {sideBySideCard} from '../ui/side_by_side.js';

/** Single values of a result, those of its breakdown too. */
function values(result) {
  const flat = {};
  for (const [key, value] of Object.entries(result)) {
    if (value !== null && typeof value === 'object') {
      if (!Array.isArray(value)) for (const [inner, leaf] of Object.entries(value)) if (leaf === null || typeof leaf !== 'object') flat[`${key}.${inner}`] = leaf;
    } else {
      flat[key] = value;
    }
  }
  return flat;
}

export function comparePage(root, result) {
  const names = [result.a?.name || result.a?.file || 'a', result.b?.name || result.b?.file || 'b'];
  // Two results of one name are still two.
  const [a, b] = [result.a ?? {}, result.b ?? {}].map((side, index) => ({...side, name: names[0] === names[1] ? `${names[index]} (${'ab'[index]})` : names[index]}));
  const page = frame(root, {
    verb: 'compare', title: `${a.name} → ${b.name}`, facts: [result.description], version: result.cairn_version ?? '', command: result.command,
  });
  const [before, after] = [number(a.step_time_s), number(b.step_time_s)];
  headline(page, [
    {label: 'step time', value: `${after < before ? '' : '+'}${percent(after / before - 1)}`, detail: after < before ? `${show(before / after)} times as fast` : after > before ? `${show(after / before)} times as slow` : 'the same'},
    {label: a.name, value: show(before, 's'), detail: a.bound_by ? `bound by ${a.bound_by}` : null},
    {label: b.name, value: show(after, 's'), detail: b.bound_by ? `bound by ${b.bound_by}` : null},
  ]);
  waterfallCard(page, {...result, a, b});
  if (result.settings?.length) {
    sideBySideCard(page, {title: 'What was changed', columns: [a.name, b.name], rows: result.settings.map((entry) => ({name: entry.key, values: [entry.a, entry.b]}))});
  }
  const [left, right] = [values(result.a ?? {}), values(result.b ?? {})];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((key) => key !== 'name');
  sideBySideCard(page, {
    title: 'Side by side', columns: [a.name, b.name],
    rows: keys.map((key) => ({name: nameOfKey(key.replace('.', ': ')), unit: unitOfKey(key), values: [left[key], right[key]]})),
  });
}
