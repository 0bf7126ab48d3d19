import { describe, expect, test } from 'vitest';
import { engineRequest, drainStream, rejection, relayWhole } from '../../test/engine-request.ts';
import { startEventStream, frames, json } from '../../test/fake-server.ts';
import type { RequestHandler, FakeServer } from '../../test/fake-server.ts';
import { startUpstream } from '../../test/start-upstream.ts';
import type { UpstreamEngine } from '../upstream.ts';

let fake: FakeServer;
let engine: UpstreamEngine;

async function start(handler: RequestHandler): Promise<void> {
  ({ fake, engine } = await startUpstream(handler));
}

const openai = (message: string, rest: object = {}) => ({ error: { message, type: 'invalid_request_error', ...rest } });

/** The errors of each server for a prompt that does not fit into the context. */
const overflows: readonly (readonly [server: string, status: number, body: object])[] = [
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 3000,
        n_ctx: 2048,
      },
    },
  ],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages.",
      type: 'BadRequestError',
      code: 400,
    },
  ],
  [
    'vLLM, embedded prompt',
    400,
    openai('The decoder prompt (length 5000) is longer than the maximum model length of 4096.'),
  ],
  ['OpenAI', 400, openai('Input tokens exceed the limit.', { code: 'context_length_exceeded', param: 'messages' })],
  [
    'SGLang',
    400,
    { object: 'error', message: "The input (5000 tokens) is longer than the model's context length (4096 tokens)." },
  ],
  [
    'SGLang, with its reply',
    400,
    openai("Requested token count exceeds the model's maximum context length of 4096 tokens."),
  ],
  ['Ollama', 400, { error: 'prompt too long; exceeded max context length by 12 tokens' }],
  ['Ollama, embedding', 400, { error: 'the input length exceeds the context length' }],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.',
    },
  ],
  [
    'Text Generation Inference',
    422,
    {
      error: 'Input validation error: `inputs` must have less than 1024 tokens. Given: 2000',
      error_type: 'validation',
    },
  ],
  [
    'Text Generation Inference, with its reply',
    422,
    {
      error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2000',
      error_type: 'validation',
    },
  ],
  ['llama-cpp-python', 400, openai('Requested tokens (2500) exceed context window of 2048')],
  ['LiteLLM', 400, openai('litellm.ContextWindowExceededError: too long', { type: 'ContextWindowExceededError' })],
  [
    'Anthropic',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  ],
  [
    'Anthropic, with its reply',
    400,
    openai('input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000'),
  ],
  [
    'Gemini',
    400,
    {
      error: {
        code: 400,
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
  ],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    },
  ],
  ['Cohere', 400, openai('too many tokens: total number of tokens in the prompt cannot exceed 4081')],
  ['Bedrock', 400, openai('Input is too long for requested model.')],
  ['Groq', 400, openai('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' })],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
    },
  ],
  [
    'llama.cpp, embedding',
    500,
    {
      error: {
        code: 500,
        message:
          'input (1800 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
        type: 'server_error',
      },
    },
  ],
  ['a server that finds out while it runs', 500, openai('the request exceeds the available context size')],
];

describe('a prompt that is longer than the context', () => {
  test.each(overflows)('is 400 context_length_exceeded: %s', async (_, status, body) => {
    await start((response) => json(response, status, body));
    const failure = await rejection(relayWhole(engine, engineRequest()));
    expect(failure).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
    });
    expect(JSON.stringify(body)).toContain(failure.message);
    expect(fake.requests).toHaveLength(1);
  });

  test('has the same error in a stream', async () => {
    const body = { error: { code: 400, message: 'too long', type: 'exceed_context_size_error' } };
    await start((response) => startEventStream(response).end(frames(JSON.stringify(body))));
    const { error } = await drainStream(engine, engineRequest({ stream: true }));
    expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', message: 'too long' });
  });
});

test.each([
  [400, openai('The context of the message is missing.')],
  [400, openai('Invalid value: max_tokens must be at most 4096.')],
  [400, openai('stop: the maximum length of a string is 100')],
  [429, openai('Too many tokens per minute. Please reduce the length of the messages.')],
])('other errors keep their code: %i %j', async (status, body) => {
  await start((response) => json(response, status, body));
  expect((await rejection(relayWhole(engine, engineRequest()))).code).not.toBe('context_length_exceeded');
});
