import { expect, test } from 'vitest';
import { causesOf, namesOf } from './logged-error.ts';

test('logs each error of nested AggregateErrors by its name, code and outage, without its message', () => {
  const outage = { dependency: 'postgres', cause: 'timeout' };
  const refused = Object.assign(new TypeError('secret'), { code: 'ECONNREFUSED' });
  const engines = new AggregateError([refused], 'engines were not closed');
  const server = new AggregateError([engines, Object.assign(new Error('secret'), { outage })], 'not closed');
  const stopping = new AggregateError([server, 'a string'], 'not stopped');
  expect(causesOf(stopping).map(namesOf)).toEqual([
    { error: 'TypeError', code: 'ECONNREFUSED' },
    { error: 'Error', outage },
    { error: 'string' },
  ]);
});
