import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import type { HostQuestion, Used } from '../http/host.ts';
import type { LoadAnswer } from '../http/load.ts';
import type { Mode } from '../http/payload.ts';
import { requestOf } from '../http/request.ts';
import type { TelemetryVariant } from '../http/servers/modelwire.ts';
import type { Address } from '../http/servers/server.ts';
import { verify } from '../http/verify.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { measureScrapes } from './scrape.ts';
import type { ScrapeTimes } from './scrape.ts';
import type { ServersQuestion, VariantAddresses } from './servers.ts';

const variants = [
  { name: 'none', title: 'none' },
  { name: 'noneAgain', title: 'none, another server' },
  { name: 'metrics', title: 'metrics' },
  { name: 'logging', title: 'metrics and log lines' },
  { name: 'tracing', title: 'metrics, and traces of 10 % of the requests' },
] as const satisfies readonly { readonly name: TelemetryVariant; readonly title: string }[];
type Variant = (typeof variants)[number];
/** Two servers without telemetry: the others are compared with the mean of both. */
const [off, control] = variants;

const requestKinds = [
  { title: 'non-streamed', servers: 'embedded', mode: 'create' },
  { title: 'streamed, 100 chunks', servers: 'embedded', mode: 'stream' },
  { title: 'forwarded, non-streamed', servers: 'forwarding', mode: 'create' },
] as const satisfies readonly {
  readonly title: string;
  readonly servers: 'embedded' | 'forwarding';
  readonly mode: Mode;
}[];
type RequestKind = (typeof requestKinds)[number];

const connections = 16;

interface Sample {
  /** Microseconds of the server's CPU time for each request. */
  readonly cpu: number;
  /** Replies per second. */
  readonly rate: number;
}

/** Those of one set of processes for each kind of request and variant, in the order of the rounds. */
type SetSamples = ReadonlyMap<RequestKind, ReadonlyMap<Variant, Sample[]>>;

interface Length {
  /** Number of sets of processes. */
  readonly sets: number;
  readonly rounds: number;
  readonly ms: number;
  readonly compileMs: number;
  readonly scrapes: number;
}

/**
 * The cost of metrics, logs and traces. Each round measures all servers one after the other, in an order that rotates, so that other load
 * affects all of them.
 *
 * The servers with different telemetry are in one process, because two processes of the same server differ by several percent for as long
 * as they run: by the time of compilation and the layout of the heap. Servers that forward have a process of their own, and so have the
 * load, the upstream and the receiver of traces.
 */
export async function observabilitySection(quick: boolean, say: (text: string) => void): Promise<string> {
  const length: Length = quick
    ? { sets: 1, rounds: 3, ms: 300, compileMs: 1000, scrapes: 10 }
    : { sets: 5, rounds: 30, ms: 200, compileMs: 3000, scrapes: 50 };
  const sets: SetSamples[] = [];
  const load = spawnChild(new URL('../http/load.ts', import.meta.url), []);
  try {
    for (let set = 0; set < length.sets; set++) {
      sets.push(await measureSet(load, length));
      say(`${set + 1} of ${length.sets}: ${variants.map((one) => `${one.title}: ${ratios(sets, one)}`).join(', ')}`);
    }
  } finally {
    await load.stop();
  }
  const scrapes = await measureScrapes(length.scrapes);
  say(
    `GET /metrics: ${short(scrapes.median)} ms, 95 % within ${short(scrapes.p95)} ms, ${short(scrapes.cpu)} ms of CPU time`,
  );
  return report(sets, scrapes);
}

/** A process with a server for each variant. */
interface Servers {
  readonly child: Child;
  readonly addresses: VariantAddresses;
}

async function measureSet(load: Child, { rounds, ms, compileMs }: Length): Promise<SetSamples> {
  const samples = new Map(
    requestKinds.map((kind) => [kind, new Map(variants.map((variant) => [variant, new Array<Sample>()]))]),
  );
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
    const startServers = async (upstream: string | undefined): Promise<Servers> => {
      // Standard error has the log lines.
      const servers = child('./servers.ts', [], true);
      const question: ServersQuestion = { upstream, traceReceiver };
      return { child: servers, addresses: await servers.ask<VariantAddresses>(question) };
    };
    const started = {
      embedded: await startServers(undefined),
      forwarding: await startServers(raw.url.replace('/chat/completions', '')),
    };
    for (const kind of requestKinds) {
      const servers = started[kind.servers];
      for (const { name } of variants) await verify(requestOf({}, kind.mode, servers.addresses[name]), kind.mode);
      for (const variant of variants) await sample(servers, load, kind, variant, compileMs);
    }
    for (let round = 0; round < rounds; round++) {
      for (const [kind, byVariant] of samples) {
        for (const [variant, list] of rotated([...byVariant], round)) {
          list.push(await sample(started[kind.servers], load, kind, variant, ms));
        }
      }
    }
  } finally {
    await Promise.all(children.map((one) => one.stop()));
  }
  return samples;
}

async function sample(
  { child, addresses }: Servers,
  load: Child,
  { mode }: RequestKind,
  { name }: Variant,
  ms: number,
): Promise<Sample> {
  const used = async (): Promise<number> => (await child.ask<Used>({ used: true } satisfies ServersQuestion)).cpu;
  const before = await used();
  const request = requestOf({}, mode, addresses[name]);
  const { answered, rate } = await load.ask<LoadAnswer>({ ...request, connections, warmUpMs: 0, ms });
  return { cpu: ((await used()) - before) / answered, rate };
}

/** The median of the sets of their medians over the rounds. */
function ratioOf(sets: readonly SetSamples[], kind: RequestKind, variant: Variant, of: keyof Sample): number {
  return median(sets.map((set) => medianRatio(valuesOf(set, kind, variant, of), baselineOf(set, kind, of))));
}

/** For each round, the mean of the two servers without telemetry. */
function baselineOf(set: SetSamples, kind: RequestKind, of: keyof Sample): number[] {
  const controls = valuesOf(set, kind, control, of);
  return valuesOf(set, kind, off, of).map((value, round) => (value + (controls[round] ?? NaN)) / 2);
}

function valuesOf(set: SetSamples, kind: RequestKind, variant: Variant, of: keyof Sample): number[] {
  return (set.get(kind)?.get(variant) ?? []).map((one) => one[of]);
}

function ratios(sets: readonly SetSamples[], variant: Variant): string {
  return requestKinds.map((kind) => ratioOf(sets, kind, variant, 'cpu').toFixed(3)).join(' ');
}

function report(sets: readonly SetSamples[], scrapes: ScrapeTimes): string {
  const [, , , logging, tracing] = variants;
  const rows = variants.map((variant) => [
    variant.title,
    ...requestKinds.flatMap((kind) => [
      `${short(median(sets.flatMap((set) => valuesOf(set, kind, variant, 'cpu'))))} µs`,
      ratioOf(sets, kind, variant, 'cpu').toFixed(3),
      ratioOf(sets, kind, variant, 'rate').toFixed(3),
    ]),
  ]);
  const lost = (variant: Variant, what: string, atMost: number): readonly Target[] =>
    requestKinds.map((kind) => ({
      what: `requests/s lost with metrics and ${what}, ${kind.title}`,
      wanted: { atMost },
      unit: '%',
      reached: 100 * (1 - ratioOf(sets, kind, variant, 'rate')),
    }));
  return [
    table(
      ['telemetry', ...requestKinds.flatMap(({ title }) => [`CPU, ${title}`, '÷ none', 'requests/s ÷ none'])],
      rows,
    ),
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
