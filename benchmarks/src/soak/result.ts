import { readFileSync } from 'node:fs';
import { median } from '../statistics.ts';
import { table } from '../table.ts';
import type { Deployment } from './deployment.ts';
import type { Findings } from './findings.ts';
import type { Ledger } from './ledger.ts';
import type { Stall } from './probe.ts';
import type { Replica } from './replica.ts';
import type { Verified } from './verify.ts';

const errorsPage = new URL('../../../docs/errors.md', import.meta.url);
const everySeconds = 300;
const stallLimitMs = 200;
const ownShare = 0.5;
const growthLimit = 1.25;

export interface Soaked {
  readonly when: string;
  readonly seconds: number;
  readonly deployment: Deployment;
  readonly findings: Findings;
  readonly ledger: Ledger;
  /** Records that were read back and equal what was acknowledged. */
  readonly verified: Verified;
}

export type SoakResult = ReturnType<typeof resultOf>;

/** The result for programs. */
export function resultOf({ when, seconds, deployment, findings, ledger, verified }: Soaked) {
  const documented = new Set(
    Array.from(readFileSync(errorsPage, 'utf8').matchAll(/^\| `(\w+)`/gm), ([, code]) => code),
  );
  const undocumented = [...findings.outcomes].filter(([outcome]) => {
    const code = /^[45]\d\d (\w+)$/.exec(outcome)?.[1];
    return code === undefined ? /^[45]\d\d$/.test(outcome) : !documented.has(code);
  });
  const replicas = deployment.replicas.map(memoryAndStalls);
  return {
    when,
    minutes: seconds / 60,
    replicas,
    acknowledged: {
      completions: ledger.completions.size,
      files: ledger.files.size,
      deletions: ledger.deleted.size,
      batches: ledger.batches.size,
      batchLines: [...ledger.batches.values()].reduce((sum, names) => sum + names.length, 0),
      videos: ledger.videos.size,
    },
    verified,
    /** Number of responses by status and code. */
    answers: Object.fromEntries([...findings.outcomes].sort()),
    /** Codes that are missing in docs/errors.md, and responses without the documented shape. */
    undocumentedErrors: Object.fromEntries(undocumented),
    outages: deployment.outages,
    findings: Array.from(findings.all, ([what, { times, example }]) => ({ what, times, example })),
    /** Without findings, stalls by the server, growth of memory and exits. */
    isClean:
      findings.all.size === 0 &&
      replicas.every(({ stalls, hasGrown, hasExited }) => !hasGrown && !hasExited && !stalls.some(isOwn)),
  };
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
const isOwn = ({ cause }: { readonly cause: 'server' | 'machine' }): boolean => cause === 'server';

function memoryAndStalls({ rss, heapUsed, stalls, log, hasExited }: Replica) {
  const quarter = Math.floor(rss.length / 4);
  const before = median(rss.slice(quarter, 2 * quarter));
  const after = median(rss.slice(3 * quarter, 4 * quarter));
  const sampled = rss.filter((_, second) => second % everySeconds === 0 || second === rss.length - 1);
  return {
    /** At the start, every five minutes, and at the end. */
    rssMegabytes: sampled.map(megabytes),
    secondQuarterMegabytes: megabytes(before),
    lastQuarterMegabytes: megabytes(after),
    hasGrown: after > before * growthLimit,
    heapMegabytes: megabytes(heapUsed.at(-1) ?? 0),
    /** Longer than 200 ms. */
    stalls: stalls
      .filter(({ ms }) => ms > stallLimitMs)
      .map(({ ms, cpuMs }) => ({ ms: Math.round(ms), cpuMs: Math.round(cpuMs), cause: causeOf({ ms, cpuMs }) })),
    loggedStalls: loggedStalls(readFileSync(log, 'utf8')),
    hasExited: hasExited(),
  };
}

/** A stall is attributed to the server if its own thread worked for more than the limit, or for at least half of the stall. */
function causeOf({ ms, cpuMs }: Pick<Stall, 'ms' | 'cpuMs'>): 'server' | 'machine' {
  return cpuMs > stallLimitMs || cpuMs > ms * ownShare ? 'server' : 'machine';
}

interface StallLine {
  readonly durationMs: number;
  readonly cpuMs: number;
  readonly requests: readonly { readonly route?: string }[];
}

/** The stalls in the log of a server, with the requests that were active. */
function loggedStalls(log: string) {
  return log
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.includes('"durationMs"') ? [JSON.parse(line) as StallLine] : []))
    .filter((line) => Array.isArray(line.requests) && line.durationMs > stallLimitMs)
    .map(({ durationMs, cpuMs, requests }) => ({
      durationMs,
      cpuMs,
      routes: [...new Set(requests.map(({ route = '' }) => route))],
    }));
}

/** The result as Markdown. */
export function markdownOf({ when, minutes, replicas, acknowledged, answers, outages, findings }: SoakResult): string {
  const counts = (of: object): string[][] => Object.entries(of).map(([what, times]) => [what, String(times)]);
  const listed = outages.map(
    ({ dependency, kind, seconds, recoveryMs }) =>
      `${dependency} ${kind} (${seconds} s, writes ${recoveryMs} ms later)`,
  );
  return [
    `${when} · ${minutes} minutes`,
    table(
      [
        'replica',
        'RSS, second quarter, MB',
        'RSS, last quarter, MB',
        'heap, MB',
        'stalls by the server',
        'by the machine',
      ],
      replicas.map(({ stalls, hasExited, ...memory }, index) => [
        `${index + 1}${hasExited ? ' (exited)' : ''}`,
        ...[memory.secondQuarterMegabytes, memory.lastQuarterMegabytes, memory.heapMegabytes].map(String),
        stalls
          .filter(isOwn)
          .map(({ ms }) => `${ms} ms`)
          .join(', ') || '0',
        String(stalls.filter((stall) => !isOwn(stall)).length),
      ]),
    ),
    table(['acknowledged and read back', 'records'], counts(acknowledged)),
    `Outages: ${listed.join('; ') || 'none'}.`,
    table(['answer', 'times'], counts(answers)),
    findings.length === 0 ? 'No findings.' : 'Findings:',
    ...findings.map(({ what, times, example }) => `- ${what} (${times} times): ${example}`),
  ].join('\n\n');
}
