import type { TextCompletionChoice, TextCompletionLogprobs } from '@modelwire/schema/types';
import type { ChatEvent, EchoedToken } from '@modelwire/ports';

type Finish = Extract<ChatEvent, { readonly type: 'finish' }>['reason'];

/** Length of the text of each choice so far, in UTF-16 code units, for the positions of tokens. */
export class ChoicePieces {
  readonly #lengths = new Map<number, number>();
  readonly #withLogprobs: boolean;

  constructor(withLogprobs: boolean) {
    this.#withLogprobs = withLogprobs;
  }

  /** The next piece of a choice, in the format of a chunk. */
  text(index: number, text: string, logprobs: readonly EchoedToken[] = []): TextCompletionChoice {
    const start = this.#lengths.get(index) ?? 0;
    this.#lengths.set(index, start + text.length);
    return {
      text,
      index,
      logprobs: this.#withLogprobs ? legacyLogprobs(logprobs, start) : null,
      finish_reason: null,
    };
  }

  /** The last piece of a choice, without text. */
  finish(index: number, reason: Finish): TextCompletionChoice {
    return { text: '', index, logprobs: null, finish_reason: reason };
  }
}

function legacyLogprobs(logprobs: readonly EchoedToken[], start: number): TextCompletionLogprobs {
  const offsets: number[] = [];
  let at = start;
  for (const { token } of logprobs) {
    offsets.push(at);
    at += token.length;
  }
  return {
    tokens: logprobs.map(({ token }) => token),
    token_logprobs: logprobs.map(({ logprob }) => logprob),
    top_logprobs: logprobs.map(({ logprob: own, top_logprobs: top }) =>
      own === null ? null : Object.fromEntries(top.map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: offsets,
  };
}

/** Joins the pieces of one choice. */
export function joinPieces(pieces: readonly TextCompletionChoice[], index: number): TextCompletionChoice {
  const finish_reason = pieces.at(-1)?.finish_reason ?? null;
  if (finish_reason === null) throw new Error('the engine ended without a finish event for each choice');
  const logprobs = pieces.flatMap((piece) => piece.logprobs ?? []);
  return {
    text: pieces.map(({ text }) => text).join(''),
    index,
    logprobs:
      logprobs.length === 0
        ? null
        : {
            tokens: logprobs.flatMap(({ tokens }) => tokens),
            token_logprobs: logprobs.flatMap(({ token_logprobs }) => token_logprobs),
            top_logprobs: logprobs.flatMap(({ top_logprobs }) => top_logprobs),
            text_offset: logprobs.flatMap(({ text_offset }) => text_offset),
          },
    finish_reason,
  };
}
