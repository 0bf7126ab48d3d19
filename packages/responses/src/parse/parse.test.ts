import { startRecordingServer } from '@modelwire/core/testing';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { clientWithReplies, functionCall, message, replying } from '../../test/client-with-replies.ts';
import { helloEvents, sendEvents } from '../../test/events.ts';
import { city } from '../../test/schemas.ts';
import type { City } from '../../test/schemas.ts';
import { createResponses } from '../index.ts';
import type { ResponseObject, ResponseOutputItem } from '../index.ts';
import { customTool, parse, streamParsed, tool } from './index.ts';

const base = { model: 'test-model', input: 'Where?' } as const;
const text = { format: { name: 'city', schema: city } };
const weather = tool({ name: 'weather', description: 'Of a city.', parameters: city });

async function outcomeOf(
  output: readonly ResponseOutputItem[],
  fields: Partial<ResponseObject> = {},
): Promise<unknown> {
  const { responses } = await clientWithReplies(replying(output, fields));
  return (await parse(responses, { ...base, text, tools: [weather] })).outcome;
}

describe('parse()', () => {
  test('sends the JSON Schema and flat tools, and returns the output of the schema', async () => {
    const { responses, recorded } = await clientWithReplies(replying([message('{"city":"Paris"}')]));
    const note = customTool({
      name: 'note',
      format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[a-z]+' } },
    });
    const tools = [weather, note, { type: 'web_search' }] as const;
    const { outcome, response } = await parse(responses, { ...base, text: { ...text, verbosity: 'low' }, tools });
    if (outcome.type !== 'parsed') throw new Error(outcome.type);
    expectTypeOf(outcome.parsed).toEqualTypeOf<City>();
    expect([outcome.parsed, response.output_text]).toEqual([{ city: 'Paris' }, '{"city":"Paris"}']);
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    expect(recorded[0]?.json).toEqual({
      ...base,
      stream: false,
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'city', schema, strict: true } },
      tools: [
        { type: 'function', name: 'weather', description: 'Of a city.', parameters: schema, strict: true },
        { type: 'custom', name: 'note', format: { type: 'grammar', syntax: 'regex', definition: '[a-z]+' } },
        { type: 'web_search' },
      ],
    });
  });

  test('without a schema the reply is text', async () => {
    const { responses } = await clientWithReplies(replying([message('In Paris.')]));
    expect((await parse(responses, base)).outcome).toEqual({ type: 'parsed', parsed: 'In Paris.' });
  });

  test('returns what the schema rejects, and text that is not JSON, as invalid', async () => {
    expect(await outcomeOf([message('{"town":1}')])).toMatchObject({
      type: 'invalid',
      issues: [{ message: 'not a city' }],
    });
    expect(await outcomeOf([message('Paris')])).toMatchObject({ type: 'invalid', text: 'Paris' });
  });

  test('parses the arguments of calls, and reports invalid and unknown ones', async () => {
    const calls = [
      functionCall('weather', '{"city":"Paris"}', 'call_1'),
      functionCall('weather', '{', 'call_2'),
      functionCall('other', '{}', 'call_3'),
    ];
    expect(await outcomeOf(calls)).toMatchObject({
      type: 'tool_calls',
      calls: [
        { type: 'function', id: 'call_1', arguments: { city: 'Paris' }, call: calls[0] },
        { type: 'invalid', id: 'call_2', name: 'weather' },
        { type: 'unknown', id: 'call_3', name: 'other' },
      ],
    });
  });

  test('returns a refusal, a limit, a filter and a failure as outcomes', async () => {
    const refusal: ResponseOutputItem = {
      ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
      content: [{ type: 'refusal', refusal: 'No.' }],
    };
    expect(await outcomeOf([refusal])).toEqual({ type: 'refusal', refusal: 'No.' });
    const incomplete = (reason: string) => ({ status: 'incomplete', incomplete_details: { reason } });
    const partialOutput = [message('{"city":"Par')];
    expect(await outcomeOf(partialOutput, incomplete('max_output_tokens'))).toEqual({
      type: 'max_output_tokens',
      partial: { city: 'Par' },
    });
    expect(await outcomeOf(partialOutput, incomplete('content_filter'))).toMatchObject({ type: 'content_filter' });
    const error = { code: 'server_error', message: 'No.' };
    expect(await outcomeOf([], { status: 'failed', error })).toEqual({ type: 'failed', error });
  });

  test('rejects a schema without a JSON Schema, and provides the response', async () => {
    const { responses } = await clientWithReplies(replying([message('Hi')]));
    const schema = { '~standard': { version: 1 as const, vendor: 'tests', validate: (value: unknown) => ({ value }) } };
    const failing = parse(responses, { ...base, text: { format: { name: 'x', schema } } });
    await expect(failing).rejects.toMatchObject({ name: 'InputError' });
    const { data, requestId } = await parse(responses, base).withResponse();
    expect([data.outcome.type, requestId]).toEqual(['parsed', 'req_1']);
  });
});

describe('streamParsed()', () => {
  const item = functionCall('weather', '{"city":"Paris"}');
  const last = replying([message('{"city":"Paris"}'), item]);
  const [created] = helloEvents;
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0, logprobs: [] };
  const ofCall = { item_id: 'fc_call_1', output_index: 1 };
  const events = [
    created,
    { type: 'response.output_text.delta', sequence_number: 1, ...at, delta: '{"city":"Pa' },
    { type: 'response.output_text.delta', sequence_number: 2, ...at, delta: 'ris"}' },
    { type: 'response.output_item.added', sequence_number: 3, output_index: 1, item: { ...item, arguments: '' } },
    { type: 'response.function_call_arguments.delta', sequence_number: 4, ...ofCall, delta: '{"city":"Pa' },
    { type: 'response.completed', sequence_number: 5, response: last },
  ];

  async function streaming() {
    const { baseURL } = await startRecordingServer((response) => {
      sendEvents(response, events);
      response.end();
    });
    return createResponses({ baseURL, maxRetries: 0 });
  }

  test('yields partial values and arguments after their deltas, and final() is the result of parse()', async () => {
    const stream = streamParsed(await streaming(), { ...base, text, tools: [weather] });
    const seen: unknown[] = [];
    for await (const event of stream) {
      if (event.type === 'partial' || event.type === 'function_call.partial') seen.push(structuredClone(event));
    }
    expect(seen).toEqual([
      { type: 'partial', partial: { city: 'Pa' } },
      { type: 'partial', partial: { city: 'Paris' } },
      { type: 'function_call.partial', output_index: 1, name: 'weather', partial: { city: 'Pa' } },
    ]);
    expect((await stream.final()).outcome).toMatchObject({
      type: 'tool_calls',
      calls: [{ arguments: { city: 'Paris' } }],
    });
    expect(stream.state).toBe('finished');
  });

  test('partials() yields text if there is no schema', async () => {
    const texts: string[] = [];
    for await (const text of streamParsed(await streaming(), base).partials()) texts.push(text);
    expect(texts).toEqual(['{"city":"Pa', '{"city":"Paris"}']);
  });
});
