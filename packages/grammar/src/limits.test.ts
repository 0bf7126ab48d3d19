import { describe, expect, it } from 'vitest';
import { compileJsonSchema, compileLark, compileRegex, GrammarError } from './index.ts';
import type { Grammar, State } from './index.ts';

// Independent of time: counted work and states reject these, the same on every machine.
const limits = { maxMs: Infinity };
const chain = (count: number, last: unknown, link: (next: unknown) => unknown) => {
  const $defs: Record<string, unknown> = {};
  for (let i = 0; i < count; i++) $defs[`d${i}`] = link({ $ref: `#/$defs/d${i + 1}` });
  $defs[`d${count}`] = last;
  return { $defs, $ref: '#/$defs/d0' };
};
const deep = (levels: number): unknown => {
  let schema: unknown = {};
  for (let i = 0; i < levels; i++) schema = { type: 'array', items: schema };
  return schema;
};

/** The maximum call depth of the stack. */
const depth = (): number => {
  try {
    return 1 + depth();
  } catch {
    return 0;
  }
};
const within = <Result>(calls: number, act: () => Result): Result => (calls < 1 ? act() : within(calls - 1, act));

const rules = (count: number, body: (index: number) => string): string =>
  'start: r0\n' + Array.from({ length: count }, (_, i) => `r${i}: ${body(i)}`).join('\n');

const anyOf = (levels: number): unknown => {
  let schema: unknown = { type: 'null' };
  for (let i = 0; i < levels; i++) schema = { anyOf: [schema] };
  return { type: 'object', properties: { a: schema }, required: ['a'], additionalProperties: false };
};

describe('a hostile grammar', () => {
  it.each<[name: string, compile: () => Grammar]>([
    ['counts that multiply', () => compileRegex('(a{1000}){1000}', limits)],
    ['counts that multiply deeper', () => compileRegex('((((a{99}){99}){99}){99}){99}', limits)],
    ['a count beyond all', () => compileRegex('a{99999999999}', limits)],
    ['an automaton of 2^30 states', () => compileRegex('(a|b)*a(a|b){30}', limits)],
    ['an automaton of 2^400 states', () => compileRegex('.*x.{400}y', limits)],
    ['a thousand classes of all letters', () => compileRegex('\\W'.repeat(1000) + '.*\\W{90}', limits)],
    ['groups 10,000 deep', () => compileRegex('('.repeat(10_000) + ')'.repeat(10_000), limits)],
    ['brackets 10,000 deep', () => compileRegex('['.repeat(10_000) + 'a' + ']'.repeat(10_000), limits)],
    ['an expression of a million characters', () => compileRegex('a'.repeat(1_000_000), limits)],
    ['a pattern of 2^30 states', () => compileJsonSchema({ type: 'string', pattern: 'a.{30}$' }, limits)],
    ['a list of a billion items', () => compileJsonSchema({ minItems: 1_000_000_000 }, limits)],
    [
      'lists that multiply',
      () =>
        compileJsonSchema({ minItems: 9999, items: { minItems: 9999, items: { minItems: 9999, items: {} } } }, limits),
    ],
    ['a string of at least a billion characters', () => compileJsonSchema({ minLength: 1_000_000_000 }, limits)],
    ['a modulus beyond all', () => compileJsonSchema({ type: 'integer', multipleOf: 9_999_991 }, limits)],
    ['schemas 100,000 deep', () => compileJsonSchema(deep(100_000), limits)],
    [
      'a chain of 100,000 references',
      () =>
        compileJsonSchema(
          chain(100_000, {}, (next) => next),
          limits,
        ),
    ],
    [
      'references in a circle',
      () =>
        compileJsonSchema(
          chain(50, { $ref: '#/$defs/d0' }, (next) => next),
          limits,
        ),
    ],
    ['anyOf 10,000 deep', () => compileJsonSchema(anyOf(10_000), { ...limits, strict: true })],
    [
      'oneOf of thousands',
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
      'an object that never ends',
      () => compileJsonSchema({ properties: { a: { $ref: '#' } }, required: ['a'] }, limits),
    ],
    ['rules that never end', () => compileLark('start: a b\na: start\nb: "x" b', limits)],
    ['left recursion behind nothing', () => compileLark('start: x start "a" | "b"\nx: y*\ny: "z"?', limits)],
    ['parentheses 100,000 deep', () => compileLark(`start: ${'('.repeat(100_000)}`, limits)],
    ['repetitions that multiply', () => compileLark('start: (("a"~9999)~9999)~9999', limits)],
    [
      'terminals that double',
      () =>
        compileLark(
          Array.from({ length: 60 }, (_, i) => `T${i}: T${i + 1} T${i + 1}`).join('\n') + '\nT60: "a"\nstart: T0',
          limits,
        ),
    ],
    [
      '100,000 rules',
      () => compileLark(Array.from({ length: 20_000 }, (_, i) => `r${i}: "a"`).join('\n') + '\nstart: r0', limits),
    ],
    ['a thousand words that may each be left out', () => compileLark('start: (x?)~9999\nx: "a"', limits)],
    ['thousands of them in a line', () => compileLark(`start: ${'"a"? '.repeat(9000)}`, limits)],
    [
      'rules that all begin with each other',
      () =>
        compileLark(
          rules(400, (i) => `r${(i + 1) % 400} "a" | r${(i * 7) % 400} "b" | "c"`),
          limits,
        ),
    ],
    ['classes put together thousands of times', () => compileRegex('[' + '[^\\p{L}]'.repeat(4000) + ']', limits)],
    ['a constant of a million characters', () => compileJsonSchema({ const: 'x'.repeat(1_000_000) }, limits)],
    [
      'an enum of millions of characters',
      () => compileJsonSchema({ enum: Array.from({ length: 3000 }, (_, i) => String(i) + 'x'.repeat(1000)) }, limits),
    ],
    [
      'an object of thousands of optional properties',
      () =>
        compileJsonSchema(
          { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, {}])) },
          limits,
        ),
    ],
    [
      'thousands of objects to choose from',
      () =>
        compileJsonSchema(
          { anyOf: Array.from({ length: 3000 }, (_, i) => ({ properties: { [`k${i}`]: {} } })) },
          limits,
        ),
    ],
    [
      'rules that may each be empty and call the next one twice',
      () =>
        compileLark(
          rules(1500, (i) => (i < 1499 ? `r${i + 1} r${i + 1} |` : '"a"?')),
          limits,
        ),
    ],
    [
      'an allOf of thousands, each with a property of its own',
      () =>
        compileJsonSchema(
          { allOf: Array.from({ length: 3000 }, (_, i) => ({ properties: { [`p${i}`]: {} }, required: [`p${i}`] })) },
          limits,
        ),
    ],
    [
      'thousands of constants held against keywords again and again',
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
  ])('%s ends in a GrammarError', (_, compile) => {
    expect(compile).toThrow(GrammarError);
  });

  it('with references that double is linear, because each is compiled once', () => {
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

  it('with nested quantifiers is linear, because nothing is tried twice', () => {
    const grammar = compileRegex('((a*)*|(a|a)*)*b', limits);
    expect(grammar.cost.work).toBeLessThan(5000);
    expect(grammar.start().advance('a'.repeat(20_000))?.advance('c')).toBeUndefined();
  });

  it('that is ambiguous matches up to the limit, and then throws a GrammarError', () => {
    const start = compileLark('start: start start | "a"', limits).start();
    let state: State | undefined = start.advance('a'.repeat(100));
    expect(state?.canEnd()).toBe(true);
    expect(() => {
      for (let i = 0; i < 1000; i++) state = state?.advance('a');
    }).toThrow(expect.objectContaining({ name: 'GrammarError', code: 'limit' }));
  });

  it('with an ever growing number of calls throws a GrammarError early', () => {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    const nested = letters.map((letter) => `"${letter}" start "${letter}"`).join('|');
    const start = compileLark(`start: ${nested}|"a"*`, limits).start();
    expect(start.advance('a'.repeat(200))?.canEnd()).toBe(true);
    expect(() => start.advance('a'.repeat(300))).toThrow(expect.objectContaining({ code: 'limit' }));
  });

  it('with a long chain of rules that can be empty takes linear time', () => {
    const work = (count: number): number =>
      compileLark(
        rules(count, (i) => (i < count - 1 ? `r${i + 1}` : '"a"?')),
        limits,
      ).cost.work;
    expect(work(2000)).toBeLessThan(2.2 * work(1000));
  });

  it('with a length limit that the text cannot reach has no states for it', () => {
    const states = (keywords: object): number =>
      compileJsonSchema({ type: 'string', pattern: '^[a-z]{1,40}(@[a-z]{1,40}){2}$', ...keywords }, limits).cost.states;
    expect(states({ maxLength: 5000 })).toBe(states({}));
    expect(states({ minLength: 5, maxLength: 5000 })).toBeLessThan(2 * states({}));
  });

  it('with six length limits of thousands of characters is within the limits', () => {
    const lengths = [5000, 4999, 4998, 4997, 4996, 4995];
    const properties = Object.fromEntries(lengths.map((maxLength) => [`p${maxLength}`, { type: 'string', maxLength }]));
    const start = compileJsonSchema({ type: 'object', properties }, limits).start();
    const text = start.advance('{"p4995":"' + '\u20ac'.repeat(4995));
    expect([text?.nextBytes(), text?.advance('\u20ac')]).toEqual([[0x22], undefined]);
  });

  it('that repeats a word thousands of times equals one that has it once', () => {
    const start = compileLark(`start: ${Array.from({ length: 5000 }, () => '"a"').join('|')}`, limits).start();
    expect(start.advance('a')?.mustEnd()).toBe(true);
  });

  it('with thousands of rules that start with each other uses little of the call stack', () => {
    const count = 2990;
    const definition = rules(count, (i) => (i < count - 1 ? `r${i + 1} ")" | r${i + 1} "]"` : '"a"'));
    const before = compileLark(definition.replace('start: r0', 'start: "(" r0'), limits).start().advance('(');
    const after = within(0.85 * depth(), () => before?.advance(`a${')'.repeat(count - 1)}`));
    expect(after?.mustEnd()).toBe(true);
  });

  it('that distinguishes thousands of items by position is matched item by item', () => {
    const prefixItems = Array.from({ length: 5000 }, (_, i) => ({ const: i % 10 }));
    const text = (count: number): string => JSON.stringify(prefixItems.slice(0, count).map((item) => item.const));
    const start = compileJsonSchema({ type: 'array', prefixItems, minItems: 250 }, limits).start();
    expect(start.advance(text(249).slice(0, -1))?.nextBytes()).toEqual([0x2c]);
    for (const count of [250, 4999, 5000]) expect(start.advance(text(count))?.mustEnd()).toBe(true);
    expect(start.advance(text(5000).slice(0, -1))?.nextBytes()).toEqual([0x5d]);
  });

  it('that intersects schemas of many constants looks each constant up once', () => {
    const oneOf = Array.from({ length: 200 }, (_, i) => ({
      type: 'object',
      properties: { k: { enum: Array.from({ length: 100 }, (_, j) => `${i}-${j}`) } },
      required: ['k'],
    }));
    expect(compileJsonSchema({ oneOf }, limits).start().forced()).toBe('{"k":');
  });

  it('with a long shortest text computes it without visiting each state', () => {
    const state = compileJsonSchema({ const: 'x'.repeat(100_000) }, limits)
      .start()
      .advance('"xx');
    expect(state?.completionBytes().length).toBe(99_999);
  });

  it('with hundreds of optional words accepts any of them in order', () => {
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

  it('stays within the configured states and time', () => {
    expect(() => compileRegex('a{100}', { maxStates: 50 })).toThrow(expect.objectContaining({ code: 'limit' }));
    expect(() => compileRegex('.*a.{12}', { maxMs: 0 })).toThrow(expect.objectContaining({ code: 'limit' }));
  });
});
