// An engine that supports native responses.
import type { ChatEvent, NativeResponseBody, NativeResponseEvent, Observer } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { listen } from '../../testing/listen.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';
import { eventsOf, postResponse, refusalOf } from '../../testing/responses.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const ask = { model: 'scripted', input: 'Hello' };

/** An engine that replies with these events and this output, and records the requests. */
function nativeEngine(events: readonly NativeResponseEvent[], output: readonly object[], ending: object = {}) {
  const engine = scriptedEngine(() => says('not native'), {
    can: { parameters: { response_format: 'native', tools: 'native' }, tool_types: ['function'] },
  });
  const asked: NativeResponseBody[] = [];
  const usage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 };
  return {
    ...engine,
    asked,
    models: () => engine.models().map((model) => ({ ...model, supportsResponses: true })),
    async *respond(body: NativeResponseBody) {
      asked.push(body);
      yield events;
      yield [{ type: 'response.completed', response: { status: 'completed', output, usage }, ...ending }];
    },
  };
}

/** An observer that records the events and the reasons of each generation. */
function recorder() {
  const recorded: (ChatEvent | readonly string[])[] = [];
  const nothing = () => ({ headers: {}, end: () => undefined });
  const observer: Observer = {
    startRequest: () => ({
      startQueueWait: nothing,
      startModeration: nothing,
      startTool: nothing,
      startUpstreamAttempt: nothing,
      startGeneration: () => ({
        startUpstreamAttempt: nothing,
        onEvent: (event) => void recorded.push(event),
        end: ({ finishReasons }) => void recorded.push(finishReasons),
      }),
      end: () => undefined,
    }),
  };
  return { observer, recorded };
}

const part = { type: 'output_text', text: 'Hi', annotations: [] };
const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] };
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'look',
  arguments: '{}',
  status: 'completed',
};
const place = (output_index: number, item_id: string) => ({ output_index, item_id });
const replyEvents: readonly NativeResponseEvent[] = [
  { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
  { type: 'response.reasoning_summary_text.delta', ...place(0, 'rs_1'), summary_index: 0, delta: 'Hm' },
  { type: 'response.output_item.added', output_index: 1, item: { ...message, content: [] } },
  { type: 'response.output_text.delta', ...place(1, 'msg_1'), content_index: 0, delta: 'Hi' },
  { type: 'response.output_text.done', ...place(1, 'msg_1'), content_index: 0, text: 'Hi' },
  { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
  { type: 'response.function_call_arguments.delta', ...place(2, 'fc_1'), delta: '{}' },
  { type: 'response.output_item.added', output_index: 3, item: { type: 'constructor', id: 'x', call_id: 'y', name: 'z' } },
]; // prettier-ignore

test('an observer receives the events of native replies as events of a chat', async () => {
  const { observer, recorded } = recorder();
  const { url } = await listen({ engines: [nativeEngine(replyEvents, [message, call])], observer });
  expect((await postResponse(url, ask)).status).toBe(200);
  expect(recorded).toEqual([
    { type: 'extra', choice: 0, delta: { reasoning_content: 'Hm' } },
    { type: 'text', choice: 0, text: 'Hi' },
    { type: 'tool_call', choice: 0, index: 0, id: 'call_1', kind: 'function', name: 'look' },
    { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: '{}' },
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    expect.objectContaining({ type: 'usage' }),
    ['tool_calls'],
  ]);
});

test('an observer learns that a reply is incomplete', async () => {
  const { observer, recorded } = recorder();
  const response = { status: 'incomplete', output: [message], incomplete_details: { reason: 'max_output_tokens' } };
  const engine = nativeEngine([], [], { type: 'response.incomplete', response });
  const { url } = await listen({ engines: [engine], observer });
  await (await postResponse(url, ask)).text();
  expect(recorded).toEqual([{ type: 'finish', choice: 0, reason: 'length' }, ['length']]);
});

const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA', created_by: 'upstream' };
const approval = { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'docs', name: 'find', arguments: '{}' };

test('compactions and items of hosted tools are returned, and reach the engine unchanged when the client sends them back', async () => {
  const engine = nativeEngine([], [compaction, approval, message]);
  const { url } = await listen({ engines: [engine] });
  const first = await postResponse(url, ask);
  const { output } = (await first.json()) as { output: object[] };
  expect(output).toEqual([compaction, approval, message]);
  const approve = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true };
  const second = await postResponse(url, { ...ask, input: [...output, approve] });
  expect([second.status, second.headers.has('x-modelwire-unsupported-tools')]).toEqual([200, false]);
  const { created_by, ...sent } = compaction;
  expect(engine.asked[1]?.['input']).toEqual([sent, approval, message, approve]);
});

test('input without a message reaches the engine', async () => {
  const engine = nativeEngine([], [message]);
  const { url } = await listen({ engines: [engine] });
  const trigger = { type: 'compaction_trigger' };
  expect((await postResponse(url, { ...ask, input: [compaction, trigger], stream: true })).status).toBe(200);
  expect(engine.asked[0]?.['input']).toMatchObject([{ type: 'compaction' }, trigger]);
});

test('the items of the engine are in the events', async () => {
  const added = { type: 'response.output_item.added', output_index: 0, item: compaction };
  const { url } = await listen({ engines: [nativeEngine([added], [compaction])] });
  const events = await eventsOf(await postResponse(url, { ...ask, stream: true }));
  expect(events.slice(2)).toMatchObject([added, { type: 'response.completed', response: { output: [compaction] } }]);
});

test.each([
  ['before a reply', { content: [{ type: 'reasoning_text', text: 'bad' }] }, [message]],
  ['without a reply', { content: [{ type: 'reasoning_text', text: 'bad' }] }, []],
  [
    'with a summary',
    { content: [{ type: 'reasoning_text', text: 'x' }], summary: [{ type: 'summary_text', text: 'bad' }] },
    [],
  ],
])('reasoning that the engine receives %s is moderated', async (_, fields, reply) => {
  const engine = nativeEngine([], [message]);
  const { url } = await listen({ engines: [engine], moderationEngines: [wordModeration()], moderate: 'input' });
  const user = { role: 'user', content: 'Hello' };
  const input = [user, { type: 'reasoning', id: 'rs_1', summary: [], ...fields }, ...reply, user];
  expect((await postResponse(url, { ...ask, input })).status).toBe(400);
  expect(engine.asked).toEqual([]);
  const harmless: unknown = JSON.parse(JSON.stringify(input).replaceAll('"bad"', '"good"'));
  expect((await postResponse(url, { ...ask, input: harmless })).status).toBe(200);
});

test("with hostedTools: 'refuse' items of hosted tools are still refused", async () => {
  const { url } = await listen({ engines: [nativeEngine([], [message])], hostedTools: 'refuse' });
  expect((await postResponse(url, { ...ask, input: [approval] })).status).toBe(400);
});

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const asked = { ...ask, text: { format: { type: 'json_schema', name: 'one', schema } } };
const written = (text: string) => ({ ...message, content: [{ ...part, text }] });
/** The events of a message in these pieces. */
const writes = (...pieces: readonly string[]): readonly NativeResponseEvent[] => {
  const at = { ...place(0, 'msg_1'), content_index: 0 };
  const text = pieces.join('');
  return [
    { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.output_item.done', output_index: 0, item: written(text) },
  ];
};
const deltasOf = (events: readonly { readonly type: string }[]) =>
  events.flatMap((event) => ('delta' in event && typeof event.delta === 'string' ? [event.delta] : []));

test('a native reply that matches its format passes as it is', async () => {
  const pieces = ['{ "n"', ':', '1', '}'];
  const { url } = await listen({ engines: [nativeEngine(writes(...pieces), [written(pieces.join(''))])] });
  const events = await eventsOf(await postResponse(url, { ...asked, stream: true }));
  expect(deltasOf(events)).toEqual(pieces);
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [written('{ "n":1}')] } });
});

test.each([
  ['with a wrong type', ['{"n":', '"x"', '}']],
  ['in a code fence', ['```json', '{"n":1}', '```']],
  ['that is incomplete', ['{"n":', '1']],
])('a native reply %s is an error, and what is wrong is not sent', async (_, pieces) => {
  const { url } = await listen({ engines: [nativeEngine(writes(...pieces), [written(pieces.join(''))])] });
  expect(await refusalOf(await postResponse(url, asked))).toMatchObject({ status: 502, code: 'invalid_output' });
  const response = await postResponse(url, { ...asked, stream: true });
  // Before the first byte, the error is a status.
  if (response.status === 502) return;
  const events = await eventsOf(response);
  expect(pieces.join('').startsWith(deltasOf(events).join(''))).toBe(true);
  expect(deltasOf(events).join('')).not.toContain('x');
  expect(events.map(({ type }) => type)).not.toContain('response.output_text.done');
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { code: 'invalid_output' } } });
});

test('the whole output of a native reply without further events is checked, too', async () => {
  for (const [text, status] of [['{"n":1}', 200], ['{"n":"x"}', 502]] as const) {
    const { url } = await listen({ engines: [nativeEngine([], [written(text)])] });
    expect((await postResponse(url, asked)).status).toBe(status);
  }
}); // prettier-ignore

test('a native reply that was truncated passes as it is', async () => {
  const response = { status: 'incomplete', output: [written('{"n"')], incomplete_details: { reason: 'max_output_tokens' } };
  const ending = { type: 'response.incomplete', response };
  const { url } = await listen({ engines: [nativeEngine(writes('{"n', '"'), [], ending)] });
  const events = await eventsOf(await postResponse(url, { ...asked, stream: true }));
  expect(deltasOf(events)).toEqual(['{"n', '"']);
  expect(events.at(-1)).toMatchObject({ type: 'response.incomplete' });
}); // prettier-ignore

test('the arguments of strict functions of a native reply are checked, and text before a call is no document', async () => {
  const parameters = { ...schema, additionalProperties: false };
  const tools = [{ type: 'function', name: 'look', strict: true, parameters }];
  const calling = (text: string): readonly NativeResponseEvent[] => [
    ...writes('I look'),
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta', ...place(1, 'fc_1'), delta: text },
    { type: 'response.function_call_arguments.done', ...place(1, 'fc_1'), arguments: text, name: 'look' },
  ];
  for (const [text, status] of [['{"n":1}', 200], ['{"n":"x"}', 502]] as const) {
    const engine = nativeEngine(calling(text), [written('I look'), { ...call, arguments: text }]);
    const { url } = await listen({ engines: [engine] });
    expect((await postResponse(url, { ...asked, tools })).status).toBe(status);
  }
}); // prettier-ignore
