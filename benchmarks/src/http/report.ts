import type { Mode } from '../servers/payload.ts';
import { median, medianRatio } from '../statistics.ts';
import { short, table } from '../table.ts';
import type { Target } from '../targets.ts';
import { targetTable } from '../targets.ts';
import { contestants, namesOf } from './contestants.ts';
import type { ContestantName } from './contestants.ts';
import { connectionCounts } from './measured.ts';
import type { Connections, Measured, Sample } from './measured.ts';

/** The results of the rounds as Markdown. */
export function httpReport(measured: readonly Measured[]): string {
  const busiest = Math.max(...measured.flatMap(({ samples }) => samples.map(({ busy }) => busy)));

  function rowOf(name: ContestantName, mode: Mode, connections: Connections): Measured {
    const found = measured.find((one) => one.name === name && one.mode === mode && one.connections === connections);
    if (!found) throw new Error(`${name} was not measured`);
    return found;
  }
  const valuesOf = (name: ContestantName, mode: Mode, connections: Connections, field: keyof Sample): number[] =>
    rowOf(name, mode, connections).samples.map((sample) => sample[field]);

  function modeTable(mode: Mode): string {
    const head = [
      mode === 'create' ? 'replies/s (p50 / p99 ms)' : 'complete streams/s (p50 / p99 ms)',
      ...connectionCounts.map((count) => `${count} connection${count === 1 ? '' : 's'}`),
      '÷ raw at 16',
      'first byte at 1, ms',
      'server CPU at 16, µs',
      'memory, MB',
      'body, bytes',
    ];
    const rows = namesOf(mode).map((name) => {
      const of = (connections: Connections, field: keyof Sample) => valuesOf(name, mode, connections, field);
      const middle = (connections: Connections, field: keyof Sample) => short(median(of(connections, field)));
      return [
        contestants[name].title,
        ...connectionCounts.map(
          (count) => `${middle(count, 'rate')} (${middle(count, 'p50')} / ${middle(count, 'p99')})`,
        ),
        short(medianRatio(of(16, 'rate'), valuesOf('raw', mode, 16, 'rate'))),
        middle(1, 'firstByte'),
        middle(16, 'cpu'),
        short(Math.max(...connectionCounts.flatMap((count) => of(count, 'rss'))) / 1e6),
        String(rowOf(name, mode, 1).bytes),
      ];
    });
    return table(head, rows);
  }

  function targets(a: ContestantName, b: ContestantName, mode: Mode, atLeast: number): Target[] {
    return connectionCounts.map((connections) => ({
      what: `${a} ÷ ${b}, ${mode === 'create' ? 'non-streamed' : 'streamed'}, ${connections} connection${connections === 1 ? '' : 's'}`,
      wanted: { atLeast },
      unit: '×',
      reached: medianRatio(valuesOf(a, mode, connections, 'rate'), valuesOf(b, mode, connections, 'rate')),
    }));
  }
  const direct = valuesOf('raw', 'stream', 1, 'firstByte');
  const later = valuesOf('forwarding', 'stream', 1, 'firstByte').map((ms, round) => ms - (direct[round] ?? NaN));
  return [
    '### Non-streamed responses',
    modeTable('create'),
    '### Streamed responses of 100 chunks',
    modeTable('stream'),
    `At its busiest, the load generator used ${short(busiest * 100)} % of one core.`,
    '### Targets of the server',
    targetTable([
      ...targets('embedded', 'raw', 'create', 0.6),
      ...targets('embedded', 'raw', 'stream', 1),
      ...targets('forwarding', 'portkey', 'create', 3),
      ...targets('forwarding', 'portkey', 'stream', 3),
      {
        what: 'first byte later than from the upstream itself, 1 connection',
        wanted: { below: 1 },
        unit: 'ms',
        reached: median(later),
      },
    ]),
  ].join('\n\n');
}
