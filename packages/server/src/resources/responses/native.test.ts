// An engine that supports native responses.
import type { ChatEvent, NativeResponseBody, NativeResponseEvent, Observer } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { listen } from '../../testing/listen.ts';
import { eventsOf, postResponse } from '../../testing/responses.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const ask = { model: 'scripted', input: 'Hello' };

/** An engine that replies with these events and this output, and records the requests. */
function nativeEngine(events: readonly NativeResponseEvent[], output: readonly object[], ending: object = {}) {
  const engine = scriptedEngine(() => says('not native'));
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

test("with hostedTools: 'refuse' items of hosted tools are still refused", async () => {
  const { url } = await listen({ engines: [nativeEngine([], [message])], hostedTools: 'refuse' });
  expect((await postResponse(url, { ...ask, input: [approval] })).status).toBe(400);
});
