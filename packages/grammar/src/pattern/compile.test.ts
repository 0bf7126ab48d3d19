import { describe, expect, it } from 'vitest';
import { forRandomSeeds } from '../../test/for-random-seeds.ts';
import { randomText } from '../../test/random.ts';
import { mutated, randomRegex } from '../../test/random-regex.ts';
import { GrammarError } from '../errors.ts';
import { compileRegex } from './compile.ts';

const accepts = (source: string, text: string): boolean =>
  compileRegex(source).start().advance(text)?.canEnd() ?? false;

describe('a regular expression', () => {
  it.each<[source: string, accepted: string[], rejected: string[]]>([
    ['abc', ['abc'], ['ab', 'abcd', 'xabc']],
    ['a|bc|', ['a', 'bc', ''], ['b', 'abc']],
    ['a*b+c?', ['b', 'aabbc'], ['a', 'c', 'abcc']],
    ['a{2}', ['aa'], ['a', 'aaa']],
    ['a{2,}', ['aa', 'aaaaa'], ['a']],
    ['a{0,2}', ['', 'a', 'aa'], ['aaa']],
    ['(ab)+(?:c)(?<name>d)(?P<other>e)', ['ababcde'], ['abcd']],
    ['[a-c\\d_]', ['a', 'c', '7', '_'], ['d', '-']],
    ['[^a-c]', ['d', 'é', '😀'], ['a', 'dd']],
    ['[]a]'.replace('[]', '[\\]'), [']', 'a'], ['[']],
    ['[a-z&&[^aeiou]]', ['b'], ['a', 'B']],
    ['[a-z--[aeiou]]', ['b'], ['a']],
    ['[[:upper:][:^ascii:]]', ['A', 'é'], ['a']],
    ['.', ['a', 'é', '😀', '"'], ['\n', '\r', '\u2028', '']],
    ['(?s).', ['\n', 'a'], ['']],
    ['(?s-i:.)(?-s).', ['\na'], ['a\n']],
    ['(?i)kB[^k]', ['Kba', 'kbÉ'], ['kBK', 'kb\u212a']],
    ['a(?i:b)c', ['aBc', 'abc'], ['Abc', 'abC']],
    ['\\d\\w\\s', ['1a ', '0_\t'], ['٣a ', 'aa ', '1é ']],
    ['\\D\\W\\S', ['a-x', '  é'], ['٣-x', 'aéx', 'a-\u00a0']],
    ['[^\\w]', ['-', '€'], ['é', 'a']],
    ['\\p{Lu}\\P{Lu}\\p{Greek}\\pN', ['Éaα5'], ['éaα5', 'ÉaA5']],
    ['\\x41\\u0042\\x{1F600}\\u{e9}', ['AB😀é'], ['AB']],
    ['\\n\\t\\.\\*\\[\\\\\\/', ['\n\t.*[\\/'], ['nt.*[\\/']],
    ['^a$|\\Ab\\z', ['a', 'b'], ['ab', '^a$']],
    ['x]}', ['x]}'], ['x']],
  ])('accepts exactly the texts that match %s', (source, accepted, rejected) => {
    for (const text of accepted) expect([text, accepts(source, text)]).toEqual([text, true]);
    for (const text of rejected) expect([text, accepts(source, text)]).toEqual([text, false]);
  });

  it.each([
    ['(?=a)b', 1, /lookaround/],
    ['a(?<!b)', 2, /lookaround/],
    ['(a)\\1', 4, /backreferences/],
    ['a*?', 3, /lazy/],
    ['a++', 3, /possessive/],
    ['\\bword', 1, /word boundaries/],
    ['(?m)^a', 1, /flag "m"/],
    ['(?i)é', 5, /ASCII/],
    ['\\p{Nonsense}', 1, /not a known Unicode class/],
    ['[[:nope:]]', 2, /not a known class/],
  ])('rejects %s as unsupported at column %d', (source, column, message) => {
    expect(() => compileRegex(source)).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        line: 1,
        column,
        message: expect.stringMatching(message) as string,
      }),
    );
  });

  it.each([
    ['(a', 1],
    ['a)', 2],
    ['[a', 1],
    ['[]', 2],
    ['[z-a]', 3],
    ['*a', 1],
    ['a{2', 2],
    ['a{3,2}', 2],
    ['a**', 3],
    ['\\y', 1],
    ['\\x4', 1],
    ['\\u{110000}', 1],
    ['^*', 2],
  ])('rejects %s as invalid at column %d', (source, column) => {
    expect(() => compileRegex(source)).toThrow(expect.objectContaining({ line: 1, column }));
  });

  it.each(['[^\\x00-\\x{10FFFF}]', 'a^', '$a'])('rejects %s because no text matches it', (source) => {
    expect(() => compileRegex(source)).toThrow(GrammarError);
  });

  it('agrees with ECMAScript on generated texts and on texts that differ by a character', () => {
    forRandomSeeds({ numRuns: 100 }, (random) => {
      const source = randomRegex(random);
      const reference = new RegExp(`^(?:${source})$`, 'u');
      let start;
      try {
        start = compileRegex(source, { maxMs: Infinity }).start();
      } catch (error) {
        expect(error).toMatchObject({ code: 'limit' });
        return;
      }
      for (let i = 0; i < 4; i++) {
        const text = randomText(start, random, 25);
        expect([source, text, reference.test(text)]).toEqual([source, text, true]);
        const other = mutated(text, random);
        // Beyond ASCII, \w and similar classes are narrower here.
        if (/[^\0-\x7f]/.test(other)) continue;
        expect([source, other, start.advance(other)?.canEnd() ?? false]).toEqual([
          source,
          other,
          reference.test(other),
        ]);
      }
    });
  });
});
