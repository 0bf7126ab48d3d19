import * as z from 'zod';
import { constant, count, id, open, timestamp } from '../field.ts';
import { metadataSchema } from '../metadata.ts';
import { listOf } from '../paging.ts';

const event = (when: string) => timestamp(`${when} Null if that has not happened.`).nullable().optional();

export const batchUsageSchema = z
  .looseObject({
    input_tokens: count('Tokens of all requests.'),
    input_tokens_details: z
      .looseObject({ cached_tokens: count('Input tokens that were read from a cache.') })
      .describe('What the input tokens consist of.'),
    output_tokens: count('Tokens of all replies.'),
    output_tokens_details: z
      .looseObject({ reasoning_tokens: count('Output tokens that were used for reasoning.') })
      .describe('What the output tokens consist of.'),
    total_tokens: count('Input and output tokens together.'),
  })
  .describe('Tokens used by all lines of the batch.');

export const batchErrorSchema = z
  .looseObject({
    code: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'A code for programs.', examples: ['invalid_json_line'] }),
    line: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Number of the line in the input file, from 1.', minimum: 1, examples: [3] }),
    message: z.string().optional().describe('What is wrong, for people.'),
    param: z.string().nullable().optional().describe('Path of the field that is wrong.'),
  })
  .describe('Why the batch or one line of its input was refused.');

/** The API's Batch object, with what the official SDK's types add. */
export const batchSchema = z
  .looseObject({
    id: id('ID of the batch.', 'batch_abc123'),
    object: constant('batch'),
    endpoint: z
      .string()
      .meta({ description: 'Path of the endpoint that every line is sent to.', examples: ['/v1/chat/completions'] }),
    model: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Model of the requests, if known.', examples: ['simulator'] }),
    errors: z
      .looseObject({
        object: z.string().optional().describe('Always `list`.'),
        data: z.array(batchErrorSchema).optional().describe('One entry for each problem.'),
      })
      .nullable()
      .optional()
      .describe('Why the batch failed. Null unless it did.'),
    input_file_id: id('ID of the file with the requests.', 'file-abc123'),
    completion_window: z.string().meta({ description: 'Time within which the batch ends.', examples: ['24h'] }),
    status: open(
      ['validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled'],
      'State of the batch.',
    ),
    output_file_id: id('ID of the file with the responses. Null if there is none yet.', 'file-def456')
      .nullable()
      .optional(),
    error_file_id: id('ID of the file with the lines that failed. Null if there is none.', 'file-ghi789')
      .nullable()
      .optional(),
    created_at: timestamp('When the batch was created.'),
    in_progress_at: event('When its lines began to run.'),
    expires_at: event('When it expires if it has not ended.'),
    finalizing_at: event('When its files began to be written.'),
    completed_at: event('When it was completed.'),
    failed_at: event('When it failed.'),
    expired_at: event('When it expired.'),
    cancelling_at: event('When its cancellation was requested.'),
    cancelled_at: event('When it was cancelled.'),
    request_counts: z
      .looseObject({
        total: count('All lines.'),
        completed: count('Lines that were answered with success.'),
        failed: count('Lines that failed.'),
      })
      .optional()
      .describe('Number of lines by outcome.'),
    usage: batchUsageSchema.optional(),
    metadata: metadataSchema.nullable().optional(),
  })
  .meta({ id: 'Batch', description: 'A file of requests that runs in the background.' });

export const batchListSchema = listOf(batchSchema).meta({ id: 'BatchList', description: 'A page of batches.' });
