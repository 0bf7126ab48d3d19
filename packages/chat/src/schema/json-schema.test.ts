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

describe('The JSON Schema that is sent', () => {
  test('has its objects closed wherever schemas stand, and data as it was', () => {
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

  test('is as the schema says it when not strict, and as the caller gives it always', () => {
    expect(jsonSchemaOf({ name: 'a', schema: schema(() => open), strict: false })).toEqual(open);
    expect(jsonSchemaOf({ name: 'a', schema: schema(() => ({})), jsonSchema: open })).toBe(open);
  });

  test('is of the older draft where the library has no newer one', () => {
    const older = schema(({ target }) => {
      if (target !== 'draft-07') throw new Error('unsupported');
      return { title: target };
    });
    expect(jsonSchemaOf({ name: 'a', schema: older })).toEqual({ title: 'draft-07' });
  });

  test('is asked of the caller where the schema cannot say it', () => {
    const cause = new Error('a date has none');
    const fails = schema(() => {
      throw cause;
    });
    expect(() => jsonSchemaOf({ name: 'a', schema: fails })).toThrow(
      expect.objectContaining({ name: 'InputError', message: expect.stringContaining('"a"') as string, cause }),
    );
  });
});
