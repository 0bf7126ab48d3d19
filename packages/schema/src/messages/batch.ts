import * as z from 'zod';
import {
  constant,
  count,
  integer,
  jsonObject,
  optionalString,
  requestObject,
  responseObject,
  string,
} from '../fields/field.ts';
import { BATCH_MAX_LINES, MESSAGE_BATCHES_PAGE_LIMIT_MAX } from '../limits.ts';

/** `params` is checked when the request runs: one that is invalid fails alone. */
export const messageBatchCreateParamsSchema = requestObject(
  'MessageBatchCreateParams',
  'A request for a batch of messages.',
  {
    requests: z
      .array(
        z
          .strictObject({
            custom_id: z
              .string()
              .regex(/^[a-zA-Z0-9_-]{1,64}$/, { error: 'up to 64 letters, digits, underscores and hyphens' })
              .meta({ description: 'Names the request; unique in its batch.', examples: ['first'] }),
            params: jsonObject().meta({
              description: 'The body of Create message.',
              examples: [{ model: 'simulator', max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] }],
            }),
          })
          .describe('A request.'),
      )
      .min(1)
      .max(BATCH_MAX_LINES)
      .describe('The requests.'),
  },
);

const time = (description: string) => z.string().meta({ description, examples: ['2026-01-01T00:00:00.000Z'] });

export const messageBatchSchema = responseObject('MessageBatch', 'A batch of messages.', {
  id: string('ID of the batch.', 'batch_abc123'),
  type: constant('message_batch'),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']).describe('How far it is.'),
  request_counts: z
    .looseObject({
      processing: count('Requests that have no result yet.'),
      succeeded: count('Requests with a message.'),
      errored: count('Requests that failed.'),
      canceled: count('Requests that were not sent because the batch was cancelled.'),
      expired: count('Requests that were not sent in time.'),
    })
    .describe('The requests by outcome. Until the batch has ended, all are `processing`.'),
  created_at: time('When it was created.'),
  expires_at: time('When it expires.'),
  ended_at: time('When it ended.').nullable(),
  cancel_initiated_at: time('When it was cancelled.').nullable(),
  archived_at: time('Always null.').nullable(),
  results_url: z.string().nullable().describe('Address of the results, once the batch has ended.'),
});

export const messageBatchListSchema = responseObject('MessageBatchList', 'A page of batches, newest first.', {
  data: z.array(messageBatchSchema).describe('The batches.'),
  has_more: z.boolean().describe('Whether there are more in this direction.'),
  first_id: z.string().nullable().describe('ID of the first batch of the page.'),
  last_id: z.string().nullable().describe('ID of the last batch of the page.'),
});

export const messageBatchDeletedSchema = responseObject('MessageBatchDeleted', 'A deleted batch.', {
  id: string('ID of the batch.', 'batch_abc123'),
  type: constant('message_batch_deleted'),
});

export const messageBatchListQuerySchema = z.strictObject({
  limit: integer({ min: 1, max: MESSAGE_BATCHES_PAGE_LIMIT_MAX })
    .optional()
    .meta({ description: 'Maximum number of batches.', default: 20 }),
  after_id: optionalString('The page begins after this batch.', 'batch_abc123'),
  before_id: optionalString('The page ends before this batch.', 'batch_abc123'),
  beta: z.string().optional().describe('Accepted and ignored.'),
});
