import { expect, it } from 'vitest';
import { createValidator } from '../../test/reference-validator.ts';
import { forRandomSeeds } from '../../test/for-random-seeds.ts';
import { randomText } from '../../test/random.ts';
import { randomLooseSchema, VALUE_TEXTS } from '../../test/random-loose-schema.ts';
import { randomInstance, randomStrictSchema, writeJson } from '../../test/random-schema.ts';
import { GrammarError } from '../errors.ts';
import { compileJsonSchema } from './compile.ts';

const ajv = createValidator();

it('generates only values that a reference validator accepts, and accepts every valid value in the documented form', () => {
  forRandomSeeds({ numRuns: 120 }, (random) => {
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
  });
});

// The seed is fixed, so that each run tests the same schemas; test/soak.ts tests those of other seeds.
it.each([
  ['allow', 'schema'],
  ['allow', 'any'],
  ['reject', 'schema'],
  ['reject', 'any'],
] as const)(
  'accepts no value that a reference validator rejects, unspecified: %s, propertyOrder: %s',
  (unspecified, propertyOrder) => {
    // Ajv fails on some of these schemas while it tracks evaluated properties.
    const validator = createValidator({ unevaluated: false });
    forRandomSeeds({ numRuns: 100, seed: 1 }, (random) => {
      const schema = randomLooseSchema(random);
      let grammar;
      try {
        grammar = compileJsonSchema(schema, { unspecified, propertyOrder, maxMs: Infinity });
      } catch (error) {
        expect(error).toBeInstanceOf(GrammarError);
        return;
      }
      const validate = validator.compile(schema);
      const generated = Array.from({ length: 3 }, () => randomText(grammar.start(), random, 100));
      const accepted = VALUE_TEXTS.filter((text) => grammar.start().advance(text)?.canEnd() === true);
      for (const text of [...generated, ...accepted]) {
        expect(validate(JSON.parse(text)), `${text} of ${JSON.stringify(schema)}`).toBe(true);
      }
    });
  },
);
