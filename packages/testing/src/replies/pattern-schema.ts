import * as z from 'zod';
import { toPattern } from './pattern.ts';

export const patternSchema = z
  .custom<string | RegExp>((value) => typeof value === 'string' || value instanceof RegExp, {
    error: 'expected a text or /a regular expression/',
  })
  .transform((given, context) => {
    try {
      return toPattern(given);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error));
      return z.NEVER;
    }
  });
