import { expect, test } from 'vitest';
import { flattenErrors, errorLogFields } from './error-log-fields.ts';

test('returns name, code and outage of each error in nested AggregateErrors, without messages', () => {
  const outage = { dependency: 'postgres', cause: 'timeout' };
  const refused = Object.assign(new TypeError('secret'), { code: 'ECONNREFUSED' });
  const engines = new AggregateError([refused], 'engines were not closed');
  const server = new AggregateError([engines, Object.assign(new Error('secret'), { outage })], 'not closed');
  const stopping = new AggregateError([server, 'a string'], 'not stopped');
  expect(flattenErrors(stopping).map(errorLogFields)).toEqual([
    { error: 'TypeError', code: 'ECONNREFUSED' },
    { error: 'Error', outage },
    { error: 'string' },
  ]);
});
