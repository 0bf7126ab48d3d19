import { median, medianRatio } from '../statistics.ts';
import { short, table } from '../table.ts';
import type { Target } from '../targets.ts';
import { targetTable } from '../targets.ts';
import type { Arena } from './arena.ts';
import type { Mode } from './payload.ts';
import { connectionCounts } from './rounds.ts';
import type { Connections, Measured, Sample } from './rounds.ts';

/** The results of the rounds as Markdown. */
export function httpReport(measured: readonly Measured[], out: Arena['out']): string {
  const busiest = Math.max(...measured.flatMap(({ samples }) => samples.map(({ busy }) => busy)));
  const ceiling = valuesOf(measured, 'ceiling', 'create', 16, 'rate');
  return [
    '### Non-streamed responses',
    modeTable(measured, 'create'),
    '### Streamed responses of 100 chunks',
    modeTable(measured, 'stream'),
    ...out.map(({ contestant, why }) => `Not measured: ${contestant.title}: ${why.split('\n', 1)[0] ?? ''}`),
    `The load generator alone reaches ${short(median(ceiling))} requests/s at 16 connections against bare sockets; at its busiest it used ${short(busiest * 100)} % of one core.`,
    '### Targets of the server',
    targetTable(serverTargets(measured)),
  ].join('\n\n');
}

function modeTable(measured: readonly Measured[], mode: Mode): string {
  const rows = measured.filter(({ entry, connections }) => entry.mode === mode && connections === 1);
  const head = [
    mode === 'create' ? 'replies/s (p50 / p99 ms)' : 'complete streams/s (p50 / p99 ms)',
    ...connectionCounts.map((count) => `${count} connection${count === 1 ? '' : 's'}`),
    '÷ raw at 16',
    ...(mode === 'stream' ? ['first byte at 1, ms'] : []),
    'server CPU at 16, µs',
    'memory, MB',
    'body, bytes',
  ];
  return table(
    head,
    rows.map(({ entry: { contestant, bytes } }) => {
      const of = (connections: Connections, field: keyof Sample) =>
        valuesOf(measured, contestant.name, mode, connections, field);
      return [
        contestant.title,
        ...connectionCounts.map((count) => {
          const [rate, p50, p99] = (['rate', 'p50', 'p99'] as const).map((field) => short(median(of(count, field))));
          return `${rate ?? ''} (${p50 ?? ''} / ${p99 ?? ''})`;
        }),
        short(medianRatio(of(16, 'rate'), valuesOf(measured, 'raw', mode, 16, 'rate'))),
        ...(mode === 'stream' ? [short(median(of(1, 'firstByte')))] : []),
        short(median(of(16, 'cpu'))),
        short(Math.max(...connectionCounts.flatMap((count) => of(count, 'rss'))) / 1e6),
        String(bytes),
      ];
    }),
  );
}

function serverTargets(measured: readonly Measured[]): Target[] {
  const ratio = (a: string, b: string, mode: Mode, connections: Connections): number =>
    medianRatio(valuesOf(measured, a, mode, connections, 'rate'), valuesOf(measured, b, mode, connections, 'rate'));
  const target = (
    what: string,
    a: string,
    b: string,
    mode: Mode,
    atLeast: number,
    counts: readonly Connections[] = connectionCounts,
  ): Target[] =>
    counts.map((connections) => ({
      what: `${what}, ${mode === 'create' ? 'non-streamed' : 'streamed'}, ${connections} connection${connections === 1 ? '' : 's'}`,
      wanted: { atLeast },
      unit: '×',
      reached: ratio(a, b, mode, connections),
    }));
  const through = valuesOf(measured, 'forwarding', 'stream', 1, 'firstByte');
  const direct = valuesOf(measured, 'raw', 'stream', 1, 'firstByte');
  return [
    ...target('embedded ÷ raw `node:http`', 'embedded', 'raw', 'create', 0.6, [1, 16]),
    ...target('embedded ÷ raw `node:http`', 'embedded', 'raw', 'create', 0.65, [64]),
    ...target('embedded ÷ raw `node:http`', 'embedded', 'raw', 'stream', 1),
    ...target('forwarding ÷ Portkey', 'forwarding', 'portkey', 'create', 3),
    ...target('forwarding ÷ Portkey', 'forwarding', 'portkey', 'stream', 3),
    {
      what: 'first byte later than from the upstream itself, 1 connection',
      wanted: { below: 1 },
      unit: 'ms',
      reached: median(through.map((ms, round) => ms - (direct[round] ?? NaN))),
    },
  ];
}

function valuesOf(
  measured: readonly Measured[],
  name: string,
  mode: Mode,
  connections: Connections,
  field: keyof Sample,
): number[] {
  const found = measured.find(
    (one) => one.entry.contestant.name === name && one.entry.mode === mode && one.connections === connections,
  );
  return found?.samples.map((sample) => sample[field]) ?? [];
}
