import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStepLoop } from './step-loop.ts';

/** An evaluation whose end the test controls. */
function evaluation(name: string, log: string[]): { start: () => Promise<string>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    start: () => {
      log.push(name);
      return promise;
    },
    end: () => resolve(name),
  };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

test('the evaluations of a step settle together, and those queued in the meantime start in the next step', async () => {
  const loop = createStepLoop(256).forSequence(0);
  const log: string[] = [];
  const [one, two, three] = ['one', 'two', 'three'].map((name) => evaluation(name, log));
  const settled: string[] = [];
  const first = loop.run('reply', 1, one!.start).then((name) => settled.push(name));
  const second = loop.run('reply', 1, two!.start).then((name) => settled.push(name));
  await turns();
  const third = loop.run('reply', 1, three!.start).then((name) => settled.push(name));
  one!.end();
  await turns();
  expect(settled).toEqual([]);
  expect(log).toEqual(['one', 'two']);
  two!.end();
  await Promise.all([first, second]);
  expect(settled).toEqual(['one', 'two']);
  await turns();
  expect(log).toEqual(['one', 'two', 'three']);
  three!.end();
  await third;
});

test('a step contains the next tokens of all replies, and as many parts of prompts as fit', async () => {
  const loop = createStepLoop(256).forSequence(0);
  const log: string[] = [];
  const all = [
    loop.run('prompt', 200, async () => log.push('prompt of 200')),
    loop.run('prompt', 100, async () => log.push('prompt of 100')),
    loop.run('prompt', 40, async () => log.push('prompt of 40')),
    loop.run('reply', 1, async () => log.push('next token')),
    loop.run('reply', 9, async () => log.push('nine next tokens')),
  ];
  await Promise.all(all);
  expect(log).toEqual(['next token', 'nine next tokens', 'prompt of 200', 'prompt of 40', 'prompt of 100']);
});

test('a step starts its evaluations in the order of the sequences, each after the previous one has been queued', async () => {
  const loop = createStepLoop(256);
  const queued: string[] = [];
  const run = (position: number, microtasks: number): Promise<void> =>
    loop.forSequence(position).run('reply', 1, async () => {
      for (let count = 0; count < microtasks; count++) await Promise.resolve();
      queued.push(`sequence ${position}`);
    });
  await Promise.all([run(2, 1), run(0, 100), run(3, 2), run(1, 50)]);
  expect(queued).toEqual(['sequence 0', 'sequence 1', 'sequence 2', 'sequence 3']);
});

test('a failed evaluation rejects only its own promise', async () => {
  const loop = createStepLoop(256).forSequence(0);
  const failing = loop.run('reply', 1, () => Promise.reject(new Error('no memory')));
  const other = loop.run('reply', 1, () => Promise.resolve('value'));
  await expect(failing).rejects.toThrow('no memory');
  expect(await other).toBe('value');
  expect(await loop.run('reply', 1, () => Promise.resolve('next'))).toBe('next');
});
