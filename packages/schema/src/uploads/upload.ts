import * as z from 'zod';
import { open, timestamp } from '../field.ts';
import { fileSchema } from '../files/file.ts';

export const uploadSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('upload'),
    created_at: timestamp(),
    filename: z.string(),
    bytes: z.int().describe('What was declared at creation.'),
    purpose: z.string(),
    status: open(['pending', 'completed', 'cancelled', 'expired']),
    expires_at: timestamp(),
    file: fileSchema.nullable().optional().describe('The file, once the upload is completed.'),
  })
  .meta({ id: 'Upload' });

export const uploadPartSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('upload.part'),
    created_at: timestamp(),
    upload_id: z.string(),
  })
  .meta({ id: 'UploadPart' });
