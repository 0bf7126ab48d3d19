import { json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { hello, helloEvents, sendEvents } from '../test/events.ts';

const respond: Respond = (response, request) => {
  if (!JSON.stringify(request.json).includes('"stream":true')) {
    json(response, hello);
    return;
  }
  sendEvents(response, helloEvents);
  response.end('data: [DONE]\n\n');
};

test('the example of the README runs and prints the documented output', async () => {
  const { baseURL } = await startRecordingServer(respond);
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL });
  expect(stdout).toBe('Hello there\nHello\n there\ncompleted 7\n');
});
