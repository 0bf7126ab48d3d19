import * as z from 'zod';
import { usageSchema } from './chat/completion.ts';
import { logitBiasSchema, streamOptionsSchema } from './chat/create.ts';
import { constant, count, decimal, id, int64, integer, open, text, timestamp } from './field.ts';
import * as limits from './limits.ts';
import { textOrTokens } from './text-or-tokens.ts';

const penalty = decimal({ min: limits.PENALTY_MIN, max: limits.PENALTY_MAX }).optional();
const stopSequence = text({ min: 1, max: limits.STOP_MAX_LENGTH });

export const textCompletionCreateParamsSchema = z
  .strictObject({
    model: text({ min: 1 }).meta({ description: 'ID of the model.', examples: ['simulator'] }),
    prompt: textOrTokens({
      items: limits.PROMPTS_MAX,
      textLength: limits.PROMPT_MAX_LENGTH,
      totalLength: limits.PROMPT_MAX_LENGTH,
      tokens: limits.PROMPT_MAX_TOKENS,
      totalTokens: limits.PROMPT_MAX_TOKENS,
      emptyText: false,
    }).meta({
      description: 'The text to continue, several texts, or the token IDs of one or several texts.',
      examples: ['Name three rivers in Europe.'],
    }),
    best_of: integer({ min: 1, max: 20 })
      .optional()
      .describe('Candidates to generate for each prompt. It must equal `n`: others are not supported.'),
    echo: z.boolean().optional().meta({ description: 'Whether each choice begins with the prompt.', default: false }),
    frequency_penalty: penalty.meta({
      description: 'Positive values make tokens less likely the more often they appeared.',
      default: 0,
    }),
    logit_bias: logitBiasSchema
      .optional()
      .meta({ description: 'Token IDs, each with a bias that is added to its logit.', examples: [{ '1734': -100 }] }),
    logprobs: integer({ min: 0, max: limits.TEXT_COMPLETION_LOGPROBS_MAX })
      .optional()
      .describe('Returns the log probability of each output token, and of this many of the most likely tokens.'),
    max_tokens: integer({ min: 1 })
      .optional()
      .meta({ description: 'Maximum number of tokens of each choice.', default: 16 }),
    n: integer({ min: 1, max: limits.N_MAX })
      .optional()
      .meta({ description: 'Number of choices to generate for each prompt.', default: 1 }),
    presence_penalty: penalty.meta({
      description: 'Positive values make tokens less likely that appeared at all.',
      default: 0,
    }),
    seed: int64().optional().describe('The same request with the same seed gives the same reply, where possible.'),
    stop: z
      .union([stopSequence, z.array(stopSequence).max(limits.STOP_MAX_SEQUENCES)])
      .optional()
      .describe('Texts at which a choice ends. They are not returned.'),
    stream: z.boolean().optional().meta({ description: 'Whether to stream the reply.', default: false }),
    stream_options: streamOptionsSchema.optional().describe('Options of a stream. Requires `stream`.'),
    suffix: z.string().optional().describe('Text that follows the completion, for models that fill in.'),
    temperature: decimal({ min: limits.TEMPERATURE_MIN, max: limits.TEMPERATURE_MAX })
      .optional()
      .meta({ description: 'How random the choice of tokens is.', default: 1 }),
    top_p: decimal({ min: limits.TOP_P_MIN, max: limits.TOP_P_MAX })
      .optional()
      .meta({ description: 'Only the most likely tokens with this probability together are chosen from.', default: 1 }),
    user: z.string().optional().describe('ID of your end user.'),
  })
  .meta({ id: 'TextCompletionCreateParams', description: 'A request to continue a text.' });

export const textCompletionLogprobsSchema = z
  .looseObject({
    tokens: z.array(z.string()).describe('The tokens.'),
    token_logprobs: z.array(z.number().nullable()).describe('Log probability of each token.'),
    top_logprobs: z
      .array(z.record(z.string(), z.number()).nullable())
      .describe('The most likely tokens at each position, with their log probabilities.'),
    text_offset: z.array(z.int()).describe('Position of each token in the text of the choice, in UTF-16 units.'),
  })
  .meta({ id: 'TextCompletionLogprobs', description: 'Log probabilities of the tokens of a choice.' });

export const textCompletionChoiceSchema = z
  .looseObject({
    text: z.string().meta({ description: 'The text.', examples: [' Danube, Rhine, Loire.'] }),
    index: count('Position of the choice: those of the first prompt come first.'),
    logprobs: textCompletionLogprobsSchema.nullable().describe('Null unless asked for.'),
    finish_reason: open(['stop', 'length', 'content_filter'])
      .nullable()
      .describe('Why the choice ended. Null in chunks before its last.'),
  })
  .meta({ id: 'TextCompletionChoice', description: 'One continuation of a prompt.' });

export const textCompletionSchema = z
  .looseObject({
    id: id('ID of the completion.', 'cmpl-abc123'),
    object: constant('text_completion'),
    created: timestamp('When the completion was created.'),
    model: z.string().meta({ description: 'Model that generated the text.', examples: ['simulator'] }),
    system_fingerprint: z.string().optional().describe('Changes when the model or its configuration does.'),
    choices: z.array(textCompletionChoiceSchema).describe('`n` choices for each prompt.'),
    usage: usageSchema.nullable().optional().describe('Tokens that the request used.'),
  })
  .meta({ id: 'TextCompletion', description: 'Continuations of one or several texts.' });
