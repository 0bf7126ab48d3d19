import type { TextOrTokens } from '@modelwire/schema/types';

/** A text, or its tokens. */
export type Prompt = string | readonly number[];

/** The texts or lists of tokens of a request, of which a single one may be sent without a list. */
export function promptsOf(input: TextOrTokens): readonly Prompt[] {
  if (typeof input === 'string') return [input];
  return isTokens(input) ? [input] : input;
}

const isTokens = (input: Exclude<TextOrTokens, string>): input is readonly number[] => typeof input[0] === 'number';
