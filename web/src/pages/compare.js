// Explains why two results differ.
import {axisEnds, barsHeight, barsOption} from '../charts/bars.js';
import {chartCard} from '../charts/chart.js';
import {toldApart} from '../charts/links.js';
import {timeName, timeOf, waterfallCard} from '../charts/waterfall.js';
import {drawable, greatest, number} from '../data/number.js';
import {nameOfKey, percent, show, unitOfKey} from '../data/units.js';
import {card} from '../ui/card.js';
import {frame} from '../ui/frame.js';
import {headline} from '../ui/headline.js';
import {sideBySideCard} from '../ui/side_by_side.js';
import {dataTable} from '../ui/table.js';

/** Scalar values of a result, including its breakdown. */
function values(result) {
  const flat = {};
  for (const [key, value] of Object.entries(result)) {
    if (value !== null && typeof value === 'object') {
      if (!Array.isArray(value))
        for (const [inner, leaf] of Object.entries(value))
          if (leaf === null || typeof leaf !== 'object') flat[`${key}.${inner}`] = leaf;
    } else {
      flat[key] = value;
    }
  }
  return flat;
}

const FEW_SETTINGS = 15;
// Relative to the longer time: smaller differences are rounding.
const ROUNDING = 1e-9;

/** Difference of compute time by kind of operator. */
function computeCard(page, parts, [first, second], longer) {
  const rounded = (by) => (Math.abs(drawable(by) ?? Infinity) < longer * ROUNDING ? 0 : by);
  const rows = (parts ?? []).map((part) => ({
    name: part.part,
    value: rounded(part.difference_s),
    lines: [
      [first, show(part.a_s, 's')],
      [second, show(part.b_s, 's')],
    ],
    colour: (colours) => (number(part.difference_s) > 0 ? colours.bad : colours.good),
  }));
  if (!rows.some((row) => Math.abs(number(row.value)) > 0)) return;
  chartCard(page, {
    title: 'Compute, by kind of operator',
    note: 'Difference in kernel time.',
    height: barsHeight(rows.length),
    table: {
      columns: [
        {title: 'kind', value: (part) => part.part},
        {title: first, unit: 's', value: (part) => part.a_s},
        {title: second, unit: 's', value: (part) => part.b_s},
        {title: 'difference', unit: 's', value: (part) => part.difference_s},
      ],
      rows: parts,
    },
    option: (colours, width) =>
      barsOption(colours, rows, {name: 'difference', unit: 's', of: 'kind', ...axisEnds(rows, width)}),
  });
}

function linkUseCard(page, links, [first, second]) {
  if (!links?.length) return;
  const part = (title, key) => ({
    title,
    unit: '%',
    value: (link) => link[key],
    text: (link) => percent(link[key]),
    numeric: true,
  });
  card(page, {title: 'Resources', note: 'Utilization.'}, (body) =>
    body.append(
      dataTable(
        [
          {title: 'resource', value: (link) => link.name, wide: true},
          part(first, 'a_utilization'),
          part(second, 'b_utilization'),
        ],
        toldApart(links),
        {label: 'resources', first: 15},
      ),
    ),
  );
}

/** A value of a design, by its --set key; others are summary settings of the result. */
function isOfDesign({key}) {
  return key.includes('.');
}

/** Settings are text; those of a key with a unit, such as size_B, are numbers. */
function valueOf(key, text) {
  if (text === '') return null;
  return unitOfKey(key) !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function settingsCard(page, settings, [first, second]) {
  if (settings.length === 0) return;
  const part = (title, key) => ({
    title,
    value: (setting) => setting[key],
    text: (setting) => (setting[key] === '' ? '–' : String(setting[key])),
    numeric: false,
    wide: true,
  });
  const note = `${settings.length} ${settings.length === 1 ? 'value' : 'values'} of the designs, by --set key; – if a design lacks it.`;
  card(page, {title: 'Design differences', note, wide: true}, (body) =>
    body.append(
      dataTable(
        [{title: 'key', value: (setting) => setting.key, wide: true, code: true}, part(first, 'a'), part(second, 'b')],
        settings,
        {label: 'settings', filter: settings.length > FEW_SETTINGS, first: FEW_SETTINGS},
      ),
    ),
  );
}

export function comparePage(root, result) {
  const names = [result.a?.name || result.a?.file || 'a', result.b?.name || result.b?.file || 'b'];
  // Results with the same name are told apart by letter.
  const [a, b] = [result.a ?? {}, result.b ?? {}].map((side, index) => ({
    ...side,
    name: names[0] === names[1] ? `${names[index]} (${'ab'[index]})` : names[index],
  }));
  const page = frame(root, {
    verb: 'compare',
    title: `${a.name} → ${b.name}`,
    facts: [result.description],
    version: result.cairn_version ?? '',
  });
  const [before, after] = [number(timeOf(a)), number(timeOf(b))];
  headline(page, [
    {
      label: timeName(a),
      value: `${after < before ? '' : '+'}${percent(after / before - 1)}`,
      detail:
        after < before
          ? `${show(before / after)} times as fast`
          : after > before
            ? `${show(after / before)} times as slow`
            : 'the same',
    },
    {label: a.name, value: show(before, 's'), detail: a.bound_by ? `bound by ${a.bound_by}` : null},
    {label: b.name, value: show(after, 's'), detail: b.bound_by ? `bound by ${b.bound_by}` : null},
  ]);
  waterfallCard(page, {...result, a, b});
  computeCard(page, result.compute, [a.name, b.name], greatest([before, after]));
  const [left, right] = [values(result.a ?? {}), values(result.b ?? {})];
  const settings = result.settings ?? [];
  for (const {key, a: before, b: after} of settings.filter((setting) => !isOfDesign(setting))) {
    left[key] ??= valueOf(key, before);
    right[key] ??= valueOf(key, after);
  }
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((key) => key !== 'name');
  sideBySideCard(page, {
    title: 'Side by side',
    columns: [a.name, b.name],
    rows: keys.map((key) => ({
      name: nameOfKey(key.replace('.', ': ')),
      unit: unitOfKey(key),
      values: [left[key], right[key]],
    })),
  });
  linkUseCard(page, result.links, [a.name, b.name]);
  settingsCard(page, settings.filter(isOfDesign), [a.name, b.name]);
}
