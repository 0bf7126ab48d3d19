import type { Random } from './random.ts';
import type { Schema } from './random-schema.ts';

const NAMES = ['a', 'b', 'ab', 'x'];
const PATTERNS = ['^a', 'b$', '^.$', 'x'];
const VALUES: readonly unknown[] = ['', 'a', 'ab', 'ba', 0, 1, 2, 1.5, -3, true, false, null, [], [1], {}, { a: 1 }];
const FORMATS = ['date', 'ipv4', 'uri', 'unknown'];

/** Values that many random schemas distinguish, as JSON. */
export const VALUE_TEXTS: readonly string[] = [
  ...['""', '"a"', '"ab"', '"2024-01-01"', '0', '1', '2', '1.5', '-3', 'true', 'null', '[]', '[1]', '[1, 2]'],
  ...['[1, 1]', '["a", 1]', '{}', '{"a": 1}', '{"a": ""}', '{"b": 1}', '{"x": null}', '{"a": 1, "b": 2}'],
  ...['{"a": {"a": 1}}', '{"ab": true}', '{"a": 1, "ab": 2, "x": 3}', '{"q": 1}', '[{"a": 1}]', 'false', '"ba"'],
  ...['"b"', '"x"', '{"a": 1.5}', '{"x": "a"}', '{"b": false}', '{"ab": {"a": 1}}', '["a", "ab"]', '[null]', '[[1]]'],
  ...['[{}]', '[[]]', '{"a": null}', '{"a": []}', '{"a": {}}', '{"x": {}}', '{"b": []}', '{"x": 1}', '{"x": 0}'],
  ...['{"ab": 1}', '{"ab": "a"}', '4', '-1', '0.5', '[1, 2, "a"]', '[0, 0]', '["", 1, null]', '{"a": 1, "x": 3}'],
  ...['{"b": 1, "x": 1}', '{"b": "", "ab": ""}', '{"aa": 1}', '{"xb": null}', '{"a": [1]}', '{"a": {"b": 1}}'],
  ...['{"a": "ab"}', '{"b": "b"}', '{"x": true}', '{"a": false}', '{"x": [null]}', '[true, false]', '"abc"'],
  ...['{"b": 2, "a": 1}', '{"x": 3, "ab": 2, "a": 1}', '{"q": 1, "a": 1}', '{"b": 1, "a": 1, "b": 1}'],
];

/** A schema with keywords that non-strict mode enforces, often several that depend on each other. */
export function randomLooseSchema(random: Random, depth = 3): Schema | boolean {
  if (random.chance(0.04)) return random.chance(0.8);
  const schema: Schema = {};
  if (random.chance(0.5))
    schema['type'] = random.pick(['object', 'object', 'array', 'string', 'integer', 'number', 'null']);
  if (random.chance(0.1)) schema['type'] = ['object', random.pick(['string', 'array', 'boolean', 'integer'])];
  const count = 1 + random.int(3);
  for (let i = 0; i < count; i++) Object.assign(schema, randomKeyword(random, depth - 1));
  // The reference validator accepts an array without items here.
  if ('contains' in schema) delete schema['prefixItems'];
  return schema;
}

function randomKeyword(random: Random, depth: number): Schema {
  const inner = (): Schema | boolean =>
    depth <= 0 ? { const: random.pick(VALUES) } : randomLooseSchema(random, depth);
  const list = (): (Schema | boolean)[] => Array.from({ length: 1 + random.int(3) }, inner);
  const members = (names: readonly string[]): Schema =>
    Object.fromEntries(Array.from({ length: 1 + random.int(2) }, () => [random.pick(names), inner()]));
  const some = (): string[] => [...new Set(Array.from({ length: 1 + random.int(2) }, () => random.pick(NAMES)))];
  switch (random.int(26)) {
    case 0:
    case 1:
    case 2:
      return { properties: members(NAMES) };
    case 3:
    case 4:
      return { required: some() };
    case 5:
      return { additionalProperties: random.chance(0.5) ? false : inner() };
    case 6:
    case 7:
      return { patternProperties: members(PATTERNS) };
    case 8:
      return {
        propertyNames: random.pick([
          { pattern: 'a' },
          { maxLength: 1 },
          { enum: ['a', 'ab'] },
          { not: { const: 'b' } },
        ]),
      };
    case 9:
      return random.chance(0.5) ? { minProperties: random.int(3) } : { maxProperties: random.int(3) };
    case 10:
      return { items: inner() };
    case 11:
      return { prefixItems: list() };
    case 12:
      return { minItems: random.int(3), ...(random.chance(0.5) ? { maxItems: 2 + random.int(2) } : {}) };
    case 13:
      return { contains: inner(), ...(random.chance(0.3) ? { minContains: random.int(3), maxContains: 2 } : {}) };
    case 14:
      return { uniqueItems: true, items: { enum: [1, 2, 'a', 'b'].slice(random.int(3)) } };
    case 15:
    case 16:
      return { not: inner() };
    case 17:
      return { if: inner(), then: inner(), ...(random.chance(0.6) ? { else: inner() } : {}) };
    case 18:
      return { dependentRequired: { [random.pick(NAMES)]: some() } };
    case 19:
      return { dependentSchemas: { [random.pick(NAMES)]: inner() } };
    case 20:
      return { allOf: list() };
    case 21:
      return { anyOf: list() };
    case 22:
    case 23:
      return { oneOf: list() };
    case 24:
      return random.pick<Schema>([
        { pattern: random.pick(PATTERNS) },
        { minLength: 1, maxLength: 2 },
        { format: random.pick(FORMATS) },
      ]);
    default:
      return random.pick<Schema>([
        { enum: [random.pick(VALUES), random.pick(VALUES)] },
        { const: random.pick(VALUES) },
        { minimum: 1 },
        { exclusiveMaximum: 2 },
        { multipleOf: 2 },
      ]);
  }
}
