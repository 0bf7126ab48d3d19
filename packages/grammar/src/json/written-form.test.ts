import { expect, test } from 'vitest';
import { compileJsonSchema } from './compile.ts';

/** Lists its names in an order that plain objects cannot have. */
const inOrder = (names: readonly string[], object: object): object => new Proxy(object, { ownKeys: () => [...names] });
const raw = (digits: string): unknown => {
  const json: JSON & { readonly rawJSON?: (text: string) => unknown } = JSON;
  return json.rawJSON?.(digits);
};

const accepts = (schema: unknown, text: string): boolean =>
  compileJsonSchema(schema).start().advance(text)?.canEnd() === true;

test('properties are generated in the order in which the schema lists them, also if their names look like integers', () => {
  const boolean = { type: 'boolean' };
  const properties = inOrder(['z', '10', '2'], { z: boolean, 10: boolean, 2: boolean });
  const schema = { type: 'object', properties, required: ['z', '10', '2'], additionalProperties: false };
  expect(accepts(schema, '{"z":true,"10":false,"2":true}')).toBe(true);
  expect(accepts(schema, '{"2":true,"10":false,"z":true}')).toBe(false);
  const nested = { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }], $defs: { a: schema } };
  expect(accepts(nested, '{"z":true,"10":false,"2":true}')).toBe(true);
  const combined = { allOf: [schema, { required: ['z'] }] };
  expect(accepts(combined, '{"z":true,"10":false,"2":true}')).toBe(true);
  const constant = { const: inOrder(['b', '1'], { b: 1, 1: 2 }) };
  expect(accepts(constant, '{"b":1,"1":2}')).toBe(true);
});

test.each([
  [{ const: raw('9007199254740993') }, '#/const'],
  [{ properties: { a: { enum: [1, raw('9007199254740993')] } } }, '#/properties/a/enum'],
  [{ const: { a: [raw('-0')] } }, '#/const'],
  [{ type: 'number', multipleOf: raw('0.1234567890123456789') }, '#/multipleOf'],
  [{ type: 'number', maximum: raw('0.1234567890123456789') }, '#/maximum'],
])('a number that a double does not hold exactly is refused: %j', (schema, path) => {
  expect(() => compileJsonSchema(schema)).toThrow(expect.objectContaining({ path, code: 'unsupported' }) as Error);
});

test('bounds beyond 2^53 and negative zeros, which have no effect, are accepted', () => {
  const schema = { type: 'integer', minimum: raw('-0'), maximum: raw('18446744073709551615') };
  expect(accepts(schema, '7')).toBe(true);
  expect(accepts(schema, '-7')).toBe(false);
  expect(accepts({ type: 'integer', default: raw('9007199254740993') }, '7')).toBe(true);
});
