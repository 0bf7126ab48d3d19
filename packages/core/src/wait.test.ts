import { describe, expect, test, vi } from 'vitest';
import { apiError, ConnectionError } from './errors.ts';
import { serve } from '../test/server.ts';
import type { Timeouts } from './transport/options.ts';
import { createTransport } from './transport/transport.ts';
import { sleep, waitFor } from './wait.ts';
import type { WaitOptions } from './wait.ts';

interface Job {
  readonly status: string;
}

/** Returns these statuses one after another and then repeats the last one; errors are thrown. */
function scriptedPoll(...list: (string | Error)[]): { poll: () => Promise<Job>; pollCount: () => number } {
  let count = 0;
  return {
    pollCount: () => count,
    async poll() {
      const next = list[Math.min(count++, list.length - 1)]!;
      if (typeof next !== 'string') throw next;
      return { status: next };
    },
  };
}

const hasEnded = ({ status }: Job): boolean => status === 'done';
const quick: WaitOptions<Job> = { pollMs: 1, maxPollMs: 1 };
const connectionError = new ConnectionError('broken');
const overloaded = apiError(503, 'overloaded', { headers: new Headers() });

describe('waitFor()', () => {
  test('polls until the end, reports each response, and continues at an unknown status', async () => {
    const { poll, pollCount } = scriptedPoll('queued', 'dreaming', 'done');
    const onUpdate = vi.fn();
    expect(await waitFor(poll, hasEnded, { ...quick, onUpdate })).toEqual({ status: 'done' });
    expect(onUpdate.mock.calls.flat()).toEqual([{ status: 'queued' }, { status: 'dreaming' }, { status: 'done' }]);
    expect(pollCount()).toBe(3);
  });

  test('ends when until() returns true', async () => {
    const { poll, pollCount } = scriptedPoll('queued', 'running', 'done');
    await waitFor(poll, hasEnded, { ...quick, until: ({ status }) => status === 'running' });
    expect(pollCount()).toBe(2);
  });

  test('multiplies the delay by 1.5 each time, up to maxPollMs', async () => {
    vi.useFakeTimers();
    try {
      const started = Date.now();
      const pollTimes: number[] = [];
      const waiting = waitFor(
        async () => {
          pollTimes.push(Date.now() - started);
          return { status: pollTimes.length < 6 ? 'queued' : 'done' };
        },
        hasEnded,
        { maxPollMs: 3000 },
      );
      await vi.runAllTimersAsync();
      await waiting;
      expect(pollTimes.slice(1).map((time, index) => time - pollTimes[index]!)).toEqual([1000, 1500, 2250, 3000, 3000]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('tolerates up to maxFailures consecutive failures', async () => {
    const recovering = scriptedPoll(connectionError, overloaded, 'queued', connectionError, connectionError, 'done');
    expect(await waitFor(recovering.poll, hasEnded, { ...quick, maxFailures: 2 })).toEqual({ status: 'done' });
    const failing = scriptedPoll('queued', connectionError);
    await expect(waitFor(failing.poll, hasEnded, { ...quick, maxFailures: 2 })).rejects.toBe(connectionError);
    expect(failing.pollCount()).toBe(4);
    const refused = scriptedPoll(apiError(404, 'no such job', { headers: new Headers() }));
    await expect(waitFor(refused.poll, hasEnded, quick)).rejects.toMatchObject({ name: 'NotFoundError' });
    expect(refused.pollCount()).toBe(1);
  });

  test('ends at timeoutMs', async () => {
    const { poll } = scriptedPoll('queued');
    await expect(waitFor(poll, hasEnded, { ...quick, timeoutMs: 20 })).rejects.toMatchObject({
      name: 'TimeoutError',
      phase: 'total',
    });
  });

  test('ends at timeoutMs during a pending request, too', async () => {
    const { baseURL, received } = await serve(() => undefined);
    const transport = createTransport({ baseURL, maxRetries: 0 });
    const poll = (timeouts: Timeouts | undefined): Promise<Job> =>
      transport.request<Job>({ method: 'GET', path: '/job' }, { timeouts });
    const waiting = waitFor(poll, hasEnded, { ...quick, timeoutMs: 1000 });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError', cause: { name: 'TimeoutError' } });
    expect(received.length).toBeGreaterThan(0);
    const receivedTimeouts: (Timeouts | undefined)[] = [];
    const done = async (timeouts: Timeouts | undefined): Promise<Job> => {
      receivedTimeouts.push(timeouts);
      return { status: 'done' };
    };
    await waitFor(done, hasEnded, quick);
    await waitFor(done, hasEnded, { timeouts: { total: 0, idle: 5 } });
    await waitFor(done, hasEnded, { timeouts: { total: 10, idle: 5 }, timeoutMs: 60_000 });
    expect(receivedTimeouts).toEqual([undefined, { total: 0, idle: 5 }, { total: 10, idle: 5 }]);
  });

  test('has the last failure as the cause when there was no response before timeoutMs', async () => {
    const { poll } = scriptedPoll('queued', connectionError);
    const waiting = waitFor(poll, hasEnded, { ...quick, timeoutMs: 20, maxFailures: Infinity });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError', cause: connectionError });
  });
});

describe('sleep()', () => {
  test('does not resolve immediately when the delay overflows a timer', async () => {
    vi.useFakeTimers();
    try {
      let isOver = false;
      void sleep(2 ** 31, undefined).then(() => (isOver = true));
      await vi.advanceTimersByTimeAsync(60_000);
      expect(isOver).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  test('rejects when the signal is or becomes aborted, and leaves no listener', async () => {
    await expect(sleep(60_000, AbortSignal.abort('enough'))).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
    });
    const controller = new AbortController();
    const waiting = sleep(60_000, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    await sleep(1, signal);
    expect(remove).toHaveBeenCalledOnce();
  });
});
