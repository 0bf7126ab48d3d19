import type { ChatEvent, ChatRequest } from '@modelwire/server';
import { longestReply } from './choice.ts';
import type { TokenSource } from './sampler.ts';
import { tokenForm, tokenText } from './token-text.ts';
import { endOfText } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

/** A model's fixed text, with all of its events made beforehand. */
export interface CannedReply {
  readonly tokens: number;
  /** Can the events made beforehand serve this request as they are? */
  fits(request: ChatRequest): boolean;
  /** The events of `n` choices, without `meta` and `usage`. */
  events(n: number): readonly ChatEvent[];
  /** The text as a source of tokens, each with probability 1, for what the events do not fit. */
  source(topLogprobs: number | undefined): TokenSource;
}

export function cannedReply(reply: string, chunks: number | undefined, tokenizer: Tokenizer): CannedReply {
  const ids = tokenizer.encode(reply);
  const pieces = join(wholePieces(ids, tokenizer), chunks);
  const made = new Map<number, readonly ChatEvent[]>();
  return {
    tokens: ids.length,
    fits: ({ stop, logprobs, max_completion_tokens: limit }) =>
      stop.length === 0 && !logprobs && ids.length <= longestReply && (limit === undefined || limit > ids.length),
    events(n) {
      let events = made.get(n);
      if (events === undefined) {
        const choices = Array.from({ length: n }, (_, choice) => choice);
        events = [
          ...pieces.flatMap((piece) =>
            choices.map((choice) => Object.freeze({ type: 'text' as const, choice, ...piece })),
          ),
          ...choices.map((choice) => Object.freeze({ type: 'finish' as const, choice, reason: 'stop' as const })),
        ];
        if (n <= 8) made.set(n, events);
      }
      return events;
    },
    source(topLogprobs) {
      let next = 0;
      return () => {
        const id = ids[next++] ?? endOfText;
        if (topLogprobs === undefined) return { id, logprob: undefined };
        const sure = { ...tokenForm(tokenizer, id), logprob: 0 };
        return { id, logprob: { ...sure, top_logprobs: topLogprobs === 0 ? [] : [sure] } };
      };
    },
  };
}

interface Piece {
  readonly text: string;
  readonly tokens: number;
}

function wholePieces(ids: readonly number[], tokenizer: Tokenizer): Piece[] {
  const assemble = tokenText(tokenizer);
  const pieces: Piece[] = [];
  let tokens = 0;
  for (const id of ids) {
    tokens++;
    const text = assemble.push(id);
    if (text === '') continue;
    pieces.push({ text, tokens });
    tokens = 0;
  }
  return pieces;
}

/** Joins neighbours until `count` are left, evenly. */
function join(pieces: readonly Piece[], count: number | undefined): readonly Piece[] {
  if (count === undefined || count >= pieces.length) return pieces;
  return Array.from({ length: count }, (_, i) => {
    const part = pieces.slice(Math.floor((i * pieces.length) / count), Math.floor(((i + 1) * pieces.length) / count));
    return { text: part.map(({ text }) => text).join(''), tokens: part.reduce((sum, { tokens }) => sum + tokens, 0) };
  });
}
