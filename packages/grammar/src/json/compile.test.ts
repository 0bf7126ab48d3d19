import { describe, expect, it } from 'vitest';
import { closedObject as object } from '../../test/closed-object.ts';
import { GrammarError } from '../errors.ts';
import { compileJsonObject, compileJsonSchema } from './compile.ts';

const accepts = (schema: unknown, text: string): boolean =>
  compileJsonSchema(schema).start().advance(text)?.canEnd() ?? false;

describe('a JSON Schema', () => {
  it('does not read keywords from __proto__ or inherited properties', () => {
    const inherits: unknown = JSON.parse('{"allOf":[{"type":"string"},{"__proto__":{"enum":["a"]},"toString":1}]}');
    expect(accepts(inherits, '"b"')).toBe(true);
    expect('enum' in {}).toBe(false);
  });
  it('accepts exactly the values that match the schema, with properties in its order', () => {
    const start = compileJsonSchema(object({ name: { type: 'string' }, age: { type: 'integer', minimum: 3 } }), {
      strict: true,
    }).start();
    expect(start.forced()).toBe('{"name":');
    expect(start.advance('{"name": "x", "age": 3}')?.mustEnd()).toBe(true);
    expect(start.advance('{"name":"x","age":2,')).toBeUndefined();
    expect(start.advance('{"age"')).toBeUndefined();
    expect(start.advance('{ "name"')).toBeUndefined();
    expect(start.advance('{"name":  ')).toBeUndefined();
    expect(start.shortestCompletion()).toBe('{"name":"","age":3}');
  });

  it('accepts integers of up to 21 digits within its bounds, if asked to', () => {
    const long = (schema: object, text: string): boolean =>
      compileJsonSchema(schema, { longIntegers: true }).start().advance(text)?.canEnd() ?? false;
    const integers = ['9007199254740993', '-123456789012345678', '9'.repeat(21)];
    for (const schema of [{ type: 'integer' }, { type: 'number', minimum: -1e18 }])
      expect(integers.map((text) => [accepts(schema, text), long(schema, text)])).toEqual(
        integers.map(() => [false, true]),
      );
    expect(long({ type: 'integer', maximum: 2 ** 53 - 1 }, '9007199254740992')).toBe(false);
    expect(long({ type: 'number', minimum: 0 }, '0.5')).toBe(true);
    expect(long({ type: 'integer', multipleOf: 7 }, '9'.repeat(21))).toBe(false);
    expect(long({ type: 'integer', not: { multipleOf: 7 } }, '9'.repeat(21))).toBe(false);
  });

  it.each<[schema: unknown, accepted: string[], rejected: string[]]>([
    [
      true,
      ['1', '"a"', '[{"a":[null, true]}]', '{}'],
      ['', 'nul', '[1,]', '01', '-', '-0', '"\n"', '"\\x"', '"\\ud800"'],
    ],
    [{}, ['-1.5e300', '"\\ud83d\\ude00"', '1E-5'], ['1e400', 'NaN', '1.']],
    [{ type: 'string' }, ['""', '"é\\u00e9😀\\/"'], ['1', '"', '"\\u12"']],
    [{ type: 'string', pattern: 'b' }, ['"abc"', '"\\"b"'], ['"a"', '""']],
    [{ type: 'string', pattern: '^"\\\\\\n$' }, ['"\\"\\\\\\n"'], ['"\\u0022\\\\\\n"']],
    [{ type: 'string', pattern: '^\\s\\S$' }, ['"\ufeff\u0085"', '"\\ta"'], ['"\u0085\ufeff"', '"a "']],
    [{ type: 'string', pattern: '^(a|$)' }, ['"abc"', '""'], ['"b"']],
    [{ type: 'string', minLength: 1, maxLength: 2 }, ['"é"', '"😀\\n"'], ['""', '"abc"']],
    [{ type: 'string', minLength: 2 }, ['"ab"', '"abcdef"'], ['"a"']],
    [{ type: 'string', pattern: '^a+$', maxLength: 2 }, ['"a"', '"aa"'], ['"aaa"', '"b"']],
    [
      { type: 'string', format: 'date' },
      ['"2024-02-29"', '"2000-02-29"'],
      ['"2023-02-29"', '"1900-02-29"', '"2024-04-31"'],
    ],
    [{ type: 'string', format: 'time' }, ['"23:59:59Z"', '"00:00:00.5+05:30"'], ['"24:00:00Z"', '"12:00:00"']],
    [{ type: 'string', format: 'date-time' }, ['"2024-02-29T12:00:00Z"'], ['"2024-02-29"', '"2024-13-01T00:00:00Z"']],
    [{ type: 'string', format: 'duration' }, ['"P1Y2M3DT4H5M6S"', '"PT1S"', '"P2W"'], ['"P"', '"PT"', '"P1S"', '"1D"']],
    [{ type: 'string', format: 'email' }, ['"a.b+c@example.com"'], ['"a@"', '"@b.c"', '"a..b@c.de"', '"a b@c.de"']],
    [{ type: 'string', format: 'hostname' }, ['"a-b.example"'], ['"-a"', '"a-"', '"a..b"', '"a_b"']],
    [{ type: 'string', format: 'ipv4' }, ['"0.10.199.255"'], ['"256.0.0.0"', '"1.2.3"', '"01.2.3.4"']],
    [
      { type: 'string', format: 'ipv6' },
      ['"::"', '"::1"', '"1:2:3:4:5:6:7:8"', '"a::b:c"'],
      ['":"', '"1:2"', '"1::2::3"', '"g::"'],
    ],
    [
      { type: 'string', format: 'uuid' },
      ['"123e4567-e89b-12d3-a456-426614174000"'],
      ['"123e4567e89b12d3a456426614174000"'],
    ],
    [{ type: 'integer' }, ['0', '-7', '9007199254740991'], ['1.0', '-0', '01', '9007199254740992', '1e3']],
    [{ type: 'integer', minimum: -12, maximum: 105 }, ['-12', '-1', '0', '99', '105'], ['-13', '106', '1000', '-']],
    [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }, ['1', '9'], ['0', '10']],
    [{ type: 'integer', minimum: 0.5, maximum: 2.5 }, ['1', '2'], ['0', '3']],
    [{ type: 'integer', multipleOf: 7, minimum: 0 }, ['0', '7', '700'], ['1', '71']],
    [{ type: 'integer', multipleOf: 2.5 }, ['5', '-10'], ['2', '3']],
    [
      { type: 'number', minimum: 0.1, maximum: 1.25 },
      ['0.1', '1', '1.25', '0.10', '0.999'],
      ['0.09', '0', '1.26', '-0.5', '1.2501'],
    ],
    [{ type: 'number', exclusiveMinimum: 0.1 }, ['0.11', '0.100001', '5'], ['0.1', '0.10', '0.1000']],
    [{ type: 'number', exclusiveMaximum: 0 }, ['-0.001', '-5'], ['0', '-0', '-0.0', '1']],
    [{ type: 'number', multipleOf: 0.25, minimum: 0 }, ['0.25', '1.5', '3'], ['0.3', '0.251']],
    [{ type: 'number', maximum: 1e-7, minimum: -1e21 }, ['0.0000001', '0', '-100'], ['0.0000002']],
    [{ type: 'boolean' }, ['true', 'false'], ['null', 't']],
    [{ type: ['integer', 'null'] }, ['null', '5'], ['"5"']],
    [{ type: 'array', items: { type: 'integer' } }, ['[]', '[1]', '[1, 2,3]'], ['[1,]', '[ 1]', '[null]']],
    [
      { type: 'array', items: { type: 'null' }, minItems: 1, maxItems: 2 },
      ['[null]', '[null,null]'],
      ['[]', '[null,null,null]'],
    ],
    [{ type: 'array', items: { type: 'null' }, minItems: 2 }, ['[null,null]', '[null,null,null]'], ['[]', '[null]']],
    [{ type: 'array', items: { type: 'null' }, maxItems: 0 }, ['[]'], ['[null]']],
    [{ prefixItems: [{ type: 'integer' }, { type: 'string' }] }, ['[]', '[1]', '[1,"a"]'], ['["a"]', '[1,"a",2]']],
    [
      { prefixItems: [{ const: 1 }], items: { const: 2 }, minItems: 2 },
      ['[1,2]', '[1,2,2]'],
      ['[1]', '[2,2]', '[1,1]'],
    ],
    [
      { enum: ['a', 'a"b', 1, null, true, { a: [1] }] },
      ['"a"', '"a\\"b"', '1', 'null', 'true', '{"a":[1]}'],
      ['"b"', 'false'],
    ],
    [{ const: '\ud800' }, ['"\\ud800"'], ['""']],
    [{ enum: ['a', 1, 2.5], type: 'number', minimum: 2 }, ['2.5'], ['1', '"a"']],
    [{ enum: ['ab', 'b'], pattern: '^a' }, ['"ab"'], ['"b"']],
    [
      { anyOf: [object({ a: { type: 'null' } }), object({ b: { type: 'null' } })] },
      ['{"a":null}', '{"b":null}'],
      ['{}'],
    ],
    [{ type: 'object', anyOf: [object({ a: { const: 1 } })] }, ['{"a":1}'], ['1']],
    [
      { oneOf: [{ type: 'string' }, object({ k: { const: 1 } }), object({ k: { const: 2 } })] },
      ['""', '{"k":2}'],
      ['{"k":3}'],
    ],
    [
      { properties: { a: { const: 1 }, b: { const: 2 } } },
      ['{}', '{"a":1}', '{"b":2}', '{"a":1, "b":2}'],
      ['{"b":2,"a":1}', '{,"b":2}', '{"c":1}'],
    ],
    [
      { properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } }, required: ['b'] },
      ['{"b":2}', '{"a":1,"b":2,"c":3}'],
      ['{}', '{"a":1}'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      ['{}', '{"x": 1, "y":2}'],
      ['{"x":"a"}', '{"x":1,}'],
    ],
    [
      { properties: { a: { const: 1 } }, additionalProperties: { const: 2 } },
      ['{"a":1,"b":2}', '{"ab":2}'],
      ['{"a":2}', '{"b":2,"a":1}', '{"\\u0061":2}'],
    ],
    [
      { type: 'object', required: ['x'], additionalProperties: { const: 2 } },
      ['{"x":2}', '{"x":2,"y":2}'],
      ['{}', '{"y":2}'],
    ],
    [
      {
        type: 'object',
        additionalProperties: true,
        propertyNames: { pattern: '^a' },
        minProperties: 1,
        maxProperties: 2,
      },
      ['{"a":1}', '{"a":1,"ab":2}'],
      ['{}', '{"b":1}', '{"a":1,"b":1}'],
    ],
    [
      {
        allOf: [
          { type: ['integer', 'string'], minimum: 1 },
          { type: 'number', maximum: 3 },
        ],
      },
      ['1', '3'],
      ['0', '4', '""'],
    ],
    [
      {
        allOf: [
          object({ a: { minimum: 1 } }, { additionalProperties: true }),
          { properties: { a: { type: 'integer' } } },
        ],
      },
      ['{"a":1}'],
      ['{"a":0}', '{"a":1.5}'],
    ],
    [{ allOf: [{ enum: [1, 2] }, { enum: [2, 3] }] }, ['2'], ['1', '3']],
    [{ $ref: '#/$defs/a%20b~1c', $defs: { 'a b/c': { const: 1 } } }, ['1'], ['2']],
    [{ $ref: '#/definitions/n', minimum: 5, definitions: { n: { type: 'integer' } } }, ['5'], ['4']],
    [
      object({ v: { type: 'integer' }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }),
      ['{"v":1,"next":{"v":2,"next":null}}'],
      ['{"v":1}'],
    ],
    [{ type: 'string', 'x-unknown': 1, title: 'T', default: 5, examples: [] }, ['""'], ['1']],
  ])('accepts exactly the values that match %j', (schema, accepted, rejected) => {
    for (const text of accepted) expect([text, accepts(schema, text)]).toEqual([text, true]);
    for (const text of rejected) expect([text, accepts(schema, text)]).toEqual([text, false]);
  });

  it.each<[schema: unknown, accepted: string[], rejected: string[]]>([
    [{ type: 'string', not: { enum: ['a', 'b'] } }, ['""', '"ab"'], ['"a"', '"b"', '"\\u0061"']],
    [{ type: 'number', not: { const: 10 } }, ['1', '100', '10.5'], ['10', '10.0', '1e1', '1.0E+1']],
    [
      { type: 'number', not: { const: 1 } },
      [
        '0',
        '1.00000000000001',
        '-12345.6789',
        '0.000000123456789012345',
        '1.23456789012345e3',
        '1.5e300',
        `1${'0'.repeat(20)}`,
      ],
      [`1.${'0'.repeat(24)}1`, `0.${'9'.repeat(25)}`, '1.00000000000000001e0', '1', '1.0'],
    ],
    [{ type: 'number', not: { const: 1e20 } }, ['1e19'], ['1e20', `1${'0'.repeat(20)}`, `1${'0'.repeat(19)}1`]],
    [{ type: 'number', not: { const: 0 } }, ['0.1', '-0.1'], ['0', '0.0', `0.${'0'.repeat(25)}`]],
    [{ type: ['string', 'null', 'boolean'], not: { type: 'boolean' } }, ['null', '""'], ['true']],
    [{ type: 'string', not: { pattern: '^a' } }, ['"b"', '""'], ['"a"']],
    [{ type: 'integer', not: { multipleOf: 3 } }, ['1', '-2', '10'], ['0', '3', '-9']],
    [{ type: 'integer', not: { minimum: 5, maximum: 7 } }, ['4', '8'], ['5', '7']],
    [{ properties: { a: {}, b: {} }, not: { required: ['a', 'b'] } }, ['{}', '{"a":1}', '{"b":1}'], ['{"a":1,"b":1}']],
    [
      { properties: { k: { enum: [1, 2] }, a: {} }, not: { properties: { k: { const: 1 } }, required: ['k'] } },
      ['{}', '{"k":2}', '{"a":1}'],
      ['{"k":1}', '{"k":1,"a":1}'],
    ],
    [{ not: { not: { const: { a: [1] } } } }, ['{"a":[1]}'], ['{"a":[2]}', '{}', '1']],
    [{ type: 'array', items: { type: 'integer' }, not: { items: { minimum: 0 } } }, ['[-1]', '[1, -1]'], ['[]', '[1]']],
    [
      {
        type: 'object',
        patternProperties: { '^s': { type: 'string' }, '^i': { type: 'integer' } },
        additionalProperties: false,
      },
      ['{}', '{"s":"", "i1":2}'],
      ['{"s":1}', '{"i":""}', '{"x":1}'],
    ],
    [
      {
        properties: { sa: { minLength: 1 } },
        patternProperties: { '^s': { type: 'string' } },
        additionalProperties: { const: 1 },
      },
      ['{"sa":"x","sb":"","c":1}'],
      ['{"sa":""}', '{"sb":1}', '{"c":2}'],
    ],
    [
      { type: 'object', patternProperties: { a: { minimum: 1 }, b: { type: 'integer' } }, additionalProperties: false },
      ['{"ab":1}', '{"a":1.5}', '{"b":-1}'],
      ['{"ab":0}', '{"ab":1.5}'],
    ],
    [
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: true },
      ['{"a":1}', '{}'],
      ['{"c":1}'],
    ],
    [
      { properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } }, minProperties: 2 },
      ['{"a":1,"c":3}', '{"a":1,"b":2,"c":3}', '{"b":2,"c":3}'],
      ['{}', '{"b":2}'],
    ],
    [{ properties: { a: {}, b: {}, c: {} }, maxProperties: 1 }, ['{}', '{"b":1}'], ['{"a":1,"b":1}']],
    [
      { properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } },
      ['{}', '{"b":1}', '{"a":1,"b":1}'],
      ['{"a":1}'],
    ],
    [
      { properties: { a: {}, b: {} }, dependencies: { a: { properties: { b: { const: 2 } }, required: ['b'] } } },
      ['{}', '{"b":1}', '{"a":1,"b":2}'],
      ['{"a":1}', '{"a":1,"b":1}'],
    ],
    [
      {
        type: ['object', 'null'],
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        dependentRequired: { a: ['b'] },
      },
      ['null', '{}', '{"b":""}', '{"a":"","b":""}'],
      ['1', '{"a":""}'],
    ],
    [{ type: ['object', 'integer'], dependentSchemas: { a: { required: ['b'] } } }, ['1', '{}'], ['""', '1.5']],
    [
      { type: ['object', 'string'], properties: { a: {}, b: {} }, dependencies: { a: ['b'], b: { required: ['a'] } } },
      ['""', '{}', '{"a":1,"b":1}'],
      ['null', '{"a":1}', '{"b":1}'],
    ],
    [{ properties: { a: {} }, dependentRequired: { a: ['b'] } }, ['{}'], ['1', 'null', '{"a":1}']],
    [
      {
        properties: { k: { enum: ['x', 'y'] }, v: { type: ['integer', 'string'] } },
        required: ['k', 'v'],
        if: { properties: { k: { const: 'x' } } },
        then: { properties: { v: { type: 'integer' } } },
        else: { properties: { v: { type: 'string' } } },
      },
      ['{"k":"x","v":1}', '{"k":"y","v":""}'],
      ['{"k":"x","v":""}', '{"k":"y","v":1}'],
    ],
    [
      { properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      ['{"a":1}', '{"b":1}'],
      ['{}', '{"a":1,"b":1}'],
    ],
    [{ oneOf: [{ type: 'string' }, { pattern: 'a' }] }, ['"b"', '1'], ['"a"']],
    [
      {
        oneOf: [
          { type: 'integer', minimum: 2 },
          { type: 'integer', maximum: 4 },
        ],
      },
      ['1', '5'],
      ['2', '4'],
    ],
    [{ allOf: [{ anyOf: [{ const: 1 }, { const: 2 }] }, { anyOf: [{ const: 2 }, { const: 3 }] }] }, ['2'], ['1', '3']],
    [{ allOf: [{ pattern: 'a' }, { pattern: 'b' }] }, ['"ab"', '"ba"'], ['"a"', '"b"']],
    [{ type: 'array', contains: { const: 1 }, items: { enum: [1, 2] } }, ['[1]', '[2,1,2]'], ['[]', '[2]']],
    [
      { type: 'array', contains: { const: 1 }, items: { enum: [1, 2] }, minContains: 2, maxContains: 2, maxItems: 3 },
      ['[1,1]', '[1,2,1]'],
      ['[1]', '[1,1,1]', '[1,1,2,2]'],
    ],
    [
      { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 1, maxItems: 2 },
      ['["b"]', '["c","a"]'],
      ['[]', '["a","a"]', '["a","b","c"]'],
    ],
    [
      { type: 'array', uniqueItems: true, items: { type: ['boolean', 'null'], not: { const: true } } },
      ['[]', '[false,null]', '[null]'],
      ['[true]', '[false,true]', '[null,null]'],
    ],
    [
      { type: 'array', uniqueItems: true, items: { anyOf: [{ type: 'null', not: { const: null } }, { const: 1 }] } },
      ['[]', '[1]'],
      ['[null]', '[1,1]'],
    ],
    [
      { type: 'array', uniqueItems: true, items: { enum: [{ a: 1 }, { b: 1 }, 1] } },
      ['[{"a":1},{"b":1}]', '[1]'],
      ['[{"a":1},{"a":1}]'],
    ],
    [
      { type: 'array', uniqueItems: true, items: { enum: [{ a: 1 }, [1]], minItems: 1, type: 'object' } },
      ['[{"a":1}]'],
      ['[[1]]'],
    ],
    [{ items: [{ const: 1 }], additionalItems: { const: 2 } }, ['[]', '[1]', '[1,2,2]'], ['[2]', '[1,1]']],
    [{ items: [{ const: 1 }], additionalItems: false }, ['[]', '[1]'], ['[1,1]']],
    [{ type: 'integer', minimum: 1, exclusiveMinimum: true }, ['2'], ['1']],
    [{ type: 'string', format: 'uri' }, ['"https://a.b/c?d=e#f"', '"urn:a:b"'], ['"a"', '"http://a b"', '"//a"']],
    [{ type: 'string', format: 'uri-reference' }, ['"a/b"', '"//a"', '"#x"', '""'], ['"a b"', '"%zz"']],
    [{ type: 'string', format: 'json-pointer' }, ['""', '"/a~1b/0"'], ['"a"', '"/~2"']],
    [{ type: 'string', format: 'relative-json-pointer' }, ['"0#"', '"12/a"'], ['"/a"', '"01"']],
    [{ type: 'string', format: 'byte' }, ['""', '"YWI="', '"YQ=="'], ['"YWI"', '"Y==="']],
    [{ type: 'string', format: 'regex' }, ['"^[a-z]+$"', '"(a|b){3}\\\\d"'], ['"("', '"["', '"*"']],
    [{ type: 'string', format: 'x-unknown' }, ['"anything"'], ['1']],
    [
      { enum: [{ a: 1, b: 1 }, { a: 2 }], properties: { a: { const: 1 } }, required: ['b'] },
      ['{"a":1,"b":1}'],
      ['{"a":2}'],
    ],
    [{ $ref: '#here', $defs: { x: { $anchor: 'here', const: 1 } } }, ['1'], ['2']],
    [{ $id: 'http://x/y', $ref: 'http://x/y#/$defs/n', $defs: { n: { const: 1 } } }, ['1'], ['2']],
  ])('accepts exactly the values that match the combined keywords of %j', (schema, accepted, rejected) => {
    for (const text of accepted) expect([text, accepts(schema, text)]).toEqual([text, true]);
    for (const text of rejected) expect([text, accepts(schema, text)]).toEqual([text, false]);
  });

  it('allows what the schema does not mention with unspecified: allow', () => {
    const schema = { properties: { a: { const: 1 } }, prefixItems: [{ const: 1 }], minimum: 3 };
    const start = compileJsonSchema(schema, { unspecified: 'allow' }).start();
    for (const text of ['{"a":1, "b":2}', '[1, 2]', '4', '"x"', 'null'])
      expect(start.advance(text)?.canEnd()).toBe(true);
    for (const text of ['{"a":2}', '[2]', '2']) expect(start.advance(text)?.canEnd() ?? false).toBe(false);
    expect(accepts(schema, '{"a":1, "b":2}')).toBe(false);
  });

  it.each<[schema: unknown, accepted: string[], rejected: string[]]>([
    [{ not: { type: ['object', 'boolean'], enum: [true, false] } }, ['1', 'null'], ['', 'true', 'false']],
    [
      {
        not: {
          anyOf: [{ type: ['object', 'boolean'], anyOf: [{ const: true }, { const: null }, { const: false }] }],
        },
      },
      ['1', 'null'],
      ['', 'true', 'false'],
    ],
    [{ propertyNames: { enum: [1, null] } }, ['{}', '1'], ['{"":1}', '{1:1}', '{"a":1}']],
    [
      {
        oneOf: [
          { properties: { x: { const: 1.5 } } },
          { properties: { b: { const: false }, x: { const: 'a' } }, required: ['x'] },
        ],
      },
      ['{"x": 1.5}', '{}'],
      ['null', '[]', '1', '"x"'],
    ],
    [
      {
        patternProperties: {
          x: {
            oneOf: [
              { propertyNames: { pattern: 'a' }, properties: { x: { const: 1.5 } } },
              {
                properties: { b: { const: false }, x: { const: 'a' } },
                prefixItems: [{ const: false }, { const: {} }, { const: 1 }],
                required: ['x'],
              },
            ],
            not: { type: 'number', required: ['x', 'ab'] },
          },
        },
      },
      ['{}', '{"x": {"x": "a"}}'],
      ['{"x": null}', '{"x": "a"}', '{"x": 1}'],
    ],
  ])('accepts no invalid value with unspecified: allow: %j', (schema, accepted, rejected) => {
    const start = compileJsonSchema(schema, { unspecified: 'allow' }).start();
    for (const text of accepted) expect([text, start.advance(text)?.canEnd() ?? false]).toEqual([text, true]);
    for (const text of rejected) expect([text, start.advance(text)?.canEnd() ?? false]).toEqual([text, false]);
  });

  it.each<Record<string, unknown>>([
    { dependentRequired: { a: ['b'] } },
    { dependencies: { a: ['b'] } },
    { dependentSchemas: { a: { required: ['b'] } } },
  ])('allows values other than objects with unspecified: allow: %j', (schema) => {
    const start = compileJsonSchema(schema, { unspecified: 'allow' }).start();
    for (const text of ['1', '1.5', 'null', '"x"', '[{"a":1}]', '{}', '{"a":1, "b":2}'])
      expect([text, start.advance(text)?.canEnd() ?? false]).toEqual([text, true]);
    expect(start.advance('{"a":1}')?.canEnd() ?? false).toBe(false);
  });

  it('allows whitespace between all JSON tokens with whitespace: any', () => {
    const schema = object({ a: { type: 'array', items: { type: 'integer' } } });
    const start = compileJsonSchema(schema, { whitespace: 'any' }).start();
    for (const text of ['{"a":[1,2]}', ' {\n  "a" :\t[ 1 , 2\r\n] } ', '{"a":[ ]}']) {
      expect([text, start.advance(text)?.canEnd()]).toEqual([text, true]);
    }
    expect(start.advance('{"a":[1 2')).toBeUndefined();
    expect(start.advance('{" a')).toBeUndefined();
  });

  it.each(['uri', 'regex', 'x-unknown'])('rejects the format %s in strict mode', (format) => {
    const schema = object({ a: { type: 'string', format } });
    expect(() => compileJsonSchema(schema, { strict: true })).toThrow(
      expect.objectContaining({ code: 'unsupported', path: '#/properties/a/format' }),
    );
  });

  it.each<[schema: unknown, path: string, code: string]>([
    [{ not: {} }, '#', 'empty'],
    [{ not: { format: 'date' } }, '#/not/format', 'unsupported'],
    [{ unevaluatedProperties: false }, '#/unevaluatedProperties', 'unsupported'],
    [{ patternProperties: { '(?=a)': {} } }, '#/patternProperties/(?=a)', 'unsupported'],
    [{ type: 'array', prefixItems: [{}], contains: {} }, '#/contains', 'unsupported'],
    [{ type: 'array', uniqueItems: true }, '#/uniqueItems', 'unsupported'],
    [
      { type: 'array', uniqueItems: true, items: { enum: [{ a: 1 }, { b: 1 }], required: ['a'] } },
      '#/uniqueItems',
      'unsupported',
    ],
    [{ oneOf: [{ format: 'date' }, { format: 'time' }] }, '#/oneOf/1/format', 'unsupported'],
    [
      { anyOf: Array.from({ length: 4 }, () => ({ type: 'array', uniqueItems: true })), minItems: 2 },
      '#/anyOf/0/uniqueItems',
      'unsupported',
    ],
    [{ $ref: 'http://x/y' }, '#/$ref', 'unsupported'],
    [{ $ref: '#/$defs/none' }, '#/$ref', 'syntax'],
    [{ $ref: '#' }, '#', 'empty'],
    [{ $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, {}] } }, $ref: '#/$defs/a' }, '#/$defs/a', 'empty'],
    [{ type: 'strin' }, '#/type', 'syntax'],
    [{ properties: { 'a/b': { type: 'string', pattern: '(' } } }, '#/properties/a~1b/pattern', 'syntax'],
    [{ type: 'string', pattern: '(?=a)' }, '#/pattern', 'unsupported'],
    [{ type: 'string', pattern: '^a$', minLength: 2 }, '#', 'empty'],
    [{ type: 'string', minLength: 3, maxLength: 2 }, '#', 'empty'],
    [{ type: 'string', minLength: 1_000_001 }, '#/minLength', 'limit'],
    [{ type: 'string', pattern: 'a', maxLength: 5001 }, '#/maxLength', 'limit'],
    [{ propertyNames: { maxLength: 5001 } }, '#/propertyNames/maxLength', 'limit'],
    [{ type: 'integer', minimum: 5, maximum: 4 }, '#', 'empty'],
    [{ type: 'integer', minimum: '5' }, '#/minimum', 'syntax'],
    [{ type: 'integer', exclusiveMinimum: true }, '#/exclusiveMinimum', 'syntax'],
    [{ type: 'number', multipleOf: 0 }, '#', 'syntax'],
    [{ type: 'number', minimum: 1e300 }, '#', 'empty'],
    [{ type: 'array', minItems: 2, maxItems: 1 }, '#/minItems', 'empty'],
    [{ type: 'array', maxItems: -1 }, '#/maxItems', 'syntax'],
    [{ type: 'array', maxItems: 1e9 }, '#/maxItems', 'limit'],
    [{ enum: [] }, '#/enum', 'empty'],
    [{ enum: ['a'], type: 'integer' }, '#/enum', 'empty'],
    [{ anyOf: [] }, '#/anyOf', 'syntax'],
    [{ allOf: [{ type: 'string' }, { type: 'null' }] }, '#', 'empty'],
    [{ properties: {}, required: ['a'], additionalProperties: false }, '#/required', 'empty'],
    [{ type: 'object', minProperties: 2 }, '#/minProperties', 'unsupported'],
    [{ properties: { a: false }, required: ['a'] }, '#/properties/a', 'empty'],
    [false, '#', 'empty'],
    [5, '#', 'syntax'],
  ])('rejects %j with the path %s', (schema, path, code) => {
    expect(() => compileJsonSchema(schema)).toThrow(expect.objectContaining({ name: 'GrammarError', path, code }));
  });

  it('rejects a value that is not JSON', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => compileJsonSchema(circle)).toThrow(GrammarError);
  });
});

describe('JSON mode', () => {
  it('accepts exactly the texts of JSON objects', () => {
    const start = compileJsonObject().start();
    expect(start.forced()).toBe('{');
    expect(start.advance('{"a": [1, {"b":"c"}], "d":null}')?.mustEnd()).toBe(true);
    expect(start.advance('[')).toBeUndefined();
    expect(start.advance('{"a":[{"b":"c')?.shortestCompletion()).toBe('"}]}');
  });
});
