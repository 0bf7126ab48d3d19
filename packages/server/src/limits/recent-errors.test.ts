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
  const errors = createRecentErrors();
  expect(errors.list()).toEqual([]);
  for (let count = 1; count <= 1300; count++) {
    errors.add(failed(`req_${count}`));
    const listed = errors.list().map(({ requestId }) => requestId);
    const kept = Math.min(count, 500);
    expect([listed.length, listed[0], listed.at(-1)]).toEqual([kept, `req_${count}`, `req_${count - kept + 1}`]);
  }
});
