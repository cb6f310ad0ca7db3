// The result as it is in the page: JSON whose long lists come by columns.
import {unpacked} from './unpack.js';

// Letters that turn the direction of the text around them: a name that has one could make its neighbours, or a number,
// read backwards. A canvas and the title of a window know no isolation, so each is shown as the escape that it is.
const ANY = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\\u(?:061c|200[ef]|202[a-e]|206[6-9])/i;
// One by one, with other escapes: in "\\u202e" the first backslash is the text's own.
const EACH = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\\u(?:061c|200[ef]|202[a-e]|206[6-9])|\\./gi;

/** JSON whose texts have six letters, as \u202e, in place of each letter that turns text. */
export function withoutTurns(json) {
  if (!ANY.test(json)) return json;
  return json.replace(EACH, (found) => {
    if (found.length === 2) return found; // another escape, as of a quote
    const code = found.length === 1 ? found.charCodeAt(0).toString(16).padStart(4, '0') : found.slice(2).toLowerCase();
    return `\\\\u${code}`;
  });
}

export function readResult(json) {
  return unpacked(JSON.parse(withoutTurns(json)));
}

/** What the page says about its result: {title?, command?, date?, shown?}. */
export function readAbout(json) {
  const about = JSON.parse(withoutTurns(json));
  return about !== null && typeof about === 'object' ? about : {};
}

/** The result as --json --detail prints it, for other programs. */
export function wholeResult(json) {
  return `${JSON.stringify(unpacked(JSON.parse(json)), null, 2)}\n`;
}
