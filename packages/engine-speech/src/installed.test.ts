import { findPackageJSON } from 'node:module';
import { expect, test, vi } from 'vitest';
import { createSpeech } from './speech.ts';
import * as synthesiser from './synthesis/synthesiser.ts';

vi.mock('node:module', { spy: true });
vi.mock('./synthesis/synthesiser.ts', { spy: true });

const { signal } = new AbortController();

test('a format whose package is not installed is not among the formats', () => {
  vi.mocked(findPackageJSON).mockImplementation((name) => {
    if (name === 'libopus-wasm') throw new Error('not found');
    return name === '@mediabunny/mp3-encoder' ? undefined : '/there/package.json';
  });
  const speech = createSpeech();
  expect(speech.formats).toEqual(['wav', 'flac', 'pcm16']);
  expect(() => speech.begin({ voice: 'alloy', format: 'mp3', signal })).toThrow("there is no format 'mp3'");
  expect(() => speech.begin({ voice: 'nobody', format: 'wav', signal })).toThrow("there is no voice 'nobody'");
});

test('without the synthesiser there is no speech', () => {
  vi.mocked(synthesiser.programPath).mockImplementationOnce(() => {
    throw new Error('Cannot find module');
  });
  expect(() => createSpeech()).toThrow('Cannot find module');
});
