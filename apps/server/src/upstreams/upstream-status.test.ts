import { getText } from '@modelwire/engine-upstream/internal';
import { freePort } from '@modelwire/ports/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkUpstream } from './request-models.ts';
import { upstreamProblem, UpstreamProblem } from './upstream-problem.ts';
import { createUpstreamStatuses } from './upstream-status.ts';

test.each(['127.0.0.1', 'localhost'])('names the system error of a refused connection to %s', async (host) => {
  const thrown: unknown = await checkUpstream({ baseURL: `http://${host}:${await freePort()}/v1` }, getText).catch(
    (error: unknown) => error,
  );
  expect(upstreamProblem(thrown)).toMatchObject({ kind: 'unreachable', message: 'ECONNREFUSED' });
});

test('logs each change once, with the URL and the cause', () => {
  const lines: unknown[][] = [];
  const log = (...line: unknown[]): void => void lines.push(line);
  const statuses = createUpstreamStatuses([{ name: 'a', baseURL: 'http://a/v1' }], { info: log, warn: log });
  expect(statuses.all()).toEqual([{ upstream: 'a', status: 'unknown' }]);
  statuses.succeeded('a');
  statuses.failed('a', new UpstreamProblem('unreachable', 'ECONNREFUSED'));
  statuses.failed('a', new UpstreamProblem('unreachable', 'ECONNREFUSED'));
  expect(statuses.isAnyUsable()).toBe(false);
  statuses.failed('a', new UpstreamProblem('authentication_failed', 'status 401'));
  statuses.succeeded('a');
  expect(lines).toEqual([
    [{ upstream: 'a', url: 'http://a/v1', cause: 'ECONNREFUSED' }, 'an upstream is unreachable'],
    [{ upstream: 'a', url: 'http://a/v1', cause: 'status 401' }, 'an upstream refused the configured API key'],
    [{ upstream: 'a', url: 'http://a/v1' }, 'an upstream is available again'],
  ]);
  expect(statuses.all()).toEqual([{ upstream: 'a', status: 'available' }]);
});

test('an error began with the first failed check, also if its cause has changed', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const statuses = createUpstreamStatuses([{ name: 'a', baseURL: 'http://a/v1' }], { info() {}, warn() {} });
  const failAfter = (seconds: number, message: string) => {
    vi.advanceTimersByTime(seconds * 1000);
    statuses.failed('a', new UpstreamProblem('unreachable', message));
    return statuses.checks()[0]?.lastError;
  };
  expect(failAfter(0, 'ECONNREFUSED')).toEqual({ message: 'ECONNREFUSED', since: 1000, at: 1000 });
  expect(failAfter(30, 'ETIMEDOUT')).toEqual({ message: 'ETIMEDOUT', since: 1000, at: 1030 });
  statuses.succeeded('a');
  expect(failAfter(30, 'ECONNREFUSED')).toEqual({ message: 'ECONNREFUSED', since: 1060, at: 1060 });
});
