import { expect, test } from 'vitest';
import * as z from 'zod';
import { contract } from '../contract.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { parseFields } from './fields.ts';
import { emptyQuerySchema } from '../fields/paging.ts';

const endpointsWithQueries: readonly Pick<Endpoint, 'id' | 'query'>[] = Object.values(contract).filter(
  ({ query }) => query !== emptyQuerySchema,
);
const pagedLists = endpointsWithQueries.filter(({ query }) => 'limit' in query.shape);

test('every list has pages, except those of models and budgets', () => {
  const lists = Object.values(contract).filter(({ id }) => id.endsWith('.list'));
  expect(lists.filter((list) => !pagedLists.includes(list)).map(({ id }) => id)).toEqual([
    'models.list',
    'organization.budgets.list',
  ]);
  expect(pagedLists.length).toBeGreaterThan(12);
});

test.each(pagedLists)('a limit of 0 is refused by $id', ({ query }) => {
  const fields = [['limit', '0'], ...('start_time' in query.shape ? [['start_time', '1']] : [])];
  expect(
    parseFields(
      query,
      fields.map(([name = '', value = '']) => [name, value]),
    ),
  ).toMatchObject({
    problem: { code: 'integer_below_min_value', param: 'limit', message: expect.stringContaining('>= 1') as string },
  });
});

const optionalParameters = endpointsWithQueries.flatMap(({ id, query }) => {
  const isOptional = (name: string) => z.safeParse(query.shape[name] ?? z.never(), undefined).success;
  return Object.keys(query.shape)
    .filter(isOptional)
    .map((name) => ({ id, query, name, required: Object.keys(query.shape).filter((each) => !isOptional(each)) }));
});

test.each(optionalParameters)(
  '$id suggests the query parameter $name for a misspelled one',
  ({ query, name, required }) => {
    // The last two letters swapped.
    const misspelled = name.slice(0, -2) + name.slice(-1) + name.slice(-2, -1);
    const fields = [misspelled, ...required].map((field): [string, string] => [field, '1']);
    expect(parseFields(query, fields)).toMatchObject({
      problem: {
        code: 'unknown_parameter',
        param: misspelled,
        message: `Unknown parameter: '${misspelled}'. Did you mean '${name}'?`,
      },
    });
  },
);

test('the list of models ignores query parameters', () => {
  const query = new URLSearchParams('client_version=1.2.3&limit=0');
  expect(parseFields(contract['models.list'].query, query)).toEqual({ ok: true, value: {} });
});

test.each(
  (
    [
      'responses.retrieve',
      'responses.input_items.list',
      'conversations.items.list',
      'conversations.items.retrieve',
      'conversations.items.create',
    ] as const
  ).map((id) => ({ id, query: contract[id].query })),
)('$id takes the values of include that the API has, and refuses others', ({ query }) => {
  const include = ['file_search_call.results', 'reasoning.encrypted_content'];
  const known = new URLSearchParams(include.map((value): [string, string] => ['include[]', value]));
  expect(parseFields(query, known)).toMatchObject({ ok: true, value: { include } });
  expect(parseFields(query, new URLSearchParams('include=nonsense'))).toMatchObject({
    problem: { code: 'invalid_value', param: 'include[0]' },
  });
});
