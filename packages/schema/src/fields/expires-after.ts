import { constant, integer, requestObject } from './field.ts';
import { EXPIRES_AFTER_MAX_SECONDS, EXPIRES_AFTER_MIN_SECONDS } from '../limits.ts';

/** The expiry of a file. */
export const expiresAfterSchema = requestObject(
  'ExpiresAfter',
  'When the file expires, in seconds after its creation.',
  {
    anchor: constant('created_at'),
    seconds: integer({ min: EXPIRES_AFTER_MIN_SECONDS, max: EXPIRES_AFTER_MAX_SECONDS }).meta({
      description: 'Seconds after the anchor.',
      examples: [86_400],
    }),
  },
);
