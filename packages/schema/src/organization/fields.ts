import * as z from 'zod';
import { integer, text } from '../fields/field.ts';

/** Limits of keys and projects. Null in an update removes a limit. */
export const limitFields = {
  requests_per_minute: integer({ min: 1 })
    .nullable()
    .optional()
    .describe('Requests per minute. Null for no limit of its own.'),
  tokens_per_minute: integer({ min: 1 })
    .nullable()
    .optional()
    .describe('Tokens per minute. Null for no limit of its own.'),
  allowed_models: z
    .array(text({ min: 1, max: 200 }))
    .max(1000)
    .nullable()
    .optional()
    .meta({ description: 'The models that may be used. Null allows all.', examples: [['simulator']] }),
  max_output_tokens: integer({ min: 1 })
    .nullable()
    .optional()
    .describe(
      'Output tokens that a request may ask for. A request without a limit of its own gets this one. Null for no limit.',
    ),
};

/** The same limits in a response. */
export const shownLimits = {
  requests_per_minute: z.number().nullable().describe('Requests per minute. Null for no limit of its own.'),
  tokens_per_minute: z.number().nullable().describe('Tokens per minute. Null for no limit of its own.'),
  allowed_models: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The models that may be used. Null allows all.', examples: [['simulator']] }),
  max_output_tokens: z.int().nullable().describe('Output tokens that a request may ask for. Null for no limit.'),
};
