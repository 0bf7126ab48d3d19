import { compileRegex } from '@modelwire/grammar';
import type { Token } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import { grammarGuide } from '../guide/grammar-guide.ts';
import { anyText, literal } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import type { TextGrammar } from '../guide/text-grammar.ts';
import { createForcedTokenLookup } from './forced-tokens.ts';

const texts = ['{', '"', ':', '}', 'n', 'a', 'm', 'e', 'na', 'name', '{"', '":', '":"', '1', '12', 'ß'];
const tokens = [...texts.map((text) => new TextEncoder().encode(text)), Uint8Array.of(0xc3), Uint8Array.of(0x9f)];
const bytes = (id: Token): Uint8Array => tokens[id]!;
const isAt = (given: Uint8Array, at: number, token: Uint8Array): boolean =>
  token.every((byte, index) => byte === given[at + index]);
/** The longest token at each position. */
const encode = (given: Uint8Array): readonly Token[] => {
  const found: Token[] = [];
  for (let at = 0; at < given.length; at += tokens[found.at(-1)!]!.length) {
    const ids = tokens.map((_, id) => id as Token).filter((id) => isAt(given, at, bytes(id)));
    found.push(ids.sort((a, b) => bytes(b).length - bytes(a).length)[0]!);
  }
  return found;
};
const startingWith = (byte: number): readonly Token[] =>
  tokens.flatMap((token, id) => (token[0] === byte ? [id as Token] : []));
const vocabulary = {
  ...{ size: tokens.length, bytes, encode, startingWith, endTokens: [] },
  isToken: (id: number): id is Token => id in tokens,
  isEnd: () => false,
  describe: () => ({ token: '', bytes: null }),
  findControlTokens: () => [],
  hasToken: () => false,
};
const forcedTokens = createForcedTokenLookup(vocabulary);
const forcedTexts = (guide: Guide): string[] => forcedTokens(guide).map((id) => new TextDecoder().decode(bytes(id)));
const regex = (definition: string): TextGrammar => ({
  grammar: compileRegex(definition),
  origin: { source: { type: 'regex', definition }, path: ['tools', 0], of: "custom tool 'x'" },
});
const followedByText = (source: string): Guide =>
  grammarGuide({ constraint: regex(source), channel: 'text', followUp: () => anyText });

test('a required text is returned without its last token, which could be the start of a longer one', () => {
  expect(forcedTexts(literal('{"name":', () => anyText))).toEqual(['{"', 'name']);
  expect(forcedTexts(followedByText('\\{"name":(1|"a")'))).toEqual(['{"', 'name']);
});

test('a required text at the end of the reply is returned as a whole', () => {
  const guide = grammarGuide({ constraint: regex('na(me":1|12)\\}'), channel: 'text' });
  expect(forcedTexts(guide)).toEqual([]);
  const decided = [...new TextEncoder().encode('nam')].reduce((at, byte) => at.advance(byte)!, guide);
  expect(forcedTexts(decided)).toEqual(['e', '":', '1', '}']);
});

test('nothing is required where the next token is a choice, any text is allowed or the text can end', () => {
  expect(forcedTexts(followedByText('1|n'))).toEqual([]);
  expect(forcedTexts(anyText)).toEqual([]);
  expect(forcedTexts(followedByText('(name)?'))).toEqual([]);
});

test('a required text ends and starts with whole characters', () => {
  const guide = followedByText('nameß(n|a)');
  expect(forcedTexts(guide)).toEqual(['name']);
  expect(forcedTexts(literal('nameß', () => literal('name', () => anyText)))).toEqual(['name', 'ß']);
  const within = [...new TextEncoder().encode('nameß')].slice(0, -1).reduce((at, byte) => at.advance(byte)!, guide);
  expect(forcedTokens(within)).toEqual([]);
});

test('of a long required text, the first tokens are returned', () => {
  expect(forcedTexts(literal('name'.repeat(100), () => anyText))).toEqual(new Array(15).fill('name'));
});
