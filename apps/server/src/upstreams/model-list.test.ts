import { expect, test } from 'vitest';
import { parseModelList } from './model-list.ts';

const ids = (value: unknown) => [...parseModelList(value).models.keys()];
const problemOf = (value: unknown) => expect.soft(() => parseModelList(value));

test.each<[string, unknown, readonly string[]]>([
  ['the list of the API', { object: 'list', data: [{ id: 'a', object: 'model' }, { id: 'b' }] }, ['a', 'b']],
  ['a bare array', [{ id: 'a' }, { id: 'b' }], ['a', 'b']],
  ['IDs in `data`', { data: ['a', 'b'] }, ['a', 'b']],
  ['a bare array of IDs', ['a', 'b'], ['a', 'b']],
  ['IDs and objects', ['a', { id: 'b' }], ['a', 'b']],
  ['`models` with `name` and `model`', { models: [{ name: 'a', model: 'a:1b' }, { name: 'b' }] }, ['a:1b', 'b']],
  ['`models` beside `data: null`', { data: null, models: ['a'] }, ['a']],
  ['`models` beside `data`, as of llama.cpp', { models: [{ name: 'x' }], data: [{ id: 'a' }] }, ['a']],
  [
    'a name beside an ID of no use',
    [
      { id: 7, name: 'a' },
      { id: '', name: 'b' },
      { id: null, name: 'c' },
    ],
    ['a', 'b', 'c'],
  ],
  ['an object by ID', { data: { a: { owned_by: 'them' }, b: {} } }, ['a', 'b']],
  ['an object by index', { data: { 0: { id: 'a' }, 1: { id: 'b' } } }, ['a', 'b']],
  ['one model', { data: { id: 'a', object: 'model' } }, ['a']],
  ['IDs that are names of methods of objects', ['__proto__', 'constructor'], ['__proto__', 'constructor']],
  ['an empty list', { object: 'list', data: [] }, []],
  ['an empty list as null', { object: 'list', data: null }, []],
  ['`error: null` beside models', { error: null, data: [{ id: 'a' }] }, ['a']],
])('reads %s', (_, value, expected) => {
  expect(ids(value)).toEqual(expected);
});

test('skips entries without a usable ID, and says why', () => {
  const { models, skipped } = parseModelList({
    data: [
      { id: 'good' },
      { id: null, object: 'model' },
      { object: 'model' },
      { id: 7 },
      { id: '', name: ' ' },
      { id: { name: 'x' }, name: ['x'] },
      null,
      12,
      '',
      ['x'],
      { id: 'x'.repeat(513) },
      'line\nfeed',
      { id: 'half \ud800' },
      { id: 'also good' },
    ],
  });
  expect([...models.keys()]).toEqual(['good', 'also good']);
  expect(skipped).toEqual([
    { entry: 'id: null', cause: 'no ID' },
    { entry: 'an object without a name', cause: 'no ID' },
    { entry: 'id: 7', cause: 'no ID' },
    { entry: 'id: "", name: " "', cause: 'no ID' },
    { entry: 'id: an object, name: an array', cause: 'no ID' },
    { entry: 'null', cause: 'no ID' },
    { entry: '12', cause: 'no ID' },
    { entry: '""', cause: 'no ID' },
    { entry: 'an array', cause: 'no ID' },
    { entry: `id: "${'x'.repeat(80)}"`, cause: 'an ID of more than 512 characters' },
    { entry: '"line\\nfeed"', cause: 'control characters in the ID' },
    { entry: 'id: "half \\ud800"', cause: 'control characters in the ID' },
  ]);
});

test('skips entries of an object by ID that are no objects', () => {
  const { models, skipped } = parseModelList({ data: { a: {}, '': {}, b: 7 } });
  expect([...models.keys()]).toEqual(['a']);
  expect(skipped.map(({ cause }) => cause)).toEqual(['no ID', 'no ID']);
});

test('ignores fields with unusable values, and keeps the others', () => {
  const entry = {
    id: 'a',
    owned_by: 'line\nfeed',
    created: '2026-01-01',
    architecture: 'transformer',
    type: 'embedding',
  };
  expect(parseModelList([entry]).models.get('a')).toEqual({ id: 'a', type: 'embedding' });
});

test('takes the first of several entries with the same ID', () => {
  const { models, skipped } = parseModelList([{ id: 'a', owned_by: 'one' }, { id: 'a', owned_by: 'two' }, 'a']);
  expect([...models.values()]).toEqual([{ id: 'a', owned_by: 'one' }]);
  expect(skipped).toEqual([]);
});

test('reads at most 10,000 models', () => {
  const { models, skipped } = parseModelList(Array.from({ length: 10_005 }, (_, index) => `model-${index}`));
  expect(models.size).toBe(10_000);
  expect(skipped).toEqual([{ entry: 'all further entries', cause: 'more than 10000 models' }]);
});

test.each<[string, unknown]>([
  ['an error', { error: { message: 'quota exceeded' } }],
  ['an error beside `data: null`', { object: 'list', data: null, error: 'quota exceeded' }],
  ['an error beside an empty list', { object: 'list', data: [], error: { code: 429 } }],
  ['an error with details in `data`', { success: false, data: { details: { reason: 'quota' } } }],
  ['an object of the type error', { object: 'error', message: 'x', code: 500 }],
])('%s with status 200 is a problem, not an empty list', (_, value) => {
  problemOf(value).toThrow('an error with status 200');
});

test.each<[string, unknown]>([
  ['a text', 'OK'],
  ['no JSON', undefined],
  ['null', null],
  ['an object without a list', { detail: 'Not Found' }],
  ['`data: null` of an object that is no list', { message: 'unauthorized', data: null }],
  ['a text as `data`', { data: 'a, b' }],
])('%s is no list of models', (_, value) => {
  problemOf(value).toThrow('no list of models');
});

test.each<[string, unknown]>([
  ['an array with an error', [{ error: { code: 500, message: 'internal' } }]],
  ['entries without IDs', { data: [{ object: 'model' }, null] }],
  ['an object that is not by ID', { data: { total: 3, page: 1 } }],
])('%s is a problem, so that the known models remain', (_, value) => {
  problemOf(value).toThrow('a list of models without a usable entry');
});

test('skips an entry that is nested very deeply', () => {
  const deep: unknown = JSON.parse(`[{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}},"a"]`);
  expect(ids(deep)).toEqual(['a']);
});
