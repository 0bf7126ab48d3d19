import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { PlannedPart } from '../plan.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { maxReplyTokens, zeroCounts } from './generate-parts.ts';
import { createTextStream } from './text-stream.ts';
import type { TextChunk } from './text-stream.ts';

/** A prepared reply has at most so many chunks: all of them are sent at once. */
const maxChunks = 2048;

/** The reply of a model that always returns the same text. */
export function createFixedReply(text: string, chunkCount: number | undefined, tokenizer: Tokenizer) {
  const single: TextChunk[] = [];
  const stream = createTextStream(tokenizer, [], (chunk) => void single.push(chunk));
  const ids = tokenizer.encode(text);
  for (const id of ids) stream.push(id, undefined);
  const isLong = ids.length > maxReplyTokens || Math.min(chunkCount ?? Infinity, single.length) > maxChunks;
  const [streamed, whole] = [chunkCount ?? Infinity, 1].map((count) => eventsOf(single, count));
  const part: PlannedPart = { kind: 'text', template: [[ids]], isExact: true };
  return {
    ...{ part, counts: { ...zeroCounts, sent: ids.length } },
    /**
     * The events of the reply, without `meta` and `usage`, prepared once; undefined if the request needs other events.
     * A reply that is not streamed is a single text.
     */
    events(request: ChatRequest, isStreamed: boolean): readonly ChatEvent[] | undefined {
      const { stop, logprobs, max_completion_tokens: limit = Infinity } = request;
      if (stop.length > 0 || logprobs || isLong || limit <= ids.length) return undefined;
      return isStreamed ? streamed : whole;
    },
  };
}

/** Adjacent chunks are joined evenly until `count` remain. */
function eventsOf(chunks: readonly TextChunk[], count: number): readonly ChatEvent[] {
  const pieces = Math.min(count, chunks.length);
  const texts = Array.from({ length: pieces }, (_, i) => {
    const own = chunks.slice(Math.floor((i * chunks.length) / pieces), Math.floor(((i + 1) * chunks.length) / pieces));
    const tokens = own.reduce((sum, chunk) => sum + chunk.tokens, 0);
    return Object.freeze({ type: 'text', choice: 0, text: own.map(({ text }) => text).join(''), tokens } as const);
  });
  return Object.freeze([...texts, Object.freeze({ type: 'finish', choice: 0, reason: 'stop' } as const)]);
}
