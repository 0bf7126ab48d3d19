import type { Check } from '../../check.ts';
import { rejectionChecks } from '../refusal.ts';
import { weather } from './send.ts';

const metadataPairs = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));

const rejects = (
  name: string,
  title: string,
  field: string | readonly string[],
  fields: object,
  statuses: readonly number[] = [],
): readonly Check[] =>
  rejectionChecks('responses.create', `refuses.${name}`, {
    title,
    field,
    statuses,
    section: 'companion',
    certainty: 'likely',
    call: async (context) => ({
      method: 'POST',
      path: '/responses',
      body: { model: await context.chatModel(), input: 'Say hello.', store: false, ...fields },
    }),
  });

/** Invalid requests for a response. */
export const responseRefusalChecks: readonly Check[] = [
  ...rejects('model', 'Rejects an unknown model', 'model', { model: 'no-such-model' }, [404]),
  ...rejects('temperature', 'Rejects a temperature above 2', 'temperature', { temperature: 2.1 }),
  ...rejects('top_p', 'Rejects a top_p above 1', 'top_p', { top_p: 1.5 }),
  ...rejects('top_logprobs', 'Rejects a top_logprobs above 20', 'top_logprobs', { top_logprobs: 21 }),
  ...rejects('max_output_tokens', 'Rejects max_output_tokens of 0', 'max_output_tokens', { max_output_tokens: 0 }),
  ...rejects('metadata', 'Rejects more than 16 pairs of metadata', 'metadata', { metadata: metadataPairs }),
  ...rejects('role', 'Rejects a message with an unknown role', 'input', {
    input: [{ role: 'stranger', content: 'Hi' }],
  }),
  ...rejects('item', 'Rejects an item of an unknown type', 'input', { input: [{ type: 'stranger' }] }),
  ...rejects('effort', 'Rejects an unknown reasoning effort', 'reasoning', { reasoning: { effort: 'enormous' } }),
  ...rejects('format', 'Rejects a text format without a schema', 'text', {
    text: { format: { type: 'json_schema', name: 'x' } },
  }),
  ...rejects(
    'tool_choice',
    'Rejects a tool_choice of a function that is not among the tools',
    ['tool_choice', 'tools'],
    {
      tools: [weather],
      tool_choice: { type: 'function', name: 'another' },
    },
  ),
  ...rejects(
    'previous',
    'Rejects an unknown previous_response_id',
    'previous_response_id',
    { previous_response_id: 'resp_0000000000000000' },
    [404],
  ),
  ...rejects(
    'both',
    'Rejects previous_response_id together with conversation',
    ['previous_response_id', 'conversation'],
    {
      previous_response_id: 'resp_0000000000000000',
      conversation: 'conv_0000000000000000',
    },
  ),
];
