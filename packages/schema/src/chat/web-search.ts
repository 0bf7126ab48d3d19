import * as z from 'zod';
import { constant, optionalString, requestObject } from '../fields/field.ts';
import { isCountry } from './countries.ts';

/** Longest IANA name is 32 characters. */
const TIMEZONE_MAX = 64;

function isTimezone(name: string): boolean {
  // Intl also accepts offsets such as +01:00, which are not IANA names.
  if (name.length > TIMEZONE_MAX || !/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Fields of an approximate location. */
export const locationFields = {
  city: optionalString('Name of the city.', 'Berlin'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, { error: 'a two-letter ISO country code such as US' })
    .refine(isCountry, { error: 'a two-letter ISO country code such as US' })
    .optional()
    .meta({ description: 'Two-letter ISO country code.', examples: ['DE'] }),
  region: optionalString('Name of the region.', 'Brandenburg'),
  timezone: z
    .string()
    .refine(isTimezone, { error: 'an IANA timezone such as Europe/Berlin' })
    .optional()
    .meta({ description: 'IANA time zone.', examples: ['Europe/Berlin'] }),
};

export const searchContextSize = z
  .enum(['low', 'medium', 'high'])
  .optional()
  .meta({ description: 'How much of the search results to use.', default: 'medium' });

export const webSearchOptionsSchema = requestObject(
  'WebSearchOptions',
  'Looks the question up on the web before the reply.',
  {
    search_context_size: searchContextSize,
    user_location: z
      .strictObject({
        type: constant('approximate').optional(),
        approximate: z
          .strictObject({
            ...locationFields,
          })
          .describe('The location, as far as it is known.'),
      })
      .nullable()
      .optional()
      .describe('Where the user is.'),
  },
);
