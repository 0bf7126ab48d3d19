import { beforeAll, describe, expect, test } from 'vitest';
import { Distribution } from './distribution.ts';
import { buildNgram } from './ngram.ts';
import type { Ngram } from './ngram.ts';
import { tokenizeScript } from './script.ts';
import { endOfText, loadTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import { startWalk } from './walk.ts';
import type { Marks, Walk } from './walk.ts';

let tokenizer: Tokenizer;
let ngram: Ngram;
let marks: Marks;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
  ngram = buildNgram(tokenizer, ['The old river is wide and slow. The old bridge is narrow.']);
  const fullStop = one('.');
  marks = { fullStop, endsSentence: (id) => id === fullStop };
});

const one = (text: string): number => tokenizer.encode(text)[0] ?? -1;
const begin = (...segments: string[][]): Walk => startWalk(tokenizeScript(segments, tokenizer), ngram, marks);

/** What is likeliest next. */
function likeliest(walk: Walk): { id: number; p: number } {
  const distribution = new Distribution();
  walk.expect(distribution);
  distribution.bend({ temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0, bias: [] }, new Map());
  const [top = { id: -1, logprob: -Infinity }] = distribution.top(1);
  return { id: top.id, p: Math.exp(top.logprob) };
}

/** Follows what is likeliest to the end. */
function rest(walk: Walk): string {
  let text = '';
  for (let i = 0; i < 200; i++) {
    const { id } = likeliest(walk);
    if (id === endOfText) return text;
    text += String(tokenizer.piece(id));
    walk.take(id);
  }
  throw new Error('the walk does not end');
}

describe('a walk', () => {
  test('follows the likeliest ways of its script to the end', () => {
    expect(rest(begin(['Good morning.', 'Hello.'], [' How are you?', ' What now?']))).toBe(
      'Good morning. How are you?',
    );
    expect(rest(begin())).toBe('');
  });

  test('expects the next token of the script with most of the probability', () => {
    const { id, p } = likeliest(begin(['Good morning.']));
    expect(id).toBe(one('Good'));
    expect(p).toBeGreaterThan(0.98);
  });

  test('goes on with the other way when its first token was drawn', () => {
    const walk = begin(['Good morning.', 'Hello there.'], [' How are you?']);
    walk.take(one('Hello'));
    expect(rest(walk)).toBe(' there. How are you?');
  });

  test('lets the likelier way end where it begins a longer one', () => {
    expect(rest(begin(['Good', 'Good morning'], ['.']))).toBe('Good.');
  });

  test('goes on with the n-gram model after a word that the model knows, and resumes with the next segment', () => {
    const walk = begin(['I like fish.'], [' You like bread.']);
    walk.take(one('I'));
    walk.take(one(' old'));
    expect(rest(walk)).toMatch(/^ (river|bridge) is .*\. You like bread\.$/);
  });

  test('lets a word that the model does not know stand in for the one of the script', () => {
    const walk = begin(['I like fish.'], [' You like bread.']);
    walk.take(one('I'));
    walk.take(one(' zebra'));
    expect(rest(walk)).toBe(' fish. You like bread.');
  });

  test('takes the end of a sentence for the end of the segment', () => {
    const walk = begin(['I like fish.'], [' You like bread.']);
    walk.take(one('I'));
    walk.take(marks.fullStop);
    expect(rest(walk)).toBe(' You like bread.');
  });

  test('comes back from a detour that finds no end of its own', () => {
    const endless = buildNgram(tokenizer, [' round and round and round and round']);
    const walk = startWalk(tokenizeScript([['I like fish.'], [' The end.']], tokenizer), endless, marks);
    walk.take(one(' round'));
    expect(rest(walk)).toMatch(/^( and| round)+\. The end\.$/);
  });

  test('expects 1 in all at each step', () => {
    const walk = begin(['Good morning.', 'Hello.']);
    for (const text of ['Good', ' old', ' river', ' is']) {
      let total = 0;
      walk.expect({ add: (_: number, p: number) => (total += p) } as unknown as Distribution);
      expect(total).toBeCloseTo(1, 9);
      walk.take(one(text));
    }
  });
});
