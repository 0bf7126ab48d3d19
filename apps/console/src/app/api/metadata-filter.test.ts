import { describe, expect, test } from 'vitest';
import { formatMetadataFilter, parseMetadataFilter, suggestFilters } from './metadata-filter.ts';

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

describe('the suggestions', () => {
  const keys = [
    { key: 'team', values: ['search', 'a,b'] },
    { key: 'a=b', values: ['c'] },
  ];

  test.each([
    ['', ['team=']],
    ['te', ['team=']],
    ['team=', ['team=search', 'team=a\\,b']],
    ['team=a\\,', ['team=search', 'team=a\\,b']],
    ['team=a\\,b,te', ['team=a\\,b,team=']],
    ['run=7, team=s', ['run=7,team=search', 'run=7,team=a\\,b']],
    ['none=', []],
    ['\\', ['team=']],
  ])('for %j are keys, or the values of its last key', (text, expected) => {
    expect(suggestFilters(text, keys)).toEqual(expected);
  });
});
