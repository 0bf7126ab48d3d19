import { existsSync } from 'node:fs';
import { usageOf } from '../process-usage.ts';
import { median, medianRatio } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { streamAtOnce } from './load.ts';
import type { LoadResult, Mode } from './load.ts';
import { startLlamaServer, startModelwire } from './servers.ts';
import type { MeasuredServer, ModelSettings } from './servers.ts';

const cases: readonly { readonly mode: Mode; readonly connections: number; readonly title: string }[] = [
  { mode: 'plain', connections: 1, title: 'greedy, 1 stream' },
  { mode: 'plain', connections: 4, title: 'greedy, 4 streams' },
  { mode: 'plain', connections: 8, title: 'greedy, 8 streams' },
  { mode: 'sampled', connections: 1, title: 'temperature 0.8, 1 stream' },
  { mode: 'sampled', connections: 8, title: 'temperature 0.8, 8 streams' },
  { mode: 'described', connections: 1, title: 'greedy, schema in the prompt, 1 stream' },
  { mode: 'described', connections: 8, title: 'greedy, schema in the prompt, 8 streams' },
  { mode: 'schema', connections: 1, title: 'JSON Schema, 1 stream' },
  { mode: 'schema', connections: 8, title: 'JSON Schema, 8 streams' },
  { mode: 'logprobs', connections: 1, title: '5 log probabilities, 1 stream' },
];

/**
 * Modelwire with `@modelwire/engine-llama` and llama-server: the same file, threads, context and prompts, measured one after the other in
 * alternating order.
 */
export async function llamaSection(
  quick: boolean,
  say: (text: string) => void,
  { threads = 2 }: { readonly threads?: number | undefined } = {},
): Promise<string> {
  const path = process.env['LLAMA_MODEL'];
  const python = process.env['LLAMA_PYTHON'];
  if (path === undefined || python === undefined || !existsSync(path) || !existsSync(python)) {
    throw new Error('Set LLAMA_MODEL to a GGUF file and LLAMA_PYTHON to a Python with the package xllamacpp.');
  }
  const settings: ModelSettings = { path, threads, contextSize: 1024, sequences: 8 };
  const [rounds, maxTokens] = quick ? [3, 32] : [7, 128];
  const servers: MeasuredServer[] = [await startModelwire(settings)];
  try {
    servers.push(await startLlamaServer(python, settings));
    for (const server of servers) await streamAtOnce(server, 'plain', 8, 16, 'warm');
    const results = new Map<string, LoadResult[]>();
    for (let round = 0; round < rounds; round++) {
      for (const { mode, connections, title } of cases) {
        for (const server of round % 2 === 0 ? servers : [...servers].reverse()) {
          const measured = await streamAtOnce(server, mode, connections, maxTokens, `${round}-${mode}`);
          const key = `${server.name} ${title}`;
          results.set(key, [...(results.get(key) ?? []), measured]);
          say(
            `${round} ${key}: ${short(measured.rate)} tokens/s, first ${short(measured.firstTokenMs)} ms, ${short(measured.cpuPerToken)} ms CPU/token, ${measured.tokens} tokens, ${measured.promptTokens} of prompts, ${measured.endedEarly} ended early`,
          );
        }
      }
    }
    return report(settings, rounds, maxTokens, servers, results);
  } finally {
    for (const server of servers) await server.stop();
  }
}

function report(
  { threads, contextSize, sequences }: ModelSettings,
  rounds: number,
  maxTokens: number,
  servers: readonly MeasuredServer[],
  results: ReadonlyMap<string, readonly LoadResult[]>,
): string {
  const of = (name: string, title: string, value: (measured: LoadResult) => number): readonly number[] =>
    (results.get(`${name} ${title}`) ?? []).map(value);
  const ratio = (title: string, value: (measured: LoadResult) => number): number =>
    medianRatio(of('modelwire', title, value), of('llama-server', title, value));
  const rate = ({ rate }: LoadResult): number => rate;
  const first = ({ firstTokenMs }: LoadResult): number => firstTokenMs;
  const cpu = ({ cpuPerToken }: LoadResult): number => cpuPerToken;
  const pair = (title: string, value: (measured: LoadResult) => number): string =>
    `${short(median(of('modelwire', title, value)))} / ${short(median(of('llama-server', title, value)))}`;
  const memory = new Map(servers.map((server) => [server.name, usageOf(server.pid).peakRss / 2 ** 20]));
  const memoryRatio = (memory.get('modelwire') ?? NaN) / (memory.get('llama-server') ?? NaN);
  const grammarCost = (connections: number): number => {
    const name = connections === 1 ? '1 stream' : `${connections} streams`;
    const schema = of('modelwire', `JSON Schema, ${name}`, cpu);
    return 100 * (medianRatio(schema, of('modelwire', `greedy, schema in the prompt, ${name}`, cpu)) - 1);
  };
  const faster = (title: string, atLeast: number): Target => ({
    what: `tokens/s, ${title}`,
    wanted: { atLeast },
    unit: '×',
    reached: ratio(title, rate),
  });
  const targets: readonly Target[] = [
    faster('greedy, 1 stream', 0.95),
    faster('greedy, 4 streams', 1),
    faster('greedy, 8 streams', 1),
    { what: 'first token, 1 stream', wanted: { atMost: 1.1 }, unit: '×', reached: ratio('greedy, 1 stream', first) },
    { what: 'cost of a schema, 1 stream', wanted: { atMost: 5 }, unit: '%', reached: grammarCost(1) },
    { what: 'cost of a schema, 8 streams', wanted: { atMost: 5 }, unit: '%', reached: grammarCost(8) },
    { what: 'memory', wanted: { atMost: 1.3 }, unit: '×', reached: memoryRatio },
  ];
  return [
    `Modelwire / llama-server: medians of ${rounds} rounds, at most ${maxTokens} tokens a stream; ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${sequences} sequences of ${contextSize} tokens.`,
    table(
      ['', 'tokens/s', 'ratio', 'first token, ms', 'ratio', 'CPU per token after the first, ms', 'ratio'],
      cases.map(({ title }) => [
        title,
        pair(title, rate),
        short(ratio(title, rate)),
        pair(title, first),
        short(ratio(title, first)),
        pair(title, cpu),
        short(ratio(title, cpu)),
      ]),
    ),
    `Peak resident memory: ${short(memory.get('modelwire') ?? NaN)} / ${short(memory.get('llama-server') ?? NaN)} MB.`,
    targetTable(targets),
  ].join('\n\n');
}
