import { expect, test } from 'vitest';
import { interruptible } from './interruptible.ts';

const chunk = Uint8Array.of(1, 2);

/** A source that gives a chunk, and then what `second` resolves to. It is no generator, and counts the calls of `return()`. */
function sourceOf(second: () => Promise<IteratorResult<Uint8Array, undefined>>) {
  const source = {
    reads: 0,
    returns: 0,
    onReturn: (): Promise<void> => Promise.resolve(),
    [Symbol.asyncIterator]: () => ({
      next: () => (++source.reads === 1 ? Promise.resolve({ done: false as const, value: chunk }) : second()),
      async return() {
        source.returns++;
        await source.onReturn();
        return { done: true as const, value: undefined };
      },
    }),
  };
  return source;
}

const never = new Promise<never>(() => undefined);
const end = () => Promise.resolve({ done: true as const, value: undefined });

/** A signal that counts its listeners. */
function countedSignal() {
  const abort = new AbortController();
  const { signal } = abort;
  const counted = { abort, signal, listeners: 0 };
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    counted.listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    counted.listeners--;
    remove(...args);
  };
  return counted;
}

test('an abort while next() is pending rejects with its reason, and does not wait for return()', async () => {
  const source = sourceOf(() => never);
  source.onReturn = () => never;
  const counted = countedSignal();
  const chunks = interruptible(source, counted.signal);
  expect(await chunks.next()).toEqual({ done: false, value: chunk });
  const next = chunks.next();
  await Promise.resolve();
  counted.abort.abort(new Error('left'));
  await expect(next).rejects.toThrow('left');
  expect(source.returns).toBe(1);
  expect(counted.listeners).toBe(0);
});

test('after an abort between two chunks, the next read rejects when return() has ended', async () => {
  const source = sourceOf(end);
  const order: string[] = [];
  source.onReturn = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push('returned');
  };
  const abort = new AbortController();
  const chunks = interruptible(source, abort.signal);
  await chunks.next();
  abort.abort(new Error('left'));
  await expect(chunks.next().finally(() => order.push('rejected'))).rejects.toThrow('left');
  expect(order).toEqual(['returned', 'rejected']);
  expect(source.reads).toBe(1);
});

test('a consumer that stops waits for return()', async () => {
  const source = sourceOf(end);
  for await (const first of interruptible(source, new AbortController().signal)) {
    expect(first).toBe(chunk);
    break;
  }
  expect(source.returns).toBe(1);
});

test('return() is not called after the end of a source, and no listener is left', async () => {
  const source = sourceOf(end);
  const counted = countedSignal();
  expect(await Array.fromAsync(interruptible(source, counted.signal))).toEqual([chunk]);
  expect(source.returns).toBe(0);
  expect(counted.listeners).toBe(0);
});

test('return() is not called after the failure of a source, and no listener is left', async () => {
  const source = sourceOf(() => Promise.reject(new Error('failed')));
  const counted = countedSignal();
  await expect(Array.fromAsync(interruptible(source, counted.signal))).rejects.toThrow('failed');
  expect(source.returns).toBe(0);
  expect(counted.listeners).toBe(0);
});

function recordedWatch() {
  const calls: unknown[] = [];
  const start = () => {
    calls.push('start');
    return {
      receive: (bytes: number) => void calls.push(bytes),
      resume: () => void calls.push('resume'),
      end: () => void calls.push('end'),
    };
  };
  return { calls, start };
}

test('a watch is started by the first read, and told of each chunk, of each wait and of the end', async () => {
  const { calls, start } = recordedWatch();
  const chunks = interruptible(sourceOf(end), new AbortController().signal, start);
  expect(calls).toEqual([]);
  await Array.fromAsync(chunks);
  expect(calls).toEqual(['start', 2, 'resume', 'end']);
});

test('a watch ends with an abort, also if nothing more is read', async () => {
  const { calls, start } = recordedWatch();
  const abort = new AbortController();
  await interruptible(sourceOf(end), abort.signal, start).next();
  abort.abort();
  expect(calls).toEqual(['start', 2, 'end']);
});
