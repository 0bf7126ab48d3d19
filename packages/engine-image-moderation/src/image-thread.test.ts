import { expect, onTestFinished, test } from 'vitest';
import { createImageThread } from './image-thread.ts';

const program = new URL('./testing/hanging-thread.ts', import.meta.url);
const never = new AbortController().signal;
const hanging = { bytes: new Uint8Array(), limits: { frames: 0, maxPixels: 1 } };
const quick = { bytes: new Uint8Array(), limits: { frames: 1, maxPixels: 1 } };

function open(init: { maxWaiting: number; timeoutMs: number }) {
  const imageThread = createImageThread({ ...init, program });
  onTestFinished(() => imageThread.close());
  return imageThread;
}

test('returns 504 moderation_timeout for an image that takes too long, and examines the next in a new thread', async () => {
  const imageThread = open({ maxWaiting: 8, timeoutMs: 5000 });
  const [first, second] = await Promise.allSettled([imageThread.run(hanging, never), imageThread.run(quick, never)]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'moderation_timeout' } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { type: 'unreadable' } });
});

test('an image whose client disconnected frees its place in the queue', async () => {
  const imageThread = open({ maxWaiting: 1, timeoutMs: 5000 });
  const first = imageThread.run(hanging, never).catch((error: unknown) => error);
  const leaving = new AbortController();
  const left = imageThread.run(quick, leaving.signal);
  expect(() => imageThread.run(quick, never)).toThrow(expect.objectContaining({ status: 503, code: 'overloaded' }));
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const next = imageThread.run(quick, never);
  expect(await first).toMatchObject({ code: 'moderation_timeout' });
  await expect(next).resolves.toEqual({ type: 'unreadable' });
});
