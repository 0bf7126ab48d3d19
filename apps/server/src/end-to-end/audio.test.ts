import { decodeAudio, samplesOf } from '@modelwire/vitest/audio';
import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const transcript = 'The quick brown fox jumps over the lazy dog. It is a fine day.';
const simulator = { models: [{ id: 'simulator', reply: transcript }] };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ simulator });
});
afterAll(async () => {
  await server.stop();
});

type Format = OpenAI.ChatCompletionAudioParam['format'];
const formats: Format[] = ['wav', 'mp3', 'flac', 'opus', 'pcm16'];
const body = (format: Format) => ({
  ...{ model: 'simulator', messages: [{ role: 'user' as const, content: 'Speak.' }] },
  ...{ modalities: ['text' as const, 'audio' as const], audio: { voice: 'nova', format } },
});

/** Duration in seconds and the peak sample of a file. */
async function measure(data: Buffer, format: Format): Promise<{ seconds: number; loudest: number }> {
  const samples = format === 'pcm16' ? samplesOf(data) : (await decodeAudio(data)).samples;
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { seconds: samples.length / 24_000, loudest };
}

test.each(formats)(
  'speech in %s is a file of that format, as long as its words take, whole and streamed',
  async (format) => {
    const { choices, usage } = await server.client.chat.completions.create(body(format));
    const { content, audio } = choices[0]?.message ?? {};
    expect([content, audio?.transcript]).toEqual([null, transcript]);
    expect(usage?.completion_tokens_details?.audio_tokens).toBe(usage?.completion_tokens);
    const whole = await measure(Buffer.from(audio?.data ?? '', 'base64'), format);
    // Fourteen words: a speaker takes four to six seconds.
    expect(whole.seconds).toBeGreaterThan(3);
    expect(whole.seconds).toBeLessThan(8);
    expect(whole.loudest).toBeGreaterThan(2000);

    const stream = await server.client.chat.completions.create({ ...body(format), stream: true });
    const pieces: { id?: string; data?: string; transcript?: string; expires_at?: number }[] = [];
    for await (const { choices: deltas } of stream) {
      const delta: object = deltas[0]?.delta ?? {};
      if ('audio' in delta) pieces.push(delta.audio as (typeof pieces)[number]);
    }
    expect(pieces.map((piece) => piece.transcript ?? '').join('')).toBe(transcript);
    const streamed = await measure(Buffer.from(pieces.map((piece) => piece.data ?? '').join(''), 'base64'), format);
    expect(Math.abs(streamed.seconds - whole.seconds)).toBeLessThan(0.1);
  },
);

test('accepts the ID of generated audio in a later message of the same project, also after a restart', async () => {
  const { choices } = await server.client.chat.completions.create(body('opus'));
  const later: OpenAI.ChatCompletionCreateParamsNonStreaming = {
    model: 'simulator',
    messages: [
      ...body('opus').messages,
      { role: 'assistant', audio: { id: choices[0]?.message.audio?.id ?? '' } },
      { role: 'user', content: 'And?' },
    ],
  };
  const plain = { ...later, messages: later.messages.with(1, { role: 'assistant', content: transcript }) };
  server = await server.restart();
  const tokens = (await server.client.chat.completions.create(later)).usage?.prompt_tokens;
  expect(tokens).toBe((await server.client.chat.completions.create(plain)).usage?.prompt_tokens);
  const foreign = clientOf(server.url, await server.makeKey({ name: 'other', project: 'other' }));
  await expect(foreign.chat.completions.create(later)).rejects.toMatchObject({
    ...{ status: 400, code: 'audio_not_found', param: 'messages[1].audio.id' },
  });
});

test('stores a completion with its audio', async () => {
  const { id, choices } = await server.client.chat.completions.create({ ...body('opus'), store: true });
  const stored = await server.client.chat.completions.retrieve(id);
  expect(stored.choices[0]?.message.audio).toEqual(choices[0]?.message.audio);
});

test('refuses audio output if speech is off', async () => {
  const silent = await startTestServer({ simulator, speech: false });
  try {
    const asking = silent.client.chat.completions.create(body('wav'));
    await expect(asking).rejects.toMatchObject({ status: 400, param: 'audio', code: 'unsupported_parameter' });
  } finally {
    await silent.stop();
  }
});
