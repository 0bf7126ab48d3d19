import * as z from 'zod';
import { isCountry } from './countries.ts';

/** Longest IANA name is 32 characters. */
const TIMEZONE_MAX = 64;

function isTimezone(name: string): boolean {
  // Intl also takes offsets such as +01:00, which are no IANA names.
  if (name.length > TIMEZONE_MAX || !/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const webSearchOptionsSchema = z
  .strictObject({
    search_context_size: z
      .enum(['low', 'medium', 'high'])
      .optional()
      .meta({ description: 'How much of what was found to use.', default: 'medium' }),
    user_location: z
      .strictObject({
        type: z.literal('approximate').optional().describe('The official SDKs send it.'),
        approximate: z.strictObject({
          city: z.string().optional(),
          country: z
            .string()
            .regex(/^[A-Za-z]{2}$/, { error: 'a two-letter ISO country code such as US' })
            .refine(isCountry, { error: 'a two-letter ISO country code such as US' })
            .optional(),
          region: z.string().optional(),
          timezone: z.string().refine(isTimezone, { error: 'an IANA timezone such as Europe/Berlin' }).optional(),
        }),
      })
      .nullable()
      .optional(),
  })
  .meta({ id: 'WebSearchOptions', description: 'How to search the web.' });
