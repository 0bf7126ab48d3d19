import { describe, expect, test } from 'vitest';
import { jsonSchemaOf } from './json-schema.ts';
import type { StandardSchema } from './standard-schema.ts';

function schema(input: (options: { readonly target: string }) => Record<string, unknown>): StandardSchema {
  return { '~standard': { version: 1, vendor: 'tests', validate: (value) => ({ value }), jsonSchema: { input } } };
}

const open = {
  type: 'object',
  properties: {
    type: { type: 'string', default: { type: 'object' } },
    properties: { anyOf: [{ type: ['object', 'null'], properties: {} }, { enum: [{ properties: 1 }] }] },
    list: { type: 'array', items: { $ref: '#/$defs/item' } },
    map: { type: 'object', additionalProperties: { type: 'object' } },
  },
  $defs: { item: { type: 'object' } },
};

describe('the JSON Schema that is sent', () => {
  test('has additionalProperties: false in all object schemas, and data unchanged', () => {
    expect(jsonSchemaOf({ name: 'a', schema: schema(() => open) })).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        type: { type: 'string', default: { type: 'object' } },
        properties: {
          anyOf: [
            { type: ['object', 'null'], properties: {}, additionalProperties: false },
            { enum: [{ properties: 1 }] },
          ],
        },
        list: { type: 'array', items: { $ref: '#/$defs/item' } },
        map: { type: 'object', additionalProperties: { type: 'object', additionalProperties: false } },
      },
      $defs: { item: { type: 'object', additionalProperties: false } },
    });
  });

  test('is unchanged when not strict, and when the caller passes it', () => {
    expect(jsonSchemaOf({ name: 'a', schema: schema(() => open), strict: false })).toEqual(open);
    expect(jsonSchemaOf({ name: 'a', schema: schema(() => ({})), jsonSchema: open })).toBe(open);
  });

  test('has the older draft if the library does not support the newer one', () => {
    const older = schema(({ target }) => {
      if (target !== 'draft-07') throw new Error('unsupported');
      return { title: target };
    });
    expect(jsonSchemaOf({ name: 'a', schema: older })).toEqual({ title: 'draft-07' });
  });

  test('is required from the caller if the schema cannot generate it', () => {
    const cause = new Error('a date has none');
    const fails = schema(() => {
      throw cause;
    });
    expect(() => jsonSchemaOf({ name: 'a', schema: fails })).toThrow(
      expect.objectContaining({ name: 'InputError', message: expect.stringContaining('"a"') as string, cause }),
    );
  });
});
