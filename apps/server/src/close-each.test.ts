import { expect, test } from 'vitest';
import { closeEach } from './close-each.ts';

test('what cannot be closed keeps nothing after it open, and is thrown at the end', async () => {
  const closed: string[] = [];
  const failure = new Error('stuck');
  const closing = closeEach([
    () => Promise.reject(failure),
    async () => void closed.push('http'),
    async () => void closed.push('blobs'),
    () => Promise.reject(failure),
    async () => void closed.push('stores'),
  ]);
  await expect(closing).rejects.toMatchObject({ errors: [failure, failure], message: '2 of 5 could not be closed' });
  expect(closed).toEqual(['http', 'blobs', 'stores']);
});
