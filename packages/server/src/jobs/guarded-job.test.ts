import { expect, test, vi } from 'vitest';
import type { JobStore, Lease } from '@modelwire/ports';
import { createSemaphore } from '@modelwire/adapter-kit';
import type { Policy } from '../limits/policies.ts';
import { guardedJob, neverRemoved, noUnits, occupiesNothing, unobserved } from './guarded-job.ts';
import type { GuardedJob, JobUnits } from './guarded-job.ts';
import { JobAborted } from './job-aborted.ts';
import { createRunningJobs } from './running-jobs.ts';
import { jobTimes } from './times.ts';

const aLease: Lease = {
  id: 'job_1',
  kind: 'video',
  project: 'p',
  attempt: 1,
  crashes: 0,
  notes: undefined,
  token: 't',
};
const crashed = { crashes: 1, attempt: 2 };
const never = () => Promise.reject(new Error('not asked for here'));
const policy: Policy = {
  accessEndedBy: undefined,
  allowedModels: [],
  maxOutputTokens: undefined,
  storageLimitBytes: undefined,
  budgetSubjects: [],
  budgetUnits: new Set(),
};
/** One unit of work, the unit 7, which was running when the worker crashed. */
const oneUnit: JobUnits = {
  runningAtCrash: () => [7],
  isDone: () => false,
  isolation: {
    first: 7,
    crashMessage: (unit) => `unit ${unit} crashed`,
  },
};

/** Runs a job. `log` has what happened in order: `run`, `fail <code>`, and what is written about suspects. */
function guarded(init: { readonly lease?: Partial<Lease>; readonly job?: Partial<GuardedJob<undefined>> } = {}) {
  const log: string[] = [];
  const state: { accessEndedBy: Policy['accessEndedBy'] } = { accessEndedBy: undefined };
  const jobs: JobStore = {
    claim: never,
    cancelClaim: never,
    renew: never,
    release: never,
    backlog: never,
    note: async (_, text) => log.push(text) > 0,
  };
  const quarantine = createSemaphore(1);
  const runningJobs = createRunningJobs();
  const report = vi.fn();
  const server = {
    policies: { get: async () => ({ ...policy, ...state }) },
    runningJobs,
    options: { jobTimes: jobTimes({ retryMs: 1 }), report },
  };
  const worker = new AbortController();
  const lease = { ...aLease, ...init.lease };
  const claim = { lease, signal: worker.signal, setWaiting: () => undefined };
  const start = () =>
    guardedJob({ server, stores: { jobs }, quarantine }, claim, {
      access: { principal: { keyId: 'k', project: 'p' }, what: 'The job was stopped', onEnd: 'abort' },
      attempts: { max: 2, subject: 'The job' },
      units: noUnits,
      acquire: occupiesNothing,
      observe: unobserved,
      onStop: 'abort',
      removal: neverRemoved,
      run: async () => void log.push('run'),
      fail: async ({ code, message }) => void log.push(`fail ${code}: ${message}`),
      ...init.job,
    });
  return { log, state, worker, quarantine, runningJobs, report, start };
}

/** Runs until it is aborted, and throws the reason. */
const untilAborted: GuardedJob<undefined>['run'] = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('a job whose key was revoked fails without running', async () => {
  const { log, state, start } = guarded({ lease: { attempt: 3 } });
  state.accessEndedBy = 'key_revoked';
  await start();
  expect(log).toEqual(["fail key_revoked: The job was stopped because the key 'k', which created it, is revoked."]);
});

test('a job whose key is revoked while it runs is aborted, and fails once', async () => {
  vi.useFakeTimers();
  try {
    const { log, state, start } = guarded({ job: { run: untilAborted } });
    const done = start();
    await vi.advanceTimersByTimeAsync(1000);
    state.accessEndedBy = 'project_archived';
    await vi.advanceTimersByTimeAsync(5000);
    await done;
    expect(log).toEqual(["fail project_archived: The job was stopped because the project 'p' is archived."]);
  } finally {
    vi.useRealTimers();
  }
});

test('a job that ends in order by itself is only failed when its key is revoked, again until that is stored', async () => {
  vi.useFakeTimers();
  try {
    let end = (): void => undefined;
    const signals: AbortSignal[] = [];
    const fail = vi.fn<GuardedJob<undefined>['fail']>();
    fail.mockRejectedValueOnce(new Error('the database is down'));
    const { state, report, start } = guarded({
      job: {
        access: { principal: { keyId: 'k', project: 'p' }, what: 'The job was stopped', onEnd: 'fail' },
        run: ({ signal }) => new Promise<void>((resolve) => (signals.push(signal), (end = resolve))),
        fail,
      },
    });
    const done = start();
    await vi.advanceTimersByTimeAsync(500);
    state.accessEndedBy = 'key_revoked';
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fail).toHaveBeenCalledTimes(2);
    expect(report).toHaveBeenCalledOnce();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    end();
    await done;
  } finally {
    vi.useRealTimers();
  }
});

test('a job fails after its last attempt', async () => {
  const last = guarded({ lease: { attempt: 2 } });
  await last.start();
  const tooMany = guarded({ lease: { attempt: 3 } });
  await tooMany.start();
  expect([last.log, tooMany.log]).toEqual([
    ['run'],
    ['fail too_many_attempts: The job was started too many times without completing.'],
  ]);
});

test('work that is no suspect runs while a suspect is in quarantine', async () => {
  const { log, quarantine, start } = guarded({ job: { units: oneUnit } });
  await quarantine.acquire();
  await start();
  expect(log).toEqual(['run']);
});

test('a job that was running when its worker crashed runs alone, and that is recorded before it starts', async () => {
  const { log, quarantine, start } = guarded({ lease: crashed, job: { units: oneUnit } });
  const release = await quarantine.acquire();
  const done = start();
  await vi.waitFor(() => expect(log).toHaveLength(1));
  release();
  await done;
  const alone = (unit: number | null) => JSON.stringify({ crashes: [[7, 0]], alone: unit });
  expect(log).toEqual([alone(null), alone(7), 'run', alone(null)]);
});

test('a suspect leaves the quarantine when it fails or has no capacity', async () => {
  const failing = () => Promise.reject(new Error('no luck'));
  const full = () => {
    throw new Error('no luck');
  };
  for (const job of [{ run: failing }, { acquire: full }]) {
    const { quarantine, start } = guarded({ lease: crashed, job: { units: oneUnit, ...job } });
    await expect(start()).rejects.toThrow('no luck');
    const release = await quarantine.acquire(AbortSignal.timeout(1000), 'p');
    expect(release).toBeTypeOf('function');
  }
});

test('a unit that crashed its worker three times while it ran alone is failed', async () => {
  const { log, start } = guarded({
    lease: { ...crashed, notes: '{"crashes":[[7,2],[8,0]],"alone":7}' },
    job: { units: oneUnit },
  });
  await start();
  expect(log.at(-1)).toBe('fail worker_crashed: unit 7 crashed');
  expect(log).not.toContain('run');
});

test('a run that isolates its suspects itself starts at once, also after crashes', async () => {
  const { log, quarantine, start } = guarded({
    lease: { ...crashed, notes: '{"crashes":[[7,2]],"alone":7}' },
    job: { units: { ...oneUnit, isolation: 'each' } },
  });
  await quarantine.acquire();
  await start();
  expect(log.at(-1)).toBe('run');
});

test('a job that a client removes is aborted, and is neither failed nor retried', async () => {
  const reason = new Error('deleted');
  const reasons: unknown[] = [];
  const run: GuardedJob<undefined>['run'] = (guard) =>
    untilAborted(guard).catch((error: unknown) => {
      reasons.push(error);
      throw error;
    });
  const here = guarded({ job: { run, removal: { ...neverRemoved, reason } } });
  const done = here.start();
  await vi.waitFor(() => {
    here.runningJobs.abort('job_1');
    expect(reasons).toEqual([reason]);
  });
  await done;
  const elsewhere = guarded({ job: { run, removal: { isCause: async () => true, reason } } });
  elsewhere.worker.abort(new JobAborted('lost'));
  await elsewhere.start().catch((error: unknown) => reasons.push(error));
  expect([reasons, here.log, elsewhere.log]).toEqual([[reason, reason], [], []]);
});

test('a job whose lease was lost is aborted, also when it cannot be found out why', async () => {
  const isCause = () => Promise.reject(new Error('the database is down'));
  for (const removal of [neverRemoved, { isCause, reason: new Error('deleted') }]) {
    const { worker, start } = guarded({ job: { run: untilAborted, removal } });
    const done = start();
    worker.abort(new JobAborted('lost'));
    await expect(done).rejects.toThrow(new JobAborted('lost'));
  }
});

test('when the server stops, a job that may finish has until the end of the drain timeout, and others are aborted', async () => {
  vi.useFakeTimers();
  try {
    const ended: string[] = [];
    const started = (['finish', 'abort'] as const).map((onStop) => {
      const { worker, start } = guarded({ job: { run: untilAborted, onStop } });
      const done = start().catch(() => ended.push(onStop));
      return { worker, done };
    });
    await vi.advanceTimersByTimeAsync(0);
    for (const { worker } of started) worker.abort(new JobAborted('stopping', 5000));
    await vi.advanceTimersByTimeAsync(4999);
    expect(ended).toEqual(['abort']);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(['abort', 'finish']);
    await Promise.all(started.map(({ done }) => done));
  } finally {
    vi.useRealTimers();
  }
});
