import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import { longestReply } from './choice.ts';
import type { TokenSource } from './sampler.ts';
import { tokenForm, tokenText } from './token-text.ts';
import { endOfText } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

/** What is handed over at once: between two lists others may have a turn. */
export const longestList = 2048;
/** Lists for up to so many choices are kept, each of at most `longestList` events: about a megabyte in all. */
const keptChoices = 8;

/** A model's fixed text, with all of its events made beforehand. */
export interface CannedReply {
  readonly tokens: number;
  /** Can the events made beforehand serve this request as they are? */
  fits(request: ChatRequest): boolean;
  /**
   * The events of `n` choices, without `meta` and `usage`, made once; undefined where they are too many to keep. For an answer
   * that is not streamed, each text is one event: nobody sees the pieces.
   */
  list(n: number, streamed: boolean): readonly ChatEvent[] | undefined;
  /** The same in lists of at most `longestList`. */
  lists(n: number): Iterable<readonly ChatEvent[]>;
  /** The text as a source of tokens, each with probability 1, for what the events do not fit. */
  source(topLogprobs: number | undefined): TokenSource;
}

export function cannedReply(reply: string, chunks: number | undefined, tokenizer: Tokenizer): CannedReply {
  const ids = tokenizer.encode(reply);
  const pieces = join(wholePieces(ids, tokenizer), chunks);
  const inOne = join(pieces, 1);
  const made = { streamed: new Map<number, readonly ChatEvent[]>(), whole: new Map<number, readonly ChatEvent[]>() };
  function* make(n: number, parts = pieces): Generator<readonly ChatEvent[], void> {
    let list: ChatEvent[] = [];
    for (const piece of [...parts, undefined]) {
      for (let choice = 0; choice < n; choice++) {
        list.push(
          Object.freeze(piece ? { type: 'text', choice, ...piece } : { type: 'finish', choice, reason: 'stop' }),
        );
        if (list.length < longestList) continue;
        yield Object.freeze(list);
        list = [];
      }
    }
    if (list.length > 0) yield Object.freeze(list);
  }
  return {
    tokens: ids.length,
    fits: ({ stop, logprobs, max_completion_tokens: limit }) =>
      stop.length === 0 && !logprobs && ids.length <= longestReply && (limit === undefined || limit > ids.length),
    list(n, streamed) {
      const parts = streamed ? pieces : inOne;
      if (n > keptChoices || n * (parts.length + 1) > longestList) return undefined;
      const kept = streamed ? made.streamed : made.whole;
      let list = kept.get(n);
      if (list === undefined) kept.set(n, (list = [...make(n, parts)].flat()));
      return list;
    },
    lists: (n) => make(n),
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
