import * as z from 'zod';
import { deletionOf } from '../fields/deletion.ts';
import { filePurposes } from '../enums.ts';
import { constant, count, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { listOf } from '../fields/paging.ts';

/** The API's File object, with what the official SDK's types add. */
export const fileSchema = responseObject('File', 'A file that was uploaded or that a batch wrote.', {
  id: string('ID of the file.', 'file-abc123'),
  object: constant('file'),
  bytes: count('Size in bytes.'),
  created_at: timestamp('When the file was created.'),
  expires_at: timestamp('When the file is deleted. Null or absent if it is kept.').nullable().optional(),
  filename: string('Name of the file.', 'notes.txt'),
  purpose: openEnum(
    [...filePurposes, 'assistants_output', 'batch_output', 'fine-tune-results', 'dataset', 'comparison'],
    'What the file is for.',
  ),
  status: openEnum(['uploaded', 'processed', 'error'], 'State of the file.').optional().meta({ deprecated: true }),
  status_details: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Why the file could not be processed.', deprecated: true }),
});

export const fileListSchema = listOf('FileList', 'A page of files.', fileSchema);

export const fileDeletedSchema = deletionOf('file', { id: 'file-abc123', object: 'file' }).meta({
  id: 'FileDeleted',
  description: 'A file that was deleted.',
});
