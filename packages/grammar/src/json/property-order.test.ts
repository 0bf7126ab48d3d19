import { describe, expect, it } from 'vitest';
import { createGrammarCache, GrammarError } from '../index.ts';
import type { Grammar } from '../index.ts';
import { compileJsonSchema } from './compile.ts';

const compile = (schema: unknown): Grammar => compileJsonSchema(schema, { propertyOrder: 'any' });
const accepts = (grammar: Grammar, text: string): boolean => grammar.start().advance(text)?.canEnd() === true;

const person = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'age'],
  additionalProperties: false,
};

describe("propertyOrder 'any'", () => {
  it.each([
    ['{"name":"a","age":1}', true],
    ['{"age": 1, "name": "a"}', true],
    ['{"tags":["x"],"age":1,"name":"a"}', true],
    ['{"age":1,"tags":[],"name":"a"}', true],
    ['{"age":1}', false],
    ['{}', false],
    ['{"age":1,"name":"a","age":2}', false],
    ['{"age":1,"name":"a","other":2}', false],
    ['{"age":"1","name":"a"}', false],
    ['{"age":1,"name":"a",}', false],
    ['{,"age":1,"name":"a"}', false],
  ])(
    'accepts properties in any order unless one is missing, repeated, unknown or invalid: %s is %s',
    (text, isAccepted) => {
      expect(accepts(compile(person), text)).toBe(isAccepted);
    },
  );

  it('accepts additional properties between declared ones', () => {
    const schema = { type: 'object', properties: { a: { type: 'null' } }, additionalProperties: { type: 'integer' } };
    const grammar = compile({ ...schema, required: ['a'] });
    expect(accepts(grammar, '{"x":1,"a":null,"y":2}')).toBe(true);
    expect(accepts(grammar, '{"x":1,"y":2}')).toBe(false);
    expect(accepts(grammar, '{"x":1,"a":2}')).toBe(false);
  });

  it.each([
    [2, 2],
    [1, 3],
    [3, Infinity],
    [0, 1],
  ])('enforces minProperties %d and maxProperties %d', (min, max) => {
    const names = ['a', 'b', 'c', 'd'];
    const grammar = compile({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { const: 1 }])),
      required: max < 2 ? [] : ['c'],
      additionalProperties: false,
      minProperties: min,
      ...(max === Infinity ? {} : { maxProperties: max }),
    });
    for (const order of orders(names)) {
      const text = `{${order.map((name) => `"${name}":1`).join(',')}}`;
      const isValid = order.length >= min && order.length <= max && (max < 2 || order.includes('c'));
      expect([text, accepts(grammar, text)]).toEqual([text, isValid]);
    }
  });

  it('can always reach an end, although additional properties count once towards minProperties', () => {
    const grammar = compile({
      type: 'object',
      properties: { a: { const: 1 }, b: { const: 1 } },
      additionalProperties: { const: 2 },
      minProperties: 2,
      maxProperties: 2,
    });
    expect(accepts(grammar, '{"x":2,"b":1}')).toBe(true);
    // The second name can be equal to the first one.
    expect(grammar.start().advance('{"x":2,"y')).toBeUndefined();
    expect(JSON.parse(grammar.start().shortestCompletion())).toSatisfy(
      (value: object) => Object.keys(value).length === 2,
    );
  });

  it('completes an object with the shortest values of the missing properties', () => {
    const start = compile(person).start();
    expect(start.shortestCompletion()).toHaveLength('{"name":"","age":0}'.length);
    expect(start.advance('{"age":12')?.shortestCompletion()).toBe(',"name":""}');
    expect(start.advance('{"tags":[],"name":"a","ag')?.forced()).toBe('e":');
  });

  it('treats objects in constants as equal in any order', () => {
    const grammar = compile({ enum: [{ a: 1, b: [{ c: 2, d: 3 }] }, 'x'] });
    expect(accepts(grammar, '{"b":[{"d":3,"c":2}],"a":1}')).toBe(true);
    expect(accepts(grammar, '"x"')).toBe(true);
    expect(accepts(grammar, '{"a":1}')).toBe(false);
  });

  it('continues to match after cached positions have been dropped', () => {
    const names = Array.from({ length: 60 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
    const start = compile({ type: 'array', items: { type: 'object', properties, required: names } }).start();
    let state = start.advance('[');
    // More sets of properties than are cached.
    for (let round = 0; round < 40; round++) {
      const order = names.map((_, index) => names[(index * 7 + round) % names.length] ?? '');
      state = state?.advance(`{${order.map((name) => `"${name}":1`).join(',')}},`);
      expect(state).toBeDefined();
    }
    expect(state?.advance(`{"p3":1,"p3"`)).toBeUndefined();
    expect(start.advance('[{"p1":0')?.canEnd()).toBe(false);
  });

  it('is not the default, and has a separate entry in the cache', () => {
    const cache = createGrammarCache();
    expect(accepts(cache.jsonSchema(person), '{"age":1,"name":"a"}')).toBe(false);
    expect(accepts(cache.jsonSchema(person, { propertyOrder: 'any' }), '{"age":1,"name":"a"}')).toBe(true);
  });

  it('is limited to 1,000 properties', () => {
    const properties = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`p${index}`, { type: 'null' }]));
    expect(() => compile({ type: 'object', properties })).toThrow(GrammarError);
  });
});

/** All subsets of names, in all orders. */
function orders(names: readonly string[]): string[][] {
  return [
    [],
    ...names.flatMap((name) => orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest])),
  ];
}
