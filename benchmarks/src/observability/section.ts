import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import type { HostQuestion, Used } from '../http/host.ts';
import type { LoadAnswer } from '../http/load.ts';
import type { Mode } from '../http/payload.ts';
import { requestOf } from '../http/request.ts';
import type { Telemetry } from '../http/servers/modelwire.ts';
import type { Address } from '../http/servers/server.ts';
import { verify } from '../http/verify.ts';
import { median, medianInterval, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { measureScrapes } from './scrape.ts';
import type { ScrapeTimes } from './scrape.ts';
import type { ServerQuestion } from './server.ts';

const variants = [
  { telemetry: 'metrics', title: 'metrics', warmUp: 10 },
  { telemetry: 'logging', title: 'metrics and log lines', warmUp: 10 },
  // Its code runs ten times less often, and is compiled later: V8 optimizes the last function after 10 to 20 seconds.
  { telemetry: 'tracing', title: 'metrics, and traces of 10 % of the requests', warmUp: 25 },
] as const satisfies readonly { readonly telemetry: Telemetry; readonly title: string; readonly warmUp: number }[];
type Variant = (typeof variants)[number];

const requestKinds = [
  { title: 'non-streamed', isForwarded: false, mode: 'create' },
  { title: 'streamed, 100 chunks', isForwarded: false, mode: 'stream' },
  { title: 'forwarded, non-streamed', isForwarded: true, mode: 'create' },
] as const satisfies readonly { readonly title: string; readonly isForwarded: boolean; readonly mode: Mode }[];
type RequestKind = (typeof requestKinds)[number];

const connections = 16;

/** What is measured of a server in each round: twice without its telemetry, to know the error of the measurement. */
const phases = ['off', 'on', 'offAgain'] as const;
type Phase = (typeof phases)[number];

interface Sample {
  /** Microseconds of the server's CPU time for each request, of all threads. */
  readonly cpu: number;
  /** Replies per second. */
  readonly rate: number;
}
const notMeasured: Sample = { cpu: NaN, rate: NaN };
type Round = Readonly<Record<Phase, Sample>>;

/** The rounds of a kind of request to the servers with this telemetry. */
interface Series {
  readonly kind: RequestKind;
  readonly variant: Variant;
  readonly rounds: Round[];
}

interface Length {
  /** Number of sets of processes. */
  readonly sets: number;
  readonly rounds: number;
  readonly ms: number;
  /** Milliseconds for each unit of `warmUp` of a variant. */
  readonly warmUpMs: number;
  readonly scrapes: number;
}

/**
 * The cost of metrics, logs and traces. The telemetry of a server is turned off and on while it runs, because two servers differ by several
 * percent for as long as they run, even in one process: by the time of compilation and the layout of the heap. A round measures all servers
 * with telemetry and without, in an order that rotates, so that other load affects both.
 */
export async function observabilitySection(quick: boolean, say: (text: string) => void): Promise<string> {
  const length: Length = quick
    ? { sets: 1, rounds: 3, ms: 300, warmUpMs: 50, scrapes: 10 }
    : { sets: 4, rounds: 30, ms: 100, warmUpMs: 1000, scrapes: 50 };
  const all = requestKinds.flatMap((kind) => variants.map((variant): Series => ({ kind, variant, rounds: [] })));
  const load = spawnChild(new URL('../http/load.ts', import.meta.url), []);
  try {
    for (let set = 0; set < length.sets; set++) {
      await measureSet(load, all, length);
      say(`${set + 1} of ${length.sets}: ${all.map(summary).join(', ')}`);
    }
  } finally {
    await load.stop();
  }
  const scrapes = await measureScrapes(length.scrapes);
  say(
    `GET /metrics: ${short(scrapes.median)} ms, 95 % within ${short(scrapes.p95)} ms, ${short(scrapes.cpu)} ms of CPU time`,
  );
  return report(all, scrapes);
}

/** A server in its own process. */
interface Server {
  readonly child: Child;
  readonly address: Address;
}

/** Adds the rounds of one set of processes. */
async function measureSet(load: Child, all: readonly Series[], { rounds, ms, warmUpMs }: Length): Promise<void> {
  const children: Child[] = [];
  const child = (path: string, args: readonly string[] = [], quiet = false): Child => {
    const started = spawnChild(new URL(path, import.meta.url), args, { quiet });
    children.push(started);
    return started;
  };
  try {
    // Not started by the servers that export to it: they would wait for it before `tuneV8`, which then has no effect (docs/decisions/0024).
    const traceReceiver = await child('./receiver.ts').ask<string>({});
    const raw = await child('../http/host.ts', ['raw']).ask<Address>({
      start: 'raw',
      upstream: '',
    } satisfies HostQuestion);
    const upstream = raw.url.replace('/chat/completions', '');
    const servers = new Map<string, Server>();
    const serverFor = async ({ kind: { isForwarded }, variant: { telemetry } }: Series): Promise<Server> => {
      const key = `${telemetry} ${isForwarded ? 'forwarded' : 'embedded'}`;
      const known = servers.get(key);
      if (known) return known;
      // Standard error has the log lines.
      const process = child('./server.ts', [], true);
      const question: ServerQuestion = { telemetry, upstream: isForwarded ? upstream : undefined, traceReceiver };
      const started = { child: process, address: await process.ask<Address>(question) };
      servers.set(key, started);
      return started;
    };
    for (const series of all) {
      const server = await serverFor(series);
      await verify(requestOf({}, series.kind.mode, server.address), series.kind.mode);
      await sample(server, load, series.kind, 'off', 2 * warmUpMs);
      await sample(server, load, series.kind, 'on', series.variant.warmUp * warmUpMs);
    }
    for (let round = 0; round < rounds; round++) {
      for (const series of all) {
        const server = await serverFor(series);
        const measured = { off: notMeasured, on: notMeasured, offAgain: notMeasured };
        for (const phase of rotated(phases, round)) {
          measured[phase] = await sample(server, load, series.kind, phase, ms);
        }
        series.rounds.push(measured);
      }
    }
  } finally {
    await Promise.all(children.map((one) => one.stop()));
  }
}

async function sample(
  { child, address }: Server,
  load: Child,
  { mode }: RequestKind,
  phase: Phase,
  ms: number,
): Promise<Sample> {
  await child.ask({ isObserved: phase === 'on' } satisfies ServerQuestion);
  const used = async (): Promise<number> => (await child.ask<Used>({ used: true } satisfies ServerQuestion)).cpu;
  const before = await used();
  const { answered, rate } = await load.ask<LoadAnswer>({
    ...requestOf({}, mode, address),
    connections,
    warmUpMs: 0,
    ms,
  });
  return { cpu: ((await used()) - before) / answered, rate };
}

/** The ratios of the rounds to the mean of both measurements without telemetry. */
function ratios({ rounds }: Series, of: keyof Sample): number[] {
  return rounds.map(({ off, on, offAgain }) => (2 * on[of]) / (off[of] + offAgain[of]));
}

/** The ratios of the rounds without telemetry. They would be 1 without other influences. */
function controlRatios({ rounds }: Series, of: keyof Sample): number[] {
  return rounds.map(({ off, offAgain }) => offAgain[of] / off[of]);
}

function summary(series: Series): string {
  return `${series.kind.title}, ${series.variant.title}: CPU ${withInterval(ratios(series, 'cpu'))}, requests/s ${withInterval(ratios(series, 'rate'))}`;
}

/** The median, and the 95 % confidence interval of the median. */
function withInterval(values: readonly number[]): string {
  const [low, high] = medianInterval(values);
  return `${median(values).toFixed(3)} (${low.toFixed(3)} – ${high.toFixed(3)})`;
}

function report(all: readonly Series[], scrapes: ScrapeTimes): string {
  const seriesOf = (kind: RequestKind, variant?: Variant): readonly Series[] =>
    all.filter((series) => series.kind === kind && (!variant || series.variant === variant));
  const cells = (phase: Phase, used: readonly Series[], ratiosOf: typeof ratios): string[] => [
    `${short(median(used.flatMap(({ rounds }) => rounds.map((round) => round[phase].cpu))))} µs`,
    withInterval(used.flatMap((series) => ratiosOf(series, 'cpu'))),
    withInterval(used.flatMap((series) => ratiosOf(series, 'rate'))),
  ];
  const rows = requestKinds.flatMap((kind) => [
    [`${kind.title}: none, again`, ...cells('offAgain', seriesOf(kind), controlRatios)],
    ...variants.map((variant) => [`${kind.title}: ${variant.title}`, ...cells('on', seriesOf(kind, variant), ratios)]),
  ]);
  const [, logging, tracing] = variants;
  const lost = (variant: Variant, what: string, atMost: number): readonly Target[] =>
    requestKinds.map((kind) => ({
      what: `requests/s lost with metrics and ${what}, ${kind.title}`,
      wanted: { atMost },
      unit: '%',
      reached: 100 * (1 - median(seriesOf(kind, variant).flatMap((series) => ratios(series, 'rate')))),
    }));
  return [
    table(['requests and telemetry', 'CPU', 'CPU ÷ none', 'requests/s ÷ none'], rows),
    targetTable([
      ...lost(logging, 'log lines', 5),
      ...lost(tracing, 'traces of 10 %', 10),
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
