// Our results against a paper's claims, or questions of our own.
import {answersCard, claimsCard, countMarks, ratiosCard} from '../charts/claims.js';
import {figureCard} from '../charts/figure.js';
import {number} from '../data/number.js';
import {show} from '../data/units.js';
import {card} from '../ui/card.js';
import {folded} from '../ui/folded.js';
import {frame} from '../ui/frame.js';
import {headline} from '../ui/headline.js';
import {dataTable} from '../ui/table.js';

function tableOf(rows) {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return dataTable(
    keys.map((key) => ({title: key, value: (row) => row[key] ?? null})),
    rows,
    {label: 'table', first: 50},
  );
}

function tablesCard(page, tables, findings) {
  const named = Object.entries(tables ?? {}).filter(([, rows]) => rows.length > 0);
  const found = Object.entries(findings ?? {}).map(([name, value]) => ({name, value}));
  if (found.length > 0) named.push(['all findings', found]);
  if (named.length === 0) return;
  card(page, {title: 'Tables', note: 'Every number of the study.', wide: true}, (body) =>
    body.append(
      ...named.map(([name, rows]) => folded(`${name.replaceAll('_', ' ')} (${rows.length})`, () => tableOf(rows))),
    ),
  );
}

export function studyPage(root, result) {
  const claims = result.claims ?? [];
  const counts = countMarks(claims);
  const page = frame(root, {
    verb: 'study',
    title: result.title || result.name || result.study,
    facts: [result.description, result.source],
    version: result.cairn_version ?? '',
  });
  const judged = counts.holds + counts.fails;
  const ours = !claims.some((claim) => number(claim.published) !== null);
  headline(page, [
    ours
      ? {label: 'questions', value: show(counts.unstated), detail: 'of our own'}
      : {
          label: 'claims that hold',
          value: `${counts.holds} of ${judged}`,
          detail: 'with a published number',
        },
    ours ? null : {label: 'not reproduced', value: show(counts.fails)},
    ours || counts.unstated === 0
      ? null
      : {label: 'not stated', value: show(counts.unstated), detail: 'the paper gives no number'},
    counts.absent > 0
      ? {label: 'absent', value: show(counts.absent), detail: 'not part of this run'}
      : null,
  ]);
  ratiosCard(page, claims);
  if (ours) answersCard(page, claims);
  else claimsCard(page, claims);
  for (const figure of result.figures ?? []) figureCard(page, figure);
  tablesCard(page, result.tables, result.findings);
}
