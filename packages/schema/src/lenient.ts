import * as z from 'zod';

const built = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

function rebuild(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, z.core.$ZodType> = {};
    for (const [key, field] of Object.entries<z.core.$ZodType>(schema.shape)) shape[key] = lenient(field);
    return z.clone(schema, { ...schema.def, shape, catchall: z.unknown() });
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return z.clone(schema, { ...schema.def, innerType: lenient(schema.def.innerType) });
  }
  if (schema instanceof z.ZodArray) return z.clone(schema, { ...schema.def, element: lenient(schema.def.element) });
  if (schema instanceof z.ZodDiscriminatedUnion || schema instanceof z.ZodUnion) {
    return z.clone(schema, { ...schema.def, options: schema.def.options.map((option) => lenient(option)) });
  }
  return schema;
}

/**
 * The same schema, keeping unknown fields at every level instead of refusing them. Schemas are written once, strict; this
 * derives the other mode, once for each schema. Checks stay; names (`.meta({ id })`) do not, so that components stay unique.
 */
export function lenient<Schema extends z.core.$ZodType>(schema: Schema): Schema;
export function lenient(schema: z.core.$ZodType): z.core.$ZodType {
  let found = built.get(schema);
  if (!found) {
    found = rebuild(schema);
    built.set(schema, found);
  }
  return found;
}
