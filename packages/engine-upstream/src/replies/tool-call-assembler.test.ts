import { describe, expect, test } from 'vitest';
import { drainStream, relayWhole } from '../../test/engine-request.ts';
import { chunk, json } from '../../test/fake-server.ts';
import { failure, generatedId, request, seen, start, stream } from '../../test/seen-reply.ts';

describe('tool calls', () => {
  const call = (index: unknown, id: unknown, name: unknown, args: unknown) => ({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    type: 'function',
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
  });
  const weather = (id: string | RegExp = 'a') => ({ id: matching(id), name: 'get_weather', input: '{"city":"Oslo"}' });
  const time = (id: string | RegExp = 'b') => ({ id: matching(id), name: 'get_time', input: '{"tz":"CET"}' });
  const matching = (id: string | RegExp): unknown => (typeof id === 'string' ? id : expect.stringMatching(id));
  const oslo = '{"city":"Oslo"}';
  const cet = '{"tz":"CET"}';

  test.each<[string, unknown[], unknown[]]>([
    [
      'as the API sends them',
      [
        [call(0, 'a', 'get_weather', '')],
        [call(0, undefined, undefined, '{"city":')],
        [call(0, undefined, undefined, '"Oslo"}')],
      ],
      [weather()],
    ],
    [
      'a name that comes late',
      [[call(0, 'a', undefined, '')], [call(0, undefined, 'get_weather', '')], [call(0, undefined, undefined, oslo)]],
      [weather()],
    ],
    [
      'a name that comes after the arguments',
      [[call(0, 'a', undefined, '{"city":')], [call(0, undefined, 'get_weather', '"Oslo"}')]],
      [weather()],
    ],
    [
      'a name in pieces',
      [[call(0, 'a', 'get_', '')], [call(0, undefined, 'weather', '')], [call(0, undefined, undefined, oslo)]],
      [weather()],
    ],
    [
      'a name that is empty at first',
      [[call(0, 'a', '', '')], [call(0, '', 'get_weather', '')], [call(0, '', '', oslo)]],
      [weather()],
    ],
    [
      'a name that is null at first',
      [[call(0, 'a', null, null)], [call(0, null, 'get_weather', null)], [call(0, null, null, oslo)]],
      [weather()],
    ],
    [
      'a name in every delta',
      [
        [call(0, 'a', 'get_weather', '')],
        [call(0, 'a', 'get_weather', '{"city":')],
        [call(0, 'a', 'get_weather', '"Oslo"}')],
      ],
      [weather()],
    ],
    ['an ID that comes late', [[call(0, undefined, 'get_weather', '')], [call(0, 'a', undefined, oslo)]], [weather()]],
    [
      'an ID that changes',
      [[call(0, 'a', 'get_weather', '{"city":')], [call(0, 'z', undefined, '"Oslo"}')]],
      [weather()],
    ],
    [
      'an ID that changes with the name',
      [[call(0, 'a', 'get_weather', '{"city":')], [call(0, 'z', 'get_weather', '"Oslo"}')]],
      [weather()],
    ],
    ['no ID', [[call(0, undefined, 'get_weather', oslo)]], [weather(generatedId)]],
    ['an empty ID', [[call(0, '', 'get_weather', oslo)]], [weather(generatedId)]],
    [
      'an index that changes',
      [[call(0, 'a', 'get_weather', '{"city":')], [call(1, undefined, undefined, '"Oslo"}')]],
      [weather()],
    ],
    [
      'an index that does not start at 0',
      [[call(3, 'a', 'get_weather', oslo)], [call(5, 'b', 'get_time', cet)]],
      [weather(), time()],
    ],
    [
      'two calls on one index',
      [[call(0, 'a', 'get_weather', oslo)], [call(0, 'b', 'get_time', cet)]],
      [weather(), time()],
    ],
    [
      'two calls on one index without IDs',
      [[call(0, undefined, 'get_weather', oslo)], [call(0, undefined, 'get_time', cet)]],
      [weather(generatedId), time(generatedId)],
    ],
    [
      'two calls in one delta without indexes and IDs',
      [[call(undefined, undefined, 'get_weather', oslo), call(undefined, undefined, 'get_time', cet)]],
      [weather(generatedId), time(generatedId)],
    ],
    [
      'two calls of one function without indexes',
      [[call(undefined, 'a', 'get_weather', oslo)], [call(undefined, 'b', 'get_weather', oslo)]],
      [weather('a'), weather('b')],
    ],
    [
      'two calls of one function without anything',
      [[call(0, undefined, 'get_weather', oslo)], [call(0, undefined, 'get_weather', oslo)]],
      [weather(generatedId), weather(generatedId)],
    ],
    [
      'two calls whose pieces alternate by ID',
      [
        [call(undefined, 'a', 'get_weather', '{"city":')],
        [call(undefined, 'b', 'get_time', '{"tz":')],
        [call(undefined, 'a', undefined, '"Oslo"}')],
        [call(undefined, 'b', undefined, '"CET"}')],
      ],
      [weather(), time()],
    ],
    [
      'a call that is repeated at the end',
      [[call(0, 'a', 'get_weather', oslo)], [call(0, 'a', 'get_weather', oslo)]],
      [weather()],
    ],
    ['arguments as an object', [[call(0, 'a', 'get_weather', { city: 'Oslo' })]], [weather()]],
    [
      'an empty object before the arguments',
      [[call(0, 'a', 'get_weather', {})], [call(0, undefined, undefined, oslo)]],
      [weather()],
    ],
    ['arguments that are null', [[call(0, 'a', 'ping', null)]], [{ id: 'a', name: 'ping', input: '{}' }]],
    ['empty arguments', [[call(0, 'a', 'ping', '')]], [{ id: 'a', name: 'ping', input: '{}' }]],
    ['no arguments', [[call(0, 'a', 'ping', undefined)]], [{ id: 'a', name: 'ping', input: '{}' }]],
    ['a call as an object instead of a list', [call(0, 'a', 'get_weather', oslo)], [weather()]],
    [
      'a name and arguments next to the ID',
      [[{ index: 0, id: 'a', name: 'get_weather', arguments: oslo }]],
      [weather()],
    ],
    ['a name with the channel of gpt-oss', [[call(0, 'a', 'get_weather<|channel|>commentary', oslo)]], [weather()]],
    ['a name with the namespace of gpt-oss', [[call(0, 'a', 'functions.get_weather', oslo)]], [weather()]],
    [
      'a function that the request does not have',
      [[call(0, 'a', 'other', '')], [call(0, undefined, undefined, '{}')]],
      [{ id: 'a', name: 'other', input: '{}' }],
    ],
  ])('are assembled: %s', async (_, deltas, expected) => {
    const reply = await seen(stream(...deltas.map((tool_calls) => chunk({ tool_calls })), chunk({}, 'tool_calls')));
    expect(reply).toEqual({ calls: expected, reason: 'tool_calls' });
  });

  test.each<[string, unknown, unknown]>([
    ['arguments as an object', [call(undefined, 'a', 'get_weather', { city: 'Oslo' })], weather()],
    ['arguments that are null', [call(0, 'a', 'ping', null)], { id: 'a', name: 'ping', input: '{}' }],
    ['no ID', [call(0, undefined, 'get_weather', oslo)], weather(generatedId)],
    ['a call as an object', call(0, 'a', 'get_weather', oslo), weather()],
    ['a name with a channel', [call(0, 'a', 'functions.get_weather<|channel|>json', oslo)], weather()],
  ])('of a complete reply are normalized: %s', async (_, tool_calls, expected) => {
    const message = { role: 'assistant', content: null, tool_calls };
    const engine = await start((response) =>
      json(response, 200, { choices: [{ message, finish_reason: 'tool_calls' }] }),
    );
    const { choices } = await relayWhole(engine, request());
    const [{ message: relayed }] = choices as [{ message: { tool_calls: ReturnType<typeof call>[] } }];
    const [{ id, type, function: called }] = relayed.tool_calls as unknown as [Record<string, Record<string, string>>];
    expect({ id, type, name: called!['name'], input: called!['arguments'] }).toEqual({
      ...Object(expected),
      type: 'function',
    });
  });

  test('that are an empty list are left out', async () => {
    const message = { role: 'assistant', content: 'Hello', tool_calls: [] };
    const engine = await start((response) => json(response, 200, { choices: [{ message, finish_reason: 'stop' }] }));
    expect(await relayWhole(engine, request())).toEqual({
      choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    });
    const streaming = await start(
      stream(chunk({ content: 'Hello', tool_calls: [] }), chunk({ tool_calls: [] }, 'stop')),
    );
    const { payloads } = await drainStream(streaming, request({ stream: true }));
    expect(payloads.join()).not.toContain('tool_calls');
  });

  test('without a name are an unexpected reply', async () => {
    const nameless = stream(chunk({ tool_calls: [call(0, 'a', '', oslo)] }), chunk({}, 'tool_calls'));
    expect(await failure(nameless)).toMatchObject({
      status: 502,
      message: expect.stringContaining('without a name') as string,
    });
  });
});
