import { expect, test, vi } from 'vitest';
import type { JobStore, Lease } from '@modelwire/ports';
import { createSemaphore } from '@modelwire/adapter-kit';
import { enterQuarantine } from './quarantine.ts';
import { loadSuspects } from './suspects.ts';
import { jobTimes } from './times.ts';

const lease: Lease = {
  id: 'batch_1',
  kind: 'batch',
  project: 'p',
  attempt: 2,
  crashes: 1,
  notes: undefined,
  token: 't',
};
const never = () => Promise.reject(new Error('not asked for here'));

/** A suspect, the unit 7, of a job whose notes are stored by `note`. */
async function quarantined({
  note,
  notes,
  retryMs = 1,
}: { note?: JobStore['note']; notes?: string; retryMs?: number } = {}) {
  const written: string[] = [];
  let storeNote: JobStore['note'] = async (_, text) => written.push(text) > 0;
  const jobs: JobStore = {
    claim: never,
    cancelClaim: never,
    renew: never,
    release: never,
    backlog: never,
    note: (...args) => storeNote(...args),
  };
  const suspects = await loadSuspects({
    jobs,
    lease: { ...lease, notes },
    runningAtCrash: () => [7],
    isDone: () => false,
    report: () => undefined,
  });
  if (note) storeNote = note;
  const quarantine = createSemaphore(1);
  const { signal } = new AbortController();
  const states: boolean[] = [];
  const init = { quarantine, suspects, times: jobTimes({ retryMs }), project: 'p' };
  const suspect = {
    unit: 7,
    crashes: suspects.crashesOf(7) ?? 0,
    signal,
    setWaiting: (isWaiting: boolean) => void states.push(isWaiting),
    acquire: async () => () => undefined,
  };
  /** Whether no suspect has the permit. */
  const isFree = (): Promise<boolean> =>
    quarantine.acquire(AbortSignal.timeout(100), 'p').then(
      (release) => {
        release();
        return true;
      },
      () => false,
    );
  return { init, suspect, states, written, isFree };
}

test('a suspect that cannot be recorded before it starts leaves the quarantine', async () => {
  const { init, suspect, isFree } = await quarantined({
    note: () => Promise.reject(new Error('the database is down')),
  });
  await expect(enterQuarantine(init, suspect)).rejects.toThrow('the database is down');
  expect(await isFree()).toBe(true);
});

test('the start and the end of a suspect are recorded, and its end leaves the quarantine', async () => {
  const { init, suspect, isFree, written } = await quarantined();
  const leave = await enterQuarantine(init, suspect);
  expect(await isFree()).toBe(false);
  await leave();
  expect(await isFree()).toBe(true);
  expect(written.slice(-2)).toEqual(['{"crashes":[[7,0]],"alone":7}', '{"crashes":[[7,0]],"alone":null}']);
});

test('what else a suspect needs is acquired before it is recorded, and a failure to do so leaves the quarantine', async () => {
  const { init, suspect, isFree, written } = await quarantined();
  const acquire = () => Promise.reject(new Error('the line was cancelled'));
  await expect(enterQuarantine(init, { ...suspect, acquire })).rejects.toThrow('the line was cancelled');
  expect(await isFree()).toBe(true);
  expect(written).not.toContain('{"crashes":[[7,0]],"alone":7}');
});

test('a suspect is waiting until it has the permit', async () => {
  const { init, suspect, states } = await quarantined();
  const leaveFirst = await enterQuarantine(init, suspect);
  expect(states).toEqual([true, false]);
  const second = enterQuarantine(init, suspect);
  expect(states).toEqual([true, false, true]);
  await leaveFirst();
  await (
    await second
  )();
  expect(states).toEqual([true, false, true, false]);
});

test('a suspect waits longer after each crash during which it was alone, so that a server that is killed at once never starts it', async () => {
  vi.useFakeTimers();
  try {
    const { init, suspect } = await quarantined({ retryMs: 1000, notes: '{"crashes":[[7,1]],"alone":7}' });
    expect(suspect.crashes).toBe(2);
    const onEntered = vi.fn();
    const entered = enterQuarantine(init, suspect).then(onEntered);
    await vi.advanceTimersByTimeAsync(9999);
    expect(onEntered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await entered;
    expect(onEntered).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
