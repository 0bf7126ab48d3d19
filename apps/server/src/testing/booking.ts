import * as z from 'zod';

/** A schema with most kinds of fields, for tests of structured output. */
export const Booking = z.object({
  name: z.string(),
  city: z.string(),
  nights: z.int().min(1),
  kind: z.enum(['single', 'double']),
  wishes: z.array(z.object({ wish: z.string(), must: z.boolean() })),
  phone: z.string().nullable(),
});
