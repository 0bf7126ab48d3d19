import { spawnChild } from '../child.ts';
import { openArena } from '../http/arena.ts';
import type { Contestant } from '../http/contestants.ts';
import type { Mode } from '../http/payload.ts';
import { connectionCounts, runRounds } from '../http/rounds.ts';
import type { Connections, Measured, Sample } from '../http/rounds.ts';
import { median, medianRatio } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Calls, Starts, TestingQuestion } from './worker.ts';

export const testServers: readonly Contestant[] = [
  { name: 'testing', server: 'testing', title: '**Modelwire**, test server', modes: ['create', 'stream'] },
  { name: 'aimock', server: 'aimock', title: '`@copilotkit/aimock`', modes: ['create', 'stream'] },
];

/** The test server and aimock: starts, calls without a connection, and the load of the servers' section. */
export async function testingSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const starts = { modelwire: [] as Starts[], aimock: [] as Starts[] };
  const calls: Calls[] = [];
  const rounds = quick ? 1 : 5;
  for (let round = 0; round < rounds; round++) {
    for (const who of ['modelwire', 'aimock'] as const) {
      starts[who].push(await asked<Starts>({ start: who, times: 11 }));
      say(`round ${round + 1}: ${who} starts: ${JSON.stringify(starts[who].at(-1))}`);
    }
    calls.push(await asked<Calls>({ calls: quick ? 2000 : 10_000 }));
    say(`round ${round + 1}: without a connection: ${JSON.stringify(calls.at(-1))}`);
  }
  const arena = await openArena(testServers);
  try {
    const length = quick
      ? { rounds: 1, ms: 300, warmUpMs: 100, compileMs: 500 }
      : { rounds: 5, ms: 1200, warmUpMs: 200, compileMs: 4000 };
    const measured = await runRounds(arena, { ...length, say });
    return report(measured, starts, calls);
  } finally {
    await arena.close();
  }
}

/** In a separate process, so that each start is the first one. */
async function asked<Answer>(question: TestingQuestion): Promise<Answer> {
  const child = spawnChild(new URL('./worker.ts', import.meta.url), []);
  try {
    return await child.ask<Answer>(question);
  } finally {
    await child.stop();
  }
}

function report(
  measured: readonly Measured[],
  starts: Readonly<Record<'modelwire' | 'aimock', readonly Starts[]>>,
  calls: readonly Calls[],
): string {
  const of = (name: string, mode: Mode, connections: Connections, field: keyof Sample): number[] =>
    measured
      .filter(
        ({ entry, ...one }) => entry.contestant.name === name && entry.mode === mode && one.connections === connections,
      )
      .flatMap(({ samples }) => samples.map((sample) => sample[field]));
  const faster = (mode: Mode, connections: Connections): number =>
    medianRatio(of('testing', mode, connections, 'rate'), of('aimock', mode, connections, 'rate'));
  const modes = [
    ['create', 'non-streamed responses/s'],
    ['stream', 'streams of 100 chunks/s'],
  ] as const;
  const startOf = (who: 'modelwire' | 'aimock', which: keyof Starts): string =>
    short(median(starts[who].map((one) => one[which])));
  const first = median(starts.modelwire.map((one) => one.first));
  const perSecond = median(calls.map((one) => one.perSecond));
  return [
    table(
      ['', 'connections', '**Modelwire**', '`aimock`', 'Modelwire ÷ aimock', 'CPU, µs', 'CPU of aimock, µs'],
      modes.flatMap(([mode, title]) =>
        connectionCounts.map((count) => [
          title,
          String(count),
          short(median(of('testing', mode, count, 'rate'))),
          short(median(of('aimock', mode, count, 'rate'))),
          `${short(faster(mode, count))} ×`,
          short(median(of('testing', mode, count, 'cpu'))),
          short(median(of('aimock', mode, count, 'cpu'))),
        ]),
      ),
    ),
    table(
      ['starts, ms', 'first in a process', 'CPU time of the first', 'others'],
      [
        [
          '**Modelwire**, test server',
          startOf('modelwire', 'first'),
          startOf('modelwire', 'firstCpu'),
          startOf('modelwire', 'later'),
        ],
        ['`@copilotkit/aimock`', startOf('aimock', 'first'), startOf('aimock', 'firstCpu'), startOf('aimock', 'later')],
      ],
    ),
    `Without a connection, caller and server on one core: ${short(perSecond)} calls/s, ${short(median(calls.map(({ cpu }) => cpu)))} µs of CPU time each.`,
    targetTable([
      { what: 'start of the test server, first in a process', wanted: { below: 50 }, unit: 'ms', reached: first },
      ...connectionCounts.map((count) => ({
        what: `non-streamed responses ÷ \`aimock\`, ${count} connection${count === 1 ? '' : 's'}`,
        wanted: { atLeast: 1 },
        unit: '×' as const,
        reached: faster('create', count),
      })),
      ...modes.map(([mode, title]) => ({
        what: `CPU time of \`aimock\` ÷ ours, ${title.replace('/s', '')}, 16 connections`,
        wanted: { atLeast: 1 },
        unit: '×' as const,
        reached: medianRatio(of('aimock', mode, 16, 'cpu'), of('testing', mode, 16, 'cpu')),
      })),
      { what: 'a call without a connection, one core', wanted: { below: 1 }, unit: 'ms', reached: 1000 / perSecond },
    ]),
  ].join('\n\n');
}
