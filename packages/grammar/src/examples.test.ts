import { expect, it } from 'vitest';
import { constrainLogits } from '../examples/transformers.ts';
import { compileRegex, createTokenMasker } from './index.ts';

it('the example for transformers.js allows only tokens that the grammar allows', () => {
  const texts = ['', 'a', 'b', 'ab', 'ba', 'c'];
  const endToken = 0;
  const bytesOf = texts.map((text) => new TextEncoder().encode(text));
  const grammar = compileRegex('(ab)+c?');
  const process = constrainLogits({ grammar, masker: createTokenMasker(bytesOf), bytesOf, endToken, promptLength: 2 });
  const allowedAfter = (...tokens: number[]): number[] => {
    const data = Float32Array.from(texts, () => 1);
    process([[5n, 5n, ...tokens.map(BigInt)]], [{ data }]);
    return [...data.keys()].filter((id) => data[id] === 1);
  };
  expect(allowedAfter()).toEqual([1, 3]);
  expect(allowedAfter(1)).toEqual([2, 4]);
  expect(allowedAfter(1, 4)).toEqual([2, 4]);
  expect(allowedAfter(1, 4, 2)).toEqual([endToken, 1, 3, 5]);
  expect(allowedAfter(1, 4, 2, 5)).toEqual([endToken]);
});
