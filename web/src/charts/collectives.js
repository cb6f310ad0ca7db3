// The collectives of a step, with algorithm and protocol.
import {card} from '../ui/card.js';
import {dataTable} from '../ui/table.js';

export function collectivesCard(page, collectives) {
  if (!Array.isArray(collectives) || collectives.length === 0) return;
  card(page, {title: 'Collectives', wide: true}, (body) =>
    body.append(
      dataTable(
        [
          {title: 'operation', value: (entry) => entry.op},
          {title: 'size', unit: 'B', value: (entry) => entry.size_B},
          {title: 'count', value: (entry) => entry.count},
          {title: 'algorithm', value: (entry) => entry.algorithm},
          {title: 'protocol', value: (entry) => entry.protocol ?? ''},
        ],
        collectives,
        {label: 'collectives of the step'},
      ),
    ),
  );
}
