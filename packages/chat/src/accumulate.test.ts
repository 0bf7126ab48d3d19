import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk, delta, finish, head, hello, helloWhole } from '../test/chunks.ts';
import { createAccumulator } from './accumulate.ts';
import type { ChatSnapshot } from './accumulate.ts';
import type { ChatCompletionChunk, ChatCompletionDelta } from './index.ts';

function accumulate(chunks: Iterable<ChatCompletionChunk>): ChatSnapshot | undefined {
  const accumulator = createAccumulator();
  for (const one of chunks) accumulator.push(one);
  return accumulator.snapshot();
}

function message(chunks: readonly ChatCompletionChunk[]): unknown {
  return accumulate(chunks)?.choices[0]?.message;
}

const token = (text: string) => ({ token: text, logprob: -0.5, bytes: [...Buffer.from(text)], top_logprobs: [] });

describe('the completion from chunks', () => {
  test('has the text, the finish_reason and the usage of its chunks', () => {
    expect(accumulate(hello)).toEqual(helloWhole);
  });

  test('is undefined before the first chunk, and has no finish_reason before the last', () => {
    expect(accumulate([])).toBeUndefined();
    expect(accumulate(hello.slice(0, 2))?.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null },
        logprobs: null,
        finish_reason: null,
      },
    ]);
  });

  test('has its choices in the order of their index, however they are interleaved', () => {
    const completion = accumulate([
      ...[2, 0, 1].map((index) => chunk([{ index, delta: { role: 'assistant', content: '' } }])),
      ...[1, 2, 0, 2, 1, 0].map((index, at) => chunk([{ index, delta: { content: `${index}${at} ` } }])),
      chunk([
        { index: 1, finish_reason: 'stop' },
        { index: 0, finish_reason: 'length' },
      ]),
      finish('stop', 2),
    ]);
    expect(completion?.choices.map((choice) => [choice.index, choice.message.content, choice.finish_reason])).toEqual([
      [0, '02 05 ', 'length'],
      [1, '10 14 ', 'stop'],
      [2, '21 23 ', 'stop'],
    ]);
  });

  test('has two parallel tool calls with interleaved arguments', () => {
    const call = (index: number, args: string) => delta({ tool_calls: [{ index, function: { arguments: args } }] });
    const completion = accumulate([
      delta({ role: 'assistant', content: null }),
      delta({
        tool_calls: [{ index: 1, id: 'call_b', type: 'function', function: { name: 'time', arguments: '' } }],
      }),
      delta({
        tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: '' } }],
      }),
      call(0, '{"city":'),
      call(1, '{}'),
      call(0, '"Oslo"}'),
      finish('tool_calls'),
    ]);
    expect(completion?.choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [
            { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
            { id: 'call_b', type: 'function', function: { name: 'time', arguments: '{}' } },
          ],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ]);
  });

  test('has a custom tool call with its input', () => {
    expect(
      message([
        delta({ tool_calls: [{ index: 0, id: 'call_1', type: 'custom', custom: { name: 'sql', input: '' } }] }),
        delta({ tool_calls: [{ index: 0, custom: { input: 'SELECT ' } }] }),
        delta({ tool_calls: [{ index: 0, custom: { input: '1' } }] }),
      ]),
    ).toMatchObject({ tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }] });
  });

  test('has ID, type and name once where a server repeats them or sends them empty later', () => {
    const again = { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '1' } };
    const empty = { index: 0, id: '', function: { name: '', arguments: '2' } };
    expect(
      message([delta({ tool_calls: [again] }), delta({ tool_calls: [again] }), delta({ tool_calls: [empty] })]),
    ).toMatchObject({
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '112' } }],
    });
  });

  test('keeps a value when a later delta is null', () => {
    expect(
      message([delta({ content: 'a' }), delta({ content: null, refusal: null }), delta({ content: 'b' })]),
    ).toEqual({
      role: 'assistant',
      content: 'ab',
      refusal: null,
    });
  });

  test('has the deprecated function call', () => {
    const chunks = [
      delta({ role: 'assistant', content: null, function_call: { name: 'weather', arguments: '' } }),
      delta({ function_call: { arguments: '{"city":' } }),
      delta({ function_call: { arguments: '"Oslo"}' } }),
      finish('function_call'),
    ];
    expect(message(chunks)).toEqual({
      role: 'assistant',
      content: null,
      refusal: null,
      function_call: { name: 'weather', arguments: '{"city":"Oslo"}' },
    });
  });

  test('has the log probabilities of content and refusal, null where there were none', () => {
    const completion = accumulate([
      delta({ content: 'a' }, { logprobs: { content: [token('a')], refusal: null } }),
      delta({ content: 'bc' }, { logprobs: { content: [token('b'), token('c')], refusal: null } }),
      chunk([{ index: 1, delta: { refusal: 'no' }, logprobs: { content: null, refusal: [token('no')] } }]),
    ]);
    expect(completion?.choices.map((choice) => choice.logprobs)).toEqual([
      { content: [token('a'), token('b'), token('c')], refusal: null },
      { content: null, refusal: [token('no')] },
    ]);
  });

  test('has the refusal, and no content', () => {
    const chunks = [
      delta({ role: 'assistant', content: '', refusal: null }),
      delta({ refusal: 'I ' }),
      delta({ refusal: 'will not.' }),
    ];
    expect(message(chunks)).toEqual({ role: 'assistant', content: null, refusal: 'I will not.' });
  });

  test('has the audio with its transcript, whether its base64 was split or encoded in parts', () => {
    const bytes = Buffer.from('the bytes of some sound');
    const base64 = bytes.toString('base64');
    const cut = [base64.slice(0, 5), base64.slice(5, 6), base64.slice(6)];
    const encoded = [bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4)].map((piece) =>
      piece.toString('base64'),
    );
    for (const [first = '', ...rest] of [cut, encoded]) {
      const audio = [
        delta({ role: 'assistant', audio: { id: 'audio_1', transcript: 'So', data: first } }),
        ...rest.map((data) => delta({ audio: { data, transcript: 'und' } })),
        delta({ audio: { expires_at: 1_767_229_200 } }),
      ];
      expect(message(audio)).toMatchObject({
        audio: { id: 'audio_1', data: base64, transcript: 'Soundund', expires_at: 1_767_229_200 },
      });
    }
  });

  test('keeps audio data that is not base64 unchanged', () => {
    expect(message([delta({ audio: { data: '*=*' } })])).toMatchObject({ audio: { data: '*=*' } });
  });

  test('keeps unknown fields: strings of a delta appended, lists extended, objects merged, elsewhere the last value', () => {
    const unknown = (fields: object): ChatCompletionDelta => fields;
    const first = unknown({ nothing: null, reasoning: 'Let me ', notes: [{ n: 1 }], more: { text: 'x', n: 1 } });
    const second = unknown({ reasoning: 'see.', notes: [{ n: 2 }], more: { text: 'y', n: 2 } });
    const completion = accumulate([
      chunk([{ delta: first, by: 'one' }], { provider: 'p' }),
      chunk([{ delta: second, by: 'two' }], { provider: 'p' }),
    ]);
    expect(completion).toMatchObject({
      provider: 'p',
      choices: [
        {
          by: 'two',
          message: { nothing: null, reasoning: 'Let me see.', notes: [{ n: 1 }, { n: 2 }], more: { text: 'xy', n: 2 } },
        },
      ],
    });
  });

  test('drops the obfuscation', () => {
    expect(accumulate([chunk([], { obfuscation: 'abc' })])).not.toHaveProperty('obfuscation');
  });

  test('has the last service_tier and system_fingerprint, or null', () => {
    expect(
      accumulate([
        chunk([], { service_tier: null, system_fingerprint: null }),
        chunk([], { service_tier: 'flex' }),
        chunk([], { service_tier: null }),
      ]),
    ).toMatchObject({ service_tier: 'flex', system_fingerprint: null });
  });

  test('has the last usage where a server reports it in every chunk, and none without usage', () => {
    const counted = (completion_tokens: number) =>
      chunk([], { usage: { prompt_tokens: 1, completion_tokens, total_tokens: 1 + completion_tokens } });
    expect(accumulate([counted(1), counted(2), chunk([])])?.usage).toEqual(counted(2).usage);
    expect(accumulate([chunk([])])).not.toHaveProperty('usage');
  });

  test('accepts chunks without choices, deltas or indexes', () => {
    const { choices: _, ...bare } = chunk([]);
    const incompleteChunks = [
      bare,
      { ...bare, choices: null },
      { ...bare, choices: [null, { delta: null }, { delta: { content: 'x' } }] },
    ];
    expect(message(incompleteChunks as ChatCompletionChunk[])).toEqual({
      role: 'assistant',
      content: 'x',
      refusal: null,
    });
  });

  test('cannot be made to change Object.prototype', () => {
    const evil = (depth: string) => JSON.parse(depth) as ChatCompletionChunk;
    accumulate([
      evil('{"choices":[{"delta":{"__proto__":{"polluted":"a"},"constructor":{"prototype":{"polluted":"a"}}}}]}'),
      evil(
        '{"__proto__":{"polluted":"a"},"choices":[{"__proto__":{"polluted":"a"},"delta":{"x":{"__proto__":{"polluted":"a"}}}}]}',
      ),
      evil('{"choices":[{"delta":{"__proto__":{"polluted":"b"},"x":{"__proto__":{"polluted":"b"}}}}]}'),
    ]);
    expect('polluted' in {}).toBe(false);
  });

  test('a field __proto__ of a chunk or a choice does not change the prototype of the completion', () => {
    const evil = '{"__proto__":{"model":"a"},"choices":[{"index":0,"__proto__":{"finish_reason":"stop"},"delta":{}}]}';
    const accumulator = createAccumulator();
    accumulator.push(JSON.parse(evil) as ChatCompletionChunk);
    expect(accumulator.snapshot()?.model).toBeUndefined();
    expect(accumulator.snapshot()?.choices[0]?.finish_reason).toBeNull();
  });

  test('is a copy that later chunks do not change', () => {
    const accumulator = createAccumulator();
    const first = delta(
      { content: 'a', audio: { data: 'YQ==' }, tool_calls: [{ index: 0, function: { arguments: 'a' } }] },
      { logprobs: { content: [token('a')], refusal: null } },
    );
    accumulator.push(first);
    const early = accumulator.snapshot();
    const before = structuredClone(early);
    accumulator.push(first);
    expect(early).toEqual(before);
    expect(first.choices[0]!.logprobs!.content).toHaveLength(1);
  });
});

test('any completion, split and interleaved in any way, is accumulated completely', () => {
  const pieces = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 });
  const choice = fc.record({ text: pieces, calls: fc.array(pieces, { maxLength: 3 }), tokens: fc.array(fc.string()) });
  const completion = fc.array(choice, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(completion, fc.infiniteStream(fc.nat(1000)), (choices, order) => {
      // The deltas of each choice in order; then a random interleaving of the choices.
      const lines = choices.map(({ text, calls, tokens }, index) => [
        ...text.map((content) => chunk([{ index, delta: { content } }])),
        ...tokens.map((one) => chunk([{ index, logprobs: { content: [token(one)], refusal: null } }])),
        ...calls.flatMap((parts, at) => [
          chunk([
            {
              index,
              delta: { tool_calls: [{ index: at, id: `call_${at}`, type: 'function', function: { name: 'f' } }] },
            },
          ]),
          ...parts.map((part) =>
            chunk([{ index, delta: { tool_calls: [{ index: at, function: { arguments: part } }] } }]),
          ),
        ]),
        finish('stop', index),
      ]);
      const interleaved: ChatCompletionChunk[] = [];
      while (lines.some((line) => line.length > 0)) {
        const open = lines.filter((line) => line.length > 0);
        interleaved.push(open[order.next().value! % open.length]!.shift()!);
      }
      expect(accumulate(interleaved)).toEqual({
        ...head,
        object: 'chat.completion',
        choices: choices.map(({ text, calls, tokens }, index) => ({
          index,
          message: {
            role: 'assistant',
            content: text.join(''),
            refusal: null,
            ...(calls.length > 0 && {
              tool_calls: calls.map((parts, at) => ({
                id: `call_${at}`,
                type: 'function',
                function: { name: 'f', arguments: parts.join('') },
              })),
            }),
          },
          logprobs: tokens.length > 0 ? { content: tokens.map(token), refusal: null } : null,
          finish_reason: 'stop',
        })),
      });
    }),
  );
});
