import { describe, expect, test } from 'vitest';
import { failureOf } from '../../test/reading.ts';
import { text } from '../../test/schemas.ts';
import { gate, json, sendAll, serve } from '../../test/server.ts';
import { delta, finish, head, hello, usage } from '../../test/chunks.ts';
import { runTools, tool } from './index.ts';

const messages = [{ role: 'user', content: 'Go' }] as const;
const base = { model: 'test-model', messages };

function calling(...calls: (readonly [name: string, args: string])[]): unknown {
  const tool_calls = calls.map(([name, args], at) => ({
    ...{ id: `call_${at}`, type: 'function', function: { name, arguments: args } },
  }));
  const message = { role: 'assistant', content: null, refusal: null, tool_calls };
  return answer(message, 'tool_calls');
}

function answer(message: unknown, finish_reason = 'stop'): unknown {
  return { ...head, object: 'chat.completion', choices: [{ index: 0, message, logprobs: null, finish_reason }], usage };
}

const said = answer({ role: 'assistant', content: 'Done', refusal: null });

/** A server that sends these replies in turn, and then repeats the last one. */
async function answering(...answers: unknown[]) {
  const server = await serve((response) => json(response, answers.length > 1 ? answers.shift() : answers[0]));
  const told = (): unknown => (server.received.at(-1)?.body as { messages: unknown[] }).messages.slice(2);
  return { ...server, told };
}

const echo = tool({ name: 'echo', parameters: text, run: (args) => args });

describe('runTools()', () => {
  test('runs the calls of one reply in parallel, and sends their results in the order of the calls', async () => {
    const { chat, told } = await answering(calling(['first', '"a"'], ['second', '"b"']), said);
    const second = gate();
    const tools = [
      tool({ name: 'first', parameters: text, run: async (args) => second.opened.then(() => `${args}1`) }),
      tool({ name: 'second', parameters: text, run: (args) => (second.open(), { args }) }),
    ];
    const run = runTools(chat, { ...base, tools });
    const ends: string[] = [];
    for await (const event of run) if (event.type === 'tool_result') ends.push(event.call.name);
    expect(ends).toEqual(['second', 'first']);
    expect(told()).toEqual([
      { role: 'tool', tool_call_id: 'call_0', content: 'a1' },
      { role: 'tool', tool_call_id: 'call_1', content: '{"args":"b"}' },
    ]);
    expect(await run.final()).toMatchObject({ endReason: 'completed', steps: 2, usage: { total_tokens: 14 } });
  });

  test('reports invalid arguments, invalid JSON and unknown tools to the model', async () => {
    const { chat, told } = await answering(calling(['echo', '5'], ['echo', '{'], ['nope', '{}']), said);
    await runTools(chat, { ...base, tools: [echo] }).final();
    expect(told()).toMatchObject([
      { content: 'Error: The arguments of "echo" are invalid: not a string' },
      { content: 'Error: The arguments of "echo" are invalid: The text is not JSON.' },
      { content: 'Error: There is no tool "nope". Tools: echo.' },
    ]);
  });

  test("with onError: 'throw' fails with the tool's error, and aborts the other tools", async () => {
    const { chat, received } = await answering(calling(['slow', '"a"'], ['bad', '"b"']), said);
    const cause = new Error('broken');
    const stopped = gate();
    const tools = [
      tool({
        ...{ name: 'slow', parameters: text },
        run: (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => stopped.open())),
      }),
      tool({ name: 'bad', parameters: text, run: () => Promise.reject(cause) }),
    ];
    const error = await failureOf(runTools(chat, { ...base, tools }, { onError: 'throw' }).final());
    expect(error).toMatchObject({ name: 'ToolError', message: 'broken', tool: 'bad', callId: 'call_1', cause });
    await stopped.opened;
    expect(received).toHaveLength(1);
  });

  test('ends at maxSteps, with the calls that were not run', async () => {
    const { chat, received } = await answering(calling(['echo', '"a"']));
    const result = await runTools(chat, { ...base, tools: [echo] }).final();
    expect(result).toMatchObject({ endReason: 'max_steps', steps: 10, outcome: { type: 'tool_calls' } });
    expect(received).toHaveLength(10);
    expect(result.messages.at(-1)).toMatchObject({ role: 'assistant' });
  });

  test('ends at maxTokens', async () => {
    const { chat } = await answering(calling(['echo', '"a"']));
    const result = await runTools(chat, { ...base, tools: [echo] }, { maxTokens: 20 }).final();
    expect(result).toMatchObject({ endReason: 'max_tokens', steps: 3, usage: { total_tokens: 21 } });
  });

  test('forces calls in the first request only', async () => {
    const { chat, received } = await answering(calling(['echo', '"a"']), said);
    await runTools(chat, { ...base, tools: [echo], tool_choice: 'required' }).final();
    expect(received.map(({ body }) => (body as { tool_choice: unknown }).tool_choice)).toEqual(['required', 'auto']);
  });

  test('rejects before the first request when a schema cannot generate a JSON Schema', async () => {
    const { chat, received } = await answering(said);
    const mute = { '~standard': { ...text['~standard'], jsonSchema: undefined } };
    const error = await failureOf(
      runTools(chat, { ...base, tools: [tool({ name: 'mute', parameters: mute, run: () => 1 })] }).final(),
    );
    expect(error).toMatchObject({ name: 'InputError' });
    expect(received).toEqual([]);
  });
});

test('a streamed run has the events of every reply, also of the first one', async () => {
  const called = { index: 0, id: 'call_0', type: 'function', function: { name: 'echo', arguments: '"a"' } };
  const answers = [[delta({ content: 'Let me ' }), delta({ tool_calls: [called] }), finish('tool_calls')], hello];
  const { chat } = await serve((response) => sendAll(response, answers.shift() ?? []));
  const texts: [number, string][] = [];
  for await (const event of runTools(chat, { ...base, tools: [echo], stream: true })) {
    if (event.type === 'delta' && event.event.type === 'content.delta') texts.push([event.step, event.event.delta]);
  }
  expect(texts).toEqual([
    [1, 'Let me '],
    [2, 'Hello'],
    [2, ' there'],
  ]);
});

describe('abort', () => {
  test.each(['abort()', 'the signal', 'leaving the loop'])(
    'by %s ends a run whose tool ignores its signal',
    async (by) => {
      const { chat } = await answering(calling(['deaf', '"a"']));
      const controller = new AbortController();
      const heard: AbortSignal[] = [];
      const deaf = tool({
        ...{ name: 'deaf', parameters: text },
        run: (_, { signal }) => (heard.push(signal), new Promise(() => undefined)),
      });
      const run = runTools(chat, { ...base, tools: [deaf] }, { signal: controller.signal });
      let thrown: unknown;
      try {
        for await (const event of run) {
          if (event.type !== 'tool_call') continue;
          if (by === 'leaving the loop') break;
          if (by === 'abort()') run.abort();
          else controller.abort('enough');
        }
      } catch (error) {
        thrown = error;
      }
      const failure = await failureOf(run.final());
      expect(failure.name).toBe('AbortError');
      expect(thrown).toBe(by === 'leaving the loop' ? undefined : failure);
      expect(heard.map(({ aborted }) => aborted)).toEqual([true]);
    },
  );

  test('discards unread events', async () => {
    const { chat } = await answering(calling(['echo', '"a"'], ['echo', '"b"']));
    const run = runTools(chat, { ...base, tools: [echo] });
    const types: string[] = [];
    const reading = (async () => {
      for await (const event of run) {
        types.push(event.type);
        run.abort();
      }
    })();
    expect(await failureOf(reading)).toMatchObject({ name: 'AbortError' });
    expect(types).toEqual(['message']);
  });

  test('aborts a pending request', async () => {
    const { chat, arrived, disconnected } = await serve(() => undefined);
    const run = runTools(chat, { ...base, tools: [echo] });
    await arrived;
    run.abort();
    await disconnected;
    expect(await failureOf(run.final())).toMatchObject({ name: 'AbortError' });
  });
});
