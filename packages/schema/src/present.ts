import * as z from 'zod';

/** Maximum number of cached combinations of fields. A program uses a few; further combinations are parsed by the whole schema. */
const maxCombinations = 256;

/**
 * A schema for bodies with many optional fields. zod runs the schemas of all fields, including absent ones. This schema only has the fields of
 * a body and the required ones, and finds the same problems in the same order.
 */
export function byPresence<Schema extends z.ZodObject>(whole: Schema): (body: unknown) => Schema;
export function byPresence(whole: z.ZodObject): (body: unknown) => z.ZodObject {
  const made = new Map<string, z.ZodObject>();
  const fields = Object.entries<z.core.$ZodType>(whole.shape);

  function make(present: readonly string[]): z.ZodObject {
    const kept = fields.filter(([name, field]) => present.includes(name) || !z.safeParse(field, undefined).success);
    return z.clone(whole, { ...whole.def, shape: Object.fromEntries(kept) });
  }
  return (body) => {
    if (typeof body !== 'object' || body === null) return whole;
    const present = Object.keys(body);
    if (present.length > fields.length) return whole;
    const name = present.join();
    let found = made.get(name);
    if (!found && made.size < maxCombinations && present.every((key) => Object.hasOwn(whole.shape, key))) {
      found = make(present);
      made.set(name, found);
    }
    return found ?? whole;
  };
}
