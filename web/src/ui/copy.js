// A button that copies a table as CSV.
import {make} from './dom.js';

/** `text` is called on demand. */
export function copyButton(text) {
  const button = make(
    'button',
    {
      type: 'button',
      class: 'copy',
      onclick: async () => {
        const done = await copy(text());
        button.textContent = done ? 'Copied' : 'Not copied';
        setTimeout(() => {
          button.textContent = 'Copy CSV';
        }, 1500);
      },
    },
    'Copy CSV',
  );
  return button;
}

/** Not every browser lets a file use its clipboard; then through a selection. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make('textarea', {class: 'off-screen', 'aria-hidden': 'true'});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
