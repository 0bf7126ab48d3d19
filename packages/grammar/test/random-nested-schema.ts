import type { Random } from './random.ts';
import type { Schema } from './random-schema.ts';

const NAMES = ['a', 'ab', 'é', '日"', 'x\\y', 'line\n', ''];
const PATTERNS = [
  ...['^[a-z]{2,5}$', 'b+', '^"|\\\\$', '^(?:foo|bar)*$', '^[^a-z]+$', 'é|x', '^\\S+ \\S+$', '^.{0,3}$', '^[^日"]*$'],
  ...['^(?:😀|é|[ -~])*$', '^\\d{1,3}(?:,\\d{3})*$', '^[\\n\\t"]*$', '[^-]$', '^.*$', '^[^“q]*$', '^a?(?:日本)*[.!]?$'],
];
const NAME_PATTERNS = ['^a', 'é', '^[a-z]+$', '^.?$', '"'];
const FORMATS = ['date', 'date-time', 'time', 'ipv4', 'email', 'uuid', 'hostname', 'uri', 'unknown'];
const CONSTANTS = [
  '',
  'a',
  'abc',
  'é😀',
  '"\\',
  'line\n\u0001',
  '日本日本',
  0,
  -1,
  12,
  1.5,
  true,
  null,
  {},
  { a: 1 },
  [1],
];

/** A schema whose strings, names and numbers are restricted in many ways, often in several alternatives at once. */
export function randomNestedSchema(random: Random, depth = 3): Schema | boolean {
  switch (random.int(depth > 0 ? 14 : 7)) {
    case 0:
    case 1:
    case 2:
      return { type: 'string', ...textKeywords(random) };
    case 3:
      return { type: random.pick(['integer', 'number']), ...numberKeywords(random) };
    case 4:
      return { enum: Array.from({ length: 1 + random.int(4) }, () => random.pick<unknown>(CONSTANTS)) };
    case 5:
      return { type: [random.pick(['string', 'integer', 'boolean']), 'null'], ...lengthKeywords(random) };
    case 6:
      return random.chance(0.5) ? true : { type: random.pick(['boolean', 'string', 'number', 'object', 'array']) };
    case 7:
    case 8:
    case 9:
      return { type: 'object', ...objectKeywords(random, depth) };
    case 10:
      return { type: 'array', ...arrayKeywords(random, depth) };
    case 11:
      return { oneOf: [randomNestedSchema(random, 0), randomNestedSchema(random, 0)] };
    default:
      return { anyOf: Array.from({ length: 2 + random.int(2) }, () => randomNestedSchema(random, depth - 1)) };
  }
}

function lengthKeywords(random: Random): Schema {
  const schema: Schema = {};
  const min = random.pick([0, 0, 1, 2, 5, 40]);
  if (min > 0) schema['minLength'] = min;
  if (random.chance(0.7)) schema['maxLength'] = min + random.pick([0, 1, 2, 3, 7, 300]);
  return schema;
}

function textKeywords(random: Random): Schema {
  switch (random.int(6)) {
    case 0:
      return { pattern: random.pick(PATTERNS) };
    case 1:
      return { pattern: random.pick(PATTERNS), ...lengthKeywords(random) };
    case 2:
      return { format: random.pick(FORMATS), ...(random.chance(0.3) ? lengthKeywords(random) : {}) };
    case 3:
      return { not: random.chance(0.5) ? { pattern: random.pick(PATTERNS) } : { enum: ['a', 'é😀', '"\\', ''] } };
    default:
      return lengthKeywords(random);
  }
}

function numberKeywords(random: Random): Schema {
  const schema: Schema = {};
  if (random.chance(0.5)) schema['minimum'] = random.int(40) - 20;
  if (random.chance(0.5)) schema['maximum'] = 20 + random.int(2000);
  if (random.chance(0.2)) schema['multipleOf'] = 2;
  return schema;
}

function objectKeywords(random: Random, depth: number): Schema {
  const some = (): string[] => [...new Set(Array.from({ length: random.int(4) }, () => random.pick(NAMES)))];
  const inner = (): Schema | boolean => randomNestedSchema(random, depth - 1);
  const members = (names: readonly string[]): Schema => Object.fromEntries(names.map((name) => [name, inner()]));
  const properties = some();
  // The reference validator does not require the empty name.
  const required = properties.filter((name) => name !== '' && random.chance(0.5));
  const schema: Schema = { properties: members(properties), required };
  if (random.chance(0.7)) schema['additionalProperties'] = random.pick([false, false, true, inner()]);
  if (random.chance(0.2)) schema['patternProperties'] = members([random.pick(NAME_PATTERNS)]);
  if (random.chance(0.15)) {
    schema['propertyNames'] = random.pick<Schema>([{ maxLength: 2 }, { pattern: '^[^x]*$' }, { minLength: 1 }]);
  }
  if (random.chance(0.1)) schema['maxProperties'] = 1 + random.int(3);
  if (random.chance(0.1)) schema['minProperties'] = 1;
  return schema;
}

function arrayKeywords(random: Random, depth: number): Schema {
  const inner = (): Schema | boolean => randomNestedSchema(random, depth - 1);
  const schema: Schema = { items: random.chance(0.1) ? false : inner() };
  if (random.chance(0.2)) schema['prefixItems'] = [inner()];
  const min = random.int(3);
  if (random.chance(0.4)) schema['minItems'] = min;
  if (random.chance(0.4)) schema['maxItems'] = min + random.int(3);
  return schema;
}

const STRINGS = ['', 'a', 'b', 'ab', 'foo', 'x', 'é', '日本', '😀', '"', '\\', '\n', ' ', '12', '.', '\u0001', '日"'];

export function randomString(random: Random): string {
  return Array.from({ length: random.int(5) }, () => random.pick(STRINGS)).join('');
}

/** A value with random changes, which can be invalid where the original one is valid. */
export function alteredValue(value: unknown, random: Random): unknown {
  if (random.chance(0.05)) return random.pick<unknown>(CONSTANTS);
  if (typeof value === 'string') {
    const characters = Array.from(value);
    const at = random.int(characters.length + 1);
    if (random.chance(0.3)) return randomString(random);
    return characters.toSpliced(at, random.int(2), ...(random.chance(0.6) ? [random.pick(STRINGS)] : [])).join('');
  }
  if (typeof value === 'number') return random.pick([value, value + 1, -value, Math.round(value / 10), 0.5]);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => (random.chance(0.4) ? alteredValue(item, random) : item));
    return random.chance(0.3) ? items.slice(1) : random.chance(0.2) ? [...items, ...items.slice(0, 1)] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(() => random.chance(0.85))
    .map(([name, item]): [string, unknown] => [
      random.chance(0.1) ? randomString(random) : name,
      random.chance(0.4) ? alteredValue(item, random) : item,
    ]);
  return Object.fromEntries(random.chance(0.3) ? members.toReversed() : members);
}
