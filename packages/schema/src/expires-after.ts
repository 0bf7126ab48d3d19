import * as z from 'zod';
import { integer } from './field.ts';
import { EXPIRES_AFTER_MAX_SECONDS, EXPIRES_AFTER_MIN_SECONDS } from './limits.ts';

/** When a file goes. */
export const expiresAfterSchema = z
  .strictObject({
    anchor: z.literal('created_at'),
    seconds: integer({ min: EXPIRES_AFTER_MIN_SECONDS, max: EXPIRES_AFTER_MAX_SECONDS }),
  })
  .meta({ id: 'ExpiresAfter', description: 'When the file goes: so many seconds after the anchor.' });
