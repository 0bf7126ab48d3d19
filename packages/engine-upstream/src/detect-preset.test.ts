import { expect, test } from 'vitest';
import { detectPreset } from './detect-preset.ts';

const baseURL = 'http://10.0.0.1:8080/v1';
const owned = (owned_by: string) => [{ id: 'm', owned_by }];

/** Answers these paths; everything else is a 404. */
function server(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const send: typeof fetch = async (url) => {
    const { pathname } = new URL(url instanceof Request ? url.url : url);
    asked.push(pathname);
    const body = JSON.stringify(answers[pathname] ?? { error: 'not found' });
    const headers = { 'content-length': String(body.length) };
    return new Response(body, { status: pathname in answers ? 200 : 404, headers });
  };
  return { asked, send };
}

test.each([
  ['vllm', 'vllm'],
  ['sglang', 'sglang'],
  ['llamacpp', 'llama.cpp'],
  ['organization_owner', 'lmstudio'],
  ['library', 'ollama'],
  ['modelwire', undefined],
  ['openai', undefined],
])('models owned by %s: %s, without another request', async (owner, preset) => {
  const { send, asked } = server({});
  expect(await detectPreset({ baseURL, models: owned(owner), fetch: send })).toBe(preset);
  expect(asked).toEqual([]);
});

test('SGLang is not taken for Ollama, whose paths it answers too', async () => {
  const { send } = server({ '/api/version': { version: '0.5' } });
  expect(await detectPreset({ baseURL, models: owned('sglang'), fetch: send })).toBe('sglang');
});

test('llama.cpp is recognised by its header where its model has another owner', async () => {
  expect(await detectPreset({ baseURL, models: owned('me'), serverHeader: 'llama.cpp' })).toBe('llama.cpp');
});

test('Ollama is recognised by its version path where a model has another namespace', async () => {
  const { send, asked } = server({ '/api/version': { version: '0.40.1' } });
  expect(await detectPreset({ baseURL: `${baseURL}/`, models: owned('alice'), fetch: send })).toBe('ollama');
  expect(asked).toContain('/api/version');
});

test('Text Generation Inference is recognised by its info about the listed model', async () => {
  const { send } = server({ '/info': { model_id: 'org/small', version: '3.3' } });
  const models = [{ id: 'org/small', owned_by: 'org/small' }];
  expect(await detectPreset({ baseURL, models, fetch: send })).toBe('tgi');
  expect(await detectPreset({ baseURL, models: owned('me'), fetch: send })).toBeUndefined();
});

test('known hosted services are recognised by their domain alone', async () => {
  const { send, asked } = server({});
  const at = (url: string) => detectPreset({ baseURL: url, models: owned('someone'), fetch: send });
  expect(await at('https://api.groq.com/openai/v1')).toBe('hosted');
  expect(asked).toEqual([]);
  expect(await at('https://api.notgroq.com/v1')).toBeUndefined();
});

test('a server that says nothing of itself, is unreachable or sends no JSON has no preset', async () => {
  const broken: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));
  expect(await detectPreset({ baseURL, models: [], fetch: broken })).toBeUndefined();
  const html: typeof fetch = async () => new Response('<html>', { headers: { 'content-length': '6' } });
  expect(await detectPreset({ baseURL, models: owned('me'), fetch: html })).toBeUndefined();
});
