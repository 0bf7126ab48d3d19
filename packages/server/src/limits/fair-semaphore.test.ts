import { expect, test } from 'vitest';
import { createFairSemaphore } from './fair-semaphore.ts';

/** Lines that ask for a turn; each that got one is noted by its project, and ends when told. */
function asking(most: number) {
  const turns = createFairSemaphore(most);
  const never = new AbortController().signal;
  const began: string[] = [];
  const ends: { readonly project: string; readonly leave: () => void }[] = [];
  const ask = async (project: string, count: number, signal = never): Promise<void> => {
    for (let line = 0; line < count; line++) {
      void turns.acquire(project, signal).then(
        (leave) => {
          began.push(project);
          ends.push({ project, leave });
        },
        () => undefined,
      );
    }
    await settled();
  };
  /** Ends the line that is at work longest, of this project or any. */
  const end = async (project?: string): Promise<void> => {
    const index = project === undefined ? 0 : ends.findIndex((one) => one.project === project);
    ends.splice(index, 1)[0]?.leave();
    await settled();
  };
  return { ask, end, began, atWork: () => ends.map(({ project }) => project).toSorted() };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs at most the maximum number of lines', async () => {
  const { ask, end, atWork } = asking(3);
  await ask('a', 10);
  expect(atWork()).toEqual(['a', 'a', 'a']);
  await end();
  expect(atWork()).toEqual(['a', 'a', 'a']);
});

test('a project that arrives late gets the next permits until it has its share', async () => {
  const { ask, end, began, atWork } = asking(4);
  await ask('large', 100);
  await ask('small', 3);
  expect(atWork()).toEqual(['large', 'large', 'large', 'large']);
  await end('large');
  await end('large');
  expect(began.slice(4)).toEqual(['small', 'small']);
  // Both have half: each gives its turns to its own.
  await end('small');
  expect(began.at(-1)).toBe('small');
  await end('large');
  expect(began.at(-1)).toBe('large');
  // Nobody waits for what the small one leaves.
  await end('small');
  await end('small');
  expect(atWork()).toEqual(['large', 'large', 'large', 'large']);
});

test('with a single permit, projects take turns', async () => {
  const { ask, end, began } = asking(1);
  await ask('a', 5);
  await ask('b', 5);
  await ask('c', 2);
  for (let ended = 0; ended < 11; ended++) await end();
  expect(began.join('')).toBe('abcabcababab');
});

test('an aborted waiter leaves its permit to others', async () => {
  const { ask, end, atWork } = asking(1);
  const giveUp = new AbortController();
  await ask('a', 1);
  await ask('b', 3, giveUp.signal);
  await ask('c', 1);
  giveUp.abort(new Error('enough'));
  await end();
  expect(atWork()).toEqual(['c']);
  await end();
  expect(atWork()).toEqual([]);
  await expect(createFairSemaphore(1).acquire('b', giveUp.signal)).rejects.toThrow('enough');
});
