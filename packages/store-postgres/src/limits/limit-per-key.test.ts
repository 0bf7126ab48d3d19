import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLimitPerKey } from './limit-per-key.ts';

/** Calls that start in `started`, and end when `end` is called with their name. */
function calls() {
  const limitPerKey = createLimitPerKey(2);
  const started: string[] = [];
  const ends = new Map<string, { resolve(): void; reject(reason: Error): void }>();
  const call = (key: string | undefined, name: string) =>
    limitPerKey(key, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) => ends.set(name, { resolve: () => resolve(name), reject }));
    });
  return {
    call,
    started,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

test('two calls with a key run at once, the others in their order; other keys and calls without one do not wait', async () => {
  const { call, started, end } = calls();
  const results = [
    call('a', 'a1'),
    call('a', 'a2'),
    call('a', 'a3'),
    call('a', 'a4'),
    call('b', 'b1'),
    call(undefined, 'none'),
  ];
  await setImmediate();
  expect(started.toSorted()).toEqual(['a1', 'a2', 'b1', 'none']);
  for (const name of ['a2', 'a1', 'a3', 'a4', 'b1', 'none']) {
    end(name);
    await setImmediate();
  }
  expect(started.slice(4)).toEqual(['a3', 'a4']);
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'none']);
});

test('a call that fails lets the next one run', async () => {
  const { call, started, fail, end } = calls();
  const results = ['1', '2', '3'].map((name) => call('a', name));
  await setImmediate();
  fail('1');
  await expect(results[0]).rejects.toThrow('1');
  await setImmediate();
  expect(started).toEqual(['1', '2', '3']);
  end('2');
  end('3');
  expect(await Promise.all(results.slice(1))).toEqual(['2', '3']);
});
