import type { ChatEvent, EchoedToken } from '@modelwire/ports';
import type { Token } from 'node-llama-cpp';
import { scoresOf } from '../sampling/scores.ts';
import type { RawScores } from '../sampling/scores.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** A prompt that the reply starts with (API: `echo`). */
export interface EchoedPrompt {
  readonly tokens: readonly Token[];
  /** The number of tokens at the start that are not part of the client's prompt: the token that a model adds to the start of a text. */
  readonly added: number;
  /** The text of the prompt; undefined for token IDs. */
  readonly text: string | undefined;
}

/**
 * The event of the prompt.
 * @param scores The scores of all tokens but the first; undefined without log probabilities.
 */
export function echoEvent(
  { tokens, added, text }: EchoedPrompt,
  scores: readonly RawScores[] | undefined,
  topCount: number,
  vocabulary: Vocabulary,
): ChatEvent {
  const prompt = tokens.slice(added);
  const logprobs = scores && prompt.map((id, at) => echoedToken(id, scores[added + at - 1], topCount, vocabulary));
  return { type: 'echo', choice: 0, text: text ?? textOf(prompt, vocabulary), ...(logprobs && { logprobs }) };
}

function echoedToken(id: Token, raw: RawScores | undefined, topCount: number, { describe }: Vocabulary): EchoedToken {
  if (raw === undefined) return { ...describe(id), logprob: null, top_logprobs: [] };
  const { ids, logprobs } = scoresOf(raw, new Map());
  const logprobAt = (at: number): number => logprobs[at] ?? -Infinity;
  return {
    ...describe(id),
    logprob: logprobAt(ids.indexOf(id)),
    top_logprobs: ids.slice(0, topCount).map((top, at) => ({ ...describe(top), logprob: logprobAt(at) })),
  };
}

/** The text of tokens, with control tokens by their names. */
function textOf(tokens: readonly Token[], { bytes, describe }: Vocabulary): string {
  const all = tokens.map((id) => {
    const own = bytes(id);
    return own.length > 0 ? own : new TextEncoder().encode(describe(id).token);
  });
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(all));
}
