import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../index.ts';
import type { Fault, SimpleFault, TestServer, TestServerOptions } from '../index.ts';

/** Both ways to the server: through a connection, and without one. */
const ways = ['port', 'fetch'] as const;
const messages = [{ role: 'user' as const, content: 'Hello' }];
const reply = 'Wörter sind schön, und Flüsse auch.';

async function start(
  way: (typeof ways)[number],
  options: TestServerOptions,
): Promise<{ server: TestServer; client: OpenAI }> {
  const server = await startTestServer({ replies: reply, ...options, ...(way === 'fetch' && { port: false }) });
  onTestFinished(() => server.close());
  const { baseURL, apiKey } = server;
  const own = way === 'fetch' ? { fetch: server.fetch } : {};
  return { server, client: new OpenAI({ baseURL, apiKey, maxRetries: 0, ...own }) };
}

async function streamed(client: OpenAI): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

async function whole(client: OpenAI): Promise<string | null | undefined> {
  const { choices } = await client.chat.completions.create({ model: 'm', messages });
  return choices[0]?.message.content;
}

/** A batch of lines 'one', 'two' and 'three', when it has ended. */
async function batchOfThree(
  client: OpenAI,
  messagesOf: (name: string) => readonly { readonly role: 'user'; readonly content: string }[],
): Promise<OpenAI.Batch> {
  const line = (name: string) =>
    JSON.stringify({
      custom_id: name,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'm', messages: messagesOf(name) },
    });
  const file = new File([['one', 'two', 'three'].map(line).join('\n')], 'in.jsonl');
  const { id: input_file_id } = await client.files.create({ file, purpose: 'batch' });
  const made = await client.batches.create({
    input_file_id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
  await expect.poll(async () => (await client.batches.retrieve(made.id)).status).toBe('completed');
  return client.batches.retrieve(made.id);
}

describe.each(ways)('faults with %s', (way) => {
  const withFaults = (...faults: (Fault | SimpleFault)[]) => start(way, { faults });

  test('latency and slow-body only delay', async () => {
    const { server, client } = await withFaults(
      { fault: 'latency', ms: 60 },
      { fault: 'slow-body', bytesPerSecond: 5000 },
    );
    const began = performance.now();
    expect(await whole(client)).toBe(reply);
    expect(performance.now() - began).toBeGreaterThan(100);
    server.assertAllUsed();
  });

  test('token-pace delays each chunk, and the client joins split characters', async () => {
    const { client } = await withFaults({ fault: 'token-pace', ms: 10 }, 'split-utf8');
    const began = performance.now();
    expect(await streamed(client)).toEqual({ text: reply, error: undefined });
    expect(performance.now() - began).toBeGreaterThan(70);
  });

  test.each(['drop', 'reset'] as const)('a %s before the response is a connection error, once', async (fault) => {
    const { client } = await withFaults({ fault });
    await expect(whole(client)).rejects.toThrow(OpenAI.APIConnectionError);
    expect(await whole(client)).toBe(reply);
  });

  test.each(['drop', 'reset'] as const)('a %s after two chunks is an error after those', async (fault) => {
    const { client } = await withFaults({ fault, afterChunks: 3 });
    const { text, error } = await streamed(client);
    expect(text).toBe('Wörter sind');
    expect(error).toBeInstanceOf(Error);
    const { text: again } = await streamed(client);
    expect(again).toBe(reply);
  });

  test('a stall ends when the client aborts, and one with ms continues', async () => {
    const { server, client } = await withFaults(
      { fault: 'stall' },
      { fault: 'stall', ms: 30, skip: 1, afterChunks: 2 },
    );
    const disconnectSignal = new AbortController();
    const asked = client.chat.completions.create({ model: 'm', messages }, { signal: disconnectSignal.signal });
    await expect.poll(() => server.requests[0]?.body).toBeDefined();
    disconnectSignal.abort();
    await expect(asked).rejects.toThrow(OpenAI.APIUserAbortError);
    expect(await streamed(client)).toEqual({ text: reply, error: undefined });
  });

  test('a stall in a stream ends when the client disconnects', async () => {
    const { client } = await withFaults({ fault: 'stall', afterChunks: 2 });
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    let text = '';
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      if (text === 'Wörter') setTimeout(() => stream.controller.abort(), 100);
    }
    expect(text).toBe('Wörter');
  });

  test('a malformed frame is one event that is not JSON', async () => {
    const { client } = await withFaults({ fault: 'malformed-frame', atChunk: 3 });
    const { text, error } = await streamed(client);
    expect(text).toBe('Wörter');
    expect(error).toBeInstanceOf(SyntaxError);
  });

  test('a truncated stream has no [DONE]', async () => {
    const { server } = await withFaults('truncated', { fault: 'truncated', afterChunks: 2, skip: 1 });
    const ask = way === 'fetch' ? server.fetch : fetch;
    const body = JSON.stringify({ model: 'm', messages, stream: true });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.apiKey}` };
    const read = async () =>
      (await (await ask(`${server.baseURL}/chat/completions`, { method: 'POST', body, headers })).text())
        .split('\n\n')
        .filter(Boolean);
    const first = await read();
    expect(first.at(-1)).toContain('"finish_reason":"stop"');
    expect(await read()).toHaveLength(2);
    expect((await read()).at(-1)).toBe('data: [DONE]');
  });

  test('content-type changes the header only', async () => {
    const { client } = await withFaults('content-type');
    const { response } = await client.chat.completions.create({ model: 'm', messages }).withResponse();
    expect(response.headers.get('content-type')).toBe('text/html');
  });

  test('a 429 has retry-after, and a client that retries succeeds', async () => {
    const { server, client } = await withFaults({ fault: 'rate-limit', retryAfter: 0.01, times: 2 }, 'server-error');
    await expect(whole(client)).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    const patient = client.withOptions({ maxRetries: 3 });
    expect(await whole(patient)).toBe(reply);
    expect(server.requests.map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  test('out-of-order reverses responses', async () => {
    const { server, client } = await start(way, {
      replies: '{{lastMessage}}',
      faults: [{ fault: 'out-of-order', of: 3, ms: 30_000 }],
    });
    const came: unknown[] = [];
    const ask = async (content: string) => {
      const { choices } = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] });
      came.push(choices[0]?.message.content);
    };
    const asking: Promise<void>[] = [];
    for (const [index, content] of ['a', 'b', 'c'].entries()) {
      asking.push(ask(content));
      await expect.poll(() => server.requests.length).toBe(index + 1);
    }
    await Promise.all(asking);
    expect(came).toEqual(['c', 'b', 'a']);
  });

  test('a fault affects matching requests, after skip, up to times', async () => {
    const { client } = await withFaults({
      fault: 'server-error',
      status: 503,
      when: { model: 'fragile', method: 'post', path: '/chat/' },
      skip: 1,
      times: 2,
    });
    const ask = async (model: string) =>
      client.chat.completions.create({ model, messages }).then(
        () => 200,
        (error: unknown) => (error instanceof OpenAI.InternalServerError ? error.status : 0),
      );
    const statuses = [];
    for (const model of ['fragile', 'sturdy', 'fragile', 'sturdy', 'fragile', 'fragile'])
      statuses.push(await ask(model));
    expect(statuses).toEqual([200, 200, 503, 200, 503, 200]);
  });

  test('with processed, the request takes effect although the response is lost', async () => {
    const { client } = await withFaults({ fault: 'reset', processed: true, when: { method: 'POST' } });
    await expect(client.chat.completions.create({ model: 'm', messages, store: true })).rejects.toThrow();
    expect((await client.chat.completions.list()).data).toHaveLength(1);
  });
});

test('rules and faults match lines of a batch by custom_id', async () => {
  const { client } = await start('port', {
    replies: [
      { when: { customId: 'one' }, reply: 'The first.' },
      { when: { customId: /^t/ }, reply: 'Another: {{lastMessage}}' },
      reply,
    ],
    faults: [{ fault: 'batch-line', when: { customId: 'two' } }],
  });
  const { output_file_id = '', error_file_id = '' } = await batchOfThree(client, () => messages);
  const linesOf = async (id: string) => (await (await client.files.content(id)).text()).trim().split('\n');
  const said = (await linesOf(output_file_id)).map((text) =>
    /"custom_id":"(\w+)".*"content":"([^"]*)"/.exec(text)?.slice(1),
  );
  expect(said.sort()).toEqual([
    ['one', 'The first.'],
    ['three', expect.stringMatching(/^Another: /)],
  ]);
  expect(await linesOf(error_file_id)).toHaveLength(1);
  expect(await whole(client)).toBe(reply);
});

test('a line of a batch fails, and the others succeed', async () => {
  const { client } = await start('port', { faults: [{ fault: 'batch-line', when: { message: 'two' } }] });
  const { request_counts, error_file_id = '' } = await batchOfThree(client, (content) => [{ role: 'user', content }]);
  expect(request_counts).toEqual({ total: 3, completed: 2, failed: 1 });
  const errors = await (await client.files.content(error_file_id)).text();
  expect(JSON.parse(errors)).toMatchObject({ custom_id: 'two', response: { status_code: 400 } });
  expect(await whole(client)).toBe(reply);
});

test('a video fails, and its remix does not', async () => {
  const { client } = await start('port', { faults: [{ fault: 'video-failure', code: 'no_light', skip: 1 }] });
  const ended = async ({ id }: { id: string }) => {
    await expect.poll(async () => (await client.videos.retrieve(id)).status).toMatch(/completed|failed/);
    return client.videos.retrieve(id);
  };
  const good = await ended(await client.videos.create({ prompt: 'A river', model: 'sora-2' }));
  expect(good.status).toBe('completed');
  const content = await (await client.videos.downloadContent(good.id)).text();
  expect(content.slice(4, 8)).toBe('ftyp');
  expect(await ended(await client.videos.remix(good.id, { prompt: 'At night' }))).toMatchObject({
    status: 'failed',
    error: { code: 'no_light' },
  });
});
