// Moves a server with 10^5 completions, 10^4 files, open uploads and running batches from SQLite to PostgreSQL and S3 and back, with imports that
// are killed: `npm run move`. COMPLETIONS, FILES and KILLS change the size.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '@modelwire/blobs-s3/testing';
import { startPostgres } from '@modelwire/store-postgres/testing';
import { apiKey, fill } from './fill.ts';
import { continueMoved } from './continue.ts';
import { main, startProgram } from '../program.ts';
import { usageOf } from '../process-usage.ts';

const completions = Number(process.env['COMPLETIONS'] ?? 100_000);
const files = Number(process.env['FILES'] ?? 10_000);
const kills = Number(process.env['KILLS'] ?? 3);

type Variables = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), 'modelwire-move-'));
const [postgres, bucket] = await Promise.all([startPostgres(), startS3()]);
const sqlite = (name: string): Variables => ({ MODELWIRE_DATA: join(folder, name) });
const replicated: Variables = {
  MODELWIRE_DATA: join(folder, 'replica'),
  MODELWIRE_DATABASE_URL: await postgres.createDatabase(),
  MODELWIRE_S3_ENDPOINT: bucket.options.endpoint,
  MODELWIRE_S3_BUCKET: bucket.options.bucket,
  AWS_ACCESS_KEY_ID: bucket.options.accessKeyId,
  AWS_SECRET_ACCESS_KEY: bucket.options.secretAccessKey,
};
const config = { jobLeaseMs: 2000, batchConcurrency: 2, localServers: false };
writeFileSync(join(folder, 'modelwire.config.json'), JSON.stringify(config));
const start = (env: Variables) => startProgram({ apiKey, config, folder, env });

interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly output: string;
}

/** Runs a command of the server program; kills it after `killAfterMs`, if that is set. */
async function run(args: readonly string[], variables: Variables, killAfterMs?: number): Promise<Run | undefined> {
  const begun = performance.now();
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    // The heap is limited: memory must not grow with the number of records.
    env: { PATH: process.env['PATH'], NODE_OPTIONS: '--max-old-space-size=128', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  let peakMegabytes = 0;
  let cpuSeconds = 0;
  const sampling = setInterval(() => {
    try {
      const usage = usageOf(child.pid);
      peakMegabytes = Math.max(peakMegabytes, usage.peakRss / 2 ** 20);
      cpuSeconds = usage.cpuMs / 1000;
    } catch {
      // It has exited.
    }
  }, 50);
  const killing = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(sampling);
  clearTimeout(killing);
  if (code === null) return undefined;
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${output}`);
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds, peakMegabytes, output };
}

function report(title: string, result: Run | undefined): void {
  const figures = result
    ? `${result.seconds.toFixed(1)} s, ${result.cpuSeconds.toFixed(1)} s of CPU time, at most ${result.peakMegabytes.toFixed(0)} MB`
    : 'killed';
  process.stdout.write(`${title}: ${figures}\n${result?.output ?? ''}`);
}

interface Exported {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[];
  readonly blobs: { readonly count: number; readonly sha256: string };
}

/** The names of the parts that differ. */
function differences(one: string, other: string): readonly string[] {
  const [first, second] = [one, other].map(
    (name) => JSON.parse(readFileSync(join(folder, name, 'export.json'), 'utf8')) as Exported,
  );
  if (!first || !second) throw new Error('missing');
  return [
    ...first.tables.filter(({ name, sha256 }) => second.tables.find((table) => table.name === name)?.sha256 !== sha256),
    ...(first.blobs.sha256 === second.blobs.sha256 ? [] : [{ name: 'contents' }]),
  ].map(({ name }) => name);
}

try {
  const source = await start(sqlite('one'));
  const open = await fill(source.url, { data: join(folder, 'one'), completions, files });
  await source.stop('SIGKILL');
  report('export from SQLite and a folder', await run(['export', 'first'], sqlite('one')));
  for (let kill = 1; kill <= kills; kill++)
    report(`import into PostgreSQL and S3, kill ${kill}`, await run(['import', 'first'], replicated, 4000 * kill));
  report('import into PostgreSQL and S3', await run(['import', 'first'], replicated));
  report('export from PostgreSQL and S3', await run(['export', 'second'], replicated));
  process.stdout.write(`different from the first export: ${differences('first', 'second').join(', ') || 'nothing'}\n`);
  report('import into SQLite, killed', await run(['import', 'second'], sqlite('two'), 4000));
  report('import into SQLite and a folder', await run(['import', 'second'], sqlite('two')));
  report('export from SQLite again', await run(['export', 'third'], sqlite('two')));
  process.stdout.write(`different from the first export: ${differences('first', 'third').join(', ') || 'nothing'}\n`);
  for (const [name, variables] of [
    ['PostgreSQL and S3', replicated],
    ['SQLite after the move back', sqlite('two')],
  ] as const) {
    const moved = await start(variables);
    process.stdout.write(`on ${name}: ${await continueMoved(moved.url, open)}\n`);
    await moved.stop();
  }
} finally {
  await postgres.discard();
  await bucket.stop();
  await sleep(100);
  rmSync(folder, { recursive: true, force: true });
}
