import type { JobStore, Lease } from '@modelwire/ports';

interface KeptJob extends Lease {
  due: number;
}

/** Due times of urgent jobs, and of released jobs. */
export const urgentDue = 0;
export const resumedDue = 1;

/** The job of a batch that was not started. */
export function newJob(id: string, project: string, due: number): KeptJob {
  return { id, kind: 'batch', project, attempt: 0, crashes: 0, notes: undefined, token: '', due };
}

let tokens = 0;

/** Jobs by the clock of this process, which a test can set. A store has the clock of its database. */
export function memoryJobs(jobs: Map<string, KeptJob>): JobStore {
  const leasedJob = (lease: Lease): KeptJob | undefined => {
    const job = jobs.get(lease.id);
    return job?.token === lease.token ? job : undefined;
  };
  return {
    async claim({ kinds, leaseMs, due: wanted = 'any', except = [], token = `token ${++tokens}`, countCrash = true }) {
      const now = Date.now();
      const [from, to] =
        typeof wanted === 'object' ? [resumedDue + 1, now - wanted.minWaitingMs] : [0, wanted === 'any' ? now : 0];
      const due = [...jobs.values()].filter(
        (job) => kinds.includes(job.kind) && job.due >= from && job.due <= to && !except.includes(job.project),
      );
      const [first] = due.sort((a, b) => a.due - b.due);
      if (!first) return undefined;
      const { id, kind, project, attempt, notes } = first;
      const crashes = first.crashes + Number(countCrash && first.token !== '');
      const lease = { id, kind, project, attempt: attempt + 1, crashes, notes, token };
      jobs.set(id, { ...lease, due: now + leaseMs });
      return lease;
    },
    async cancelClaim(token) {
      const job = [...jobs.values()].find((one) => one.token === token);
      if (job) jobs.set(job.id, { ...job, attempt: job.attempt - 1, due: resumedDue, token: '' });
      return job !== undefined;
    },
    async renew(lease, leaseMs) {
      const job = leasedJob(lease);
      if (job) job.due = Date.now() + leaseMs;
      return job !== undefined;
    },
    async backlog() {
      const running = [...jobs.values()].filter(({ token }) => token !== '').length;
      return [{ kind: 'batch', waiting: jobs.size - running, running, oldestWaitingMs: 0 }];
    },
    async note(lease, notes) {
      const job = leasedJob(lease);
      if (job) jobs.set(job.id, { ...job, notes, crashes: 0 });
      return job !== undefined;
    },
    async release(lease, { afterMs, skipAttempt = false } = {}) {
      const job = leasedJob(lease);
      const due = afterMs === undefined ? resumedDue : Date.now() + afterMs;
      if (job) jobs.set(job.id, { ...job, attempt: job.attempt - Number(skipAttempt), due, token: '' });
      return job !== undefined;
    },
  };
}
