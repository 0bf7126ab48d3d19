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
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  expect(written.at(-1)).toBe('{"crashes":[[7,1]],"alone":7}');
  waiting[0]?.();
  expect(await settled).toBe('{"crashes":[[7,1]],"alone":null}');
});

test('a failure to record the end of a suspect is reported, unless the lease was lost', async () => {
  const failure = new Error('no connection');
  let answer: () => Promise<boolean> = async () => true;
  const { suspects, report } = await oneSuspect(() => answer());
  answer = async () => false;
  await suspects.end();
  expect(report).not.toHaveBeenCalled();
  answer = () => Promise.reject(failure);
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
  expect([after.window(), after.withCrashes(1)]).toEqual([3, [0, 1, 2]]);
});
