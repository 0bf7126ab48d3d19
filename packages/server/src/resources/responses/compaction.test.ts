import type { ChatRequest } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { listen } from '../../testing/listen.ts';
import { eventsOf, postResponse, withTools } from '../../testing/responses.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];
const call = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' };
const history = [
  { type: 'additional_tools', tools },
  { role: 'user', content: 'Look around.' },
  call,
  { type: 'function_call_output', call_id: 'call_1', output: 'A door.' },
];
const trigger = { type: 'compaction_trigger' };
const ask = { model: 'scripted', input: [...history, trigger], tools, include: ['reasoning.encrypted_content'] };

async function serve(summarize = ({ messages }: ChatRequest) => `Summary of ${messages.length} messages.`) {
  const engine = scriptedEngine((request) => says(summarize(request)), withTools);
  return { engine, ...(await listen({ engines: [engine] })) };
}

test('a compaction trigger at the end of a streamed request makes one item, the summary, without tools', async () => {
  const { engine, url } = await serve();
  const events = await eventsOf(await postResponse(url, { ...ask, stream: true }));
  const item = {
    type: 'compaction',
    id: expect.stringMatching(/^cmp_/) as string,
    encrypted_content: expect.stringMatching(/^modelwire-summary\./) as string,
  };
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(events[3]).toMatchObject({ output_index: 0, item });
  expect(events[4]).toMatchObject({
    response: { output: [item], usage: { output_tokens: expect.any(Number) as number } },
  });
  const request = engine.asked[0]?.request;
  expect(request?.tools).toEqual([]);
  expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});

test('the item of a compaction stands for the conversation that it replaces', async () => {
  const { engine, url } = await serve();
  const { output } = (await (await postResponse(url, ask)).json()) as { output: object[] };
  expect(output).toHaveLength(1);
  await postResponse(url, { model: 'scripted', input: [...output, { role: 'user', content: 'Go on.' }] });
  const sent = engine.asked[1]?.request;
  expect(JSON.stringify(sent?.messages)).toContain('Summary of 4 messages.');
  expect(sent?.messages.at(-1)?.content).toBe('Go on.');
});

test('a compaction trigger that is not the last item is a 400', async () => {
  const { url } = await serve();
  const response = await postResponse(url, { ...ask, input: [trigger, ...history] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { param: 'input[0]', message: "Invalid 'input[0]': a 'compaction_trigger' must be the last item." },
  });
});

test('an empty summary is an error, and no item', async () => {
  const { url } = await serve(() => ' ');
  const response = await postResponse(url, ask);
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_output' } });
});
