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
/** The row of the start-up time, which is not a span of the result. */
export const START_UP = 'before the first message';

const FEW_LINKS = 24; // rows of links of a device that are shown one by one

/** As the chart names the row of a span. */
export function rowOf(span) {
  return labelOf(span).replace(LINK, '');
}

const LINK = /^link: /;

function labelOf(span) {
  return String(span.row ?? span.stream ?? span.channel ?? ROW_OF_KIND[span.kind] ?? span.kind ?? 'other');
}

/** Name of a device class. */
function groupName(result, device) {
  const given = result.device_classes?.[device]?.name;
  if (given) return given;
  const members = result.simulated_classes?.[device];
  const classes = result.simulated_classes?.length ?? 1;
  if (members > 1) return classes > 1 ? `class ${device}: ${members} devices` : `${members} identical devices`;
  return `device ${device}`;
}

function rank({label, links}) {
  const at = ORDER.indexOf(label);
  return links ? 95 : at >= 0 ? at : label === 'background' ? 90 : 50;
}

/** Lanes of one row, which overlap in time: "x", "x (2)", "x (3)". Links of one name are different links. */
function laneOf(label) {
  return LINK.test(label) ? null : (/^(.*) \(\d+\)$/s.exec(label)?.[1] ?? null);
}

/**
 * [{group, label, header, spans: indices, begin, end, reach, lanes?: rows, key}], of spans that have a beginning and an
 * end. A row with lanes holds all of their spans. Links are in the result's order, busiest first; many of them are
 * lanes of one row.
 * options: {linksFirst: rows of links above the others}
 */
export function timelineRows(result, {linksFirst = false} = {}) {
  const spans = result.timeline;
  const rows = new Map();
  spans.forEach((span, index) => {
    const begin = number(span.begin_s ?? span.start_s);
    const end = number(span.end_s);
    if (!Number.isFinite(begin) || !Number.isFinite(end)) return;
    const device = span.device_class ?? span.device ?? 0;
    const label = labelOf(span);
    const key = `${device}\n${label}`;
    if (!rows.has(key)) rows.set(key, {key, device, label, spans: [], links: true});
    rows.get(key).spans.push(index);
    if (span.kind !== 'link') rows.get(key).links = false;
  });
  const first = (row) => (row.label === START_UP ? 0 : linksFirst && row.links ? 1 : 2);
  const ordered = [...rows.values()].sort(
    (a, b) =>
      first(a) - first(b) ||
      compare(a.device, b.device) ||
      rank(a) - rank(b) ||
      (a.links ? 0 : compare(a.label, b.label)),
  );
  const linksOf = new Map(); // how many rows, by device
  for (const row of ordered) if (row.links) linksOf.set(row.device, (linksOf.get(row.device) ?? 0) + 1);
  const rowsOfAll = [];
  const named = new Map(); // by key, rows that others may be lanes of
  ordered.forEach((row, index) => {
    const group = row.label === START_UP ? 'all devices' : groupName(result, row.device);
    // Above the rows of a device its name, as a row of its own.
    const before = ordered[index - 1];
    if (row.label !== START_UP && (before?.device !== row.device || first(before) !== first(row)))
      rowsOfAll.push({...filled({...row, spans: []}, spans, group), label: group, header: true});
    const made = filled(row, spans, group);
    const links = row.links ? linksOf.get(row.device) : 0;
    const many = links > FEW_LINKS ? `${row.device}\n${links} rows of links` : null;
    const whole = named.get(many ?? `${row.device}\n${laneOf(row.label)}`);
    if (many && !whole) {
      const all = {...made, key: many, label: `${links} rows of links`, lanes: [made], named: true};
      named.set(many, all);
      rowsOfAll.push(all);
    } else if (whole) {
      whole.lanes ??= [whole];
      whole.lanes.push(made);
    } else {
      named.set(row.key, made);
      rowsOfAll.push(made);
    }
  });
  return rowsOfAll.map((row) => (row.lanes ? folded(row, spans) : row));
}

/** All spans of its lanes in one row, and how many are concurrent. */
function folded(row, spans) {
  const indices = row.lanes.flatMap((lane) => [...lane.spans]);
  const ends = [...row.lanes.flatMap((lane) => [...lane.end])].sort((a, b) => a - b);
  const all = filled({key: row.key, label: row.label, spans: indices}, spans, row.group);
  const [at, count] = [[], []];
  for (let [i, j, now] = [0, 0, 0]; j < ends.length; ) {
    const time = i < all.begin.length && all.begin[i] <= ends[j] ? all.begin[i] : ends[j];
    while (j < ends.length && ends[j] <= time) ((now -= 1), (j += 1));
    while (i < all.begin.length && all.begin[i] <= time) ((now += 1), (i += 1));
    at.push(time);
    count.push(now);
  }
  const lanes = row.lanes.map((lane, index) => ({
    ...lane,
    lanes: null,
    label: row.named ? lane.label : `lane ${index + 1}`,
    lane: true,
  }));
  return {...all, lanes, named: row.named, busy: {at: Float64Array.from(at), count: Uint32Array.from(count)}};
}

/** The rows that are seen: lanes only of those whose keys are open. */
export function shownRows(rows, open) {
  return rows.flatMap((row) => (row.lanes && open.has(row.key) ? [row, ...row.lanes] : [row]));
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
    key: row.key,
    group,
    label: String(row.label).replace(LINK, ''),
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
