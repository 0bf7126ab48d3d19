import * as z from 'zod';
import { constant, count, responseObject } from '../fields/field.ts';
import { responseCreateParamsSchema } from './create.ts';

/** Body of Count input tokens: the fields of Create response that define the input. */
export const responseInputTokensParamsSchema = responseCreateParamsSchema
  .pick({
    model: true,
    input: true,
    instructions: true,
    previous_response_id: true,
    conversation: true,
    parallel_tool_calls: true,
    reasoning: true,
    text: true,
    tools: true,
    tool_choice: true,
    truncation: true,
  })
  .extend({ personality: z.string().optional().describe('Accepted and ignored.') })
  .partial({ model: true })
  .meta({ id: 'ResponseInputTokensParams', description: 'An input whose tokens are counted.' });

export const responseInputTokensSchema = responseObject('ResponseInputTokens', 'The number of tokens of an input.', {
  object: constant('response.input_tokens'),
  input_tokens: count('Tokens of the input. Estimated where the model cannot count without generating.'),
});
