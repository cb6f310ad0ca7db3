// Predictions against measurements.
import {errorsCard, parityCard, worstCard} from '../charts/parity.js';
import {percent, show} from '../data/units.js';
import {card} from '../ui/card.js';
import {frame} from '../ui/frame.js';
import {headline} from '../ui/headline.js';
import {dataTable} from '../ui/table.js';

function groupsCard(page, groups) {
  if (!groups?.length) return;
  const part = (title, key) => ({
    title,
    unit: '%',
    value: (group) => group[key],
    text: (group) => percent(group[key]),
    numeric: true,
  });
  card(page, {title: 'Groups', note: 'Errors by kind of case.', wide: true}, (body) =>
    body.append(
      dataTable(
        [
          {title: 'group', value: (group) => group.group, wide: true},
          {title: 'cases', value: (group) => group.cases},
          part('mean', 'mean_abs_error'),
          part('median', 'median_abs_error'),
          part('90th percentile', 'p90_abs_error'),
          part('worst', 'max_abs_error'),
          part('bias', 'bias'),
          {title: 'correlation', value: (group) => group.correlation, numeric: true},
        ],
        groups,
        {label: 'groups', first: 30},
      ),
    ),
  );
}

export function validatePage(root, result) {
  const cases = result.cases ?? [];
  const page = frame(root, {
    verb: 'validate',
    title: `${result.kind} on ${result.device ?? result.platform ?? 'measured hardware'}`,
    facts: [
      result.file,
      result.calibrated_on ? `calibrated on ${result.calibrated_on}` : null,
      ...(result.changed_since ?? []).map((what) => `changed since: ${what}`),
    ],
    version: result.cairn_version ?? '',
  });
  headline(page, [
    {label: 'mean error', value: percent(result.mean_abs_error), detail: `of ${show(cases.length)} cases`},
    {label: 'median', value: percent(result.median_abs_error)},
    {label: '90th percentile', value: percent(result.p90_abs_error)},
    {label: 'worst', value: percent(result.max_abs_error)},
    {label: 'bias', value: percent(result.bias)},
    {label: 'correlation', value: show(result.correlation, '', 5)},
  ]);
  parityCard(page, cases);
  errorsCard(page, {cases});
  worstCard(page, cases);
  groupsCard(page, result.groups);
}
