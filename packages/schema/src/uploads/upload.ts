import * as z from 'zod';
import { constant, count, id, open, timestamp } from '../field.ts';
import { fileSchema } from '../files/file.ts';

export const uploadSchema = z
  .looseObject({
    id: id('ID of the upload.', 'upload_abc123'),
    object: constant('upload'),
    created_at: timestamp('When the upload was created.'),
    filename: z.string().meta({ description: 'Name of the file to be uploaded.', examples: ['notes.txt'] }),
    bytes: count('Size of the whole file, as declared when the upload was created.'),
    purpose: z.string().meta({ description: 'What the file is for.', examples: ['user_data'] }),
    status: open(['pending', 'completed', 'cancelled', 'expired'], 'State of the upload.'),
    expires_at: timestamp('When the upload expires if it has not been completed.'),
    file: fileSchema.nullable().optional().describe('The file, once the upload is completed.'),
  })
  .meta({ id: 'Upload', description: 'A file that is sent in parts.' });

export const uploadPartSchema = z
  .looseObject({
    id: id('ID of the part, for `part_ids` of Complete upload.', 'part_abc123'),
    object: constant('upload.part'),
    created_at: timestamp('When the part was added.'),
    upload_id: id('ID of the upload.', 'upload_abc123'),
  })
  .meta({ id: 'UploadPart', description: 'One part of an upload.' });
