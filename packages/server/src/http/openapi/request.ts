import * as z from 'zod';
import type { Components, Json } from './components.ts';
import type { FileField, RequestBody, RequestExamples } from '@modelwire/schema';

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

/** The header that continues a stream. */
export const lastEventId: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of the last event that was received of the stream with this `Idempotency-Key`: it is continued after that.',
  schema: { type: 'integer', minimum: 0 },
};

/** The header that makes a request safe to retry. */
export const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A value of your own, for one request. The response to a request that is sent again with the same key and body is the first response; the request is not run again.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

/** The media types of a request body, each with its schema and examples that can be sent. */
export function requestBody(bodies: readonly RequestBody[], model: string | undefined, components: Components): Json {
  return {
    required: true,
    content: Object.fromEntries(
      bodies.map((body) => [
        body.type,
        body.type === 'application/json' ? jsonBody(body, model, components) : formBody(body, model, components),
      ]),
    ),
  };
}

function jsonBody({ schema, examples }: RequestBody, model: string | undefined, components: Components): Json {
  return { schema: components.schemaOf(schema, 'input'), examples: examplesOf(examples, model) };
}

/** The examples use a model that this server serves. */
function examplesOf(examples: RequestExamples, model: string | undefined): Json {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [
      summary.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
      { summary, value: 'model' in value && model !== undefined ? { ...value, model } : value },
    ]),
  );
}

/** The fields and the files of a form in one schema: tools that write forms do not look into `allOf`. */
function formBody(
  { schema, files, examples }: Extract<RequestBody, { type: 'multipart/form-data' }>,
  model: string | undefined,
  components: Components,
): Json {
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  const properties = new Map<string, Json>(fields.map(([name, field]) => [name, components.schemaOf(field, 'input')]));
  // `expires_after[anchor]=created_at`
  const objects = [...properties].filter(([, property]) => '$ref' in property).map(([name]) => name);
  for (const file of files) properties.set(file.name, fileField(file, properties.get(file.name)));
  const required = [
    ...fields.filter(([, field]) => !z.safeParse(field, undefined).success).map(([name]) => name),
    ...files.filter((file) => file.required).map(({ name }) => name),
  ];
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    // Examples cannot contain the bytes of a file, so examples of forms with a required file would be invalid.
    ...(!files.some((file) => file.required) && { examples: examplesOf(examples, model) }),
    ...(objects.length > 0 && {
      encoding: Object.fromEntries(objects.map((name) => [name, { style: 'deepObject', explode: true }])),
    }),
  };
}

function fileField({ description, maxBytes }: FileField, other: Json | undefined): Json {
  const limit = maxBytes === undefined ? '' : ` At most ${maxBytes / 1024 ** 2} MB.`;
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
  const fullDescription = `${description}${limit}`;
  return other === undefined
    ? { ...file, description: fullDescription }
    : { anyOf: [file, other], description: fullDescription };
}
