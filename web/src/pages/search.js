// The best designs of a search.
import {barsHeight, barsOption} from '../charts/bars.js';
import {chartCard} from '../charts/chart.js';
import {convergenceCard} from '../charts/search/convergence.js';
import {parallelCard} from '../charts/search/parallel.js';
import {paretoCard} from '../charts/search/pareto.js';
import {axesOf, best, metricsOf, objectivesOf, trialColumns, trialsOf} from '../charts/search/trials.js';
import {number} from '../data/number.js';
import {nameOfKey, show} from '../data/units.js';
import {card} from '../ui/card.js';
import {frame} from '../ui/frame.js';
import {headline} from '../ui/headline.js';
import {sideBySideCard} from '../ui/side_by_side.js';
import {dataTable} from '../ui/table.js';

const SIDE_BY_SIDE = 5;
const REASONS_DRAWN = 12;

/** The Pareto front if it has several designs, else the best few by the objective. */
function bestCard(page, result) {
  const [objective] = objectivesOf(result);
  const several = (result.pareto?.length ?? 0) > 1;
  const designs = best(several ? result.pareto : trialsOf(result), objective).slice(0, SIDE_BY_SIDE);
  if (designs.length === 0) return;
  const rows = [
    ...axesOf(result).map((axis) => ({
      name: axis.key,
      values: designs.map((trial) => trial.settings?.[axis.key] ?? null),
    })),
    ...metricsOf(result).map((metric) => ({
      name: metric.name,
      unit: metric.unit,
      values: designs.map((trial) => trial.metrics?.[metric.key] ?? null),
    })),
    {name: 'bound by', values: designs.map((trial) => trial.bound_by ?? null)},
  ].map((row) => ({
    ...row,
    values: row.values.map((value) =>
      typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value,
    ),
  }));
  sideBySideCard(page, {
    title: 'Best designs',
    columns: designs.map((_, index) => `${index + 1}.`),
    rows,
    note: `${several ? 'The Pareto front' : `The designs with the smallest ${objective.name}`}, side by side. Differences are marked.`,
  });
}

/** Reasons, most frequent first: [{limit, detail, designs}]. */
function infeasibleCard(page, infeasible) {
  const rows = (infeasible ?? []).map(({limit, detail, designs}) => ({
    name: `${limit}: ${detail}`,
    limit,
    detail,
    value: designs,
  }));
  if (rows.length === 0) return;
  const drawn = rows.slice(0, REASONS_DRAWN);
  chartCard(page, {
    title: 'Why designs are infeasible',
    note: 'Number of designs by reason. If a limit is exceeded by some amount, the smallest excess is shown.',
    height: barsHeight(drawn.length),
    table: {
      columns: [
        {title: 'limit', value: (row) => row.limit},
        {title: 'reason', value: (row) => row.detail},
        {title: 'designs', value: (row) => row.value},
      ],
      rows,
    },
    option: (colours) => barsOption(colours, drawn, {name: 'designs', of: 'reason'}),
  });
}

export function searchPage(root, result) {
  const objectives = objectivesOf(result);
  const [objective] = objectives;
  const page = frame(root, {
    verb: 'search',
    title: result.name || 'Search',
    facts: [
      result.description,
      `method ${result.method}`,
      ...(result.objectives ?? []).map((key) => `minimize ${nameOfKey(key)}`),
    ],
    version: result.cairn_version ?? '',
  });
  headline(page, [
    objective && result.best
      ? {
          label: `best ${objective.name}`,
          value: show(result.best.metrics?.[objective.key], objective.unit),
          detail: result.best.bound_by ? `bound by ${result.best.bound_by}` : null,
        }
      : {label: 'best', value: 'none', detail: 'no design is feasible'},
    {
      label: 'designs tried',
      value: show(result.evaluations),
      detail:
        number(result.evaluations_per_s) !== null
          ? `${show(result.evaluations_per_s, '', 3)} per second`
          : null,
    },
    // With one objective, the front is the best design.
    objectives.length > 1 ? {label: 'on the Pareto front', value: show(result.pareto?.length ?? 0)} : null,
    {
      label: 'infeasible',
      value: show((result.infeasible ?? []).reduce((total, reason) => total + (number(reason.designs) ?? 0), 0)),
    },
    number(result.pruned) ? {label: 'pruned', value: show(result.pruned)} : null,
    result.stopped
      ? {label: 'stopped', value: 'before the end', detail: `${show(result.not_tried ?? 0)} designs not tried`}
      : null,
  ]);
  paretoCard(page, result);
  convergenceCard(page, result);
  parallelCard(page, result);
  bestCard(page, result);
  infeasibleCard(page, result.infeasible);
  const trials = trialsOf(result);
  if (trials.length > 0)
    card(page, {title: 'Trials', note: 'Every design tried.', wide: true}, (body) =>
      body.append(dataTable(trialColumns(result), trials, {label: 'trials', filter: true, first: 15})),
    );
}
