import { median, medianRatio } from '../statistics.ts';
import { short, table } from '../table.ts';
import type { Target } from '../targets.ts';
import { targetTable } from '../targets.ts';
import { filterNames, filters } from './filters.ts';
import { kindTitles } from './kinds.ts';
import { writerCounts } from './measure.ts';
import type { KindMeasured, SizeMeasured, Subject } from './measure.ts';
import type { OverHttp } from './over-http.ts';
import { ways } from './over-http.ts';
import type { Latency } from './worker.ts';

const subjects: readonly (readonly [Subject, string])[] = [
  ...filterNames.map((name) => [name, filters[name].title] as const),
  ['get', 'retrieve by ID'],
  ...writerCounts.map((count) => [`append ${count}`, `append, ${count} writer${count === 1 ? '' : 's'}`] as const),
];

/** The results of the rounds as Markdown. */
export function storeReport(measured: readonly KindMeasured[], overHttp: OverHttp): string {
  return [
    ...measured.flatMap((kind) => [`### ${kindTitles[kind.kind]}`, kindTable(kind), ...leftOut(kind)]),
    '### `store: true` over HTTP',
    table(
      ['create at 16 connections', 'p50, ms', 'p99, ms', 'replies/s', 'server CPU, µs'],
      ways.map((way) => [
        way === 'stored' ? '`store: true`' : '`store: false`',
        ...(['p50', 'p99', 'rate', 'cpu'] as const).map((field) =>
          short(median(overHttp[way].map((sample) => sample[field]))),
        ),
      ]),
    ),
    '### Targets of the stores',
    targetTable(measured.flatMap(sqliteTargets)),
  ].join('\n\n');
}

function kindTable({ sizes }: KindMeasured): string {
  const [smallest] = sizes;
  const larger = sizes.slice(1);
  return table(
    [
      'p50 / p99, ms',
      ...sizes.map(({ size }) => `${powerOf(size)} completions`),
      ...larger.map(({ size }) => `p50 of ${powerOf(size)} ÷ ${powerOf(smallest?.size ?? NaN)}`),
    ],
    [
      ...subjects.map(([subject, title]) => [
        title,
        ...sizes.map((one) => `${short(median(of(one, subject, 'p50')))} / ${short(median(of(one, subject, 'p99')))}`),
        ...larger.map((one) => short(growth(one, smallest, subject))),
      ]),
      [
        'appends/s, 16 writers',
        ...sizes.map((one) => short(median(of(one, 'append 16', 'rate')))),
        ...larger.map((one) =>
          short(medianRatio(of(one, 'append 16', 'rate'), smallest ? of(smallest, 'append 16', 'rate') : [])),
        ),
      ],
      ['appends/s while filling, 64 writers', ...sizes.map(({ fillRate }) => short(fillRate)), ...larger.map(() => '')],
      [
        'opening, median / longest, ms',
        ...sizes.map(({ opens }) => `${short(median(opens))} / ${short(Math.max(...opens))}`),
        ...larger.map(({ opens }) => short(median(opens) / median(smallest?.opens ?? []))),
      ],
    ],
  );
}

function leftOut({ leftOut: sizes }: KindMeasured): string[] {
  return sizes.map((size) => `Not measured: ${powerOf(size)} completions, which took too long to write.`);
}

function sqliteTargets({ kind, sizes }: KindMeasured): Target[] {
  const [smallest] = sizes;
  const largest = sizes.at(-1);
  if (kind !== 'sqlite' || !largest) return [];
  const at = `SQLite at ${powerOf(largest.size)}`;
  return [
    ...filterNames
      .filter((name) => name !== 'none')
      .flatMap((name): Target[] => [
        {
          what: `${at}, ${filters[name].title} ÷ at ${powerOf(smallest?.size ?? NaN)}`,
          wanted: { atMost: 1.5 },
          unit: '×',
          reached: growth(largest, smallest, name),
        },
        {
          what: `${at}, ${filters[name].title}, p50`,
          wanted: { below: 2 },
          unit: 'ms',
          reached: median(of(largest, name, 'p50')),
        },
      ]),
    { what: `${at}, opening`, wanted: { below: 200 }, unit: 'ms', reached: median(largest.opens) },
  ];
}

function growth(one: SizeMeasured, smallest: SizeMeasured | undefined, subject: Subject): number {
  return medianRatio(of(one, subject, 'p50'), smallest ? of(smallest, subject, 'p50') : []);
}

function of({ samples }: SizeMeasured, subject: Subject, field: keyof Latency): number[] {
  return samples.get(subject)?.map((latency) => latency[field]) ?? [];
}

function powerOf(size: number): string {
  const digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
  return `10${digits[Math.round(Math.log10(size))] ?? ''}`;
}
