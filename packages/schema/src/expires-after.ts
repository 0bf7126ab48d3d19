import * as z from 'zod';
import { constant, integer } from './field.ts';
import { EXPIRES_AFTER_MAX_SECONDS, EXPIRES_AFTER_MIN_SECONDS } from './limits.ts';

/** The expiry of a file. */
export const expiresAfterSchema = z
  .strictObject({
    anchor: constant('created_at'),
    seconds: integer({ min: EXPIRES_AFTER_MIN_SECONDS, max: EXPIRES_AFTER_MAX_SECONDS }).meta({
      description: 'Seconds after the anchor.',
      examples: [86_400],
    }),
  })
  .meta({ id: 'ExpiresAfter', description: 'When the file expires, in seconds after its creation.' });
