import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPartialJson, partialJson } from './index.ts';

/** Whether `part` is a value that can become `complete` as more text arrives. */
function isPrefix(part: unknown, complete: unknown): boolean {
  if (part === undefined) return true;
  if (typeof part === 'string') return typeof complete === 'string' && complete.startsWith(part);
  if (Array.isArray(part)) {
    return (
      Array.isArray(complete) &&
      part.length <= complete.length &&
      part.every((item, at) => isPrefix(item, complete[at]))
    );
  }
  if (typeof part === 'object' && part !== null) {
    if (typeof complete !== 'object' || complete === null || Array.isArray(complete)) return false;
    return Object.entries(part).every(([key, value]) => {
      return Object.hasOwn(complete, key) && isPrefix(value, (complete as Record<string, unknown>)[key]);
    });
  }
  return Object.is(part, complete);
}

const jsonText = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2, '\t\r\n')).map(([value, space]) => {
  return JSON.stringify(value, undefined, typeof space === 'string' ? 2 : space).replaceAll(
    '\n',
    typeof space === 'string' ? space : '\n',
  );
});

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

describe('the value so far of a JSON text', () => {
  test.each<[string, unknown]>([
    ['', undefined],
    ['  {', {}],
    ['{"ci', {}],
    ['{"city"', {}],
    ['{"city":', {}],
    ['{"city":"', { city: '' }],
    ['{"city":"Os', { city: 'Os' }],
    ['{"city":"Os\\', { city: 'Os' }],
    ['{"city":"Os\\u00', { city: 'Os' }],
    ['{"a":"\\ud83d', { a: '' }],
    ['{"a":"\\ud83d\\ude00', { a: '😀' }],
    ['{"n":12', {}],
    ['{"n":12,', { n: 12 }],
    ['[1,2', [1]],
    ['[1,tru', [1]],
    ['[true', [true]],
    ['[[{"a":[', [[{ a: [] }]]],
    ['{"__proto__":{"x":1}', JSON.parse('{"__proto__":{"x":1}}')],
  ])('%j is %j', (text, value) => {
    expect(partialJson(text)).toEqual(value);
  });

  test('is a prefix of the complete value for every prefix of the text, and complete at the end', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const complete: unknown = JSON.parse(text);
        for (let end = 0; end <= text.length; end++) {
          const part = partialJson(text.slice(0, end));
          if (!isPrefix(part, complete)) throw new Error(`${text.slice(0, end)} gave ${JSON.stringify(part)}`);
        }
        const reader = createPartialJson();
        reader.push(text);
        expect(reader.end()).toEqual(complete);
        expect(reader.state).toBe('done');
      }),
    );
  });

  test('is the same for any split of the text', () => {
    fc.assert(
      fc.property(jsonText, fc.array(fc.nat(40)), (text, cuts) => {
        const reader = createPartialJson();
        let at = 0;
        for (const cut of [...cuts, text.length]) {
          const value = reader.push(text.slice(at, at + cut));
          at = Math.min(text.length, at + cut);
          expect(value).toEqual(partialJson(text.slice(0, at)));
        }
      }),
    );
  });

  test('never shrinks', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const reader = createPartialJson();
        let before: unknown;
        for (const char of text) {
          const now = structuredClone(reader.push(char));
          expect(isPrefix(before, now)).toBe(true);
          before = now;
        }
      }),
    );
  });

  test('never throws, and is done exactly where the text is JSON', () => {
    const char = fc.constantFrom(
      ...Array.from('[]{}",:\\/ub0123e+-.tfn \n'),
      'true',
      'null',
      '"a"',
      '\\u00e9',
      '\u0000',
      '\ufeff',
    );
    const damaged = fc.tuple(jsonText, fc.nat(), char).map(([text, at, extra]) => {
      const position = at % (text.length + 1);
      return text.slice(0, position) + extra + text.slice(position + (at % 2));
    });
    const noise = fc.array(char).map((chars) => chars.join(''));
    fc.assert(
      fc.property(fc.oneof(damaged, noise, fc.string()), (text) => {
        const reader = createPartialJson();
        reader.push(text);
        const value = reader.end();
        const expected = tryParse(text);
        expect(reader.state === 'done').toBe(expected !== undefined);
        // Of duplicate keys the last one wins, as with JSON.parse.
        if (expected !== undefined) expect(value).toEqual(expected.value);
      }),
      { numRuns: 2000 },
    );
  });

  test('has any depth without recursion', () => {
    const depth = 200_000;
    const reader = createPartialJson();
    for (let at = 0; at < depth; at++) reader.push('[');
    expect(reader.state).toBe('open');
    reader.push(']'.repeat(depth));
    expect(reader.state).toBe('done');
  });

  test('reads each character once, and does not keep the text', () => {
    const reader = createPartialJson();
    const array = reader.push('["');
    for (let at = 0; at < 200_000; at++) reader.push('word ');
    expect(reader.push('"]')).toBe(array);
    expect((array as string[])[0]).toHaveLength(1_000_000);
  });

  test('of an invalid text is the value before the error', () => {
    const reader = createPartialJson();
    expect(reader.push('{"a":1,"b":oops,"c":3}')).toEqual({ a: 1 });
    expect(reader.state).toBe('invalid');
    expect(reader.push('{"d":4}')).toEqual({ a: 1 });
  });
});
