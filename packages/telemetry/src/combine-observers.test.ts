import type { Observer, RequestObservation } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { combineObservers } from './combine-observers.ts';
import { noopObservation } from './noop-observation.ts';

const nothing = {
  headers: {},
  end: () => undefined,
  startUpstreamAttempt: () => ({ headers: {}, end: () => undefined }),
};

class Context implements RequestObservation {
  isActive = false;

  run<Result>(handle: () => Result): Result {
    this.isActive = true;
    const result = handle();
    this.isActive = false;
    return result;
  }

  startUpstreamAttempt = () => nothing;
  startQueueWait = () => noopObservation;
  startGeneration = () => nothing;
  startModeration = () => noopObservation;
  startTool = () => noopObservation;
  end = (): void => undefined;
}

const request = { method: 'GET', url: '/v1/models', route: '/v1/models', startedAt: 0, header: () => null };
const observer = (observation: RequestObservation | undefined): Observer => ({ startRequest: () => observation });

test('a request that one observer skips is observed by the other', () => {
  const observation = new Context();
  const skips = observer(undefined);
  expect(combineObservers(observer(observation), skips).startRequest(request)).toBe(observation);
  expect(combineObservers(skips, observer(observation)).startRequest(request)).toBe(observation);
  expect(combineObservers(skips, skips).startRequest(request)).toBeUndefined();
});

test('the second observer runs a request once, even if its handler returns undefined', () => {
  const context = new Context();
  const combined = combineObservers(observer(new Context()), observer(context));
  const handle = vi.fn(() => {
    expect(context.isActive).toBe(true);
  });
  combined.startRequest(request)?.run?.(handle);
  expect(handle).toHaveBeenCalledTimes(1);
});
