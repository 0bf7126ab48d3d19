import { json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

const answer: Respond = (response, { method, path }, count) => {
  const [status, progress] = count > 2 ? ['completed', 100] : ['in_progress', 40];
  if (method === 'POST') json(response, { id: 'video_1', status: 'queued', progress: 0 });
  else if (path === '/videos/video_1') json(response, { id: 'video_1', status, progress });
  else {
    response.writeHead(200, { 'content-type': 'video/mp4' });
    response.end(Buffer.alloc(1000));
  }
};

test('the example of the README runs and prints the documented output', async () => {
  const { baseURL } = await startRecordingServer(answer);
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL });
  expect(stdout).toBe('40 %\n100 %\nvideo/mp4 1000\n');
});
