import { expect, it } from 'vitest';
import { compileJsonSchema } from './compile.ts';

it('accepts a value of the schema, in the order of the schema, and nothing else', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 3 } },
    required: ['name', 'age'],
    additionalProperties: false,
  };
  const start = compileJsonSchema(schema, { strict: true }).start();
  expect(start.forced()).toBe('{"name":');
  expect(start.advance('{"name": "x", "age": 3}')?.mustEnd()).toBe(true);
  expect(start.advance('{"name":"x","age":2,')).toBeUndefined();
  expect(start.shortestCompletion()).toBe('{"name":"","age":3}');
});
