import { describe, expect, test } from 'vitest';
import { collectEvents, drainStream, relayWhole } from '../../test/engine-request.ts';
import { json } from '../../test/fake-server.ts';
import { request, start, stream } from '../../test/seen-reply.ts';

type Fields = Readonly<Record<string, unknown>>;

const token = (text: string, logprob: number | null = -1) => ({
  ...{ token: text, logprob, bytes: [...Buffer.from(text)], top_logprobs: [{ token: text, logprob, bytes: null }] },
});
const body = { logprobs: true, top_logprobs: 1 };

/** The log probabilities of a reply in two chunks, streamed, as events and whole, which are the same. */
async function logprobsOf(
  texts: readonly [string, string],
  lists: readonly [unknown, unknown],
  whole: unknown,
  reason = 'stop',
) {
  const chunks = texts.map((content, at) => ({
    choices: [{ index: 0, delta: { content }, logprobs: lists[at], finish_reason: at === 1 ? reason : null }],
  }));
  const streaming = await start(stream(...chunks));
  const { payloads } = await drainStream(streaming, request({ ...body, stream: true }));
  const streamed = payloads.flatMap((payload) => {
    const { choices } = JSON.parse(payload) as { choices: { logprobs: { content: Fields[] } | null }[] };
    return choices.flatMap(({ logprobs }) => logprobs?.content ?? []);
  });
  const events = (await collectEvents(streaming, request(body))).flatMap((event) =>
    event.type === 'text' ? (event.logprobs ?? []) : [],
  );
  expect(events).toEqual(streamed);
  const message = { role: 'assistant', content: texts.join('') };
  const replying = await start((response) =>
    json(response, 200, { choices: [{ index: 0, message, logprobs: whole, finish_reason: reason }] }),
  );
  const { choices } = await relayWhole(replying, request(body));
  const [{ logprobs }] = choices as [{ logprobs: { content: Fields[] } | null }];
  expect(logprobs?.content ?? []).toEqual(streamed);
  return streamed;
}

describe('the token that ended a reply', () => {
  test.each(['</s>', '<|im_end|>', '<end_of_turn>', '<｜end▁of▁sentence｜>', '[EOS]'])(
    'is left out: %s',
    async (end) => {
      const [hel, lo, last] = [token('Hel'), token('lo'), token(end)];
      const all = { content: [hel, lo, last] };
      expect(await logprobsOf(['Hel', 'lo'], [{ content: [hel] }, { content: [lo, last] }], all)).toEqual([hel, lo]);
      expect(await logprobsOf(['Hello', ''], [{ content: [hel, lo] }, { content: [last] }], all)).toEqual([hel, lo]);
    },
  );

  test.each([
    ['a token of the text', '<br>', 'stop'],
    ['another token', '!', 'stop'],
    ['the last token before a limit', '</s>', 'length'],
  ])('is not %s', async (_, last, reason) => {
    const tokens = [token('Hel'), token(last)];
    const text = reason === 'length' ? '' : last;
    const lists = [{ content: tokens.slice(0, 1) }, { content: tokens.slice(1) }] as const;
    expect(await logprobsOf(['Hel', text], lists, { content: tokens }, reason)).toEqual(tokens);
  });
});

test('log probabilities in the form of legacy completions are those of chat', async () => {
  const legacy = (...texts: string[]) => ({
    tokens: texts,
    token_logprobs: texts.map(() => -1),
    top_logprobs: texts.map((text) => ({ [text]: -1 })),
    text_offset: texts.map(() => 0),
  });
  const read = await logprobsOf(['Hel', 'lo'], [legacy('Hel'), legacy('lo')], legacy('Hel', 'lo'));
  expect(read).toEqual([token('Hel'), token('lo')].map((one) => ({ ...one, bytes: null })));
});

test('log probabilities that are null are the lowest that the API has', async () => {
  const lists = [{ content: [token('Hel', null)] }, { content: [token('lo')] }] as const;
  const read = await logprobsOf(['Hel', 'lo'], lists, { content: [token('Hel', null), token('lo')] });
  expect(read).toEqual([token('Hel', -9999), token('lo')]);
});

test('numbers that JSON does not have are null, and texts stay as they are', async () => {
  const text = 'a: NaN, "-Infinity"';
  const python = (fields: object) =>
    JSON.stringify(fields).replaceAll('"-inf"', '-Infinity').replaceAll('"nan"', 'NaN');
  const logprobs = { content: [{ token: text, logprob: '-inf', bytes: null, top_logprobs: [] }] };
  const expected = { content: [{ token: text, logprob: -9999, bytes: null, top_logprobs: [] }] };
  const streaming = await start(
    stream(
      python({ choices: [{ index: 0, delta: { content: text }, logprobs, finish_reason: null }], score: 'nan' }),
      python({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    ),
  );
  const { payloads, error } = await drainStream(streaming, request({ ...body, stream: true }));
  expect(error).toBeUndefined();
  expect(JSON.parse(payloads[0] ?? '')).toMatchObject({
    choices: [{ delta: { content: text }, logprobs: expected }],
    score: null,
  });
  const whole = python({
    choices: [{ index: 0, message: { content: text }, logprobs, finish_reason: 'stop' }],
    score: 'nan',
  });
  const replying = await start((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
  });
  expect(await relayWhole(replying, request(body))).toMatchObject({
    choices: [{ message: { content: text }, logprobs: expected }],
    score: null,
  });
});
