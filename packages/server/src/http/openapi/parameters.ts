import * as z from 'zod';
import type { Components } from './components.ts';
import type { Json } from './json.ts';

/** The parameters of a path or a query. */
export function parametersOf(schema: z.ZodObject, location: 'path' | 'query', components: Components): readonly Json[] {
  return Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => {
    const { description, examples, ...jsonSchema } = components.schemaOf(field, 'input');
    const isMap = isMapOf(jsonSchema, components);
    return {
      // Official SDKs write a list as `models[]=a&models[]=b`.
      name: jsonSchema['type'] === 'array' ? `${name}[]` : name,
      in: location,
      required: location === 'path' || !z.safeParse(field, undefined).success,
      ...(description !== undefined && { description }),
      // `metadata[key]=value`, as the API defines it.
      ...(isMap && { style: 'deepObject', explode: true }),
      schema: jsonSchema,
      ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    };
  });
}

function isMapOf(schema: Json, components: Components): boolean {
  const reference = schema['$ref'];
  const found = typeof reference === 'string' ? components.find(reference.split('/').at(-1) ?? '') : schema;
  return found?.['type'] === 'object';
}

/** The header that makes a request safe to retry. */
export const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A value of your own, for one request. The response to a request that is sent again with the same key and body is the first response; the request is not run again.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};
