import * as z from 'zod';
import { expiresAfterSchema } from '../expires-after.ts';
import { FILES_PAGE_LIMIT_MAX } from '../limits.ts';
import { orderQuery, pageQuery } from '../paging.ts';

export const filePurposeSchema = z.enum(['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals']);

/** The text fields of the form; the bytes are its `file`. */
export const fileCreateFieldsSchema = z
  .strictObject({ purpose: filePurposeSchema, expires_after: expiresAfterSchema.optional() })
  .meta({ id: 'FileCreateFields' });

export const fileListQuerySchema = z.strictObject({
  purpose: z.string().optional().describe('Only files of this purpose.'),
  ...pageQuery(FILES_PAGE_LIMIT_MAX),
  ...orderQuery('desc'),
});
