import { json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { InvalidResponseError, Modelwire } from './index.ts';
import type { Batch, ModelwireOptions } from './index.ts';
import { validator } from './validate/index.ts';

const messages = [{ role: 'user', content: 'Hello' }] as const;
const model = { id: 'm', object: 'model', created: 1, owned_by: 'o' };
const chunk = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }],
};
const ending = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

async function client(respond: Respond, options: ModelwireOptions): Promise<Modelwire> {
  const { baseURL } = await startRecordingServer(respond);
  return new Modelwire({ baseURL, maxRetries: 0, ...options });
}

const answering =
  (value: unknown): Respond =>
  (response) =>
    json(response, value);

const streaming =
  (...chunks: unknown[]): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('') + 'data: [DONE]\n\n');
  };

describe.each([
  ['default', undefined],
  ['explicit', validator],
])('with the %s validator', (_, given) => {
  test('and `throw`, an invalid response is an InvalidResponseError with the path, the request ID and the body', async () => {
    const broken = { ...model, created: 'yesterday' };
    const { models } = await client(answering(broken), { validate: 'throw', validator: given });
    const failure = models.retrieve('m');
    await expect(failure).rejects.toBeInstanceOf(InvalidResponseError);
    await expect(failure).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The response of GET \/models\/\{model\} does not match .*: created: .*number/,
      ) as string,
      fields: [{ path: 'created' }],
      requestId: 'req_1',
      status: 200,
      body: broken,
    });
  });
});

describe('throw', () => {
  const options: ModelwireOptions = { validate: 'throw', validator };

  test('returns a valid response unchanged', async () => {
    const { models } = await client(answering(model), options);
    expect(await models.retrieve('m')).toEqual(model);
  });

  test('fails a list at the invalid page', async () => {
    const { models } = await client(answering({ object: 'list', data: [model, { ...model, id: 4 }] }), options);
    await expect(models.list()).rejects.toMatchObject({ fields: [{ path: 'data[1].id' }] });
  });

  test('fails a stream at the invalid chunk, after the chunks before it', async () => {
    const broken = { ...chunk, choices: [{ index: '0', delta: { content: '!' }, finish_reason: null }] };
    const { chat } = await client(streaming(chunk, broken, ending), options);
    const stream = chat.completions.stream({ model: 'm', messages });
    const text: string[] = [];
    const reading = (async () => {
      for await (const piece of stream.text()) text.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({
      name: 'InvalidResponseError',
      fields: [{ path: 'choices[0].index' }],
    });
    expect([text, stream.state]).toEqual([['Hi'], 'failed']);
  });

  test('does not validate error responses', async () => {
    const { models } = await client((response) => json(response, { error: { message: 'No.' } }, 404), options);
    await expect(models.retrieve('m')).rejects.toMatchObject({ name: 'NotFoundError', message: 'No.' });
  });

  test('does not validate bytes', async () => {
    const { files } = await client((response) => response.end('bytes'), options);
    expect(await (await files.content('file-1')).text()).toBe('bytes');
  });
});

describe('the lines of batch results', () => {
  const batch: Batch = {
    id: 'batch_1',
    object: 'batch',
    endpoint: '/v1/moderations',
    input_file_id: 'file-1',
    output_file_id: 'file-2',
    completion_window: '24h',
    status: 'completed',
    created_at: 1,
  };
  const answer = { id: 'modr-1', model: 'm', results: [] };
  const line = (body: unknown, status_code = 200) => ({
    id: 'batch_req_1',
    custom_id: 'a',
    response: { status_code, request_id: 'req_1', body },
    error: null,
  });
  const results = async (options: ModelwireOptions, ...lines: unknown[]) => {
    const text = lines.map((each) => `${JSON.stringify(each)}\n`).join('');
    const { batches } = await client((response) => response.end(text), { validator, ...options });
    const seen: unknown[] = [];
    for await (const { line: receivedLine } of batches.results(batch)) seen.push(receivedLine);
    return seen;
  };

  test('are validated, with the response by the endpoint of the batch', async () => {
    const validate = 'throw';
    expect(await results({ validate }, line(answer), line({ error: {} }, 400))).toHaveLength(2);
    await expect(results({ validate }, line(answer), line({ ...answer, id: 7 }))).rejects.toMatchObject({
      name: 'InvalidResponseError',
      message: expect.stringMatching(/^A line of POST \/v1\/moderations .*: response\.body\.id: /) as string,
      fields: [{ path: 'response.body.id' }],
      body: line({ ...answer, id: 7 }),
    });
    const bare = { custom_id: 'a', response: null, error: null };
    await expect(results({ validate }, bare)).rejects.toMatchObject({ fields: [{ path: 'id' }] });
  });

  test('are unchanged with `warn` and without validation', async () => {
    const broken = [line({ id: 7 }), line({ id: 8 })];
    const reported: string[] = [];
    const onInvalid = ({ fields: [first] }: InvalidResponseError): void => void reported.push(first?.path ?? '');
    expect(await results({ validate: 'warn', onInvalid }, ...broken)).toEqual(broken);
    expect(reported).toEqual(['response.body.id']);
    expect(await results({}, ...broken)).toEqual(broken);
  });
});

describe('additions of a newer server are valid:', () => {
  const options: ModelwireOptions = { validate: 'throw', validator };

  test('fields at every level, also in chunks', async () => {
    const extended = {
      ...chunk,
      region: 'eu',
      choices: [{ ...chunk.choices[0], delta: { content: 'Hi', mood: 'good' } }],
    };
    const { chat } = await client(streaming(extended, ending), options);
    const stream = await chat.completions.create({ model: 'm', messages, stream: true });
    const chunks: unknown[] = [];
    for await (const each of stream) chunks.push(each);
    expect(chunks).toEqual([extended, ending]);
  });

  test('values of enums', async () => {
    const video = {
      id: 'video_1',
      object: 'video',
      model: 'v',
      status: 'dreaming',
      progress: 0,
      created_at: 1,
      size: '1x1',
      seconds: '99',
    };
    const { videos } = await client(answering(video), options);
    expect(await videos.retrieve('video_1')).toEqual(video);
  });

  test('kinds of tool calls', async () => {
    const message = {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [{ id: 'call_1', type: 'robot', robot: {} }],
    };
    const choice = { index: 0, finish_reason: 'sleep', message, logprobs: null };
    const completion = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm', choices: [choice] };
    const { chat } = await client(answering(completion), options);
    expect(await chat.completions.create({ model: 'm', messages })).toEqual(completion);
  });
});

test('another `object` is invalid', () => {
  const route = { method: 'GET', path: '/models/{model}' } as const;
  expect(validator({ ...model, object: 'file' }, { route, part: 'response' })).toMatchObject([{ path: 'object' }]);
  expect(
    validator({ ...model, object: 'file' }, { route: { method: 'GET', path: '/none' }, part: 'response' }),
  ).toEqual([]);
});

describe('warn', () => {
  test('returns the response, and reports each field of an endpoint once', async () => {
    const broken = { ...chunk, choices: [{ index: '0', delta: { content: 'Hi' }, finish_reason: null }] };
    const reported: InvalidResponseError[] = [];
    const { chat } = await client(streaming(broken, broken, ending), {
      validate: 'warn',
      validator,
      onInvalid: (error) => reported.push(error),
    });
    for (let times = 0; times < 2; times++) {
      const stream = await chat.completions.create({ model: 'm', messages, stream: true });
      const chunks: unknown[] = [];
      for await (const each of stream) chunks.push(each);
      expect(chunks).toEqual([broken, broken, ending]);
    }
    expect(reported).toMatchObject([{ name: 'InvalidResponseError', fields: [{ path: 'choices[0].index' }] }]);
  });

  test('uses console.warn without onInvalid', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { models } = await client(answering({}), { validate: 'warn', validator });
    expect(await models.list()).toEqual({});
    expect(warn.mock.calls).toEqual([[expect.stringContaining('GET /models ') as string]]);
    warn.mockRestore();
  });
});

test('off, the default, validates nothing', async () => {
  const { models } = await client(answering({}), { validator: () => [{ path: 'x', message: 'y' }] });
  expect(await models.list()).toEqual({});
});

test('withOptions() turns it on and off', async () => {
  const { baseURL } = await startRecordingServer(answering({}));
  const strict = new Modelwire({ baseURL, validate: 'throw', validator });
  await expect(strict.models.list()).rejects.toBeInstanceOf(InvalidResponseError);
  expect(await strict.withOptions({ validate: 'off' }).models.list()).toEqual({});
});

test('the `inspect` option is still called', async () => {
  const seen: unknown[] = [];
  const { models } = await client(answering(model), {
    validate: 'throw',
    validator,
    inspect: (value) => void seen.push(value),
  });
  await models.retrieve('m');
  expect(seen).toEqual([model]);
});
