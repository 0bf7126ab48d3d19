import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientWithReplies, functionCall, message, replying } from '../../test/client-with-replies.ts';
import { startTestServer } from '../../test/test-server.ts';
import type { TestServer } from '../../test/test-server.ts';
import { city } from '../../test/schemas.ts';
import { createResponses } from '../index.ts';
import { customTool, runTools, tool } from './index.ts';

const base = { model: 'test-model', input: 'Umbrella?', instructions: 'Be brief.' } as const;
const weather = tool({ name: 'weather', parameters: city, run: (args) => `rain in ${args.city}` });
const call = functionCall('weather', '{"city":"Paris"}');
const output = { type: 'function_call_output', call_id: 'call_1', output: 'rain in Paris' };

describe('runTools()', () => {
  test('continues a stored response by its ID, with the outputs alone', async () => {
    const { responses, recorded } = await clientWithReplies(
      replying([call], { id: 'resp_7' }),
      replying([message('Yes.')]),
    );
    const run = runTools(responses, { ...base, tools: [weather], tool_choice: 'required' });
    const seen: string[] = [];
    for await (const { type } of run) seen.push(type);
    expect(seen).toEqual(['response', 'tool_call', 'tool_result', 'response', 'final']);
    expect(recorded[1]?.json).toMatchObject({
      ...{ input: [output], previous_response_id: 'resp_7', instructions: 'Be brief.', tool_choice: 'auto' },
      tools: [{ type: 'function', name: 'weather' }],
    });
    expect(await run.final()).toMatchObject({
      ...{ endReason: 'completed', steps: 2, outcome: { type: 'parsed', parsed: 'Yes.' } },
      items: [{ role: 'user', content: 'Umbrella?' }, call, output, { type: 'message' }],
      usage: { input_tokens: 10, output_tokens: 4, total_tokens: 14 },
    });
  });

  test('sends all items again if the response is not stored', async () => {
    const { responses, recorded } = await clientWithReplies(
      replying([call], { store: false }),
      replying([message('Yes.')]),
    );
    await runTools(responses, { ...base, store: false, tools: [weather] }).final();
    expect(recorded[1]?.json).toMatchObject({ input: [{ role: 'user', content: 'Umbrella?' }, call, output] });
    expect(recorded[1]?.json).not.toHaveProperty('previous_response_id');
  });

  test('sends the outputs alone to a conversation', async () => {
    const { responses, recorded } = await clientWithReplies(
      replying([call], { conversation: { id: 'conv_1' } }),
      replying([message('Yes.')]),
    );
    await runTools(responses, { ...base, conversation: 'conv_1', tools: [weather] }).final();
    expect(recorded[1]?.json).toMatchObject({ input: [output], conversation: 'conv_1' });
    expect(recorded[1]?.json).not.toHaveProperty('previous_response_id');
  });

  test('reports invalid arguments and unknown tools to the model, and relaxes allowed_tools', async () => {
    const calls = [functionCall('weather', '{', 'call_1'), functionCall('nope', '{}', 'call_2')];
    const { responses, recorded } = await clientWithReplies(replying(calls), replying([message('Yes.')]));
    const tools = [{ type: 'function', name: 'weather' }] as const;
    await runTools(responses, {
      ...base,
      tools: [weather],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools },
    }).final();
    expect(recorded[1]?.json).toMatchObject({
      input: [
        { call_id: 'call_1', output: 'Error: The arguments of "weather" are invalid: The text is not JSON.' },
        { call_id: 'call_2', output: 'Error: There is no tool "nope". Tools: weather.' },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools },
    });
  });

  test('runs custom tools with their input', async () => {
    const custom = { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_1', name: 'note', input: 'wet' } as const;
    const { responses, recorded } = await clientWithReplies(
      replying([{ ...custom, status: 'completed' }]),
      replying([message('Yes.')]),
    );
    const note = customTool({ name: 'note', run: (text) => text.toUpperCase() });
    await runTools(responses, { ...base, tools: [note] }).final();
    expect(recorded[1]?.json).toMatchObject({ input: [{ type: 'custom_tool_call_output', output: 'WET' }] });
  });

  test("with onError: 'throw' fails with the tool's error", async () => {
    const { responses } = await clientWithReplies(replying([call]));
    const broken = tool({ name: 'weather', parameters: city, run: () => Promise.reject(new Error('broken')) });
    const run = runTools(responses, { ...base, tools: [broken] }, { onError: 'throw' });
    await expect(run.final()).rejects.toMatchObject({ name: 'ToolError', tool: 'weather', callId: 'call_1' });
  });

  test('ends at maxSteps and at maxTokens, with the calls that were not run', async () => {
    const { responses, recorded } = await clientWithReplies(replying([call]));
    const tools = [weather];
    const stepped = await runTools(responses, { ...base, tools }, { maxSteps: 2 }).final();
    expect(stepped).toMatchObject({ endReason: 'max_steps', steps: 2, outcome: { type: 'tool_calls' } });
    const spent = await runTools(responses, { ...base, tools }, { maxTokens: 5 }).final();
    expect([spent.endReason, recorded.length]).toEqual(['max_tokens', 3]);
  });

  test('is aborted with its tools', async () => {
    const { responses } = await clientWithReplies(replying([call]));
    const started = Promise.withResolvers<AbortSignal>();
    const slow = tool({
      ...{ name: 'weather', parameters: city },
      run: (_, { signal }) => (started.resolve(signal), new Promise(() => undefined)),
    });
    const run = runTools(responses, { ...base, tools: [slow] });
    const signal = await started.promise;
    run.abort();
    await expect(run.final()).rejects.toMatchObject({ name: 'AbortError' });
    expect(signal.aborted).toBe(true);
  });
});

describe('runTools() with a server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  test.each([true, false])('runs a forced call and its output, with deltas (store: %s)', async (store) => {
    const run = runTools(createResponses(server.transport), {
      ...{ model: 'simulator', input: 'What is the weather in Paris?', store, stream: true, tools: [weather] },
      tool_choice: { type: 'function', name: 'weather' },
    });
    let deltas = 0;
    for await (const event of run) if (event.type === 'delta') deltas++;
    const { steps, outcome, response, items } = await run.final();
    expect([steps, outcome.type]).toEqual([2, 'parsed']);
    expect(items.map(({ type }) => type)).toEqual([undefined, 'function_call', 'function_call_output', 'message']);
    expect(response.output_text).not.toBe('');
    expect(deltas).toBeGreaterThan(10);
  });
});
