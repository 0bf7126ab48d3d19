import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadProvider, ProviderSetupError } from './load-provider.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelwire-providers-'));
  await install(
    'plain',
    'export const createPlain = (options) => ({ specificationVersion: "v4", languageModel: () => options })',
  );
  await install('old', 'export const createOld = () => ({ specificationVersion: "v2", languageModel: () => ({}) })');
  await install('none', 'export const answer = 42');
  await install('two', 'export const createOne = () => ({}); export const createOther = () => ({})');
  await install('broken', 'throw new Error("out of order")');
});
afterAll(() => rm(folder, { recursive: true }));

async function install(name: string, code: string): Promise<void> {
  const path = join(folder, 'node_modules', name);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }));
  await writeFile(join(path, 'index.js'), code);
}

test.each([
  ['@ai-sdk/anthropic', 'claude-sonnet-4-5', 'anthropic.messages'],
  ['@ai-sdk/google', 'gemini-2.5-flash', 'google.generative-ai'],
])('creates the provider of %s', async (name, id, provider) => {
  const created = await loadProvider({ package: name, apiKey: 'x' });
  expect(created.languageModel(id)).toMatchObject({ modelId: id, provider, specificationVersion: 'v4' });
});

test('finds packages in the folder of the project and passes key and options', async () => {
  const provider = await loadProvider({ package: 'plain', apiKey: 'x', options: { baseURL: 'http://a' }, folder });
  expect(provider.languageModel('m')).toEqual({ apiKey: 'x', baseURL: 'http://a' });
});

test('uses the named export', async () => {
  const provider = await loadProvider({ package: '@ai-sdk/google', export: 'createGoogleGenerativeAI', apiKey: 'x' });
  expect(provider.specificationVersion).toBe('v4');
});

test.each([
  ['@ai-sdk/missing', {}, 'The package @ai-sdk/missing is not installed. Install it: npm install @ai-sdk/missing'],
  ['old', {}, 'The package old implements specification v2 of the AI SDK, not v4. Update it: npm install old@latest'],
  ['none', {}, 'The package none is not a provider of the AI SDK: it exports no function that creates one.'],
  [
    'two',
    {},
    "The package two has several functions that create a provider: set 'export'. There are: createOne, createOther.",
  ],
  ['plain', { export: 'make' }, "The package plain has no function 'make'. There are: createPlain."],
  ['broken', {}, 'The package broken cannot be loaded: out of order'],
  ['./plain.js', {}, "'./plain.js' is not the name of a package, such as @ai-sdk/anthropic."],
])('explains what is wrong with the package %s', async (name, more, message) => {
  const error = await loadProvider({ package: name, folder, ...more }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProviderSetupError);
  expect(error).toHaveProperty('message', message);
});
