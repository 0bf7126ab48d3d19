import * as z from 'zod';
import { constant, count, nullableString, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { tokenUsage } from '../fields/token-usage.ts';
import { listOf } from '../fields/paging.ts';

const event = (when: string) => timestamp(`${when} Null if that has not happened.`).nullable().optional();

export const batchUsageSchema = z
  .looseObject(
    tokenUsage({
      input: 'Tokens of all requests.',
      cached: 'Input tokens that were read from a cache.',
      output: 'Tokens of all replies.',
      reasoning: 'Output tokens that were used for reasoning.',
      total: 'Input and output tokens together.',
    }),
  )
  .describe('Tokens used by all lines of the batch.');

export const batchErrorSchema = z
  .looseObject({
    code: nullableString('Machine-readable code.', 'invalid_json_line'),
    line: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Number of the line in the input file, from 1.', minimum: 1, examples: [3] }),
    message: z.string().optional().describe('Human-readable description of the problem.'),
    param: z.string().nullable().optional().describe('Path of the field that is wrong.'),
  })
  .describe('Why the batch or one line of its input was refused.');

export const batchWaitingForSchema = z
  .looseObject({
    reason: openEnum(
      [
        'budget',
        'model_unavailable',
        'upstream_unavailable',
        'storage',
        'capacity',
        'rate_limit',
        'server_error',
        'quarantine',
        'batches',
      ],
      'What the batch waits for.',
    ),
    message: string('Description of the error with which a line was refused.', 'The engine is overloaded.'),
    since: timestamp('Since when the batch waits.'),
    until: timestamp('When the wait ends by itself. Null if that is not known.').nullable(),
  })
  .describe('Of this server: why no line runs at present. Missing while lines run, and when the batch has ended.');

export const batchLateSchema = z
  .looseObject({
    since: timestamp('Since when the batch is late.'),
    expected_at: timestamp('When its last line ends at the present rate.'),
  })
  .describe(
    'Of this server: the batch expires before its lines have ended at the present rate. Missing while it is on time.',
  );

/** The API's Batch object, with what the official SDK's types add. */
export const batchSchema = responseObject('Batch', 'A file of requests that runs in the background.', {
  id: string('ID of the batch.', 'batch_abc123'),
  object: constant('batch'),
  endpoint: string('Path of the endpoint that every line is sent to.', '/v1/chat/completions'),
  model: nullableString('Model of the requests, if known.', 'simulator'),
  errors: z
    .looseObject({
      object: z.string().optional().describe('Always `list`.'),
      data: z.array(batchErrorSchema).optional().describe('One entry for each problem.'),
    })
    .nullable()
    .optional()
    .describe('Why the batch failed. Null unless it did.'),
  input_file_id: string('ID of the file with the requests.', 'file-abc123'),
  completion_window: string('Time within which the batch ends.', '24h'),
  status: openEnum(
    ['validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled'],
    'State of the batch.',
  ),
  output_file_id: string('ID of the file with the responses. Null if there is none yet.', 'file-def456')
    .nullable()
    .optional(),
  error_file_id: string('ID of the file with the lines that failed. Null if there is none.', 'file-ghi789')
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
  waiting_for: batchWaitingForSchema.nullable().optional(),
  late: batchLateSchema.nullable().optional(),
  metadata: metadataSchema.nullable().optional(),
});

export const batchListSchema = listOf('BatchList', 'A page of batches.', batchSchema);
