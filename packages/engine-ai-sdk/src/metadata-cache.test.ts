import { expect, test } from 'vitest';
import { createMetadataCache } from './metadata-cache.ts';
import type { ProviderMetadata } from './provider-metadata.ts';

const metadata = (...ids: readonly string[]): ProviderMetadata => ({
  provider: 'anthropic',
  parts: ids.map((id) => ({ type: 'tool_call', id })),
});

test('finds the metadata of a reply by each of its tool calls, within its project', () => {
  const cache = createMetadataCache(1000);
  cache.add('one', metadata('a', 'b'));
  expect(cache.find('one', 'a')).toEqual(metadata('a', 'b'));
  expect(cache.find('one', 'b')).toEqual(metadata('a', 'b'));
  expect(cache.find('two', 'a')).toBeUndefined();
  expect(cache.find('one', 'c')).toBeUndefined();
});

test('drops the oldest replies when it is full', () => {
  const cache = createMetadataCache(2 * JSON.stringify(metadata('a')).length);
  for (const id of ['a', 'b', 'c']) cache.add('one', metadata(id));
  cache.add('one', metadata('c'));
  expect(['a', 'b', 'c'].map((id) => cache.find('one', id) !== undefined)).toEqual([false, true, true]);
});
