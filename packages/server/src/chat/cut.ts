import type { CompletionUsage, FinishReason } from '@modelwire/schema/types';
import type { ChatEvent } from '../ports/chat-engine.ts';

/** What to enforce on one choice. */
export interface CutOptions {
  readonly stop: readonly string[];
  readonly maxTokens: number | undefined;
}

type TextEvent = Extract<ChatEvent, { readonly type: 'text' | 'refusal' }>;

/**
 * Enforces `stop` and the token limit on the events of one choice, for an engine that cannot (interface: `stop`,
 * `max_completion_tokens`). Text that might be the beginning of a stop sequence waits until it is clear. The choice ends
 * where it is cut, and so does the iteration: the engine is not asked for more. Usage then counts what was let through.
 */
export async function* cut(
  events: AsyncIterable<ChatEvent>,
  { stop, maxTokens }: CutOptions,
): AsyncGenerator<ChatEvent> {
  let held: TextEvent[] = [];
  let heldText = '';
  let left = maxTokens ?? Infinity;
  let counted = 0;
  let usage: CompletionUsage | undefined;

  for await (const event of events) {
    if (event.type === 'usage') usage = event.usage;
    if (event.type !== 'text' && event.type !== 'refusal' && event.type !== 'tool_input') {
      if (event.type === 'finish') {
        yield* held;
        held = [];
        heldText = '';
      }
      yield event;
      continue;
    }
    if (left <= 0) {
      yield* held;
      yield* end('length');
      return;
    }
    const tokens = (event.type === 'tool_input' ? undefined : event.tokens) ?? 1;
    const kept = Math.min(tokens, left);
    counted += kept;
    left -= kept;
    const piece = kept === tokens ? event : { ...event, text: shareOf(event.text, kept / tokens) };
    if (piece.type !== 'text' || stop.length === 0) {
      yield piece;
    } else {
      held.push(piece);
      heldText += piece.text;
      const at = firstOf(stop, heldText);
      if (at !== -1) {
        yield* takeText(held, at);
        yield* end('stop');
        return;
      }
      const clear = heldText.length - longestBeginning(stop, heldText);
      let released = 0;
      for (let first = held[0]; first && released + first.text.length <= clear; first = held[0]) {
        released += first.text.length;
        held.shift();
        yield first;
      }
      heldText = heldText.slice(released);
    }
    if (kept < tokens) {
      yield* held;
      yield* end('length');
      return;
    }
  }
  yield* held;

  function* end(reason: FinishReason): Generator<ChatEvent> {
    yield { type: 'finish', choice: 0, reason };
    yield { type: 'usage', usage: countedUsage(usage, counted) };
  }
}

/** Where an event of several tokens is cut by the limit, which token ends where is not known: it keeps its share of the text. */
function shareOf(text: string, share: number): string {
  const end = Math.floor(text.length * share);
  // Not between the halves of a surrogate pair.
  return text.slice(0, (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end);
}

/** The events up to a position in their joined text; the one that straddles it is cut. */
function* takeText(events: readonly TextEvent[], length: number): Generator<TextEvent> {
  for (const event of events) {
    if (length <= 0) return;
    yield event.text.length <= length ? event : { ...event, text: event.text.slice(0, length) };
    length -= event.text.length;
  }
}

function firstOf(stop: readonly string[], text: string): number {
  let first = -1;
  for (const sequence of stop) {
    const at = text.indexOf(sequence);
    if (at !== -1 && (first === -1 || at < first)) first = at;
  }
  return first;
}

/** Length of the longest end of `text` that begins one of the sequences. */
function longestBeginning(stop: readonly string[], text: string): number {
  let longest = 0;
  for (const sequence of stop) {
    for (let length = Math.min(sequence.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(sequence.slice(0, length))) longest = length;
    }
  }
  return longest;
}

/** The engine stopped before it could say: its prompt count if it gave one early, and the tokens that were let through. */
function countedUsage(known: CompletionUsage | undefined, completion_tokens: number): CompletionUsage {
  const prompt_tokens = known?.prompt_tokens ?? 0;
  return { ...known, prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
