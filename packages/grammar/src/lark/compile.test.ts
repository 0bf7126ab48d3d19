import { describe, expect, it } from 'vitest';
import { forRandomSeeds } from '../../test/for-random-seeds.ts';
import { randomText } from '../../test/random.ts';
import { isOfLark, randomLark, writeLark } from '../../test/random-lark.ts';
import { mutated } from '../../test/random-regex.ts';
import { compileLark } from './compile.ts';

const ARITHMETIC = `
// sums of products
?start: sum
?sum: sum ("+" | "-") product -> add
    | product
product: product "*" atom | atom
!atom: NUMBER | "-" atom | "(" sum ")"
%import common.NUMBER
%import common.WS_INLINE
%ignore WS_INLINE
`;

describe('a Lark grammar', () => {
  it.each<[definition: string, accepted: string[], rejected: string[]]>([
    [ARITHMETIC, ['1', '1 + 2*3', ' (1.5e3 - -2) * 4 '], ['', '1 +', '(1', '1 2', '1\n']],
    ['start: "a" "b"? "c"* "d"+', ['ad', 'abccdd'], ['a', 'abbd']],
    ['start: "a"~2 "b"~1..3', ['aab', 'aabbb'], ['ab', 'aa', 'aabbbb']],
    ['start: ["x"] ("y" | "z")', ['xy', 'z'], ['x', 'xx']],
    ['start: A | b\nA: "1".."9" B*\nB: /[0-9]/\nb: "x"i', ['10', '7', 'x', 'X'], ['01', 'xx']],
    ['start: /a.c/ | /a.c/s "!" | /q/i', ['abc', 'a\nc!', 'Q'], ['a\nc', 'abc!!']],
    ['start: "\\n\\t\\"\\\\\\x41\\u00e9"', ['\n\t"\\Aé'], ['n']],
    ['start: "(" start ")" | ', ['', '(())'], ['(', '(()']],
    ['start: a\na: b "x" | "1"\nb: a "y" | "2"', ['1', '2x', '1yx', '2xyx'], ['2', '1y', '1x']],
    ['start: start start | "a"', ['a', 'aaaa'], ['', 'b']],
    ['start: (\n  "a" // first\n  | "b" # second\n)\n', ['a', 'b'], ['ab']],
    [
      '%import common (INT, CNAME)\n%import common.ESCAPED_STRING -> TEXT\nstart: INT CNAME TEXT',
      ['1a"x\\"y"'],
      ['a1"x"'],
    ],
    ['start: "select" NAME\nNAME: /[a-z]+/\n%ignore " "', ['select x', 'selectx', ' select  x '], ['select']],
    ['start: (A B)+\nA: "a"\nB: /b?/', ['a', 'aab'], ['b', '']],
  ])('accepts exactly the texts that match %s', (definition, accepted, rejected) => {
    const start = compileLark(definition).start();
    for (const text of accepted) expect([text, start.advance(text)?.canEnd() ?? false]).toEqual([text, true]);
    for (const text of rejected) expect([text, start.advance(text)?.canEnd() ?? false]).toEqual([text, false]);
  });

  it('supports the documented terminals of common', () => {
    const texts: Record<string, string> = {
      DIGIT: '7',
      HEXDIGIT: 'f',
      INT: '42',
      SIGNED_INT: '-42',
      DECIMAL: '4.',
      FLOAT: '1e5',
      SIGNED_FLOAT: '+.5',
      NUMBER: '3.14',
      SIGNED_NUMBER: '-7',
      ESCAPED_STRING: '"a\\"b"',
      LCASE_LETTER: 'x',
      UCASE_LETTER: 'X',
      LETTER: 'q',
      WORD: 'word',
      CNAME: '_a1',
      WS_INLINE: ' \t',
      WS: '\n ',
      CR: '\r',
      LF: '\n',
      NEWLINE: '\r\n\n',
      SH_COMMENT: '# x',
      CPP_COMMENT: '// x',
      SQL_COMMENT: '-- x',
      C_COMMENT: '/* x **/',
    };
    for (const [name, text] of Object.entries(texts)) {
      const start = compileLark(`%import common.${name}\nstart: ${name}`).start();
      expect([name, start.advance(text)?.canEnd()]).toEqual([name, true]);
    }
  });

  it.each([
    ['start: a\na.2: "x"', 2, /priorities/],
    ['start: "x"\n_list{x}: x', 2, /templates/],
    ['start: list{"x"}', 1, /templates|expected/],
    ['%declare FOO\nstart: FOO', 1, /%declare/],
    ['start: "x"\n%override start: "y"', 2, /%override/],
    ['%import python.NAME\nstart: NAME', 1, /common/],
    ['%import common.STRING\nstart: STRING', 1, /STRING/],
    ['start: "a"\n\nfoo: /a(?=b)/ "b"', 3, /lookaround/],
    ['start: /a*?b/', 1, /lazy/],
    ['start: /^a/', 1, /anchors/],
    ['start: /a/m', 1, /flag "m"/],
    ['start: "é"i', 1, /ASCII/],
    ['start: FOO\nFOO: "a" FOO | "b"', 2, /contains itself/],
    ['start: x start | "a"\nx: "b"?', 1, /left/],
    ['start: <|eot|>', 1, /not supported/],
  ])('rejects %s as unsupported in line %d', (definition, line, message) => {
    const expected = {
      name: 'GrammarError',
      code: 'unsupported',
      line,
      message: expect.stringMatching(message) as string,
    };
    expect(() => compileLark(definition)).toThrow(expect.objectContaining(expected));
  });

  it.each([
    ['rule: "x"', 1, /rule "start" is missing/],
    ['start: "x"\nstart: "y"', 2, /line 1/],
    ['start: foo', 1, /"foo" is not defined/],
    ['start: "x" FOO', 1, /"FOO" is not defined/],
    ['start: FOO\nFOO: bar\nbar: "x"', 2, /terminal/],
    ['start: ("a"', 1, /not closed/],
    ['start: "a', 1, /not closed/],
    ['start "a"', 1, /":" is missing/],
    ['start: "a"~3..2', 1, /greater than its maximum|after its end/],
    ['start: "z".."a"', 1, /range/],
    ['start: "\\q"', 1, /escape/],
    ['start: "a" )', 1, /unexpected/],
    ['start: /[z-a]/', 1, /greater than its maximum|after its end/],
    ['start: a\na: "x" a', 1, /ends/],
  ])('rejects %s as invalid in line %d', (definition, line, message) => {
    expect(() => compileLark(definition)).toThrow(
      expect.objectContaining({ name: 'GrammarError', line, message: expect.stringMatching(message) as string }),
    );
  });

  it('agrees with a reference recognizer on generated texts and on texts that differ by a character', () => {
    forRandomSeeds({ numRuns: 60 }, (random) => {
      const described = randomLark(random);
      let start;
      try {
        start = compileLark(writeLark(described), { maxMs: Infinity }).start();
      } catch (error) {
        expect(error).toMatchObject({
          name: 'GrammarError',
          code: expect.stringMatching(/^(empty|unsupported)$/) as string,
        });
        return;
      }
      for (let i = 0; i < 4; i++) {
        const text = randomText(start, random, 10);
        if (text.length > 24) continue;
        expect([text, isOfLark(described, text)]).toEqual([text, true]);
        const other = mutated(text, random);
        expect([other, start.advance(other)?.canEnd() ?? false]).toEqual([other, isOfLark(described, other)]);
      }
    });
  });
});
