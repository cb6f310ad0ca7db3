// Which links have rows in a timeline: all, or the busiest of them.
import {number} from '../../data/number.js';
import {toldApart} from '../links.js';
import {rowOf} from './rows.js';

/** Rows are "device 0 -> switch 0", or that and who draws on it after a comma. */
function linkOf(label, names) {
  if (names.has(label)) return label;
  for (let at = label.lastIndexOf(', '); at > 0; at = label.lastIndexOf(', ', at - 1))
    if (names.has(label.slice(0, at))) return label.slice(0, at);
  return null;
}

/** `links`: of the result. Empty if rows cannot be matched with links. */
export function linksNote(spans, links) {
  const labels = new Set(spans.filter((span) => span.kind === 'link').map(rowOf));
  if (labels.size === 0) return '';
  const used = toldApart(links ?? []).filter((link) => link.kind === 'link' && number(link.carried_B) !== 0);
  const names = new Set(used.map((link) => link.name));
  const found = new Set([...labels].map((label) => linkOf(label, names)));
  if (found.has(null)) return '';
  // A collective has one row for parallel links, which share a name.
  const plain = new Set((links ?? []).map((link) => link.name));
  const apart = [...found].some((name) => !plain.has(name));
  const total = apart ? names.size : [...names].filter((name) => plain.has(name)).length;
  if (found.size === total) return ' All links with traffic have rows; identical links share one.';
  return ` Only the busiest ${found.size} of ${total.toLocaleString('en-US')} links have rows; identical links share one.`;
}
