import { request as httpRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { key, startTestServer } from '../testing/test-server.ts';

const boundary = 'x';
const headers = { authorization: `Bearer ${key}`, 'content-type': `multipart/form-data; boundary=${boundary}` };
const formStart = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\ncontent`;

test('`maxConcurrentUploads` limits the number of files received at the same time', async () => {
  const server = await startTestServer({ maxConcurrentUploads: 1 });
  onTestFinished(() => server.stop());
  const url = `${server.url}/v1/files`;
  const status = async () => (await fetch(url, { method: 'POST', headers, body: 'no form' })).status;
  expect(await status()).toBe(400);
  const slow = httpRequest(url, { method: 'POST', headers });
  slow.on('error', () => undefined);
  onTestFinished(() => void slow.destroy());
  slow.write(formStart);
  await expect.poll(status).toBe(503);
  slow.destroy();
  await expect.poll(status).toBe(400);
});
