import OpenAI from 'openai';
import type { ResponsesServerEvent } from 'openai/resources/responses/responses';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestServer } from '../index.ts';
import type { TestServer } from '../index.ts';

/** The official client's WebSocket; `turn` sends a request and resolves to the last event of its response. */
function connect({ baseURL, apiKey }: Pick<TestServer, 'baseURL' | 'apiKey'>) {
  const socket = new ResponsesWS(new OpenAI({ baseURL, apiKey }));
  onTestFinished(() => socket.close());
  return {
    socket,
    turn(body: { readonly input: string; readonly previous_response_id?: string }) {
      socket.send({ type: 'response.create', model: 'gpt-4o', ...body });
      return new Promise<ResponsesServerEvent>((resolve) => {
        const onEvent = (event: ResponsesServerEvent): void => {
          if (!/^(?:response\.(?:completed|failed)|error)$/.test(event.type)) return;
          socket.off('event', onEvent);
          resolve(event);
        };
        socket.on('event', onEvent);
        // Without a listener, the client throws errors of the server.
        socket.on('error', () => undefined);
      });
    },
  };
}

const replied = (text: string) => ({
  type: 'response.completed',
  response: { output: [{ content: [{ text }] }] },
});

test("the official client's WebSocket gets scripted replies, and continues a response that is not stored", async () => {
  await using server = await startTestServer({ replies: [{ sequence: ['Good day.', 'And to you.'] }] });
  const { turn } = connect(server);
  const first = await turn({ input: 'Hello' });
  expect(first).toMatchObject(replied('Good day.'));
  const previous_response_id = 'response' in first ? first.response.id : '';
  expect(previous_response_id).toBe('resp_000000000000000000000001');
  expect(await turn({ input: 'And you?', previous_response_id })).toMatchObject(replied('And to you.'));
});

test('each message is recorded as a request with its status, without the key', async () => {
  await using server = await startTestServer({ replies: [{ when: { message: 'Hello' }, reply: 'Good day.' }] });
  const { turn } = connect(server);
  await turn({ input: 'Hello' });
  expect(await turn({ input: 'Hello', previous_response_id: 'resp_unknown' })).toMatchObject({
    type: 'error',
    error: { code: 'previous_response_not_found' },
  });
  expect(server.requests.map(({ method, path, body, status }) => [method, path, body, status])).toMatchObject([
    ['POST', '/v1/responses', { type: 'response.create', input: 'Hello' }, 200],
    ['POST', '/v1/responses', { previous_response_id: 'resp_unknown' }, 400],
  ]);
  expect(JSON.stringify(server.requests)).not.toContain(server.apiKey);
});

test('a reset and the end of the server close the connections', async () => {
  const server = await startTestServer({ replies: 'Good day.' });
  for (const end of [() => server.reset(), () => server.close()]) {
    const { socket, turn } = connect(server);
    await turn({ input: 'Hello' });
    const closed = vi.fn();
    socket.on('close', closed);
    await end();
    await expect.poll(() => closed).toHaveBeenCalledOnce();
  }
});
