import { describe, expect, it } from 'vitest';
import { compileJsonSchema, compileLark, compileRegex, GrammarError } from './index.ts';
import type { Grammar, State } from './index.ts';

// Without a time limit: only the limits on counted work and states apply, which are equal on every machine.
const limits = { maxMs: Infinity };
const chain = (count: number, last: unknown, link: (next: unknown) => unknown) => {
  const $defs: Record<string, unknown> = {};
  for (let i = 0; i < count; i++) $defs[`d${i}`] = link({ $ref: `#/$defs/d${i + 1}` });
  $defs[`d${count}`] = last;
  return { $defs, $ref: '#/$defs/d0' };
};
const nestedArrays = (levels: number): unknown => {
  let schema: unknown = {};
  for (let i = 0; i < levels; i++) schema = { type: 'array', items: schema };
  return schema;
};

/** The maximum depth of the call stack. */
const maxCallDepth = (): number => {
  try {
    return 1 + maxCallDepth();
  } catch {
    return 0;
  }
};
/** Calls a function with `depth` calls already on the stack. */
const callAtDepth = <Result>(depth: number, act: () => Result): Result =>
  depth < 1 ? act() : callAtDepth(depth - 1, act);

const rules = (count: number, body: (index: number) => string): string =>
  'start: r0\n' + Array.from({ length: count }, (_, i) => `r${i}: ${body(i)}`).join('\n');

const anyOf = (levels: number): unknown => {
  let schema: unknown = { type: 'null' };
  for (let i = 0; i < levels; i++) schema = { anyOf: [schema] };
  return { type: 'object', properties: { a: schema }, required: ['a'], additionalProperties: false };
};

describe('a hostile grammar', () => {
  it.each<[name: string, compile: () => Grammar]>([
    ['two nested counts', () => compileRegex('(a{1000}){1000}', limits)],
    ['five nested counts', () => compileRegex('((((a{99}){99}){99}){99}){99}', limits)],
    ['a count above the maximum', () => compileRegex('a{99999999999}', limits)],
    ['an automaton of 2^30 states', () => compileRegex('(a|b)*a(a|b){30}', limits)],
    ['an automaton of 2^400 states', () => compileRegex('.*x.{400}y', limits)],
    ['a thousand large character classes', () => compileRegex('\\W'.repeat(1000) + '.*\\W{90}', limits)],
    ['groups 10,000 deep', () => compileRegex('('.repeat(10_000) + ')'.repeat(10_000), limits)],
    ['brackets 10,000 deep', () => compileRegex('['.repeat(10_000) + 'a' + ']'.repeat(10_000), limits)],
    ['an expression of a million characters', () => compileRegex('a'.repeat(1_000_000), limits)],
    ['a pattern of 2^30 states', () => compileJsonSchema({ type: 'string', pattern: 'a.{30}$' }, limits)],
    ['a list of a billion items', () => compileJsonSchema({ minItems: 1_000_000_000 }, limits)],
    [
      'nested minItems',
      () =>
        compileJsonSchema({ minItems: 9999, items: { minItems: 9999, items: { minItems: 9999, items: {} } } }, limits),
    ],
    ['a string of at least a billion characters', () => compileJsonSchema({ minLength: 1_000_000_000 }, limits)],
    ['a multipleOf above the maximum', () => compileJsonSchema({ type: 'integer', multipleOf: 9_999_991 }, limits)],
    ['schemas 100,000 deep', () => compileJsonSchema(nestedArrays(100_000), limits)],
    [
      'a chain of 100,000 references',
      () =>
        compileJsonSchema(
          chain(100_000, {}, (next) => next),
          limits,
        ),
    ],
    [
      'circular references',
      () =>
        compileJsonSchema(
          chain(50, { $ref: '#/$defs/d0' }, (next) => next),
          limits,
        ),
    ],
    ['anyOf 10,000 deep', () => compileJsonSchema(anyOf(10_000), { ...limits, strict: true })],
    [
      'a oneOf of 5,000 constants',
      () => compileJsonSchema({ oneOf: Array.from({ length: 5000 }, (_, i) => ({ const: i })) }, limits),
    ],
    [
      'a oneOf of 70 objects that overlap',
      () => {
        const oneOf = Array.from({ length: 70 }, (_, minLength) => ({
          properties: { k: { type: 'string', minLength } },
          required: ['k'],
        }));
        return compileJsonSchema({ oneOf }, limits);
      },
    ],
    [
      'an infinitely nested object',
      () => compileJsonSchema({ properties: { a: { $ref: '#' } }, required: ['a'] }, limits),
    ],
    ['rules that match no finite text', () => compileLark('start: a b\na: start\nb: "x" b', limits)],
    ['left recursion after an optional rule', () => compileLark('start: x start "a" | "b"\nx: y*\ny: "z"?', limits)],
    ['parentheses 100,000 deep', () => compileLark(`start: ${'('.repeat(100_000)}`, limits)],
    ['nested repetitions', () => compileLark('start: (("a"~9999)~9999)~9999', limits)],
    [
      'terminals that double in size',
      () =>
        compileLark(
          Array.from({ length: 60 }, (_, i) => `T${i}: T${i + 1} T${i + 1}`).join('\n') + '\nT60: "a"\nstart: T0',
          limits,
        ),
    ],
    [
      '20,000 rules',
      () => compileLark(Array.from({ length: 20_000 }, (_, i) => `r${i}: "a"`).join('\n') + '\nstart: r0', limits),
    ],
    ['9,999 repetitions of an optional rule', () => compileLark('start: (x?)~9999\nx: "a"', limits)],
    ['a sequence of 9,000 optional words', () => compileLark(`start: ${'"a"? '.repeat(9000)}`, limits)],
    [
      '400 mutually left-recursive rules',
      () =>
        compileLark(
          rules(400, (i) => `r${(i + 1) % 400} "a" | r${(i * 7) % 400} "b" | "c"`),
          limits,
        ),
    ],
    ['a union of 4,000 character classes', () => compileRegex('[' + '[^\\p{L}]'.repeat(4000) + ']', limits)],
    ['a constant of a million characters', () => compileJsonSchema({ const: 'x'.repeat(1_000_000) }, limits)],
    [
      'an enum of 3,000,000 characters',
      () => compileJsonSchema({ enum: Array.from({ length: 3000 }, (_, i) => String(i) + 'x'.repeat(1000)) }, limits),
    ],
    [
      'an object with 5,000 optional properties',
      () =>
        compileJsonSchema(
          { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, {}])) },
          limits,
        ),
    ],
    [
      'an anyOf of 3,000 objects',
      () =>
        compileJsonSchema(
          { anyOf: Array.from({ length: 3000 }, (_, i) => ({ properties: { [`k${i}`]: {} } })) },
          limits,
        ),
    ],
    [
      '1,500 optional rules that each call the next one twice',
      () =>
        compileLark(
          rules(1500, (i) => (i < 1499 ? `r${i + 1} r${i + 1} |` : '"a"?')),
          limits,
        ),
    ],
    [
      'an allOf of 3,000 objects with different properties',
      () =>
        compileJsonSchema(
          { allOf: Array.from({ length: 3000 }, (_, i) => ({ properties: { [`p${i}`]: {} }, required: [`p${i}`] })) },
          limits,
        ),
    ],
    [
      '30,000 constants that are checked against 60 schemas',
      () =>
        compileJsonSchema(
          {
            anyOf: Array.from({ length: 60 }, (_, minimum) => ({ $ref: '#/$defs/e', minimum })),
            $defs: { e: { enum: Array.from({ length: 30_000 }, (_, i) => i) } },
          },
          limits,
        ),
    ],
    ['a definition of 100,001 characters', () => compileLark(`start: "a"//${'x'.repeat(99_989)}`, limits)],
  ])('throws a GrammarError: %s', (_, compile) => {
    expect(compile).toThrow(GrammarError);
  });

  it('compiles a chain of schemas that each refer to the next one twice in linear time', () => {
    const both = (next: unknown) => ({
      type: 'object',
      properties: { l: next, r: next },
      required: ['l', 'r'],
      additionalProperties: false,
    });
    const grammar = compileJsonSchema(chain(12, { type: 'null' }, both), limits);
    expect(grammar.cost.work).toBeLessThan(20_000);
    expect(grammar.start().forced()).toBe('{"l":');
    expect(grammar.start().advance('{"l": {"l":{')).toBeDefined();
  });

  it('compiles and matches nested quantifiers in linear time', () => {
    const grammar = compileRegex('((a*)*|(a|a)*)*b', limits);
    expect(grammar.cost.work).toBeLessThan(5000);
    expect(grammar.start().advance('a'.repeat(20_000))?.advance('c')).toBeUndefined();
  });

  it('matches up to the limit of derivations if it is ambiguous, and then throws a GrammarError', () => {
    const start = compileLark('start: start start | "a"', limits).start();
    let state: State | undefined = start.advance('a'.repeat(100));
    expect(state?.canEnd()).toBe(true);
    expect(() => {
      for (let i = 0; i < 1000; i++) state = state?.advance('a');
    }).toThrow(expect.objectContaining({ name: 'GrammarError', code: 'limit' }));
  });

  it('throws a GrammarError when the number of active calls of a rule exceeds the limit', () => {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    const nested = letters.map((letter) => `"${letter}" start "${letter}"`).join('|');
    const start = compileLark(`start: ${nested}|"a"*`, limits).start();
    expect(start.advance('a'.repeat(200))?.canEnd()).toBe(true);
    expect(() => start.advance('a'.repeat(300))).toThrow(expect.objectContaining({ code: 'limit' }));
  });

  it('compiles a long chain of nullable rules in linear time', () => {
    const work = (count: number): number =>
      compileLark(
        rules(count, (i) => (i < count - 1 ? `r${i + 1}` : '"a"?')),
        limits,
      ).cost.work;
    expect(work(2000)).toBeLessThan(2.2 * work(1000));
  });

  it('needs no states for a length limit that the text cannot reach', () => {
    const states = (keywords: object): number =>
      compileJsonSchema({ type: 'string', pattern: '^[a-z]{1,40}(@[a-z]{1,40}){2}$', ...keywords }, limits).cost.states;
    expect(states({ maxLength: 5000 })).toBe(states({}));
    expect(states({ minLength: 5, maxLength: 5000 })).toBeLessThan(2 * states({}));
  });

  it('can have six length limits of thousands of characters', () => {
    const lengths = [5000, 4999, 4998, 4997, 4996, 4995];
    const properties = Object.fromEntries(lengths.map((maxLength) => [`p${maxLength}`, { type: 'string', maxLength }]));
    const start = compileJsonSchema({ type: 'object', properties }, limits).start();
    const text = start.advance('{"p4995":"' + '\u20ac'.repeat(4995));
    expect([text?.nextBytes(), text?.advance('\u20ac')]).toEqual([[0x22], undefined]);
  });

  it('treats 5,000 equal alternatives as one', () => {
    const start = compileLark(`start: ${Array.from({ length: 5000 }, () => '"a"').join('|')}`, limits).start();
    expect(start.advance('a')?.mustEnd()).toBe(true);
  });

  it('uses little of the call stack for a chain of thousands of rules', () => {
    const count = 2990;
    const definition = rules(count, (i) => (i < count - 1 ? `r${i + 1} ")" | r${i + 1} "]"` : '"a"'));
    const before = compileLark(definition.replace('start: r0', 'start: "(" r0'), limits).start().advance('(');
    const after = callAtDepth(0.85 * maxCallDepth(), () => before?.advance(`a${')'.repeat(count - 1)}`));
    expect(after?.mustEnd()).toBe(true);
  });

  it('matches an array with thousands of prefixItems', () => {
    const prefixItems = Array.from({ length: 5000 }, (_, i) => ({ const: i % 10 }));
    const text = (count: number): string => JSON.stringify(prefixItems.slice(0, count).map((item) => item.const));
    const start = compileJsonSchema({ type: 'array', prefixItems, minItems: 250 }, limits).start();
    expect(start.advance(text(249).slice(0, -1))?.nextBytes()).toEqual([0x2c]);
    for (const count of [250, 4999, 5000]) expect(start.advance(text(count))?.mustEnd()).toBe(true);
    expect(start.advance(text(5000).slice(0, -1))?.nextBytes()).toEqual([0x5d]);
  });

  it('intersects schemas with many constants within the limits', () => {
    const oneOf = Array.from({ length: 200 }, (_, i) => ({
      type: 'object',
      properties: { k: { enum: Array.from({ length: 100 }, (_, j) => `${i}-${j}`) } },
      required: ['k'],
    }));
    expect(compileJsonSchema({ oneOf }, limits).start().forced()).toBe('{"k":');
  });

  it('computes a shortest completion of 100,000 bytes', () => {
    const state = compileJsonSchema({ const: 'x'.repeat(100_000) }, limits)
      .start()
      .advance('"xx');
    expect(state?.completionBytes().length).toBe(99_999);
  });

  it('accepts any of 900 optional words in order', () => {
    const start = compileLark(
      'start: ' +
        Array.from({ length: 900 }, (_, i) => `(w${i} ";")?`).join(' ') +
        '\n' +
        Array.from({ length: 900 }, (_, i) => `w${i}: "${i}"`).join('\n'),
      limits,
    ).start();
    expect(start.advance('0;31;32;33;600;899;')?.mustEnd()).toBe(true);
    expect(start.advance('600;599')).toBeUndefined();
    expect(start.advance('65;')?.shortestCompletion()).toBe('');
  });

  it('is rejected above the configured states or time', () => {
    expect(() => compileRegex('a{100}', { maxStates: 50 })).toThrow(expect.objectContaining({ code: 'limit' }));
    expect(() => compileRegex('.*a.{12}', { maxMs: 0 })).toThrow(expect.objectContaining({ code: 'limit' }));
  });
});
