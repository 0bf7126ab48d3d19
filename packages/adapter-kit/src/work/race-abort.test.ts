import { expect, test } from 'vitest';
import { raceAbort } from './race-abort.ts';

test('rejects when the signal aborts before or during an operation that never ends', async () => {
  const never = new Promise<never>(() => undefined);
  const caller = new AbortController();
  const waiting = raceAbort(never, caller.signal);
  caller.abort(new Error('the client disconnected'));
  await expect(waiting).rejects.toThrow('the client disconnected');
  await expect(raceAbort(never, caller.signal)).rejects.toThrow('the client disconnected');
});

test('a failure after an abort is not an unhandled rejection', async () => {
  const caller = new AbortController();
  caller.abort(new Error('the client disconnected'));
  await expect(raceAbort(Promise.reject(new Error('later')), caller.signal)).rejects.toThrow('the client disconnected');
});

test('returns the result of an operation that ends before an abort', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(Promise.resolve(7), signal)).toBe(7);
  await expect(raceAbort(Promise.reject(new Error('it failed')), signal)).rejects.toThrow('it failed');
});
