import * as z from 'zod';
import { requestObject } from '../fields/field.ts';
import { filePurposes } from '../enums.ts';
import { expiresAfterSchema } from '../fields/expires-after.ts';
import { FILES_PAGE_LIMIT_MAX } from '../limits.ts';
import { orderQuery, pageQuery } from '../fields/paging.ts';

export const filePurposeSchema = z.enum(filePurposes);

/** The text fields of the form; the bytes are its `file`. */
export const fileCreateFieldsSchema = requestObject('FileCreateFields', 'Text fields of Create file.', {
  purpose: filePurposeSchema.meta({ description: 'What the file is for.', examples: ['user_data'] }),
  expires_after: expiresAfterSchema.optional().describe('When the file expires. Default: it is kept.'),
});

export const fileListQuerySchema = z.strictObject({
  purpose: z.string().optional().describe('Return only files of this purpose.'),
  ...pageQuery({ max: FILES_PAGE_LIMIT_MAX }),
  ...orderQuery('desc'),
});
