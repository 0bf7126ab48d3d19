import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import { openArena } from '../http/arena.ts';
import type { Arena } from '../http/arena.ts';
import type { Contestant, ServerName } from '../http/contestants.ts';
import type { LoadAnswer } from '../http/load.ts';
import type { Mode } from '../http/payload.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { measureScrapes } from './scrape.ts';
import type { ScrapeTimes } from './scrape.ts';

/** What the server records, and its server for each kind of request. */
const variants = [
  { title: 'none', embedded: 'unmeasured', forwarding: 'forwardingUnmeasured' },
  { title: 'none, another process', embedded: 'control', forwarding: 'forwardingControl' },
  { title: 'metrics', embedded: 'embedded', forwarding: 'forwarding' },
  { title: 'metrics and log lines', embedded: 'logging', forwarding: 'forwardingLogging' },
  { title: 'metrics, and traces of 10 % of the requests', embedded: 'tracing', forwarding: 'forwardingTracing' },
] as const satisfies readonly {
  readonly title: string;
  readonly embedded: ServerName;
  readonly forwarding: ServerName;
}[];
type Variant = (typeof variants)[number];
const [off] = variants;

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
  /** Number of sets of processes: speed also depends on the time of compilation and the layout of the heap. */
  readonly sets: number;
  readonly rounds: number;
  readonly ms: number;
  readonly compileMs: number;
  readonly scrapes: number;
}

/**
 * The cost of metrics, logs and traces. Each round measures all servers one after the other, in an order that rotates, so that other load
 * affects all of them. Servers, load and the receiver of traces run in separate processes.
 *
 * Two processes of the same server differ by several percent for as long as they run. So there are many sets of processes with few rounds
 * each, and the result is the median of the sets. The control shows what remains of the difference.
 */
export async function observabilitySection(quick: boolean, say: (text: string) => void): Promise<string> {
  const length: Length = quick
    ? { sets: 1, rounds: 3, ms: 300, compileMs: 1000, scrapes: 10 }
    : { sets: 7, rounds: 14, ms: 100, compileMs: 4000, scrapes: 50 };
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

async function measureSet(load: Child, { rounds, ms, compileMs }: Length): Promise<SetSamples> {
  const samples = new Map(
    requestKinds.map((kind) => [kind, new Map(variants.map((variant) => [variant, new Array<Sample>()]))]),
  );
  const arena = await openArena(
    variants.flatMap(({ title, embedded, forwarding }): Contestant[] => [
      { name: embedded, server: embedded, title, modes: ['create', 'stream'] },
      { name: forwarding, server: forwarding, title, modes: ['create'] },
    ]),
  );
  try {
    for (const kind of requestKinds) {
      for (const variant of variants) await sample(arena, load, kind, variant, compileMs);
    }
    for (let round = 0; round < rounds; round++) {
      for (const [kind, byVariant] of samples) {
        for (const [variant, list] of rotated([...byVariant], round)) {
          list.push(await sample(arena, load, kind, variant, ms));
        }
      }
    }
  } finally {
    await arena.close();
  }
  return samples;
}

async function sample(arena: Arena, load: Child, kind: RequestKind, variant: Variant, ms: number): Promise<Sample> {
  const server = variant[kind.servers];
  const entry = arena.entries.find(({ contestant, mode }) => contestant.server === server && mode === kind.mode);
  if (!entry) throw new Error(`${server} does not run`);
  const before = await arena.used(server);
  const { answered, rate } = await load.ask<LoadAnswer>({ ...entry.request, connections, warmUpMs: 0, ms });
  const after = await arena.used(server);
  return { cpu: (after.cpu - before.cpu) / answered, rate };
}

/** The median of the sets of their medians over the rounds. */
function ratioOf(sets: readonly SetSamples[], kind: RequestKind, variant: Variant, of: keyof Sample): number {
  return median(sets.map((set) => medianRatio(valuesOf(set, kind, variant, of), valuesOf(set, kind, off, of))));
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
