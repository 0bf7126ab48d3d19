import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toFile } from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../testing/process.ts';
import type { ServerProcess } from '../testing/process.ts';
import { clientOf } from '../testing/test-server.ts';
import { unaccountedBlobs } from '../testing/unaccounted-blobs.ts';

/** Of each kind; KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 3);
const partBytes = 512 * 1024;
const partCount = 8;

interface Upload {
  readonly id: string;
  readonly filename: string;
  readonly bytes: Buffer;
  /** IDs of acknowledged parts by index. */
  readonly parts: (string | undefined)[];
}

async function begin({ url }: ServerProcess, name: number): Promise<Upload> {
  const bytes = randomBytes(partBytes * partCount);
  const filename = `upload-${name}.bin`;
  const { id } = await clientOf(url).uploads.create({
    bytes: bytes.length,
    filename,
    mime_type: 'application/octet-stream',
    purpose: 'user_data',
  });
  return { id, filename, bytes, parts: Array.from({ length: partCount }, () => undefined) };
}

/** Sends the unacknowledged parts, four concurrently; interrupted ones are left for the next run. */
async function send({ url }: ServerProcess, { id, bytes, parts }: Upload): Promise<void> {
  const client = clientOf(url);
  const missing = [...parts.keys()].filter((place) => parts[place] === undefined);
  const sender = async (): Promise<void> => {
    for (let place = missing.shift(); place !== undefined; place = missing.shift()) {
      const data = await toFile(bytes.subarray(place * partBytes, (place + 1) * partBytes), 'part');
      parts[place] = (await client.uploads.parts.create(id, { data })).id;
    }
  };
  await Promise.allSettled(Array.from({ length: 4 }, sender));
}

function complete({ url }: ServerProcess, { id, bytes, parts }: Upload) {
  const part_ids = parts.filter((part) => part !== undefined);
  const md5 = createHash('md5').update(bytes).digest('hex');
  return clientOf(url).uploads.complete(id, { part_ids, md5 });
}

/** Completed, however often it is requested; one file with the bytes that were sent. */
async function check(server: ServerProcess, upload: Upload): Promise<void> {
  const { file, status } = await complete(server, upload);
  expect(status).toBe('completed');
  const { files } = clientOf(server.url);
  const content = Buffer.from(await (await files.content(file?.id ?? '')).arrayBuffer());
  expect(content.equals(upload.bytes)).toBe(true);
  const same = (await Array.fromAsync(files.list())).filter(({ filename }) => filename === upload.filename);
  expect(same.map(({ id }) => id)).toEqual([file?.id]);
}

test(
  `after ${kills} kills during parts and ${kills} during completion nothing acknowledged is lost`,
  { timeout: kills * 120_000 },
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'modelwire-uploads-crash-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ moderation: false, videos: false }));
    let server = await startProcess(cwd);
    async function killed(): Promise<void> {
      server.kill('SIGKILL');
      await server.exited;
      server = await startProcess(cwd);
    }
    for (let kill = 0; kill < kills; kill++) {
      const upload = await begin(server, kill);
      const sending = send(server, upload);
      await sleep(Math.random() * 60);
      await killed();
      await sending;
      // Acknowledged parts exist: only the others are sent again.
      await send(server, upload);
      expect(upload.parts.every((part) => part !== undefined)).toBe(true);
      await check(server, upload);
    }
    for (let kill = kills; kill < 2 * kills; kill++) {
      const upload = await begin(server, kill);
      await send(server, upload);
      const completing = complete(server, upload).catch(() => undefined);
      await sleep(Math.random() * 25);
      await killed();
      const completion = await completing;
      await check(server, upload);
      if (completion?.file) expect((await complete(server, upload)).file?.id).toBe(completion.file.id);
    }
    server.kill('SIGTERM');
    await server.exited;
    const unaccounted = await unaccountedBlobs(join(cwd, '.modelwire'));
    expect(unaccounted.filter((name) => !name.includes('.'))).toEqual([]);
  },
);
