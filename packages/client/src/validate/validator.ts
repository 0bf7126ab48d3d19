import { contract } from '@modelwire/schema';
import { batchOutputLineSchema, lenient } from '@modelwire/schema/internal';
import type { Endpoint } from '@modelwire/schema';
import type * as z from 'zod';
import type { InspectContext } from '@modelwire/core';
import type { InvalidField, Validator } from '../validation.ts';
import { invalidFields } from './invalid-fields.ts';

interface Schemas {
  readonly response: z.ZodType | undefined;
  readonly event: z.ZodType | undefined;
}

const NONE: readonly InvalidField[] = [];

let schemas: ReadonlyMap<string, Schemas> | undefined;

/** The schemas of responses and events by method and path. Created on first use. */
function getSchemas(key: string): Schemas | undefined {
  const endpoints: readonly Endpoint[] = Object.values(contract);
  schemas ??= new Map(
    endpoints.map(({ route, response, event }) => [
      `${route.method} ${route.path}`,
      {
        response: response.type === 'application/json' ? lenient(response.schema) : undefined,
        event: event && lenient(event),
      },
    ]),
  );
  return schemas.get(key);
}

/**
 * Validates a received value by the contract. Unknown fields, unknown enum values and unknown variants (of tool calls, content parts)
 * are valid, and so are values without a schema.
 */
export const validator: Validator = (value, { route, part }) => {
  if (part === 'line') return invalidLine(value, route);
  const schema = getSchemas(`${route.method} ${route.path}`)?.[part];
  if (schema === undefined) return NONE;
  const { success, error } = schema.safeParse(value);
  return success ? NONE : invalidFields(error.issues, value);
};

/** Validates a line of batch results and the response in it. Its path has the version prefix. */
function invalidLine(value: unknown, { method, path }: InspectContext['route']): readonly InvalidField[] {
  const line = lenient(batchOutputLineSchema).safeParse(value);
  if (!line.success) return invalidFields(line.error.issues, value);
  const { response } = line.data;
  const schema = getSchemas(`${method} ${path.replace(/^\/v\d+/, '')}`)?.response;
  if (response === null || response.status_code >= 400 || schema === undefined) return NONE;
  const { success, error } = schema.safeParse(response.body);
  return success ? NONE : invalidFields(error.issues, value, ['response', 'body']);
}
