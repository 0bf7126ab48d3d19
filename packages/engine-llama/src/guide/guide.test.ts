import { compileJsonSchema, compileRegex, GrammarError } from '@modelwire/grammar';
import { RequestError } from '@modelwire/ports';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { grammarGuide, quotedGuide } from './grammar-guide.ts';
import { advanceGuide, endGuide, literal, oneOf, textUntil } from './guide.ts';
import type { Guide } from './guide.ts';
import type { TextGrammar } from './text-grammar.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const follow = (guide: Guide, text: string): Guide | undefined => advanceGuide(guide, bytes(text));
const completed = (guide: Guide): string => new TextDecoder().decode(guide.completion());
const regex = (source: string): TextGrammar => ({
  grammar: compileRegex(source),
  origin: { source: { type: 'regex', definition: source }, path: ['tools', 0], of: "custom tool 'x'" },
});
const tool = { kind: 'custom', name: 'x' } as const;

/** The output bytes by channel. */
function outputOf(guide: Guide, text: string): { text: string; input: string; hasDelimiter: boolean } {
  const out: Record<string, number[]> = { text: [], input: [], none: [], delimiter: [] };
  let at: Guide | undefined = guide;
  for (const byte of bytes(text)) {
    const said = at!.outputOf(byte);
    out[said.channel]!.push(said.byte);
    at = at!.advance(byte);
  }
  const read = (name: string): string => new TextDecoder().decode(Uint8Array.from(out[name]!));
  return { text: read('text'), input: read('input'), hasDelimiter: out['delimiter']!.length > 0 };
}

test('a literal accepts exactly its bytes, followed by the next guide', () => {
  const guide = literal('ab', () => literal('c', () => endGuide));
  expect(follow(guide, 'b')).toBeUndefined();
  expect(follow(guide, 'abc')?.mustEnd).toBe(true);
  expect(follow(guide, 'abcd')).toBeUndefined();
  expect(completed(follow(guide, 'a')!)).toBe('bc');
  expect(follow(guide, 'ab')?.canEnd).toBe(false);
});

test('a choice continues with the alternatives that match', () => {
  const guide = oneOf([literal('{"a"', () => endGuide), literal('{"bb"', () => endGuide)]);
  expect(follow(guide, '{"a"')?.mustEnd).toBe(true);
  expect(follow(guide, '{"b')?.mustEnd).toBe(false);
  expect(follow(guide, '{"c')).toBeUndefined();
  expect(completed(guide)).toBe('{"a"');
});

test('text accepts anything up to its delimiter', () => {
  const guide = textUntil('<<c>', () => literal('!', () => endGuide));
  expect(follow(guide, 'any text é < <<')?.canEnd).toBe(true);
  expect(follow(guide, 'any <<<c>!')?.mustEnd).toBe(true);
  expect(follow(guide, 'any <<<c>?')).toBeUndefined();
  expect(outputOf(guide, 'a<<<c>')).toEqual({ text: 'a<<<c', input: '', hasDelimiter: true });
});

test('finds the same delimiter as a search', () => {
  const delimiter = 'aab';
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (letters) => {
      const text = letters.join('');
      const at = text.indexOf(delimiter);
      const guide = textUntil(delimiter, () => endGuide);
      if (at === -1) {
        const left = follow(guide, text);
        expect(left?.isUnrestricted).toBe(true);
        // The held bytes are the longest suffix of the text that is a prefix of the delimiter.
        const heldBytes = [2, 1, 0].find((length) => text.endsWith(delimiter.slice(0, length)));
        expect(left?.heldBytes).toBe(heldBytes);
      } else expect(follow(guide, text.slice(0, at + delimiter.length))?.mustEnd).toBe(true);
    }),
  );
});

test('continues with the next guide at the end of a grammar', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
  const constraint: TextGrammar = {
    grammar: compileJsonSchema(schema),
    origin: { source: { type: 'json_schema', schema, strict: false, orObject: false }, path: [], of: 'x' },
  };
  const guide = grammarGuide({ constraint, channel: 'input', tool, followUp: () => literal('!', () => endGuide) });
  expect(follow(guide, '{"a": 1}!')?.mustEnd).toBe(true);
  expect(follow(guide, '{"a": 1}')?.canEnd).toBe(false);
  expect(completed(guide)).toMatch(/^\{"a":\d\}!$/);
  expect(outputOf(guide, '{"a": 12}!').input).toBe('{"a": 12}');
});

test('matches the unescaped text of a quoted string against its grammar, and returns it unescaped', () => {
  const guide = quotedGuide({ constraint: regex('a"\\n[bc]'), tool, followUp: () => endGuide });
  expect(follow(guide, 'a\\"\\nb"')?.mustEnd).toBe(true);
  expect(outputOf(guide, 'a\\"\\nb"').input).toBe('a"\nb');
  expect(follow(guide, 'a"')).toBeUndefined();
  expect(follow(guide, 'a\\n')).toBeUndefined();
  expect(completed(guide)).toMatch(/^a\\"\\n[bc]"$/);
  expect(completed(follow(guide, 'a\\')!)).toMatch(/^"\\n[bc]"$/);
});

test('a quoted string without a grammar is any text with JSON escapes', () => {
  const guide = quotedGuide({ constraint: undefined, tool, followUp: () => endGuide });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/[\0-\x1f]/.test(text));
      const quoted = JSON.stringify(text).slice(1);
      expect(follow(guide, quoted)?.mustEnd).toBe(true);
      expect(outputOf(guide, quoted).input).toBe(text);
    }),
  );
  expect(follow(guide, 'a\n')).toBeUndefined();
  expect(completed(follow(guide, 'so\\')!)).toMatch(/^[\\"nrt]"$/);
});

test('returns 400 for a grammar that becomes too ambiguous during matching', () => {
  const constraint = regex('a');
  vi.spyOn(constraint.grammar.start(), 'advanceByte').mockImplementation(() => {
    throw new GrammarError('limit', 'too ambiguous');
  });
  const guides = [
    grammarGuide({ constraint, channel: 'text' }),
    quotedGuide({ constraint, tool, followUp: () => endGuide }),
  ];
  for (const guide of guides) expect(() => guide.advance(0x61)).toThrow(RequestError);
});
