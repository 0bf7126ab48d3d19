import { table } from '../table.ts';
import { simulate } from './simulation.ts';
import type { SimulationOptions, SimulationResult } from './simulation.ts';

const size = { upstreams: 1000, conversations: 1_000_000, requests: 300_000 };
const runs: readonly SimulationOptions[] = [
  { ...size, policy: 'affinity', replicas: 1 },
  { ...size, policy: 'affinity', replicas: 100 },
  { ...size, policy: 'affinity', replicas: 100, minimumInFlight: 1 },
  { ...size, policy: 'weighted', replicas: 1 },
];

function nameOf({ policy, replicas, minimumInFlight }: SimulationOptions): string {
  const minimum = minimumInFlight === undefined ? '' : `, minimumInFlight ${minimumInFlight}`;
  return `${policy}, replicas: ${replicas}${minimum}`;
}

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;
const columns: readonly (readonly [head: string, cell: (result: SimulationResult) => string])[] = [
  ['hit rate', ({ hitRate }) => percent(hitRate)],
  ['at the upstream of their key', ({ preferredRate }) => percent(preferredRate)],
  ['largest share of requests, fair is 1', ({ largestShare }) => largestShare.toFixed(2)],
  ['largest load, mean is 1', ({ largestLoad }) => largestLoad.toFixed(2)],
  ['keys moved by a failure', ({ movedPerFailure }) => percent(movedPerFailure)],
  ['of them from other upstreams', ({ movedFromOthers }) => percent(movedFromOthers)],
  ['changes for each incident', ({ changesPerIncident }) => changesPerIncident?.toFixed(2) ?? 'none noticed'],
  ['seconds until keys are back', ({ secondsUntilBack }) => secondsUntilBack?.toFixed(0) ?? '–'],
];

const rows = runs.map((options) => {
  const startedAt = process.cpuUsage().user;
  const result = simulate(options);
  const seconds = (process.cpuUsage().user - startedAt) / 1e6;
  return [nameOf(options), ...columns.map(([, cell]) => cell(result)), seconds.toFixed(1)];
});
console.log(table(['policy', ...columns.map(([head]) => head), 'seconds of CPU'], rows));
