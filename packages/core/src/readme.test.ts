import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { serve, startEvents } from '../test/server.ts';

test('the example of the README runs', async () => {
  const { baseURL, received } = await serve((response) => {
    startEvents(response);
    response.end('data: {"n":1}\n\ndata: {"n":2}\n\n');
  });
  const { stdout, stderr } = await runReadmeExample(import.meta.url, { baseURL, replace: { 'sk-…': 'sk-1' } });
  expect(stdout).toBe('{ n: 1 }\n{ n: 2 }\n');
  expect(stderr).toBe('StreamError The stream ended before [DONE]. req_1\n');
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ stream: true });
});
