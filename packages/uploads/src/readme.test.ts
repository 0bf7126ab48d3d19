import { json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

const answer: Respond = (response, { path, json: body }, count) => {
  const file = path.endsWith('/complete') ? { id: 'file-1', body } : null;
  const upload = { id: 'upload_1', object: 'upload', status: 'pending', expires_at: 1, file };
  json(response, path.endsWith('/parts') ? { id: `part_${count}`, object: 'upload.part' } : upload);
};

test('the example of the README runs and prints the documented output', async () => {
  const { baseURL } = await startRecordingServer(answer);
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL });
  expect(stdout).toBe('0 %\n100 %\nfile-1\n');
});
