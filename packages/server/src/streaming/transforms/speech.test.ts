import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { expect, onTestFinished, test, vi } from 'vitest';
import { staticKeys } from '../../keys/static-keys.ts';
import type { Authenticator, ChatEvent, ChatRequest, CapabilitiesInit } from '@modelwire/ports';
import type { ServerOptions } from '../../options/options.ts';
import { key, listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { echoSpeech } from '../../testing/speech-engine.ts';

const body: ChatCompletionCreateParamsNonStreaming = {
  model: 'scripted',
  messages: [{ role: 'user', content: 'Say it.' }],
  modalities: ['text', 'audio'],
  audio: { voice: 'alloy', format: 'pcm16' },
};
const words = ['Good ', 'morning. ', 'It is 7.05 ', 'now.'];
const textOf = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString();

async function speaking(
  script: (request: ChatRequest) => Iterable<ChatEvent> = () => says(...words),
  options: Partial<ServerOptions> & { readonly can?: CapabilitiesInit } = {},
) {
  const { can, ...rest } = options;
  const engine = scriptedEngine(script, { promptTokens: 3, ...(can && { can }) });
  const speech = echoSpeech();
  return { ...(await listen({ engines: [engine], speech, ...rest })), speech, asked: engine.asked };
}

test('the text of a reply is spoken sentence by sentence, and is its transcript', async () => {
  const { client, speech, asked } = await speaking();
  const { choices, usage } = await client.chat.completions.create(body);
  const [choice] = choices;
  expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: null } });
  const audio = choice?.message.audio;
  expect(audio?.id).toMatch(/^audio_[0-9a-f]{32}$/);
  expect(audio?.transcript).toBe(words.join(''));
  expect(textOf(audio?.data)).toBe(words.join(''));
  expect((audio?.expires_at ?? 0) - Date.now() / 1000).toBeGreaterThan(3500);
  expect(speech.said.map(({ text }) => text)).toEqual(['Good morning. ', 'It is 7.05 now.']);
  expect(speech.said[0]?.init).toMatchObject({ voice: 'alloy', format: 'pcm16' });
  expect(usage).toMatchObject({
    completion_tokens: 4,
    total_tokens: 7,
    completion_tokens_details: { audio_tokens: 4 },
  });
  expect(asked[0]?.request.audio).toBeUndefined();
});

test('a stream alternates transcript and speech, and its base64 can be concatenated', async () => {
  const { client } = await speaking();
  const stream = await client.chat.completions.create({
    ...{ ...body, stream: true, stream_options: { include_usage: true } },
  });
  const chunks = await Array.fromAsync(stream);
  const deltas = chunks.flatMap(({ choices }) =>
    choices.map(({ delta }) => delta as { audio?: Record<string, string> }),
  );
  expect(deltas[0]).toEqual({ role: 'assistant', content: null, refusal: null });
  const audio = deltas.flatMap((delta) => (delta.audio ? [delta.audio] : []));
  expect(audio.filter(({ id }) => id !== undefined)).toHaveLength(1);
  expect(audio[0]).toMatchObject({ id: expect.stringMatching(/^audio_/) as string, transcript: 'Good ' });
  expect(audio.map(({ transcript = '' }) => transcript).join('')).toBe(words.join(''));
  expect(textOf(audio.map(({ data = '' }) => data).join(''))).toBe(words.join(''));
  expect(audio.filter(({ data }) => data !== undefined).length).toBeGreaterThan(1);
  expect(audio.at(-1)).toHaveProperty('expires_at');
  expect(chunks.at(-1)?.usage).toMatchObject({ completion_tokens_details: { audio_tokens: 4 } });
});

test('a format with its length in the header is sent at the end of a stream', async () => {
  const { client } = await speaking();
  const stream = await client.chat.completions.create({
    ...{ ...body, audio: { voice: 'echo', format: 'flac' }, stream: true },
  });
  const audio = (await Array.fromAsync(stream)).flatMap(({ choices }) =>
    choices.flatMap(({ delta }) => ('audio' in delta ? [delta.audio as Record<string, string>] : [])),
  );
  const data = audio.flatMap((piece) => (piece['data'] === undefined ? [] : [piece['data']]));
  expect(data.map(textOf)).toEqual([words.join('')]);
});

test('each of several choices has its own speech', async () => {
  let at = 0;
  const { client } = await speaking(() => says(`Number ${++at}.`));
  const { choices } = await client.chat.completions.create({ ...body, n: 3 });
  expect(choices.map(({ message }) => message.audio?.transcript).sort()).toEqual([
    'Number 1.',
    'Number 2.',
    'Number 3.',
  ]);
  expect(new Set(choices.map(({ message }) => message.audio?.id)).size).toBe(3);
  for (const { message } of choices) expect(textOf(message.audio?.data)).toBe(message.audio?.transcript);
});

test('text that a stop sequence or a limit removes is not spoken', async () => {
  const { client } = await speaking();
  const { choices, usage } = await client.chat.completions.create({ ...body, max_completion_tokens: 2 });
  expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { audio: { transcript: 'Good morning. ' } } });
  expect(textOf(choices[0]?.message.audio?.data)).toBe('Good morning. ');
  expect(usage).toMatchObject({ completion_tokens: 2, completion_tokens_details: { audio_tokens: 2 } });
});

test('tool calls and refusals are not spoken', async () => {
  const call: ChatEvent[] = [
    { type: 'tool_call', choice: 0, index: 0, id: 'call_0', kind: 'function', name: 'f' },
    { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: '{}' },
    { type: 'finish', choice: 0, reason: 'tool_calls' },
  ];
  const can: CapabilitiesInit = { parameters: { tools: 'native' }, tool_types: ['function'] };
  const { client, speech } = await speaking(() => call, { can });
  const tools = [{ type: 'function' as const, function: { name: 'f' } }];
  const { choices } = await client.chat.completions.create({ ...body, tools });
  expect(choices[0]?.message).toMatchObject({ content: null, tool_calls: [{ id: 'call_0' }] });
  expect(choices[0]?.message.audio).toBeUndefined();
  const refusing = await speaking(() => [
    { type: 'refusal', choice: 0, text: 'No.' },
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
  const refused = await refusing.client.chat.completions.create(body);
  expect(refused.choices[0]?.message).toMatchObject({ content: null, refusal: 'No.' });
  expect([...speech.said, ...refusing.speech.said]).toEqual([]);
});

test('a reply beyond the limit of speech ends with length, and the audio matches the transcript', async () => {
  const { client } = await speaking(() => says(...Array<string>(2000).fill('Nine words. ')));
  const { choices } = await client.chat.completions.create(body);
  expect(choices[0]?.finish_reason).toBe('length');
  expect(choices[0]?.message.audio?.transcript).toHaveLength(16_384);
  expect(textOf(choices[0]?.message.audio?.data).trim()).toBe(choices[0]?.message.audio?.transcript.trim());
});

test('a reply that fails or is abandoned releases the resources of its speech', async () => {
  const failing = await speaking(function* () {
    yield { type: 'text', choice: 0, text: 'Good morning. And ' };
    throw new Error('the engine failed');
  });
  await expect(failing.client.chat.completions.create(body)).rejects.toMatchObject({ status: 500 });
  expect(failing.speech.said[0]?.init.signal.aborted).toBe(true);
  const endless = await speaking(function* () {
    for (;;) yield { type: 'text', choice: 0, text: 'On and on. ' };
  });
  const stream = await endless.client.chat.completions.create({ ...body, stream: true });
  for await (const chunk of stream) if (chunk.choices[0]) break;
  await expect.poll(() => endless.speech.said[0]?.init.signal.aborted).toBe(true);
});

test('text that moderation removes is not spoken', async () => {
  const harmless = Array.from({ length: 15 }, () => 'All is well here. ');
  const { client, speech } = await speaking(() => says(...harmless, 'A bad word.'), {
    moderationEngines: [wordModeration(['text'])],
    moderate: 'output',
  });
  const { choices } = await client.chat.completions.create(body);
  expect(choices[0]?.finish_reason).toBe('content_filter');
  expect(choices[0]?.message.audio?.transcript).toBe('All is well here. '.repeat(6));
  expect(speech.said.map(({ text }) => text).join('')).not.toContain('bad');
});

test('log probabilities are those of the transcript', async () => {
  const logprobs = [{ token: 'Hi.', logprob: -0.5, bytes: [72, 105, 46], top_logprobs: [] }];
  const { client } = await speaking(
    () => [
      { type: 'text', choice: 0, text: 'Hi.', logprobs },
      { type: 'finish', choice: 0, reason: 'stop' },
    ],
    { can: { parameters: { logprobs: 'native' } } },
  );
  const { choices } = await client.chat.completions.create({ ...body, logprobs: true });
  expect(choices[0]?.logprobs?.content).toEqual(logprobs);
});

test.each<[string, object, string]>([
  ['a format that it has not', { audio: { voice: 'alloy', format: 'mp3' } }, 'audio.format'],
  ['a voice that it has not', { audio: { voice: 'nova', format: 'pcm16' } }, 'audio.voice'],
  ['an id of a voice that it has not', { audio: { voice: { id: 'x' }, format: 'pcm16' } }, 'audio.voice.id'],
])('%s returns 400 and names the supported values', async (_what, more, param) => {
  const { post } = await speaking();
  const response = await post({ ...body, ...more });
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { param: string; message: string } };
  expect(error.param).toBe(param);
  expect(error.message).toContain("Supported values are: '");
});

test('a custom voice is selected by its ID', async () => {
  const { post, speech } = await speaking();
  expect((await post({ ...body, audio: { voice: { id: 'own-1' }, format: 'flac' } })).status).toBe(200);
  expect(speech.said[0]?.init.voice).toBe('own-1');
});

test('without a speech engine, or if the model does not support it, audio is a 400 that names the field', async () => {
  const { post } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const silent = await speaking(() => says('Hi'), { can: { parameters: { audio: 'refused', modalities: 'refused' } } });
  for (const ask of [post, silent.post]) {
    expect(await (await ask(body)).json()).toMatchObject({ error: { param: 'audio', code: 'unsupported_parameter' } });
    const message = { role: 'assistant', audio: { id: 'audio_x' } };
    const named = await ask({ model: 'scripted', messages: [...body.messages, message, ...body.messages] });
    expect(await named.json()).toMatchObject({ error: { param: 'messages[1].audio' } });
  }
});

const later = (id: string | undefined): ChatCompletionCreateParamsNonStreaming => ({
  model: 'scripted',
  messages: [...body.messages, { role: 'assistant', audio: { id: id ?? '' } }, { role: 'user', content: 'Again.' }],
});

test.each(['in memory', 'with the bytes of files'])(
  'a reference to generated speech becomes its transcript, stored %s',
  async (where) => {
    const { stores, blobs, reserved } = memoryWork();
    const kept = where === 'in memory' ? {} : { stores, blobs };
    const first = await speaking(undefined, kept);
    const { choices } = await first.client.chat.completions.create(body);
    const { id, expires_at } = choices[0]?.message.audio ?? {};
    // Another replica, or the same server after a restart, shares the blob store.
    const second = where === 'in memory' ? first : await speaking(undefined, kept);
    await second.client.chat.completions.create(later(id));
    const { request, context } = second.asked.at(-1) ?? {};
    expect(request?.messages[1]).toEqual({ role: 'assistant', content: words.join('') });
    expect(context?.requestBody.messages).toEqual(request?.messages);
    // It is removed once its ID has expired.
    if (where === 'in memory') return;
    expect(reserved.size).toBe(1);
    for (const due of reserved.values()) expect(due / 1000).toBeCloseTo(expires_at ?? 0, 0);
  },
);

test('returns 400 for speech that has expired, does not exist, or belongs to another project', async () => {
  const keys = staticKeys([key]);
  const projects: Authenticator = {
    authenticate: async (given) =>
      given === 'other-key-1234567' ? ({ project: 'other', key: 'other' } as never) : keys.authenticate(given),
  };
  const { client, url } = await speaking(undefined, { keys: projects, audioExpiresSeconds: 60 });
  const { choices } = await client.chat.completions.create(body);
  const id = choices[0]?.message.audio?.id;
  const param = 'messages[1].audio.id';
  await expect(client.chat.completions.create(later('audio_none'))).rejects.toMatchObject({
    ...{ status: 400, param, code: 'audio_not_found' },
  });
  const foreign = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer other-key-1234567', 'content-type': 'application/json' },
    body: JSON.stringify(later(id)),
  });
  expect([foreign.status, await foreign.json()]).toMatchObject([400, { error: { code: 'audio_not_found' } }]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  onTestFinished(() => void vi.useRealTimers());
  await expect(client.chat.completions.create(later(id))).rejects.toMatchObject({ param, code: 'audio_expired' });
});
