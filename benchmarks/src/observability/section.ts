import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import type { LoadAnswer, LoadQuestion } from '../load.ts';
import { requestTo } from '../servers/payload.ts';
import type { Mode } from '../servers/payload.ts';
import { startServer } from '../servers/start-server.ts';
import type { ServerProcess } from '../servers/start-server.ts';
import { verify } from '../servers/verify.ts';
import { median } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';

/** Kinds of telemetry. Metrics are enabled by default. */
const variants = [
  { title: 'metrics', hasLogs: false, hasTraces: false, warmUpMs: 5000 },
  { title: 'metrics and log lines', hasLogs: true, hasTraces: false, warmUpMs: 5000 },
  // The code of traces runs for one request in ten and is optimized later: V8 optimizes its last function after 10 to 20 seconds.
  { title: 'metrics, and traces of 10 % of the requests', hasLogs: false, hasTraces: true, warmUpMs: 25_000 },
];
type Variant = (typeof variants)[number];

const requestKinds = [
  { title: 'non-streamed', server: 'embedded', mode: 'create' },
  { title: 'streamed, 100 chunks', server: 'embedded', mode: 'stream' },
  { title: 'forwarded, non-streamed', server: 'forwarding', mode: 'create' },
] as const satisfies readonly { readonly title: string; readonly server: string; readonly mode: Mode }[];
type RequestKind = (typeof requestKinds)[number];

interface Sample {
  /** Microseconds of the server's CPU time for each request, of all threads. */
  readonly cpu: number;
  /** Replies per second. */
  readonly rate: number;
}

interface Round {
  readonly off: Sample;
  readonly on: Sample;
}

/** The rounds of one kind of request with one variant of telemetry, of each set of processes. */
interface Series {
  readonly kind: RequestKind;
  readonly variant: Variant;
  readonly sets: Round[][];
}

interface Length {
  readonly rounds: number;
  readonly ms: number;
  /** Factor for the warm-up times. */
  readonly warmUpScale: number;
}

/**
 * The cost of metrics, logs and traces. The telemetry of a server is disabled and enabled while it runs, because two servers differ by several
 * percent for as long as they run, even in one process: their code is compiled at different times, and their heaps are laid out differently. A
 * round measures a server with telemetry on and off, in a different order each time, so that other load affects both.
 */
export async function observabilitySection(quick: boolean, say: (text: string) => void): Promise<string> {
  const length = quick ? { rounds: 4, ms: 300, warmUpScale: 0.05 } : { rounds: 24, ms: 100, warmUpScale: 1 };
  const setCount = quick ? 1 : 3;
  const allSeries = requestKinds.flatMap((kind) => variants.map((variant): Series => ({ kind, variant, sets: [] })));
  const load = spawnChild(new URL('../load.ts', import.meta.url), []);
  const [receiver, raw] = await Promise.all([startServer('receiver'), startServer('raw')]);
  try {
    for (let set = 0; set < setCount; set++) {
      for (const { kind, variant, sets } of allSeries) {
        const server = await startServer(kind.server, {
          upstream: raw.base,
          logLevel: variant.hasLogs ? 'info' : undefined,
          traceReceiver: variant.hasTraces ? new URL(receiver.base).origin : undefined,
        });
        try {
          sets.push(await measureRounds(server, load, kind, variant, length));
        } finally {
          await server.stop();
        }
        say(`set ${set + 1}: ${kind.title}, ${variant.title}: requests/s ÷ off ${withRange(ratios(sets, 'rate'))}`);
      }
    }
    return report(allSeries);
  } finally {
    await Promise.all([load, receiver, raw].map((child) => child.stop()));
  }
}

async function measureRounds(
  server: ServerProcess,
  load: Child,
  { mode }: RequestKind,
  { warmUpMs }: Variant,
  { rounds, ms, warmUpScale }: Length,
): Promise<Round[]> {
  const request = requestTo(server, mode);
  async function sample(isEnabled: boolean, duration: number): Promise<Sample> {
    await server.setTelemetryEnabled(isEnabled);
    const before = await server.used();
    const question: LoadQuestion = { ...request, connections: 16, warmUpMs: 20, ms: duration };
    const { answered, rate } = await load.ask<LoadAnswer>(question);
    return { cpu: ((await server.used()).cpu - before.cpu) / answered, rate };
  }

  await verify(request, mode);
  await sample(false, 1000 * warmUpScale);
  await sample(true, warmUpMs * warmUpScale);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const isOnFirst = round % 2 === 1;
    const first = await sample(isOnFirst, ms);
    const second = await sample(!isOnFirst, ms);
    measured.push(isOnFirst ? { on: first, off: second } : { off: first, on: second });
  }
  return measured;
}

const ratios = (sets: readonly (readonly Round[])[], of: keyof Sample): number[] =>
  sets.map((rounds) => median(rounds.map(({ off, on }) => on[of] / off[of])));

/** The median of the sets, with the lowest and the highest of them. */
function withRange(medians: readonly number[]): string {
  return `${median(medians).toFixed(3)} (${Math.min(...medians).toFixed(3)} – ${Math.max(...medians).toFixed(3)})`;
}

function report(allSeries: readonly Series[]): string {
  const rows = allSeries.map(({ kind, variant, sets }) => {
    const cpu = (phase: keyof Round): string => `${short(median(sets.flat().map((round) => round[phase].cpu)))} µs`;
    return [
      `${kind.title}: ${variant.title}`,
      cpu('off'),
      cpu('on'),
      withRange(ratios(sets, 'cpu')),
      withRange(ratios(sets, 'rate')),
    ];
  });
  const lost = allSeries
    .filter(({ variant }) => variant.hasLogs || variant.hasTraces)
    .map(({ kind, variant, sets }): Target => ({
      what: `requests/s lost with ${variant.title}, ${kind.title}`,
      wanted: { atMost: kind.server === 'forwarding' ? 8 : 15 },
      unit: '%',
      reached: 100 * (1 - median(ratios(sets, 'rate'))),
    }));
  return [
    table(['requests: telemetry', 'CPU, off', 'CPU, on', 'CPU ÷ off', 'requests/s ÷ off'], rows),
    targetTable(lost),
  ].join('\n\n');
}
