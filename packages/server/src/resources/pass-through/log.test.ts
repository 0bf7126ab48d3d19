import { RequestError } from '@modelwire/ports';
import type { PassThrough } from '@modelwire/ports';
import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../request-log.ts';
import { key, listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

test('the log line of a request has its upstream and the cause of the failure', async () => {
  const passThrough: PassThrough = {
    mayRenameModels: false,
    accepts: () => true,
    find: () => ({ upstream: 'box', model: undefined }),
    models: () => [],
    forward(_, request) {
      request.reportFailure?.('circuit breaker open');
      return Promise.reject(new RequestError('Paused.', { status: 503, code: 'upstream_unavailable' }));
    },
  };
  const { promise: logged, resolve: log } = Promise.withResolvers<RequestLogEntry>();
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))], passThrough, log });
  const response = await fetch(`${url}/v1/rerank`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"model":"m"}',
  });
  expect(response.status).toBe(503);
  expect(await logged).toMatchObject({
    ...{ status: 503, error: 'upstream_unavailable' },
    ...{ upstream: 'box', upstreamFailure: 'box: circuit breaker open' },
  });
});
