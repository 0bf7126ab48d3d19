import { expect, test } from 'vitest';
import { detectPreset } from './detect-preset.ts';

const baseURL = 'http://10.0.0.1:8080/v1';
const owned = (owned_by: string) => [{ id: 'm', owned_by }];

/** Responds to these paths; all others are a 404. */
function server(answers: Readonly<Record<string, unknown>>) {
  const requestedPaths: string[] = [];
  const send: typeof fetch = async (url) => {
    const { pathname } = new URL(url instanceof Request ? url.url : url);
    requestedPaths.push(pathname);
    const body = JSON.stringify(answers[pathname] ?? { error: 'not found' });
    const headers = { 'content-length': String(body.length) };
    return new Response(body, { status: pathname in answers ? 200 : 404, headers });
  };
  return { requestedPaths, send };
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
  const { send, requestedPaths } = server({});
  expect(await detectPreset({ baseURL, models: owned(owner), fetch: send })).toBe(preset);
  expect(requestedPaths).toEqual([]);
});

test('does not detect SGLang as Ollama, whose paths it also supports', async () => {
  const { send } = server({ '/api/version': { version: '0.5' } });
  expect(await detectPreset({ baseURL, models: owned('sglang'), fetch: send })).toBe('sglang');
});

test('detects llama.cpp by its header if its model has another owner', async () => {
  expect(await detectPreset({ baseURL, models: owned('me'), serverHeader: 'llama.cpp' })).toBe('llama.cpp');
});

test('detects Ollama by its version path if a model has another namespace', async () => {
  const { send, requestedPaths } = server({ '/api/version': { version: '0.40.1' } });
  expect(await detectPreset({ baseURL: `${baseURL}/`, models: owned('alice'), fetch: send })).toBe('ollama');
  expect(requestedPaths).toContain('/api/version');
});

test('detects Text Generation Inference by its info about the listed model', async () => {
  const { send } = server({ '/info': { model_id: 'org/small', version: '3.3' } });
  const models = [{ id: 'org/small', owned_by: 'org/small' }];
  expect(await detectPreset({ baseURL, models, fetch: send })).toBe('tgi');
  expect(await detectPreset({ baseURL, models: owned('me'), fetch: send })).toBeUndefined();
});

test('detects known hosted services by their domain', async () => {
  const { send, requestedPaths } = server({});
  const at = (url: string) => detectPreset({ baseURL: url, models: owned('someone'), fetch: send });
  expect(await at('https://api.groq.com/openai/v1')).toBe('hosted');
  expect(requestedPaths).toEqual([]);
  expect(await at('https://api.notgroq.com/v1')).toBeUndefined();
});

test('returns undefined for a server that is unknown, unreachable or sends no JSON', async () => {
  const failingFetch: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));
  expect(await detectPreset({ baseURL, models: [], fetch: failingFetch })).toBeUndefined();
  const html: typeof fetch = async () => new Response('<html>', { headers: { 'content-length': '6' } });
  expect(await detectPreset({ baseURL, models: owned('me'), fetch: html })).toBeUndefined();
});
