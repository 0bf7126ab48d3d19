import { readFileSync } from 'node:fs';
import { isOwnStall, stallLimitMs } from './report.ts';
import type { Soaked } from './report.ts';
import type { Replica } from './replica.ts';
import type { Verified } from './verify.ts';

const errorsPage = new URL('../../../docs/errors.md', import.meta.url);
const everySeconds = 300;

export interface SoakResult {
  readonly when: string;
  readonly minutes: number;
  readonly replicas: readonly {
    /** At the start, every five minutes, and at the end. */
    readonly rssMegabytes: readonly number[];
    /** Longer than 200 ms. The machine is the cause where the main thread had no core for most of it, and used less than 200 ms itself. */
    readonly stalls: readonly { readonly ms: number; readonly cpuMs: number; readonly cause: 'server' | 'machine' }[];
    /** The requests that were active, from the log of the server. */
    readonly loggedStalls: readonly {
      readonly durationMs: number;
      readonly cpuMs: number;
      readonly routes: string[];
    }[];
    readonly hasExited: boolean;
  }[];
  readonly acknowledged: Verified;
  /** Records that were read back and equal what was acknowledged. */
  readonly verified: Verified;
  /** Number of responses by status and code. */
  readonly answers: Readonly<Record<string, number>>;
  /** Codes that are missing in docs/errors.md, and responses without the documented shape. */
  readonly undocumentedErrors: Readonly<Record<string, number>>;
  readonly outages: readonly { readonly dependency: string; readonly kind: string; readonly seconds: number }[];
  readonly findings: readonly { readonly what: string; readonly times: number; readonly example: string }[];
}

/** The result for programs; `docs/reliability.md` names its fields. */
export function resultOf(soaked: Soaked, verified: Verified): SoakResult {
  const { when, seconds, deployment, findings, ledger } = soaked;
  const documented = new Set(
    Array.from(readFileSync(errorsPage, 'utf8').matchAll(/^\| `(\w+)`/gm), ([, code]) => code),
  );
  const undocumented = [...findings.outcomes].filter(([outcome]) => {
    const code = /^[45]\d\d (\w+)$/.exec(outcome)?.[1];
    return code === undefined ? /^[45]\d\d$/.test(outcome) : !documented.has(code);
  });
  return {
    when,
    minutes: seconds / 60,
    replicas: deployment.replicas.map(memoryAndStalls),
    acknowledged: {
      completions: ledger.completions.size,
      files: ledger.files.size,
      deletions: ledger.deleted.size,
      batches: ledger.batches.size,
      videos: ledger.videos.size,
    },
    verified,
    answers: Object.fromEntries(findings.outcomes),
    undocumentedErrors: Object.fromEntries(undocumented),
    outages: deployment.outages,
    findings: Array.from(findings.all, ([what, { times, example }]) => ({ what, times, example })),
  };
}

function memoryAndStalls({ rss, stalls, log, hasExited }: Replica): SoakResult['replicas'][number] {
  const sampled = rss.filter((_, second) => second % everySeconds === 0 || second === rss.length - 1);
  return {
    rssMegabytes: sampled.map((bytes) => Math.round(bytes / 2 ** 20)),
    stalls: stalls
      .filter(({ ms }) => ms > stallLimitMs)
      .map(({ ms, cpuMs }) => ({
        ms: Math.round(ms),
        cpuMs: Math.round(cpuMs),
        cause: isOwnStall({ ms, cpuMs }) ? 'server' : 'machine',
      })),
    loggedStalls: loggedStalls(readFileSync(log, 'utf8')),
    hasExited: hasExited(),
  };
}

interface StallLine {
  readonly durationMs: number;
  readonly cpuMs: number;
  readonly requests: readonly { readonly route?: string }[];
}

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
