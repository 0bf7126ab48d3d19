import * as z from 'zod';
import { open, timestamp } from '../field.ts';
import { listOf } from '../paging.ts';

/** The interface's File object, with what the official SDK's types add. */
export const fileSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('file'),
    bytes: z.int(),
    created_at: timestamp(),
    expires_at: timestamp().nullable().optional(),
    filename: z.string(),
    purpose: open([
      'assistants',
      'batch',
      'fine-tune',
      'vision',
      'user_data',
      'evals',
      'assistants_output',
      'batch_output',
      'fine-tune-results',
    ]),
    status: open(['uploaded', 'processed', 'error']).optional().meta({ deprecated: true }),
    status_details: z.string().nullable().optional().meta({ deprecated: true }),
  })
  .meta({ id: 'File' });

export const fileListSchema = listOf(fileSchema).meta({ id: 'FileList' });

export const fileDeletedSchema = z
  .looseObject({ id: z.string(), object: z.literal('file'), deleted: z.boolean() })
  .meta({ id: 'FileDeleted' });
