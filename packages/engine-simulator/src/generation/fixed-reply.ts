import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { maxReplyTokens } from './generate-parts.ts';
import { createTextStream } from './text-stream.ts';

/** A prepared reply has at most so many chunks: all of them are sent at once. */
const maxChunks = 2048;

interface Chunk {
  readonly text: string;
  readonly tokens: number;
}

/** The reply of a model that always returns the same text. */
export function createFixedReply(text: string, chunkCount: number | undefined, tokenizer: Tokenizer) {
  const single: Chunk[] = [];
  const stream = createTextStream(tokenizer, [], ({ text, tokens }) => void single.push({ text, tokens }));
  for (const id of tokenizer.encode(text)) stream.push(id, undefined);
  const chunks = joined(single, chunkCount ?? Infinity);
  const tokens = single.reduce((sum, chunk) => sum + chunk.tokens, 0);
  const [streamed, whole] = [chunks, joined(single, 1)].map((parts) => {
    const texts = parts.map((part) => Object.freeze({ type: 'text', choice: 0, ...part } as const));
    return Object.freeze([...texts, Object.freeze({ type: 'finish', choice: 0, reason: 'stop' } as const)]);
  });
  return {
    ...{ text, tokens },
    /**
     * The events of the reply, without `meta` and `usage`, prepared once; undefined if the request needs other events.
     * A reply that is not streamed is a single text.
     */
    events(request: ChatRequest, isStreamed: boolean): readonly ChatEvent[] | undefined {
      const { stop, logprobs, max_completion_tokens: limit = Infinity } = request;
      const isLimited = tokens > maxReplyTokens || limit <= tokens || chunks.length > maxChunks;
      if (stop.length > 0 || logprobs || isLimited) return undefined;
      return isStreamed ? streamed : whole;
    },
  };
}

/** Joins adjacent chunks evenly until `count` remain. */
function joined(chunks: readonly Chunk[], count: number): readonly Chunk[] {
  if (count >= chunks.length) return chunks;
  return Array.from({ length: count }, (_, i) => {
    const part = chunks.slice(Math.floor((i * chunks.length) / count), Math.floor(((i + 1) * chunks.length) / count));
    return { text: part.map(({ text }) => text).join(''), tokens: part.reduce((sum, { tokens }) => sum + tokens, 0) };
  });
}
