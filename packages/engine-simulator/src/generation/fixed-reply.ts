import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { maxReplyTokens } from './choice.ts';
import { createTextStream } from './text-stream.ts';
import type { TextChunk } from './text-stream.ts';

/** Prepared replies have at most so many events and choices, so all of them together take about a megabyte. */
const maxEvents = 2048;
const maxChoices = 8;

/** The reply of a model that always returns the same text. */
export interface FixedReply {
  readonly text: string;
  readonly tokens: number;
  /**
   * The events of all choices, without `meta` and `usage`, prepared once; undefined if the request needs other events.
   * A reply that is not streamed is a single text.
   */
  events(request: ChatRequest, isStreamed: boolean): readonly ChatEvent[] | undefined;
}

type Chunk = Pick<TextChunk, 'text' | 'tokens'>;

export function createFixedReply(reply: string, chunkCount: number | undefined, tokenizer: Tokenizer): FixedReply {
  const chunks = joined(chunksOf(reply, tokenizer), chunkCount ?? Infinity);
  const whole = joined(chunks, 1);
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
  /** By the number of choices; the key is negative for replies that are not streamed. */
  const prepared = new Map<number, readonly ChatEvent[]>();
  return {
    ...{ text: reply, tokens },
    events({ n, stop, logprobs, max_completion_tokens: limit = Infinity }, isStreamed) {
      const parts = isStreamed ? chunks : whole;
      const fits = stop.length === 0 && !logprobs && tokens <= maxReplyTokens && limit > tokens;
      if (!fits || n > maxChoices || n * (parts.length + 1) > maxEvents) return undefined;
      const key = isStreamed ? n : -n;
      const known = prepared.get(key);
      if (known) return known;
      const choices = Array.from({ length: n }, (_, choice) => choice);
      const events: readonly ChatEvent[] = [
        ...parts.flatMap((part) => choices.map((choice) => ({ type: 'text', choice, ...part }) as const)),
        ...choices.map((choice) => ({ type: 'finish', choice, reason: 'stop' }) as const),
      ];
      prepared.set(key, Object.freeze(events.map((event) => Object.freeze(event))));
      return events;
    },
  };
}

function chunksOf(reply: string, tokenizer: Tokenizer): Chunk[] {
  const chunks: Chunk[] = [];
  const stream = createTextStream(tokenizer, [], ({ text, tokens }) => void chunks.push({ text, tokens }));
  for (const id of tokenizer.encode(reply)) stream.push(id, undefined);
  return chunks;
}

/** Joins adjacent chunks evenly until `count` remain. */
function joined(chunks: readonly Chunk[], count: number): readonly Chunk[] {
  if (count >= chunks.length) return chunks;
  return Array.from({ length: count }, (_, i) => {
    const part = chunks.slice(Math.floor((i * chunks.length) / count), Math.floor(((i + 1) * chunks.length) / count));
    return { text: part.map(({ text }) => text).join(''), tokens: part.reduce((sum, { tokens }) => sum + tokens, 0) };
  });
}
