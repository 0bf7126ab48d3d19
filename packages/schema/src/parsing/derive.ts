import * as z from 'zod';

type Derive = (schema: z.core.$ZodType) => z.core.$ZodType;

/**
 * Derives the same schema with another treatment of unknown fields at every level, once per schema. Keeps checks and descriptions, but not
 * names (`.meta({ id })`), so that components stay unique.
 */
export function deriveUnknownFields(catchall: z.core.$ZodType | undefined): Derive {
  const derived = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

  function derive(schema: z.core.$ZodType): z.core.$ZodType {
    let found = derived.get(schema);
    if (!found) {
      found = rebuild(schema);
      derived.set(schema, found);
      describeAs(found, schema);
    }
    return found;
  }

  function rebuild(schema: z.core.$ZodType): z.core.$ZodType {
    if (schema instanceof z.ZodObject) {
      const shape: Record<string, z.core.$ZodType> = {};
      for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) shape[name] = derive(field);
      // Loose objects keep unknown fields in every treatment.
      return z.clone(schema, { ...schema.def, shape, catchall: catchall ?? loose(schema.def.catchall) });
    }
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
      return z.clone(schema, { ...schema.def, innerType: derive(schema.def.innerType) });
    }
    if (schema instanceof z.ZodArray) return z.clone(schema, { ...schema.def, element: derive(schema.def.element) });
    if (schema instanceof z.ZodDiscriminatedUnion || schema instanceof z.ZodUnion) {
      return z.clone(schema, { ...schema.def, options: schema.def.options.map(derive) });
    }
    return schema;
  }
  return derive;
}

function loose(catchall: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return catchall instanceof z.ZodUnknown ? catchall : undefined;
}

/** Gives a derived schema the description, default and examples of its source, but not its name. */
function describeAs(derived: z.core.$ZodType, source: z.core.$ZodType): void {
  if (derived === source) return;
  const { id, ...meta } = z.globalRegistry.get(source) ?? {};
  if (Object.keys(meta).length > 0) z.globalRegistry.add(derived, meta);
}
