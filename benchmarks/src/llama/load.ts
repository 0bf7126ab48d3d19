import { setTimeout } from 'node:timers/promises';

export type Mode = 'plain' | 'sampled' | 'schema' | 'logprobs';

export interface LoadResult {
  /** Generated tokens per second of all streams together, from the requests to the end of the last stream. */
  readonly rate: number;
  /** Milliseconds from the request to the first text, the median of the streams. */
  readonly firstTokenMs: number;
  readonly tokens: number;
  /** Finish reasons other than `length`. */
  readonly endedEarly: number;
}

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    year: { type: 'integer' },
    kind: { type: 'string', enum: ['story', 'report', 'poem'] },
    paragraphs: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'year', 'kind', 'paragraphs'],
  additionalProperties: false,
};

const options: Readonly<Record<Mode, object>> = {
  plain: { temperature: 0 },
  sampled: { temperature: 0.8, seed: 1 },
  schema: {
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name: 'text', strict: true, schema } },
  },
  logprobs: { temperature: 0, logprobs: true, top_logprobs: 5 },
};

const subjects = ['rivers', 'bridges', 'clocks', 'islands', 'gardens', 'harbors', 'trains', 'winters'];

/** Starts this many streams at once and reads them to their ends. No prompt is sent twice, so that none is cached as a whole. */
export async function streamAtOnce(
  url: string,
  mode: Mode,
  connections: number,
  maxTokens: number,
  salt: string,
): Promise<LoadResult> {
  const start = performance.now();
  const streams = await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      const subject = subjects[index % subjects.length] ?? '';
      const content = `${salt}-${index}. Write a very long story about ${subject}, with many chapters, names, dates and places. Describe each place in detail, then what happened there, and do not stop before ten chapters are complete.`;
      const body = {
        model: 'model',
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: maxTokens,
        messages: [{ role: 'user', content }],
        ...options[mode],
      };
      return readStream(url, body);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const tokens = streams.reduce((sum, stream) => sum + stream.tokens, 0);
  const firsts = streams.map(({ firstTokenMs }) => firstTokenMs).sort((a, b) => a - b);
  return {
    rate: tokens / seconds,
    firstTokenMs: firsts[firsts.length >> 1] ?? NaN,
    tokens,
    endedEarly: streams.filter(({ reason }) => reason !== 'length').length,
  };
}

interface StreamResult {
  readonly tokens: number;
  readonly firstTokenMs: number;
  readonly reason: string | undefined;
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string | null }; readonly finish_reason?: string }[];
  readonly usage?: { readonly completion_tokens: number } | null;
}

async function readStream(url: string, body: object): Promise<StreamResult> {
  const start = performance.now();
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  let firstTokenMs = NaN;
  let tokens = 0;
  let reason: string | undefined;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const chunk = JSON.parse(line.slice('data: '.length)) as Chunk;
      const [choice] = chunk.choices;
      if (choice?.delta.content && Number.isNaN(firstTokenMs)) firstTokenMs = performance.now() - start;
      reason = choice?.finish_reason ?? reason;
      tokens = chunk.usage?.completion_tokens ?? tokens;
    }
  }
  return { tokens, firstTokenMs, reason };
}

/** Lets both servers finish what they do after a reply. */
export const pause = (): Promise<void> => setTimeout(50);
