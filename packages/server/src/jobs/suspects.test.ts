import { expect, test, vi } from 'vitest';
import type { JobStore, Lease } from '@modelwire/ports';
import { loadSuspects } from './suspects.ts';

const lease: Lease = {
  id: 'batch_1',
  kind: 'batch',
  project: 'p',
  attempt: 2,
  crashes: 1,
  notes: undefined,
  token: 'token',
};

async function oneSuspect(note: JobStore['note']) {
  const never = () => Promise.reject(new Error('not asked for here'));
  const report = vi.fn();
  const jobs: JobStore = { claim: never, cancelClaim: never, renew: never, release: never, backlog: never, note };
  const suspects = await loadSuspects({ jobs, lease, runningAtCrash: () => [7], isDone: () => false, report });
  return { suspects, report };
}

test('settled waits until the end of a suspect is stored', async () => {
  const waiting: (() => void)[] = [];
  let isSlow = false;
  const written: string[] = [];
  const { suspects } = await oneSuspect(async (_, notes) => {
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
    written.push(notes);
    return true;
  });
  await suspects.begin(7);
  isSlow = true;
  void suspects.end();
  const settled = suspects.settled().then(() => written.at(-1));
  await expect.poll(() => waiting).toHaveLength(1);
  expect(written.at(-1)).toBe('{"crashes":[[7,0]],"alone":7}');
  waiting[0]?.();
  expect(await settled).toBe('{"crashes":[[7,0]],"alone":null}');
});

test('a failure to record the end of a suspect is reported, unless the lease was lost', async () => {
  const failure = new Error('no connection');
  let endSuspect: () => Promise<boolean> = async () => true;
  const { suspects, report } = await oneSuspect(() => endSuspect());
  endSuspect = async () => false;
  await suspects.end();
  expect(report).not.toHaveBeenCalled();
  endSuspect = () => Promise.reject(failure);
  await suspects.end();
  expect(report.mock.calls).toEqual([['failed to record the end of a suspect', failure]]);
});

test('the stored number of units are suspects after a crash', async () => {
  const written: string[] = [];
  const never = () => Promise.reject(new Error('not asked for here'));
  const note: JobStore['note'] = async (_, notes) => {
    written.push(notes);
    return true;
  };
  const jobs: JobStore = { claim: never, cancelClaim: never, renew: never, release: never, backlog: never, note };
  const init = { jobs, isDone: () => false, report: vi.fn() };
  const before = await loadSuspects({ ...init, lease: { ...lease, crashes: 0 }, runningAtCrash: () => [] });
  expect(before.window()).toBeUndefined();
  await before.setWindow(3);
  const after = await loadSuspects({
    ...init,
    lease: { ...lease, notes: written.at(-1) },
    runningAtCrash: (_, window = 1) => Array.from({ length: window }, (_, unit) => unit),
  });
  expect([after.window(), after.withCrashes(0)]).toEqual([3, [0, 1, 2]]);
});

test('only crashes during which a unit was alone are counted, and not for units that have progressed or are done', async () => {
  const loaded = async (notes: string | undefined, done = -1) => {
    const never = () => Promise.reject(new Error('not asked for here'));
    const jobs: JobStore = {
      claim: never,
      cancelClaim: never,
      renew: never,
      release: never,
      backlog: never,
      note: async () => true,
    };
    return loadSuspects({
      jobs,
      lease: { ...lease, notes },
      runningAtCrash: () => [7, 8],
      isDone: (unit) => unit === done,
      report: vi.fn(),
    });
  };
  expect((await loaded(undefined)).withCrashes(0)).toEqual([7, 8]);
  expect((await loaded(undefined)).crashesOf(9)).toBeUndefined();
  const alone = '{"crashes":[[7,0],[8,0]],"alone":7}';
  expect((await loaded(alone)).crashesOf(7)).toBe(1);
  expect((await loaded(alone)).crashesOf(8)).toBe(0);
  expect((await loaded(alone)).mostCrashes()).toBe(1);
  expect((await loaded(alone, 7)).crashesOf(7)).toBeUndefined();
  const progressing = await loaded(alone);
  await progressing.begin(7);
  await progressing.advance(8);
  expect([progressing.crashesOf(7), progressing.crashesOf(8)]).toEqual([undefined, 0]);
});
