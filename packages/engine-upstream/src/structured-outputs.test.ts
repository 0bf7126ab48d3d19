import type { ServerResponse } from 'node:http';
import { createServer } from '@modelwire/server';
import type { RequestLogEntry } from '@modelwire/server';
import { describe, expect, test } from 'vitest';
import { chunk, frames, startEventStream } from '../test/fake-server.ts';
import { startUpstream } from '../test/start-upstream.ts';
import type { UpstreamServer } from './index.ts';

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name'],
  additionalProperties: false,
};
const response_format = { type: 'json_schema', json_schema: { name: 'person', schema } };
const person = '{"name":"Ann","age":3}';

interface Reply {
  readonly status: number;
  readonly finish: string | undefined;
  readonly content: string;
  readonly calls: readonly string[];
  readonly code: string | undefined;
}

/** A server in front of an upstream that answers with these replies, one for each request. */
async function behind(
  answers: readonly ((response: ServerResponse) => unknown)[],
  upstream: Partial<UpstreamServer> = {},
) {
  const { fake, engine } = await startUpstream(
    (response, _, count) => (answers[count - 1] ?? answers.at(-1))?.(response),
    upstream,
    { retries: 0 },
  );
  const logged: RequestLogEntry[] = [];
  const server = createServer({ engines: [engine], keys: 'open', log: (entry) => void logged.push(entry) });
  async function complete(body: object): Promise<Reply> {
    const response = await server.fetch(
      new Request('http://localhost/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Who?' }], ...body }),
      }),
    );
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    return { status: response.status, ...readReply(await response.text(), isStream) };
  }
  return { complete, requests: fake.requests, logged };
}

interface Chunk {
  readonly error?: { readonly code: string };
  readonly choices?: readonly {
    readonly finish_reason: string | null;
    readonly delta?: Message;
    readonly message?: Message;
  }[];
}

interface Message {
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly index?: number;
    readonly function?: { readonly arguments?: string };
    readonly custom?: { readonly input?: string };
  }[];
}

function readReply(text: string, isStream: boolean): Omit<Reply, 'status'> {
  const chunks = isStream
    ? Array.from(text.matchAll(/^data: (\{[^\n]*)$/gm), ([, data = '']) => JSON.parse(data) as Chunk)
    : [JSON.parse(text) as Chunk];
  let content = '';
  let finish: string | undefined;
  let code: string | undefined;
  const calls: string[] = [];
  for (const { choices, error } of chunks) {
    code = error?.code ?? code;
    const [choice] = choices ?? [];
    const message = choice?.delta ?? choice?.message;
    content += message?.content ?? '';
    message?.tool_calls?.forEach((call, at) => {
      const index = call.index ?? at;
      calls[index] = (calls[index] ?? '') + (call.function?.arguments ?? call.custom?.input ?? '');
    });
    finish = choice?.finish_reason ?? finish;
  }
  return { content, finish, calls, code };
}

/** A stream of these deltas. */
const deltas =
  (list: readonly object[], finish: string | null = 'stop') =>
  (response: ServerResponse): unknown =>
    startEventStream(response).end(
      frames(...list.map((delta) => chunk(delta)), ...(finish === null ? [] : [chunk({}, finish)]), '[DONE]'),
    );
const says = (...pieces: readonly string[]) => deltas(pieces.map((content) => ({ content })));

/** A stream whose bytes arrive in pieces of this length. */
const inBytes = (text: string, length: number) => async (response: ServerResponse) => {
  const bytes = Buffer.from(frames(chunk({ content: text }), chunk({}, 'stop'), '[DONE]'));
  startEventStream(response);
  for (let start = 0; start < bytes.length; start += length) {
    response.write(bytes.subarray(start, start + length));
    await new Promise(setImmediate);
  }
  response.end();
};

const deep = `{"name":"Ann","age":${'['.repeat(50_000)}`;
describe('whatever an upstream sends, a reply that ends with stop is a document', () => {
  const unchanged = [person, 1] as const;
  test.each<[string, (response: ServerResponse) => unknown, content: string, requests: number]>([
    ['characters that are divided', inBytes('{"name":"é😀\u2028","age":3}', 1), '{"name":"é😀\u2028","age":3}', 1],
    ['events that are divided', inBytes(person, 7), ...unchanged],
    ['halves of a character in two events', says('{"name":"\ud83d', '\ude00"}'), '{"name":"😀"}', 1],
    ['half of a character', says('{"name":"\ud83d"}'), person, 2],
    ['escapes that are divided', says('{"name":"\\', 'u00', 'e9"}'), '{"name":"\\u00e9"}', 1],
    ['a byte order mark', says('\ufeff', person), ...unchanged],
    ['two documents', says(person, '{"name":"Bob"}'), ...unchanged],
    ['prose, a document, prose, and another one', says('Is it [Ann]? ', person, ' or ', '{"name":"Bob"}'), ...unchanged],
    ['thoughts with a document', says('<thi', 'nk>{"name":"Bob"}</th', 'ink>', person), ...unchanged],
    ['a document within a string', says(JSON.stringify(person)), person, 2],
    ['what is no JSON within strings', says(`{'name': "True, None ,} \`\`\` // don't",}`), `{"name": "True, None ,} \`\`\` // don't"}`, 1],
    ['NaN', says('{"name":"Ann","age":NaN}'), person, 2],
    ['a number that is too large', says('{"name":"Ann","age":1e999}'), person, 2],
    ['a name twice', says('{"name":"Ann","name":"Bob"}'), '{"name":"Ann","name":"Bob"}', 1],
    ['a name twice, escaped', says('{"name":"Ann","n\\u0061me":"Bob"}'), '{"name":"Ann","n\\u0061me":"Bob"}', 1],
    ['an integer of 30 digits', says(`{"name":"Ann","age":${'1'.repeat(30)}}`), `{"name":"Ann","age":${'1'.repeat(30)}}`, 1],
    ['a property that the schema does not have', says('{"name":"Ann","__proto__":{}}'), person, 2],
    ['brackets that never close', says(deep), person, 2],
    ['a thousand documents', says(...Array.from({ length: 1000 }, () => '[{}] ')), person, 2],
    ['whitespace', says('\n'.repeat(10_000)), person, 2],
    ['whitespace within the document', says('{"name":', ' '.repeat(100_000), '"Ann"}'), `{"name":${' '.repeat(100_000)}"Ann"}`, 1],
    ['nothing', says(), person, 2],
    ['content that is null', deltas([{ role: 'assistant', content: null }]), person, 2],
    ['content as parts', deltas([{ content: [{ type: 'text', text: '{"name":' }] }, { content: [{ type: 'text', text: '"Ann"}' }] }]), '{"name":"Ann"}', 1],
    ['content that is no text', deltas([{ content: { name: 'Ann' } }]), person, 2],
    ['the document in the thoughts', deltas([{ reasoning_content: '{"name":"Bob"}' }, { content: person }]), ...unchanged],
    ['a finish reason that is not known', deltas([{ content: '{"name":"Ann"' }], 'EOS_TOKEN'), '{"name":"Ann"}', 1],
  ])('%s', async (_, first, content, requests) => {
    for (const stream of [false, true]) {
      const { complete, requests: sent } = await behind([first, says(person)]);
      const reply = await complete({ response_format, stream });
      expect(reply).toMatchObject({ status: 200, content, finish: 'stop' });
      expect(sent).toHaveLength(requests);
    }
  });
}); // prettier-ignore

describe('an incomplete reply is not called complete', () => {
  const cut = (response: ServerResponse) => {
    startEventStream(response).write(frames(chunk({ content: '{"name":"Ann"' })));
    setImmediate(() => response.destroy());
  };
  test.each<[string, readonly ((response: ServerResponse) => unknown)[], object]>([
    ['a token limit', [deltas([{ content: '{"name":"An' }], 'length')], { finish: 'length', content: '{"name":"An' }],
    [
      'a token limit after a document',
      [deltas([{ content: person }], 'length')],
      { finish: 'length', content: person },
    ],
    ['a filter', [deltas([{ content: '{"na' }], 'content_filter')], { finish: 'content_filter' }],
    ['a token limit in the repair', [says('{"name":x'), deltas([{ content: '"An' }], 'length')], { finish: 'length' }],
    ['a connection that breaks', [cut], { finish: undefined, code: 'upstream_stream_interrupted' }],
    [
      'a connection that breaks in the repair',
      [says('{"name":x'), cut],
      { finish: undefined, code: 'upstream_stream_interrupted' },
    ],
    ['no finish reason', [deltas([{ content: '{"name":"Ann"' }], null)], { finish: undefined }],
    ['an invalid reply to each request', [says('{"name":1}')], { finish: undefined, code: 'invalid_output' }],
  ])('%s', async (_, answers, expected) => {
    for (const stream of [false, true]) {
      const { complete } = await behind(answers);
      expect(await complete({ response_format, stream })).toMatchObject(expected);
    }
  });

  test('a refusal passes', async () => {
    const { complete, requests } = await behind([deltas([{ refusal: 'No.' }])]);
    expect(await complete({ response_format })).toMatchObject({ content: '', finish: 'stop' });
    expect(requests).toHaveLength(1);
  });
});

describe('the arguments of a strict function are a document, however an upstream sends the call', () => {
  const tools = [
    { type: 'function', function: { name: 'f', strict: true, parameters: { ...schema, required: ['name', 'age'] } } },
  ];
  const called = (...calls: readonly object[]) =>
    deltas(
      calls.map((one) => ({ tool_calls: [one] })),
      'tool_calls',
    );
  const start = (text: unknown, more: object = {}) => ({
    ...{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: text } },
    ...more,
  });
  const more = (text: string) => ({ index: 0, function: { arguments: text } });
  test.each<[string, (response: ServerResponse) => unknown, readonly string[], requests: number]>([
    ['in pieces', called(start('{"name":'), more('"Ann",'), more('"age":3}')), [person], 1],
    ['as an object', called(start({ name: 'Ann', age: 3 })), [person], 1],
    ['as an empty text', called(start('')), [person], 2],
    ['as null', called(start(null)), [person], 2],
    ['as an empty object', called(start('{}')), [person], 2],
    ['in a code fence', called(start('```json\n'), more(person), more('\n```')), [person], 1],
    ['without an index or an ID', called({ function: { name: 'f', arguments: person } }), [person], 1],
    ['with a wrong type', called(start('{"name":"Ann","age":"3"}')), [person], 2],
    [
      'twice, one of them invalid',
      called(start(person), start('{"name":"Ann","age":x}', { index: 1, id: 'call_2' })),
      [person, person],
      2,
    ],
    ['with the reason stop', deltas([{ tool_calls: [start('{"name":"Ann","age":x')] }]), [person], 2],
  ])('%s', async (_, first, calls, requests) => {
    for (const stream of [false, true]) {
      const { complete, requests: sent } = await behind([first, says(person)]);
      expect(await complete({ tools, stream })).toMatchObject({ calls, finish: 'tool_calls' });
      expect(sent).toHaveLength(requests);
    }
  });
});

test('vLLM and SGLang are told to continue the message of the assistant, servers that do so by themselves are not', async () => {
  const fields = async (preset: NonNullable<UpstreamServer['preset']>) => {
    const upstream = { preset, structuredOutputs: 'guaranteed' } as const;
    const { complete, requests } = await behind([says('{"name":"Ann","age":x'), says('3}')], upstream);
    expect(await complete({ response_format })).toMatchObject({ content: person });
    const [first, second] = requests.map(({ body }) => body);
    expect(first).not.toHaveProperty('continue_final_message');
    expect(second?.['messages']).toMatchObject([{}, { role: 'assistant', content: '{"name":"Ann","age":' }]);
    return [second?.['continue_final_message'], second?.['add_generation_prompt']];
  };
  for (const preset of ['vllm', 'sglang'] as const) expect(await fields(preset)).toEqual([true, false]);
  for (const preset of ['llama.cpp', 'ollama'] as const) expect(await fields(preset)).toEqual([undefined, undefined]);
});

describe('the input of custom tools', () => {
  const custom = (syntax: 'regex' | 'lark', definition: string) => ({
    type: 'custom',
    custom: { name: 'c', format: { type: 'grammar', grammar: { syntax, definition } } },
  });
  const called = (...pieces: readonly string[]) =>
    deltas(
      pieces.map((input, at) => ({
        tool_calls: [
          {
            index: 0,
            ...(at === 0 && { id: 'call_1', type: 'custom' }),
            custom: { ...(at === 0 && { name: 'c' }), input },
          },
        ],
      })),
      'tool_calls',
    );
  test.each([
    ['regex', '[a-z]+\\d{2}', ['ab', 'c1', 'x'], 'abc12'],
    ['lark', 'start: "(" start ")" | "x"', ['((', 'y'], '((x))'],
  ] as const)('matches its %s', async (syntax, definition, pieces, valid) => {
    for (const stream of [false, true]) {
      const { complete, logged } = await behind([called(...pieces), says(valid)]);
      expect(await complete({ tools: [custom(syntax, definition)], stream })).toMatchObject({
        calls: [valid],
        finish: 'tool_calls',
      });
      expect(logged[0]).toMatchObject({ outputAttempts: 2, outputSteps: ['continued'] });
    }
  });

  describe('of a server that has only functions', () => {
    const calls = (...pieces: readonly string[]) =>
      deltas(
        pieces.map((text, at) => ({
          tool_calls: [
            {
              index: 0,
              ...(at === 0 && { id: 'call_1', type: 'function' }),
              function: { ...(at === 0 && { name: 'c' }), arguments: text },
            },
          ],
        })),
        'tool_calls',
      );
    const upstream = { preset: 'vllm' } as const;
    const text = { type: 'custom', custom: { name: 'c', description: 'Runs it.' } };

    test.each([
      ['at every character', '{ "input" : "é\\n\\ud83d\\ude00\\u005c\\"}" }'.split(''), 'é\n😀\\"}'],
      ['within a character', ['{"input":"\ud83d', '\ude00"}'], '😀'],
      ['as one', ['{"input":""}'], ''],
    ])('is the string of its arguments, divided %s', async (_, pieces, input) => {
      for (const stream of [false, true]) {
        const { complete, requests } = await behind([calls(...pieces)], upstream);
        expect(await complete({ tools: [text], stream })).toEqual({
          ...{ status: 200, content: '', code: undefined },
          ...{ calls: [input], finish: 'tool_calls' },
        });
        const parameters = { properties: { input: { type: 'string' } }, required: ['input'] };
        expect(requests[0]?.body['tools']).toMatchObject([
          { type: 'function', function: { name: 'c', description: 'Runs it.', parameters } },
        ]);
      }
    });

    test.each([
      ['regex', '[a-z]+\\d{2}', ['{"input":"ab', 'c1', 'x"}'], 'abc12'],
      ['lark', 'start: "(" start ")" | "x"', ['{"input":"((', 'y"}'], '((x))'],
    ] as const)('matches its %s, which is described', async (syntax, definition, pieces, valid) => {
      for (const stream of [false, true]) {
        const { complete, logged, requests } = await behind([calls(...pieces), says(valid)], upstream);
        const reply = await complete({ tools: [custom(syntax, definition)], stream });
        expect(reply).toMatchObject({ calls: [valid], finish: 'tool_calls' });
        expect(logged[0]).toMatchObject({ outputAttempts: 2, outputSteps: ['continued'] });
        const description: unknown = expect.stringContaining(definition);
        expect(requests[0]?.body['tools']).toMatchObject([{ function: { description } }]);
      }
    });

    test('can be required, and sent back with its result', async () => {
      const { complete, requests } = await behind([calls('{"input":"x"}')], upstream);
      const other = { type: 'function', function: { name: 'f' } };
      const called = [{ id: 'call_0', type: 'custom', custom: { name: 'c', input: '"\n' } }];
      const messages = [
        { role: 'assistant', content: null, tool_calls: called },
        { role: 'tool', tool_call_id: 'call_0', content: 'done' },
      ];
      const named = { type: 'custom', custom: { name: 'c' } };
      const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } };
      for (const tool_choice of [named, allowed]) {
        expect(await complete({ messages, tools: [other, text], tool_choice })).toMatchObject({ calls: ['x'] });
      }
      // Without the tool, its calls are history.
      await complete({ messages });
      const sent = { type: 'function', function: { name: 'c', arguments: JSON.stringify({ input: '"\n' }) } };
      for (const { body } of requests) {
        expect(body['messages']).toMatchObject([{ tool_calls: [{ id: 'call_0', ...sent }] }, messages[1]]);
      }
      expect(requests.map(({ body }) => body['tool_choice'])).toEqual([
        { type: 'function', function: { name: 'c' } },
        undefined,
        undefined,
      ]);
      expect(requests[1]?.body['tools']).toMatchObject([{ function: { name: 'c' } }]);
    });

    test.each(['ls -l', '{"command":"ls"}', '{"input":["ls"]}', '"ls"'])(
      'is other text itself: %s',
      async (written) => {
        for (const stream of [false, true]) {
          const { complete } = await behind([calls(written)], { ...upstream, structuredOutputs: 'off' });
          expect(await complete({ tools: [text], stream })).toMatchObject({ calls: [written], finish: 'tool_calls' });
        }
      },
    );

    test.each([
      ['that end within the string', '{"input":"ls'],
      ['with text after the string', '{"input":"say "hi" now"}'],
    ])('is an error for arguments %s', async (_, written) => {
      for (const stream of [false, true]) {
        const { complete } = await behind([calls(written)], { ...upstream, structuredOutputs: 'off' });
        expect(await complete({ tools: [text], stream })).toMatchObject({ code: 'invalid_output', finish: undefined });
      }
    });
  });
});
