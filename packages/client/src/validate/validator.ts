import { contract, lenient } from '@modelwire/schema';
import type { Endpoint } from '@modelwire/schema';
import type * as z from 'zod';
import type { InvalidField, Validator } from '../validation.ts';
import { invalidFields } from './invalid-fields.ts';

interface Schemas {
  readonly answer: z.ZodType | undefined;
  readonly event: z.ZodType | undefined;
}

const NONE: readonly InvalidField[] = [];

let schemas: ReadonlyMap<string, Schemas> | undefined;

/** The schemas of what comes, by method and path. Made when first asked for: of most endpoints none is ever needed. */
function schemasOf(key: string): Schemas | undefined {
  const endpoints: readonly Endpoint[] = Object.values(contract);
  schemas ??= new Map(
    endpoints.map(({ route, response, event }) => [
      `${route.method} ${route.path}`,
      {
        answer: response.type === 'application/json' ? lenient(response.schema) : undefined,
        event: event && lenient(event),
      },
    ]),
  );
  return schemas.get(key);
}

/**
 * Holds what came against the contract. Not wrong are: fields that the contract does not know, values of an enum that it does
 * not know, and variants (of tool calls, content parts) that it does not know. What no endpoint has a schema for is fine.
 */
export const validator: Validator = (value, { route, part }) => {
  const schema = schemasOf(`${route.method} ${route.path}`)?.[part];
  if (schema === undefined) return NONE;
  const { success, error } = schema.safeParse(value);
  return success ? NONE : invalidFields(error.issues, value);
};
