import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import type { HostQuestion, Used } from '../http/host.ts';
import type { LoadAnswer } from '../http/load.ts';
import type { Mode } from '../http/payload.ts';
import { requestOf } from '../http/request.ts';
import type { Telemetry } from '../http/servers/modelwire.ts';
import type { Address } from '../http/servers/server.ts';
import { verify } from '../http/verify.ts';
import { median } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { measureScrapes } from './scrape.ts';
import type { ScrapeTimes } from './scrape.ts';
import type { ServerQuestion } from './server.ts';

const variants = [
  { telemetry: 'metrics', title: 'metrics', warmUpMs: 5000 },
  { telemetry: 'logging', title: 'metrics and log lines', warmUpMs: 5000 },
  // The code of traces runs for one request in ten and is optimized later: V8 optimizes its last function after 10 to 20 seconds.
  { telemetry: 'tracing', title: 'metrics, and traces of 10 % of the requests', warmUpMs: 25_000 },
] as const satisfies readonly { readonly telemetry: Telemetry; readonly title: string; readonly warmUpMs: number }[];
type Variant = (typeof variants)[number];

const requestKinds = [
  { title: 'non-streamed', isForwarded: false, mode: 'create' },
  { title: 'streamed, 100 chunks', isForwarded: false, mode: 'stream' },
  { title: 'forwarded, non-streamed', isForwarded: true, mode: 'create' },
] as const satisfies readonly { readonly title: string; readonly isForwarded: boolean; readonly mode: Mode }[];
type RequestKind = (typeof requestKinds)[number];

const connections = 16;

/** The measurements of a server in each round. Telemetry is off in two of them: their difference shows the error of the measurement. */
type Phase = 'off' | 'on' | 'offAgain';
/** All orders, so that each phase follows each other one equally often: some work is done after the phase that caused it. */
const orders: readonly (readonly Phase[])[] = [
  ['off', 'on', 'offAgain'],
  ['offAgain', 'on', 'off'],
  ['on', 'offAgain', 'off'],
  ['off', 'offAgain', 'on'],
  ['on', 'off', 'offAgain'],
  ['offAgain', 'off', 'on'],
];
/** Milliseconds at the start of a phase whose responses are not counted. */
const settleMs = 20;

interface Sample {
  /** Microseconds of the server's CPU time for each request, of all threads. */
  readonly cpu: number;
  /** Replies per second. */
  readonly rate: number;
}
const notMeasured: Sample = { cpu: NaN, rate: NaN };
type Round = Readonly<Record<Phase, Sample>>;

/** The rounds of one kind of request with one variant of telemetry. */
interface Series {
  readonly kind: RequestKind;
  readonly variant: Variant;
  /** The rounds of each set of processes. */
  readonly sets: Round[][];
}

interface RunLength {
  /** Number of sets of processes. */
  readonly sets: number;
  readonly rounds: number;
  readonly ms: number;
  /** Factor for the warm-up times. */
  readonly warmUpScale: number;
  readonly scrapes: number;
}

/**
 * The cost of metrics, logs and traces. The telemetry of a server is disabled and enabled while it runs, because two servers differ by several
 * percent for as long as they run, even in one process: their code is compiled at different times, and their heaps are laid out differently. A
 * round measures a server with telemetry on and off, in a different order each time, so that other load affects both.
 */
export async function observabilitySection(quick: boolean, say: (text: string) => void): Promise<string> {
  const length: RunLength = quick
    ? { sets: 1, rounds: 3, ms: 300, warmUpScale: 0.05, scrapes: 10 }
    : { sets: 3, rounds: 24, ms: 100, warmUpScale: 1, scrapes: 50 };
  const allSeries = requestKinds.flatMap((kind) => variants.map((variant): Series => ({ kind, variant, sets: [] })));
  const load = spawnChild(new URL('../http/load.ts', import.meta.url), []);
  try {
    for (let set = 0; set < length.sets; set++) {
      await measureSet(load, allSeries, length);
      say(`Set ${set + 1} of ${length.sets}: ${allSeries.map(summary).join(', ')}`);
    }
  } finally {
    await load.stop();
  }
  const scrapes = await measureScrapes(length.scrapes);
  say(
    `GET /metrics: ${short(scrapes.median)} ms, 95 % within ${short(scrapes.p95)} ms, ${short(scrapes.cpu)} ms of CPU time`,
  );
  return report(allSeries, scrapes);
}

/** A server in its own process. */
interface Server {
  readonly child: Child;
  readonly address: Address;
}

/** Measures each series with a server of its own, and adds the rounds as a new set. */
async function measureSet(load: Child, allSeries: readonly Series[], length: RunLength): Promise<void> {
  const receiver = spawnChild(new URL('./receiver.ts', import.meta.url), []);
  const raw = spawnChild(new URL('../http/host.ts', import.meta.url), ['raw']);
  try {
    const traceReceiver = await receiver.ask<string>({});
    const { url } = await raw.ask<Address>({ start: 'raw', upstream: '' } satisfies HostQuestion);
    for (const series of allSeries) {
      const upstream = series.kind.isForwarded ? url.replace('/chat/completions', '') : undefined;
      // Standard error is discarded, because it has the log lines.
      const child = spawnChild(new URL('./server.ts', import.meta.url), [], { quiet: true });
      try {
        const question: ServerQuestion = { telemetry: series.variant.telemetry, upstream, traceReceiver };
        const address = await child.ask<Address>(question);
        series.sets.push(await measureRounds({ child, address }, load, series, length));
      } finally {
        await child.stop();
      }
    }
  } finally {
    await Promise.all([receiver.stop(), raw.stop()]);
  }
}

async function measureRounds(
  server: Server,
  load: Child,
  { kind, variant }: Series,
  { rounds, ms, warmUpScale }: RunLength,
): Promise<Round[]> {
  await verify(requestOf({}, kind.mode, server.address), kind.mode);
  await sample(server, load, kind, 'off', 1000 * warmUpScale);
  await sample(server, load, kind, 'on', variant.warmUpMs * warmUpScale);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const samples = { off: notMeasured, on: notMeasured, offAgain: notMeasured };
    for (const phase of orders[round % orders.length] ?? [])
      samples[phase] = await sample(server, load, kind, phase, ms);
    measured.push(samples);
  }
  return measured;
}

async function sample(
  { child, address }: Server,
  load: Child,
  { mode }: RequestKind,
  phase: Phase,
  ms: number,
): Promise<Sample> {
  await child.ask({ isTelemetryEnabled: phase === 'on' } satisfies ServerQuestion);
  const used = async (): Promise<number> => (await child.ask<Used>({ used: true } satisfies ServerQuestion)).cpu;
  const before = await used();
  const { answered, rate } = await load.ask<LoadAnswer>({
    ...requestOf({}, mode, address),
    connections,
    warmUpMs: settleMs,
    ms,
  });
  return { cpu: ((await used()) - before) / answered, rate };
}

/** For each round of each set, the ratio of the measurement with telemetry to the mean of both without. */
function ratios({ sets }: Series, of: keyof Sample): number[][] {
  return sets.map((rounds) => rounds.map(({ off, on, offAgain }) => (2 * on[of]) / (off[of] + offAgain[of])));
}

/** For each round of each set, the ratio of the second measurement without telemetry to the first. */
function controlRatios({ sets }: Series, of: keyof Sample): number[][] {
  return sets.map((rounds) => rounds.map(({ off, offAgain }) => offAgain[of] / off[of]));
}

function summary(series: Series): string {
  const { kind, variant } = series;
  return `${kind.title}, ${variant.title}: CPU ÷ off ${withRange(ratios(series, 'cpu'))}, requests/s ÷ off ${withRange(ratios(series, 'rate'))}`;
}

/** The median of the sets of their medians, with the lowest and the highest of them. */
function withRange(sets: readonly (readonly number[])[]): string {
  const medians = sets.map(median);
  return `${median(medians).toFixed(3)} (${Math.min(...medians).toFixed(3)} – ${Math.max(...medians).toFixed(3)})`;
}

function report(allSeries: readonly Series[], scrapes: ScrapeTimes): string {
  const rows = allSeries.map((series) => {
    const cpu = (phase: Phase): string => `${short(median(series.sets.flat().map((round) => round[phase].cpu)))} µs`;
    return [
      `${series.kind.title}: ${series.variant.title}`,
      cpu('off'),
      cpu('on'),
      withRange(ratios(series, 'cpu')),
      withRange(ratios(series, 'rate')),
      withRange(controlRatios(series, 'rate')),
    ];
  });
  const [, logging, tracing] = variants;
  const rateRatios = (kind: RequestKind, variant: Variant): number[][] =>
    allSeries
      .filter((series) => series.kind === kind && series.variant === variant)
      .flatMap((series) => ratios(series, 'rate'));
  const lost = (variant: Variant, what: string): readonly Target[] =>
    requestKinds.map((kind) => ({
      what: `requests/s lost with metrics and ${what}, ${kind.title}`,
      wanted: { atMost: kind.isForwarded ? 8 : 15 },
      unit: '%',
      reached: 100 * (1 - median(rateRatios(kind, variant).map(median))),
    }));
  return [
    table(
      ['requests: telemetry', 'CPU, off', 'CPU, on', 'CPU ÷ off', 'requests/s ÷ off', 'requests/s, off again ÷ off'],
      rows,
    ),
    targetTable([
      ...lost(logging, 'log lines'),
      ...lost(tracing, 'traces of 10 %'),
      {
        what: '`GET /metrics` with 50 models at 20 upstreams',
        wanted: { below: 20 },
        unit: 'ms',
        reached: scrapes.median,
      },
    ]),
    `The response of \`GET /metrics\` has ${Math.round(scrapes.bytes / 1000)} kB; 95 % of the scrapes took at most ${short(scrapes.p95)} ms. Each took ${short(scrapes.cpu)} ms of CPU time.`,
  ].join('\n\n');
}
