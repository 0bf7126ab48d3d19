import * as z from 'zod';
import { constant, count, integer, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { listOf, orderQuery, pageQuery } from '../fields/paging.ts';
import { FILTER_VALUES_MAX } from '../limits.ts';

const outcomes = ['succeeded', 'failed', 'aborted'] as const;

const milliseconds = (description: string) =>
  z.int().meta({ description: `${description} In milliseconds.`, minimum: 0, examples: [350] });

export const loggedRequestSchema = responseObject(
  'LoggedRequest',
  'A request to a model that left no stored completion. Its content was not kept.',
  {
    id: string('ID of the request.', 'req_abc123'),
    object: constant('organization.request_log'),
    created_at: timestamp('When it was received.'),
    project_id: string('ID of the project.', 'proj_abc123'),
    api_key_id: string('ID of the key, or of the person who used the console.', 'key_abc123'),
    endpoint: string('Path of the endpoint.', '/v1/chat/completions'),
    model: string('ID of the model. Null where the request named no model of the server.', 'simulator').nullable(),
    outcome: openEnum(outcomes, 'How it ended. A request is aborted when its client disconnects, or the server stops.'),
    status: z.int().meta({
      description:
        'Status of the response. A stream that failed after its start has 200; a request that was aborted before its response has 0.',
      examples: [200],
    }),
    error_code: string('Code of the error. Null without one.', 'upstream_unavailable').nullable(),
    stream: z.boolean().describe('Whether the reply was streamed.'),
    duration_ms: milliseconds('From the request to the end of the response.'),
    first_token_ms: milliseconds('From the request to the first token. Null if there was none.').nullable(),
    usage: z
      .looseObject({
        input_tokens: count('Tokens of the request.'),
        output_tokens: count('Tokens of the reply.'),
        input_cached_tokens: count('Input tokens that were read from a cache.'),
      })
      .nullable()
      .describe('What was used. Null where no tokens were counted.'),
    cost: z
      .looseObject({
        value: z.number().meta({ description: 'The amount, exact to a millionth.', examples: [0.0012] }),
        currency: string('Currency of the price table, in lower case.', 'usd'),
      })
      .nullable()
      .describe('What it cost by the price table at that time. Null for a model without a price.'),
    response_id: string('ID of the response that was stored. Null if there is none.', 'resp_abc123').nullable(),
    batch_id: string('ID of the batch of which it was a line. Null if it was none.', 'batch_abc123').nullable(),
  },
);

export const loggedRequestListSchema = listOf('LoggedRequestList', 'A page of the request log.', loggedRequestSchema);

const filter = (description: string) => z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe(description);

const page = pageQuery();

export const loggedRequestListQuerySchema = z.strictObject({
  ...page,
  after: page.after.describe('ID of the last item of the previous page. A 400 if the log no longer has it.'),
  ...orderQuery('desc'),
  start_time: integer({ min: 0 }).optional().describe('Only requests from this time on, in Unix seconds.'),
  end_time: integer({ min: 0 }).optional().describe('Only requests before this time, in Unix seconds.'),
  project_ids: filter('Only requests of these projects.'),
  api_key_ids: filter('Only requests with these keys.'),
  models: filter('Only requests to these models.'),
  outcomes: z.array(z.enum(outcomes)).max(outcomes.length).optional().describe('Only requests that ended like this.'),
});
