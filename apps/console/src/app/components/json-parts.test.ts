import { describe, expect, it, test } from 'vitest';
import { jsonParts, jsonProblem } from './json-parts.ts';

describe('jsonParts()', () => {
  it('tells keys, strings and literals apart', () => {
    expect(jsonParts('{ "a" : [-1.5e3, true, "b\\":"] }')).toEqual([
      { text: '{ ' },
      { text: '"a"', kind: 'key' },
      { text: ' :' },
      { text: ' [' },
      { text: '-1.5e3', kind: 'literal' },
      { text: ', ' },
      { text: 'true', kind: 'literal' },
      { text: ', ' },
      { text: '"b\\":"', kind: 'string' },
      { text: '] }' },
    ]);
  });

  it('leaves a long text as it is', () => {
    const text = `[${'1,'.repeat(30_000)}1]`;
    expect(jsonParts(text)).toEqual([{ text }]);
  });

  test.each(['', '{"a', '"\\', 'no JSON\n\n', '[1,,2'])('the parts of %j are the text', (text) => {
    expect(
      jsonParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

describe('jsonProblem()', () => {
  test.each(['', ' \n', '{"type":"object"}'])('%j has none', (text) => {
    expect(jsonProblem(text, 'object')).toBeUndefined();
  });

  test.each([
    ['[]', 'Expected an object, but this is of type array.'],
    ['null', 'Expected an object, but this is null.'],
    ['1', 'Expected an object, but this is of type number.'],
  ])('%s is of another type', (text, problem) => {
    expect(jsonProblem(text, 'object')).toBe(problem);
  });

  it('says what is wrong with invalid JSON', () => {
    expect(jsonProblem('{', 'object')).toMatch(/JSON/);
  });
});
