import { expect, test } from 'vitest';
import { untilAborted } from './until-aborted.ts';

test('rejects at an abort, before or during an operation that never ends', async () => {
  const never = new Promise<never>(() => undefined);
  const caller = new AbortController();
  const waiting = untilAborted(never, caller.signal);
  caller.abort(new Error('the client disconnected'));
  await expect(waiting).rejects.toThrow('the client disconnected');
  await expect(untilAborted(never, caller.signal)).rejects.toThrow('the client disconnected');
});

test('a failure after an abort is not an unhandled rejection', async () => {
  const caller = new AbortController();
  caller.abort(new Error('the client disconnected'));
  await expect(untilAborted(Promise.reject(new Error('later')), caller.signal)).rejects.toThrow(
    'the client disconnected',
  );
});

test('returns the result of an operation that ends before any abort', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(untilAborted(Promise.reject(new Error('it failed')), signal)).rejects.toThrow('it failed');
});
