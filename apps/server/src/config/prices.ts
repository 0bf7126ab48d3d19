import * as z from 'zod';

const amount = z.number().min(0).max(1_000_000);

const price = z.strictObject({
  input: amount.describe('Price of a million input tokens.'),
  cachedInput: amount
    .optional()
    .describe('Price of a million input tokens that were read from a cache. Default: that of `input`.'),
  output: amount.describe('Price of a million output tokens.'),
  reasoning: amount.optional().describe('Price of a million reasoning tokens. Default: that of `output`.'),
  request: amount.optional().describe('Price of each request. Default 0.'),
});

/** The price table. */
export const prices = z.strictObject({
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, 'expected three lower-case letters, such as usd')
    .optional()
    .describe('Currency of all prices, in lower case. Default `usd`.'),
  models: z.record(z.string().min(1), price).describe('Prices by model id. `*` is the price of all other models.'),
});
