import fc from 'fast-check';

type Schema = Record<string, unknown>;

const names = ['city', 'name', 'age', 'email', 'answer', 'is_open', 'from', 'a"b', 'x y', 'é', 'constructor', ''];
const patterns = ['^[a-z]{2,5}$', 'b+', '^"|\\\\$', '^\\d{3}-\\d{4}$', '^[^a-z]+$', '^\\S+@\\S+$'];
const formats = ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const constants = ['', 'x', 'a"b', 'é😀\n', 0, -1, 1.5, 1e21, 2e-7, true, false, null];

const bounded = (type: 'integer' | 'number'): fc.Arbitrary<Schema> =>
  fc
    .record({
      low: fc.option(fc.integer({ min: -1000, max: 1000 }), { nil: undefined }),
      width: fc.option(fc.integer({ min: 2, max: 500 }), { nil: undefined }),
      exclusive: fc.boolean(),
      step: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
    })
    .map(({ low, width, exclusive, step }) => ({
      type,
      ...(low !== undefined && { [exclusive ? 'exclusiveMinimum' : 'minimum']: low }),
      ...(width !== undefined && { [exclusive ? 'exclusiveMaximum' : 'maximum']: (low ?? 0) + width + 4 }),
      ...(step !== undefined && { multipleOf: step }),
    }));

const leaf = fc.oneof(
  fc.constant<Schema>({ type: 'string' }),
  fc.constantFrom(...patterns).map((pattern): Schema => ({ type: 'string', pattern })),
  fc.constantFrom(...formats).map((format): Schema => ({ type: 'string', format })),
  bounded('integer'),
  bounded('number'),
  fc.constantFrom('boolean', 'null', 'integer', 'number').map((type): Schema => ({ type })),
  fc.constantFrom('string', 'integer', 'boolean').map((type): Schema => ({ type: [type, 'null'] })),
  fc.uniqueArray(fc.constantFrom(...constants), { minLength: 1, maxLength: 4 }).map((all): Schema => ({ enum: all })),
  fc.constantFrom(...constants).map((one): Schema => ({ const: one })),
  fc.constant<Schema>({ anyOf: [{ $ref: '#' }, { type: 'null' }] }),
);

/** Schemas of the strict subset. The root is an object, to which nested schemas can refer. */
export const strictSchemas: fc.Arbitrary<Schema> = fc.letrec<{ object: Schema; value: Schema }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 5, selector: ([name]) => name })
    .map((members) => ({
      type: 'object',
      properties: Object.fromEntries(members),
      required: members.map(([name]) => name),
      additionalProperties: false,
    })),
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie('object'),
    fc
      .record({ items: tie('value'), least: fc.nat(2), more: fc.option(fc.nat(2), { nil: undefined }) })
      .map(({ items, least, more }) => ({
        type: 'array',
        items,
        minItems: least,
        ...(more !== undefined && { maxItems: least + more }),
      })),
    fc
      .array(tie('value'), { minLength: 1, maxLength: 3 })
      .map((options) => ({ anyOf: [...options, { type: 'null' }] })),
  ),
})).object;
