import * as z from 'zod';

const amount = z.number().min(0).max(1_000_000);

const price = z
  .strictObject({
    input: amount.optional().describe('Price of a million input tokens. Given together with `output`. Default 0.'),
    cachedInput: amount
      .optional()
      .describe('Price of a million input tokens that were read from a cache. Default: that of `input`.'),
    output: amount.optional().describe('Price of a million output tokens. Given together with `input`. Default 0.'),
    reasoning: amount.optional().describe('Price of a million reasoning tokens. Default: that of `output`.'),
    request: amount.optional().describe('Price of each request. Default 0.'),
    videoSecond: amount
      .optional()
      .describe('Price of each second of a video. Default: the model has no price for videos.'),
  })
  .refine(({ input, output }) => (input === undefined) === (output === undefined), {
    message: 'expected both input and output, or neither',
  });

/** The price table. */
export const prices = z.strictObject({
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, 'three lower-case letters, such as usd')
    .optional()
    .describe('Currency of all prices, in lower case. Default `usd`.'),
  models: z.record(z.string().min(1), price).describe('Prices by model ID. `*` is the price of all other models.'),
});
