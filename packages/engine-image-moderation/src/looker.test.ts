import { expect, onTestFinished, test } from 'vitest';
import { looker } from './looker.ts';

const program = new URL('./testing/hanging-thread.ts', import.meta.url);
const never = new AbortController().signal;
const hanging = { bytes: new Uint8Array(), limits: { frames: 0, maxPixels: 1 } };
const quick = { bytes: new Uint8Array(), limits: { frames: 1, maxPixels: 1 } };

function open(init: { maxWaiting: number; timeoutMs: number }) {
  const looking = looker({ ...init, program });
  onTestFinished(() => looking.close());
  return looking;
}

test('an image that takes too long is a 504 moderation_timeout, and what waits behind it is examined in a new thread', async () => {
  const looking = open({ maxWaiting: 8, timeoutMs: 5000 });
  const [first, second] = await Promise.allSettled([looking.look(hanging, never), looking.look(quick, never)]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'moderation_timeout' } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { type: 'unreadable' } });
});

test('an image whose caller left frees its place in the queue', async () => {
  const looking = open({ maxWaiting: 1, timeoutMs: 5000 });
  const first = looking.look(hanging, never).catch((error: unknown) => error);
  const leaving = new AbortController();
  const left = looking.look(quick, leaving.signal);
  expect(() => looking.look(quick, never)).toThrow(expect.objectContaining({ status: 503, code: 'overloaded' }));
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const next = looking.look(quick, never);
  expect(await first).toMatchObject({ code: 'moderation_timeout' });
  await expect(next).resolves.toEqual({ type: 'unreadable' });
});
