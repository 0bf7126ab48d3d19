import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GgufInsights, LlamaContextSequence } from 'node-llama-cpp';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { loadBinding } from './backend/binding.ts';
import { createLlama } from './llama.ts';
import { resolveOptions, withDeviceDefaults } from './options.ts';
import { LlamaSetupError } from './setup-error.ts';
import { tinyFile } from './testing/serve-tiny.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelwire-options-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('applies the defaults of omitted options', async () => {
  const path = join(folder, 'Small-Model.Q4.GGUF');
  await writeFile(path, '');
  const options = resolveOptions({ path });
  expect(options).toMatchObject({
    id: 'Small-Model.Q4',
    owned_by: 'local',
    gpu: 'auto',
    gpuLayers: 'auto',
  });
  expect(options.threads).toBeGreaterThanOrEqual(1);
  expect(options.created).toBeGreaterThan(1_700_000_000);
  expect(withDeviceDefaults(options, false).batchSize).toBe(128);
  expect(withDeviceDefaults(options, true).batchSize).toBe(256);
  expect(withDeviceDefaults({ ...options, batchSize: 64 }, true).batchSize).toBe(64);
});

test.each([
  [{ path: '' }, 'path must be'],
  [{ path: '/nowhere/x.gguf' }, "the file '/nowhere/x.gguf' does not exist"],
  [{ contextSize: 1.5 }, 'contextSize must be'],
  [{ sequences: 0 }, 'sequences must be'],
  [{ threads: 0 }, 'threads must be'],
  [{ gpu: 'best' }, 'gpu must be one of auto, cuda, vulkan, metal, false'],
  [{ gpuLayers: 'most' }, 'gpuLayers must be auto, max or an integer'],
  [{ batchSize: 8 }, 'batchSize must be'],
  [{ flashAttention: 'on' }, 'flashAttention must be auto, true or false'],
  [{ cacheType: 'q9' }, 'cacheType must be one of f16'],
  [{ cacheType: 'q8_0', flashAttention: false }, 'cacheType q8_0 requires flashAttention'],
  [{ promptLookup: 'auto' }, 'promptLookup must be true or false'],
  [{ id: '' }, 'id must be'],
  [{ temperature: 1 }, "unknown option 'temperature'"],
])('rejects %j and names the option', async (options, message) => {
  const path = join(folder, 'some.gguf');
  await writeFile(path, '');
  const given = { path, ...options } as Parameters<typeof resolveOptions>[0];
  expect(() => resolveOptions(given)).toThrow(LlamaSetupError);
  expect(() => resolveOptions(given)).toThrow(message);
});

test('names the install command when node-llama-cpp is missing', async () => {
  const missing = loadBinding(() => Promise.reject(new Error("Cannot find package 'node-llama-cpp'")));
  await expect(missing).rejects.toThrow(LlamaSetupError);
  await expect(missing).rejects.toThrow(/npm install node-llama-cpp.*--omit=optional node-llama-cpp @node-llama-cpp/);
});

test.each(['', 'woodpecker'])('llama.cpp is loaded where CI is %j', async (ci) => {
  const { href } = new URL('backend/binding.ts', import.meta.url);
  const script = `import { loadBinding, openLlama } from '${href}'; console.log((await openLlama(await loadBinding(), false)).gpu);`;
  const file = join(folder, 'load.mjs');
  await writeFile(file, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { ...process.env, CI: ci } });
  expect(stdout).toBe('false\n');
});

test('rejects a file that is not a model', async () => {
  const path = join(folder, 'broken.gguf');
  for (const content of ['', 'some text', 'GGUF, it says, and says, and says nothing else.']) {
    await writeFile(path, content);
    await expect(createLlama({ path, gpu: false })).rejects.toThrow(/cannot be served: it is not a GGUF file/);
  }
});

test('rejects an invalid chat template', async () => {
  const file = await tinyFile();
  const chatTemplate = '{% for message in messages %}never ended';
  await expect(createLlama({ path: file.path, gpu: false, chatTemplate })).rejects.toThrow(/chat template is invalid/);
  await file.remove();
});

test('rejects a truncated file', async () => {
  const [whole, path] = [await tinyFile(), join(folder, 'short.gguf')];
  await writeFile(path, (await readFile(whole.path)).subarray(0, 900_000));
  await whole.remove();
  await expect(createLlama({ path, gpu: false })).rejects.toThrow(LlamaSetupError);
});

test('the default context is the one that the model was trained with', async () => {
  const file = await tinyFile({ contextLength: 8192 });
  onTestFinished(() => file.remove());
  const engine = await createLlama({ path: file.path, gpu: false, threads: 1, sequences: 2 });
  onTestFinished(() => engine.close());
  expect(engine.contextSize).toBe(8192);
});

test('a prompt and a token are evaluated before the engine is ready', async () => {
  const file = await tinyFile();
  onTestFinished(() => file.remove());
  const evaluate = vi.spyOn(LlamaContextSequence.prototype, 'evaluate');
  onTestFinished(() => evaluate.mockRestore());
  const engine = await createLlama({ path: file.path, gpu: false, threads: 1 });
  onTestFinished(() => engine.close());
  expect(evaluate.mock.calls.map(([tokens]) => tokens.length)).toEqual([64]);
});

test('prompt lookup is refused with a recurrent model', async () => {
  const file = await tinyFile();
  onTestFinished(() => file.remove());
  const isRecurrent = vi.spyOn(GgufInsights.prototype, 'isRecurrent', 'get').mockReturnValue(true);
  onTestFinished(() => isRecurrent.mockRestore());
  const creating = createLlama({ path: file.path, gpu: false, threads: 1, promptLookup: true });
  await expect(creating).rejects.toThrow('promptLookup is not possible with a recurrent model');
});
