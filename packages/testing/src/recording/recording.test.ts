import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { ScriptError, record, recordOrReplay, replay, startTestServer } from '../index.ts';
import type { Recording } from '../index.ts';

const secret = 'sk-a-very-secret-key-of-the-service';

async function fileIn(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-recording-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'recording.yaml');
}

const clientOf = ({ baseURL, apiKey, fetch }: Recording, createInProcessFetch = false) =>
  new OpenAI({ baseURL, apiKey, maxRetries: 0, ...(createInProcessFetch && { fetch }) });

/** What an application asks: whole, streamed, a form, and something that is refused. */
async function application(client: OpenAI, greeting = 'Hello'): Promise<unknown[]> {
  const messages = [{ role: 'user' as const, content: greeting }];
  const whole = await client.chat.completions.create({ model: 'm', messages });
  const again = await client.chat.completions.create({ model: 'm', messages });
  let streamed = '';
  for await (const chunk of await client.chat.completions.create({ model: 'm', messages, stream: true })) {
    streamed += chunk.choices[0]?.delta.content ?? '';
  }
  const file = await client.files.create({ file: new File(['notes'], 'notes.txt'), purpose: 'user_data' });
  const content = await (await client.files.content(file.id)).text();
  const refused = await client.chat.completions.retrieve('none').catch((error: unknown) => String(error));
  return [
    whole.id,
    whole.choices[0]?.message.content,
    again.choices[0]?.message.content,
    streamed,
    file.id,
    content,
    refused,
  ];
}

async function recorded(file: string): Promise<unknown[]> {
  await using service = await startTestServer({
    apiKey: secret,
    replies: [{ sequence: ['First.', `Second, with ${secret}.`, 'Drei schöne Flüsse.'] }],
  });
  await using recording = await record({ upstream: service.baseURL, apiKey: secret, file });
  const said = await application(clientOf(recording));
  expect(service.requests).toHaveLength(6);
  return said;
}

test('a recording is replayed without the service, exactly except for secrets', async () => {
  const file = await fileIn();
  const said = await recorded(file);
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain(secret);
  expect(text).toContain('Second, with [redacted].');
  expect(text).toContain('content: Drei');
  for (const port of [0, false] as const) {
    await using server = await replay({ file, port });
    const replayed = await application(clientOf(server, port === false));
    expect(replayed).toEqual(said.map((one) => (typeof one === 'string' ? one.replace(secret, '[redacted]') : one)));
    server.assertAllReplayed();
    expect(server.requests).toHaveLength(6);
  }
});

test('a request that differs is rejected with the differences, or served anyway', async () => {
  const file = await fileIn();
  await recorded(file);
  await using server = await replay({ file });
  await expect(application(clientOf(server), 'Good day')).rejects.toMatchObject({
    status: 400,
    code: 'request_drifted',
    message: [
      '400 POST /v1/chat/completions was not recorded. The most similar recorded request differs in:',
      '  body.messages[0].content: recorded "Hello", received "Good day"',
    ].join('\n'),
  });
  expect(() => server.assertAllReplayed()).toThrow('GET /v1/chat/completions/none was not requested');

  await using lenient = await replay({ file, onDrift: 'serve' });
  expect((await application(clientOf(lenient), 'Good day'))[1]).toBe('First.');
  expect(lenient.drifts).toHaveLength(3);

  await using ignoring = await replay({ file, ignore: ['body.messages'] });
  await application(clientOf(ignoring), 'Good day');
  ignoring.assertAllReplayed();
});

test('recordOrReplay() records without a file, and replays with one', async () => {
  const file = await fileIn();
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const contents: unknown[] = [];
  for (let round = 0; round < 2; round++) {
    await using service = await startTestServer({ apiKey: secret, replies: `Round ${round}.` });
    const { baseURL: upstream } = service;
    await using server = await recordOrReplay({ upstream, apiKey: secret, file, port: false });
    const { choices } = await clientOf(server, true).chat.completions.create({ model: 'm', messages });
    contents.push(choices[0]?.message.content, service.requests.length);
  }
  expect(contents).toEqual(['Round 0.', 1, 'Round 0.', 0]);
});

test('a request with a key is replayed: it is compared without the key', async () => {
  const file = await fileIn();
  const ask = async (client: OpenAI) => {
    const content = `Is ${secret} better than sk-another-key-that-is-long?`;
    const { choices } = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] });
    return choices[0]?.message.content;
  };
  await using service = await startTestServer({ apiKey: secret, replies: 'Neither.' });
  {
    await using recording = await record({ upstream: service.baseURL, apiKey: secret, file, port: false });
    expect(await ask(clientOf(recording, true))).toBe('Neither.');
  }
  expect(await readFile(file, 'utf8')).toContain('Is [redacted] better than [redacted]?');
  await using server = await replay({ file, port: false, apiKey: secret });
  expect(await ask(clientOf(server, true))).toBe('Neither.');
  server.assertAllReplayed();
});

test('an incomplete response is not recorded, and invalid YAML is rejected with the name of the file', async () => {
  const file = await fileIn();
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  await using service = await startTestServer({ replies: 'Good day.', faults: ['drop'] });
  {
    await using recording = await record({ upstream: service.baseURL, apiKey: service.apiKey, file });
    const client = clientOf(recording);
    await expect(client.chat.completions.create({ model: 'm', messages })).rejects.toThrow(OpenAI.APIConnectionError);
    expect((await client.chat.completions.create({ model: 'm', messages })).choices).toHaveLength(1);
  }
  await using server = await replay({ file });
  await clientOf(server).chat.completions.create({ model: 'm', messages });
  server.assertAllReplayed();

  await writeFile(file, 'exchanges: [');
  await expect(replay({ file })).rejects.toThrow(ScriptError);
  await expect(replay({ file })).rejects.toThrow(file);
});

test('requests that were not recorded are forwarded and recorded, and then replayed', async () => {
  const file = await fileIn();
  await using service = await startTestServer({ apiKey: secret, replies: [{ sequence: ['First.', 'Second.'] }] });
  const { baseURL: upstream } = service;
  const ask = async (recording: Recording, content: string) => {
    const client = clientOf(recording, true);
    const { choices } = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] });
    return choices[0]?.message.content;
  };
  const options = { file, port: false, apiKey: secret, upstream, onDrift: 'forward' } as const;
  {
    await using server = await replay(options);
    expect([await ask(server, 'A'), await ask(server, 'A')]).toEqual(['First.', 'First.']);
  }
  await using again = await replay(options);
  expect([await ask(again, 'A'), await ask(again, 'B'), await ask(again, 'B')]).toEqual([
    'First.',
    'Second.',
    'Second.',
  ]);
  expect(service.requests).toHaveLength(2);
  await again.close();
  expect(await readFile(file, 'utf8')).not.toContain(secret);
  await using offline = await replay({ file, port: false });
  expect([await ask(offline, 'B'), await ask(offline, 'A')]).toEqual(['Second.', 'First.']);
  offline.assertAllReplayed();
  await expect(replay({ file, onDrift: 'forward' })).rejects.toThrow('requires upstream');
});
