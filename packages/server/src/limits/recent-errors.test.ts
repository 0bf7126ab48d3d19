import { expect, test } from 'vitest';
import { createRecentErrors } from './recent-errors.ts';
import type { FailedRequest } from './recent-errors.ts';

const failed = (requestId: string): FailedRequest => ({
  requestId,
  at: 1,
  route: '/v1/embeddings',
  status: 400,
  code: 'invalid_value',
  param: 'input',
  project: 'default',
  keyId: 'key_1',
  model: '',
  upstreamFailure: undefined,
  batch: undefined,
});

test('lists the newest errors first, and drops the oldest', () => {
  const errors = createRecentErrors(3);
  expect(errors.list()).toEqual([]);
  for (let count = 1; count <= 8; count++) {
    errors.add(failed(`req_${count}`));
    const expected = [count, count - 1, count - 2].filter((number) => number > 0).map((number) => `req_${number}`);
    expect(errors.list().map(({ requestId }) => requestId)).toEqual(expected);
  }
});
