import { expect, test } from 'vitest';
import { formatMetadataFilter, parseMetadataFilter } from './metadata-filter.ts';

test('a filter has pairs separated by commas; what has no key is left out', () => {
  expect(parseMetadataFilter(' team=search, run = 7,nothing,=x,')).toEqual({ team: 'search', run: '7' });
  expect(parseMetadataFilter('')).toEqual({});
});

test.each<Readonly<Record<string, string>>>([
  { dataset: 'a,b=c', team: 'x' },
  { path: 'C:\\new,', end: '\\' },
  { 'a,b': '\\,' },
])('commas and backslashes of %o stay in their pair', (metadata) => {
  expect(parseMetadataFilter(formatMetadataFilter(metadata))).toEqual(metadata);
});
