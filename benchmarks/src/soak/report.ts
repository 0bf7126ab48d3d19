import type { Deployment } from './deployment.ts';
import type { Findings } from './findings.ts';
import type { Ledger } from './ledger.ts';
import type { Stall } from './probe.ts';
import { median } from '../statistics.ts';

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
const ownShare = 0.5;
export const stallLimitMs = 200;

/** A stall is attributed to the server if its own thread worked for more than the limit, or for at least half of the stall. */
export function isOwnStall({ ms, cpuMs }: Pick<Stall, 'ms' | 'cpuMs'>): boolean {
  return cpuMs > stallLimitMs || cpuMs > ms * ownShare;
}

const growthLimit = 1.25;

export interface Soaked {
  readonly when: string;
  readonly seconds: number;
  readonly deployment: Deployment;
  readonly findings: Findings;
  readonly ledger: Ledger;
}

/** The result as Markdown. It passes without findings, long stalls and memory growth. */
export function report({ when, seconds, deployment, findings, ledger }: Soaked): {
  readonly markdown: string;
  readonly isClean: boolean;
} {
  const lines: string[] = [`${when} · ${String(seconds / 60)} minutes`, ''];
  let isClean = findings.all.size === 0;
  lines.push(
    '| replica | RSS, second quarter | RSS, last quarter | heap, last | stalls over 200 ms by the server | by the machine |',
  );
  lines.push('| --- | ---: | ---: | ---: | --- | ---: |');
  for (const [at, { rss, heapUsed, stalls, hasExited }] of deployment.replicas.entries()) {
    const quarter = Math.floor(rss.length / 4);
    const before = median(rss.slice(quarter, 2 * quarter));
    const after = median(rss.slice(3 * quarter, 4 * quarter));
    const long = stalls.filter(({ ms }) => ms > stallLimitMs);
    const own = long.filter(isOwnStall);
    if (own.length > 0 || after > before * growthLimit || hasExited()) isClean = false;
    const ownText = own.map(({ ms }) => `${String(Math.round(ms))} ms`).join(', ') || '0';
    const cells = [`${String(at + 1)}${hasExited() ? ' (exited)' : ''}`, `${String(megabytes(before))} MB`];
    cells.push(`${String(megabytes(after))} MB`, `${String(megabytes(heapUsed.at(-1) ?? 0))} MB`);
    cells.push(ownText, String(long.length - own.length));
    lines.push(`| ${cells.join(' | ')} |`);
  }
  const { completions, files, deleted, batches, videos } = ledger;
  lines.push('', 'Acknowledged and read back:');
  lines.push(
    `${String(completions.size)} stored completions, ${String(files.size)} files and uploads, ` +
      `${String(deleted.size)} deletions, ${String(batches.size)} batches of ` +
      `${String([...batches.values()].reduce((sum, names) => sum + names.length, 0))} lines, ${String(videos.size)} videos.`,
  );
  const outages = deployment.outages.map(
    ({ dependency, kind, seconds: s }) => `${dependency} ${kind} (${String(s)} s)`,
  );
  lines.push('', `Outages: ${outages.join('; ') || 'none'}.`, '', '| answer | times |', '| --- | ---: |');
  for (const [outcome, times] of [...findings.outcomes].sort()) lines.push(`| ${outcome} | ${String(times)} |`);
  lines.push('', findings.all.size === 0 ? 'No findings.' : 'Findings:', '');
  for (const [what, { times, example }] of findings.all) lines.push(`- ${what} (${String(times)} times): ${example}`);
  return { markdown: lines.join('\n'), isClean };
}
