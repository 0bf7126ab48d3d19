import * as z from 'zod';
import { open, timestamp } from '../field.ts';
import { metadataSchema } from '../metadata.ts';
import { listOf } from '../paging.ts';

const event = timestamp().nullable().optional();

export const batchUsageSchema = z.looseObject({
  input_tokens: z.int(),
  input_tokens_details: z.looseObject({ cached_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
});

export const batchErrorSchema = z.looseObject({
  code: z.string().nullable().optional(),
  line: z.int().nullable().optional(),
  message: z.string().optional(),
  param: z.string().nullable().optional(),
});

/** The interface's Batch object, with what the official SDK's types add. */
export const batchSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('batch'),
    endpoint: z.string(),
    model: z.string().nullable().optional(),
    errors: z
      .looseObject({ object: z.string().optional(), data: z.array(batchErrorSchema).optional() })
      .nullable()
      .optional(),
    input_file_id: z.string(),
    completion_window: z.string(),
    status: open([
      'validating',
      'failed',
      'in_progress',
      'finalizing',
      'completed',
      'expired',
      'cancelling',
      'cancelled',
    ]),
    output_file_id: z.string().nullable().optional(),
    error_file_id: z.string().nullable().optional(),
    created_at: timestamp(),
    in_progress_at: event,
    expires_at: event,
    finalizing_at: event,
    completed_at: event,
    failed_at: event,
    expired_at: event,
    cancelling_at: event,
    cancelled_at: event,
    request_counts: z.looseObject({ total: z.int(), completed: z.int(), failed: z.int() }).optional(),
    usage: batchUsageSchema.optional(),
    metadata: metadataSchema.nullable().optional(),
  })
  .meta({ id: 'Batch' });

export const batchListSchema = listOf(batchSchema).meta({ id: 'BatchList' });
