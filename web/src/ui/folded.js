// A collapsed part whose content is built when opened. All are open when printed.
import {make} from './dom.js';

const all = new Set();
const opened = new Set(); // for paper alone

/** `content` gives an element. */
export function folded(summary, content) {
  const details = make('details', {}, make('summary', {}, summary));
  const fill = () => {
    if (details.children.length === 1) details.append(content());
  };
  details.addEventListener('toggle', () => {
    if (details.open) fill();
  });
  all.add({details, fill});
  return details;
}

/** The event of an opened part comes too late for paper. */
export function openForPaper() {
  for (const {details, fill} of all) {
    fill();
    if (!details.open) {
      details.open = true;
      opened.add(details);
    }
  }
}

export function closeAfterPaper() {
  for (const details of opened) details.open = false;
  opened.clear();
}
