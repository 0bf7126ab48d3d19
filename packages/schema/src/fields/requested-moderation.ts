import * as z from 'zod';
import { constant, requestObject, responseObject, string, text } from './field.ts';
import { moderationResult } from './moderation-result.ts';

const policy = z.strictObject({
  mode: z
    .enum(['score', 'block'])
    .describe('`score`: the result is reported. `block`: what is flagged is also refused or withheld.'),
});

export const chatModerationParamSchema = requestObject(
  'ChatCompletionModerationParam',
  'Moderates the messages and the reply.',
  {
    model: text({ min: 1 }).meta({
      description: 'ID of the moderation model.',
      examples: ['omni-moderation-latest'],
    }),
    policy: z
      .strictObject({
        input: policy.nullable().optional().describe('Of the messages. Default: `score`.'),
        output: policy.nullable().optional().describe('Of the reply. Default: `score`.'),
      })
      .nullable()
      .optional()
      .describe('What follows from the results. Default: they are reported.'),
  },
);

const resultSchema = z.looseObject({
  type: constant('moderation_result'),
  model: string('Model that classified the text.', 'omni-moderation-latest'),
  ...moderationResult,
});

const resultsSchema = responseObject('ChatCompletionModerationResults', 'The results of a moderation.', {
  type: constant('moderation_results'),
  model: string('Model that classified the text.', 'omni-moderation-latest'),
  results: z
    .array(resultSchema)
    .describe('One entry for each message of the request with text or images, or for each choice with text.'),
});

const errorSchema = responseObject('ChatCompletionModerationError', 'Why there are no results.', {
  type: constant('error'),
  code: string('Code of the error.', 'internal_error'),
  message: string('What went wrong.', 'The moderation failed.'),
});

const sideSchema = z.discriminatedUnion('type', [resultsSchema, errorSchema]);

export const chatModerationSchema = responseObject(
  'ChatCompletionModeration',
  'Results of the moderation that the request asked for.',
  { input: sideSchema.describe('Of the messages.'), output: sideSchema.describe('Of the reply.') },
);

const responseSideSchema = z.discriminatedUnion('type', [resultSchema, errorSchema]);

/** A response has one result for all of its input, and one for all of its output. */
export const responseModerationSchema = responseObject(
  'ResponseModeration',
  'Results of the moderation that the request asked for.',
  { input: responseSideSchema.describe('Of the input.'), output: responseSideSchema.describe('Of the output.') },
);
