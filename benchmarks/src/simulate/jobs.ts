import { seededRandom } from '@modelwire/vitest/random';
import { createVirtualTime } from './events.ts';

export interface JobsOptions {
  readonly replicas: number;
  /** Batches that wait, half of them of one project, which came first. */
  readonly batches: number;
  readonly projects: number;
  /** Mean seconds for which a batch runs. */
  readonly seconds: number;
  /** Batches that are claimed before the run ends. */
  readonly claims: number;
}

export interface JobsResult {
  readonly batchesPerSecond: number;
  /** Milliseconds from when a batch has ended until another one has been claimed in its place, 99 % of them. */
  readonly claimMs: number;
  /** The part of the time in which the processors of the database are busy. */
  readonly databaseBusy: number;
  /** The part of the running batches that belong to the project with half of all batches. */
  readonly largestShare: number;
  /** The same of the other projects together, per project: the most and the fewest, in parts of their mean. */
  readonly mostOfOthers: number;
  readonly fewestOfOthers: number;
}

/** Milliseconds of the processors of PostgreSQL for each statement, by `statements.ts`, with a hundred callers at once. */
const costs = { claim: 0.77, renewal: 0.14, status: 0.07, results: 0.87 };
/** Commits of a batch of a hundred lines: five of results, validation, two changes of status and its end. */
const commitsPerBatch = 9;
const databaseCores = 2;
const renewalSeconds = 10;
/** As in the server kit: batches of a replica, and of one project in it. */
const maxBatches = 32;
const maxPerProject = 4;

/** Replicas that claim batches from one database whenever they have room, each of the project of which it runs the fewest. */
export function simulateJobs({ replicas, batches, projects, seconds, claims }: JobsOptions): JobsResult {
  const time = createVirtualTime();
  const random = seededRandom(1);
  /** When each processor of the database is free. */
  const cores = Array.from({ length: databaseCores }, () => 0);
  let busyMs = 0;
  const ofLargest = batches / 2;
  const ofOthers = Math.floor(ofLargest / (projects - 1));
  const waiting = Array.from({ length: projects }, (_, project) => (project === 0 ? ofLargest : ofOthers));
  /** When the first waiting batch of a project has been due: those of the largest project came first, the others' in turn. */
  const dueOf = (project: number): number =>
    project === 0 ? -(waiting[0] ?? 0) : (ofOthers - (waiting[project] ?? 0)) * projects + project;
  const running = Array.from({ length: replicas }, () => new Uint8Array(projects));
  const started = Array.from({ length: projects }, () => 0);
  const claimTimes: number[] = [];
  let claimed = 0;

  function query(ms: number, onEnd: () => void): void {
    const now = time.monotonic();
    const core = cores.indexOf(Math.min(...cores));
    const end = Math.max(now, cores[core] ?? 0) + ms;
    cores[core] = end;
    busyMs += ms;
    time.after(end - now, onEnd);
  }
  /** The project of which the replica runs the fewest; among those, the one whose batch has been due longest. */
  function nextProject(own: Uint8Array): number | undefined {
    let next: number | undefined;
    for (let project = 0; project < projects; project++) {
      const count = own[project] ?? 0;
      if (count >= maxPerProject || (waiting[project] ?? 0) === 0) continue;
      const least = next === undefined ? Infinity : (own[next] ?? 0);
      if (count < least || (count === least && next !== undefined && dueOf(project) < dueOf(next))) next = project;
    }
    return next;
  }
  function claim(own: Uint8Array, isFirst: boolean): void {
    const wantedAt = time.monotonic();
    query(costs.claim, () => {
      const project = nextProject(own);
      if (project === undefined) return;
      claimed++;
      if (!isFirst) claimTimes.push(time.monotonic() - wantedAt);
      waiting[project] = (waiting[project] ?? 0) - 1;
      own[project] = (own[project] ?? 0) + 1;
      started[project] = (started[project] ?? 0) + 1;
      const runSeconds = seconds * (0.5 + random());
      const statements = commitsPerBatch * costs.results + runSeconds * (costs.status + costs.renewal / renewalSeconds);
      time.after(runSeconds * 1000, () =>
        query(statements, () => {
          own[project] = (own[project] ?? 0) - 1;
          claim(own, false);
        }),
      );
    });
  }
  for (const own of running) for (let place = 0; place < maxBatches; place++) claim(own, true);
  time.runUntil(() => claimed >= claims);

  const elapsedSeconds = time.monotonic() / 1000;
  const others = started.slice(1);
  const mean = others.reduce((sum, count) => sum + count, 0) / others.length;
  claimTimes.sort((a, b) => a - b);
  return {
    batchesPerSecond: claims / elapsedSeconds,
    claimMs: claimTimes[Math.floor(claimTimes.length * 0.99)] ?? NaN,
    databaseBusy: busyMs / (elapsedSeconds * 1000 * databaseCores),
    largestShare: (started[0] ?? 0) / claims,
    mostOfOthers: Math.max(...others) / mean,
    fewestOfOthers: Math.min(...others) / mean,
  };
}
