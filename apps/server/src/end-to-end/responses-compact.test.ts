import type { ResponseCompactParams, ResponseInputItem } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const model = 'simulator';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({});
});
afterAll(() => server.stop());

test('counts the input tokens that a response with the same input uses', async () => {
  const { responses } = server.client;
  const first = await responses.create({ model, input: 'Hello', instructions: 'Be brief.' });
  expect(await responses.inputTokens.count({ model, input: 'Hello', instructions: 'Be brief.' })).toEqual({
    object: 'response.input_tokens',
    input_tokens: first.usage?.input_tokens,
  });
  const body = { model, input: 'And?', previous_response_id: first.id };
  const { input_tokens } = await responses.inputTokens.count(body);
  expect(input_tokens).toBe((await responses.create(body)).usage?.input_tokens);
});

test('counting input tokens is refused without a model, for an unknown model and an unknown response', async () => {
  const { responses } = server.client;
  await expect(responses.inputTokens.count({ input: 'Hello' })).rejects.toMatchObject({
    status: 400,
    code: 'missing_required_parameter',
    param: 'model',
  });
  await expect(responses.inputTokens.count({ model: 'none', input: 'Hello' })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
  await expect(
    responses.inputTokens.count({ model, input: 'Hello', previous_response_id: 'resp_none' }),
  ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
});

test('a compacted conversation has the messages of the user and a summary, and can be continued', async () => {
  const { responses } = server.client;
  const first = await responses.create({ model, input: 'My name is Ada.' });
  const compacted = await responses.compact({
    model,
    input: [
      { role: 'user', content: 'What is my name?' },
      { role: 'assistant', content: 'Ada.' },
    ],
    previous_response_id: first.id,
    prompt_cache_key: 'key',
  });
  expect(compacted).toMatchObject({ object: 'response.compaction' });
  expect(compacted.usage.total_tokens).toBeGreaterThan(0);
  expect(compacted.output).toMatchObject([
    { type: 'message', role: 'user', content: [{ text: 'My name is Ada.' }] },
    { type: 'message', role: 'user', content: [{ text: 'What is my name?' }] },
    { type: 'compaction' },
  ]);
  const input = [...(compacted.output as ResponseInputItem[]), { role: 'user', content: 'And now?' } as const];
  const next = await responses.create({ model, input });
  expect(next.status).toBe('completed');
  const plain = await responses.inputTokens.count({ model, input: [...input.slice(0, 2), ...input.slice(3)] });
  expect(next.usage?.input_tokens).toBeGreaterThan(plain.input_tokens);
});

test('compaction takes what a response takes, and its summary is a text without calls', async () => {
  const { responses } = server.client;
  const name = 'get_weather';
  const body = {
    model,
    input: [{ role: 'user' as const, content: 'What is the weather in Paris?' }],
    tools: [
      { type: 'function' as const, name, parameters: { type: 'object' }, strict: false },
      { type: 'mcp' as const, server_label: 'a' },
    ],
    tool_choice: { type: 'function' as const, name },
    parallel_tool_calls: true,
    reasoning: { effort: 'low' as const, summary: 'auto' as const },
    text: { verbosity: 'low' as const, format: { type: 'json_object' as const } },
    include: ['reasoning.encrypted_content' as const],
    store: true,
    metadata: { topic: 'weather' },
    temperature: 0,
    top_p: 1,
    max_output_tokens: 200,
    max_tool_calls: 1,
    truncation: 'auto' as const,
    client_metadata: { session_id: 'a' },
  };
  const { output } = await responses.compact(body);
  expect(output.map(({ type }) => type)).toEqual(['message', 'compaction']);
  const summary = output[1]?.type === 'compaction' ? output[1].encrypted_content : '';
  const text = Buffer.from(summary.replace(/^.*\./, ''), 'base64').toString();
  expect(text.length).toBeGreaterThan(10);
  expect(text).not.toMatch(/^\s*\{/);
  const refused = { status: 400, code: 'unknown_parameter' };
  for (const field of [{ stream: true }, { background: true }, { conversation: 'conv_1' }]) {
    await expect(responses.compact({ ...body, ...field })).rejects.toMatchObject({
      ...refused,
      param: Object.keys(field)[0],
    });
  }
});

test('compaction is refused without a model and for a response of another project', async () => {
  const { responses } = server.client;
  const { id: previous_response_id } = await responses.create({ model, input: 'Hello' });
  const other = clientOf(server.url, await server.makeKey({ project: 'another' }));
  await expect(other.responses.compact({ model, previous_response_id })).rejects.toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
  });
  // @ts-expect-error: without a model.
  const withoutModel: ResponseCompactParams = { input: 'Hello' };
  await expect(responses.compact(withoutModel)).rejects.toMatchObject({ status: 400, param: 'model' });
});

test('a compaction of another server is omitted and reported', async () => {
  const compaction = { type: 'compaction', encrypted_content: 'gAAAA' } as const;
  const input = [compaction, { role: 'user', content: 'Hello' } as const];
  const { data, response } = await server.client.responses.create({ model, input }).withResponse();
  expect(response.headers.get('x-modelwire-unsupported-tools')).toBe('compaction');
  const plain = await server.client.responses.create({ model, input: 'Hello' });
  expect(data.usage?.input_tokens).toBe(plain.usage?.input_tokens);
});
