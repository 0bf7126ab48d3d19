import { beforeAll, describe, expect, test } from 'vitest';
import { samplingBias } from './distribution.ts';
import { exactTokens, sampleTemplate } from './token-source.ts';
import type { Template, TokenSource } from './token-source.ts';
import { seededRandom } from '../random.ts';
import { readConversation } from '../prompt/conversation.ts';
import { textReply } from '../reply/text-reply.ts';
import { endOfText, loadTokenizer } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});

/** The text that a source generates within a limit. */
function textOf(source: TokenSource, limit = 100): string {
  const bytes: Uint8Array[] = [];
  for (let left = limit; left > 0; left--) {
    const { id } = source(left);
    if (id === endOfText) break;
    bytes.push(tokenizer.bytes(id));
  }
  return Buffer.concat(bytes).toString();
}

describe('a template', () => {
  const template: Template = [
    [
      [1, 2],
      [3, 4],
    ],
    [[5]],
  ];
  const plain = {
    temperature: 1,
    top_p: 1,
    frequency_penalty: 0,
    presence_penalty: 0,
    ...samplingBias([]),
  };
  const drawn = (seed: string, sampling = plain): number[] => {
    const source = sampleTemplate(template, sampling, seededRandom(seed), tokenizer, undefined);
    return Array.from({ length: 4 }, () => source(9).id);
  };

  test('is followed in the wording whose first token is drawn, up to its end', () => {
    const all = Array.from({ length: 40 }, (_, seed) => drawn(String(seed)).join(' '));
    expect(new Set(all)).toEqual(new Set([`1 2 5 ${endOfText}`, `3 4 5 ${endOfText}`]));
  });

  test('ends where bias suppresses the next token, and continues after a token that replaces one', () => {
    expect(
      drawn('x', {
        ...plain,
        ...samplingBias([
          [2, -100],
          [3, -100],
        ]),
      }).slice(0, 2),
    ).toEqual([1, endOfText]);
    const forced = {
      ...plain,
      ...samplingBias([
        [42, 100],
        [endOfText, 200],
      ]),
    };
    expect(drawn('x', { ...forced, ...samplingBias([[42, 100]]) })).toEqual([42, 42, 42, 42]);
    expect(drawn('x', forced)[0]).toBe(endOfText);
  });

  test('has wordings that begin with different tokens', () => {
    const prompts = ['Hello', 'Who are you?', 'What is 2 + 2?', 'List 3 birds', 'Explain rivers', ''];
    for (const prompt of prompts) {
      const conversation = readConversation({
        messages: ['Before', prompt].map((content) => ({ role: 'user', content })),
      });
      for (const wordings of textReply(conversation, 'high').pieces) {
        const starts = wordings.map((wording) => tokenizer.encode(wording)[0]);
        expect([wordings, new Set(starts).size]).toEqual([wordings, wordings.length]);
      }
    }
  });
});

describe('an exact text', () => {
  test('is generated token by token, each with the probability 1', () => {
    const ids = tokenizer.encode('one two');
    const source = exactTokens(ids, tokenizer, 3);
    expect(ids.map(() => source(9).logprob)).toMatchObject([
      { token: 'one', logprob: 0, top_logprobs: [{ token: 'one', logprob: 0 }] },
      { token: ' two', logprob: 0, top_logprobs: [{ token: ' two', logprob: 0 }] },
    ]);
    expect(source(9)).toMatchObject({ id: endOfText, isCut: false });
  });

  test('is replaced by a shorter one when it no longer fits the limit', () => {
    const shorten = (ids: readonly number[], position: number, left: number): readonly number[] => [
      ...ids.slice(0, position + left - 1),
      ...tokenizer.encode('!'),
    ];
    const ids = tokenizer.encode('one two three four');
    expect(textOf(exactTokens(ids, tokenizer, undefined, shorten), 4)).toBe('one two three four');
    expect(textOf(exactTokens(ids, tokenizer, undefined, shorten), 3)).toBe('one two!');
    expect(textOf(exactTokens(ids, tokenizer, undefined), 3)).toBe('one two three');
  });
});
