import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { batchInputLineSchema } from '../batches/lines.ts';
import { parseChatCompletionCreate } from '../chat/parse.ts';
import { contract } from '../contract.ts';
import { parseRequest } from './parse.ts';
import { requestJsonSchema } from './request-json-schema.ts';
import type { ChatCompletionCreateParamsBase, NullableOptionals } from '../types.ts';

/** A request with null in one optional field, and its expected parsed value. */
interface NullCase {
  readonly path: string;
  readonly sent: unknown;
  readonly parsed: unknown;
}

const candidates = [
  ...['a', 'AAAA', 'data:image/png;base64,iVBORw0KGgo=', 'DE', 'Europe/Berlin', '24h', '4'],
  '0123456789abcdef0123456789abcdef',
  ...[1, 3600, true, {}],
];

/** A value that the schema accepts, without optional fields. */
function sample(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return sample(schema.def.innerType);
  if (schema instanceof z.ZodObject) return sampleObject(schema);
  if (schema instanceof z.ZodArray) return [sample(schema.def.element)];
  if (schema instanceof z.ZodUnion) return sample(schema.def.options[0] as z.core.$ZodType);
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  const found = candidates.find((value) => z.safeParse(schema, value).success);
  if (found === undefined) throw new Error(`no sample for ${schema._zod.def.type}`);
  return found;
}

function sampleObject(schema: z.ZodObject): Record<string, unknown> {
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  const required = fields.filter(([, field]) => !isOptional(field));
  const value: Record<string, unknown> = Object.fromEntries(required.map(([name, field]) => [name, sample(field)]));
  // A rule may require one of several optional fields.
  const more = fields.find(([name, field]) => z.safeParse(schema, { ...value, [name]: sample(field) }).success);
  if (z.safeParse(schema, value).success || !more) return value;
  return { ...value, [more[0]]: sample(more[1]) };
}

const isOptional = (field: z.core.$ZodType): boolean => z.safeParse(field, undefined).success;

function* nullCases(schema: z.core.$ZodType, path = ''): Generator<NullCase> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* nullCases(schema.def.innerType, path);
  } else if (schema instanceof z.ZodObject) {
    const base = sampleObject(schema);
    for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (isOptional(field) && !(name in base)) {
        const sent = { ...base, [name]: null };
        yield { path: at, sent, parsed: z.safeParse(field, null).success ? sent : base };
      }
      for (const inner of nullCases(field, at)) {
        yield {
          path: inner.path,
          sent: { ...base, [name]: inner.sent },
          parsed: { ...base, [name]: inner.parsed },
        };
      }
    }
  } else if (schema instanceof z.ZodArray) {
    for (const { path: inner, sent, parsed } of nullCases(schema.def.element, `${path}[0]`)) {
      yield { path: inner, sent: [sent], parsed: [parsed] };
    }
  } else if (schema instanceof z.ZodUnion) {
    for (const option of schema.def.options) yield* nullCases(option, path);
  }
}

const bodies = [
  ...Object.values(contract).flatMap(({ id, request }) =>
    request.flatMap((body) => (body.type === 'application/json' ? [[id, body.schema] as const] : [])),
  ),
  ['a line of a batch', batchInputLineSchema] as const,
];

describe.each(bodies.filter(([, schema]) => !nullCases(schema).next().done))('%s', (id, schema) => {
  const cases = [...nullCases(schema)];

  test.each(cases)('treats null in $path as absent, or as the value that the API documents', ({ sent, parsed }) => {
    expect(parseRequest(schema, sent)).toStrictEqual({ ok: true, value: parsed });
    expect(parseRequest(schema, sent, { unknownFields: 'keep' })).toStrictEqual({ ok: true, value: parsed });
  });

  if (id === 'chat.completions.create') {
    test('the test cases cover every kind of message, tool and format', () => {
      const paths = cases.map(({ path }) => path);
      for (const path of [
        ...['tools', 'tool_choice', 'stop', 'messages[0].name', 'messages[0].tool_calls', 'messages[0].annotations'],
        ...['tools[0].function.description', 'tools[0].custom.format', 'response_format.json_schema.schema'],
        ...['messages[0].content[0].file.filename', 'web_search_options.user_location.approximate.city'],
      ]) {
        expect(paths).toContain(path);
      }
      expect(cases.length).toBeGreaterThan(50);
    });

    test.each(cases)('the rules between fields treat $path as absent', ({ sent, parsed }) => {
      expect(parseChatCompletionCreate(sent)).toEqual(parseChatCompletionCreate(parsed));
    });
  }
});

test('rejects null in a required field, and keeps it in a free-form map', () => {
  const { schema } = contract['chat.completions.create'].request[0] ?? { schema: z.never() };
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
  expect(parseRequest(schema, { ...body, model: null })).toMatchObject({ problem: { param: 'model' } });
  expect(parseRequest(schema, { ...body, metadata: { key: null } })).toMatchObject({
    problem: { param: 'metadata.key' },
  });
  const tool = { type: 'function', function: { name: 'f', parameters: { default: null } } };
  expect(parseRequest(schema, { ...body, tools: [tool] })).toMatchObject({ value: { tools: [tool] } });
});

test('the JSON Schema of a request allows null in optional fields only', () => {
  const { schema } = contract['chat.completions.create'].request[0] ?? { schema: z.never() };
  const { $defs } = requestJsonSchema(schema);
  expect($defs?.['ChatCompletionCreateParams']).toMatchObject({
    properties: {
      model: { type: 'string' },
      user: { anyOf: [{ type: 'string' }, { type: 'null' }], deprecated: true },
      tool_choice: { anyOf: [{ $ref: '#/$defs/ChatCompletionToolChoice' }, { type: 'null' }] },
    },
  });
  expect($defs?.['FunctionDefinition']).toMatchObject({
    properties: { description: { anyOf: [{ type: 'string' }, { type: 'null' }] }, name: { type: 'string' } },
  });
});

test('the type of a request allows null in optional fields at every depth', () => {
  type Sent = NullableOptionals<ChatCompletionCreateParamsBase>;
  expectTypeOf<Sent['tools']>().extract<null>().toEqualTypeOf<null>();
  expectTypeOf<Sent['model']>().toEqualTypeOf<string>();
  expectTypeOf<ChatCompletionCreateParamsBase>().toExtend<Sent>();
  const sent: Sent = {
    model: 'm',
    messages: [{ role: 'assistant', content: null, name: null, tool_calls: null }],
    tools: [{ type: 'function', function: { name: 'f', description: null } }],
  };
  expect(parseChatCompletionCreate({ ...sent, messages: [{ role: 'user', content: 'Hello' }] }).ok).toBe(true);
});
