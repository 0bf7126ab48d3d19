import { concatBytes } from '@modelwire/adapter-kit/internal';
import { decodeAudio, samplesOf } from '@modelwire/vitest/audio';
import { expect, test } from 'vitest';
import { createSpeech } from './speech.ts';

const signal = new AbortController().signal;

test('sentences are synthesized in a thread: the bytes are a complete file with the duration in its header', async () => {
  const speech = createSpeech();
  expect(speech.formats).toEqual(['wav', 'mp3', 'flac', 'opus', 'pcm16']);
  for (const format of speech.formats) {
    const utterance = speech.begin({ voice: 'coral', format, signal });
    const said = [await utterance.say('Good morning.'), await utterance.say('It is five past seven.')];
    const { bytes, seconds } = await utterance.end();
    const all = concatBytes([...said, bytes]);
    expect(seconds).toBeGreaterThan(1.5);
    const { length } = format === 'pcm16' ? samplesOf(all) : (await decodeAudio(all)).samples;
    expect(Math.abs(length / 24_000 - seconds), format).toBeLessThan(0.15);
  }
  await speech.close?.();
});

test('pcm16 is returned sentence by sentence, in order', async () => {
  const speech = createSpeech();
  const utterance = speech.begin({ voice: 'ash', format: 'pcm16', signal });
  const first = await utterance.say('One.');
  expect(first.length).toBeGreaterThan(10_000);
  const alone = speech.begin({ voice: 'ash', format: 'pcm16', signal });
  expect(Buffer.from(await alone.say('One.')).equals(Buffer.from(first))).toBe(true);
  await speech.close?.();
});

test('a custom voice is selected by its ID', async () => {
  const speech = createSpeech({ voices: { giant: { speaker: 'rms', size: 0.8, pitch: 70 } } });
  expect(speech.voices).toContain('giant');
  const utterance = speech.begin({ voice: 'giant', format: 'wav', signal });
  await utterance.say('Fee fi fo fum.');
  expect((await utterance.end()).seconds).toBeGreaterThan(0.5);
  await speech.close?.();
});

test('who left is not waited for; the next is served', async () => {
  const speech = createSpeech();
  const caller = new AbortController();
  const left = speech.begin({ voice: 'sage', format: 'opus', signal: caller.signal });
  await left.say('Hello.');
  const saying = left.say('This nobody hears.');
  caller.abort(new Error('left'));
  await expect(saying).rejects.toThrow('left');
  await expect(left.end()).rejects.toThrow('left');
  const next = speech.begin({ voice: 'sage', format: 'opus', signal });
  expect((await next.end()).bytes.length).toBeGreaterThan(0);
  await speech.close?.();
});

test('a sentence that takes too long is a 504 speech_timeout that ends its thread; the next one gets a new thread', async () => {
  const speech = createSpeech({ timeoutMs: 1 });
  for (let i = 0; i < 2; i++) {
    const utterance = speech.begin({ voice: 'sage', format: 'wav', signal });
    await expect(utterance.say('Hello. '.repeat(40))).rejects.toMatchObject({
      status: 504,
      code: 'speech_timeout',
      message: expect.stringContaining('was not spoken within 1 ms') as string,
    });
  }
  await speech.close?.();
});

test('more than may wait is a 503', async () => {
  const speech = createSpeech({ queueLength: 1 });
  const all = Array.from({ length: 3 }, () => speech.begin({ voice: 'verse', format: 'wav', signal }).end());
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.map(({ status }) => status)).toContain('rejected');
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 503 } });
  await speech.close?.();
});

test.each([
  [{ voices: { x: { pitch: 9 } } }, "voices['x'].pitch must be from 50 to 400"],
  [{ voices: { x: { speaker: 'me' as never } } }, "voices['x'].speaker must be slt, rms, awb or kal16"],
  [{ bitrates: { mp3: 65 } }, 'bitrates.mp3 must be one of'],
  [{ bitrates: { opus: 1 } }, 'bitrates.opus must be from 6 to 256'],
  [{ queueLength: 0 }, 'queueLength must be an integer'],
])('options %j are refused', (options, why) => {
  expect(() => createSpeech(options)).toThrow(why);
});
