import * as z from 'zod';
import { constant, flag, integer, jsonObject, requestObject, text } from '../fields/field.ts';
import { replySchemaMeta } from '../fields/tool-fields.ts';
import * as sampling from '../fields/sampling.ts';
import { MESSAGES_MAX, MESSAGE_STOP_MAX_SEQUENCES } from '../limits.ts';
import { cacheControl, messageParamSchema, systemPromptSchema } from './content.ts';
import { messageToolChoiceSchema, messageToolsSchema } from './tools.ts';

const display = z.enum(['summarized', 'omitted']).optional().describe('Whether the reply shows the reasoning.');

const thinking = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: constant('enabled'),
        budget_tokens: integer({ min: 1 }).describe('How much the model may reason. Becomes an effort.'),
        display,
      })
      .describe('The model reasons.'),
    z.strictObject({ type: constant('adaptive'), display }).describe('The model decides how much it reasons.'),
    z.strictObject({ type: constant('between_tools') }).describe('The model reasons between calls of tools.'),
    z.strictObject({ type: constant('disabled') }).describe('The reply contains no reasoning.'),
  ])
  .optional()
  .describe('How the model reasons.');

const format = z
  .strictObject({ type: constant('json_schema'), schema: jsonObject().meta(replySchemaMeta) })
  .optional()
  .describe('JSON Schema that the text of the reply follows.');

const ofUpstreams = 'For models of upstreams of this API; a 400 for others.';
const hosted = (description: string) => z.unknown().optional().describe(`${description} ${ofUpstreams}`);

/** What both requests contain. */
const promptFields = {
  model: text({ min: 1 }).meta({ description: 'ID of the model.', examples: ['simulator'] }),
  messages: z
    .array(messageParamSchema)
    .min(1)
    .max(MESSAGES_MAX)
    .meta({
      description: 'The conversation so far.',
      examples: [[{ role: 'user', content: 'Name three rivers in Europe.' }]],
    }),
  system: systemPromptSchema,
  tools: messageToolsSchema,
  tool_choice: messageToolChoiceSchema.optional(),
  thinking,
  output_config: z
    .strictObject({
      format,
      effort: z
        .enum(['low', 'medium', 'high', 'xhigh', 'max'])
        .optional()
        .describe('How much the model reasons. Without effect for models without efforts.'),
    })
    .optional()
    .describe('Form of the reply.'),
  output_format: format.describe('An older place of `output_config.format`.'),
  cache_control: cacheControl,
  speed: z.enum(['standard', 'fast']).optional().describe('`fast` requests the priority tier.'),
  container: hosted('The container in which tools of a hosted service run.'),
  mcp_servers: hosted('Servers whose tools a hosted service calls.'),
  inference_geo: hosted('The region in which a hosted service generates.'),
  compaction: hosted('How a hosted service shortens the prompt.'),
  context_management: jsonObject().optional().describe('Accepted with no effect: nothing is removed from the prompt.'),
};

/** Shape of the body of Create message. */
export const messageCreateParamsSchema = requestObject('MessageCreateParams', 'A request for a message of a model.', {
  ...promptFields,
  max_tokens: integer({ min: 0 }).meta({
    description: 'Maximum number of tokens of the reply, reasoning included. 0 only reads the prompt.',
    examples: [1024],
  }),
  stream: flag('Whether to send the message as server-sent events.', false),
  stop_sequences: z
    .array(sampling.stopSequence)
    .max(MESSAGE_STOP_MAX_SEQUENCES)
    .optional()
    .meta({ description: 'Texts at which the reply ends.', examples: [['END']] }),
  temperature: sampling.temperature
    .optional()
    .meta({ description: 'Sampling temperature: higher values are more random.', default: 1 }),
  top_p: sampling.topP.optional().meta({ description: 'Probability mass of the tokens to sample from.', default: 1 }),
  top_k: integer({ min: 0 })
    .optional()
    .describe('Only this many of the most likely tokens are chosen from; 0 for all.'),
  metadata: z
    .strictObject({
      user_id: z
        .string()
        .optional()
        .meta({ description: 'An opaque identifier of your user.', examples: ['user-4f2a'] }),
    })
    .optional()
    .describe('About the request.'),
  service_tier: z
    .enum(['auto', 'standard_only'])
    .optional()
    .meta({ description: 'The processing tier of the request.', default: 'auto' }),
  diagnostics: jsonObject().optional().describe('Accepted with no effect.'),
});

/** Shape of the body of Count message tokens. */
export const messageCountTokensParamsSchema = requestObject(
  'MessageCountTokensParams',
  'A request to count the tokens of a prompt.',
  promptFields,
);

export const messageTokensCountSchema = z
  .looseObject({ input_tokens: z.int().meta({ description: 'Tokens of the prompt.', minimum: 0, examples: [12] }) })
  .meta({ id: 'MessageTokensCount', description: 'The tokens of a prompt.' });
