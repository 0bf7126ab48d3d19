import * as z from 'zod';
import { valueAt, type Path } from './path.ts';

/** The names that fields of the object at a path can have. Of a union, only its forms that fit the value count. */
export function fieldNamesAt(schema: z.core.$ZodType, body: unknown, path: Path): readonly string[] {
  return [...new Set(objectsAt(schema, body, path).flatMap(({ shape }) => Object.keys(shape)))];
}

function objectsAt(schema: z.core.$ZodType, value: unknown, path: Path): readonly z.ZodObject[] {
  const [key, ...rest] = path;
  const below = (field: z.core.$ZodType | undefined) =>
    field && key !== undefined ? objectsAt(field, valueAt(value, [key]), rest) : [];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return objectsAt(schema.def.innerType, value, path);
  }
  if (schema instanceof z.ZodPipe) return objectsAt(schema.def.in, value, path);
  if (schema instanceof z.ZodUnion) {
    const fitting = schema.def.options.filter((option) => fits(option, value));
    return fitting.flatMap((option) => objectsAt(option, value, path));
  }
  if (schema instanceof z.ZodArray) return below(schema.def.element);
  if (schema instanceof z.ZodRecord) return below(schema.def.valueType);
  if (!(schema instanceof z.ZodObject)) return [];
  if (key === undefined) return [schema];
  const shape: Readonly<Record<string, z.core.$ZodType | undefined>> = schema.shape;
  return typeof key === 'string' && Object.hasOwn(shape, key) ? below(shape[key]) : [];
}

/** Whether the fields of an object that have fixed values, such as `type`, have one of those of the form. */
function fits(form: z.core.$ZodType, value: unknown): boolean {
  return Object.entries(form._zod.propValues ?? {}).every(([name, values]) => {
    const found = valueAt(value, [name]);
    return [...values].includes(typeof found === 'string' ? found : undefined);
  });
}
