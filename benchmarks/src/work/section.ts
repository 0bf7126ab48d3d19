import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import type { ServerName } from '../http/contestants.ts';
import type { HostQuestion } from '../http/host.ts';
import type { Address } from '../http/servers/server.ts';
import { targetTable } from '../targets.ts';
import { batchTable, batchTarget, measureBatches } from './batches.ts';
import { measureUploads, uploadTable, uploadTarget } from './uploads.ts';

/** A server in a separate process. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:1234/v1`. */
  readonly base: string;
  readonly child: Child;
}

async function startServer(name: ServerName): Promise<RunningServer> {
  const child = spawnChild(new URL('../http/host.ts', import.meta.url), [name]);
  const { url } = await child.ask<Address>({ start: name, upstream: '' } satisfies HostQuestion);
  return { base: url.replace('/chat/completions', ''), child };
}

/** Batches with an engine without delay, and uploads with a checksum. */
export async function workSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const servers = await Promise.all([startServer('embedded'), startServer('md5')]);
  const [server, bare] = servers;
  try {
    const batches = await measureBatches(
      server,
      quick ? { lines: 5000, rounds: 2 } : { lines: 50_000, rounds: 5 },
      say,
    );
    const uploads = await measureUploads(server, bare, quick ? { mib: 128, rounds: 2 } : { mib: 1024, rounds: 5 }, say);
    return [batchTable(batches), uploadTable(uploads), targetTable([batchTarget(batches), uploadTarget(uploads)])].join(
      '\n\n',
    );
  } finally {
    await Promise.all(servers.map(({ child }) => child.stop()));
  }
}
