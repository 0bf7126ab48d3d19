import * as z from 'zod';
import { flag, integer, requestObject, text } from '../fields/field.ts';
import * as limits from '../limits.ts';
import * as sampling from '../fields/sampling.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { chatModerationParamSchema } from '../fields/requested-moderation.ts';
import { promptCacheOptionsSchema } from '../fields/prompt-cache.ts';
import { responseIncludes } from './includes.ts';
import { responseInputSchema } from './input-items.ts';
import { responseTextFormatSchema, responseToolChoiceSchema, responseToolSchema } from './tools.ts';

const summary = z.enum(['auto', 'concise', 'detailed']).optional();

/** Shape of the body of Create response. */
export const responseCreateParamsSchema = requestObject(
  'ResponseCreateParams',
  'A request for a response of a model.',
  {
    model: text({ min: 1 }).meta({ description: 'ID of the model.', examples: ['simulator'] }),
    input: responseInputSchema.optional(),
    instructions: z
      .string()
      .optional()
      .describe('A system message in front of the input. Not inherited from `previous_response_id`.'),
    previous_response_id: text({ min: 1 })
      .optional()
      .meta({
        description: 'ID of a stored response that this one continues. Not together with `conversation`.',
        examples: ['resp_abc123'],
      }),
    conversation: z
      .union([text({ min: 1 }), z.strictObject({ id: text({ min: 1 }).describe('ID of the conversation.') })])
      .optional()
      .meta({
        description: 'The conversation whose items precede the input, and to which input and output are added.',
        examples: ['conv_abc123'],
      }),
    store: flag('Whether to store the response, to be retrieved or continued later.', true),
    background: flag('Whether to generate the response in the background.', false),
    stream: flag('Whether to send the response as server-sent events.', false),
    stream_options: z
      .strictObject({
        include_obfuscation: flag('Whether random characters pad events to similar sizes.', true),
      })
      .optional()
      .describe('Options of the stream.'),
    include: responseIncludes.describe(
      'What else to return. Values other than `message.output_text.logprobs`, `reasoning.encrypted_content` and `web_search_call.action.sources` have no effect.',
    ),
    max_output_tokens: integer({ min: limits.RESPONSE_OUTPUT_TOKENS_MIN })
      .optional()
      .describe('Maximum number of tokens of the output, reasoning included.'),
    max_tool_calls: integer({ min: 1 }).optional().describe('Maximum number of calls of tools that the server runs.'),
    metadata: metadataSchema.optional(),
    parallel_tool_calls: flag('Whether the model may call several tools.', true),
    temperature: sampling.temperature
      .optional()
      .meta({ description: 'Sampling temperature: higher values are more random.', default: 1 }),
    top_p: sampling.topP.optional().meta({ description: 'Probability mass of the tokens to sample from.', default: 1 }),
    top_logprobs: integer({ min: 0, max: limits.TOP_LOGPROBS_MAX })
      .optional()
      .describe('How many of the most likely tokens to return, with `include: ["message.output_text.logprobs"]`.'),
    presence_penalty: sampling.penalty.optional().meta(sampling.presencePenaltyMeta),
    frequency_penalty: sampling.penalty.optional().meta(sampling.frequencyPenaltyMeta),
    reasoning: z
      .strictObject({
        effort: z
          .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
          .optional()
          .describe('How much the model reasons. Models differ in the values they support.'),
        summary: summary.describe('Gives reasoning as a summary instead of as text.'),
        generate_summary: summary.meta({ description: 'Replaced by `summary`.', deprecated: true }),
        context: z.enum(['auto', 'current_turn', 'all_turns']).optional().describe('Accepted and ignored.'),
        mode: z.enum(['standard', 'pro']).optional().describe('Accepted and ignored.'),
      })
      .optional()
      .describe('How the model reasons.'),
    text: z
      .strictObject({
        format: responseTextFormatSchema.optional(),
        verbosity: z
          .enum(['low', 'medium', 'high'])
          .optional()
          .meta({ description: 'How detailed the reply is.', default: 'medium' }),
      })
      .optional()
      .describe('Form of the reply.'),
    tools: z.array(responseToolSchema).max(limits.TOOLS_MAX).optional().describe('Tools that the model may call.'),
    tool_choice: responseToolChoiceSchema.optional(),
    truncation: z.enum(['auto', 'disabled']).optional().meta({
      description:
        'What happens to input that exceeds the context of the model: `auto` drops the oldest turns until it fits, `disabled` fails.',
      default: 'disabled',
    }),
    service_tier: z
      .enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'])
      .optional()
      .meta({ description: 'The processing tier of the request.', default: 'auto' }),
    prompt_cache_key: z.string().optional().describe('Groups requests with similar prompts for caching.'),
    prompt_cache_retention: z.enum(['24h', 'in_memory']).optional().describe('How long a cached prompt is kept.'),
    prompt_cache_options: promptCacheOptionsSchema.optional(),
    moderation: chatModerationParamSchema.optional(),
    client_metadata: z
      .record(z.string(), z.string())
      .optional()
      .describe('What a client says about itself. Accepted with no effect: neither stored nor passed on.'),
    safety_identifier: text({ max: limits.SAFETY_IDENTIFIER_MAX_LENGTH })
      .optional()
      .meta({ description: 'A stable identifier of your user, preferably hashed.', examples: ['user-4f2a'] }),
    user: z.string().optional().meta({
      description: 'An identifier of your user. Replaced by `safety_identifier` and `prompt_cache_key`.',
      deprecated: true,
    }),
  },
);
