import { expect, test } from 'vitest';
import { untilAborted } from './until-aborted.ts';

test('What never ends is given up at an abort, before it or while it runs', async () => {
  const never = new Promise<never>(() => undefined);
  const caller = new AbortController();
  const waiting = untilAborted(never, caller.signal);
  caller.abort(new Error('the caller left'));
  await expect(waiting).rejects.toThrow('the caller left');
  await expect(untilAborted(never, caller.signal)).rejects.toThrow('the caller left');
});

test('What fails after an abort fails for nobody', async () => {
  const caller = new AbortController();
  caller.abort(new Error('the caller left'));
  await expect(untilAborted(Promise.reject(new Error('later')), caller.signal)).rejects.toThrow('the caller left');
});

test('What ends before any abort is what it is', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(untilAborted(Promise.reject(new Error('it failed')), signal)).rejects.toThrow('it failed');
});
