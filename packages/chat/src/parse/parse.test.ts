import { describe, expect, test } from 'vitest';
import { chunk, delta, finish, head, usage } from '../../test/chunks.ts';
import { collect, failureOf } from '../../test/reading.ts';
import { text } from '../../test/schemas.ts';
import { json, sendAll, serve } from '../../test/server.ts';
import { parse, streamParsed } from './index.ts';

const response_format = { name: 'word', schema: text };
const base = { model: 'test-model', messages: [{ role: 'user', content: 'Go' }], response_format } as const;

async function outcomesOf(...choices: (readonly [message: object, finish_reason?: string])[]) {
  const { chat, received } = await serve((response) =>
    json(response, {
      ...{ ...head, object: 'chat.completion', usage },
      choices: choices.map(([message, finish_reason = 'stop'], index) => ({
        ...{ index, logprobs: null, finish_reason },
        message: { role: 'assistant', content: null, refusal: null, ...message },
      })),
    }),
  );
  return { ...(await parse(chat, base)), received };
}

describe('the outcome of a choice is', () => {
  test.each<[string, object, string, object]>([
    ['parsed', { content: '"yes"' }, 'stop', { type: 'parsed', parsed: 'yes' }],
    [
      'invalid for another type',
      { content: '5' },
      'stop',
      { type: 'invalid', text: '5', issues: [{ message: 'not a string' }] },
    ],
    ['invalid for no JSON', { content: 'Sure!' }, 'stop', { type: 'invalid', text: 'Sure!' }],
    ['invalid for no text', {}, 'stop', { type: 'invalid', text: '' }],
    ['a refusal', { refusal: 'No.' }, 'stop', { type: 'refusal', refusal: 'No.' }],
    ['a refusal, also when it was truncated', { refusal: 'No' }, 'length', { type: 'refusal', refusal: 'No' }],
    ['length, with the text so far', { content: '"ye' }, 'length', { type: 'length', partial: 'ye' }],
    [
      'content_filter, with the text so far',
      { content: '' },
      'content_filter',
      { type: 'content_filter', partial: undefined },
    ],
  ])('%s', async (_, message, finish_reason, expected) => {
    expect((await outcomesOf([message, finish_reason])).outcome).toMatchObject(expected);
  });

  test('one for each choice, in order', async () => {
    const { outcomes } = await outcomesOf([{ content: '"a"' }], [{ refusal: 'No' }], [{ content: '"b' }, 'length']);
    expect(outcomes.map(({ type }) => type)).toEqual(['parsed', 'refusal', 'length']);
  });
});

test('the schema is sent as its JSON Schema, strict, without $schema', async () => {
  const { received } = await outcomesOf([{ content: '"a"' }]);
  expect(received[0]?.body).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { name: 'word', strict: true, schema: { type: 'string' } } },
  });
  expect(JSON.stringify(received[0]?.body)).not.toContain('$schema');
});

test('a response without choices is an error', async () => {
  expect(await failureOf(outcomesOf())).toMatchObject({ name: 'DecodeError' });
});

test('a stream yields the partial value of each choice, and the same outcome at the end', async () => {
  const { chat } = await serve((response) =>
    sendAll(response, [
      delta({ content: '"y' }),
      delta({ content: '"n' }, { index: 1 }),
      delta({ content: 'es"' }),
      delta({ content: 'o"' }, { index: 1 }),
      ...[finish(), finish('stop', 1), chunk([], { usage })],
    ]),
  );
  const stream = streamParsed(chat, { ...base, n: 2 });
  const events = await collect(stream);
  expect(events.flatMap((event) => (event.type === 'partial' ? [[event.choice, event.partial]] : []))).toEqual([
    ...[
      [0, 'y'],
      [1, 'n'],
      [0, 'yes'],
      [1, 'no'],
    ],
  ]);
  expect((await stream.final()).outcomes).toMatchObject([{ parsed: 'yes' }, { parsed: 'no' }]);
});
