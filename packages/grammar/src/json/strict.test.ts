import { describe, expect, it } from 'vitest';
import { closedObject as object } from '../../test/closed-object.ts';
import { compileJsonSchema } from './compile.ts';

const nested = (levels: number): unknown => (levels === 0 ? { type: 'null' } : object({ a: nested(levels - 1) }));
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, value]));
const words = (count: number, length: number) => Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, 'x'));

describe('the strict subset', () => {
  it.each<[schema: unknown, path: string]>([
    [{ type: 'array', items: {} }, '#/type'],
    [{ anyOf: [object({})] }, '#'],
    [true, '#'],
    [{ type: 'object', properties: {}, required: [] }, '#/additionalProperties'],
    [{ ...object({}), additionalProperties: true }, '#/additionalProperties'],
    [{ ...object({ a: { type: 'null' } }), required: [] }, '#/required'],
    [{ ...object({}), required: ['a'] }, '#/required'],
    [object({ a: {} }), '#/properties/a'],
    [object({ a: true }), '#/properties/a'],
    [object({ a: { type: 'array' } }), '#/properties/a'],
    [object({ a: { type: 'array', items: { type: 'object' } } }), '#/properties/a/items/additionalProperties'],
    [object({ a: { type: 'string', minLength: 1 } }), '#/properties/a/minLength'],
    [object({ a: { type: 'string', 'x-y': 1 } }), '#/properties/a/x-y'],
    [object({ a: { allOf: [] } }), '#/properties/a/allOf'],
    [object({ a: { oneOf: [{ type: 'null' }] } }), '#/properties/a/oneOf'],
    [object({ a: { not: {} } }), '#/properties/a/not'],
    [object({ a: { anyOf: [{ type: 'null' }, { type: 'object' }] } }), '#/properties/a/anyOf/1/additionalProperties'],
    [object({ a: { anyOf: [{ type: 'null' }], type: 'null' } }), '#/properties/a/type'],
    [object({ a: { $ref: '#/$defs/b', minimum: 1 } }, { $defs: { b: { type: 'integer' } } }), '#/properties/a/minimum'],
    [object({}, { $defs: { b: { type: 'object' } } }), '#/$defs/b/additionalProperties'],
    [object({ a: { enum: [{}] } }), '#/properties/a/enum'],
  ])('rejects %j with the path %s', (schema, path) => {
    expect(() => compileJsonSchema(schema, { strict: true })).toThrow(
      expect.objectContaining({ name: 'GrammarError', path }),
    );
  });

  it.each<[what: string, atLimit: unknown, aboveLimit: unknown]>([
    ['10 levels', nested(10), nested(11)],
    ['5,000 properties', object(many(5000, { type: 'null' })), object(many(5001, { type: 'null' }))],
    ['1,000 enum values', object({ a: { enum: words(1000, 3) } }), object({ a: { enum: words(1001, 3) } })],
    [
      '120,000 characters',
      object({ a: { const: 'x'.repeat(119_999) } }),
      object({ a: { const: 'x'.repeat(120_000) } }),
    ],
    [
      '15,000 characters of a long enum',
      object({ a: { enum: words(300, 50) } }),
      object({ a: { enum: words(300, 51) } }),
    ],
  ])('allows at most %s', (_, atLimit, aboveLimit) => {
    expect(compileJsonSchema(atLimit, { strict: true, maxMs: Infinity }).start().canEnd()).toBe(false);
    expect(() => compileJsonSchema(aboveLimit, { strict: true, maxMs: Infinity })).toThrow(
      expect.objectContaining({ name: 'GrammarError', code: 'limit' }),
    );
  });

  it('allows descriptions and titles next to a $ref', () => {
    const schema = object(
      { a: { $ref: '#/$defs/b', description: 'd' } },
      { $defs: { b: { type: 'null', title: 't' } } },
    );
    expect(compileJsonSchema(schema, { strict: true }).start().shortestCompletion()).toBe('{"a":null}');
  });
});
