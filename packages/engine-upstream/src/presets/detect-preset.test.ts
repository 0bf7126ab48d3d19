import { expect, test } from 'vitest';
import type { GetText } from '../get-text.ts';
import { detectPreset } from './detect-preset.ts';

const baseURL = 'http://10.0.0.1:8080/v1';
const owned = (owned_by: string) => [{ id: 'm', owned_by }];

/** Responds to these paths; all others are a 404. */
function server(answers: Readonly<Record<string, unknown>>) {
  const requestedPaths: string[] = [];
  const get: GetText = async (url) => {
    const { pathname } = new URL(url);
    requestedPaths.push(pathname);
    const text = pathname in answers ? JSON.stringify(answers[pathname]) : '';
    return { status: text === '' ? 404 : 200, headers: {}, text };
  };
  return { requestedPaths, get };
}

test.each([
  ['vllm', 'vllm'],
  ['sglang', 'sglang'],
  ['llamacpp', 'llama.cpp'],
  ['organization_owner', 'lmstudio'],
  ['library', 'ollama'],
  ['modelwire', undefined],
  ['openai', undefined],
])('detects models owned by %s as %s, without another request', async (owner, preset) => {
  const { get, requestedPaths } = server({});
  expect(await detectPreset({ baseURL, models: owned(owner), get })).toBe(preset);
  expect(requestedPaths).toEqual([]);
});

test('does not detect SGLang as Ollama, whose paths it also supports', async () => {
  const { get } = server({ '/api/version': { version: '0.5' } });
  expect(await detectPreset({ baseURL, models: owned('sglang'), get })).toBe('sglang');
});

test('detects llama.cpp by its header if its model has another owner', async () => {
  expect(await detectPreset({ baseURL, models: owned('me'), serverHeader: 'llama.cpp' })).toBe('llama.cpp');
});

test('detects Ollama by its version path if a model has another namespace', async () => {
  const { get, requestedPaths } = server({ '/api/version': { version: '0.40.1' } });
  expect(await detectPreset({ baseURL: `${baseURL}/`, models: owned('alice'), get })).toBe('ollama');
  expect(requestedPaths).toContain('/api/version');
});

test('detects Text Generation Inference by its info about the listed model', async () => {
  const { get } = server({ '/info': { model_id: 'org/small', version: '3.3' } });
  const models = [{ id: 'org/small', owned_by: 'org/small' }];
  expect(await detectPreset({ baseURL, models, get })).toBe('tgi');
  expect(await detectPreset({ baseURL, models: owned('me'), get })).toBeUndefined();
});

test('detects known hosted services by their domain', async () => {
  const { get, requestedPaths } = server({});
  const at = (url: string) => detectPreset({ baseURL: url, models: owned('someone'), get });
  expect(await at('https://api.groq.com/openai/v1')).toBe('hosted');
  expect(requestedPaths).toEqual([]);
  expect(await at('https://api.notgroq.com/v1')).toBeUndefined();
});

test('returns undefined for a server that is unknown, unreachable or sends no JSON', async () => {
  const fail: GetText = () => Promise.reject(new Error('no connection'));
  expect(await detectPreset({ baseURL, models: [], get: fail })).toBeUndefined();
  const html: GetText = async () => ({ status: 200, headers: {}, text: '<html>' });
  expect(await detectPreset({ baseURL, models: owned('me'), get: html })).toBeUndefined();
});
