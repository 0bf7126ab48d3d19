import * as z from 'zod';

/** Maximum number of cached combinations of fields. A program uses a few; further combinations are parsed by the whole schema. */
const maxCombinations = 256;

/**
 * A schema for bodies with many optional fields. zod runs the schemas of all fields, including absent ones. This schema only has the fields of
 * a body and the required ones, and finds the same problems in the same order.
 */
export function schemaForPresentFields<Schema extends z.ZodObject>(fullSchema: Schema): (body: unknown) => Schema;
export function schemaForPresentFields(fullSchema: z.ZodObject): (body: unknown) => z.ZodObject {
  const cache = new Map<string, z.ZodObject>();
  /** Requests with the same fields follow each other: comparing them takes a fifth of the time of making the key of the map. */
  let lastUsed: { readonly present: readonly string[]; readonly schema: z.ZodObject } | undefined;
  const fields = Object.entries<z.core.$ZodType>(fullSchema.shape);

  function createSchema(present: readonly string[]): z.ZodObject {
    const includedFields = fields.filter(
      ([name, field]) => present.includes(name) || !z.safeParse(field, undefined).success,
    );
    return z.clone(fullSchema, { ...fullSchema.def, shape: Object.fromEntries(includedFields) });
  }
  return (body) => {
    if (typeof body !== 'object' || body === null) return fullSchema;
    const present = Object.keys(body);
    if (lastUsed && isEqual(lastUsed.present, present)) return lastUsed.schema;
    if (present.length > fields.length) return fullSchema;
    const name = present.join();
    let cachedSchema = cache.get(name);
    if (!cachedSchema && cache.size < maxCombinations && present.every((key) => Object.hasOwn(fullSchema.shape, key))) {
      cachedSchema = createSchema(present);
      cache.set(name, cachedSchema);
    }
    if (cachedSchema) lastUsed = { present, schema: cachedSchema };
    return cachedSchema ?? fullSchema;
  };
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
