import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('runs at most as many operations at once as it has permits, in order', async () => {
  const semaphore = createSemaphore(2);
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const runs = [0, 1, 2, 3].map((index) =>
    semaphore.run(async () => {
      started.push(index);
      await new Promise<void>((resolve) => finish.push(resolve));
    }),
  );
  await expect.poll(() => started).toEqual([0, 1]);
  finish[1]?.();
  await expect.poll(() => started).toEqual([0, 1, 2]);
  finish[0]?.();
  await expect.poll(() => started).toEqual([0, 1, 2, 3]);
  for (const end of finish) end();
  await Promise.all(runs);
});

test('rejects with the reason of a signal that aborts while waiting, and leaves the queue', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  const controller = new AbortController();
  const aborted = semaphore.acquire(controller.signal);
  const next = semaphore.acquire();
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  release();
  (await next)();
  await expect(semaphore.acquire(controller.signal)).rejects.toThrow('enough');
});

test('releases a permit after a failure, and only once', async () => {
  const semaphore = createSemaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const release = await semaphore.acquire();
  release();
  release();
  await semaphore.acquire();
  const waiting = semaphore.acquire(AbortSignal.abort(new Error('still taken')));
  await expect(waiting).rejects.toThrow('still taken');
});
