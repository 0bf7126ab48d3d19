import { expect, test } from 'vitest';
import { anthropicEvents as event } from './testing/anthropic-events.ts';
import { events } from './testing/provider-server.ts';
import { serveProviders } from './testing/serve-providers.ts';

const { provider, anthropic, gemini } = await serveProviders({ geminiModel: 'gemini-3-pro-preview' });

const sent = () => provider.received.at(-1)?.body;
const user = { role: 'user', content: 'Look at the sea.' };
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
const result = (id: string | undefined) => ({ role: 'tool', tool_call_id: id, content: 'calm' });
const reasonedCall = [
  event.start,
  ...event.thinking(0, 'I should look.', 'sig-1'),
  event.block(1, { type: 'redacted_thinking', data: 'hidden' }),
  event.blockEnd(1),
  ...event.text(2, 'Let me ', 'look.'),
  ...event.toolUse(3, 'toolu_1', 'look', '{"at":', '"sea"}'),
  ...event.end('tool_use'),
];
const returned = [
  { type: 'thinking', thinking: 'I should look.', signature: 'sig-1' },
  { type: 'redacted_thinking', data: 'hidden' },
  { type: 'text', text: 'Let me look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'sea' } },
];

test('a reply with reasoning can be sent back: Anthropic gets its signatures again, in order', async () => {
  provider.respond(events(...reasonedCall));
  const body = { tools, reasoning_effort: 'medium' };
  const { choices } = await anthropic.complete({ ...body, messages: [user] });
  const message = choices[0]?.message;
  expect(message).toMatchObject({ content: 'Let me look.', reasoning_content: 'I should look.' });
  await anthropic.complete({ ...body, messages: [user, message, result('toolu_1')] });
  expect(sent()).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', content: returned }, {}] });
});

test('a streamed reply can be sent back: provider_metadata comes in one chunk', async () => {
  provider.respond(events(...reasonedCall));
  const body = { tools, reasoning_effort: 'medium' };
  const chunks = await anthropic.stream({ ...body, messages: [user] });
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  const metadata = deltas.filter((delta) => 'provider_metadata' in delta);
  expect(metadata).toHaveLength(1);
  const tool_calls = [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"at":"sea"}' } }];
  const message = { role: 'assistant', content: 'Let me look.', tool_calls, ...metadata[0] };
  await anthropic.complete({ ...body, messages: [user, message, result('toolu_1')] });
  expect(sent()).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', content: returned }, {}] });
});

test('a client that drops provider_metadata: the engine remembers that of recent tool calls', async () => {
  provider.respond(events(...reasonedCall));
  const { choices } = await anthropic.complete({ tools, messages: [user] });
  const { provider_metadata: _dropped, ...message } = { provider_metadata: undefined, ...choices[0]?.message };
  await anthropic.complete({ tools, messages: [user, message, result('toolu_1')] });
  expect(sent()).toMatchObject({ messages: [{}, { content: returned }, {}] });
});

test('text that the client edited is sent as edited', async () => {
  provider.respond(events(...reasonedCall));
  const { choices } = await anthropic.complete({ tools, messages: [user] });
  const message = { ...choices[0]?.message, content: 'Look!' };
  await anthropic.complete({ tools, messages: [user, message, result('toolu_1')] });
  expect(sent()).toMatchObject({
    messages: [{}, { content: [{ type: 'thinking' }, {}, { type: 'text', text: 'Look!' }, { type: 'tool_use' }] }, {}],
  });
});

test('a tool call can be sent back: Gemini gets its thought signature again', async () => {
  const functionCall = { name: 'look', args: { at: 'sea' } };
  const parts = [{ functionCall, thoughtSignature: 'sig-2' }];
  provider.respond(events({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }));
  const { choices } = await gemini.complete({ tools, messages: [user] });
  const message = choices[0]?.message;
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  await gemini.complete({ tools, messages: [user, message, result(message?.tool_calls?.[0]?.id)] });
  expect(sent()).toMatchObject({ contents: [{}, { parts: [{ functionCall, thoughtSignature: 'sig-2' }] }, {}] });
});

test('metadata of another provider, and what is none, is ignored', async () => {
  const foreign = { provider: 'google', parts: [{ type: 'reasoning', text: 'Hm.', metadata: { google: { a: 1 } } }] };
  for (const provider_metadata of [foreign, { provider: 'anthropic', parts: [{ type: 'odd' }] }, {}]) {
    const messages = [user, { role: 'assistant', content: 'Calm.', provider_metadata }, user];
    provider.respond(events(event.start, ...event.text(0, 'Yes.'), ...event.end('end_turn')));
    await anthropic.complete({ messages });
    expect(sent()).toMatchObject({ messages: [{}, { content: [{ type: 'text', text: 'Calm.' }] }, {}] });
  }
});

test('the Responses API continues a response with tool calls: Anthropic gets its signatures again', async () => {
  provider.respond(events(...reasonedCall));
  const body = { model: 'claude', reasoning: { effort: 'medium' }, store: false };
  const responseTools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];
  const first = await anthropic.postTo('/v1/responses', { ...body, tools: responseTools, input: 'Look at the sea.' });
  const { output } = (await first.json()) as { output: { type: string; call_id?: string }[] };
  expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
  const output_of_call = { type: 'function_call_output', call_id: 'toolu_1', output: 'calm' };
  const input = [{ role: 'user', content: 'Look at the sea.' }, ...output, output_of_call];
  const second = await anthropic.postTo('/v1/responses', { ...body, tools: responseTools, input });
  expect(second.status).toBe(200);
  expect(sent()).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', content: returned }, {}] });
});
