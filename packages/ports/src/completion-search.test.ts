import { afterEach, expect, test, vi } from 'vitest';
import { completionRecord } from './suites/stores/records.ts';
import { searchedLength, searchedWords } from './completion-search.ts';

afterEach(() => void vi.restoreAllMocks());

const tokens = String.raw`\n\u0041`.repeat(10 * searchedLength);

test.each([
  { name: 'one call', calls: [tokens] },
  { name: 'different calls', calls: Array.from({ length: 10 }, (_, index) => `${index}${tokens}`) },
  { name: 'equal calls', calls: Array.from({ length: 100 }, () => tokens.slice(0, searchedLength)) },
])('the work does not grow with the arguments of $name', ({ calls }) => {
  const replace = vi.spyOn(String.prototype, 'replace');
  const words = searchedWords(
    completionRecord({
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: calls.map((text, index) => ({
            id: `${index}`,
            type: 'function',
            function: { name: 'find', arguments: text },
          })),
        },
      ],
    }),
  );
  expect(words.flat()).toEqual(expect.arrayContaining(['find', 'a']));
  const lengths = replace.mock.contexts.map((text) => String(text).length);
  expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(10 * searchedLength);
});

test('characters that decompose into many are cut as well', () => {
  const words = searchedWords(
    completionRecord({ messages: [{ role: 'user', content: '\ufdfa'.repeat(searchedLength) }] }),
  );
  expect(words.flat().join('').length).toBeLessThanOrEqual(searchedLength);
});
