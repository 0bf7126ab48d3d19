import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { key, listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

test('a JSON body that is not there after two minutes is a 408', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { url, server } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString()));
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n` +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  await expect.poll(() => server.inFlight()).toBe(1);
  vi.advanceTimersByTime(110_000);
  await new Promise(setImmediate);
  expect(answer).toBe('');
  vi.advanceTimersByTime(20_000);
  await expect.poll(() => answer).toContain('request_timeout');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(() => server.inFlight()).toBe(0);
});
