import type { LlamaEngineOptions } from '@modelwire/engine-llama';
import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';

type SharedOptions = Required<Pick<LlamaEngineOptions, 'path' | 'contextSize' | 'sequences' | 'threads'>>;

export interface InferenceSettings {
  readonly program: 'binding' | 'engine';
  readonly options: SharedOptions & LlamaEngineOptions;
}

export interface InferenceLoad {
  readonly streams: number;
  readonly promptWords: number;
  readonly maxTokens: number;
  /** Whether the other streams start while the first one is generating. */
  readonly isStaggered: boolean;
  /** Makes prompts different from those of other runs. */
  readonly salt: string;
}

export interface InferenceResult {
  /** CPU time for each token of the prompts, until every stream has its first token. */
  readonly promptCpuMs: number;
  /** CPU time for each token after that. */
  readonly replyCpuMs: number;
  /** The longest time between two parts of the first stream. */
  readonly longestPauseMs: number;
}

const programs: readonly { readonly name: string; readonly options?: Partial<LlamaEngineOptions> }[] = [
  { name: 'node-llama-cpp alone' },
  { name: 'engine, defaults (`batchSize: 128`)', options: {} },
  { name: '`batchSize: 64`', options: { batchSize: 64 } },
  { name: '`batchSize: 256`', options: { batchSize: 256 } },
  { name: '`flashAttention: false`', options: { flashAttention: false } },
  { name: '`cacheType: q8_0`', options: { cacheType: 'q8_0' } },
];

const loads = {
  one: { streams: 1, promptWords: 300, maxTokens: 24, isStaggered: false },
  four: { streams: 4, promptWords: 40, maxTokens: 24, isStaggered: false },
  beside: { streams: 2, promptWords: 300, maxTokens: 24, isStaggered: true },
} as const;
type LoadName = keyof typeof loads;

const columns: readonly {
  readonly head: string;
  readonly load: LoadName;
  readonly value: (result: InferenceResult) => number;
}[] = [
  { head: 'prompt, ms/token', load: 'one', value: ({ promptCpuMs }) => promptCpuMs },
  { head: 'reply, ms/token', load: 'one', value: ({ replyCpuMs }) => replyCpuMs },
  { head: '4 replies, ms/token', load: 'four', value: ({ replyCpuMs }) => replyCpuMs },
  { head: 'pause for a prompt, ms', load: 'beside', value: ({ longestPauseMs }) => longestPauseMs },
];

/** The options of the engine whose best value depends on the hardware, beside node-llama-cpp alone: one process each, in an order that rotates. */
export async function llamaOptionsSection(
  quick: boolean,
  say: (text: string) => void,
  { threads = 1 }: { readonly threads?: number | undefined } = {},
): Promise<string> {
  const path = process.env['LLAMA_MODEL'];
  if (path === undefined) throw new Error('Set LLAMA_MODEL to a GGUF file.');
  const shared: SharedOptions = { path, threads, contextSize: 2048, sequences: 4 };
  const running: { readonly name: string; readonly child: Child }[] = [];
  const results = new Map<string, InferenceResult[]>();
  const rounds = quick ? 1 : 3;
  try {
    for (const { name, options } of programs) {
      const child = spawnChild(new URL('./inference-process.ts', import.meta.url), []);
      running.push({ name, child });
      const program = options ? 'engine' : 'binding';
      const settings: InferenceSettings = { program, options: { ...shared, ...options } };
      await child.ask(settings);
    }
    for (let round = 0; round < rounds; round++) {
      for (const [load, settings] of Object.entries(loads)) {
        for (const { name, child } of rotated(running, round)) {
          const asked: InferenceLoad = { ...settings, salt: `${round}-${load}` };
          const result = await child.ask<InferenceResult>(asked);
          const key = `${load} ${name}`;
          results.set(key, [...(results.get(key) ?? []), result]);
          const { promptCpuMs, replyCpuMs, longestPauseMs } = result;
          say(`${round} ${key}: ${[promptCpuMs, replyCpuMs, longestPauseMs].map(short).join(', ')}`);
        }
      }
    }
  } finally {
    for (const { child } of running) await child.stop();
  }
  const valuesOf = (name: string, { load, value }: (typeof columns)[number]): readonly number[] =>
    (results.get(`${load} ${name}`) ?? []).map(value);
  const [{ name: reference } = { name: '' }] = programs;
  return [
    `Medians of ${rounds} rounds; ${threads === 1 ? '1 thread' : `${threads} threads`}, 4 sequences of 2048 tokens.`,
    table(
      ['', ...columns.flatMap(({ head }) => [head, 'ratio'])],
      programs.map(({ name }) => [
        name,
        ...columns.flatMap((column) => [
          short(median(valuesOf(name, column))),
          short(medianRatio(valuesOf(name, column), valuesOf(reference, column))),
        ]),
      ]),
    ),
  ].join('\n\n');
}
