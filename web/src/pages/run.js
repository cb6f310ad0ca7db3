// A training step: its time and bottleneck.
import {breakdownCard} from '../charts/breakdown.js';
import {collectivesCard} from '../charts/collectives.js';
import {designCard} from '../charts/design.js';
import {elasticitiesCard} from '../charts/elasticities.js';
import {linksCard} from '../charts/links.js';
import {memoryCard} from '../charts/memory.js';
import {operatorsCard} from '../charts/operators.js';
import {platformCard} from '../charts/platform/platform.js';
import {rooflineCard} from '../charts/roofline.js';
import {timelineCard} from '../charts/timeline/timeline.js';
import {number} from '../data/number.js';
import {percent, show} from '../data/units.js';
import {frame} from '../ui/frame.js';
import {headline} from '../ui/headline.js';

export function runPage(root, result) {
  const devices = number(result.devices);
  const page = frame(root, {
    verb: 'run',
    title: result.name || `${result.model} on ${devices > 1 ? `${devices} × ` : ''}${result.device}`,
    facts: [
      result.description,
      result.model && result.model !== 'model' ? `model ${result.model}` : null,
      `${show(devices)} × ${result.device}`,
      `connected by ${result.platform}`,
      `strategy ${result.strategy}`,
      result.cuts?.length > 0 ? `pipeline stages begin at ${result.cuts.join(', ')}` : null,
      `batch ${show(result.batch)}`,
      result.endpoint ? `endpoint ${result.endpoint}` : null,
    ],
    version: result.cairn_version ?? '',
  });
  const overflow = number(result.overflow_B) > 0;
  headline(page, [
    {
      label: 'step time',
      value: show(result.step_time_s, 's'),
      detail: result.error_bar !== undefined ? `± ${percent(result.error_bar)} mean error` : null,
    },
    {label: 'bound by', value: result.bound_by ?? '–'},
    {label: 'utilization', value: percent(result.utilization), detail: 'model FLOPs utilization (MFU)'},
    {label: 'throughput', value: show(result.samples_per_s), detail: 'samples/s'},
    {
      label: 'peak memory',
      value: show(result.peak_memory_B, 'B'),
      detail: `${overflow ? 'exceeds capacity: ' : ''}${percent(number(result.peak_memory_B) / number(result.capacity_B))} of ${show(result.capacity_B, 'B')}`,
    },
    {
      label: 'energy',
      value: show(result.energy_J, 'J'),
      detail: result.energy_from ? `from ${result.energy_from}` : null,
    },
  ]);
  breakdownCard(page, result);
  memoryCard(page, result);
  timelineCard(page, result, {length: result.step_time_s});
  platformCard(page, result.platform_graph, result.platform);
  linksCard(page, result.links);
  collectivesCard(page, result.collectives);
  rooflineCard(page, result);
  elasticitiesCard(page, result.elasticities);
  operatorsCard(page, result.operators);
  designCard(page, result.design);
}
