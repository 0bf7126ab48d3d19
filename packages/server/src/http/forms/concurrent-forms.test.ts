import { expect, test, onTestFinished } from 'vitest';
import { request as httpRequest } from 'node:http';
import { formBytes, formType } from '../../testing/form.ts';
import { key, listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';

const headers = { authorization: `Bearer ${key}`, 'content-type': formType };
const form = formBytes([
  { name: 'purpose', body: 'evals' },
  { name: 'file', filename: 'a', body: 'content' },
]);

test('returns 503 with Retry-After while the maximum number of forms is being received', async () => {
  const { stores, blobs, reserved } = memoryWork();
  const { url, server } = await listen({ engines: [], stores, blobs, worker: false, maxConcurrentUploads: 2 });
  const send = () => fetch(`${url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(form) });
  const slow = Array.from({ length: 2 }, () => {
    const sending = httpRequest(`${url}/v1/files`, { method: 'POST', headers });
    sending.on('error', () => undefined);
    sending.write(form.subarray(0, -30));
    onTestFinished(() => void sending.destroy());
    return sending;
  });
  await expect.poll(() => reserved.size).toBe(2);
  const refused = await send();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } });
  slow[0]?.destroy();
  await expect.poll(() => server.stats().requestsInFlight).toBe(1);
  expect((await send()).status).toBe(200);
  // Forms that were refused release their permits too.
  for (let n = 0; n < 3; n++) {
    const wrong = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: 'no form' });
    expect(wrong.status).toBe(400);
  }
  expect((await send()).status).toBe(200);
});
