import { describe, expect, test } from 'vitest';
import type { ChatEngine, RequestError } from '@modelwire/ports';
import { engineRequest, drainStream, rejection, relayStream, relayWhole } from '../../test/engine-request.ts';
import { chunk, startEventStream, frames, json } from '../../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../../test/fake-server.ts';
import { startUpstream } from '../../test/start-upstream.ts';
import type { UpstreamServer } from '../presets/options.ts';

const key = 'sk-very-secret';
let fake: FakeServer;
let engine: ChatEngine;

/** The default timeouts, except in tests that wait for them; generous for slow machines. */
type Limits = NonNullable<UpstreamServer['timeouts']>;

async function start(handler: RequestHandler, timeouts: Limits = {}): Promise<void> {
  const models = { m: { upstreamModel: 'secret-name' } };
  ({ fake, engine } = await startUpstream(handler, { name: 'box', apiKey: key, timeouts }, { models, retries: 0 }));
}

async function failWith(handler: RequestHandler, timeouts?: Limits): Promise<RequestError> {
  await start(handler, timeouts);
  return await rejection(relayWhole(engine, engineRequest()));
}

const error = { message: 'No.', type: 'invalid_request_error', param: 'seed', code: 'invalid_value' };

describe('an error status', () => {
  test.each([400, 404, 409, 413, 415, 422])(
    "passes the upstream's %i with message, type, param and code",
    async (status) => {
      expect(await failWith((response) => json(response, status, { error }))).toMatchObject({ status, ...error });
    },
  );

  test('429 is passed on with its retry headers and no others', async () => {
    const headers = {
      'retry-after': '7',
      'retry-after-ms': '7001',
      'x-should-retry': 'false',
      'x-ratelimit-remaining-tokens': '0',
      'x-internal': 'host-1',
      'set-cookie': 'a=b',
    };
    const failure = await failWith((response) => json(response, 429, { error: { message: 'Slow down' } }, headers));
    expect(failure).toMatchObject({ status: 429, message: 'Slow down', type: 'rate_limit_exceeded' });
    expect(failure.headers).toEqual({
      'retry-after': '7',
      'retry-after-ms': '7001',
      'x-should-retry': 'false',
      'x-ratelimit-remaining-tokens': '0',
    });
  });

  test.each([429, 413])(
    '%i of a proxy, without a JSON body, keeps its status without showing the body',
    async (status) => {
      const failure = await failWith((response) => response.writeHead(status).end('<html>nginx</html>'));
      expect(failure.status).toBe(status);
      expect(failure.message).not.toContain('nginx');
    },
  );

  test.each([401, 403])(
    '%i is our key at fault: 502 upstream_authentication_failed without the key',
    async (status) => {
      const failure = await failWith((response) => json(response, status, { error: { message: `Bad key ${key}` } }));
      expect(failure).toMatchObject({ status: 502, type: 'server_error', code: 'upstream_authentication_failed' });
      expect(failure.message).toBe(
        `The upstream 'box' refused the credentials of this server (status ${status}). It reported: Bad key [redacted]`,
      );
    },
  );

  test('404 for the model contains the ID that the client used', async () => {
    const body = { error: { message: 'The model `secret-name` does not exist.', type: 'NotFoundError', code: 404 } };
    const failure = await failWith((response) => json(response, 404, body));
    expect(failure).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    expect(failure.message).toContain("'m'");
    expect(failure.message).not.toContain('secret-name');
  });

  test.each([{ detail: 'Not Found' }, { error: { message: 'Unknown request URL', code: 'unknown_url' } }])(
    '404 for the path is a wrong base URL, not the client: 502 (%j)',
    async (body) => {
      expect(await failWith((response) => json(response, 404, body))).toMatchObject({
        status: 502,
        code: 'upstream_error',
      });
    },
  );

  test.each([500, 501, 502, 503, 504])(
    '%i of the upstream is passed on with message, type and code',
    async (status) => {
      const loading = { message: 'Loading model', type: 'unavailable_error', code: 'model_loading' };
      const failure = await failWith((response) => json(response, status, { error: loading }));
      expect(failure).toMatchObject({ status, ...loading });
    },
  );

  test.each([
    [500, 500],
    [503, 503],
    [529, 503],
    [521, 502],
  ])('%i without a message is a %i upstream_error that names the upstream', async (status, shown) => {
    const failure = await failWith((response) => response.writeHead(status).end('<html>nginx</html>'));
    expect(failure).toMatchObject({ status: shown, type: 'server_error', code: 'upstream_error' });
    expect(failure.message).toBe(`The upstream 'box' failed with status ${status}.`);
  });

  test('529 becomes a 503, which clients know, with the same message', async () => {
    const overloaded = { message: 'Overloaded', type: 'overloaded_error' };
    expect(await failWith((response) => json(response, 529, { type: 'error', error: overloaded }))).toMatchObject({
      status: 503,
      ...overloaded,
      code: 'upstream_error',
    });
  });

  test('503 keeps retry-after', async () => {
    const failure = await failWith((response) => json(response, 503, {}, { 'retry-after': '3' }));
    expect(failure).toMatchObject({ status: 503, headers: { 'retry-after': '3' } });
  });

  test('503 drops an invalid retry-after', async () => {
    const failure = await failWith((response) => json(response, 503, {}, { 'retry-after': 'x'.repeat(500) }));
    expect(failure).toMatchObject({ status: 503, headers: {} });
  });

  test('302 is a 502 without its body', async () => {
    const failure = await failWith((response) => response.writeHead(302).end('secret'));
    expect(failure).toMatchObject({ status: 502, code: 'upstream_error' });
    expect(failure.message).not.toContain('secret');
  });

  test.each([
    ['text', 'text/plain', 'tool choice is not supported', 'tool choice is not supported'],
    ['a JSON string', 'application/json', '"tool choice is not supported"', 'tool choice is not supported'],
    ['a list', 'application/json', '[{"error":{"code":400,"message":"No.","status":"INVALID_ARGUMENT"}}]', 'No.'],
    ['a message', 'application/json', '{"message":"No.","request_id":"x"}', 'No.'],
    ['a message of another name', 'application/json', '{"Message":"No."}', 'No.'],
    ['a list of errors', 'application/json', '{"errors":[{"message":"No.","code":8006}],"success":false}', 'No.'],
    ['an error in an error', 'application/json', '{"error":{"error":{"message":"No."}}}', 'No.'],
    ['an error that is a flag', 'application/json', '{"error":true,"message":"No."}', 'No.'],
    ['problem details', 'application/problem+json', '{"title":"Bad","detail":"No."}', 'No.'],
  ])('400 with %s keeps its status and its message', async (_, type, body, message) => {
    const failure = await failWith((response) => response.writeHead(400, { 'content-type': type }).end(body));
    expect(failure).toMatchObject({ status: 400, type: 'invalid_request_error', message });
  });

  test.each([
    ['HTML', '<html>secret</html>'],
    ['nothing', ''],
    ['an empty list', '[]'],
    ['an empty object', '{}'],
    ['broken JSON', '{"message":"secret'],
    ['a stack trace', 'Traceback (most recent call last):\n  secret'],
    ['a long text', 'secret '.repeat(1000)],
  ])('4xx with %s keeps its status without the body', async (_, body) => {
    for (const status of [400, 404, 409, 422, 451]) {
      const failure = await failWith((response) => response.writeHead(status).end(body));
      expect(failure).toMatchObject({ status, message: `The upstream 'box' answered with status ${status}.` });
      await fake.close();
    }
  });

  test.each([
    [{ error: 'plain text' }, 'plain text'],
    [{ object: 'error', message: 'older vLLM', code: 40001 }, 'older vLLM'],
    [{ detail: [{ loc: ['body'], msg: 'field required' }] }, 'field required'],
    [{ error: { message: 'none as text', type: 'None', param: 'None', code: 400 } }, 'none as text'],
  ])('reads error bodies of known servers: %j', async (body, message) => {
    const failure = await failWith((response) => json(response, 400, body));
    expect(failure).toMatchObject({
      status: 400,
      message,
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_request',
    });
  });
});

describe('a reply of status 200', () => {
  test.each(['<html>secret</html>', '[1]', '{"id":1}', '{"choices":['])(
    'that is not a completion is a 502: %s',
    async (body) => {
      const failure = await failWith((response) => response.end(body));
      expect(failure).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(failure.message).not.toContain('secret');
    },
  );

  test('with an error body is that error', async () => {
    expect(await failWith((response) => json(response, 200, { error }))).toMatchObject({ status: 502, ...error });
  });

  test.each([429.5, 200, 600, -404, '429', 1e300])('with an error body of status %j is a 502', async (status) => {
    const failure = await failWith((response) => json(response, 200, { error: { message: 'x', status } }));
    expect(failure).toMatchObject({ status: 502, message: 'x' });
  });

  test('with an error body of an error status has that status', async () => {
    expect(await failWith((response) => json(response, 200, { error: { message: 'x', status: 429 } }))).toMatchObject({
      status: 429,
    });
  });

  test('that is a stream although none was requested is a 502', async () => {
    const failure = await failWith((response) =>
      startEventStream(response).end(frames(chunk({ content: 'a' }), '[DONE]')),
    );
    expect(failure).toMatchObject({ status: 502, code: 'upstream_error' });
  });

  test('of type text/html to a streamed request is a 502 before the stream starts', async () => {
    await start((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    const failure = await rejection(relayStream(engine, engineRequest({ stream: true })));
    expect(failure).toMatchObject({ status: 502, code: 'upstream_error' });
  });

  test('of more than 64 MiB is a 502, and is not read to its end', async () => {
    const failure = await failWith((response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': 64 * 1024 * 1024 + 1 })
        .write('{');
    });
    expect(failure).toMatchObject({ status: 502, code: 'upstream_error' });
  });

  test('of more than 64 MiB without content-length is a 502', async () => {
    const piece = Buffer.alloc(1024 * 1024, 32);
    const failure = await failWith((response) => {
      for (let sent = 0; sent < 66; sent++) response.write(piece);
    });
    expect(failure).toMatchObject({ status: 502, code: 'upstream_error' });
  });

  test('that is truncated is a 502 upstream_stream_interrupted', async () => {
    const failure = await failWith((response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"choices"', () => response.socket?.destroy());
    });
    expect(failure).toMatchObject({ status: 502, code: 'upstream_stream_interrupted' });
  });
});

describe('a missing reply', () => {
  test('of a closed port is a 503 upstream_unavailable with the cause, without the address', async () => {
    await start(() => undefined);
    await fake.close();
    const failure = await rejection(relayWhole(engine, engineRequest()));
    expect(failure).toMatchObject({ status: 503, code: 'upstream_unavailable', headers: { 'retry-after': '1' } });
    expect(failure.message).toBe("The upstream 'box' is unreachable (ECONNREFUSED). Please retry later.");
    expect(`${failure.message} ${String(failure.cause)}`).not.toMatch(/127\.0\.0\.1|localhost/);
    expect(String(failure.cause)).toContain('box: ECONNREFUSED');
  });

  test('of a connection that closes is a 502 upstream_error', async () => {
    const failure = await failWith((response) => response.socket?.destroy());
    expect(failure).toMatchObject({ status: 502, code: 'upstream_error' });
  });

  test('until the timeout is a 504 upstream_timeout', async () => {
    expect(await failWith(() => undefined, { firstByte: 150 })).toMatchObject({
      status: 504,
      code: 'upstream_timeout',
    });
  });
});

describe('a stream', () => {
  const first = chunk({ content: 'a' });
  const last = chunk({}, 'stop');

  async function drained(
    handler: RequestHandler,
    requestBody = {},
    timeouts?: Limits,
  ): Promise<{ payloads: string[]; error?: unknown }> {
    await start(handler, timeouts);
    return await drainStream(engine, engineRequest({ stream: true, ...requestBody }));
  }

  test('that is reset yields the received events, then throws upstream_stream_interrupted', async () => {
    const { payloads, error: thrown } = await drained((response) =>
      startEventStream(response).write(frames(first), () => response.socket?.resetAndDestroy()),
    );
    expect(payloads).toEqual([first]);
    expect(thrown).toMatchObject({ status: 502, code: 'upstream_stream_interrupted' });
  });

  test('that ends without [DONE] and without finish_reason is incomplete', async () => {
    const { payloads, error: thrown } = await drained((response) => startEventStream(response).end(frames(first)));
    expect(payloads).toEqual([first]);
    expect(thrown).toMatchObject({ status: 502, code: 'upstream_incomplete' });
  });

  test('that ends without [DONE] after the finish_reason of each choice is complete', async () => {
    const payloads = [first, chunk({}, 'stop')];
    expect(await drained((response) => startEventStream(response).end(frames(...payloads)))).toEqual({ payloads });
  });

  test('that ends without [DONE] before the finish_reason of each choice is incomplete', async () => {
    const { error: thrown } = await drained((response) => startEventStream(response).end(frames(chunk({}, 'stop'))), {
      n: 2,
    });
    expect(thrown).toMatchObject({ code: 'upstream_incomplete' });
  });

  test('that stalls is a 504 upstream_timeout', async () => {
    const stall: RequestHandler = (response) => startEventStream(response).write(frames(first));
    const { payloads, error: thrown } = await drained(stall, {}, { idle: 1000 });
    expect(payloads).toEqual([first]);
    expect(thrown).toMatchObject({ status: 504, code: 'upstream_timeout' });
  });

  test('stays open while comments arrive', async () => {
    const sendComments: RequestHandler = (response) => {
      startEventStream(response).write(frames(first));
      let beats = 0;
      const timer = setInterval(() => {
        if (++beats < 16) return response.write(': still here\n\n');
        clearInterval(timer);
        return response.end(frames(last, '[DONE]'));
      }, 200);
    };
    const outcome = await drained(sendComments, {}, { idle: 2000 });
    expect(outcome).toEqual({ payloads: [first, last] });
  });

  test('with an error frame throws that error after the previous events', async () => {
    const { payloads, error: thrown } = await drained((response) =>
      startEventStream(response).end(
        frames(first, JSON.stringify({ error: { message: 'GPU fell off', type: 'server_error', code: 500 } })),
      ),
    );
    expect(payloads).toEqual([first]);
    expect(thrown).toMatchObject({
      status: 500,
      message: 'GPU fell off',
      type: 'server_error',
      code: 'upstream_error',
    });
  });

  test.each([
    JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }], error: { message: 'lost' } }),
    '{ "error" : { "message": "lost" } }',
    '{"object":"error","message":"lost"}',
  ])('detects an error frame of another shape: %s', async (frame) => {
    const { error: thrown } = await drained((response) => startEventStream(response).end(frames(frame)));
    expect(thrown).toMatchObject({ message: 'lost' });
  });

  test('treats an event named error as an error', async () => {
    const { error: thrown } = await drained((response) =>
      startEventStream(response).end('event: error\ndata: {"message":"x"}\n\n'),
    );
    expect(thrown).toMatchObject({ status: 502, type: 'server_error' });
  });

  test('whose text contains "error" or "finish_reason" is not an error', async () => {
    const payloads = [
      chunk({ content: 'error' }),
      chunk({ content: '{"error": "finish_reason":"x"}' }),
      chunk({ error: null }),
      last,
    ];
    expect(await drained((response) => startEventStream(response).end(frames(...payloads, '[DONE]')))).toEqual({
      payloads,
    });
  });

  test.each(['<html>', 'data', '{"choices":'])('with a frame that is not a JSON object fails: %s', async (frame) => {
    const { payloads, error: thrown } = await drained((response) =>
      startEventStream(response).end(frames(first, frame)),
    );
    expect(payloads).toEqual([first]);
    expect(thrown).toMatchObject({ status: 502, code: 'upstream_error' });
  });

  test('with an event of more than 16 MiB fails', async () => {
    const { error: thrown } = await drained((response) => {
      startEventStream(response).write('data: {"a":"');
      const fill = Buffer.alloc(1024 * 1024, 97);
      for (let index = 0; index < 18; index++) response.write(fill);
    });
    expect(thrown).toMatchObject({ status: 502, code: 'upstream_error' });
  });

  test('can omit the last blank line', async () => {
    expect(await drained((response) => startEventStream(response).end(`${frames(first, last)}data: [DONE]`))).toEqual({
      payloads: [first, last],
    });
  });

  test('ends at [DONE], and ignores what follows', async () => {
    const outcome = await drained((response) =>
      startEventStream(response).end(frames(first, last, '[DONE]', chunk({ content: 'late' }))),
    );
    expect(outcome).toEqual({ payloads: [first, last] });
  });
});
