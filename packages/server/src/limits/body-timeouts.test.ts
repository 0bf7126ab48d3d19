import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withBodyTimeouts } from './body-timeouts.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const timeouts = { idleTimeoutMs: 100, totalTimeoutMs: 10_000, minRate: { bytes: 1, perMs: 10_000 } };

async function* oneChunkThenSilence(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1);
  await new Promise(() => undefined);
}

test('a body of which nothing more is read leaves no timer behind when its request ends', async () => {
  const abort = new AbortController();
  await withBodyTimeouts(oneChunkThenSilence(), timeouts, abort).next();
  expect(vi.getTimerCount()).toBe(1);
  abort.abort(new Error('refused'));
  expect(vi.getTimerCount()).toBe(0);
});

test('a body that stops arriving aborts with a 408, and its timer ends', async () => {
  const abort = new AbortController();
  const chunks = withBodyTimeouts(oneChunkThenSilence(), timeouts, abort);
  await chunks.next();
  const next = chunks.next();
  await Promise.resolve();
  vi.advanceTimersByTime(1000);
  await expect(next).rejects.toMatchObject({ status: 408 });
  expect(abort.signal.reason).toMatchObject({ status: 408 });
  expect(vi.getTimerCount()).toBe(0);
});

test('another signal ends the body with its reason, and the timer', async () => {
  const [abort, other] = [new AbortController(), new AbortController()];
  const chunks = withBodyTimeouts(oneChunkThenSilence(), timeouts, abort, other.signal);
  await chunks.next();
  const next = chunks.next();
  other.abort(new Error('left'));
  await expect(next).rejects.toThrow('left');
  expect(abort.signal.aborted).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
