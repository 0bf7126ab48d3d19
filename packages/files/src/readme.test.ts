import { json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

const answer: Respond = (response, { method, path, files, headers }) => {
  if (method === 'POST') json(response, { id: 'file-1', filename: files['file']?.filename });
  else if (method === 'DELETE') json(response, { id: 'file-1', object: 'file', deleted: true });
  else {
    expect([path, headers.range]).toEqual(['/files/file-1/content', 'bytes=0-5']);
    response.writeHead(206, { 'content-range': 'bytes 0-5/22' });
    response.end('Rivers');
  }
};

test('the example of the README runs and prints the documented output', async () => {
  const { baseURL } = await startRecordingServer(answer);
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL });
  expect(stdout).toBe('notes.txt Rivers\n');
});
