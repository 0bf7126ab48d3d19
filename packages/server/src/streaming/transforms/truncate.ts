import type { CompletionUsage, FinishReason } from '@modelwire/schema/types';
import { createStopBuffer, stopTables } from '@modelwire/adapter-kit';
import type { ChatEvent, ChatEvents } from '@modelwire/ports';
import { flat, tokensOf } from '../events.ts';

/** What to enforce on one choice. */
export interface TruncateOptions {
  readonly stop: readonly string[];
  readonly maxTokens: number | undefined;
  /** Whether it ends after its first tool call (API: `parallel_tool_calls`). */
  readonly singleToolCall: boolean;
  /** The engine's count of the prompt, for a reply that is truncated before its usage; undefined if it cannot count. */
  readonly promptTokens: () => number | undefined;
}

type TextEvent = Extract<ChatEvent, { readonly type: 'text' | 'refusal' }>;

/**
 * Enforces `stop`, the token limit and a single tool call on the events of one choice, for an engine that does not (API: `stop`,
 * `max_completion_tokens`). Text that may be the start of a stop sequence is held back until that is decided. When the choice is
 * truncated, so is the iteration: the engine generates no more. Usage then counts what was emitted. Stop sequences are found in the text
 * only, not in refusals or tool input.
 */
export async function* truncate(
  events: ChatEvents,
  { stop, maxTokens, singleToolCall, promptTokens }: TruncateOptions,
): AsyncGenerator<ChatEvent> {
  const buffer = createStopBuffer(stopTables(stop), truncateEvent);
  let remainingTokens = maxTokens ?? Infinity;
  let counted = 0;
  let usage: CompletionUsage | undefined;

  for await (const event of flat(events)) {
    if (event.type === 'usage') usage = event.usage;
    if (singleToolCall && event.type === 'tool_call' && event.index > 0) {
      yield* buffer.flush();
      yield* end('tool_calls');
      return;
    }
    const tokens = tokensOf(event);
    if (tokens > 0 && remainingTokens <= 0) {
      yield* buffer.flush();
      yield* end('length');
      return;
    }
    const allowedTokens = Math.min(tokens, remainingTokens);
    counted += allowedTokens;
    remainingTokens -= allowedTokens;
    const isText = event.type === 'text' || event.type === 'refusal';
    const piece = isText && allowedTokens < tokens ? firstTokens(event, allowedTokens) : event;
    if (piece.type === 'text' && stop.length > 0) {
      const { pieces, stoppedBy } = buffer.push(piece);
      yield* pieces;
      if (stoppedBy !== undefined) {
        yield* end('stop', stoppedBy);
        return;
      }
    } else {
      // Held-back text comes first.
      if (event.type !== 'usage' && event.type !== 'meta') yield* buffer.flush();
      yield piece;
    }
    if (allowedTokens < tokens) {
      yield* buffer.flush();
      yield* end('length');
      return;
    }
  }
  yield* buffer.flush();

  function* end(reason: FinishReason, stoppedBy?: string): Generator<ChatEvent> {
    yield { type: 'finish', choice: 0, reason, ...(stoppedBy !== undefined && { stoppedBy }) };
    const prompt_tokens = usage?.prompt_tokens ?? promptTokens();
    // Without a count of the prompt, the reply has no usage.
    if (prompt_tokens === undefined) return;
    yield {
      type: 'usage',
      usage: { ...usage, prompt_tokens, completion_tokens: counted, total_tokens: prompt_tokens + counted },
    };
  }
}

/** The first tokens of an event. Without log probabilities the boundaries of tokens are unknown: each token gets an equal share of the text. */
function firstTokens(event: TextEvent, count: number): TextEvent {
  const { logprobs, tokens = 1, text } = event;
  if (logprobs?.length === tokens) {
    const first = logprobs.slice(0, count);
    const joined = first.map(({ token }) => token).join('');
    if (text.startsWith(joined)) return { ...event, tokens: count, logprobs: first, text: joined };
  }
  return withoutLogprobs({ ...event, tokens: count, text: upTo(text, Math.floor((text.length * count) / tokens)) });
}

/** The beginning of an event, truncated at a token if those are known. */
function truncateEvent(event: TextEvent, length: number): TextEvent {
  const { logprobs } = event;
  let end = 0;
  // A token that is partly in the text is kept, with its log probability.
  const keptLogprobs = logprobs?.filter(({ token }) => {
    const begins = end;
    end += token.length;
    return begins < length;
  });
  const truncatedEvent = { ...event, text: upTo(event.text, length) };
  return keptLogprobs && end === event.text.length
    ? { ...truncatedEvent, logprobs: keptLogprobs }
    : withoutLogprobs(truncatedEvent);
}

/** Removes log probabilities, which could reveal the truncated text. */
function withoutLogprobs({ logprobs, ...event }: TextEvent): TextEvent {
  return logprobs ? { ...event, logprobs: [] } : event;
}

/** Not between the halves of a surrogate pair. */
function upTo(text: string, end: number): string {
  return text.slice(0, (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end);
}
