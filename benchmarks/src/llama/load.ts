import OpenAI from 'openai';
import { usageOf } from '../process-usage.ts';
import { median } from '../statistics.ts';
import type { MeasuredServer } from './servers.ts';

/** `described`: without a constraint, with a prompt of the length that `schema` has. */
export type Mode = 'plain' | 'sampled' | 'described' | 'schema' | 'logprobs';

export interface LoadResult {
  /** Generated tokens per second of all streams together, from the requests to the end of the last stream. */
  readonly rate: number;
  /** Milliseconds from the request to the first text, the median of the streams. */
  readonly firstTokenMs: number;
  readonly tokens: number;
  /** Tokens of the prompts that were not in the server's cache. */
  readonly promptTokens: number;
  /** Milliseconds of the server's CPU time for each token after every stream has had its first. */
  readonly cpuPerToken: number;
  /** Finish reasons other than `length`. */
  readonly endedEarly: number;
}

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    year: { type: 'integer' },
    kind: { type: 'string', enum: ['story', 'report', 'poem'] },
    paragraphs: { type: 'array', items: { type: 'string' }, minItems: 20 },
  },
  required: ['title', 'year', 'kind', 'paragraphs'],
  additionalProperties: false,
};

const options: Readonly<Record<Mode, object>> = {
  plain: { temperature: 0 },
  sampled: { temperature: 0.8, seed: 1 },
  described: { temperature: 0 },
  schema: {
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name: 'text', strict: true, schema } },
  },
  logprobs: { temperature: 0, logprobs: true, top_logprobs: 5 },
};

const description = `Answer with one JSON value, "text", that follows this JSON Schema:\n${JSON.stringify(schema)}`;

const subjects = ['rivers', 'bridges', 'clocks', 'islands', 'gardens', 'harbors', 'trains', 'winters'];

/** Starts this many streams at once and reads them to their ends. No prompt is sent twice, so that none is cached as a whole. */
export async function streamAtOnce(
  { base, pid }: MeasuredServer,
  mode: Mode,
  connections: number,
  maxTokens: number,
  salt: string,
): Promise<LoadResult> {
  const { chat } = new OpenAI({ apiKey: 'none', baseURL: base, maxRetries: 0 });
  const start = performance.now();
  let waiting = connections;
  let received = 0;
  let before = { received: 0, cpuMs: NaN };

  async function readStream(index: number) {
    const subject = subjects[index % subjects.length] ?? '';
    const content = `${salt}-${index}. Write a very long story about ${subject}, with many chapters, names, dates and places. Describe each place in detail, then what happened there, and do not stop before ten chapters are complete.`;
    const stream = await chat.completions.create({
      model: 'model',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: maxTokens,
      messages: [
        ...(mode === 'described' ? [{ role: 'system' as const, content: description }] : []),
        { role: 'user', content },
      ],
      ...options[mode],
    });
    const read = { firstTokenMs: NaN, tokens: 0, promptTokens: 0, reason: '' };
    for await (const { choices, usage } of stream) {
      if (choices[0]?.delta.content) {
        received++;
        if (Number.isNaN(read.firstTokenMs)) {
          read.firstTokenMs = performance.now() - start;
          if (--waiting === 0) before = { received, cpuMs: usageOf(pid).cpuMs };
        }
      }
      read.reason = choices[0]?.finish_reason ?? read.reason;
      if (!usage) continue;
      read.tokens = usage.completion_tokens;
      read.promptTokens = usage.prompt_tokens - (usage.prompt_tokens_details?.cached_tokens ?? 0);
    }
    return read;
  }

  const streams = await Promise.all(Array.from({ length: connections }, (_, index) => readStream(index)));
  const seconds = (performance.now() - start) / 1000;
  const tokens = streams.reduce((sum, stream) => sum + stream.tokens, 0);
  return {
    rate: tokens / seconds,
    firstTokenMs: median(streams.map(({ firstTokenMs }) => firstTokenMs)),
    tokens,
    promptTokens: streams.reduce((sum, stream) => sum + stream.promptTokens, 0),
    // A chunk can have several tokens.
    cpuPerToken: (usageOf(pid).cpuMs - before.cpuMs) / (tokens * (1 - before.received / received)),
    endedEarly: streams.filter(({ reason }) => reason !== 'length').length,
  };
}
