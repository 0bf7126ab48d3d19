import { expect, test } from 'vitest';
import { json } from '../test/fake-server.ts';
import type { RequestHandler } from '../test/fake-server.ts';
import { serveUpstream } from '../test/start-upstream.ts';
import type { UpstreamPreset } from './presets/presets.ts';

const upstream = async (handler: RequestHandler, preset?: UpstreamPreset) => {
  const options = preset ? { upstream: { preset } } : {};
  const { fake, post } = await serveUpstream(handler, '/v1/completions', options);
  return { fake, post: (body: object) => post({ prompt: 'Once', ...body }) };
};

const chunk = (choice: object | undefined, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'cmpl-1', object: 'text_completion', created: 1, model: 'there', choices: choice ? [choice] : [], ...more })}\n\n`;

const stream =
  (...chunks: readonly string[]): RequestHandler =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunks.join('')}data: [DONE]\n\n`);
  };

const logprobs = { tokens: [' a'], token_logprobs: [-0.5], top_logprobs: [{ ' a': -0.5 }], text_offset: [4] };

test('requests a legacy completion from the upstream with the parameters of the client and no others', async () => {
  const { fake, post } = await upstream(
    stream(
      chunk({ index: 0, text: ' a', logprobs, finish_reason: null }),
      chunk({ index: 0, text: ' time', logprobs: null, finish_reason: 'length' }),
      chunk(undefined, { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
    ),
  );
  const sent = { max_tokens: 2, temperature: 0, logprobs: 1, suffix: ' end', stop: ['x'], user: 'ann' };
  expect(await post(sent)).toMatchObject({
    status: 200,
    model: 'ours',
    choices: [
      { index: 0, text: ' a time', finish_reason: 'length', logprobs: { tokens: [' a'], token_logprobs: [-0.5] } },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });
  expect(fake.requests[0]?.path).toBe('/v1/completions');
  expect(fake.requests[0]?.body).toEqual({
    ...sent,
    model: 'there',
    prompt: 'Once',
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('forwards token IDs, with a default limit of 16 tokens', async () => {
  const { fake, post } = await upstream(stream(chunk({ index: 0, text: 'b', logprobs: null, finish_reason: 'stop' })));
  expect(await post({ prompt: [1, 2] })).toMatchObject({ status: 200, choices: [{ text: 'b' }] });
  expect(fake.requests[0]?.body).toMatchObject({ prompt: [1, 2], max_tokens: 16 });
});

test('passes errors of the upstream on', async () => {
  const { post } = await upstream((response) =>
    json(response, 400, { error: { message: 'suffix is not supported', param: 'suffix', code: 'unsupported' } }),
  );
  expect(await post({ suffix: 'x' })).toMatchObject({ status: 400, error: { param: 'suffix' } });
});

test('returns 502 for a stream that ends early', async () => {
  const { post } = await upstream(stream(chunk({ index: 0, text: 'b', logprobs: null, finish_reason: null })));
  const truncated = await upstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(chunk({ index: 0, text: 'b', logprobs: null, finish_reason: null }));
  });
  for (const reply of [await post({}), await truncated.post({})]) {
    expect(reply).toMatchObject({ status: 502, error: { code: 'upstream_incomplete' } });
  }
});

const scoredPrompt = {
  tokens: ['Once', ' upon', ' a'],
  token_logprobs: [null, -2, -0.5],
  top_logprobs: [null, { ' upon': -2 }, { ' a': -0.5 }],
  text_offset: [0, 4, 9],
};

test.each([
  ['text', 'Once upon'],
  ['token IDs', [7, 8]],
])(
  'forwards echo with logprobs for a prompt of %s to vLLM, and returns the scores of the prompt',
  async (_, prompt) => {
    const reply = chunk({ index: 0, text: 'Once upon a', logprobs: scoredPrompt, finish_reason: 'length' });
    const { fake, post } = await upstream(stream(reply), 'vllm');
    expect(await post({ prompt, echo: true, logprobs: 1, max_tokens: 1 })).toMatchObject({
      status: 200,
      choices: [{ text: 'Once upon a', logprobs: scoredPrompt }],
    });
    expect(fake.requests[0]?.body).toMatchObject({ prompt, echo: true, logprobs: 1, max_tokens: 1 });
  },
);

test('forwards max_tokens 0 with echo', async () => {
  const { fake, post } = await upstream(
    stream(chunk({ index: 0, text: 'Once', logprobs: null, finish_reason: 'length' })),
    'vllm',
  );
  expect(await post({ prompt: [7], echo: true, max_tokens: 0 })).toMatchObject({ choices: [{ text: 'Once' }] });
  expect(fake.requests[0]?.body).toMatchObject({ echo: true, max_tokens: 0 });
});

test('refuses echo with logprobs for llama.cpp, whose server ignores echo', async () => {
  const { fake, post } = await upstream(stream(), 'llama.cpp');
  expect(await post({ echo: true, logprobs: 1 })).toMatchObject({
    status: 400,
    error: { param: 'echo', code: 'unsupported_parameter' },
  });
  expect(fake.requests).toEqual([]);
});

test('a reply without the prompt is never returned as its score', async () => {
  const { post } = await upstream(stream(chunk({ index: 0, text: ' a', logprobs, finish_reason: 'length' })));
  for (const prompt of ['Once', [1, 2]]) {
    expect(await post({ prompt, echo: true, logprobs: 1 })).toMatchObject({ status: 502 });
  }
});
