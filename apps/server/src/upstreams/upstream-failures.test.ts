import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { errorOf } from '../testing/api-error.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

type Answer = (body: { readonly model: string; readonly stream?: boolean; readonly user?: string }) => {
  readonly status: number;
  readonly body: unknown;
};

const completion = (content: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'there',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
const good: Answer = () => ({ status: 200, body: completion('Hello') });

/** An HTTP server that handles `POST` with `answer` and lists the models `small` and `large`. */
function handle(answer: Answer): RequestListener {
  return (request, response) => {
    void (async () => {
      const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
      const { status, body } =
        request.method === 'GET'
          ? { status: 200, body: { object: 'list', data: [{ id: 'small' }, { id: 'large' }] } }
          : answer(JSON.parse(Buffer.concat(chunks).toString()) as Parameters<Answer>[0]);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  };
}

async function listen(listener: RequestListener, port = 0): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const server: Server = createServer(listener).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  onTestFinished(stop);
  return { port: (server.address() as AddressInfo).port, stop };
}

async function serve(port: number, config: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const served = await startTestServer({
    simulator: false,
    upstreams: [{ name: 'box', baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'their-secret-key' }],
    ...config,
  });
  onTestFinished(() => served.stop());
  return served;
}

const ask = (served: TestServer, model = 'small', rest: object = {}) =>
  served.client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }], ...rest });

async function readiness({ url }: TestServer): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: await response.json() };
}

test('requests that fail with a 500 of the upstream get its message, and do not affect other requests', async () => {
  let requests = 0;
  const image = { code: 500, message: 'image input is not supported', type: 'server_error' };
  const upstream = await listen(
    handle((body) => {
      requests += 1;
      return body.user === 'with-image' ? { status: 500, body: { error: image } } : good(body);
    }),
  );
  const served = await serve(upstream.port);
  for (let index = 0; index < 6; index++) {
    const error = await errorOf(ask(served, 'small', { user: 'with-image' }));
    expect(error).toMatchObject({ status: 500, type: 'server_error', code: 'upstream_error' });
    expect(error.message).toContain('image input is not supported');
    expect(error.headers?.get('x-modelwire-upstream')).toBe('box');
  }
  expect(requests).toBe(6);
  expect((await ask(served)).choices[0]?.message.content).toBe('Hello');
  expect(await readiness(served)).toEqual({ status: 200, body: { status: 'ok' } });
});

test('five failures open the circuit of one model, which a probe closes when the upstream is back', async () => {
  let isDown = true;
  let requests = 0;
  const upstream = await listen((request, response) => {
    if (request.method === 'POST') requests += 1;
    handle((body) => {
      if (isDown && body.model === 'small') response.socket?.resetAndDestroy();
      return good(body);
    })(request, response);
  });
  const served = await serve(upstream.port, { circuitBreaker: { failures: 5, cooldownMs: 3000 } });

  for (let index = 0; index < 5; index++) {
    expect(await errorOf(ask(served))).toMatchObject({ status: 502, code: 'upstream_error' });
  }
  expect(requests).toBe(4 * 3 + 1);
  const paused = await errorOf(ask(served));
  expect(paused).toMatchObject({ status: 503, code: 'upstream_unavailable' });
  expect(paused.headers?.get('retry-after')).toMatch(/^[123]$/);
  expect(paused.headers?.get('x-modelwire-upstream')).toBe('box');
  expect(requests).toBe(4 * 3 + 1);
  expect(await readiness(served)).toMatchObject({
    status: 200,
    body: { status: 'degraded', circuits: [{ upstream: 'box', model: 'small', state: 'open' }] },
  });
  expect((await ask(served, 'large')).choices[0]?.message.content).toBe('Hello');

  isDown = false;
  const retried = () =>
    ask(served).then(
      ({ choices }) => choices[0]?.message.content,
      () => 'paused',
    );
  await expect.poll(retried, { timeout: 30_000, interval: 200 }).toBe('Hello');
  expect(await readiness(served)).toEqual({ status: 200, body: { status: 'ok' } });
});

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const { port, stop } = await listen(() => undefined);
  await stop();
  return port;
}

const unreachable = { upstream: 'box', status: 'unreachable', cause: 'ECONNREFUSED' };

test('until an upstream was reached, the 404 for unknown models names it; afterwards, they are served or do not exist', async () => {
  const port = await freePort();
  const served = await serve(port);
  for (const request of [() => ask(served), () => served.client.models.retrieve('small')]) {
    const error = await errorOf(request());
    expect(error).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(error.message).toContain("could not be requested from the upstream 'box' (ECONNREFUSED)");
    expect(error.headers?.get('retry-after')).toBe('5');
  }
  expect(await readiness(served)).toEqual({
    status: 503,
    body: { status: 'upstreams unavailable', upstreams: [unreachable] },
  });

  await listen(handle(good), port);
  await expect.poll(() => readiness(served), { timeout: 30_000 }).toEqual({ status: 200, body: { status: 'ok' } });
  expect((await ask(served)).choices[0]?.message.content).toBe('Hello');
  expect(await errorOf(ask(served, 'other'))).toMatchObject({ status: 404, code: 'model_not_found' });
});

test.each([
  ['that it listed before', {}],
  ['that are configured for it', { models: { small: {} } }],
])(
  'while an upstream is down, models %s are 503, others 404, and /readyz responds as at startup',
  async (_, config) => {
    const upstream = await listen(handle(good));
    const served = await serve(upstream.port, config);
    expect((await ask(served)).choices[0]?.message.content).toBe('Hello');
    await upstream.stop();

    const error = await errorOf(ask(served));
    expect(error).toMatchObject({ status: 503, code: 'upstream_unavailable' });
    expect(error.message).toContain("The upstream 'box' is unreachable (ECONNREFUSED)");
    expect(await errorOf(ask(served, 'other'))).toMatchObject({ status: 404, code: 'model_not_found' });
    expect((await served.client.models.list()).data.map(({ id }) => id)).toContain('small');
    await expect
      .poll(() => readiness(served), { timeout: 30_000 })
      .toEqual({ status: 503, body: { status: 'upstreams unavailable', upstreams: [unreachable] } });

    const restarted = await serve(upstream.port, config);
    expect(await readiness(restarted)).toEqual({
      status: 503,
      body: { status: 'upstreams unavailable', upstreams: [unreachable] },
    });
  },
);

test.each([
  [
    'unknown models are a 404 that says so',
    {},
    { status: 404, code: 'model_not_found' },
    "'box' (it refused the credentials of this server, status 401)",
  ],
  [
    'models configured for it are 502 upstream_authentication_failed',
    { models: { small: {} } },
    { status: 502, code: 'upstream_authentication_failed' },
    "The upstream 'box' refused the credentials of this server (status 401)",
  ],
])('while an upstream refuses our key, %s', async (_, config, expected, message) => {
  const upstream = await listen((request, response) => {
    request.resume();
    const error = { message: `Incorrect API key provided: ${request.headers.authorization ?? ''}` };
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  const served = await serve(upstream.port, config);
  const error = await errorOf(ask(served));
  expect(error).toMatchObject(expected);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain('their-secret-key');
  const refused = { upstream: 'box', status: 'authentication_failed', cause: 'status 401' };
  expect(await readiness(served)).toEqual({
    status: 503,
    body: { status: 'upstreams unavailable', upstreams: [refused] },
  });
});

test('with one upstream of two down, the server is ready and degraded', async () => {
  const upstream = await listen(handle(good));
  const served = await serve(upstream.port, {
    upstreams: [
      { name: 'good', baseURL: `http://127.0.0.1:${upstream.port}/v1` },
      { name: 'box', baseURL: `http://127.0.0.1:${await freePort()}/v1` },
    ],
  });
  expect(await readiness(served)).toEqual({ status: 200, body: { status: 'degraded', upstreams: [unreachable] } });
  const { response } = await ask(served).withResponse();
  expect(response.headers.get('x-modelwire-upstream')).toBe('good');
  const unknown = await errorOf(ask(served, 'other'));
  expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' });
  expect(unknown.message).toContain("the upstream 'box' (ECONNREFUSED)");
});

test('failures of requests that are passed through pause the model for chat, and those of moderations are reported', async () => {
  let requests = 0;
  const upstream = await listen((request, response) => {
    if (request.method === 'POST') requests += 1;
    handle(() => ({ status: 503, body: { error: { message: 'overloaded' } } }))(request, response);
  });
  const baseURL = `http://127.0.0.1:${upstream.port}/v1`;
  const served = await serve(upstream.port, {
    circuitBreaker: { failures: 2, cooldownMs: 60_000 },
    // Models are read from requests that are passed through if one may have another name.
    models: { tiny: { model: 'small' } },
    moderation: { upstream: { baseURL, models: { judge: 'judge-there' } } },
  });
  for (let index = 0; index < 2; index++) {
    expect(await errorOf(served.client.post('/rerank', { body: { model: 'small' } }))).toMatchObject({ status: 503 });
    const refused = await errorOf(served.client.moderations.create({ model: 'judge', input: 'a' }));
    expect(refused.status).toBe(503);
    expect(refused.headers?.get('x-modelwire-upstream')).toBe('upstream');
  }
  const before = requests;
  for (const request of [() => ask(served), () => served.client.post('/rerank', { body: { model: 'tiny' } })]) {
    expect((await errorOf(request())).message).toContain('failed repeatedly (status 503) and is paused');
  }
  expect(requests).toBe(before);
  const { body } = await readiness(served);
  expect(body).toMatchObject({
    status: 'degraded',
    circuits: [
      { upstream: 'box', model: 'small', state: 'open' },
      { upstream: 'upstream', model: 'judge-there', state: 'open' },
    ],
  });
});
