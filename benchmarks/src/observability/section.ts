import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import { openArena } from '../http/arena.ts';
import type { Arena } from '../http/arena.ts';
import { contestants } from '../http/contestants.ts';
import type { Contestant } from '../http/contestants.ts';
import type { LoadAnswer } from '../http/load.ts';
import type { Mode } from '../http/payload.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { measureScrapes } from './scrape.ts';
import type { ScrapeTimes } from './scrape.ts';

const off = 'unmeasured';
const servers = [
  { name: off, title: 'none' },
  { name: 'control', title: 'none, another process' },
  { name: 'embedded', title: 'metrics' },
  { name: 'logging', title: 'metrics and log lines' },
  { name: 'tracing', title: 'metrics, and traces of 10 % of the requests' },
] as const;
type ServerName = (typeof servers)[number]['name'];

const modes = ['create', 'stream'] as const satisfies readonly Mode[];
const connections = 16;

interface Sample {
  /** Microseconds of the server's CPU time for each request. */
  readonly cpu: number;
  /** Replies per second. */
  readonly rate: number;
}

/** By set of processes. */
type Samples = Readonly<Record<ServerName, Sample[][]>>;

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
    : { sets: 16, rounds: 14, ms: 100, compileMs: 2000, scrapes: 50 };
  const samples = { create: noSamples(), stream: noSamples() };
  const load = spawnChild(new URL('../http/load.ts', import.meta.url), []);
  try {
    for (let set = 0; set < length.sets; set++) {
      await measureSet(load, length, samples);
      say(`${set + 1} of ${length.sets}: ${servers.map(({ name }) => `${name} ${ratios(samples, name)}`).join(', ')}`);
    }
  } finally {
    await load.stop();
  }
  const scrapes = await measureScrapes(length.scrapes);
  say(
    `GET /metrics: ${short(scrapes.median)} ms, 95 % within ${short(scrapes.p95)} ms, ${short(scrapes.cpu)} ms of CPU time`,
  );
  return report(samples, scrapes);
}

type SamplesOfModes = Readonly<Record<(typeof modes)[number], Samples>>;

function noSamples(): Samples {
  return { unmeasured: [], control: [], embedded: [], logging: [], tracing: [] };
}

const control: Contestant = { name: 'control', server: 'control', title: 'none', modes };

async function measureSet(load: Child, { rounds, ms, compileMs }: Length, samples: SamplesOfModes): Promise<void> {
  const names = new Set<string>(servers.map(({ name }) => name));
  const arena = await openArena([...contestants, control].filter(({ name }) => names.has(name)));
  try {
    for (const mode of modes) {
      for (const { name } of servers) {
        await sample(arena, load, name, mode, compileMs);
        samples[mode][name].push([]);
      }
    }
    for (let round = 0; round < rounds; round++) {
      for (const mode of modes) {
        for (const { name } of rotated(servers, round)) {
          samples[mode][name].at(-1)?.push(await sample(arena, load, name, mode, ms));
        }
      }
    }
  } finally {
    await arena.close();
  }
}

async function sample(arena: Arena, load: Child, name: ServerName, mode: Mode, ms: number): Promise<Sample> {
  const entry = arena.entries.find(({ contestant, mode: of }) => contestant.name === name && of === mode);
  if (!entry) throw new Error(`${name} does not run`);
  const { server } = entry.contestant;
  const before = await arena.used(server);
  const { answered, rate } = await load.ask<LoadAnswer>({ ...entry.request, connections, warmUpMs: 0, ms });
  const after = await arena.used(server);
  return { cpu: (after.cpu - before.cpu) / answered, rate };
}

/** The median of the sets of their medians over the rounds. */
function ratioOf(samples: Samples, name: ServerName, of: keyof Sample): number {
  const values = (set: readonly Sample[] | undefined): number[] => (set ?? []).map((one) => one[of]);
  return median(samples[name].map((set, index) => medianRatio(values(set), values(samples[off][index]))));
}

function ratios(samples: SamplesOfModes, name: ServerName): string {
  return modes.map((mode) => ratioOf(samples[mode], name, 'cpu').toFixed(3)).join(' and ');
}

function report(samples: SamplesOfModes, scrapes: ScrapeTimes): string {
  const rows = servers.map(({ name, title }) => [
    title,
    ...modes.flatMap((mode) => [
      `${short(median(samples[mode][name].flat().map(({ cpu }) => cpu)))} µs`,
      ratioOf(samples[mode], name, 'cpu').toFixed(3),
      ratioOf(samples[mode], name, 'rate').toFixed(3),
    ]),
  ]);
  const lost = (name: ServerName, what: string, atMost: number): readonly Target[] =>
    modes.map((mode) => ({
      what: `requests/s lost with metrics and ${what}, ${mode === 'create' ? 'non-streamed' : 'streamed'}`,
      wanted: { atMost },
      unit: '%',
      reached: 100 * (1 - ratioOf(samples[mode], name, 'rate')),
    }));
  return [
    table(
      [
        'telemetry',
        'CPU, non-streamed',
        '÷ none',
        'requests/s ÷ none',
        'CPU, streamed, 100 chunks',
        '÷ none',
        'requests/s ÷ none',
      ],
      rows,
    ),
    targetTable([
      ...lost('logging', 'log lines', 5),
      ...lost('tracing', 'traces of 10 %', 10),
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
