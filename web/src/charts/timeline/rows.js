// Spans of a timeline, in rows: one for each device and stream or link, by time.
import {number} from '../../data/number.js';

const ROW_OF_KIND = {
  kernel: 'compute',
  recomputation: 'compute',
  offload: 'copy out',
  prefetch: 'copy in',
  collective: 'collectives',
  background: 'background',
  link: 'links',
};
const ORDER = ['compute', 'copy in', 'copy out'];

/** 'devices 0-7' of a class, or as well as it can be said. */
function groupName(result, device) {
  const given = result.device_classes?.[device]?.name;
  if (given) return given;
  const members = result.simulated_classes?.[device];
  const classes = result.simulated_classes?.length ?? 1;
  if (members > 1) return classes > 1 ? `class ${device}: ${members} devices` : `${members} devices alike`;
  return `device ${device}`;
}

function rank(label) {
  const at = ORDER.indexOf(label);
  return at >= 0 ? at : label === 'background' ? 90 : label.startsWith('link') ? 95 : 50;
}

/** [{group, label, header, spans: indices, begin, end, reach}], of spans that have a beginning and an end. */
export function timelineRows(result) {
  const spans = result.timeline;
  const rows = new Map();
  spans.forEach((span, index) => {
    const begin = number(span.begin_s ?? span.start_s);
    const end = number(span.end_s);
    if (!Number.isFinite(begin) || !Number.isFinite(end)) return;
    const device = span.device_class ?? span.device ?? 0;
    const label = span.row ?? span.stream ?? span.channel ?? ROW_OF_KIND[span.kind] ?? span.kind ?? 'other';
    const key = `${device}\n${label}`;
    if (!rows.has(key)) rows.set(key, {device, label, spans: []});
    rows.get(key).spans.push(index);
  });
  const ordered = [...rows.values()].sort(
    (a, b) => compare(a.device, b.device) || rank(a.label) - rank(b.label) || compare(a.label, b.label),
  );
  const rowsOfAll = [];
  ordered.forEach((row, index) => {
    const group = groupName(result, row.device);
    // Above the rows of a device its name, as a row of its own.
    if (index === 0 || ordered[index - 1].device !== row.device)
      rowsOfAll.push({...filled({...row, spans: []}, spans, group), label: group, header: true});
    rowsOfAll.push(filled(row, spans, group));
  });
  return rowsOfAll;
}

function compare(a, b) {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en', {numeric: true});
}

function beginOf(span) {
  return number(span.begin_s ?? span.start_s);
}

/** Typed arrays, by beginning; reach[i] is the latest end of the spans up to i, so that it can be bisected. */
function filled(row, spans, group) {
  const order = Uint32Array.from(row.spans).sort((a, b) => beginOf(spans[a]) - beginOf(spans[b]) || a - b);
  const begin = Float64Array.from(order, (index) => beginOf(spans[index]));
  const end = Float64Array.from(order, (index) => number(spans[index].end_s));
  const reach = Float64Array.from(end);
  for (let i = 1; i < reach.length; ++i) reach[i] = Math.max(reach[i], reach[i - 1]);
  return {
    group,
    label: String(row.label).replace(/^link: /, ''),
    header: false,
    spans: order,
    begin,
    end,
    reach,
  };
}

/** The first i from `low` on for which values[i] > limit. */
export function firstAbove(values, limit, low = 0) {
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The span of a row at a time, or the nearest within `slack`; -1 if there is none. */
export function spanAt(row, time, slack) {
  let best = -1;
  let distance = slack;
  for (
    let i = firstAbove(row.reach, time - slack);
    i < row.begin.length && row.begin[i] <= time + slack;
    ++i
  ) {
    const away = Math.max(row.begin[i] - time, time - row.end[i], 0);
    if (away <= distance) {
      best = i;
      distance = away;
      if (away === 0) break;
    }
  }
  return best;
}
