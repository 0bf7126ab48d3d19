import type { Random } from './random.ts';

export type Schema = Record<string, unknown>;

const NAMES = ['a', 'b', 'name', 'a"b', 'x y', 'é', '日本', 'constructor', '__proto_', 'back\\slash', '', 'tab\t'];
/** Patterns with matching texts. */
const PATTERNS: readonly [pattern: string, texts: readonly string[]][] = [
  ['^[a-z]{2,5}$', ['ab', 'abcde', 'zzz']],
  ['b+', ['b', 'abba', 'é"b\\']],
  ['^"|\\\\$', ['"', '"a', 'b\\', '\\']],
  ['^\\d{3}-\\d{4}$', ['123-4567']],
  ['^(?:foo|bar)*$', ['', 'foo', 'barfoo']],
  ['^[^a-z]+$', ['A', '\n', '"\\', '😀']],
  ['\\u00e9|x', ['é', 'x1']],
  ['^\\S+@\\S+$', ['a@b', '@@@']],
];
const FORMATS: Record<string, readonly string[]> = {
  'date-time': ['2024-02-29T23:59:59Z', '1999-12-31T00:00:00.123+05:30'],
  date: ['2000-02-29', '1900-02-28', '2023-04-30'],
  time: ['12:34:56Z', '00:00:00.5-01:00'],
  duration: ['P1Y2M3DT4H5M6S', 'P3W', 'PT0S'],
  email: ['a.b+c@example.com', 'x@y.org'],
  hostname: ['example.com', 'localhost', 'a-b.c'],
  ipv4: ['0.0.0.0', '255.249.199.99'],
  ipv6: ['::', '::1', '2001:db8::ff00:42:8329', '1:2:3:4:5:6:7:8', '1::'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', 'ABCDEF01-2345-6789-abcd-ef0123456789'],
};

/** A schema of the strict subset; `$ref`s refer to the root and to one definition. */
export function randomStrictSchema(random: Random): Schema {
  const schema = objectSchema(random, 3);
  let part = valueSchema(random, 1);
  while ('$ref' in part) part = valueSchema(random, 1);
  return { ...schema, $defs: { part } };
}

function objectSchema(random: Random, depth: number): Schema {
  const names = [...new Set(Array.from({ length: random.int(5) }, () => random.pick(NAMES)))];
  const properties = Object.fromEntries(names.map((name) => [name, valueSchema(random, depth - 1)]));
  return { type: 'object', properties, required: names, additionalProperties: false };
}

function valueSchema(random: Random, depth: number): Schema {
  const kind = random.int(depth > 0 ? 14 : 9);
  switch (kind) {
    case 0:
      return { type: 'string' };
    case 1:
      return { type: 'string', pattern: random.pick(PATTERNS)[0] };
    case 2:
      return { type: 'string', format: random.pick(Object.keys(FORMATS)) };
    case 3:
      return rangeSchema(random, 'integer');
    case 4:
      return rangeSchema(random, 'number');
    case 5:
      return { type: random.pick(['boolean', 'null', 'integer', 'number']) };
    case 6:
      return { type: [random.pick(['string', 'integer', 'boolean']), 'null'] };
    case 7:
      return { enum: [...new Set(Array.from({ length: 1 + random.int(4) }, () => randomConstant(random)))] };
    case 8:
      return { const: randomConstant(random) };
    case 9:
    case 10:
      return objectSchema(random, depth);
    case 11:
      return arraySchema(random, depth);
    case 12:
      return { anyOf: [valueSchema(random, depth - 1), valueSchema(random, depth - 1), { type: 'null' }] };
    default:
      return random.chance(0.5) ? { anyOf: [{ $ref: '#' }, { type: 'null' }] } : { $ref: '#/$defs/part' };
  }
}

function arraySchema(random: Random, depth: number): Schema {
  const schema: Schema = { type: 'array', items: valueSchema(random, depth - 1) };
  const min = random.int(3);
  if (random.chance(0.5)) schema['minItems'] = min;
  if (random.chance(0.5)) schema['maxItems'] = min + random.int(3);
  return schema;
}

function randomConstant(random: Random): string | number | boolean | null {
  return random.pick<string | number | boolean | null>([
    '',
    'x',
    'a"b',
    'é😀\n',
    0,
    -1,
    1.5,
    1e21,
    2e-7,
    true,
    false,
    null,
  ]);
}

function rangeSchema(random: Random, type: 'integer' | 'number'): Schema {
  const schema: Schema = { type };
  const unit = type === 'integer' ? 1 : random.pick([1, 0.5, 0.25, 0.001]);
  const low = (random.int(2000) - 1000) * unit;
  if (random.chance(0.6)) schema[random.pick(['minimum', 'exclusiveMinimum'])] = low;
  if (random.chance(0.6)) schema[random.pick(['maximum', 'exclusiveMaximum'])] = low + (2 + random.int(500)) * unit;
  if (random.chance(0.3)) schema['multipleOf'] = type === 'integer' ? 1 + random.int(2) : unit;
  return schema;
}

/** A valid value, or `undefined` if none was found within the depth. */
export function randomInstance(schema: Schema, root: Schema, random: Random, depth = 6): unknown {
  if (depth < 0) return undefined;
  const inner = (part: unknown, levels = depth - 1): unknown => randomInstance(part as Schema, root, random, levels);
  if (typeof schema['$ref'] === 'string')
    return inner(schema['$ref'] === '#' ? root : (root['$defs'] as Schema)['part']);
  if (Array.isArray(schema['anyOf']))
    return inner(depth < 3 ? schema['anyOf'].at(-1) : random.pick<unknown>(schema['anyOf']));
  if (Array.isArray(schema['enum'])) return random.pick<unknown>(schema['enum']);
  if ('const' in schema) return schema['const'];
  const type = Array.isArray(schema['type']) ? random.pick<unknown>(schema['type']) : schema['type'];
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.chance(0.5);
    case 'string':
      return stringInstance(schema, random);
    case 'integer':
    case 'number':
      return numberInstance(schema, type === 'integer', random);
    case 'array': {
      const min = (schema['minItems'] as number | undefined) ?? 0;
      const length =
        min + (depth < 3 ? 0 : random.int(((schema['maxItems'] as number | undefined) ?? min + 3) - min + 1));
      const items = Array.from({ length }, () => inner(schema['items']));
      return items.includes(undefined) ? undefined : items;
    }
    default: {
      const entries = Object.entries(schema['properties'] as Schema).map(
        ([name, part]) => [name, inner(part)] as const,
      );
      return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
    }
  }
}

function stringInstance(schema: Schema, random: Random): string {
  const { pattern, format } = schema;
  const texts = PATTERNS.find(([source]) => source === pattern)?.[1];
  if (texts) return random.pick(texts);
  if (typeof format === 'string') return random.pick(FORMATS[format] ?? ['']);
  const chars = ['a', '"', '\\', '\n', '\u0001', 'é', '😀', ' ', '/', '\u2028', '\u007f'];
  return Array.from({ length: random.int(6) }, () => random.pick(chars)).join('');
}

function numberInstance(schema: Schema, integer: boolean, random: Random): number | undefined {
  const bound = (keyword: string): number | undefined => schema[keyword] as number | undefined;
  const step = bound('multipleOf') ?? (integer ? 1 : 0.125);
  const low =
    bound('minimum') ?? bound('exclusiveMinimum') ?? (bound('maximum') ?? bound('exclusiveMaximum') ?? 5) - 10 * step;
  for (let i = 0; i < 20; i++) {
    // Rounded, because sums of doubles are rarely exact decimals.
    const value = Number(((Math.ceil(low / step) + random.int(12)) * step).toFixed(6));
    const fits =
      value >= (bound('minimum') ?? -Infinity) &&
      value > (bound('exclusiveMinimum') ?? -Infinity) &&
      value <= (bound('maximum') ?? Infinity) &&
      value < (bound('exclusiveMaximum') ?? Infinity);
    if (fits && !Object.is(value, -0)) return value;
  }
  return undefined;
}

/** JSON as the README describes it: an optional space after `:` and `,`. */
export function writeJson(value: unknown, random: Random): string {
  const space = (): string => (random.chance(0.5) ? ' ' : '');
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, random)).join(`,${space()}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${space()}${writeJson(item, random)}`,
  );
  return `{${members.join(`,${space()}`)}}`;
}
