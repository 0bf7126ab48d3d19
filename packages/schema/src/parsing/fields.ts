import * as z from 'zod';
import { parseRequest, type Parsed, type ParseOptions } from './parse.ts';
import { problem } from './problem.ts';
import { quote } from './message-text.ts';
import type { Problem } from '../types/parts.ts';

/** Names and texts of a query or a form. */
export type TextFields = Iterable<readonly [string, string]>;
type Value = string | readonly string[] | Map<string, string>;
type Nested = Map<string, Value>;

/** `metadata[key]` is the field `key` of `metadata`; `models[]` is an entry of the list `models`. A key may contain brackets. */
const BRACKETS = /^([^[\]]+)\[(.*)\]$/s;
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?$/;

function nest(fields: TextFields): Nested | Problem {
  const nested: Nested = new Map();
  for (const [name, value] of fields) {
    const match = name.length < 1000 ? BRACKETS.exec(name) : null;
    const outer = match?.[1] ?? name;
    const combined = combineValues(nested.get(outer), match?.[2], value);
    if (combined === undefined) {
      const path = match?.[2] ? [outer, match[2]] : [outer];
      return problem('invalid_value', path, `The parameter ${quote(path.join('.'))} is given more than once.`);
    }
    nested.set(outer, combined);
  }
  return nested;
}

/** The value of a name with one more entry; `inner` is the text in brackets. Undefined if the two cannot be combined. */
function combineValues(existing: Value | undefined, inner: string | undefined, value: string): Value | undefined {
  if (inner === undefined) return existing === undefined ? value : undefined;
  if (inner === '') {
    if (existing === undefined) return [value];
    return typeof existing === 'object' && !(existing instanceof Map) ? [...existing, value] : undefined;
  }
  const map = existing ?? new Map<string, string>();
  return map instanceof Map && !map.has(inner) ? map.set(inner, value) : undefined;
}

function coerce(value: Value, schema: z.core.$ZodType | undefined): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return coerce(value, schema.def.innerType);
  if (schema instanceof z.ZodArray) {
    const items = typeof value === 'string' ? [value] : value;
    if (!(items instanceof Map)) return items.map((one) => coerce(one, schema.def.element));
  }
  if (typeof value === 'string') {
    if (schema instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
    return schema instanceof z.ZodNumber && NUMBER.test(value) ? Number(value) : value;
  }
  // `metadata[]=a` for a field that is not a list: the member with the empty name.
  if (!(value instanceof Map)) return value.length === 1 ? { '': value[0] } : value;
  const shape = schema instanceof z.ZodObject ? shapeOf(schema) : {};
  return Object.fromEntries([...value].map(([key, text]) => [key, coerce(text, shape[key])]));
}

const shapeOf = (schema: z.ZodObject): Readonly<Record<string, z.core.$ZodType | undefined>> => schema.shape;

/**
 * Parses a query or the text fields of a form: `limit=20&metadata[key]=value`. Converts numbers and booleans according to the schema; brackets
 * create objects, empty brackets (`models[]=a`) lists. A repeated name is rejected. Never throws for any input.
 */
export function parseFields<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  fields: TextFields,
  options?: ParseOptions,
): Parsed<z.output<z.ZodObject<Shape>>> {
  const nested = nest(fields);
  if (!(nested instanceof Map)) return { ok: false, problem: nested };
  const shape: Readonly<Record<string, z.core.$ZodType | undefined>> = schema.shape;
  const entries = [...nested].map(([name, value]) => [name, coerce(value, shape[name])] as const);
  return parseRequest(schema, Object.fromEntries(entries), options);
}
