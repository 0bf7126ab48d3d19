import { table } from '../table.ts';
import { simulateIdleCapacity } from './idle-capacity.ts';
import { simulateJobs } from './jobs.ts';
import { simulate } from './simulation.ts';
import type { SimulationOptions, SimulationResult } from './simulation.ts';
import { simulateTurns } from './turns.ts';

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;

/** A table with a row for each run, and how much CPU it took. */
function tableOf<Options, Result>(
  what: string,
  runs: readonly Options[],
  nameOf: (options: Options) => string,
  run: (options: Options) => Result,
  columns: readonly (readonly [head: string, cell: (result: Result) => string])[],
): string {
  const rows = runs.map((options) => {
    const startedAt = process.cpuUsage().user;
    const result = run(options);
    const seconds = (process.cpuUsage().user - startedAt) / 1e6;
    return [nameOf(options), ...columns.map(([, cell]) => cell(result)), seconds.toFixed(1)];
  });
  return table([what, ...columns.map(([head]) => head), 'seconds of CPU'], rows);
}

function routing(): string {
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
  return tableOf('policy', runs, nameOf, simulate, columns);
}

function turns(): string {
  const size = { upstreams: 2, users: 16, turns: 8, runs: 1000 };
  return tableOf(
    'minimumInFlight',
    [8, 10, 12, 16].map((minimumInFlight) => ({ ...size, minimumInFlight })),
    ({ minimumInFlight }) => String(minimumInFlight),
    simulateTurns,
    [
      ['turns at the upstream of the turn before', ({ stayRate }) => percent(stayRate)],
      ['runs in which all are', ({ runsThatStay }) => percent(runsThatStay)],
    ],
  );
}

function idleCapacity(): string {
  const engine = { slots: 64, interactiveShare: 0.05 };
  const idle = simulateIdleCapacity({ ...engine, lines: 0, count: 20_000 });
  const counts = [2000, 20_000] as const;
  const runs = counts.flatMap((count) => (['auto', 16, 64] as const).map((lines) => ({ ...engine, count, lines })));
  return tableOf(
    'lines at once',
    runs,
    ({ lines, count }) => `${lines}, ${count} lines`,
    (options) => {
      const alone = simulateIdleCapacity({ ...options, lines: 'auto', interactiveShare: 0 });
      return { ...simulateIdleCapacity(options), alone };
    },
    [
      ['first token, mean, idle is 1', ({ mean }) => (mean / idle.mean).toFixed(2)],
      ['first token, p99, idle is 1', ({ p99 }) => (p99 / idle.p99).toFixed(2)],
      ['lines per second', ({ rate }) => rate.toFixed(1)],
      ['of those alone with auto', ({ rate, alone }) => percent(rate / alone.rate)],
    ],
  );
}

function jobs(): string {
  const size = { batches: 1_000_000, projects: 1000, claims: 100_000 };
  const runs = [
    { ...size, replicas: 1, seconds: 60 },
    { ...size, replicas: 100, seconds: 600 },
    { ...size, replicas: 100, seconds: 60 },
    { ...size, replicas: 100, seconds: 10 },
  ];
  return tableOf(
    'replicas, duration of a batch',
    runs,
    ({ replicas, seconds }) => `${replicas}, ${seconds} s`,
    simulateJobs,
    [
      ['batches per second', ({ batchesPerSecond }) => batchesPerSecond.toFixed(2)],
      ['milliseconds to the next claim, p99', ({ claimMs }) => claimMs.toFixed(1)],
      ['processors of the database busy', ({ databaseBusy }) => percent(databaseBusy)],
      ['share of the project with half of the batches', ({ largestShare }) => percent(largestShare)],
      ['most of another project, mean is 1', ({ mostOfOthers }) => mostOfOthers.toFixed(2)],
      ['fewest of another project', ({ fewestOfOthers }) => fewestOfOthers.toFixed(2)],
    ],
  );
}

for (const section of [routing, turns, idleCapacity, jobs]) console.log(`${section()}\n`);
