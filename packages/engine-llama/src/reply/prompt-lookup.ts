import { trackPrediction } from '@modelwire/adapter-kit/internal';
import type { Prediction } from '@modelwire/adapter-kit/internal';
import type { Token } from 'node-llama-cpp';

/** What proposes the next tokens of a reply. */
export type Drafts = Pick<Prediction<Token>, 'draft' | 'take'>;

/** The number of tokens that are searched, so that a token never takes more than a millisecond. */
const maxSearched = 16_384;
/** Shorter drafts take longer than the steps that they save; with more than two concurrent replies, the share of each is shorter. */
const minLength = 8;
/** After so many more rejected than accepted tokens, nothing is proposed any more. */
const maxLoss = 16;

/**
 * Prompt lookup: where the last tokens of a reply occur in its prompt or earlier in the reply, proposes the tokens that follow them there.
 *
 * @param draftLength The number of proposed tokens after so many that were found.
 */
export function createPromptLookup(prompt: readonly Token[], draftLength: (match: number) => number): Drafts {
  const text = prompt.slice(-maxSearched);
  const counts = { accepted: 0, rejected: 0 };
  const { draft, take } = trackPrediction(text, counts, draftLength, prompt);
  return {
    draft(maxLength = Infinity) {
      return maxLength < minLength || counts.rejected > counts.accepted + maxLoss ? [] : draft(maxLength);
    },
    take(id) {
      const isDrafted = take(id);
      text.push(id);
      return isDrafted;
    },
  };
}
