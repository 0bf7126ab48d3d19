import { collect, json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { describe, expect, test } from 'vitest';
import { empty, hello, helloEvents, sendEvents } from '../test/events.ts';
import { createResponses, InputError } from './index.ts';
import type { ResponsesClient } from './index.ts';

const params = { model: 'simulator', input: 'Hello' } as const;

async function serve(respond: Respond): Promise<ResponsesClient> {
  const { baseURL } = await startRecordingServer(respond);
  return createResponses({ baseURL, maxRetries: 0 });
}

const withoutDone: Respond = (response) => {
  sendEvents(response, helloEvents);
  response.end();
};

describe('a stream', () => {
  test('yields typed events, and final() resolves with the complete response and its text', async () => {
    const responses = await serve(withoutDone);
    const stream = responses.stream(params);
    expect(await collect(stream)).toEqual(helloEvents);
    expect(await stream.final()).toEqual({ ...hello, output_text: 'Hello there' });
    expect(stream.state).toBe('finished');
  });

  test('ends with [DONE] or with the body, after the event with the complete response', async () => {
    const responses = await serve((response, _, count) => {
      sendEvents(response, helloEvents);
      response.end(count === 1 ? 'data: [DONE]\n\n' : '');
    });
    for (let n = 0; n < 2; n++) {
      expect(await collect(await responses.create({ ...params, stream: true }))).toEqual(helloEvents);
    }
  });

  test('text() yields the deltas of text', async () => {
    const responses = await serve(withoutDone);
    expect(await collect(responses.stream(params).text())).toEqual(['Hello', ' there']);
  });

  test('final() resolves with a failed response', async () => {
    const failed = { ...empty, status: 'failed', error: { code: 'server_error', message: 'No.' } };
    const responses = await serve((response) => {
      sendEvents(response, [helloEvents[0], { type: 'response.failed', sequence_number: 1, response: failed }]);
      response.end();
    });
    expect(await responses.stream(params).final()).toEqual({ ...failed, output_text: '' });
  });

  test.each(['', 'data: [DONE]\n\n'])(
    'that ends before the event with the complete response is truncated, and keeps its snapshot (end: %j)',
    async (end) => {
      const responses = await serve((response) => {
        sendEvents(response, helloEvents.slice(0, 5));
        response.end(end);
      });
      const stream = responses.stream(params);
      await expect(stream.final()).rejects.toMatchObject({ name: 'StreamError', reason: 'truncated' });
      await expect(stream.final()).rejects.toMatchObject({ requestId: 'req_1' });
      expect([stream.state, stream.snapshot()?.output_text]).toEqual(['failed', 'Hello']);
    },
  );

  test('with an error event throws it', async () => {
    const facts = { code: 'engine_error', message: 'The engine broke.', param: null };
    const error = { type: 'server_error', ...facts };
    const responses = await serve((response) => {
      sendEvents(response, [helloEvents[0], { type: 'error', sequence_number: 1, ...facts, error }]);
    });
    await expect(collect(responses.stream(params))).rejects.toMatchObject({
      reason: 'error_frame',
      code: 'engine_error',
    });
  });

  test('rejects with the error of the server before it starts', async () => {
    const responses = await serve((response) => json(response, { error: { message: 'No.', code: 'bad' } }, 400));
    const stream = responses.stream(params);
    await expect(stream.withResponse()).rejects.toMatchObject({ status: 400, code: 'bad' });
    await expect(stream.final()).rejects.toMatchObject({ status: 400 });
  });

  test('is aborted by leaving the loop, which closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    const responses = await serve((response) => {
      closed = new Promise((resolve) => response.on('close', resolve));
      sendEvents(response, helloEvents.slice(0, 5));
    });
    const stream = responses.stream(params);
    for await (const text of stream.text()) {
      expect(text).toBe('Hello');
      break;
    }
    await closed;
    expect(stream.state).toBe('aborted');
    await expect(stream.final()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test("is aborted by the caller's signal", async () => {
    const responses = await serve((response) => sendEvents(response, helloEvents.slice(0, 5)));
    const controller = new AbortController();
    const stream = responses.stream(params, { signal: controller.signal });
    const { requestId } = await stream.withResponse();
    controller.abort();
    await expect(stream.final()).rejects.toMatchObject({ name: 'AbortError' });
    expect([requestId, stream.state]).toEqual(['req_1', 'aborted']);
    const abortedStream = responses.stream(params, { signal: controller.signal });
    await expect(abortedStream.final()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('can be iterated once', async () => {
    const responses = await serve(withoutDone);
    const stream = responses.stream(params);
    const text = stream.text();
    expect(() => stream.text()).toThrow(InputError);
    expect(await collect(text)).toEqual(['Hello', ' there']);
  });
});
