import type { RequestExamples } from './endpoint.ts';

const model = 'simulator';

/** A strict JSON Schema, for examples of structured output. */
export const riverSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, length_km: { type: 'integer' } },
  required: ['name', 'length_km'],
  additionalProperties: false,
} as const;

/** Requests of Create chat completion. */
export const chatCompletionExamples: RequestExamples = {
  'A question': { model, messages: [{ role: 'user', content: 'Name three rivers in Europe.' }] },
  'A streamed reply': {
    model,
    messages: [
      { role: 'system', content: 'Answer in one sentence.' },
      { role: 'user', content: 'Why is the sky blue?' },
    ],
    stream: true,
    stream_options: { include_usage: true },
  },
  'A function to call': {
    model,
    messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'Returns the current weather in a city.',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    ],
  },
  'A reply that follows a JSON Schema': {
    model,
    messages: [{ role: 'user', content: 'Describe the river Rhine.' }],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'river',
        strict: true,
        schema: riverSchema,
      },
    },
  },
  'A stored completion': {
    model,
    messages: [{ role: 'user', content: 'Suggest a title for a story about the sea.' }],
    store: true,
    metadata: { topic: 'titles' },
  },
};
