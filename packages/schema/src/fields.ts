import * as z from 'zod';
import { parseRequest, type Parsed, type ParseOptions } from './parse.ts';
import { problem } from './problem.ts';
import { shown } from './shown.ts';
import type { Problem } from './types/errors.ts';

/** Names and texts as a query or a form has them. */
export type TextFields = Iterable<readonly [string, string]>;
type Nested = Map<string, string | Map<string, string>>;

/** `metadata[key]` is the field `key` of `metadata`; a key may itself hold brackets. */
const BRACKETS = /^([^[\]]+)\[(.*)\]$/s;
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?$/;

function nest(fields: TextFields): Nested | Problem {
  const nested: Nested = new Map();
  const twice = (...path: string[]): Problem =>
    problem('invalid_value', path, `The parameter ${shown(path.join('.'))} is given more than once.`);
  for (const [name, value] of fields) {
    const match = name.length < 1000 ? BRACKETS.exec(name) : null;
    const outer = match?.[1];
    const inner = match?.[2];
    if (outer === undefined || inner === undefined) {
      if (nested.has(name)) return twice(name);
      nested.set(name, value);
      continue;
    }
    const map = nested.get(outer) ?? new Map<string, string>();
    if (typeof map === 'string' || map.has(inner)) return twice(outer, inner);
    nested.set(outer, map.set(inner, value));
  }
  return nested;
}

function typed(value: string | Map<string, string>, schema: z.core.$ZodType | undefined): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return typed(value, schema.def.innerType);
  if (typeof value === 'string') {
    return schema instanceof z.ZodNumber && NUMBER.test(value) ? Number(value) : value;
  }
  const shape = schema instanceof z.ZodObject ? shapeOf(schema) : {};
  return Object.fromEntries([...value].map(([key, text]) => [key, typed(text, shape[key])]));
}

const shapeOf = (schema: z.ZodObject): Readonly<Record<string, z.core.$ZodType | undefined>> => schema.shape;

/**
 * Parses a query, or the text fields of a form: `limit=20&metadata[key]=value`. Numbers are read where the schema has
 * numbers, brackets make objects, a name given twice is refused. Never throws on what a caller may send.
 */
export function parseFields<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  fields: TextFields,
  options?: ParseOptions,
): Parsed<z.output<z.ZodObject<Shape>>> {
  const nested = nest(fields);
  if (!(nested instanceof Map)) return { ok: false, problem: nested };
  const shape: Readonly<Record<string, z.core.$ZodType | undefined>> = schema.shape;
  const entries = [...nested].map(([name, value]) => [name, typed(value, shape[name])] as const);
  return parseRequest(schema, Object.fromEntries(entries), options);
}
