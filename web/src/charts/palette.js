// Colours of charts, from the style sheet, where they are kept for both themes.
import {colour} from '../ui/theme.js';

/** Colour-blind-safe palette (after Okabe and Ito). */
export function palette() {
  return {
    text: colour('text'),
    muted: colour('muted'),
    line: colour('line'),
    panel: colour('panel'),
    accent: colour('accent'),
    good: colour('good'),
    bad: colour('bad'),
    series: Array.from({length: 8}, (_, index) => colour(`series-${index + 1}`)),
    compute: colour('series-1'),
    communication: colour('series-2'),
    memory: colour('series-3'),
    idle: colour('series-8'),
    heat: Array.from({length: 5}, (_, index) => colour(`heat-${index}`)),
  };
}

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** A colour between those of `scale`, for a part between 0 and 1. */
export function mix(scale, part) {
  const at = Math.min(Math.max(part, 0), 1) * (scale.length - 1);
  const low = Math.min(Math.floor(at), scale.length - 2);
  const from = channels(scale[low]);
  const to = channels(scale[low + 1]);
  return `rgb(${from.map((value, index) => Math.round(value + (to[index] - value) * (at - low))).join(',')})`;
}
