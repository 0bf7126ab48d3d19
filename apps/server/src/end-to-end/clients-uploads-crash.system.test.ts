import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectionError } from '@modelwire/uploads';
import { fileFromPath, nodeMd5 } from '@modelwire/uploads/node';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';
import { createClients } from '../testing/clients.ts';
import { startProcess } from '../testing/process.ts';

const MiB = 1024 ** 2;

test('an interrupted upload resumes after the server was killed and restarted', async () => {
  const bytes = randomBytes(11 * MiB);
  const path = join(temporaryFolder(), 'medium.bin');
  writeFileSync(path, bytes);
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ moderation: false, videos: false }));
  const first = await startProcess(cwd);
  const run = createClients(first.url, { maxRetries: 0 }).uploads.upload({
    ...(await fileFromPath(path)),
    purpose: 'user_data',
    partSize: MiB / 2,
    onProgress({ parts }) {
      if (parts === 6) first.kill('SIGKILL');
    },
  });
  await expect(run).rejects.toBeInstanceOf(ConnectionError);
  await first.exited;
  const state = run.state();
  const has = state?.part_ids.filter((id) => id !== null).length ?? 0;
  expect(has).toBeGreaterThanOrEqual(6);
  expect(has).toBeLessThan(22);

  const second = await startProcess(cwd);
  const again = createClients(second.url);
  const { file } = await again.uploads.upload({
    ...(await fileFromPath(path)),
    purpose: 'user_data',
    resume: state,
    md5: nodeMd5,
  });
  expect(again.partsSent()).toBe(22 - has);
  const { body } = await again.files.content(file?.id ?? '');
  const hash = createHash('md5');
  for await (const chunk of body as AsyncIterable<Uint8Array>) hash.update(chunk);
  expect(hash.digest('hex')).toBe(createHash('md5').update(bytes).digest('hex'));
  second.kill('SIGTERM');
  await second.exited;
});
