import * as z from 'zod';
import { expiresAfterSchema } from '../fields/expires-after.ts';
import { integer, requestObject, text } from '../fields/field.ts';
import { filePurposeSchema } from '../files/requests.ts';
import { FILENAME_MAX_LENGTH, MEDIA_TYPE_MAX_LENGTH, UPLOAD_MAX_BYTES, UPLOAD_MAX_PARTS } from '../limits.ts';

export const uploadCreateParamsSchema = requestObject('UploadCreateParams', 'A request for an upload.', {
  filename: text({ min: 1, max: FILENAME_MAX_LENGTH }).meta({
    description: 'Name of the file.',
    examples: ['notes.txt'],
  }),
  bytes: integer({ min: 0, max: UPLOAD_MAX_BYTES }).meta({ description: 'Size of the whole file.', examples: [11] }),
  mime_type: text({ min: 1, max: MEDIA_TYPE_MAX_LENGTH }).meta({
    description: 'Media type of the file.',
    examples: ['text/plain'],
  }),
  purpose: filePurposeSchema.meta({ description: 'What the file is for.', examples: ['user_data'] }),
  expires_after: expiresAfterSchema.optional().describe('When the file expires. Default: it is kept.'),
});

/** The form of Add upload part has no text fields; the bytes are its `data`. */
export const uploadPartFieldsSchema = z.strictObject({}).meta({ id: 'UploadPartFields' });

export const uploadCompleteParamsSchema = requestObject('UploadCompleteParams', 'The parts that make up the file.', {
  part_ids: z
    .array(text({ min: 1 }))
    .max(UPLOAD_MAX_PARTS)
    .describe('IDs of the parts, in the order of the file. Empty for a file without bytes.'),
  md5: z
    .string()
    .regex(/^[0-9a-fA-F]{32}$/, { error: 'an MD5 checksum: 32 hexadecimal digits' })
    .optional()
    .meta({ description: 'MD5 checksum of the whole file.', examples: ['5eb63bbbe01eeed093cb22bb8f5acdc3'] }),
});
