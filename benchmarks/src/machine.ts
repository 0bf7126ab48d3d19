import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

/** Date and machine, for the line above a table. */
export function conditions(packages: readonly string[]): string {
  const [cpu] = cpus();
  const versions = packages.map((name) => `${name} ${versionOf(name)}`);
  return [
    new Date().toISOString().slice(0, 10),
    `${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release()}, load average ${loadavg()[0]?.toFixed(1) ?? '?'} before the run`,
    `Node ${process.versions.node}${versions.length > 0 ? `, ${versions.join(', ')}` : ''}`,
  ].join(' · ');
}

function versionOf(name: string): string {
  const path = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
