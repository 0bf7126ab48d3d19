import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { createMarkdown } from './render.ts';

const marks: readonly (readonly [string, string])[] = [
  ['\u001b[1m', '<b>'],
  ['\u001b[22m', '</>'],
  ['\u001b[2m', '<dim>'],
  ['\u001b[3m', '<i>'],
  ['\u001b[23m', '</i>'],
  ['\u001b[4m', '<u>'],
  ['\u001b[24m', '</u>'],
  ['\u001b[36m', '<code>'],
  ['\u001b[39m', '</code>'],
  ['\u001b[9m', '<s>'],
  ['\u001b[29m', '</s>'],
];

/** Rendered, its styles as tags. */
function render(text: string, { columns = 80, cut = 1000 } = {}): string {
  const stream = createMarkdown(createStyle(true), () => columns);
  let out = '';
  for (let at = 0; at < text.length; at += cut) out += stream.push(text.slice(at, at + cut));
  out += stream.end();
  return marks.reduce((left, [code, tag]) => left.replaceAll(code, tag), out);
}

describe('Markdown for a terminal', () => {
  test.each([
    ['**bold** and *italic* and _both_', '<b>bold</> and <i>italic</i> and <i>both</i>'],
    ['***all***', '<i><b>all</></i>'],
    ['**bold with `code` in it**', '<b>bold with <code>code</code> in it</>'],
    ['`a * b`', '<code>a * b</code>'],
    ['``a ` b``', '<code>a ` b</code>'],
    ['~~gone~~', '<s>gone</s>'],
    ['[docs](https://x.y)', '<u>docs</u><dim> (https://x.y)</>'],
    ['![a picture](https://x.y/z.png)', '<u>a picture</u><dim> (https://x.y/z.png)</>'],
    ['# Title', '<b><u>Title</u></>'],
    ['### Part', '<b>Part</>'],
    ['- one\n- two', '• one\n• two'],
    ['  3. three', '  3. three'],
    ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
    ['> said', '<dim>│ </>said'],
    ['```js\nlet a = **b**;\n```', '<dim>```js</>\n<code>let a = **b**;</code>\n<dim>```</>'],
    ['~~~~\n~~~\n~~~~\nout', '<dim>~~~~</>\n<code>~~~</code>\n<dim>~~~~</>\nout'],
  ])('%j is rendered', (given, shown) => {
    expect(render(given)).toBe(shown);
  });

  test.each([
    '2**3 = 8',
    'snake_case_name',
    'a * b * c',
    '*nix',
    '**open',
    '`open',
    '[not a link]',
    'a [b](c',
    '\\*no\\*',
    '#hash',
    '1984',
    '-5 degrees',
    'x ~ y',
    '!',
  ])('%s is unchanged', (text) => {
    expect(render(text)).toBe(text.replaceAll('\\', ''));
  });

  test('is the same wherever the chunks are split', () => {
    const blocks = ['\n', '\n# ', '\n- ', '\n> ', '\n1. ', '\n- [x] ', '\n```\n', '\n| a | b |\n|--|--|\n', '\n---\n'];
    const spans = ['**two words**', '*a*', '_a_', '`a * b`', '``a ` b``', '[x](y)', '~~gone~~', '***all***'];
    const pieces = fc.constantFrom('word', 'a', '. ', ' ', '!', '\\', ' * ', 'snake_case', ...blocks, ...spans);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), fc.integer({ min: 1, max: 7 }), (parts, cut) => {
        const text = parts.join(' ');
        expect(render(text, { cut })).toBe(render(text));
      }),
      { numRuns: 400 },
    );
  });

  test('loses no text to markers that are not closed', () => {
    const pieces = fc.constantFrom(
      '**',
      '*',
      '_',
      '`',
      '```',
      '\n',
      ' ',
      'word',
      '# ',
      '- ',
      '[x](y)',
      '~~',
      '\\',
      '!',
      '[',
    );
    const words = (text: string): string[] => text.match(/word|[xy]/g) ?? [];
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), fc.integer({ min: 1, max: 7 }), (parts, cut) => {
        const text = parts.join('');
        expect(words(render(text, { cut }))).toEqual(words(text));
      }),
      { numRuns: 400 },
    );
  });

  test('preserves ordinary text', () => {
    const word = fc.stringMatching(/^[a-zé0-9,.;]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
        const shown = render(`x ${words.join(' ')}`, { columns: 30 });
        expect(shown.replaceAll('\n', ' ')).toBe(`x ${words.join(' ')}`);
      }),
    );
  });

  test('wraps lines between words, and indents the lines of a list item', () => {
    const shown = render(`- ${'river '.repeat(8).trim()}`, { columns: 30 });
    expect(shown.split('\n')).toEqual(['• river river river river', '  river river river river']);
  });

  test('aligns tables, and leaves other lines unchanged', () => {
    expect(render('| name | n |\n|---|--:|\n| a | 1 |\n| `bc` | 22 |\nafter')).toBe(
      '<b>name   n</>\n<dim>────  ──</>\na      1\n<code>bc</code>    22\nafter',
    );
    expect(render('| not | a table |')).toBe('| not | a table |');
  });

  test('prints a word as soon as it is complete', () => {
    const stream = createMarkdown(createStyle(true), () => 80);
    expect(stream.push('Rivers are ')).toContain('Rivers');
  });
});
