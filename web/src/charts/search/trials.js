// The trials of a search as rows of numbers and text.
import {drawable, number} from '../../data/number.js';
import {nameOfKey, unitOfKey} from '../../data/units.js';

/** Why a design is infeasible; one that exceeds a limit of the search is feasible by itself. */
export function reasonOf(trial) {
  return trial.limit ? `infeasible: ${trial.limit}: ${trial.detail ?? ''}` : 'exceeds a limit of the search';
}

export function isFeasible(trial) {
  return trial.feasible !== false;
}

/** Every design tried, or those in the result. */
export function trialsOf(result) {
  return result.trials?.length
    ? result.trials
    : result.pareto?.length
      ? result.pareto
      : result.best
        ? [result.best]
        : [];
}

/** [{key, name, unit}] */
export function metricsOf(result) {
  const keys = (result.metrics ?? []).map((metric) => metric.name);
  const known = keys.length > 0 ? keys : Object.keys(trialsOf(result).find(isFeasible)?.metrics ?? {});
  return known.map((key) => ({key, name: nameOfKey(key), unit: unitOfKey(key)}));
}

export function objectivesOf(result) {
  const metrics = metricsOf(result);
  const chosen = (result.objectives ?? [])
    .map((key) => metrics.find((metric) => metric.key === key))
    .filter(Boolean);
  return chosen.length > 0 ? chosen : metrics.slice(0, 1);
}

/** "0.50 mm" -> 0.50; words have no number. */
function leading(value) {
  if (number(value) !== null) return number(value);
  const found = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.exec(String(value ?? '').trim());
  return found ? Number(found[0]) : null;
}

/** Variables: [{key, name, categories or null}]; numeric if all trials have numbers. */
export function axesOf(result) {
  const trials = trialsOf(result);
  const keys = (result.axes ?? []).map((axis) => axis.name);
  const known = keys.length > 0 ? keys : Object.keys(trials[0]?.settings ?? {});
  return known.map((key) => {
    const values = trials
      .map((trial) => trial.settings?.[key])
      .filter((value) => value !== undefined && value !== null);
    const numeric = values.length > 0 && values.every((value) => leading(value) !== null);
    return {
      key,
      name: shortName(key, known),
      categories: numeric
        ? null
        : [...new Set(values.map(String))].sort((a, b) => a.localeCompare(b, 'en', {numeric: true})),
    };
  });
}

export function settingOf(trial, axis) {
  const value = trial.settings?.[axis.key];
  if (value === undefined || value === null) return null;
  return axis.categories ? String(value) : leading(value);
}

/** The shortest end of a key that is unique. */
function shortName(key, keys) {
  const parts = key.split('.');
  for (let count = 1; count < parts.length; ++count) {
    const end = parts.slice(-count).join('.');
    if (keys.filter((other) => other === end || other.endsWith(`.${end}`)).length === 1) return end;
  }
  return key;
}

/** Columns of a table of trials. */
export function trialColumns(result) {
  return [
    ...axesOf(result).map((axis) => ({title: axis.name, value: (trial) => settingOf(trial, axis)})),
    ...metricsOf(result).map((metric) => ({
      title: metric.name,
      unit: metric.unit,
      value: (trial) => trial.metrics?.[metric.key] ?? null,
      numeric: true,
    })),
    {
      title: 'bound by',
      value: (trial) => (isFeasible(trial) ? (trial.bound_by ?? '') : reasonOf(trial)),
    },
  ];
}

/** Pareto front of two numbers, sorted by the first. */
export function front(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  let least = Infinity;
  return sorted.filter((point) => {
    const better = point.y < least;
    least = Math.min(least, point.y);
    return better;
  });
}

export function best(trials, metric) {
  return trials
    .filter((trial) => isFeasible(trial) && drawable(trial.metrics?.[metric.key]) !== null)
    .sort((a, b) => a.metrics[metric.key] - b.metrics[metric.key]);
}
