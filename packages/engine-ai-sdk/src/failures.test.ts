import type { ServerResponse } from 'node:http';
import { createAnthropic } from '@ai-sdk/anthropic';
import { beforeEach, describe, expect, test } from 'vitest';
import { anthropicEvents as event } from './testing/anthropic-events.ts';
import { events, json, sseEvent, startProviderServer } from './testing/provider-server.ts';
import { serveProviders } from './testing/serve-providers.ts';
import { serveAiSdk, textOf } from './testing/serve.ts';

const key = 'sk-secret-key';
const { provider, anthropic, gemini } = await serveProviders({ apiKey: key });

beforeEach(() => {
  provider.received.length = 0;
});

const anthropicError = (type: string, message: string, details?: object) => ({
  type: 'error',
  error: { type, message, ...(details && { details }) },
});
const geminiError = (code: number, status: string, message: string, ...details: readonly object[]) => ({
  error: { code, status, message, details },
});

const credentialsRefused =
  "The provider 'anthropic' refused the credentials of this server (status 401). It reported: Why.";
const modelNotFound = "The model 'claude' does not exist or you do not have access to it.";

describe('error statuses', () => {
  test.each([
    [529, 'overloaded_error', 503, 'upstream_error', 'Why.'],
    [500, 'api_error', 500, 'upstream_error', 'Why.'],
    [504, 'timeout_error', 504, 'upstream_error', 'Why.'],
    [401, 'authentication_error', 502, 'upstream_authentication_failed', credentialsRefused],
    [413, 'request_too_large', 413, 'request_too_large', 'Why.'],
    [400, 'invalid_request_error', 400, 'invalid_request', 'Why.'],
    [404, 'not_found_error', 404, 'model_not_found', modelNotFound],
  ])('%i %s becomes %i %s with the reason', async (status, type, expected, code, message) => {
    provider.respond(json(status, anthropicError(type, 'Why.')));
    expect(await anthropic.refused({})).toMatchObject({ status: expected, code, message });
    // One call: repeating it is up to the client.
    expect(provider.received).toHaveLength(1);
  });

  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '45.837906927s' };
  test.each([
    ['the header', anthropic, json(429, anthropicError('rate_limit_error', 'Why.'), { 'retry-after': '12' }), '12'],
    [
      'the error details of Gemini, in whole seconds',
      gemini,
      json(429, geminiError(429, 'RESOURCE_EXHAUSTED', 'Why.', retryInfo)),
      '46',
    ],
  ])('429 has retry-after of %s', async (_, served, reply, retryAfter) => {
    provider.respond(reply);
    const refused = await served.refused({});
    expect(refused).toMatchObject({ status: 429, code: 'rate_limit_exceeded', message: 'Why.' });
    expect(refused.headers.get('retry-after')).toBe(retryAfter);
  });

  test('a limit that waiting does not lift is not to be retried', async () => {
    const details = { error_code: 'enforced_spend_limit_reached' };
    provider.respond(json(429, anthropicError('rate_limit_error', 'Spend limit.', details)));
    expect((await anthropic.refused({})).headers.get('x-should-retry')).toBe('false');
    const quota = {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ quotaId: 'RequestsPerDay' }],
    };
    provider.respond(json(429, geminiError(429, 'RESOURCE_EXHAUSTED', 'Daily quota.', quota)));
    expect((await gemini.refused({})).headers.get('x-should-retry')).toBe('false');
  });

  test('an invalid key of Gemini, a 400, becomes 502 upstream_authentication_failed', async () => {
    const details = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
    provider.respond(json(400, geminiError(400, 'INVALID_ARGUMENT', 'API key not valid.', details)));
    expect(await gemini.refused({})).toMatchObject({ status: 502, code: 'upstream_authentication_failed' });
  });

  test.each([
    ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum'],
    ['Gemini', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
  ])('a prompt that is too long for %s becomes context_length_exceeded', async (name, message) => {
    const isAnthropic = name === 'Anthropic';
    const body = isAnthropic
      ? anthropicError('invalid_request_error', message)
      : geminiError(400, 'INVALID_ARGUMENT', message);
    provider.respond(json(400, body));
    expect(await (isAnthropic ? anthropic : gemini).refused({})).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param: 'messages',
      message,
    });
  });

  test('the key of the server is not shown', async () => {
    provider.respond(json(400, anthropicError('invalid_request_error', `The header x-api-key: ${key} is odd.`)));
    expect((await anthropic.refused({})).message).toBe('The header x-api-key: [redacted] is odd.');
  });

  test('a web page instead of an API is 502 upstream_error', async () => {
    provider.respond((response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>No</h1>'));
    expect(await anthropic.refused({})).toMatchObject({ status: 502, code: 'upstream_error' });
  });
});

test('a provider that does not listen is 503 upstream_unavailable', async () => {
  const gone = await startProviderServer();
  await gone.close();
  const model = createAnthropic({ baseURL: gone.url, apiKey: key })('claude-sonnet-4-5');
  const engine = serveAiSdk({ models: [{ model }] });
  expect(await engine.refused({})).toMatchObject({
    status: 503,
    code: 'upstream_unavailable',
    message: "The provider 'anthropic' is unreachable (ECONNREFUSED). Please retry later.",
  });
  await engine.close();
});

describe('failures inside a stream', () => {
  /** Sends `begin`, and after the client has received its text, lets `end` go on. */
  function interruptedBy(begin: readonly object[], end: (response: ServerResponse) => void): () => void {
    let open: ServerResponse | undefined;
    provider.respond((response) => {
      open = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(begin.map(sseEvent).join(''));
    });
    return () => {
      if (open) end(open);
    };
  }
  const halfReply = [event.start, ...event.text(0, 'Half').slice(0, 2)];

  test('an error event after text ends the stream with the reason', async () => {
    const error = sseEvent(anthropicError('overloaded_error', 'Overloaded'));
    const then = interruptedBy(halfReply, (response) => response.end(error));
    const chunks = await anthropic.streamWith({}, { afterText: 'Half', then });
    expect(chunks.at(-1)?.error).toMatchObject({
      code: 'upstream_error',
      message: 'Overloaded',
    });
  });

  test('an error event before text is an HTTP status', async () => {
    provider.respond(events(anthropicError('overloaded_error', 'Overloaded')));
    expect(await anthropic.refused({ stream: true })).toMatchObject({ status: 503, code: 'upstream_error' });
  });

  test('an error event of Gemini ends the stream with the reason', async () => {
    const piece = { candidates: [{ content: { role: 'model', parts: [{ text: 'Half' }] }, index: 0 }] };
    const error = sseEvent(geminiError(503, 'UNAVAILABLE', 'Busy.'));
    const then = interruptedBy([piece], (response) => response.end(error));
    const chunks = await gemini.streamWith({}, { afterText: 'Half', then });
    expect(chunks.at(-1)?.error).toMatchObject({ message: 'Busy.' });
  });

  test.each([
    ['that ends without a finish reason', (response: ServerResponse) => response.end()],
    ['whose connection closes', (response: ServerResponse) => response.destroy()],
  ])('a stream %s is interrupted, not finished', async (_, end) => {
    const then = interruptedBy(halfReply, end);
    const chunks = await anthropic.streamWith({}, { afterText: 'Half', then });
    expect(textOf(chunks)).toBe('Half');
    expect(chunks.at(-1)?.error).toMatchObject({ code: 'upstream_stream_interrupted' });
  });

  test('a malformed event is an error, because part of the reply is missing', async () => {
    provider.respond(events(event.start, { type: 'content_block_delta', index: 'first' }, ...event.end('end_turn')));
    expect(await anthropic.refused({})).toMatchObject({ status: 502, code: 'upstream_malformed' });
  });

  test('an event of a new type is skipped', async () => {
    provider.respond(
      events(event.start, { type: 'mood_report', mood: 'good' }, ...event.text(0, 'Fine.'), ...event.end('end_turn')),
    );
    const { choices } = await anthropic.complete({});
    expect(choices[0]).toMatchObject({ message: { content: 'Fine.' }, finish_reason: 'stop' });
  });

  test('a refusal ends with content_filter', async () => {
    provider.respond(events(event.start, ...event.text(0, 'I'), ...event.end('refusal')));
    expect((await anthropic.complete({})).choices[0]).toMatchObject({ finish_reason: 'content_filter' });
  });

  test('a prompt that Gemini blocks is an empty reply with content_filter', async () => {
    provider.respond(events({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } }));
    expect((await gemini.complete({})).choices[0]).toMatchObject({
      message: { content: '' },
      finish_reason: 'content_filter',
    });
  });

  test('a malformed function call of Gemini is an error', async () => {
    provider.respond(events({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', index: 0 }] }));
    expect(await gemini.refused({})).toMatchObject({ status: 502, code: 'upstream_error' });
  });
});

test('the request to the provider is aborted when the client disconnects', async () => {
  const closed = new Promise<void>((resolve) => {
    provider.respond((response) => {
      response.on('close', resolve);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write([event.start, ...event.text(0, 'First').slice(0, 2)].map(sseEvent).join(''));
    });
  });
  const response = await anthropic.post({ stream: true });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await closed;
  expect(provider.received).toHaveLength(1);
});
