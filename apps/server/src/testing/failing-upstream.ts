import { createServer } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';

export interface FailingUpstream {
  readonly baseURL: string;
  /** Whether it answers chat requests with a 503. */
  isDown: boolean;
}

/** A model server with the model `m`, until the test has finished. */
export async function startFailingUpstream(): Promise<FailingUpstream> {
  const server = createServer((request, response) => {
    request.resume();
    const isChat = request.method === 'POST';
    const body = isChat ? completion : { object: 'list', data: [{ id: 'm' }] };
    response
      .writeHead(isChat && upstream.isDown ? 503 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  });
  const upstream = { baseURL: `http://${await listenForTest(server)}/v1`, isDown: false };
  return upstream;
}

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
