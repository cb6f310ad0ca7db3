// A button that saves the result as a file.
import {make} from './dom.js';

/** `text` is called on demand. */
export function downloadButton(name, text) {
  return make(
    'button',
    {
      type: 'button',
      class: 'download',
      onclick: () => {
        const address = URL.createObjectURL(new Blob([text()], {type: 'application/json'}));
        make('a', {href: address, download: name}).click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
      },
    },
    'Download JSON',
  );
}
