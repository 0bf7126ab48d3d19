import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { spawnChild } from '../child.ts';
import { table } from '../table.ts';
import { pathOf } from './path.ts';
import type { Path } from './path.ts';
import { requests } from './requests.ts';
import type { TracedRequest } from './requests.ts';
import type { TraceQuestion } from './server.ts';

const { values } = parseArgs({
  options: { list: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const apiKey = 'key-of-the-traced-requests';
const headers = { authorization: `Bearer ${apiKey}` };
/** Longer than the intervals at which usage and statistics are written. */
const quietMs = 4000;

const rows: string[][] = [];
for (const request of requests) {
  if (!request.name.includes(values.only)) continue;
  const path = await traced(request);
  rows.push([request.name, String(path.files), String(path.returns)]);
  if (values.list) stdout.write(`${listing(request.name, path)}\n`);
}
stdout.write(`${table(['request', 'files', 'returns'], rows)}\n`);

/** Sends a request twice to a new server. The second one is traced: the first one fills caches and loads modules. */
async function traced({ prepare, worker }: TracedRequest): Promise<Path> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-path-'));
  const server = spawnChild(new URL('server.ts', import.meta.url), [folder, apiKey, ...(worker ? ['worker'] : [])]);
  const takeCalls = () => server.ask<readonly string[]>({ ask: 'calls' } satisfies TraceQuestion);
  try {
    const url = `http://127.0.0.1:${await server.ask<number>({ ask: 'port' } satisfies TraceQuestion)}`;
    const warmUp = await prepare(url, headers);
    const send = await prepare(url, headers);
    await warmUp(url, headers);
    await sleep(quietMs);
    await takeCalls();
    await send(url, headers);
    // The log record of a request is written after its response; a batch goes on after it.
    await sleep(worker ? quietMs : 50);
    return pathOf(await takeCalls());
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function listing(name: string, { stretches }: Path): string {
  const lines = stretches.flatMap(({ file, functions }) => [
    file,
    ...functions.map((call) => `    ${call.slice(file.length + 1)}`),
  ]);
  return [`# ${name}`, ...lines, ''].join('\n');
}
