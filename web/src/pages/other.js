// A result of a verb that this page does not know: its numbers, plainly.
import {card} from '../ui/card.js';
import {frame} from '../ui/frame.js';
import {dataTable} from '../ui/table.js';

export function otherPage(root, result) {
  const page = frame(root, {
    verb: result.verb ?? 'result',
    title: result.name ?? 'Result',
    facts: [],
    version: result.cairn_version ?? '',
  });
  const plain = Object.entries(result).filter(([, value]) => typeof value !== 'object');
  card(page, {title: 'Values', wide: true}, (body) =>
    body.append(
      dataTable(
        [
          {title: 'key', value: ([key]) => key},
          {title: 'value', value: ([, value]) => value},
        ],
        plain,
        {label: 'Values'},
      ),
    ),
  );
}
