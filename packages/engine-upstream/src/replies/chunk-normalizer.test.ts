import { describe, expect, test } from 'vitest';
import { relayStream, relayWhole } from '../../test/engine-request.ts';
import { chunk, frames, json, startEventStream } from '../../test/fake-server.ts';
import { hel, lo, request, seen, start, stop, stream, usage } from '../../test/seen-reply.ts';

describe('a frame', () => {
  const frame = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };

  test.each<[string, string | object]>([
    ['without choices', frame],
    ['with choices that are null', { ...frame, choices: null }],
    ['with no choices', { ...frame, choices: [], prompt_filter_results: [{ prompt_index: 0 }] }],
    ['that is a ping', { type: 'ping' }],
    ['of another object', { object: 'vendor.status', message: 'queued', status: 'ok' }],
    ['that is null', 'null'],
    ['that is an empty list', '[]'],
    ['that is a word in quotes', '"ping"'],
    ['that is a ping without JSON', 'ping'],
  ])('%s is skipped', async (_, skipped) => {
    const reply = await seen(stream(skipped, hel, skipped, lo, stop, skipped));
    expect(reply).toEqual({ text: 'Hello', reason: 'stop' });
  });

  test.each([{ choices: null, usage }, { usage }, { choices: [], usage }, { choices: [], x_groq: { usage } }])(
    'has usage: %j',
    async (fields) => {
      const reply = await seen(stream(hel, lo, stop, { ...frame, ...fields }));
      expect(reply).toEqual({ text: 'Hello', reason: 'stop', usage: [7, 3, 10] });
    },
  );

  test.each([
    ['in the choice', { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }, [7, 3, 10]],
    ['without the completion', { choices: [], usage: { prompt_tokens: 7, total_tokens: 10 } }, [7, 3, 10]],
    ['with null', { choices: [], usage: { prompt_tokens: 7, completion_tokens: null, total_tokens: 10 } }, [7, 3, 10]],
    ['with other names', { choices: [], usage: { input_tokens: 7, output_tokens: 3 } }, [7, 3, 10]],
  ])('has usage %s', async (_, last, expected) => {
    const frames_ = 'usage' in last ? [hel, lo, stop, last] : [hel, lo, last];
    expect(await seen(stream(...frames_))).toMatchObject({ text: 'Hello', usage: expected });
  });

  test('with an event name of its own is skipped', async () => {
    const reply = await seen((response) =>
      startEventStream(response).end(`event: ping\ndata: still here\n\n${frames(hel, lo, stop, '[DONE]')}`),
    );
    expect(reply.text).toBe('Hello');
  });

  test('without a delta, or with a whole message at the end, adds nothing', async () => {
    const filter = {
      choices: [{ index: 0, finish_reason: null, content_filter_results: { hate: { filtered: false } } }],
    };
    const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] };
    expect(await seen(stream(hel, filter, lo, whole))).toEqual({ text: 'Hello', reason: 'stop' });
  });

  test('after the end of its choice adds nothing', async () => {
    expect(await seen(stream(hel, lo, stop, lo, chunk({}, 'length')))).toEqual({ text: 'Hello', reason: 'stop' });
  });
});

describe('content', () => {
  const part = (text: string) => ({ type: 'text', text });

  test.each<[string, unknown[], object]>([
    ['a list of parts', [[part('Hel')], [part('l'), part('o')]], { text: 'Hello' }],
    ['one part', [part('Hel'), part('lo')], { text: 'Hello' }],
    ['parts, then text', [[part('Hel')], 'lo'], { text: 'Hello' }],
    ['a list of texts', [['Hel', 'lo']], { text: 'Hello' }],
    ['thinking', [[{ type: 'thinking', thinking: [part('hm')] }], [part('Hello')]], { reasoning: 'hm', text: 'Hello' }],
    ['thinking as text', [[{ type: 'thinking', thinking: 'hm' }, part('Hello')]], { reasoning: 'hm', text: 'Hello' }],
    ['references', [[part('Hel'), { type: 'reference', reference_ids: [1] }], [part('lo')]], { text: 'Hello' }],
    ['a refusal', [[{ type: 'refusal', refusal: 'No.' }]], { refusal: 'No.' }],
    ['an empty list', [[], 'Hello'], { text: 'Hello' }],
  ])('may be %s', async (_, contents, expected) => {
    const reply = await seen(stream(...contents.map((content) => chunk({ content })), stop));
    expect(reply).toEqual({ ...expected, reason: 'stop' });
  });

  test('of a complete reply may be a list of parts', async () => {
    const message = { role: 'assistant', content: [{ type: 'thinking', thinking: [part('hm')] }, part('Hello')] };
    const engine = await start((response) => json(response, 200, { choices: [{ message, finish_reason: 'stop' }] }));
    expect(await relayWhole(engine, request())).toMatchObject({
      choices: [{ message: { content: 'Hello', reasoning_content: 'hm' } }],
    });
  });
});

test('chunks that are right are passed on as they came', async () => {
  const call = { index: 0, id: 'a', type: 'function', function: { name: 'ping', arguments: '' } };
  const payloads = [
    ` ${chunk({ role: 'assistant', content: '' })}`.trim(),
    chunk({ content: 'Hel' }, null, { vendor: { kept: [1] } }),
    chunk({ content: 'lo' }, null, { vendor: { kept: [1] } }),
    chunk({ content: '"finish_reason":"stop"' }, null, { vendor: { kept: [1] } }),
    chunk({ tool_calls: [call] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
    chunk({}, 'tool_calls'),
    JSON.stringify({ choices: [], usage }),
  ];
  const engine = await start(stream(...payloads));
  const stream_ = await relayStream(engine, request({ stream: true }));
  const received: string[] = [];
  for (let step = await stream_.next(); step.done !== true; step = await stream_.next()) {
    for (const { text, isChanged = false } of step.value) received.push(isChanged ? 'changed' : text);
  }
  expect(received).toEqual(payloads);
});
