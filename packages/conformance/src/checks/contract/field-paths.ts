import * as z from 'zod';

/** A field of a schema, at any depth. */
export interface FieldPath {
  /** `choices[].message.content`. */
  readonly name: string;
  /** Keys from the root down; `[]` is each item of a list. */
  readonly path: readonly string[];
  readonly optional: boolean;
  readonly schema: z.ZodType;
  /** Whether its own fields have separate paths, so that only its type is checked here. */
  readonly inner: 'object' | 'array' | undefined;
}

export const ITEMS = '[]';

/** All fields of an object schema, outermost first. */
export function fieldPaths(schema: z.ZodType, under: readonly string[] = []): readonly FieldPath[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([key, field]): readonly FieldPath[] => {
    if (!(field instanceof z.ZodType)) return [];
    const path = [...under, key];
    const bare = unwrapped(field);
    const item = bare instanceof z.ZodArray && bare.element instanceof z.ZodType ? bare.element : undefined;
    const inside = item ? fieldPaths(unwrapped(item), [...path, ITEMS]) : fieldPaths(bare, path);
    const inner = inside.length === 0 ? undefined : item ? 'array' : 'object';
    return [
      { name: nameOf(path), path, optional: field.safeParse(undefined).success, schema: field, inner },
      ...inside,
    ];
  });
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const inner: z.core.$ZodType = schema.unwrap();
    return inner instanceof z.ZodType ? unwrapped(inner) : schema;
  }
  return schema;
}

const nameOf = (path: readonly string[]): string => path.join('.').replaceAll(`.${ITEMS}`, ITEMS);

/** All objects of a value that can have the field: where it is present and where it is missing. */
export function parentObjects(root: unknown, path: readonly string[]): readonly object[] {
  let values: readonly unknown[] = [root];
  for (const key of path.slice(0, -1)) {
    values = values.flatMap((value): readonly unknown[] => {
      if (key === ITEMS) return Array.isArray(value) ? value : [];
      const inner =
        typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key) : undefined;
      return inner === undefined ? [] : [inner.value];
    });
  }
  return values.filter(
    (value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
}
