import { describe, expect, test } from 'vitest';
import { drainStream } from '../../test/engine-request.ts';
import { chunk, frames, json, startEventStream } from '../../test/fake-server.ts';
import type { RequestHandler } from '../../test/fake-server.ts';
import { failure, hel, lo, request, seen, start, stop, stream, usage } from '../../test/seen-reply.ts';

describe('an error with status 200', () => {
  const quota = { error: { message: 'quota exceeded', type: 'insufficient_quota', code: 429 } };

  test.each<[string, RequestHandler, object]>([
    ['as JSON', (response) => json(response, 200, quota), { status: 429, message: 'quota exceeded' }],
    [
      'as JSON in an event stream',
      (response) => startEventStream(response).end(JSON.stringify(quota)),
      { status: 429 },
    ],
    ['as a list', (response) => json(response, 200, [quota]), { status: 429, message: 'quota exceeded' }],
    ['as details', (response) => json(response, 200, { detail: 'Not Found' }), { status: 502, message: 'Not Found' }],
    [
      'as a message',
      (response) => json(response, 200, { message: 'no credit', code: 402 }),
      { status: 402, message: 'no credit' },
    ],
    ['as the first frame', stream(quota), { status: 429, message: 'quota exceeded' }],
    ['as a frame that is a list', stream([quota]), { status: 429, message: 'quota exceeded' }],
    ['as a later frame', stream(hel, quota), { status: 429, message: 'quota exceeded' }],
    ['without a status', stream({ error: { message: 'used up', code: 'insufficient_quota' } }), { status: 429 }],
    [
      'of type error',
      stream({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      { message: 'Overloaded' },
    ],
    [
      'as an event with JSON',
      (response) => startEventStream(response).end('event: error\ndata: {"message":"lost"}\n\n'),
      { status: 502, message: 'lost' },
    ],
    [
      'as an event with text',
      (response) => startEventStream(response).end('event: error\ndata: lost\n\n'),
      { status: 502, message: 'lost' },
    ],
    [
      'as a field of its own',
      (response) =>
        startEventStream(response).end(
          `${frames(hel)}error: {"code":400,"message":"The request is wrong","type":"invalid_request_error"}\n\n${frames('[DONE]')}`,
        ),
      { status: 400, message: 'The request is wrong', type: 'invalid_request_error' },
    ],
    [
      'as an event without a message',
      (response) => startEventStream(response).end('event: error\ndata: {}\n\n'),
      { status: 502 },
    ],
  ])('%s is that error', async (_, handler, expected) => {
    expect(await failure(handler)).toMatchObject(expected);
  });

  test('of a quota does not open the circuit, even with the status of a failure', async () => {
    const spent = { error: { message: 'spent', code: 'insufficient_quota' } };
    const handlers: RequestHandler[] = [
      (response) => json(response, 200, quota),
      (response) => json(response, 503, spent),
      stream({ error: { ...spent.error, status: 503 } }),
    ];
    for (const handler of handlers) {
      const engine = await start(handler, { circuitBreaker: { failures: 1 } });
      for (let count = 0; count < 3; count++) {
        const { error } = await drainStream(engine, request({ stream: true }));
        expect(error).not.toMatchObject({ code: 'upstream_unavailable' });
        expect(error).toMatchObject({ message: expect.stringMatching(/quota exceeded|spent/) as string });
      }
    }
  });
});

describe('a complete JSON reply to a request for a stream', () => {
  const completion = {
    ...{ id: 'x', object: 'chat.completion', created: 1, model: 'm', usage },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  };

  test.each<[string, RequestHandler]>([
    ['with its media type', (response) => json(response, 200, completion)],
    ['in an event stream', (response) => startEventStream(response).end(JSON.stringify(completion, null, 1))],
    ['as the only frame', stream(completion)],
    [
      'in lines',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/x-ndjson' })
          .end(`${hel}\n${lo}\n${chunk({}, 'stop', { usage })}\n`),
    ],
  ])('is streamed: %s', async (_, handler) => {
    expect(await seen(handler)).toEqual({ text: 'Hello', reason: 'stop', usage: [7, 3, 10] });
  });

  test('is streamed with its calls', async () => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'ping', arguments: {} } }];
    const choices = [{ index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'stop' }];
    const reply = await seen((response) => json(response, 200, { ...completion, choices }));
    expect(reply).toMatchObject({ calls: [{ id: 'a', name: 'ping', input: '{}' }], reason: 'tool_calls' });
  });

  test('may be an event stream with the media type of JSON', async () => {
    const reply = await seen((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(frames(hel, lo, stop, '[DONE]')),
    );
    expect(reply).toEqual({ text: 'Hello', reason: 'stop' });
  });
});
