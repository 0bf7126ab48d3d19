import { describe, expect, test } from 'vitest';
import { drainStream, collectEvents, rejection, relayWhole } from '../../test/engine-request.ts';
import { chunk, frames, json, startEventStream } from '../../test/fake-server.ts';
import type { RequestHandler } from '../../test/fake-server.ts';
import {
  failure,
  fromChunks,
  fromEvents,
  hel,
  lo,
  request,
  seen,
  start,
  stop,
  stream,
  usage,
} from '../../test/seen-reply.ts';

describe('the end of a choice', () => {
  test.each(['', ' ', 'null', 'NULL', 'None'])('is not the finish reason %j', async (word) => {
    const reply = await seen(stream(chunk({ content: 'Hel' }, word), chunk({ content: 'lo' }, word), stop));
    expect(reply).toEqual({ text: 'Hello', reason: 'stop' });
  });

  test.each([
    ['length', ['length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'max_length', 'max_output_tokens', 'maxTokens']],
    ['length', ['token_limit', 'context_length_exceeded', 'model_context_window_exceeded', 'ERROR_LIMIT', 'truncated']],
    [
      'content_filter',
      ['content_filter', 'SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'refusal'],
    ],
    ['content_filter', ['content-filter', 'IMAGE_SAFETY', 'guardrail_intervened', 'sensitive', 'ERROR_TOXIC']],
    ['stop', ['stop', 'STOP', 'end_turn', 'eos', 'eos_token', 'stop_sequence', 'COMPLETE']],
    // vLLM says so of a reply to a required call that has none.
    ['stop', ['tool_calls', 'function_call']],
  ])('is %s for the words %j', async (reason, words) => {
    for (const word of words) {
      expect(await seen(stream(hel, lo, chunk({}, word)))).toEqual({ text: 'Hello', reason });
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: word }];
      const engine = await start((response) => json(response, 200, { choices }));
      expect(await relayWhole(engine, request())).toMatchObject({ choices: [{ finish_reason: reason }] });
    }
  });

  test.each(['stop', 'STOP', 'eos', 'end_turn', 'tool_calls', 'tool_use', 'TOOL_CALL', 'tool-calls', 'function_calls'])(
    'is tool_calls for a reply with calls and the word %s',
    async (word) => {
      const call = { index: 0, id: 'a', type: 'function', function: { name: 'ping', arguments: '{}' } };
      expect(await seen(stream(chunk({ tool_calls: [call] }), chunk({}, word)))).toMatchObject({
        reason: 'tool_calls',
      });
      const message = { role: 'assistant', content: null, tool_calls: [call] };
      const engine = await start((response) => json(response, 200, { choices: [{ message, finish_reason: word }] }));
      expect(await relayWhole(engine, request())).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
    },
  );

  test.each(['error', 'ERROR', 'abort', 'aborted', 'cancelled', 'network_error', 'MALFORMED_FUNCTION_CALL'])(
    'is a failed reply for the word %s',
    async (word) => {
      const expected = { status: 502, code: 'upstream_error', message: expect.stringContaining(word) as string };
      expect(await failure(stream(hel, chunk({}, word)))).toMatchObject(expected);
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hel' }, finish_reason: word }];
      const engine = await start((response) => json(response, 200, { choices }));
      expect(await rejection(relayWhole(engine, request()))).toMatchObject(expected);
    },
  );

  test('is a failed reply for an error in the choice', async () => {
    const choice = { index: 0, delta: {}, error: { code: 503, message: 'provider is gone' }, finish_reason: 'error' };
    const expected = { status: 503, message: 'provider is gone' };
    expect(await failure(stream(hel, { choices: [choice] }))).toMatchObject(expected);
    const engine = await start((response) =>
      json(response, 200, { choices: [{ ...choice, message: { content: 'Hel' } }] }),
    );
    expect(await rejection(relayWhole(engine, request()))).toMatchObject(expected);
  });

  test('is stop for an unknown word if the reply is otherwise whole, and the word is reported', async () => {
    const reported: string[][] = [];
    const onUnknownFinishReason = (...report: string[]): void => void reported.push(report);
    const engine = await start(stream(hel, lo, chunk({}, 'banana\n'), { choices: [], usage }), {
      onUnknownFinishReason,
    });
    const { payloads } = await drainStream(engine, request({ stream: true }));
    expect(fromChunks(payloads)).toEqual({ text: 'Hello', reason: 'stop', usage: [7, 3, 10] });
    expect(fromEvents(await collectEvents(engine, request()))).toMatchObject({ text: 'Hello', reason: 'stop' });
    expect(reported).toEqual([
      ['box', 'banana?'],
      ['box', 'banana?'],
    ]);
    const choices = [{ message: { content: 'Hello' }, finish_reason: 'banana' }];
    const whole = await start((response) => json(response, 200, { choices }));
    expect(await relayWhole(whole, request())).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

  test.each<[string, RequestHandler]>([
    ['without [DONE]', (response) => startEventStream(response).end(frames(hel, chunk({}, 'banana')))],
    ['without output', stream(chunk({}, 'banana'))],
  ])('is missing after an unknown word %s', async (_, handler) => {
    expect(await failure(handler)).toMatchObject({ status: 502, code: 'upstream_incomplete' });
  });

  test.each<[string, RequestHandler]>([
    ['before [DONE]', stream(hel, lo)],
    ['with empty words', stream(chunk({ content: 'a' }, ''), chunk({}, 'null'))],
    ['and no [DONE]', (response) => startEventStream(response).end(frames(hel, lo))],
    ['and nothing else', stream()],
  ])('that is missing %s makes the reply incomplete', async (_, handler) => {
    expect(await failure(handler)).toMatchObject({ status: 502, code: 'upstream_incomplete' });
  });

  test('that a complete JSON reply does not mention is the end of its body', async () => {
    const whole = (message: object) =>
      start((response) => json(response, 200, { choices: [{ message, finish_reason: null }] }));
    const finished = await relayWhole(await whole({ content: 'a' }), request());
    expect(finished).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(await rejection(relayWhole(await whole({ content: '' }), request()))).toMatchObject({
      code: 'upstream_incomplete',
    });
  });
});
