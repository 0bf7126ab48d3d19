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
  { url, cpuMs }: Pick<MeasuredServer, 'url' | 'cpuMs'>,
  mode: Mode,
  connections: number,
  maxTokens: number,
  salt: string,
): Promise<LoadResult> {
  const start = performance.now();
  let waiting = connections;
  let received = 0;
  let before = { received: 0, cpu: NaN };
  const onToken = (isFirst: boolean): void => {
    received++;
    if (isFirst && --waiting === 0) before = { received, cpu: cpuMs() };
  };
  const streams = await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      const subject = subjects[index % subjects.length] ?? '';
      const content = `${salt}-${index}. Write a very long story about ${subject}, with many chapters, names, dates and places. Describe each place in detail, then what happened there, and do not stop before ten chapters are complete.`;
      const body = {
        model: 'model',
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: maxTokens,
        messages: [
          ...(mode === 'described' ? [{ role: 'system', content: description }] : []),
          { role: 'user', content },
        ],
        ...options[mode],
      };
      return readStream(url, body, onToken);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const tokens = streams.reduce((sum, stream) => sum + stream.tokens, 0);
  const firsts = streams.map(({ firstTokenMs }) => firstTokenMs).sort((a, b) => a - b);
  return {
    rate: tokens / seconds,
    firstTokenMs: firsts[firsts.length >> 1] ?? NaN,
    tokens,
    promptTokens: streams.reduce((sum, stream) => sum + stream.promptTokens, 0),
    // A chunk can have several tokens.
    cpuPerToken: (cpuMs() - before.cpu) / (tokens * (1 - before.received / received)),
    endedEarly: streams.filter(({ reason }) => reason !== 'length').length,
  };
}

interface StreamResult {
  readonly tokens: number;
  readonly promptTokens: number;
  readonly firstTokenMs: number;
  readonly reason: string | undefined;
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string | null };
    readonly finish_reason?: string;
  }[];
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  } | null;
}

async function readStream(url: string, body: object, onToken: (isFirst: boolean) => void): Promise<StreamResult> {
  const start = performance.now();
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  let firstTokenMs = NaN;
  let tokens = 0;
  let promptTokens = 0;
  let reason: string | undefined;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const chunk = JSON.parse(line.slice('data: '.length)) as Chunk;
      const [choice] = chunk.choices;
      if (choice?.delta.content) {
        const isFirst = Number.isNaN(firstTokenMs);
        if (isFirst) firstTokenMs = performance.now() - start;
        onToken(isFirst);
      }
      reason = choice?.finish_reason ?? reason;
      if (!chunk.usage) continue;
      tokens = chunk.usage.completion_tokens;
      promptTokens = chunk.usage.prompt_tokens - (chunk.usage.prompt_tokens_details?.cached_tokens ?? 0);
    }
  }
  return { tokens, promptTokens, firstTokenMs, reason };
}
