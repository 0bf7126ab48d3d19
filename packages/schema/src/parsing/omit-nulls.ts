import * as z from 'zod';
import { isObject } from './is-object.ts';

/** Returns the value without nulls that mean "absent"; the same object if there are none. */
type OmitNulls = (value: unknown) => unknown;

const compiled = new WeakMap<z.core.$ZodType, OmitNulls>();
const identity: OmitNulls = (value) => value;

/** Whether null on a field of a request means that the field is absent: it is optional and null is not a value of its own. */
export function isNullAbsent(field: z.core.$ZodType): boolean {
  return z.safeParse(field, undefined).success && !z.safeParse(field, null).success;
}

/**
 * Removes null from optional fields at every depth: for clients, null means that the field is absent. Keeps null where the API documents
 * it as a value, on required fields, and in free-form objects (a JSON Schema).
 */
export function omitNulls(schema: z.core.$ZodType, value: unknown): unknown {
  return compile(schema)(value);
}

function compile(schema: z.core.$ZodType): OmitNulls {
  let omit = compiled.get(schema);
  if (!omit) compiled.set(schema, (omit = build(schema)));
  return omit;
}

function build(schema: z.core.$ZodType): OmitNulls {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return compile(schema.def.innerType);
  if (schema instanceof z.ZodObject) return ofObject(schema.shape);
  if (schema instanceof z.ZodArray) return ofArray(compile(schema.def.element));
  if (schema instanceof z.ZodDiscriminatedUnion) return ofVariants(schema.def.discriminator, schema.def.options);
  if (schema instanceof z.ZodUnion)
    return applyAll(schema.def.options.map(compile).filter((omit) => omit !== identity));
  return identity;
}

function ofObject(shape: Readonly<Record<string, z.core.$ZodType>>): OmitNulls {
  const fields = new Map(
    Object.entries(shape).map(([name, field]) => [name, { omit: compile(field), nullIsAbsent: isNullAbsent(field) }]),
  );
  if ([...fields.values()].every(({ omit, nullIsAbsent }) => omit === identity && !nullIsAbsent)) return identity;
  return (value) => {
    if (!isObject(value)) return value;
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(value)) {
      const field = fields.get(name);
      if (!field) continue;
      const fieldValue = value[name];
      if (fieldValue === null) {
        if (field.nullIsAbsent) Reflect.deleteProperty((copy ??= { ...value }), name);
        continue;
      }
      const after = field.omit(fieldValue);
      if (after !== fieldValue) (copy ??= { ...value })[name] = after;
    }
    return copy ?? value;
  };
}

function ofArray(omit: OmitNulls): OmitNulls {
  if (omit === identity) return identity;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const items: readonly unknown[] = value;
    const after: readonly unknown[] = items.map(omit);
    return after.some((item, index) => item !== items[index]) ? after : items;
  };
}

/**
 * The variant that the discriminator selects; null selects the variant whose discriminator is optional. An unknown discriminator is left to the
 * parser, which rejects it.
 */
function ofVariants(discriminator: string, options: readonly z.core.$ZodType[]): OmitNulls {
  const variants = new Map<unknown, OmitNulls>();
  for (const variant of options) {
    for (const name of variant._zod.propValues?.[discriminator] ?? []) variants.set(name, compile(variant));
  }
  if ([...variants.values()].every((omit) => omit === identity)) return identity;
  return (value) => {
    const omit = isObject(value) ? variants.get(value[discriminator] ?? undefined) : undefined;
    return omit ? omit(value) : value;
  };
}

/** The branches of plain unions differ in their JSON type (string, array, object), so at most one of them applies. */
function applyAll(branches: readonly OmitNulls[]): OmitNulls {
  if (branches.length === 0) return identity;
  return (value) => branches.reduce((result, omit) => omit(result), value);
}
