import { expect, test } from 'vitest';
import { builtInVoices } from '../voices.ts';
import { resample } from './resample.ts';
import { toSpeakableText } from './speakable.ts';
import { sampleRate } from './program.ts';
import { openSynthesizer } from './synthesizer.ts';

test.each([
  ['“Ça va” – très bien…', '"Ca va" , tres bien.'],
  ['# A **bold** `word`', 'A bold word'],
  ['5 × 3 = 15 €', '5 times 3 = 15 euros'],
  ['日本語', ''],
  ['-- !', ''],
  ['tab\tand\nline', 'tab and line'],
])('%s is spoken as "%s"', (text, spoken) => {
  expect(toSpeakableText(text)).toBe(spoken);
});

test('a tone at another rate is the same tone, and nothing folds back', () => {
  const tone = Int16Array.from({ length: 16_000 }, (_, at) => 10_000 * Math.sin((2 * Math.PI * 440 * at) / 16_000));
  const up = resample(tone, 16_000, 24_000);
  expect(up.length).toBe(24_000);
  for (let at = 1000; at < 23_000; at += 97) {
    expect(Math.abs((up[at] ?? 0) - 10_000 * Math.sin((2 * Math.PI * 440 * at) / 24_000))).toBeLessThan(60);
  }
  const high = Int16Array.from({ length: 16_000 }, (_, at) => 10_000 * Math.sin((2 * Math.PI * 7000 * at) / 16_000));
  const down = resample(high, 16_000, 8000).subarray(100, 7900);
  expect(Math.max(...down.map(Math.abs))).toBeLessThan(500);
});

test('each voice speaks a sentence at about the speed of people, and differs from the others', () => {
  const say = openSynthesizer();
  const sentence = 'The rain in Spain falls mainly on the plain.';
  const heard = Object.entries(builtInVoices).map(([name, voice]) => ({ name, samples: say(sentence, voice) }));
  for (const { name, samples } of heard) {
    const seconds = samples.length / sampleRate;
    expect(seconds, name).toBeGreaterThan(1.8);
    expect(seconds, name).toBeLessThan(5);
    expect(Math.max(...samples.subarray(0, 40_000).map(Math.abs)), name).toBeGreaterThan(2000);
  }
  expect(new Set(heard.map(({ samples }) => `${samples.length} ${samples.slice(9000, 9100).join()}`)).size).toBe(
    heard.length,
  );
});

test('pitch and pace of a voice are heard', () => {
  const say = openSynthesizer();
  const voice = { speaker: 'slt', pitch: 180, pace: 1, size: 1 } as const;
  const usual = say('Hello there, my friend.', voice);
  expect(say('Hello there, my friend.', { ...voice, pace: 1.5 }).length).toBeGreaterThan(usual.length * 1.3);
  expect(crossings(say('Hello there, my friend.', { ...voice, size: 1.3 }))).toBeGreaterThan(crossings(usual) * 1.1);
  // The same head at another pace: as long, whatever its size.
  expect(Math.abs(say('Hello there, my friend.', { ...voice, size: 0.8 }).length / usual.length - 1)).toBeLessThan(0.1);
});

/** How often the sound goes through zero, for each sample. */
function crossings(samples: Int16Array): number {
  return samples.filter((sample, at) => sample < 0 !== (samples[at - 1] ?? 0) < 0).length / samples.length;
}

test('what cannot be said is a pause, and a word without end has one', () => {
  const say = openSynthesizer();
  expect(say('日本語', builtInVoices.alloy)).toEqual(new Int16Array(3600));
  expect(say('ab'.repeat(100), builtInVoices.verse).length).toBeGreaterThan(sampleRate);
});
