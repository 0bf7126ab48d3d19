import { describe, expect, test } from 'vitest';
import { createGrammarCache, GrammarError, runSteps } from './index.ts';
import type { Grammar } from './index.ts';

/** A schema whose grammar needs more than two million steps, of three million for one grammar. */
const large = (maxLength: number) => ({
  type: 'array',
  prefixItems: [0, 1, 2, 3, 4].map((less) => ({
    type: 'string',
    pattern: '^[acegikmoqsuwyACEGIKM]*$',
    maxLength: maxLength - less,
  })),
});

const errorOf = (act: () => unknown): GrammarError | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof GrammarError) return error;
    throw error;
  }
  return undefined;
};

describe('the grammars of one request', () => {
  test('exceed the budget when together they take more than 9,000,000 steps', () => {
    const request = createGrammarCache().forRequest();
    const compiled: Grammar[] = [];
    const error = errorOf(() => {
      for (let i = 0; i < 100; i++) compiled.push(runSteps(request.jsonSchema(large(5000 - 10 * i))));
    });
    expect(error).toMatchObject({ code: 'budget', path: undefined });
    expect(error?.reason).toContain('9,000,000 steps');
    const work = compiled.reduce((sum, { cost }) => sum + cost.work, 0);
    expect(work).toBeLessThanOrEqual(9_000_000);
    // The next one would have exceeded it.
    expect(work + (compiled[0]?.cost.work ?? 0)).toBeGreaterThan(9_000_000);
  });

  test('use no budget when they are cached', () => {
    const cache = createGrammarCache();
    const schemas = [5000, 4990, 4980, 4970].map(large);
    for (const schema of schemas) runSteps(cache.forRequest().jsonSchema(schema));
    const request = cache.forRequest();
    for (const schema of schemas) runSteps(request.jsonSchema(schema));
    const added = runSteps(request.jsonSchema(large(4960)));
    expect(added.cost.work).toBeGreaterThan(2_000_000);
  });

  test('use the budget even if they are rejected', () => {
    const request = createGrammarCache().forRequest();
    const codes = Array.from(
      { length: 40 },
      (_, i) => errorOf(() => runSteps(request.text('regex', `${i}(a|b)*a(a|b){30}`)))?.code,
    );
    expect(codes[0]).toBe('limit');
    expect(codes.at(-1)).toBe('budget');
    // Three million steps each.
    expect(codes.indexOf('budget')).toBeGreaterThan(3);
  });

  test('have a separate budget in each request', () => {
    const cache = createGrammarCache();
    const first = cache.forRequest();
    expect(errorOf(() => [1, 2, 3, 4, 5].map((i) => runSteps(first.jsonSchema(large(5000 - 10 * i)))))?.code).toBe(
      'budget',
    );
    expect(
      runSteps(cache.forRequest().jsonSchema(large(4900)))
        .start()
        .canEnd(),
    ).toBe(false);
  });
});

describe('an incremental compilation', () => {
  const steps = (schema: unknown) => createGrammarCache().forRequest().jsonSchema(schema);

  test('yields regularly and costs the same as a compilation without yields', () => {
    const schema = large(5000);
    const compiling = steps(schema);
    let pauses = 0;
    let next = compiling.next();
    for (; next.done !== true; next = compiling.next()) pauses++;
    const { work } = next.value.cost;
    expect(next.value.cost).toEqual(createGrammarCache().jsonSchema(schema).cost);
    expect(work / pauses).toBeLessThan(1_000_000);
    const pattern = createGrammarCache().forRequest().text('regex', '(a|b)*a(a|b){12}');
    pauses = 0;
    for (let step = pattern.next(); step.done !== true; step = pattern.next()) pauses++;
    expect(pauses).toBeGreaterThan(10);
  });

  test('is shared by concurrent requests for the same grammar', () => {
    const cache = createGrammarCache();
    const schema = large(4990);
    const [first, second] = [cache.forRequest().jsonSchema(schema), cache.forRequest().jsonSchema(schema)];
    first.next();
    second.next();
    // The first one is aborted.
    first.return(cache.jsonObject());
    expect(runSteps(second)).toBe(cache.jsonSchema(schema));
  });

  test('is aborted when the last caller leaves, and restarted for the next caller', () => {
    const cache = createGrammarCache();
    const schema = large(4980);
    const abandoned = cache.forRequest().jsonSchema(schema);
    abandoned.next();
    abandoned.return(cache.jsonObject());
    expect(runSteps(cache.forRequest().jsonSchema(schema)).cost.work).toBeGreaterThan(2_000_000);
  });

  test('does not fail because the budget of another request is exhausted', () => {
    const cache = createGrammarCache();
    const exhausted = cache.forRequest();
    for (let i = 0; i < 4; i++) runSteps(exhausted.jsonSchema(large(4900 - 10 * i)));
    const schema = large(4700);
    const [first, second] = [exhausted.jsonSchema(schema), cache.forRequest().jsonSchema(schema)];
    first.next();
    second.next();
    expect(errorOf(() => runSteps(first))?.code).toBe('budget');
    expect(runSteps(second).cost.work).toBeGreaterThan(1_000_000);
  });
});

describe('the cache', () => {
  test('keeps the most recently used grammars up to a sum of 12,000,000 steps', () => {
    const cache = createGrammarCache();
    const first = cache.jsonSchema(large(5000));
    const small = cache.text('regex', 'a+');
    expect(cache.jsonSchema(large(5000))).toBe(first);
    for (let i = 1; i <= 5; i++) {
      cache.jsonSchema(large(5000 - 10 * i));
      expect(cache.text('regex', 'a+')).toBe(small);
    }
    expect(cache.jsonSchema(large(4950))).toBe(cache.jsonSchema(large(4950)));
    expect(cache.jsonSchema(large(5000))).not.toBe(first);
  });

  test('keeps the last 256 small grammars', () => {
    const cache = createGrammarCache();
    const of = (count: number) => cache.text('regex', `a{${count}}`);
    const first = of(1);
    for (let i = 2; i <= 256; i++) of(i);
    expect(of(1)).toBe(first);
    const second = of(2);
    for (let i = 300; i < 556; i++) of(i);
    expect(of(2)).not.toBe(second);
  });

  test('keeps errors, except those with the code limit', () => {
    const cache = createGrammarCache();
    const wrong = () => cache.text('regex', '(?=a)');
    expect(errorOf(wrong)).toBe(errorOf(wrong));
    const schema = { type: 'string', pattern: '^[a-z]{2,60}\\.[0-9a-z]+$', maxLength: 300 };
    expect(errorOf(() => cache.jsonSchema(schema, { maxMs: 0 }))?.code).toBe('limit');
    expect(cache.jsonSchema(schema).start().advance('"ab.c"')?.canEnd()).toBe(true);
  });

  test('distinguishes strict schemas from others', () => {
    const cache = createGrammarCache();
    expect(cache.jsonSchema({ type: 'object' }).start().advance('{}')?.canEnd()).toBe(true);
    expect(() => cache.jsonSchema({ type: 'object' }, { strict: true })).toThrow(GrammarError);
  });
});
