import type { LoadAnswer } from '../load.ts';
import { median, medianRatio } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';

/** What a load answered, with the CPU time of the gateway for each request in microseconds. */
type WithCpu = LoadAnswer & { readonly cpu: number };

interface Sample {
  /** Whole replies over one connection, and over sixteen. */
  readonly one: WithCpu;
  readonly many: WithCpu;
  readonly oneStream: WithCpu;
  readonly manyStreams: WithCpu;
}

export interface Measured {
  readonly title: string;
  readonly samples: Sample[];
}

export interface Memory {
  /** Bytes of resident memory before the requests, and at most during them. */
  readonly idle: number;
  readonly peak: number;
  readonly failed: number;
}

const isRust = (title: string) => title.includes('(Rust)') || title.includes('(Go)');
const ours = '**Modelwire**';

export function gatewaysReport(
  measured: readonly Measured[],
  /** Milliseconds from the start of each to its first reply. */
  starts: ReadonlyMap<string, number>,
  memory: ReadonlyMap<string, Memory>,
  missing: readonly string[],
): string {
  const [direct, ...gateways] = measured;
  const of = ({ samples }: Measured, value: (sample: Sample) => number) => samples.map(value);
  const middle = (one: Measured, value: (sample: Sample) => number) => short(median(of(one, value)));
  /** What the gateway adds to the upstream itself, within each round. */
  const added = (one: Measured, value: (sample: Sample) => number) =>
    short(median(of(one, value).map((given, round) => given - (direct ? (of(direct, value)[round] ?? NaN) : NaN))));

  const rates = table(
    [
      'before the same upstream',
      'requests/s at 16',
      'CPU per request, µs',
      'added p50 / p99 at 1, ms',
      'streams/s at 16',
      'CPU per stream, µs',
      'added first byte at 1, ms',
    ],
    measured.map((one) => [
      one.title,
      middle(one, ({ many }) => many.rate),
      ...(one === direct
        ? ['', '', middle(one, ({ manyStreams }) => manyStreams.rate), '', '']
        : [
            middle(one, ({ many }) => many.cpu),
            `${added(one, (sample) => sample.one.p50)} / ${added(one, (sample) => sample.one.p99)}`,
            middle(one, ({ manyStreams }) => manyStreams.rate),
            middle(one, ({ manyStreams }) => manyStreams.cpu),
            added(one, ({ oneStream }) => oneStream.firstByte),
          ]),
    ]),
  );
  const megabytes = (bytes: number) => short(bytes / 2 ** 20);
  const memories = table(
    ['', 'first reply after its start, s', 'idle, MB', '1,500 requests of 150 kB at once, MB', 'failed of them'],
    [...memory].map(([title, { idle, peak, failed }]) => [
      title,
      short((starts.get(title) ?? NaN) / 1000),
      megabytes(idle),
      megabytes(peak),
      String(failed),
    ]),
  );
  const leftOut = missing.length === 0 ? [] : [`Not installed, and left out: ${missing.join(', ')}.`];
  return [rates, memories, targetTable(targets(gateways, memory)), ...leftOut].join('\n\n');
}

function targets(gateways: readonly Measured[], memory: ReadonlyMap<string, Memory>): Target[] {
  const us = gateways.find(({ title }) => title === ours);
  const cpu = (one: Measured | undefined) => one?.samples.map(({ many }) => many.cpu) ?? [];
  const peak = (title: string) => memory.get(title)?.peak ?? NaN;
  const others = gateways.filter((one) => one !== us && !isRust(one.title));
  return [
    ...others.map((one): Target => ({
      what: `CPU per request, ${one.title} ÷ Modelwire`,
      wanted: { atLeast: 3 },
      unit: '×',
      reached: medianRatio(cpu(one), cpu(us)),
    })),
    ...gateways
      .filter(({ title }) => title.startsWith('sglang-router'))
      .map((one): Target => ({
        what: `CPU per request, Modelwire ÷ ${one.title}`,
        wanted: { atMost: 1.25 },
        unit: '×',
        reached: medianRatio(cpu(us), cpu(one)),
      })),
    ...others.map((one): Target => ({
      what: `memory with 1,500 requests, Modelwire ÷ ${one.title}`,
      wanted: { below: 1 },
      unit: '×',
      reached: peak(ours) / peak(one.title),
    })),
    { what: 'memory with 1,500 requests', wanted: { below: 1000 }, unit: 'MB', reached: peak(ours) / 2 ** 20 },
  ];
}
