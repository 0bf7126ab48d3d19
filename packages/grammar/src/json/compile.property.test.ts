import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJudge } from '../../test/judge.ts';
import { createRandom, randomText } from '../../test/random.ts';
import { randomLooseSchema } from '../../test/random-loose-schema.ts';
import { randomInstance, randomStrictSchema, writeJson } from '../../test/random-schema.ts';
import { GrammarError } from '../errors.ts';
import { compileJsonSchema } from './compile.ts';

const ajv = createJudge();

it('generates only values that another validator accepts, and accepts every valid value in the documented style', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const random = createRandom(seed);
      const schema = randomStrictSchema(random);
      let grammar;
      try {
        grammar = compileJsonSchema(schema, { strict: true, maxMs: Infinity });
      } catch (error) {
        // Definitions may be unused or circular.
        expect(error).toMatchObject({ code: 'empty', constructor: GrammarError });
        return;
      }
      const validate = ajv.compile(schema);
      for (let i = 0; i < 3; i++) {
        const text = randomText(grammar.start(), random, 150);
        const value: unknown = JSON.parse(text);
        expect(validate(value), `${text} of ${JSON.stringify(schema)}: ${ajv.errorsText(validate.errors)}`).toBe(true);
      }
      for (let i = 0; i < 3; i++) {
        const value = randomInstance(schema, schema, random);
        if (value === undefined || !validate(value)) continue;
        const text = writeJson(value, random);
        expect(grammar.start().advance(text)?.canEnd(), `${text} of ${JSON.stringify(schema)}`).toBe(true);
      }
    }),
    { numRuns: 120 },
  );
});

/** Values that many random schemas distinguish, as JSON. */
const TEXTS = [
  ...['""', '"a"', '"ab"', '"2024-01-01"', '0', '1', '2', '1.5', '-3', 'true', 'null', '[]', '[1]', '[1, 2]', '[1, 1]'],
  ...['["a", 1]', '{}', '{"a": 1}', '{"a": ""}', '{"b": 1}', '{"x": null}', '{"a": 1, "b": 2}', '{"a": {"a": 1}}'],
  ...['{"ab": true}', '{"a": 1, "ab": 2, "x": 3}', '{"q": 1}', '[{"a": 1}]'],
];

it.each(['allow', 'reject'] as const)(
  'accepts no value of combined keywords that another validator rejects, unspecified: %s',
  (unspecified) => {
    // Without tracking of evaluated properties, which fails on some of these schemas.
    const judge = createJudge({ unevaluated: false });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const random = createRandom(seed);
        const schema = randomLooseSchema(random);
        let grammar;
        try {
          grammar = compileJsonSchema(schema, { unspecified, maxMs: Infinity });
        } catch (error) {
          expect(error).toBeInstanceOf(GrammarError);
          return;
        }
        const validate = judge.compile(schema);
        const generated = Array.from({ length: 3 }, () => randomText(grammar.start(), random, 100));
        const accepted = TEXTS.filter((text) => grammar.start().advance(text)?.canEnd() === true);
        for (const text of [...generated, ...accepted]) {
          expect(validate(JSON.parse(text)), `${text} of ${JSON.stringify(schema)}`).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  },
);
