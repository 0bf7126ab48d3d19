import { parseFields, parseRequest } from '@modelwire/schema';
import type { Parsed, TextFields } from '@modelwire/schema';
import type * as z from 'zod';
import type { UnknownFields } from './route.ts';

type BodyParser<Input, Body> = (input: Input, unknownFields: UnknownFields) => Parsed<Body>;

/** Parses a JSON body by its schema. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema): BodyParser<unknown, z.output<Schema>> {
  return (body, unknownFields) => parseRequest(schema, body, { unknownFields });
}

/** Parses a JSON body by its schema. The body `null` is `{}`. */
export function optionalJsonBody<Schema extends z.ZodType>(schema: Schema): BodyParser<unknown, z.output<Schema>> {
  return (body, unknownFields) => parseRequest(schema, body ?? {}, { unknownFields });
}

/** Parses the text fields of a form by their schema. */
export function formFields<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
): BodyParser<TextFields, z.output<z.ZodObject<Shape>>> {
  return (fields, unknownFields) => parseFields(schema, fields, { unknownFields });
}
