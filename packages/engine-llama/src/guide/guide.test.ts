import { compileJsonSchema, compileRegex, GrammarError } from '@modelwire/grammar';
import { RequestError } from '@modelwire/ports';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { TextGrammar } from '../grammar/refusal.ts';
import { grammarGuide, quotedGuide } from './grammar-guide.ts';
import { advanceGuide, endGuide, literal, oneOf, textUntil } from './guide.ts';
import type { Guide } from './guide.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const follow = (guide: Guide, text: string): Guide | undefined => advanceGuide(guide, bytes(text));
const completed = (guide: Guide): string => new TextDecoder().decode(guide.completion());
const regex = (source: string): TextGrammar => ({
  grammar: compileRegex(source),
  place: { path: ['tools', 0], of: "custom tool 'x'", kind: 'grammar' },
});
const tool = { kind: 'custom', name: 'x' } as const;

/** The output bytes by channel. */
function told(guide: Guide, text: string): { text: string; input: string; mark: boolean } {
  const out: Record<string, number[]> = { text: [], input: [], none: [], mark: [] };
  let at: Guide | undefined = guide;
  for (const byte of bytes(text)) {
    const said = at!.says(byte);
    out[said.channel]!.push(said.byte);
    at = at!.advance(byte);
  }
  const read = (name: string): string => new TextDecoder().decode(Uint8Array.from(out[name]!));
  return { text: read('text'), input: read('input'), mark: out['mark']!.length > 0 };
}

test('a literal accepts exactly its bytes, and then what follows', () => {
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

test('text accepts anything up to its end marker', () => {
  const guide = textUntil('<<c>', () => literal('!', () => endGuide));
  expect(follow(guide, 'any text é < <<')?.canEnd).toBe(true);
  expect(follow(guide, 'any <<<c>!')?.mustEnd).toBe(true);
  expect(follow(guide, 'any <<<c>?')).toBeUndefined();
  expect(told(guide, 'a<<<c>')).toEqual({ text: 'a<<<c', input: '', mark: true });
});

test('finds the end marker as a search would', () => {
  const mark = 'aab';
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (letters) => {
      const text = letters.join('');
      const at = text.indexOf(mark);
      const guide = textUntil(mark, () => endGuide);
      if (at === -1) {
        const left = follow(guide, text);
        expect(left?.free).toBe(true);
        // The held bytes are the longest suffix of the text that is a prefix of the mark.
        const held = [2, 1, 0].find((length) => text.endsWith(mark.slice(0, length)));
        expect(left?.held).toBe(held);
      } else expect(follow(guide, text.slice(0, at + mark.length))?.mustEnd).toBe(true);
    }),
  );
});

test('continues after a grammar when it has ended', () => {
  const held: TextGrammar = {
    grammar: compileJsonSchema({ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }),
    place: { path: [], of: 'x', kind: 'schema' },
  };
  const guide = grammarGuide({ held, channel: 'input', tool, then: () => literal('!', () => endGuide) });
  expect(follow(guide, '{"a": 1}!')?.mustEnd).toBe(true);
  expect(follow(guide, '{"a": 1}')?.canEnd).toBe(false);
  expect(completed(guide)).toMatch(/^\{"a":\d\}!$/);
  expect(told(guide, '{"a": 12}!').input).toBe('{"a": 12}');
});

test('matches a quoted text against its grammar without escapes, and returns it without escapes', () => {
  const guide = quotedGuide({ held: regex('a"\\n[bc]'), tool, then: () => endGuide });
  expect(follow(guide, 'a\\"\\nb"')?.mustEnd).toBe(true);
  expect(told(guide, 'a\\"\\nb"').input).toBe('a"\nb');
  expect(follow(guide, 'a"')).toBeUndefined();
  expect(follow(guide, 'a\\n')).toBeUndefined();
  expect(completed(guide)).toMatch(/^a\\"\\n[bc]"$/);
  expect(completed(follow(guide, 'a\\')!)).toMatch(/^"\\n[bc]"$/);
});

test('any text can be quoted, with the escapes of JSON', () => {
  const guide = quotedGuide({ held: undefined, tool, then: () => endGuide });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/[\0-\x1f]/.test(text));
      const quoted = JSON.stringify(text).slice(1);
      expect(follow(guide, quoted)?.mustEnd).toBe(true);
      expect(told(guide, quoted).input).toBe(text);
    }),
  );
  expect(follow(guide, 'a\n')).toBeUndefined();
  expect(completed(follow(guide, 'so\\')!)).toMatch(/^[\\"nrt]"$/);
});

test('returns 400 for a grammar that becomes too ambiguous while it is matched', () => {
  const held = regex('a');
  vi.spyOn(held.grammar.start(), 'advanceByte').mockImplementation(() => {
    throw new GrammarError('limit', 'too ambiguous');
  });
  const guides = [grammarGuide({ held, channel: 'text' }), quotedGuide({ held, tool, then: () => endGuide })];
  for (const guide of guides) expect(() => guide.advance(0x61)).toThrow(RequestError);
});
