import { createServer } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';

export interface FakeService {
  readonly env: Readonly<Record<string, string>>;
  /** The body of the last request. */
  sent(): unknown;
  /** Resolves at the first request. */
  readonly requested: Promise<unknown>;
}

/** A server that streams a text (in chunks) as every reply, responds with an error status, or starts a stream and never ends it. */
export async function fakeService(
  text: string | readonly string[] = 'Hello',
  how: number | 'hangs' = 200,
): Promise<FakeService> {
  let last: unknown;
  const first = Promise.withResolvers<unknown>();
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      last = body === '' ? undefined : (JSON.parse(body) as unknown);
      first.resolve(undefined);
      const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'test-model' };
      const event = (delta: object, finish_reason: string | null = null): string =>
        `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
      const chunks = [text]
        .flat()
        .map((content) => event({ content }))
        .join('');
      if (how === 200) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${chunks}${event({}, 'stop')}data: [DONE]\n\n`);
      } else if (how === 'hangs') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunks);
      } else {
        response.writeHead(how, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'no', type: 'test', param: null, code: null } }));
      }
    });
  });
  const host = await listenForTest(http);
  return {
    env: {
      MODELWIRE_BASE_URL: `http://${host}/v1`,
      MODELWIRE_MODEL: 'test-model',
      MODELWIRE_API_KEY: 'test-key-1',
    },
    sent: () => last,
    requested: first.promise,
  };
}
