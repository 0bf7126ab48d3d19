import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { check } from './check.ts';
import type { Check, CheckInit } from './check.ts';
import { runInPhases } from './schedule.ts';

const checkOf = (name: string, init: Partial<CheckInit> = {}): Check =>
  check('http', name, { title: name, section: 'companion', run: async () => undefined, ...init });

const checks = [
  checkOf('judges', { phase: 'observations' }),
  checkOf('loads', { destructive: true }),
  checkOf('waits', { phase: 'jobs' }),
  checkOf('one'),
  checkOf('two'),
  checkOf('measures', { phase: 'alone' }),
];

/** The names of the checks in the order of their start, each with those that ran then. */
async function started(concurrency: number): Promise<readonly string[]> {
  const running: string[] = [];
  const log: string[] = [];
  await runInPhases(checks, concurrency, async ({ title }) => {
    running.push(title);
    log.push(running.join('+'));
    await sleep(20);
    running.splice(running.indexOf(title), 1);
  });
  return log;
}

test('checks that load a server or measure it run alone, and then the requests of all are judged', async () => {
  expect(await started(2)).toEqual(['one', 'one+two', expect.stringMatching(/waits$/), 'loads', 'measures', 'judges']);
  expect(await started(1)).toEqual(['one', 'two', 'waits', 'loads', 'measures', 'judges']);
});
