import { describe, expect, it } from 'vitest';
import { GrammarError } from '../errors.ts';
import type { Limits } from '../budget.ts';
import { compileJsonSchema } from './compile.ts';

function schemaOf(pattern: string): object {
  return { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string', pattern } } };
}

/** The error of a compilation as data. */
function errorOf(schema: object, limits: Limits): object {
  try {
    compileJsonSchema(schema, limits);
  } catch (error) {
    if (error instanceof GrammarError) return { message: error.message, code: error.code, path: error.path };
  }
  throw new Error('the schema was compiled');
}

describe('the cached automaton of a pattern', () => {
  it('costs the same as its first compilation', () => {
    const schema = schemaOf('^first(a|b)*a(a|b){4}$');
    const { cost } = compileJsonSchema(schema);
    expect(compileJsonSchema(schema).cost).toEqual(cost);
  });

  it.each([{ maxStates: 300 }, { maxStates: 100 }])(
    'throws the same error above %j as its first compilation',
    (limits) => {
      const pattern = `^limit${limits.maxStates}(a|b)*a(a|b){7}$`;
      const before = errorOf(schemaOf(pattern), limits);
      compileJsonSchema(schemaOf(pattern));
      expect(errorOf(schemaOf(pattern), limits)).toEqual(before);
    },
  );

  it('costs the same after it has been evicted', () => {
    const schema = schemaOf('^kept(a|b)+$');
    const { cost } = compileJsonSchema(schema);
    for (let index = 0; index < 300; index++) compileJsonSchema(schemaOf(`^other${index}[a-z]*(a|b){5}$`));
    expect(compileJsonSchema(schema).cost).toEqual(cost);
  });
});

it('names with many distinct bytes cost work in proportion to the size of their automata', () => {
  const name = Array.from({ length: 150_000 }, (_, index) => String.fromCodePoint(0x80 + (index % 1900))).join('');
  expect(errorOf({ type: 'object', properties: { [name]: {} } }, {})).toMatchObject({ code: 'limit' });
});
