import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export interface ScriptedUpstream {
  readonly baseURL: string;
  /** How often the server has disconnected from a reply that is held open. */
  readonly disconnects: () => number;
  [Symbol.asyncDispose](): Promise<void>;
}

const chunk = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices: [{ index: 0, ...choice }] })}\n\n`;

/**
 * Starts an OpenAI-compatible server with the model `scripted`. It streams “Hi” to every request; if the request
 * contains the word “endless”, the reply has no end.
 */
export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  let disconnects = 0;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/v1/models') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ object: 'list', data: [{ id: 'scripted', object: 'model' }] }));
        return;
      }
      response.setHeader('content-type', 'text/event-stream');
      response.write(chunk({ delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }));
      if (body.includes('endless')) response.once('close', () => disconnects++);
      else response.end(`${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    disconnects: () => disconnects,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
