import { readAudioMetadata } from '@modelwire/adapter-kit/media';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../index.ts';
import type { TestServerOptions } from '../index.ts';

type Params = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'messages' | 'stream'>;

async function start(options: TestServerOptions) {
  const server = await startTestServer({ port: false, ...options });
  onTestFinished(() => server.close());
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey, fetch: server.fetch });
  const said = async (content: string, more: Params = {}) => {
    const messages = [{ role: 'user' as const, content }];
    return (await client.chat.completions.create({ model: 'm', messages, ...more })).choices[0]?.message.content;
  };
  return { server, said };
}

const city = (strict: boolean): Params => ({
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'weather',
      strict,
      schema: {
        type: 'object',
        properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
        required: ['city', 'degrees'],
        additionalProperties: false,
      },
    },
  },
});

test('a function that throws or returns an invalid reply is a 400, and reported by assertAllMatched', async () => {
  const { server, said } = await start({
    replies: [
      {
        when: { message: 'throw' },
        reply: () => {
          throw new TypeError('no such order');
        },
      },
      { name: 'the empty one', when: { message: 'empty' }, reply: () => ({}) },
      {
        when: {
          test: () => {
            throw new Error('a broken test');
          },
        },
        reply: 'x',
      },
    ],
  });
  const thrown = { status: 400, code: 'script_error', message: '400 The function of replies[0] threw: no such order' };
  await expect(said('throw')).rejects.toMatchObject(thrown);
  await expect(said('empty')).rejects.toThrow('The function of the empty one returned an invalid reply: empty reply');
  await expect(said('other')).rejects.toThrow('The test of replies[2] threw: a broken test');
  // Nobody asked twice.
  expect(server.requests).toHaveLength(3);
  expect(() => server.assertAllMatched()).toThrow('The function of replies[0] threw: no such order');
});

test('texts of functions can have unknown templates', async () => {
  const { said } = await start({ replies: ({ lastMessage }) => `You said ${lastMessage} to {{model}}.` });
  expect(await said('{{name}}')).toBe('You said {{name}} to m.');
});

test('scripted JSON is validated by the schema of the request; texts and truncated replies are not', async () => {
  const { server, said } = await start({
    replies: [
      { when: { message: 'fits' }, reply: { json: { degrees: 21, city: '{{lastMessage}}' } } },
      { when: { message: 'text' }, reply: '{"city":' },
      { when: { message: 'cut' }, reply: { json: {}, finishReason: 'length' } },
      { when: { message: 'choices' }, reply: { choices: [{ json: { city: 'Paris', degrees: 1.5 } }] } },
      { when: { message: 'function' }, reply: () => ({ json: ['Paris'] }) },
      { when: { message: 'list' }, reply: { json: ['Paris'] } },
      { when: { message: 'wrong' }, reply: { json: { city: 7, degrees: 21 } } },
    ],
  });
  for (const strict of [true, false]) {
    expect(await said('fits', city(strict))).toBe('{"degrees":21,"city":"fits"}');
    expect(await said('text', city(strict))).toBe('{"city":');
    expect(await said('cut', city(strict))).toBe('{}');
    await expect(said('wrong', city(strict))).rejects.toMatchObject({
      status: 400,
      code: 'script_error',
      message:
        "400 The json of replies[6] does not match the request, which asks for the schema 'weather': it does not match the schema at $.city. To reply with invalid JSON, use 'text'.",
    });
    await expect(said('choices', city(strict))).rejects.toThrow('match the schema at $.degrees');
    await expect(said('function', city(strict))).rejects.toThrow('The json of replies[4] does not match');
  }
  await expect(said('json list', { response_format: { type: 'json_object' } })).rejects.toThrow('a json_object');
  expect(await said('json list')).toBe('["Paris"]');
  expect(server.unmatched).toHaveLength(7);
});

test('a reply has audio when the request has the audio modality: deterministic, with its duration', async () => {
  const { server } = await start({ replies: ['{{lastMessage}} to you, too.'] });
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey, fetch: server.fetch });
  const ask = async (format: 'wav' | 'mp3' | 'pcm16' | 'flac') => {
    const completion = await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'Good day' }],
      modalities: ['text', 'audio'],
      audio: { voice: 'coral', format },
    });
    return completion.choices[0]?.message.audio;
  };
  const spoken = await ask('wav');
  expect(spoken?.transcript).toBe('Good day to you, too.');
  const wav = Buffer.from(spoken?.data ?? '', 'base64');
  expect(readAudioMetadata(wav)).toEqual({ format: 'wav', seconds: 0.21, sampleRate: 24_000, channels: 1 });
  expect(await ask('wav')).toMatchObject({ data: spoken?.data });
  const mp3 = readAudioMetadata(Buffer.from((await ask('mp3'))?.data ?? '', 'base64'));
  expect(mp3).toMatchObject({ format: 'mp3', sampleRate: 24_000, channels: 1 });
  expect(mp3?.seconds).toBeCloseTo(0.216);
  expect(Buffer.from((await ask('pcm16'))?.data ?? '', 'base64')).toHaveLength(wav.length - 44);
  await expect(ask('flac')).rejects.toMatchObject({ status: 400, param: 'audio.format' });
});
