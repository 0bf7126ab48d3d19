import { startServer } from '../servers/start-server.ts';
import { targetTable } from '../targets.ts';
import type { Target } from '../targets.ts';
import { measureBatches } from './batches.ts';
import { measureUploads } from './uploads.ts';

/** A table with the target of its figures. */
export interface Report {
  readonly table: string;
  readonly target: Target;
}

/** Batches with an engine without delay, and uploads with a checksum. */
export async function workSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const [server, bare] = await Promise.all([startServer('embedded'), startServer('md5')]);
  try {
    const batches = await measureBatches(
      server,
      quick ? { lines: 5000, rounds: 2 } : { lines: 50_000, rounds: 5 },
      say,
    );
    const uploads = await measureUploads(server, bare, quick ? { mib: 128, rounds: 2 } : { mib: 1024, rounds: 5 }, say);
    return [batches.table, uploads.table, targetTable([batches.target, uploads.target])].join('\n\n');
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
  }
}
