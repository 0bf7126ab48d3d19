import * as z from 'zod';
import { expiresAfterSchema } from '../expires-after.ts';
import { integer, text } from '../field.ts';
import { filePurposeSchema } from '../files/requests.ts';
import { FILENAME_MAX_LENGTH, MEDIA_TYPE_MAX_LENGTH, UPLOAD_MAX_BYTES, UPLOAD_MAX_PARTS } from '../limits.ts';

export const uploadCreateParamsSchema = z
  .strictObject({
    filename: text({ min: 1, max: FILENAME_MAX_LENGTH }),
    bytes: integer({ min: 1, max: UPLOAD_MAX_BYTES }).describe('Size of the whole file.'),
    mime_type: text({ min: 1, max: MEDIA_TYPE_MAX_LENGTH }),
    purpose: filePurposeSchema,
    expires_after: expiresAfterSchema.optional(),
  })
  .meta({ id: 'UploadCreateParams' });

/** The form of Add upload part has no text fields; the bytes are its `data`. */
export const uploadPartFieldsSchema = z.strictObject({}).meta({ id: 'UploadPartFields' });

export const uploadCompleteParamsSchema = z
  .strictObject({
    part_ids: z
      .array(text({ min: 1 }))
      .min(1)
      .max(UPLOAD_MAX_PARTS)
      .describe('The parts, in the order of the file.'),
    md5: z
      .string()
      .regex(/^[0-9a-fA-F]{32}$/, { error: 'an MD5 checksum: 32 hexadecimal digits' })
      .optional()
      .describe('Checksum of the whole file.'),
  })
  .meta({ id: 'UploadCompleteParams' });
