import { describe, expect, it } from 'vitest';
import { compileJsonSchema } from './compile.ts';
import { checkSize, SCHEMA_LIMITS } from './size.ts';

const { text, characters, enumValues, depth } = SCHEMA_LIMITS;
const strings = (count: number, length = 0): string[] =>
  Array.from({ length: count }, (_, i) => String(i).padStart(length, 'x'));
const nested = (levels: number): unknown => {
  let value: unknown = 0;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
};
const within = (a: unknown) => ({ type: 'object', properties: { a }, required: ['a'], additionalProperties: false });

describe('the size of a schema', () => {
  it.each<[what: string, schema: unknown, path: string]>([
    ['enum values', within({ enum: strings(enumValues + 1) }), '#/properties/a/enum'],
    [
      'enum values in total',
      within({ anyOf: [{ enum: strings(enumValues) }, { enum: ['a'] }] }),
      '#/properties/a/anyOf/1/enum',
    ],
    ['characters in an enum', within({ enum: strings(300, 1000).concat('a') }), '#/properties/a/enum'],
    ['characters in a constant', { const: ['x'.repeat(characters), 'x'] }, '#/const'],
    ['characters of names in a constant', { const: { ['x'.repeat(characters)]: 'x' } }, '#/const'],
    [
      'characters of property names',
      within({ properties: { ['x'.repeat(characters)]: {} } }),
      '#/properties/a/properties',
    ],
    ['characters', { title: 'x'.repeat(text) }, '#'],
    ['nested arrays in a constant', { const: nested(depth) }, '#'],
    ['nested arrays in an annotation', { type: 'null', default: nested(100_000) }, '#'],
    ['values', { examples: Array.from({ length: text / 2 }, () => 0) }, '#'],
  ])('is limited: too many %s are rejected with their path', (_, schema, path) => {
    expect(() => compileJsonSchema(schema)).toThrow(
      expect.objectContaining({ name: 'GrammarError', code: 'limit', path }),
    );
  });

  it('is measured in characters of JSON, and can reach the limits', () => {
    const schema = { description: 'x'.repeat(text / 2), enum: strings(100, characters / 100 - 1) };
    expect(checkSize(schema)).toBe(JSON.stringify([schema]).length);
    expect(compileJsonSchema(schema).start().forced()).toMatch(/^"x+$/);
    expect(
      compileJsonSchema({ const: nested(depth - 1) })
        .start()
        .forced(),
    ).toMatch(/^\[+0\]+$/);
  });

  it('counts properties that are named like keywords once', () => {
    const schema = { properties: { enum: { const: 'a' }, properties: { type: 'null' } } };
    expect(compileJsonSchema(schema).start().advance('{"enum":"a","properties":null}')?.canEnd()).toBe(true);
    expect(checkSize({ properties: { enum: { enum: strings(enumValues) } } })).toBeGreaterThan(enumValues);
  });

  it('is limited to 1,000 schemas in anyOf', () => {
    const options = (count: number) => ({ anyOf: Array.from({ length: count }, (_, i) => within({ const: i })) });
    expect(compileJsonSchema(options(1000)).start().advance('{"a":999}')?.canEnd()).toBe(true);
    expect(() => compileJsonSchema(within(options(1001)))).toThrow(
      expect.objectContaining({ code: 'limit', path: '#/properties/a/anyOf' }),
    );
  });
});
