import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contract } from './contract.ts';
import * as routes from './routes.ts';

const endpoints = Object.entries(contract);

/** The nine endpoints of the API, by section. */
const SECTIONS: Readonly<Record<string, string>> = {
  'Create moderation': 'POST /moderations',
  'Cancel batch': 'POST /batches/{batch_id}/cancel',
  'Create chat completion': 'POST /chat/completions',
  'Update chat completion': 'POST /chat/completions/{completion_id}',
  'List chat completions': 'GET /chat/completions',
  'Get chat messages': 'GET /chat/completions/{completion_id}/messages',
  'Add upload part': 'POST /uploads/{upload_id}/parts',
  'Complete upload': 'POST /uploads/{upload_id}/complete',
  'Remix video': 'POST /videos/{video_id}/remix',
};

test('contains all nine endpoints of the API, each in its section', () => {
  const documented = endpoints
    .filter(([, { section }]) => section !== 'companion')
    .map(([, { section, route }]) => [section, `${route.method} ${route.path}`]);
  expect(Object.fromEntries(documented)).toEqual(SECTIONS);
});

test('contains every route once, with its ID', () => {
  const named = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
  const used = endpoints.map(([, { route }]) => `${route.method} ${route.path}`);
  expect(used.toSorted()).toEqual(named.toSorted());
  expect(new Set(used).size).toBe(used.length);
  for (const [id, endpoint] of endpoints) expect(endpoint.id).toBe(id);
});

test('path parameters are those of the path', () => {
  expect(Object.keys(contract['chat.completions.messages.list'].pathParams.shape)).toEqual(['completion_id']);
  expect(Object.keys(contract['models.list'].pathParams.shape)).toEqual([]);
});

describe.each(endpoints)('%s', (_, { pathParams, query, request, response, event, errors }) => {
  const schemas: [name: string, schema: z.ZodType, io: 'input' | 'output'][] = [
    ['path', pathParams, 'input'],
    ['query', query, 'input'],
  ];
  for (const body of request) schemas.push([body.type, body.schema, 'input']);
  if (response.type === 'application/json') schemas.push(['response', response.schema, 'output']);
  if (event) schemas.push(['event', event, 'output']);

  test.each(schemas)('its %s is a JSON Schema whose references resolve', (__, schema, io) => {
    const written = JSON.stringify(z.toJSONSchema(schema, { io }));
    const document = z.record(z.string(), z.unknown()).parse(JSON.parse(written));
    const defined = Object.keys(z.record(z.string(), z.unknown()).parse(document['$defs'] ?? {}));
    const references = Array.from(written.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g), ([, name]) => name);
    expect(defined).toEqual(expect.arrayContaining(references));
  });

  test('each of its errors has a status', () => {
    for (const { status, when } of errors) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(when).not.toBe('');
    }
    expect(errors.map(({ status }) => status)).toEqual(expect.arrayContaining([400, 401, 429, 500, 503]));
  });
});

test('names of components are unique', () => {
  const ids = new Map<string, unknown>();
  const visit = (schema: z.core.$ZodType): void => {
    const id = z.globalRegistry.get(schema)?.id;
    if (id !== undefined) {
      expect(ids.get(id) ?? schema).toBe(schema);
      ids.set(id, schema);
    }
    if (schema instanceof z.ZodObject) Object.values<z.core.$ZodType>(schema.shape).forEach(visit);
    else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) visit(schema.def.innerType);
    else if (schema instanceof z.ZodArray) visit(schema.def.element);
    else if (schema instanceof z.ZodUnion || schema instanceof z.ZodDiscriminatedUnion)
      schema.def.options.forEach(visit);
  };
  for (const [, { request, response, event }] of endpoints) {
    for (const { schema } of request) visit(schema);
    if (response.type === 'application/json') visit(response.schema);
    if (event) visit(event);
  }
  expect([...ids.keys()]).toEqual(expect.arrayContaining(['ChatCompletionCreateParams', 'ChatCompletion', 'Video']));
});

test('the JSON Schema contains limits and defaults', () => {
  const body = contract['chat.completions.create'].request[0];
  if (!body) throw new Error('chat.completions.create takes a body');
  const { $defs } = z.toJSONSchema(body.schema, { io: 'input' });
  expect($defs?.['ChatCompletionCreateParams']).toMatchObject({
    additionalProperties: false,
    required: ['messages', 'model'],
    properties: {
      temperature: { default: 1, anyOf: [{ type: 'number', minimum: 0, maximum: 2 }, { type: 'null' }] },
      top_logprobs: { anyOf: [{ type: 'integer', minimum: 0, maximum: 20 }, { type: 'null' }] },
    },
  });
  expect($defs?.['Metadata']).toMatchObject({
    maxProperties: 16,
    propertyNames: { maxLength: 64 },
    additionalProperties: { maxLength: 512 },
  });
});
