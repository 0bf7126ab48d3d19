import { json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

let input = '';
const answer: Respond = (response, { method, path, files }) => {
  if (path === '/files') {
    input = files['file']?.bytes.toString() ?? '';
    json(response, { id: 'file-in', object: 'file' });
    return;
  }
  const batch = {
    id: 'batch_1',
    object: 'batch',
    status: 'validating',
    request_counts: { total: 2, completed: 0, failed: 0 },
  };
  const request_counts = { total: 2, completed: 2, failed: 0 };
  if (method === 'POST') {
    json(response, batch);
    return;
  }
  if (path === '/batches/batch_1') {
    json(response, { ...batch, status: 'completed', request_counts, output_file_id: 'file-out' });
    return;
  }
  const lines = input
    .trim()
    .split('\n')
    .map((line) => {
      const { custom_id, body } = JSON.parse(line) as { custom_id: string; body: { messages: { content: string }[] } };
      const content = `You said: ${body.messages[0]?.content}`;
      const completion = { choices: [{ index: 0, message: { role: 'assistant', content } }] };
      return JSON.stringify({
        id: 'r',
        custom_id,
        response: { status_code: 200, request_id: 'q', body: completion },
        error: null,
      });
    });
  response.end(lines.join('\n'));
};

test('the example of the README runs and prints the documented output', async () => {
  const { baseURL } = await startRecordingServer(answer);
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL });
  expect(stdout).toBe('validating 0\ncompleted 2\none You said: Hello\ntwo You said: Goodbye\n');
});

test('the example of a collector prints each reply', async () => {
  const { baseURL } = await startRecordingServer(answer);
  const { stdout } = await runReadmeExample(import.meta.url, { index: 1, baseURL });
  expect(stdout).toBe('You said: Hello\nYou said: Goodbye\n');
});
