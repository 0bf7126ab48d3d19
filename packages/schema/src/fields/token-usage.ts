import * as z from 'zod';
import { count } from './field.ts';

/** The tokens of an input and an output, each with its description. */
export const tokenUsage = (
  descriptions: Readonly<Record<'input' | 'cached' | 'output' | 'reasoning' | 'total', string>>,
) => ({
  input_tokens: count(descriptions.input),
  input_tokens_details: z
    .looseObject({ cached_tokens: count(descriptions.cached) })
    .describe('What the input tokens consist of.'),
  output_tokens: count(descriptions.output),
  output_tokens_details: z
    .looseObject({ reasoning_tokens: count(descriptions.reasoning) })
    .describe('What the output tokens consist of.'),
  total_tokens: count(descriptions.total),
});
