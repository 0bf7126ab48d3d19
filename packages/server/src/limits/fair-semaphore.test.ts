import { expect, test } from 'vitest';
import { createFairSemaphore } from './fair-semaphore.ts';

/** A semaphore and the batch lines that acquire its permits. `started`: the project of each line that got a permit, in order. */
function startLines(permits: number) {
  const semaphore = createFairSemaphore(permits);
  const neverAborts = new AbortController().signal;
  const started: string[] = [];
  const running: { readonly project: string; readonly release: () => void }[] = [];
  const acquire = async (project: string, count: number, signal = neverAborts): Promise<void> => {
    for (let line = 0; line < count; line++) {
      void semaphore.acquire(project, signal).then(
        (release) => {
          started.push(project);
          running.push({ project, release });
        },
        () => undefined,
      );
    }
    await settled();
  };
  /** Ends the line that has run longest, of this project or of any. */
  const release = async (project?: string): Promise<void> => {
    const index = project === undefined ? 0 : running.findIndex((line) => line.project === project);
    running.splice(index, 1)[0]?.release();
    await settled();
  };
  return { acquire, release, started, runningProjects: () => running.map(({ project }) => project).toSorted() };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('at most as many lines run as there are permits', async () => {
  const { acquire, release, runningProjects } = startLines(3);
  await acquire('a', 10);
  expect(runningProjects()).toEqual(['a', 'a', 'a']);
  await release();
  expect(runningProjects()).toEqual(['a', 'a', 'a']);
});

test('a project that arrives later gets the next permits until it has an equal share', async () => {
  const { acquire, release, started, runningProjects } = startLines(4);
  await acquire('large', 100);
  await acquire('small', 3);
  expect(runningProjects()).toEqual(['large', 'large', 'large', 'large']);
  await release('large');
  await release('large');
  expect(started.slice(4)).toEqual(['small', 'small']);
  // Both have half of the permits: each released permit goes to the same project.
  await release('small');
  expect(started.at(-1)).toBe('small');
  await release('large');
  expect(started.at(-1)).toBe('large');
  // The small project has no waiting lines left, so its permits go to the large one.
  await release('small');
  await release('small');
  expect(runningProjects()).toEqual(['large', 'large', 'large', 'large']);
});

test('with a single permit, projects take turns', async () => {
  const { acquire, release, started } = startLines(1);
  await acquire('a', 5);
  await acquire('b', 5);
  await acquire('c', 2);
  for (let ended = 0; ended < 11; ended++) await release();
  expect(started.join('')).toBe('abcabcababab');
});

test('an aborted line gets no permit, and the next one goes to another project', async () => {
  const { acquire, release, runningProjects } = startLines(1);
  const controller = new AbortController();
  await acquire('a', 1);
  await acquire('b', 3, controller.signal);
  await acquire('c', 1);
  controller.abort(new Error('aborted'));
  await release();
  expect(runningProjects()).toEqual(['c']);
  await release();
  expect(runningProjects()).toEqual([]);
  await expect(createFairSemaphore(1).acquire('b', controller.signal)).rejects.toThrow('aborted');
});
