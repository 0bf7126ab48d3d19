import { responseCreateParamsSchema } from '../responses/create.ts';
import { responseStreamEventSchema } from '../responses/events.ts';
import { responseSchema } from '../responses/response.ts';
import { parseResponseCreate } from '../responses/parse.ts';
import * as routes from '../routes.ts';
import { riverSchema } from './chat-examples.ts';
import { endpoint, endpoints, json } from './endpoint.ts';
import type { RequestExamples } from './endpoint.ts';
import * as errors from './errors.ts';

const model = 'simulator';

export const responseExamples: RequestExamples = {
  'A response': { model, input: 'Name three rivers in Europe.' },
  'A streamed response': { model, input: 'Name three rivers in Europe.', stream: true },
  'Instructions and items': {
    model,
    instructions: 'Answer in one sentence.',
    input: [
      { role: 'user', content: 'Which river flows through Vienna?' },
      { role: 'assistant', content: 'The Danube.' },
      { role: 'user', content: [{ type: 'input_text', text: 'And through Cologne?' }] },
    ],
  },
  'A function': {
    model,
    input: 'What is the weather in Paris?',
    tools: [
      {
        type: 'function',
        name: 'get_weather',
        description: 'Returns the current weather in a city.',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
        strict: true,
      },
    ],
  },
  'Structured output': {
    model,
    input: 'Describe the river Rhine.',
    text: {
      format: {
        type: 'json_schema',
        name: 'river',
        strict: true,
        schema: riverSchema,
      },
    },
  },
};

export const responseEndpoints = endpoints({
  'responses.create': endpoint(
    routes.createResponse,
    'Generate a response to an input, as one object or as a stream of events.',
    responseSchema,
    {
      access: 'infer',
      request: [json(responseCreateParamsSchema, responseExamples, parseResponseCreate)],
      event: responseStreamEventSchema,
      responseHeaders: {
        'x-modelwire-unsupported-tools':
          'Types of the tools and input items that the model was not given because they do not run here, separated by commas. Only where there are any.',
      },
      errors: [
        errors.unsupported,
        errors.previousNotFound,
        errors.endpointError(
          404,
          ['not_found'],
          'The conversation, an item or a file that the request names does not exist.',
        ),
        errors.unknownModel,
        errors.idempotencyKeyInUse,
        ...errors.upstreamFailed,
      ],
    },
  ),
});
