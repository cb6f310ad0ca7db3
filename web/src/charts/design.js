// Every value of the design, by --set key.
import {card} from '../ui/card.js';
import {folded} from '../ui/folded.js';
import {dataTable} from '../ui/table.js';

export function designCard(page, design) {
  const rows = Object.entries(design ?? {}).map(([key, value]) => ({key, value}));
  if (rows.length === 0) return null;
  const table = () =>
    dataTable(
      [
        {title: 'key', value: (row) => row.key, wide: true, code: true},
        {title: 'value', value: (row) => row.value, wide: true, text: (row) => String(row.value ?? ''), numeric: false},
      ],
      rows,
      {label: 'values of the design', filter: true, first: rows.length},
    );
  return card(
    page,
    {title: 'The design', note: 'Every value by its --set key, including the files that the design names.', wide: true},
    (body) => body.append(folded(`${rows.length} ${rows.length === 1 ? 'value' : 'values'}`, table)),
  );
}
