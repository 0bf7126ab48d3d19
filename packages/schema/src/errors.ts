import * as z from 'zod';

export const errorBodySchema = z
  .looseObject({
    error: z.looseObject({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable().describe('Path of the field at fault.'),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'ErrorBody', description: 'What every error answers.' });
