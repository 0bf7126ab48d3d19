import { describe, expect, it } from 'vitest';
import { createValidator } from '../../test/reference-validator.ts';
import { compileJsonSchema } from './compile.ts';

const validator = createValidator({ unevaluated: false });

/** All objects whose properties `a`, `b` and `c` are absent, a number or a string. */
const objects = [undefined, 1, 'x'].flatMap((a) =>
  [undefined, 1, 'x'].flatMap((b) => [undefined, 1, 'x'].map((c) => JSON.stringify({ a, b, c }))),
);

const closed = (...names: string[]): Record<string, unknown> => ({
  ...{ type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), additionalProperties: false },
});

function acceptedObjects(schema: unknown, unspecified: 'allow' | 'reject' = 'allow'): string[] {
  const grammar = compileJsonSchema(schema, { unspecified, propertyOrder: 'any' });
  return objects.filter((text) => grammar.start().advance(text)?.canEnd() === true);
}

function validObjects(schema: Record<string, unknown>): string[] {
  const validate = validator.compile(schema);
  return objects.filter((text) => validate(JSON.parse(text)));
}

describe('a oneOf of closed object schemas', () => {
  it.each([
    ['different names', [closed('a'), closed('b'), closed('c')]],
    ['names that are a subset of others', [closed('a', 'b'), { ...closed('a', 'b', 'c'), required: ['a', 'b', 'c'] }]],
    [
      'required names',
      [
        { ...closed('a', 'b'), required: ['a', 'b'] },
        { ...closed('a', 'b', 'c'), required: ['a'] },
      ],
    ],
    [
      'patterns',
      [
        { ...closed('a', 'b'), required: ['a', 'b'] },
        { ...closed(), patternProperties: { '[ac]': {} } },
      ],
    ],
  ])('accepts exactly the objects that match one of them: %s', (_, oneOf) => {
    const schema = { oneOf };
    expect(acceptedObjects(schema)).toEqual(validObjects(schema));
  });

  it.each([
    [{ oneOf: [closed('a', 'b'), { ...closed('a'), additionalProperties: { type: 'string' } }] }],
    [{ not: closed('a') }],
    [{ not: { ...closed('a'), patternProperties: { b: { type: 'string' } } } }],
    [{ type: 'object', patternProperties: { '[ab]': { type: 'number' } }, not: closed('a', 'b') }],
    [{ oneOf: [closed('a'), { type: 'object', properties: { b: { type: 'number' } } }] }],
    [{ oneOf: [closed('a'), { ...closed('b'), additionalProperties: { type: 'number' } }] }],
  ])('accepts no invalid object where additional names are allowed: %j', (schema) => {
    const found = acceptedObjects(schema);
    expect(found.length).toBeGreaterThan(0);
    expect(validObjects(schema)).toEqual(expect.arrayContaining(found));
  });
});

describe('objects that must have a name that a negated closed schema does not declare', () => {
  const number = { type: 'object', properties: { a: { type: 'number' } } };
  const b = { type: 'object', properties: { b: { type: 'string' } } };

  it.each([
    [{ ...b, allOf: [{ not: closed('a') }, { not: { not: number, additionalProperties: false } }] }],
    [{ ...b, allOf: [{ not: closed('a') }, { not: { if: number, then: false, additionalProperties: false } }] }],
    [
      {
        ...b,
        allOf: [
          { not: closed('a') },
          { not: closed('c') },
          { not: { not: { ...number, not: { required: ['b'] } }, additionalProperties: false } },
        ],
      },
    ],
  ])('are accepted if another schema declares the name: %j', (schema) => {
    const found = acceptedObjects(schema, 'reject');
    expect(found).toContain('{"b":"x"}');
    expect(validObjects(schema)).toEqual(expect.arrayContaining(found));
  });
});

describe("keywords next to '$ref'", () => {
  const schema = { $ref: '#/definitions/text', type: 'integer', definitions: { text: { type: 'string' } } };
  const start = ($schema: string) => compileJsonSchema({ $schema, ...schema }, { unspecified: 'allow' }).start();

  it.each(['04', '06', '07'])('have no effect in a schema of draft-%s', (draft) => {
    expect(start(`http://json-schema.org/draft-${draft}/schema#`).advance('"a"')?.canEnd()).toBe(true);
  });

  const a = { $ref: '#/definitions/n' };
  const withField = (field: unknown) => ({ type: 'object', properties: { a: field }, required: ['a'] });
  const definitions = { n: { type: 'number' } };

  it.each([
    [{ type: ['number', 'string'], oneOf: [{ ...a, type: 'string' }, { type: 'number' }] }, '1'],
    [{ ...withField({ ...a, type: 'string' }), not: { properties: { a: { type: 'number' } } } }, '{"a":1}'],
    [{ oneOf: [withField({ ...a, const: 1 }), withField({ const: 2 })] }, '{"a":2}'],
  ])('do not make schemas disjoint: %j', (keywords, text) => {
    const anyOf = [keywords, { const: 'x' }];
    const schemaOfDraft = { $schema: 'http://json-schema.org/draft-07/schema#', anyOf, definitions };
    const grammar = compileJsonSchema(schemaOfDraft, { unspecified: 'allow' });
    expect([text, '"x"'].filter((each) => grammar.start().advance(each)?.canEnd())).toEqual(['"x"']);
  });

  it.each(['allow', 'reject'] as const)(
    'do not restrict what a negation excludes with unspecified: %s',
    (unspecified) => {
      const $schema = 'http://json-schema.org/draft-07/schema#';
      const not = { $ref: '#/definitions/n', type: 'string' };
      const grammar = compileJsonSchema({ $schema, type: ['number', 'boolean'], not, definitions }, { unspecified });
      expect(['1', 'true'].filter((each) => grammar.start().advance(each)?.canEnd())).toEqual(['true']);
    },
  );

  it('have an effect in a schema of a later draft', () => {
    expect(() => start('https://json-schema.org/draft/2020-12/schema')).toThrow('no value matches');
  });
});

describe('constants with unspecified: allow', () => {
  it('are written with an optional space after colons and commas', () => {
    const grammar = compileJsonSchema({ enum: [{ a: [1, 2] }] }, { unspecified: 'allow' });
    for (const text of ['{"a": [1, 2]}', '{"a":[1,2]}']) expect(grammar.start().advance(text)?.canEnd()).toBe(true);
  });

  it('can be written with a decimal point if they are integers and the type is not integer', () => {
    const accepts = (schema: unknown, text: string): boolean =>
      compileJsonSchema(schema, { unspecified: 'allow' }).start().advance(text)?.canEnd() ?? false;
    expect(accepts({ enum: [1, 2.5] }, '1.0')).toBe(true);
    expect(accepts({ enum: [1, 2.5], type: 'integer' }, '1.0')).toBe(false);
    expect(accepts({ enum: [1, 2], not: { const: 1 } }, '1.0')).toBe(false);
    expect(accepts({ type: 'array', items: { enum: [1] }, uniqueItems: true }, '[1,1.0]')).toBe(false);
  });

  it('are not affected by alternatives that no value matches', () => {
    const grammar = compileJsonSchema({ anyOf: [{ const: 1 }, { not: {} }] }, { unspecified: 'allow' });
    expect(grammar.start().forced()).toBe('1');
  });
});

describe('unique items', () => {
  it('can be any of 200 constants, each once', () => {
    const values = Array.from({ length: 200 }, (_, index) => index);
    const schema = { type: 'array', items: { enum: values }, uniqueItems: true, minItems: 2 };
    const start = compileJsonSchema(schema).start();
    for (const text of [JSON.stringify(values), '[20, 2]', '[2,20]', '[199,1,19]']) {
      expect([text, start.advance(text)?.canEnd()]).toEqual([text, true]);
    }
    for (const text of ['[]', '[2]', '[2,2]', '[19,1,19]', '[200,1]']) {
      expect([text, start.advance(text)?.canEnd() ?? false]).toEqual([text, false]);
    }
  });

  it('cannot be equal objects with properties in a different order', () => {
    const values = [{ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 }, [1]];
    const schema = { type: 'array', items: { enum: values }, uniqueItems: true };
    const start = compileJsonSchema(schema).start();
    expect(start.advance(JSON.stringify([values[0], [1]]))?.canEnd()).toBe(true);
    expect(start.advance(JSON.stringify(values.slice(0, 2)))).toBeUndefined();
  });

  it('can have whitespace around their commas with whitespace: any', () => {
    const schema = { type: 'array', items: { enum: [1, 2] }, uniqueItems: true };
    const start = compileJsonSchema(schema, { whitespace: 'any' }).start();
    expect(start.advance('[ 2 ,\n1 ]')?.canEnd()).toBe(true);
    expect(start.advance('[1 , 1')).toBeUndefined();
  });
});

describe('formats', () => {
  it('have no effect with unspecified: allow if JSON Schema does not define them', () => {
    const schema = { type: 'string', format: 'byte' };
    expect(compileJsonSchema(schema).start().advance('"a b"')).toBeUndefined();
    expect(compileJsonSchema(schema, { unspecified: 'allow' }).start().advance('"a b"')?.canEnd()).toBe(true);
  });

  it.each([
    [
      'email',
      ['a.b.c@d.ef', 'a@b.cd', `${'a.'.repeat(31)}a@b.cd`],
      ['a..b@c.de', '.a@b.cd', `${'a.'.repeat(40)}a@b.cd`],
    ],
    ['regex', ['[a-z]{3,16}', 'a{9,10}b{2,}', '\\bx', '["\'(]'], ['a{3,2}', 'a{20,19}', 'a{10,9}', '\\b*', '[']],
    ['uri-template', ['/a{?b,c*}', 'http://x/{+y:3}', ''], ['/{', '/{a', '{}', '%x', '}']],
  ])('are enforced: %s', (format, accepted, rejected) => {
    const start = compileJsonSchema({ type: 'string', format }).start();
    const accepts = (text: string): boolean => start.advance(JSON.stringify(text))?.canEnd() ?? false;
    expect([...accepted, ...rejected].filter(accepts)).toEqual(accepted);
  });
});
